"""Any text, value or file gives the functions and commands a result, or an error in one sentence."""

import contextlib
import math

import pytest
import torch
from fuzzing import fuzzed
from hypothesis import example, given
from hypothesis import strategies as st
from test_api import bert

import minibert
from minibert.cli import main as cli
from minibert.course.widgets.explorer.widget import explore
from minibert.finetuning.approaches import heads_for
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.registry import entry_of
from minibert.model import Model

TASKS = {
    "ner": {"tags": ["O", "B-PER", "I-PER"]},
    "text": {"labels": ["bad", "good"], "pair": None},
    "qa": {},
    "sst2": {"labels": ["negative", "positive"]},
}
HALF = b'{"text": "so \\ud83d", "sentence": "so \\ud83d", "label": "bad"}\n'
PARTS = st.sampled_from(
    [*"\x00\x1b\r\n\t\ud83d\udc80\u200b\ufeff\u2028٣²東ΣİßﬁA.", " ", "[MASK]", "n't", "U.S.", "a" * 300]
)
TEXTS = st.lists(PARTS | st.characters() | st.characters(categories=["Cs", "Cc", "Mn"]), max_size=12).map(
    "".join
)
VALUES = (
    TEXTS | st.lists(TEXTS, max_size=3) | st.sampled_from([None, 3, b"x", [None], ["a", 1], {}, {"a": "b"}])
)


def untrained(name):
    """A model for a task with random weights."""
    start = bert()
    torch.manual_seed(0)
    task = entry_of(name).task(start.tokenizer, 24, **TASKS[name])
    return Finetuned(name, task, Model(start.encoder, heads_for(task, "full", start.encoder)).eval())


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A pretrained model, and for each task a model in a folder."""
    folder = tmp_path_factory.mktemp("models")
    for name in TASKS:
        untrained(name).save(folder / name)
    return folder, bert(), {name: minibert.load(folder / name) for name in TASKS}


@pytest.mark.slow
@fuzzed(200)
@given(value=VALUES, other=VALUES, name=st.sampled_from([*TASKS]), shares=st.booleans())
def test_any_value_gets_a_result_or_a_value_error(models, value, other, name, shares):
    _, pretrained, tuned = models
    model = tuned[name]
    inputs = {"question": value, "context": other} if name == "qa" else {"text": value}
    with contextlib.suppress(ValueError):
        result = minibert.predict(model, **inputs, probabilities=shares)
        str(result).encode()
        assert not isinstance(value, list) or isinstance(result, list)
    for compute in (pretrained.encode, model.encode):
        with contextlib.suppress(ValueError):
            assert all(math.isfinite(number) for number in compute(value).ravel())
    with contextlib.suppress(ValueError):
        pretrained.fill_mask(value)
    if isinstance(value, str):
        for top in (5, 0):
            with contextlib.suppress(ValueError):
                pretrained.fill_mask(value + "[MASK]", top)
        with contextlib.suppress(ValueError):
            explore(pretrained, value)


@pytest.mark.slow
@fuzzed(60)
@given(
    text=TEXTS,
    name=st.sampled_from(["ner", "text", "sst2"]),
    options=st.sampled_from([[], ["--probabilities"]]),
)
def test_any_text_on_the_command_line_gets_an_answer_or_one_line(models, capsys, text, name, options):
    status = cli.main(["predict", f"--text={text}", "--model", str(models[0] / name), *options])
    said = capsys.readouterr()
    assert (status, bool(said.out), said.err.count("\n")) in [(0, True, 0), (0, True, 1), (2, False, 1)]
    assert status == 0 or said.err.startswith("minibert predict: ")


@pytest.mark.slow
@fuzzed(100)
@given(
    content=st.just(b"")
    | st.binary(max_size=40)
    | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")),
    before=st.sampled_from(
        [b"", b"text\tlabel\na\tgood\n", b'{"text": "a", "label": "bad"}\n', b"a O\n\n", HALF]
    ),
    name=st.sampled_from(["f.tsv", "f.csv", "f.jsonl", "f.conll"]),
    task=st.sampled_from([*TASKS]),
    command=st.sampled_from(["predict", "evaluate"]),
)
@example(content=b"", before=HALF, name="f.jsonl", task="text", command="predict")
def test_any_file_gets_answers_or_one_line(models, tmp_path, capsys, content, before, name, task, command):
    (tmp_path / name).write_bytes(before + content)
    source = [f"--file={tmp_path / name}"] if command == "predict" else [str(tmp_path / name)]
    status = cli.main([command, *source, "--model", str(models[0] / task)])
    said = capsys.readouterr()
    assert status == 0 and said.out or status == 2 and name in said.err.splitlines()[-1]
