"""The public face: what `import minibert` offers, with examples that run."""

import inspect
import json
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from string import ascii_lowercase as LETTERS

import pytest
import torch
from conftest import ROOT
from tiny import CONFIG

import minibert
from minibert.cli import main as cli
from minibert.config import preset
from minibert.course.models import class_model
from minibert.data.batch import SPECIAL_TOKENS
from minibert.finetuning.finetuned import Finetuned
from minibert.model import Encoder
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.readers.conll import Sentence
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.pretraining import bert_objective

TEXT = "\n\n".join(
    "\n".join(f"The {a} sat on the {b} of Ashby number {i}." for b in ("mat", "rug", "hat", "log"))
    for i, a in enumerate(["cat", "dog", "cow", "hen", "owl", "pig", "fox", "ant"])
)
CONLL = "Mira B-PER\nHarlow I-PER\nlives O\nin O\nAshby B-LOC\n. O\n"
FUNCTIONS = [name for name in minibert.__all__ if name.islower()]


def bert(**changes):
    """A random BERT that knows a few words and all letters."""
    words = [*"mira lives in ashby .".split(), *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    tokenizer = FastWordPiece([*SPECIAL_TOKENS, *words])
    torch.manual_seed(0)
    encoder = Encoder(CONFIG.replace(vocab_size=len(tokenizer), max_position_embeddings=64, **changes))
    model = bert_objective(tokenizer, 32).model(encoder).eval()
    return Pretrained(model, tokenizer, model.heads["pair"].pooler)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A working folder with small files, and a cache with a random model in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(class_model.platformdirs, "user_cache_dir", lambda name: str(tmp_path / "cache"))
    bert().save(tmp_path / "random")
    class_model.keep(tmp_path / "random")
    (tmp_path / "text.txt").write_text(TEXT)
    for name in ("train.conll", "dev.conll"):
        (tmp_path / name).write_text(CONLL)
    return tmp_path


def test_the_package_offers_twelve_names_without_pytorch_and_completes_them():
    code = (
        "import minibert, sys; assert set(minibert.__all__) <= set(dir(minibert)); minibert.world; "
        "minibert.pretrain; minibert.ModelConfig(); assert 'torch' not in sys.modules; minibert.Encoder; "
        "assert 'torch' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    assert minibert.__all__ == sorted(minibert.__all__) and len(minibert.__all__) == 12
    with pytest.raises(AttributeError, match="module 'minibert' has no attribute 'lode'"):
        minibert.lode  # noqa: B018


@pytest.mark.parametrize(
    "asked, count, pool", [(None, 99, 1), (None, 100, 50), (True, 99, 50), (False, 100, 1)]
)
def test_from_fifty_batches_on_sequences_of_similar_length_share_one(place, monkeypatch, asked, count, pool):
    seen = []
    monkeypatch.setattr(
        "minibert.finetuning.run.train",
        lambda model, task, rows, config, **_: seen.append(config.length_pool) or [],
    )
    examples = [("mira lives", "a"), ("in ashby", "b")] * 50
    minibert.finetune(
        "text", examples[:count], model="random", batch_size=2, group_by_length=asked, progress=False
    )
    assert seen == [pool]


def test_each_function_has_an_example():
    """test_doctests runs them."""
    for name in FUNCTIONS:
        example = getattr(minibert, name).__doc__.partition("Example:")[2]
        assert re.search(rf">>> .*minibert\.{name}\(", example), name


def python_of(page):
    """The Python code of a page, block by block."""
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S)


def test_the_first_lines_of_the_readme_print_what_they_say(english_encoder, capsys):
    (lines,) = python_of("README.md")
    exec(lines, {})
    assert capsys.readouterr().out.splitlines() == re.search(r"# (.*%)$", lines, re.M)[1].split(", ")


def test_the_lines_of_the_engineers_page_run_and_print_what_it_says(english_encoder, place, capsys):
    minibert.pretrain("text.txt", "my-bert", steps=4, batch_size=4, vocab_size=200, max_length=32)
    names, printed = {}, []
    for lines in python_of("docs/engineers.md"):
        capsys.readouterr()
        exec(lines, names)
        found = capsys.readouterr()
        printed.append(found.out)
        assert "Loading weights" not in found.out + found.err and "np.float32" not in found.out
    first, asked, vectors, *_ = printed
    assert first.startswith("knife 55%\nstick 3%\ncarrot 3%\n")
    assert first.endswith("['account', 'delivery']\n")
    assert asked.startswith("['Jane Austen', 'Chawton']\nJane Austen 80%\n")
    assert "{'positive': 0.99" in asked and vectors.startswith("(3, 384)")
    assert any("angela merkel PER\nemmanuel macron PER\nberlin LOC\n" in text for text in printed)


@pytest.mark.parametrize(
    "command, given",
    [
        ("pretrain --out m --corpus a b", {"out": "m", "corpus": [Path("a"), Path("b")]}),
        ("finetune ner --train a --dev b --model m", dict(task="ner", train="a", dev="b", model="m")),
        ("world --kind ner sst2 --out w", {"kind": ["ner", "sst2"], "out": "w"}),
        ("export m --int8", {"model": "m", "int8": True}),
        ("evaluate a --model m --fit-threshold", {"data": "a", "model": "m", "fit_threshold": True}),
    ],
)
def test_a_command_calls_its_python_function_with_the_defaults_of_it(command, given, monkeypatch):
    name, called = command.split()[0], []
    parameters = inspect.signature(getattr(minibert, name)).parameters
    defaults = {key: parameter.default for key, parameter in parameters.items()}

    def record(**options):
        called.append(options)
        raise ValueError("enough")

    monkeypatch.setattr(f"minibert.api.{name}", record)
    assert cli.main(command.split()) == 2
    assert called == [defaults | given | ({"out": "finetuned-ner"} if name == "finetune" else {})]


def test_load_gives_the_tour_s_model_a_pretrained_one_or_a_fine_tuned_one(place):
    tour = minibert.load()
    assert isinstance(tour, Pretrained) and (tour.name, tour.config.hidden_size) == ("tour", 32)
    (place / "empty").mkdir()
    with pytest.raises(ValueError, match="empty/config.json: no such file"):
        minibert.load("empty")
    tuned = minibert.finetune(
        "ner", "train.conll", "dev.conll", model=tour, out="ner", epochs=1, progress=False
    )
    again = minibert.load("ner")
    assert isinstance(again, Finetuned) and again.predict("Mira lives.") == tuned.predict("Mira lives.")
    assert again.tokenizer.vocab == tour.tokenizer.vocab and again.config == tour.config


def test_the_model_of_the_lessons_is_trained_on_the_processor_of_every_machine(place, monkeypatch):
    devices = []

    def trained(*arguments, **options):
        devices.append(torch.device(arguments[4]))
        return bert().model, []

    monkeypatch.setattr("torch.backends.mps.is_available", lambda: True)
    monkeypatch.setattr("torch.backends.mps.is_macos_or_newer", lambda major, minor: True)
    monkeypatch.setattr(class_model, "pretrain", trained)
    monkeypatch.setattr(class_model, "keep", lambda folder: None)
    shutil.rmtree(class_model.cache_folder())
    model = minibert.load().model
    assert devices == [next(model.parameters()).device] == [torch.device("cpu")]


def test_a_given_model_stays_as_it_is_and_no_folder_is_written_unless_named(place):
    model, before = minibert.load("random"), sorted(place.rglob("*"))
    weight = model.encoder.embeddings.word.weight.clone()
    sentences = [Sentence("Mira lives".split(), ["B-PER", "O"], 1)]
    tuned = minibert.finetune("ner", sentences, model=model, epochs=2, progress=False)
    assert torch.equal(model.encoder.embeddings.word.weight, weight) and sorted(place.rglob("*")) == before
    assert not torch.equal(tuned.model.encoder.embeddings.word.weight, weight)


def test_a_size_may_be_a_configuration_and_the_case_of_a_vocabulary_is_kept_to_the_end(place):
    from transformers import AutoTokenizer

    vocab = [*SPECIAL_TOKENS, *dict.fromkeys([*TEXT.replace(".", " .").split(), "Mira"]), *"tehThe0"]
    FastWordPiece(dict.fromkeys(vocab), lower_case=False).save(place / "vocab.txt")
    (place / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    options = {"vocab": "vocab.txt", "preset": CONFIG, "steps": 2, "batch_size": 4, "max_length": 32}
    minibert.pretrain("text.txt", "cased", **options, progress=False)
    model = minibert.load("cased")
    tuned = minibert.finetune("ner", "train.conll", model="cased", out="ner", epochs=1, progress=False)
    for reader in (model, tuned, minibert.load("ner")):
        assert not reader.tokenizer.lower_case
    assert model.config.hidden_size == CONFIG.hidden_size
    for folder in ("cased", "ner"):
        assert AutoTokenizer.from_pretrained(place / folder).tokenize("The Mira") == ["The", "Mira"]


def test_the_precision_is_printed_and_kept_with_the_model_and_an_interrupted_run_has_one_only(
    place, monkeypatch, capsys
):
    def lose_power(*arguments):
        raise KeyboardInterrupt

    calls = {
        "m": partial(minibert.pretrain, "text.txt", vocab_size=90, steps=2, batch_size=4, max_length=24),
        "t": partial(minibert.finetune, "ner", "train.conll", model="random", epochs=1),
    }
    for folder, call in calls.items():
        with monkeypatch.context() as broken:
            broken.setattr("minibert.training.pretraining.keep_pretrained", lose_power)
            broken.setattr("minibert.finetuning.results.keep_finetuned", lose_power)
            with pytest.raises(KeyboardInterrupt):
                call(out=folder, precision="float16")
        assert capsys.readouterr().out.startswith("Precision float16\n")
        with pytest.raises(ValueError, match="precision float16 before, float32 now"):
            call(out=folder, precision="float32", progress=False)
        call(out=folder)
        assert capsys.readouterr().out.startswith("Precision float16, as at the start of this run\n")
        assert json.loads((place / folder / "training.json").read_text())["precision"] == "float16"


def test_a_missing_pooler_is_said_in_one_line_if_the_head_needs_it(place, capsys):
    minibert.load("random").save("no-pooler", heads=["tokens"])
    (place / "texts.csv").write_text("text,category\nhi,greeting\nbye,parting\n")
    minibert.finetune("text", "texts.csv", model="no-pooler", epochs=1, progress=False)
    assert capsys.readouterr().err == (
        "no-pooler: has no pooler weights; the pooler for text starts with random weights\n"
    )
    minibert.finetune("text", "texts.csv", model="random", epochs=1, progress=False)
    minibert.finetune("ner", "train.conll", model="no-pooler", epochs=1, progress=False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: minibert.predict(bert(), "Mira"), "expected a fine-tuned model, not Pretrained"),
        (
            lambda: minibert.finetune("ner", "train.conll", model="english-qa"),
            "english-qa is already fine-tuned for a task; give english, the pretrained model",
        ),
        (
            lambda: minibert.evaluate("english", "dev.conll"),
            "english is a pretrained model without a task: fine-tune it with `minibert finetune TASK --model "
            "english`, or give a fine-tuned model, such as english-qa",
        ),
        (lambda: minibert.predict("random", "Mira"), "random is a pretrained model without a task"),
        (lambda: minibert.fill_mask("[MASK]", 3), "expected a pretrained model, not int"),
        (lambda: minibert.load("random", device="gpu"), "device 'gpu' must be cuda, mps or cpu"),
        (
            lambda: minibert.finetune("ner", "train.conll", model="random", out="random/../random"),
            "is the model to start from and would be overwritten; give a different folder as out",
        ),
        (lambda: minibert.finetune("ner", "train.conll", patience=2), "patience=2 needs dev examples"),
        (
            lambda: minibert.finetune("ner", "train.conll", max_length=65),
            "max_length=65 must be at most 64 for tour",
        ),
        (lambda: minibert.finetune("nerd", "train.conll"), "unknown task 'nerd'; known tasks: qa, ner"),
        (lambda: minibert.finetune("text", [], model="missing"), "^train: there are no examples$"),
        (lambda: bert().predict("Mira"), "is a pretrained model without a task: fine-tune it"),
        (lambda: minibert.fill_mask("Mira lives."), "no \\[MASK\\] in 'Mira lives.'"),
    ],
)
def test_bad_arguments_are_named_before_any_work(place, call, message):
    before = sorted(place.rglob("*"))
    with pytest.raises(ValueError, match=message):
        call()
    assert sorted(place.rglob("*")) == before


def test_predict_takes_the_inputs_of_the_task(place):
    ner = minibert.finetune("ner", "train.conll", "dev.conll", epochs=60, progress=False)
    assert [entity[:2] for entity in minibert.predict(ner, "Mira Harlow lives in Ashby.")] == [
        ("Mira Harlow", "PER"),
        ("Ashby", "LOC"),
    ]
    with pytest.raises(ValueError, match="a model for ner needs text, but got question and context"):
        minibert.predict(ner, question="Who?", context="Mira.")
    (place / "rte.tsv").write_text(
        "index\tsentence1\tsentence2\tlabel\n"
        "0\tMira lives.\tMira lives.\tentailment\n"
        "1\tMira lives.\tAshby lives.\tnot_entailment\n"
    )
    rte = minibert.finetune("rte", "rte.tsv", epochs=1, progress=False)
    assert rte.predict("Mira lives.", text_pair="Ashby.") in ("entailment", "not_entailment")
    with pytest.raises(ValueError, match="a model for rte needs text and text_pair, but got text"):
        rte.predict("Mira lives.")


def test_examples_may_be_tuples_and_dictionaries(place):
    train = [("hi", "greeting"), {"text": "bye", "label": "parting"}]
    text = minibert.finetune("text", train, train[:1], epochs=1, progress=False)
    assert text.labels == ["greeting", "parting"] and text.predict("hi") in text.labels
    assert minibert.evaluate(text, train).count == 2
    with pytest.raises(ValueError, match=r"^dev:2: expected \(text, label\)"):
        minibert.finetune("text", train, [train[0], "bye"])


def test_a_table_may_have_other_columns_and_a_run_a_number_of_steps_instead_of_epochs(place, capsys):
    (place / "reviews.csv").write_text(
        "id,review,stars\n" + "".join(f"{i},it is {i},{i % 2}\n" for i in range(9))
    )
    columns = ["--columns", "text=review"]
    files = ["--train", "reviews.csv", "--dev", "reviews.csv", *columns, "label=stars"]
    command = ["finetune", "text", *files, "--batch-size", "2", "--max-steps", "4", "--out", "t"]
    assert cli.main(command) == 0
    assert "Steps 4 (0.8 epochs)\n" in capsys.readouterr().out
    assert len((place / "t" / "log.jsonl").read_text().splitlines()) == 4
    assert cli.main(["evaluate", "reviews.csv", "--model", "t", *columns, "label=stars"]) == 0
    assert "9 examples: accuracy" in capsys.readouterr().out
    assert cli.main(["predict", "--model", "t", "--file", "reviews.csv", "--out", "answers", *columns]) == 0
    assert len((place / "answers").read_text().splitlines()) == 10
    capsys.readouterr()
    assert cli.main(["predict", "--model", "t", "--text", "hi", *columns]) == 2
    assert (
        cli.main(["finetune", "ner", "--train", "train.conll", "--dev", "dev.conll", "--columns", "words=w"])
        == 2
    )
    assert capsys.readouterr().err == (
        "minibert predict: t was fine-tuned for text: give --text, or --file\n"
        "minibert finetune: columns cannot be given for ner, because its files have no named columns\n"
    )
    minibert.finetune(
        "text", "reviews.csv", columns={"text": "review", "label": "stars"}, out="u", max_steps=7
    )
    assert "Steps 7 (7 epochs)\n" in capsys.readouterr().out
    assert len((place / "u" / "log.jsonl").read_text().splitlines()) == 7  # although there are 3 epochs


def test_the_default_learning_rate_suits_the_size_of_the_model_and_is_printed(place, capsys):
    from minibert.finetuning.layers import default_rate

    assert default_rate(CONFIG, "full") == default_rate(minibert.ModelConfig(), "lora") == 5e-4
    sizes = {"class": 5e-4, "mini": 5e-4, "small": 1e-4, "base": 5e-5, "large": 5e-5}
    assert {name: default_rate(preset(name), "full") for name in sizes} == sizes
    minibert.finetune("ner", "train.conll", model="random", out="ner", epochs=1)
    assert "Learning rate 0.0005\n" in capsys.readouterr().out
    assert json.loads((place / "ner" / "training.json").read_text())["peak_rate"] == 5e-4
    minibert.finetune("ner", "train.conll", model="random", epochs=1, peak_rate=1e-3)
    assert "Learning rate 0.001\n" in capsys.readouterr().out
