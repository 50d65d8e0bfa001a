"""Slides: what of a lesson they show, and that they work in a browser from a file, without a network."""

from types import SimpleNamespace

import nbformat
import pytest
from conftest import ROOT

from minibert.cli.main import main
from minibert.course.rendered import execute, slides

pytest.importorskip("sphinx_revealjs", reason="slides need Python 3.11")
LONG = "It has a query, a key and a value. " * 3 + "This is a detail that belongs in the notes. " * 5
TEXT = f"""## One *word*

{LONG}

It has three parts:
- a query,
- a key.

**Try** the button below.

<details><summary>Why?</summary>

Because the size is $\\sqrt{{K}}$.
</details>"""
CODE = """import math
assert math.sqrt(9) == 3
print(math.sqrt(16))"""
STEPS = """from minibert.course.widgets.stepper import Stepper
Stepper(lambda step: f"<p>line {step}</p>", 3)"""
GUESS = """from minibert.course.widgets.guess_then_see import GuessChoice
GuessChoice("Which side?", ["left", "right"], lambda: "right")"""
HIDDEN = {"jupyter": {"source_hidden": True}}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The slides of a small lesson, as a file."""
    folder = tmp_path_factory.mktemp("slides")
    markdown, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    cells = [
        markdown("# 2 · A lesson\n\nThe first words."),
        code("try_it = print\ntry_it('not for a lecture')"),
        markdown(TEXT),
        code(CODE),
        markdown("### Step by step\n\nThe same in code:"),
        code(STEPS, metadata=HIDDEN),
        code(GUESS, metadata=HIDDEN),
        markdown("## Read on\n\n- a paper"),
    ]
    path = folder / "02_lesson.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(execute, "folder", lambda: folder / "kept")
        patch.setenv("PYTHONPATH", str(ROOT))
        made = folder / "02_lesson.html"
        made.write_text(slides.slides(path), encoding="utf-8")
    return made


def test_a_slide_has_the_main_sentences_and_its_notes_have_all():
    kept = slides.main_points(TEXT.partition("\n\n")[2])
    assert kept.count("It has a query, a key") == 3 and kept.count("belongs in the notes") < 5
    assert "three parts:\n\n- a query,\n- a key." in kept and "button" not in kept and "Because" not in kept
    (one,) = slides.slides_of("One *word*", TEXT, ["<p>seen</p>"])
    assert one.count("belongs in the notes") > 5 and "<math" in one and "One <em>word</em>" in one
    question = '<p>Which?</p><details class="show-me"><summary>Show me</summary>this</details>'
    asked = slides.shown_output({"data": {"text/html": 2 * question}})
    assert [one.count("Which?") for one in slides.slides_of("Two", "Guess.", [asked])] == [1, 1]
    one = '<div class="steps"><section>alone</section></div>'
    assert slides.shown_output({"data": {"text/html": one}}) == one
    assert slides.slides_of("Code", "In code:", []) == []  # code that is not shown
    said, seen = slides.slides_of("Both", "- an item of a long list\n" * 20, ["<p>seen</p>"])
    assert "seen" not in said and "seen" in seen and said.count("<aside") == seen.count("<aside") == 1


def test_a_short_text_without_outputs_shares_a_slide_with_the_next():
    markdown, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    cells = [
        markdown("## One\n\nA short text."),
        code("setting = 3"),
        markdown("The next text."),
        code("def f(): ..."),
        markdown("### Two\n\nThe last text."),
    ]
    ((one, two),) = slides.sections(nbformat.v4.new_notebook(cells=cells))
    assert "A short text." in one and "The next text." in one and "def f" in one
    assert "setting" not in one and "The last text." in two


@pytest.mark.slow
@pytest.mark.browser
def test_slides_work_in_a_browser_from_a_file(page, program):
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--disable-gpu", "--no-first-run"])
        view, loaded = browser.new_page(), []
        view.on("request", lambda request: loaded.append(request.url))
        view.goto(page.as_uri())
        view.wait_for_function("Reveal.isReady()")
        assert loaded == [page.as_uri()]
        seen = []
        for _ in range(7):
            view.wait_for_timeout(400)  # a fragment fades in
            seen.append(view.locator("section.present:not(.stack)").inner_text())
            view.keyboard.press("Space")
        browser.close()
    title, code, *steps, answer = seen
    assert "The first words." in title and "three parts" in code and "4.0" in code and "import" not in code
    assert ["".join(filter(str.isdigit, step.partition("Which")[0])) for step in steps] == [
        "1",
        "2",
        "3",
        "3",
    ]
    assert "The answer: right" in answer and not any("The answer" in step for step in steps[:3])
    assert slides.print_pdf(page).read_bytes().startswith(b"%PDF")


def test_a_blank_pdf_and_a_missing_browser_are_errors_that_say_what_to_do(page, monkeypatch):
    def blank(*args, **kwargs):
        page.with_suffix(".pdf").write_bytes(b"%PDF-1.4")
        return SimpleNamespace(returncode=0)

    page.with_suffix(".pdf").write_bytes(b"%PDF-1.4" + bytes(slides.BLANK))  # of an earlier run
    with monkeypatch.context() as patch:
        patch.setattr(slides, "CHROME", ("true",))  # a program that writes nothing
        with pytest.raises(ValueError, match="wrote no PDF"):
            slides.print_pdf(page)
        patch.setattr(slides.subprocess, "run", blank)
        with pytest.raises(ValueError, match=r"a blank one; open .*\?print-pdf"):
            slides.print_pdf(page)
    monkeypatch.setattr(slides.shutil, "which", lambda name: None)
    with pytest.raises(ValueError, match=r"needs Chrome or Chromium.*\?print-pdf"):
        slides.print_pdf(page)


def test_slides_without_reveal_say_what_to_install(monkeypatch, capsys):
    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(slides.resources, "files", missing)
    assert main(["slides", "02"]) == 2
    assert "pip install sphinx-revealjs" in capsys.readouterr().err


def test_a_pdf_is_printed_only_on_request(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(slides, "slides", lambda lesson: lesson.stem)
    monkeypatch.setattr(slides, "print_pdf", lambda page: "printed")
    for options, pdf in (([], ""), (["--pdf"], "printed\n")):
        assert not main(["slides", "02", "--out", str(tmp_path), *options])
        assert capsys.readouterr().out == f"{tmp_path / '02_attention.html'}: 0.0 MB\n{pdf}"
    assert (tmp_path / "02_attention.html").read_text(encoding="utf-8") == "02_attention"
