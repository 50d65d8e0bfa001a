"""The explorer's page: one file of modest size that opens from disk, asks no host, and runs no text."""

import json
import re
import subprocess

import pytest
import torch
from little_bert import TOKENIZER, VOCAB, model_with

from minibert.cli import main as cli
from minibert.config import preset
from minibert.course.models import class_model
from minibert.course.widgets.explorer.modules import one_script
from minibert.course.widgets.explorer.page import FOLDER, page_of, write_page
from minibert.model import ClassifierHead, Encoder, Model, TokenHead
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.model.checkpoints.published import save_model
from minibert.tokenizer import WordPiece

HOSTILE = (
    '</script><script>document.title = "taken"</script><!-- <img src=x onerror="document.title = 1"> $weights'
)


def little(tokenizer=TOKENIZER):
    return Pretrained(model_with("tokens", "pair"), tokenizer, name="little")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a saved model, as the command finds it."""
    monkeypatch.chdir(tmp_path)
    save_model(model_with("tokens", "pair"), "bert", TOKENIZER)
    return tmp_path


def test_the_page_of_a_model_of_the_course_is_at_most_three_megabytes(tmp_path):
    torch.manual_seed(0)
    encoder = Encoder(preset("class"))
    model = Model(
        encoder,
        {
            "tokens": TokenHead(encoder.config, encoder.embeddings.word),
            "pair": ClassifierHead(encoder.config, 2),
        },
    )
    vocab = [*VOCAB, *(f"word{i}" for i in range(4000 - len(VOCAB)))]
    size = write_page(Pretrained(model, WordPiece(vocab)), tmp_path / "page.html")
    assert sum(p.numel() for p in model.parameters()) > 1e6
    assert size == (tmp_path / "page.html").stat().st_size < 3e6


def test_the_page_asks_no_host():
    page = re.sub(r'id="weights">[^<]*', 'id="weights">', page_of(little()))
    wanted = re.findall(
        r"""(?:src|href|action)\s*=\s*["']?[\w./]|url\(|@import|\bimport\b[^;\n]*["']|"""
        r"""fetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon""",
        page,
    )
    assert not wanted
    assert set(re.findall(r"\w+://[\w./]+", page)) <= {"http://www.w3.org/2000/svg"}  # a name, not a place
    assert "content=\"default-src 'none'; script-src 'unsafe-inline'; worker-src blob:; style-src" in page


def test_no_text_ends_a_script():
    tokenizer = WordPiece([*VOCAB[:-1], HOSTILE])
    page, plain = page_of(little(tokenizer), HOSTILE, HOSTILE), page_of(little())
    for end in ("</script", "<!--", "<script"):
        assert page.lower().count(end) == plain.lower().count(end)
    sentences = re.search(r'id="sentences">(.*?)</script>', page)[1]
    assert json.loads(sentences) == [HOSTILE, HOSTILE] and "<" not in sentences
    scripts = one_script("view", "worker").lower()
    assert "</script" not in scripts and "<!--" not in scripts


@pytest.fixture
def opened(program):
    """opened(file, ...): a page in Chromium. A request to another place, or an error, fails the test."""
    sync_api = pytest.importorskip("playwright.sync_api")
    asked, wrong = [], []
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--disable-gpu", "--no-first-run"])

        def visit(file, before=""):
            page = browser.new_page()
            page.on("request", lambda request: asked.append(request.url))
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda line: wrong.append(line.text))
            page.add_init_script(before)
            page.goto(file.as_uri())
            page.wait_for_selector(".mb-map")
            return page

        yield visit
        browser.close()
    assert not [url for url in asked if not url.startswith(("file:", "blob:"))] and not wrong


ON_THE_PAGE = """() => {
    const {prototype} = bertModule.Bert, {trace} = prototype;
    window.ran = [];
    prototype.trace = function (...all) { window.ran.push(all[0]); return trace.apply(this, all); };
}"""


def type_into(page, text):
    """Type sentence A and wait until its first word is a token."""
    page.fill("[data-key=first]", text)
    page.get_by_text(text.split()[0], exact=True).first.wait_for()


@pytest.mark.browser
def test_bert_computes_in_a_worker_and_leaves_the_page_alone(tmp_path, opened):
    write_page(little(), tmp_path / "page.html")
    page = opened(tmp_path / "page.html")
    page.evaluate(ON_THE_PAGE)
    type_into(page, "mira sings in the sea")
    assert page.evaluate("window.ran") == [] and len(page.workers) == 1
    page.click("[data-key='token 1']")
    page.wait_for_selector(".mb-places")
    assert page.evaluate("window.ran") == []


NO_WORKER = {
    "is unknown": "delete window.Worker",
    "may not start": "window.Worker = class { constructor() { throw new Error('not from here') } }",
    "breaks": "const Old = Worker; window.Worker = function () {"
    "return new Old(URL.createObjectURL(new Blob(['null.x'])))}",
}


@pytest.mark.browser
@pytest.mark.parametrize("before", NO_WORKER.values(), ids=NO_WORKER)
def test_the_page_computes_itself_where_a_worker(tmp_path, opened, before):
    write_page(little(), tmp_path / "page.html")
    page = opened(tmp_path / "page.html", before)
    page.evaluate(ON_THE_PAGE)
    type_into(page, "mira sings in the sea")
    assert set(page.evaluate("window.ran")) == {"mira sings in the sea"}


@pytest.mark.browser
def test_a_question_that_cannot_be_answered_is_an_error_also_from_a_worker(tmp_path, opened):
    write_page(little(), tmp_path / "page.html")
    page = opened(tmp_path / "page.html")
    told = page.evaluate("""() => { const text = id => document.getElementById(id).textContent;
        return workerModule.workerSource(`${text("bert")}workerModule.serve(self);`, text("weights"))
            .trace({first: "mira", second: null, masked: [0], off: []}).catch(error => error.message); }""")
    assert told == "masked: 0 is not the position of a word among these 3 tokens"


@pytest.mark.browser
def test_the_page_opens_from_disk_and_draws(tmp_path, opened):
    model = little(WordPiece([*VOCAB[:-1], HOSTILE]))
    write_page(model, tmp_path / "page.html", f"Mira sings [MASK] {HOSTILE}", HOSTILE)
    page = opened(tmp_path / "page.html")
    page.get_by_text("mira", exact=True).first.wait_for()
    assert page.title() == "Inside BERT"


def test_the_command_writes_the_page_of_a_folder_or_of_the_class_model(folder, capsys, monkeypatch):
    assert cli.main("explore --html page.html --model bert".split()) == 0
    said = capsys.readouterr().out
    assert re.fullmatch(r"page\.html: 0\.\d MB\n", said)
    of_folder = (folder / "page.html").read_text(encoding="utf-8")
    monkeypatch.setattr(class_model, "class_model", lambda: (model_with("tokens", "pair"), TOKENIZER))
    assert cli.main("explore --html page.html".split()) == 0
    assert (folder / "page.html").read_text(encoding="utf-8") == of_folder


@pytest.mark.parametrize(
    "options, message",
    [
        ("--html page.html --model nowhere/at/all", "nowhere/at/all: no such folder, and not a name on"),
        ("--html page.html --model page.txt", "page.txt is a file, but a model is a folder"),
        ("--html page.html --model headless", "headless: the heads are ['pair']; the explorer needs"),
    ],
)
def test_what_is_no_model_is_one_line(folder, capsys, options, message):
    (folder / "page.txt").write_text("no model")
    save_model(model_with("pair"), "headless", TOKENIZER)
    assert cli.main(f"explore {options}".split()) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"minibert explore: {message}") and said.count("\n") == 1
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize(
    "options, message",
    [
        ("--html nowhere/page.html", "nowhere/page.html: there is no folder nowhere"),
        ("--html bert", "bert is a folder, but a file is needed"),
        ("", "--html requires an argument"),
    ],
)
def test_a_place_that_cannot_be_written_is_known_before_a_model_is_read(folder, capsys, options, message):
    assert cli.main(["explore", *options.split(), "--model", "nowhere/at/all"]) == 2
    assert message in capsys.readouterr().err


MODULES = {
    "numbers.js": "const LEVEL = 2;\nexport const twice = x => LEVEL * x;\n"
    "export function numbers() { return 3; }\n",
    "words.js": 'import {numbers, twice} from "./numbers.js";\nconst LEVEL = 5;\n'
    "export class Word { size() { return twice(numbers()) + LEVEL; } }\n",
    "both.js": 'import { Word } from "./words.js";\nimport {\n  twice\n} from "./numbers.js";\n'
    "export async function run() { return twice(new Word().size()); }\n",
}


@pytest.mark.node
def test_modules_become_one_script_whatever_names_they_share(tmp_path, program):
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    script = one_script("both", folder=tmp_path) + "bothModule.run().then(x => console.log(x));"
    done = subprocess.run([program, "--input-type=module", "-e", script], capture_output=True, text=True)
    assert done.stdout == "22\n", done.stderr
    assert one_script("both", "numbers", folder=tmp_path).count("twice = x") == 1


@pytest.mark.parametrize(
    "line, message",
    [
        ("export default 3;", "a.js: 'export default 3;' is an import or export of an unsupported form"),
        ('import * as b from "./b.js";', "is an import or export of an unsupported form"),
        ('import {x} from "https://host/b.js";', "is an import or export of an unsupported form"),
        ('import {x} from "./a.js";', "circular import: a.js imports itself through a"),
    ],
)
def test_modules_of_another_form_are_refused(tmp_path, line, message):
    (tmp_path / "a.js").write_text(line + "\n")
    with pytest.raises(ValueError) as error:
        one_script("a", folder=tmp_path)
    assert message in str(error.value)


def test_every_module_of_the_package_is_of_that_form():
    for path in FOLDER.glob("*.js"):
        assert f"const {path.stem}Module" in one_script(path.stem)
