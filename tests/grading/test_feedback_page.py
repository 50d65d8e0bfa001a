"""A student's page: by exercise, with links and names for people, below 300 KB whatever she hands in."""

import base64
import json
import re

import nbformat
import pytest
from conftest import ROOT
from no_kernel import feedback as page_of

from minibert.grading.author.assignment_bundle import make_bundle
from minibert.grading.cell_messages import CUT
from minibert.grading.class_run.grade_submission import grade_submission
from minibert.grading.intake.as_bytes import to_bytes
from minibert.grading.notebook import field, fill, grade_id, marked, read, text
from minibert.grading.report.answer_html import html_of_markdown
from minibert.grading.report.feedback_page import page
from minibert.grading.run.execute_notebook import Executed
from minibert.grading.sandbox.limits import Policy

UNIT = "02_attention"
EXERCISE = read(ROOT / "exercises" / UNIT / f"{UNIT}.ipynb")
ANSWERS = [name for name, cell in marked(EXERCISE).items() if field(cell, "solution")]
IMAGE = {"image/png": base64.b64encode(b"\x89PNG" + bytes(30_000)).decode()}
LIMIT = 300_000


@pytest.fixture(scope="module")
def bundle():
    return bytes(make_bundle(ROOT, UNIT))


@pytest.fixture(scope="module")
def feedback(bundle):
    """feedback(answers, outputs of each answer, cells of her own) -> the page."""

    def made(answers=None, outputs=(), own=()):
        def execute(notebook, policy, files):
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    cell.outputs = list(outputs) if field(cell, "solution") or not grade_id(cell) else []
            return Executed(notebook)

        notebook = fill(EXERCISE, answers or {})
        notebook.cells += own
        handed_in = to_bytes({f"{UNIT}.ipynb": text(notebook).encode()})
        result = json.loads(grade_submission(bundle, handed_in, Policy(sandbox="none"), execute))
        assert result["status"] == "graded"
        return page_of(result)

    return made


def test_points_are_by_exercise_and_every_link_leads_to_a_cell(feedback):
    shown = feedback()
    titles = ["1 · Softmax", "2 · Scaled dot-product attention", "3 · Why divide?"]
    assert re.findall(r'<a href="#exercise-\d+">(.*?)</a>', shown)[:3] == titles
    links, places = set(re.findall(r'href="#(.*?)"', shown)), re.findall(r' id="(.*?)"', shown)
    assert links <= set(places) and len(places) == len(set(places)) and len(links) == 11 + 22
    assert re.search(r"1 · Softmax</a></th>\s*<td>3 of 3 points</td>", shown)
    assert re.search(r"3 · Why divide\?</a></th>\s*<td>0 of 2 points</td>", shown)  # not answered


@pytest.mark.parametrize("answer", ["def softmax(x, axis=-1)\n    return x", "def soft_max(x): return x", ""])
def test_headings_are_the_assignments_whatever_was_handed_in(feedback, answer):
    words = re.sub(r"<[^>]*>", "", feedback({"softmax": answer}))
    for said in ("softmax: visible test · 2 of 2 points", "softmax: hidden test", "gpt_layer: test 2"):
        assert said in words
    assert not [name for name in marked(EXERCISE) if "-" in name and name in words]
    assert words.count("text answer") == re.sub(r"<[^>]*>", "", feedback()).count("text answer")


def test_what_cannot_be_read_has_a_page_that_says_what_to_do_and_no_blank_cells(bundle):
    handed_in = to_bytes({f"{UNIT}.ipynb": b"%PDF-1.4"})
    shown = page_of(json.loads(grade_submission(bundle, handed_in, Policy(sandbox="none"))))
    assert "The file is a PDF." in shown and f"Hand in the notebook itself: the file {UNIT}.ipynb" in shown
    assert "YOUR CODE HERE" not in shown and "<section" not in shown


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("a\n" * 30, ""),
        ("abc\n" * 140, "and 400 more characters"),
        ("x" * 20_500, "and 500 more characters"),
        ("x" * 30_000 + CUT, "and at least 10,000 more characters"),
        ("x" + CUT, "and at least 0 more"),
    ],
)
def test_what_was_printed_is_cut_and_no_number_is_too_small(feedback, written, said):
    shown = feedback({}, [stream(written)])
    assert f"{said}" in shown and ("more characters" in shown) == bool(said) and CUT.strip() not in shown


def test_a_part_of_the_points_is_explained_and_no_bare_number_stands_there(bundle):
    def execute(notebook, policy, files):
        value = nbformat.v4.new_output("execute_result", {"text/plain": "0.4"})
        marked(notebook)["softmax-visible"].outputs = [value]
        return Executed(notebook)

    handed_in = to_bytes({f"{UNIT}.ipynb": text(EXERCISE).encode()})
    shown = page_of(json.loads(grade_submission(bundle, handed_in, Policy(sandbox="none"), execute)))
    assert "softmax: visible test · 0.4 of 2 points" in shown and '<pre class="out">0.4' not in shown
    assert "at most half of the points" in shown


def stream(words):
    return nbformat.v4.new_output("stream", name="stdout", text=words)


HUGE = {
    "output that escapes to five times its length": ({}, [stream("<&'\"" * 50_000)] * 5, []),
    "many outputs": ({}, [stream("x")] * 3_000, []),
    "many images": ({}, [nbformat.v4.new_output("display_data", data=IMAGE)] * 20, []),
    "code that grows when coloured": (dict.fromkeys(ANSWERS[:2], "x=1;" * 4_900), [], []),
    "every answer long": (dict.fromkeys(ANSWERS, "x = '<'\n" * 2400), [], []),
    "many cells": ({}, [stream("y" * 50)], [nbformat.v4.new_code_cell("x = 1") for _ in range(1_500)]),
    "many formulas": ({"why-scale": "$x_1^2$ " * 2_400}, [], []),
    "a table": ({"why-scale": "|a|b|\n|-|-|\n" + "|&|<|\n" * 3_000}, [], []),
    "long lines of other scripts": ({"softmax": "# " + "字" * 19_000}, [stream("字" * 20_000)] * 3, []),
}


@pytest.mark.parametrize("kind", HUGE)
def test_a_page_stays_below_300_kb_and_keeps_every_answer(feedback, kind):
    answers, outputs, own = HUGE[kind]
    shown = feedback(answers, outputs, own)
    assert len(shown.encode()) < LIMIT
    assert shown.count('<section class="cell') >= 32 and "the page would be too large" in shown
    plain = re.sub(r"<[^>]*>", "", shown)
    assert plain.count("def ") + plain.count("x=1;") + plain.count("x = ") + plain.count("字") >= 10


def test_an_ordinary_page_is_whole(feedback):
    shown = feedback({"softmax": "def softmax(x):\n    return x"}, [stream("a line"), stream("another")])
    assert "too large" not in shown and shown.count("a line") == 10 and len(shown.encode()) < 60_000


def test_the_page_needs_no_network_and_knows_dark_screens(feedback):
    shown = feedback({"why-scale": "By $\\sqrt{K}$."})
    assert "prefers-color-scheme: dark" in shown and "width=device-width" in shown
    assert not re.search(r"https?://|<script|<link|@import", shown)
    assert "<msqrt>" in shown


def test_a_page_outside_of_a_course_shows_the_cells():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 3")])
    assert "your own cell" in page(notebook, {}, "Feedback")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("$\\sqrt{K}$", "<msqrt><mrow><mi>K</mi></mrow></msqrt>"),
        ("$$\\frac{a}{b}$$", '<math display="block">'),
        ("a $a <\u2060b$", "<mo>&lt;</mo><mi>b</mi>"),  # as `sanitized_markdown` leaves it
        ("$\\frac{$", "<code>$\\frac{$</code>"),
        ("$\\text{<b>x</b>}$", "<code>$\\text{&lt;b&gt;x&lt;/b&gt;}$</code>"),
        ("$" + "x" * 501 + "$", "<code>$xxx"),
        ("from $5 to $6 a month", "<p>from $5 to $6 a month</p>"),
        ("`$x$`", "<code>$x$</code>"),
        ("\ue0000\ue001 $x$", "<p>0 <math><mrow><mi>x</mi>"),
    ],
)
def test_formulas_are_drawn_without_a_network_or_stay_as_written(written, shown):
    assert shown in html_of_markdown(written)


ATTEMPTS = (
    "\\href{javascript:alert(1)}{x}",
    "\\style{background:url(//x)}{x}",
    "\\class{a}{b}",
    "\\text{<script>alert(1)</script>}",
    "\\text{</mtext></math><script>alert(1)</script>}",
    '\\color{red" onclick="alert(1)}{x}',
    "\\text{<mi onclick='alert(1)'>x</mi>}",
    "\\text{<mglyph src=x onerror=alert(1)/>}",
    "\\text{<annotation-xml><svg onload=alert(1)/>}",
)


@pytest.mark.parametrize("tex", ATTEMPTS)
def test_a_formula_brings_nothing_but_mathematics(tex):
    for written in (f"${tex}$", f"$$\n{tex}\n$$", f"| ${tex}$ |\n|-|\n| x |"):
        found = re.findall(r"<(\w[\w-]*)([^>]*)>", html_of_markdown(written))
        assert not {name for name, _ in found} & {"script", "svg", "mglyph", "annotation-xml", "style"}
        allowed = {"", "/", 'display="block"', 'mathvariant="normal"', 'stretchy="false"'}
        assert {extra.strip() for _, extra in found} <= allowed
