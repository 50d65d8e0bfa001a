"""One submission graded, as bytes; the feedback says what a student may know, and nothing in it runs."""

import json
import re
from html.parser import HTMLParser

import nbformat
import pytest
from no_kernel import feedback

from minibert.grading.author.assignment_bundle import make_bundle
from minibert.grading.author.notebook_rules import secret_lines
from minibert.grading.class_run.grade_submission import grade_submission
from minibert.grading.intake.as_bytes import to_bytes
from minibert.grading.intake.repair import repair
from minibert.grading.notebook import fill, marked, read, text
from minibert.grading.report.feedback_page import page
from minibert.grading.report.sanitize import (
    JOINER,
    printable,
    sanitized_markdown,
    sanitized_outputs,
    without_paths,
)
from minibert.grading.run.execute_notebook import Executed, execute_in_one_kernel
from minibert.grading.sandbox.limits import Policy

UNIT = "01_small"
POLICY = Policy(sandbox="none")
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
HOSTILE = (
    '<script>alert(1)</script> <img src=x onerror="alert(2)"> <svg onload=alert(3)></svg> '
    "[x](javascript:alert(4))"
)


@pytest.fixture(scope="module")
def bundle(built_course):
    return make_bundle(built_course, UNIT)


@pytest.fixture
def graded(bundle, exercise):
    """graded(answers, execute) -> the result of a notebook with these answers, or none, and more files."""

    def grade(answers, execute=execute_in_one_kernel, name=f"{UNIT}.ipynb", more=None):
        files = {} if answers is None else {name: text(fill(exercise, answers)).encode()}
        files |= more or {}
        return json.loads(grade_submission(bytes(bundle), to_bytes(files), POLICY, execute))

    return grade


def ran(**outputs):
    """An execution in which the named cells have these outputs, and the others none."""

    def execute(notebook, policy, files):
        for name, cell in marked(notebook).items():
            if name.replace("-", "_") in outputs:
                cell.outputs = [nbformat.from_dict(output) for output in outputs[name.replace("-", "_")]]
        return Executed(notebook)

    return execute


class Tags(HTMLParser):
    """(tag, attributes) of a page, as a browser reads it."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, attributes))


def stream(text, name="stdout"):
    return nbformat.v4.new_output("stream", name=name, text=text)


def error(name, said):
    return nbformat.v4.new_output("error", ename=name, evalue=said, traceback=[said])


def data(**kinds):
    return nbformat.v4.new_output("display_data", {kind.replace("_", "/"): v for kind, v in kinds.items()})


def points(result):
    return [cell["points"] for cell in result["cells"]]


def hints(result):
    return {cell["name"]: cell["hint"] for cell in result["cells"] if cell["hint"]}


def test_right_answers_get_all_points_and_text_waits_for_a_person(graded, right):
    result = graded(right)
    assert points(result) == [2, 3, 1, None] and result["status"] == "graded" and hints(result) == {}
    assert "6 of 10 points; 1 part is still to be graded by hand" in feedback(result)


def test_a_wrong_answer_hears_the_hint_also_of_the_hidden_test(graded, right):
    wrong = "def square(x):\n    import warnings\n    warnings.warn('careful')\n    return x + x"
    result = graded({**right, "square": wrong})
    assert points(result) == [2, 0, 1, None]
    assert hints(result) == {"square-hidden": "square: got 2, wanted 1"}
    assert "square: got 2, wanted 1" in feedback(result)


def test_a_blank_submission_has_no_points_and_hears_why(graded):
    result = graded({})
    assert points(result) == [0, 0, 0, 0]
    assert any("The notebook contains no answers" in note for note in result["notes"])
    assert hints(result)["square-visible"] == "not written yet"


def test_a_warning_in_a_test_is_no_failure(graded, right):
    result = graded(right, ran(square_visible=[stream("RuntimeWarning: overflow", "stderr")]))
    assert points(result) == [2, 3, 1, None]


def test_a_value_gives_a_part_of_the_points_and_an_odd_one_needs_a_person(graded, right):
    value, odd = (nbformat.v4.new_output("execute_result", {"text/plain": said}) for said in ("1.5", "99"))
    result = graded(right, ran(square_visible=[value], square_hidden=[odd]))
    assert points(result) == [1.5, None, 1, None]
    assert "square-hidden: its value is not a valid number of points" in result["problems"][0]


def test_a_time_out_is_said_and_not_run_again(graded, right):
    runs = []

    def slow(notebook, policy, files):
        runs.append(1)
        return Executed(notebook, timed_out=True)

    assert any("A time limit was reached" in note for note in graded(right, slow)["notes"])
    assert len(runs) == 1


def test_what_cannot_be_graded_has_blank_points_not_zero(graded, right):
    assert graded(None)["reason"] == "No notebook was found."
    result = graded(None, more={"essay.pdf": b"%PDF-1.4"})
    assert result["status"] == "ungraded" and points(result) == [None] * 4 and not result["again"]
    assert result["reason"] == "The file is a PDF. No answer could be read from it."
    assert "Not graded yet. The file is a PDF." in feedback(result)

    def broken(notebook, policy, files):
        raise OSError("no space in /home/grader/secret")

    result = graded(right, broken)
    assert (result["status"], result["again"]) == ("ungraded", True) and points(result) == [None] * 4
    assert result["reason"] == "The grader failed: OSError: no space in secret"


def test_of_several_notebooks_the_only_one_with_answers_is_graded(graded, exercise, right):
    blank, same = text(exercise).encode(), text(fill(exercise, right)).encode()
    result = graded(right, ran(), name="copy of mine.ipynb", more={f"{UNIT}.ipynb": blank, "b.ipynb": same})
    said = [
        "3 files were handed in; copy of mine.ipynb was graded, because the others contain no other "
        "answers to 01_small.",
        "The file was called copy of mine.ipynb; it was graded as 01_small.ipynb.",
    ]
    assert result["decisions"] == said and set(said) <= set(result["notes"])
    result = graded(right, ran(), name="old.ipynb", more={f"{UNIT}.ipynb": same})
    assert result["status"] == "graded" and "01_small.ipynb was graded" in result["notes"][0]


def test_of_two_versions_none_is_chosen(graded, exercise, right):
    changed = text(fill(exercise, {**right, "double": "def double(x):\n    return 3 * x"})).encode()
    result = graded(right, ran(), more={"final.ipynb": changed})
    assert result["status"] == "needs a person" and points(result) == [None] * 4
    assert "different versions of the notebook: 01_small.ipynb and final.ipynb." in result["reason"]
    assert f"Not graded yet. {result['reason']}" in feedback(result)


def of_another_unit(exercise):
    notebook = json.loads(text(exercise))
    notebook["metadata"]["minibert"]["name"] = "02_other"
    for cell in notebook["cells"]:
        cell["id"] = f"x{cell['id'][1:]}"
        if marks := cell["metadata"].get("nbgrader"):
            marks["grade_id"] = f"other-{marks['grade_id']}"
    return json.dumps(notebook).encode()


def test_a_notebook_of_another_unit_needs_a_person_and_does_not_hide_the_right_one(graded, exercise, right):
    other = {"a.ipynb": of_another_unit(exercise)}
    result = graded(None, more=other)
    assert result["status"] == "needs a person" and points(result) == [None] * 4
    assert result["reason"] == "This is the notebook of 02_other, not of 01_small."
    assert result["other"]["name"] == "02_other" and "other-square" not in result["notebook"]
    result = graded(right, ran(), more=other)
    assert result["status"] == "graded" and points(result) == [2, 3, 1, None]


def test_the_same_bytes_give_the_same_bytes(bundle, exercise, right):
    submission = to_bytes({f"{UNIT}.ipynb": text(fill(exercise, right)).encode()})
    made = {grade_submission(bytes(bundle), submission, POLICY, execute_in_one_kernel) for _ in range(2)}
    assert len(made) == 1


def test_nothing_of_hidden_tests_or_of_the_machine_is_in_the_feedback(built_course, graded, right):
    said = [stream("input was 3 in /home/grader/course/gradebook.db"), error("Input_was_3", "input was 3")]
    seen = [stream("at /tmp/ipykernel_1/2.py")]
    result = graded({**right, "why": "See /etc/hosts"}, ran(square_hidden=said, square_visible=seen))
    page = feedback(result)
    secrets = secret_lines(read(built_course / "solutions" / UNIT / f"{UNIT}.ipynb"))
    assert secrets and not [line for line in secrets if line in page]
    for word in ("fresh input", "HIDDEN", "input was 3", "Input_was_3", "/home", "/tmp", "gradebook.db"):
        assert word not in page, word
    assert "A hidden test fails." in page and "at 2.py" in page and "See /etc/hosts" in page
    assert "fresh input" in result["notebook"]  # the instructor sees it in formgrader


@pytest.mark.parametrize(
    "failure, said",
    [
        (("ValueError", "array([3, 9])"), "Your code raises ValueError on an input of the hidden test."),
        (("CheckFailed", "square: wrong for large x"), "square: wrong for large x"),
        (("AssertionError", ""), "A hidden test fails."),
        (("print", ""), "A hidden test fails."),
        (("NotImplementedError", ""), "not written yet"),
    ],
)
def test_a_hidden_test_says_its_hint_alone(graded, right, failure, said):
    assert hints(graded(right, ran(square_hidden=[error(*failure)]))) == {"square-hidden": said}


def test_no_markup_of_a_submission_reaches_a_page(graded, right):
    shown = [
        data(text_html=HOSTILE, text_plain="plain"),
        data(image_svg="x", **{"image_svg+xml": "<svg onload=alert(5)>"}),
        data(application_javascript="alert(6)"),
        data(text_latex="$x$<script>"),
        data(image_png='x" onerror="alert(7)'),
        data(image_png=PIXEL),
        stream(HOSTILE),
    ]
    result = graded(
        {**right, "why": HOSTILE, "square": right["square"] + f"\n# {HOSTILE}"}, ran(square=shown)
    )
    tags = Tags(feedback(result))
    assert not {"script", "svg", "iframe", "object", "form"} & {tag for tag, _ in tags.found}
    values = [(name, value or "") for _, pairs in tags.found for name, value in pairs]
    assert not [name for name, value in values if name.startswith("on") or "javascript" in value]
    assert [value for name, value in values if name == "src"] == [f"data:image/png;base64,{PIXEL}"]
    assert "Content-Security-Policy" in feedback(result)
    notebook = nbformat.reads(result["notebook"], as_version=4)
    assert not re.search(r"<[a-z/]|\]\(javascript", marked(notebook)["why"].source)
    assert marked(notebook)["why"].source.replace(JOINER, "") == HOSTILE
    kinds = {kind for output in marked(notebook)["square"].outputs for kind in output.get("data", ())}
    assert kinds == {"text/plain", "image/png"}


def test_harmless_markdown_stays_as_it_is():
    plain = "a < b, [0, 1], `x[0](1)` & **bold** [site](https://example.org) $a_{i}$"
    assert sanitized_markdown(plain).replace(JOINER, "") == plain and "](https" in sanitized_markdown(plain)
    assert sanitized_outputs([stream("a")]) == [stream("a")]


@pytest.mark.parametrize(
    "said, shown",
    [
        ("/usr/lib/python3/site.py:3: Warning", "site.py:3: Warning"),
        ("in /a/b/", "in …"),
        ("1/2 and and/or", "1/2 and and/or"),
        ("https://example.org/a/b", "https://example.org/a/b"),
        (r"C:\Users\me\x.py", "x.py"),
    ],
)
def test_a_path_is_cut_down_to_its_last_part(said, shown):
    assert without_paths(said) == shown


@pytest.mark.parametrize(
    "said, shown",
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://e\x1b\\link", "link"),
        ("\x9b31mx", "x"),
        ("\x1b]0;no end\nx", "\nx"),
        ("1%\r2%\r\n", "1%\n2%\n"),
        ("\x00\x08", "\\x00\\x08"),
        ("\u202egnp", "\\u202egnp"),
        ("tab\t é 👩\u200d🔬", "tab\t é 👩\u200d🔬"),
    ],
)
def test_what_steers_a_terminal_is_taken_out_or_written_out(said, shown):
    assert printable(said) == without_paths(said) == shown


def test_control_characters_of_a_submission_leave_nowhere(graded, right):
    evil = "\x1b]0;owned\x07\x1b[2J\u202e\x00"
    said = [stream(evil), error(evil, evil), data(text_plain=evil)]
    result = graded(
        {**right, "why": evil, "square": right["square"] + f"\n# {evil}"},
        ran(square=said, square_visible=said, square_hidden=said),
        name=f"x{evil}.ipynb",
    )
    notebook = nbformat.reads(result["notebook"], as_version=4)
    everything = [
        *map(str, (cell.outputs for cell in notebook.cells if cell.cell_type == "code")),
        feedback(result),
        *result["notes"],
        *result["problems"],
        *hints(result).values(),
    ]
    assert not {"\x1b", "\x07", "\u202e", "\x00"} & set("".join(everything))
    assert not [said for said in everything if "\\x1b" in said or "owned" in said]


def test_a_comment_and_a_penalty_stand_on_the_page(bundle, exercise, right):
    notebook = repair(bundle, text(fill(exercise, right)).encode()).notebook
    scores = {"why": {"points": 3.0, "max_points": 4.0}}
    made = page(notebook, scores, UNIT, {"why": "Well <said>."}, late_penalty=1.0)
    assert "2 of 4 points, 1 taken off because it was late" in made and "Comment: Well &lt;said&gt;." in made


def test_a_page_of_endless_text_is_cut(graded, right):
    result = graded({**right, "why": ">" * 100_000}, ran(square_visible=[stream("x" * 1_000_000)]))
    assert len(feedback(result)) < 200_000 and "more characters, not shown" in feedback(result)
