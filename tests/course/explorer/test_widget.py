"""The explorer in a notebook: its messages, its text without a kernel, what it refuses."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from little_bert import TOKENIZER, model_with
from tiny import CONFIG

from minibert.config import preset
from minibert.course.widgets import compared
from minibert.course.widgets.explorer import EXAMPLE
from minibert.course.widgets.explorer.modules import one_script
from minibert.course.widgets.explorer.page import page_of
from minibert.course.widgets.explorer.trace import LONGEST, trace
from minibert.course.widgets.explorer.widget import explore
from minibert.model.checkpoints.pretrained import Pretrained

TEXT = "Mira sings in [MASK]."


@pytest.fixture
def model():
    return model_with("tokens", "pair")


@pytest.fixture
def widget(model):
    """An explorer, and what it sends as `sent`."""
    shown = explore((model, TOKENIZER), TEXT)
    shown.sent = []
    shown.send = lambda content, buffers=None: shown.sent.append((content, buffers))
    return shown


def ask(widget, **question):
    """What a browser's message makes the kernel send."""
    asked = {"id": 7, "first": TEXT, "second": None, "masked": [], "off": [], **question}
    widget._handle_custom_msg(asked, [])
    return widget.sent[-1]


def test_a_question_is_answered_by_one_message_with_one_buffer(widget, model):
    off = [["head", 0, 1]]
    content, buffers = ask(widget, masked=[1], off=off)
    header, data = trace(model, TOKENIZER, TEXT, None, [1], off)
    assert content == {"id": 7, "header": header} and buffers == [data]
    assert len(widget.sent) == 1
    json.dumps(content)  # it can travel


@pytest.mark.parametrize(
    "wrong, told",
    [({"masked": [0]}, "is not the position of a word"), ({"off": [["layer", 9]]}, "is neither")],
)
def test_what_goes_wrong_is_sent_as_a_line_of_text(widget, wrong, told):
    content, buffers = ask(widget, **wrong)
    assert content["id"] == 7 and told in content["error"] and not buffers
    assert "ValueError" not in content["error"]  # it is meant for a reader


def test_an_unforeseen_error_is_sent_with_its_name(widget):
    widget.loads = []
    assert ask(widget)[0]["error"].startswith("IndexError: ")


def test_the_answer_to_a_very_long_text_is_a_small_message():
    config = preset("class", vocab_size=97, max_position_embeddings=512)
    shown = explore((model_with("tokens", config=config), TOKENIZER), TEXT)
    sent = []
    shown.send = lambda content, buffers: sent.append((content, buffers))
    shown.answer(None, {"id": 1, "first": "song " * 5000})
    header = sent[0][0]["header"]
    assert len(header["tokens"]) == LONGEST and header["cut"] == 5000 - (LONGEST - 2)
    assert len(sent[0][1][0]) < 10e6


def test_page_and_widget_begin_with_the_same_sentence(model):
    assert explore((model, TOKENIZER)).first == EXAMPLE
    assert f'sentences">["{EXAMPLE}"' in page_of(Pretrained(model, TOKENIZER, name="little"))


def test_what_load_returns_and_a_pair_are_the_same(model):
    one = explore((model, TOKENIZER), TEXT, "A song.")
    other = explore(SimpleNamespace(model=model, tokenizer=TOKENIZER), TEXT, "A song.")
    assert one.header == other.header and (one.first, one.second) == (TEXT, "A song.")


def test_without_bert_base_there_is_one_model_and_nothing_to_choose(widget):
    assert widget.models == ["The model"]


def test_a_brief_explorer_is_asked_for(model):
    assert explore((model, TOKENIZER), TEXT, brief=True).brief and not explore((model, TOKENIZER), TEXT).brief


def test_the_model_that_is_chosen_answers_and_is_loaded_only_then(model, monkeypatch):
    other, loaded = model_with("tokens", config=CONFIG.replace(num_hidden_layers=3)), []
    monkeypatch.setattr(
        compared,
        "bert_base",
        lambda: {"BERT-base": lambda: loaded.append(1) or Pretrained(other, TOKENIZER)},
    )
    shown = explore(Pretrained(model, TOKENIZER, name="english"), TEXT)
    assert shown.models == ["Our English model", "BERT-base"]
    shown.sent = []
    shown.send = lambda content, buffers=None: shown.sent.append((content, buffers))
    assert ask(shown, model=0)[0]["header"]["sizes"]["layers"] == 2 and not loaded
    content, buffers = ask(shown, model=1)
    header, data = trace(other, TOKENIZER, TEXT)
    assert content == {"id": 7, "header": header} and buffers == [data] and loaded


@pytest.mark.parametrize("wrong", ["tour", ("model", "tokenizer"), (1, 2, 3), None])
def test_what_is_no_model_is_refused(wrong):
    with pytest.raises(ValueError, match="pass a BERT from minibert.load"):
        explore(wrong)


def test_a_bert_without_a_head_for_masked_tokens_is_refused_at_once():
    with pytest.raises(ValueError, match="the explorer needs"):
        explore((model_with("pair"), TOKENIZER), TEXT)


def test_a_page_without_a_kernel_has_a_text(model):
    shown = explore((model, TOKENIZER), f"<b>Mira</b> {TEXT}")
    data, _ = shown._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "needs a running notebook" in data["text/html"]
    word, share = shown.header["top"][0][-1][0]
    assert f"{word} {share:.0%}" in data["text/html"]


def test_words_of_a_vocabulary_are_escaped_in_the_text(model):
    shown = explore((model, TOKENIZER), TEXT)
    shown.header["tokens"][1] = "<img src=x>"
    assert "<img" not in shown._repr_mimebundle_()[0]["text/html"]


def test_widgets_open_without_anywidget_and_without_pytorch(root):
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import minibert.course.widgets.view, minibert.course.widgets.theme\n"
        "sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True)


HEARS = """
let hear;
const sent = [];
const model = {on: (_, f) => { hear = f; }, off: (_, f) => sent.push(f === hear), send: m => sent.push(m)};
const {source, close} = widgetModule.kernelSource(model);
const {header, buffer, start} = JSON.parse(require("fs").readFileSync(0, "utf8"));
const bytes = Buffer.from(buffer, "base64"), all = new ArrayBuffer(start + bytes.length);
new Uint8Array(all).set(bytes, start);
(async () => {
  const first = source.trace({first: "a", second: null, masked: [], off: []});
  const second = source.trace({first: "b"});
  hear({id: "another view's", error: "not for us"}, []);
  hear({id: sent[1].id, error: "no such head"}, []);
  hear({id: sent[0].id, header}, [new DataView(all, start)]);
  const trace = await first, refused = await second.catch(error => error.message);
  close();
  const names = Object.keys(header.arrays);
  console.log(JSON.stringify({sent, refused, same: trace.header.tokens.join() === header.tokens.join(),
    arrays: Object.fromEntries(names.map(name => [name, [...trace.array(name)]]))}));
})();
"""


@pytest.mark.node
@pytest.mark.parametrize("start", [0, 3], ids=["aligned", "anywhere in a message"])
def test_the_browser_reads_what_the_kernel_sends(model, program, start):
    import base64

    header, data = trace(model, TOKENIZER, TEXT)
    given = json.dumps({"header": header, "buffer": base64.b64encode(data).decode(), "start": start})
    code = f"globalThis.document = globalThis; {one_script('widget')}{HEARS}"
    done = subprocess.run([program, "-e", code], input=given, capture_output=True, text=True, check=True)
    got = json.loads(done.stdout)
    assert got["refused"] == "no such head" and got["same"]
    assert got["sent"][0]["first"] == "a" and got["sent"][0]["id"] != got["sent"][1]["id"]
    assert got["sent"][2] is True  # closed: it listens no more
    for name, (offset, shape, kind) in header["arrays"].items():
        dtype = {"f32": "<f4", "f16": "<f2"}[kind]
        wanted = np.frombuffer(data, dtype, int(np.prod(shape)), offset).astype(np.float32)
        assert np.array_equal(np.array(got["arrays"][name], np.float32), wanted), name


CELL = """
import sys
sys.path[:0] = {paths}
from little_bert import TOKENIZER, model_with
from minibert.course.widgets.explorer.widget import explore
explore(
    (model_with("tokens", "pair"), TOKENIZER), "Mira sings in Ashby. <img src=x>"
)
"""


@pytest.mark.browser
@pytest.mark.slow
def test_in_jupyterlab_the_tour_begins_and_nothing_goes_wrong(program, tmp_path, root, monkeypatch):
    if "browser" not in os.environ.get("MINIBERT_REQUIRE", "").split(","):
        pytest.importorskip("playwright", reason="no playwright on this machine (pip install playwright)")
    import lab

    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                CELL.format(paths=[str(root / "tests"), str(root / "tests" / "course" / "explorer")])
            )
        ]
    )
    notebook.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    (tmp_path / "notebooks").mkdir()
    nbformat.write(notebook, tmp_path / "notebooks" / "explore.ipynb")
    monkeypatch.setenv("PYTHONPATH", str(root))
    actions = [("click:Guided tour",), ("click:Next",), ("click:Close",)]
    with lab.started(tmp_path / "notebooks", tmp_path / "own", program) as visit:
        problems = visit("explore.ipynb", actions)
    assert [problem for problem in problems if not problem.startswith("no action moves")] == []
