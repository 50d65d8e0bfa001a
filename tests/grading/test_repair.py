"""Broken submissions: each is repaired, keeps its answers, and says in a sentence what was repaired."""

import base64
import copy
import itertools
import json
from dataclasses import replace

import jupytext
import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbconvert import PythonExporter

from minibert.grading.author.assignment_bundle import Bundle, Cell, make_bundle
from minibert.grading.intake.repair import ELSEWHERE, repair
from minibert.grading.intake.written_answers import NO_TEXT, UNREAD
from minibert.grading.notebook import IDLE, OURS, field, fill, marked, text
from minibert.grading.report.answer_html import html_of_markdown
from minibert.grading.report.feedback_page import page
from minibert.grading.report.sanitize import sanitized_markdown

UNIT = "01_small"
ANSWERS = {
    "square": "def square(x):\n    return x ** 2",
    "double": "def double(x):\n    return 2 * x",
    "why": "They are the same sum.",
}


@pytest.fixture(scope="module")
def bundle(built_course):
    return make_bundle(built_course, UNIT)


@pytest.fixture
def repaired(bundle, exercise):
    """repaired(change, answers) -> what is made of a right submission after change(its dictionary)."""

    def make(change=lambda notebook: None, answers=ANSWERS):
        notebook = json.loads(json.dumps(fill(exercise, answers)))
        change(notebook)
        return repair(bundle, json.dumps(notebook).encode())

    return make


def cell(notebook, name):
    return next(
        cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == name
    )


def place(notebook, name):
    return notebook["cells"].index(cell(notebook, name))


def own(source, kind="code"):
    cell = {"cell_type": kind, "metadata": {}, "source": source}
    return {**cell, "outputs": [], "execution_count": None} if kind == "code" else cell


def answers(result):
    return {name: cell.source for name, cell in marked(result.notebook).items() if field(cell, "solution")}


def whole(result, bundle):
    """Whether the notebook has the marked cells of the assignment, in their order."""
    return list(marked(result.notebook)) == [cell.name for cell in bundle.cells if cell.name]


def test_a_bundle_survives_the_way_through_bytes(bundle, built_course):
    assert Bundle.from_bytes(bytes(bundle)) == bundle == make_bundle(built_course, UNIT)
    assert bundle.files == {"numbers.csv": b"1,2,3\n"} and bundle.max_points == 10
    cells = {cell.name: cell for cell in bundle.cells if cell.name}
    assert cells["square-hidden"].hidden and "fresh input" in cells["square-hidden"].source
    assert not cells["square-visible"].hidden and cells["square"].functions == ("square",)
    assert "result_of" not in bytes(bundle).decode()


def test_a_bundle_of_an_unknown_or_stale_assignment_is_refused(course):
    with pytest.raises(
        ValueError, match="solutions/99: expected one notebook, found 0; the assignments are 01_small"
    ):
        make_bundle(course, "99")
    source = course / "solutions" / UNIT / f"{UNIT}.nb.py"
    source.write_text(source.read_text().replace("Square a number", "Square it"))
    with pytest.raises(ValueError, match="run `minibert build 01_small`"):
        make_bundle(course, UNIT)


def test_a_good_submission_is_taken_as_it_is_with_the_hidden_tests_put_in(repaired, bundle):
    result = repaired()
    assert result.notes == () and answers(result) == ANSWERS and result.answered == (*ANSWERS,)
    assert whole(result, bundle)
    assert "fresh input" in marked(result.notebook)["square-hidden"].source


def test_a_solution_that_is_handed_in_is_shown_without_notes(bundle, built_course):
    result = repair(bundle, (built_course / "solutions" / UNIT / f"{UNIT}.ipynb").read_bytes())
    assert result.notes == () and result.answered == (*ANSWERS,)
    shown = page(result.notebook, {}, UNIT)
    assert "BEGIN SOLUTION" in shown and "BEGIN HIDDEN TESTS" not in shown


@pytest.mark.parametrize(
    "changed, idle",
    [
        ({}, ["plot", "locked", "show"]),
        ({"show": "show(2)"}, []),
        ({"plot": "plot(2)"}, ["locked", "show"]),
        ({"own": "x"}, []),
    ],
)
def test_cells_behind_the_last_points_are_idle_unless_changed(bundle, exercise, changed, idle):
    last = [
        Cell("plot", "code", "plot(1)", "plot(1)"),
        Cell("locked", "code", "y = 1", "y = 1", {"grade_id": "locked", "locked": True}),
        Cell("text", "markdown", "See:", "See:"),
        Cell("show", "code", "show(1)", "show(1)"),
    ]
    handed_in = json.loads(json.dumps(fill(exercise, ANSWERS)))
    for known in last:
        handed_in["cells"].append({**own(changed.get(known.id, known.source), known.kind), "id": known.id})
    handed_in["cells"] += [own(changed["own"])] if "own" in changed else []
    result = repair(replace(bundle, cells=(*bundle.cells, *last)), json.dumps(handed_in).encode())
    assert [cell.id for cell in result.notebook.cells if cell.metadata.get(OURS, {}).get(IDLE)] == idle


def test_a_blank_submission_has_no_answer(repaired, bundle):
    result = repaired(answers={})
    assert result.answered == () and result.notes == () and not result.unreadable
    result = repair(bundle, b'{"cells": []}')
    assert result.answered == () and result.unreadable == ""


def drop(*gone):
    def change(notebook):
        notebook["cells"] = [
            c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") not in gone
        ]

    return change


def move_answer_out(notebook):
    """The stub is still there, the answer in a cell of her own behind the tests."""
    source = cell(notebook, "square")["source"]
    cell(notebook, "square")["source"] = (
        "def square(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    )
    notebook["cells"].append(own(source))


def split(notebook):
    """JupyterLab's Split Cell: both halves keep the metadata."""
    first = cell(notebook, "square")
    second = copy.deepcopy(first)
    first["source"], second["source"] = "def square(x):", "    return x ** 2"
    notebook["cells"].insert(place(notebook, "square") + 1, second)


def copied(notebook):
    stub = copy.deepcopy(cell(notebook, "square"))
    stub["source"] = "def square(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    notebook["cells"] += [stub, copy.deepcopy(cell(notebook, "square-hidden"))]


def renamed(notebook):
    for name in ("square", "square-visible"):
        cell(notebook, name)["metadata"]["nbgrader"]["grade_id"] = f"cell-{name}"


def without_metadata(notebook):
    for c in notebook["cells"]:
        c["metadata"] = {}
        c.pop("id")


def retyped(notebook):
    c = cell(notebook, "square")
    c.update(cell_type="markdown", source=f"```python\n{c['source']}\n```")
    cell(notebook, "why")["cell_type"] = "raw"
    cell(notebook, "square-hidden")["cell_type"] = "raw"


def cheated(notebook):
    cell(notebook, "square-hidden")["source"] = "pass"
    cell(notebook, "square-visible")["metadata"]["nbgrader"]["points"] = 1000
    cell(notebook, "square-visible")["metadata"]["tags"] = ["skip-execution"]
    cell(notebook, "imports")["metadata"]["nbgrader"].update(schema_version=99, locked=False, task="x")


def old_version(notebook):
    cells = [
        {**c, "input": c.pop("source")} if c["cell_type"] == "code" else c for c in notebook.pop("cells")
    ]
    notebook.update(nbformat=3, nbformat_minor=0, worksheets=[{"cells": cells}])


@pytest.mark.parametrize(
    "change, note",
    [
        (drop("square-hidden", "intro"), "Missing cells were restored: intro, square-hidden."),
        (move_answer_out, "Answers found in another cell: square."),
        (split, "Cells that occur more than once count only once: square."),
        (copied, "Cells that occur more than once count only once: square, square-hidden."),
        (renamed, None),
        (without_metadata, "Answers found in another cell: why, square, double."),
        (retyped, "changed to another type were changed back: square, square-hidden, why."),
        (cheated, "Given cells that had been changed were graded in their original form: square-hidden."),
        (cheated, "Changed points have no effect: square-visible."),
        (cheated, "Tags on cells have no effect: square-visible."),
        (old_version, None),
        (lambda n: n["cells"].reverse(), None),
        (lambda n: n["metadata"].pop("kernelspec"), "did not name a kernel; it was graded with python3."),
        (
            lambda n: n["metadata"].update(kernelspec={"name": "julia"}),
            "asked for the kernel 'julia'; it was",
        ),
        (lambda n: n.update(metadata=3), "The notebook did not name a kernel; it was graded with python3."),
        (lambda n: n["cells"].append("no cell"), "not cells or are too long were left out: 1."),
        (
            lambda n: cell(n, "square").update(outputs=["x" * 6_000_000]),
            "was 6 MB in size; its outputs were dropped",
        ),
    ],
    ids=lambda value: getattr(value, "__qualname__", str(value)),
)
def test_every_answer_is_kept_and_the_repair_is_noted(repaired, bundle, change, note):
    result = repaired(change)
    assert answers(result) == ANSWERS
    assert note is None or any(note in said for said in result.notes), result.notes
    assert whole(result, bundle)
    for known in bundle.cells:
        if known.given:
            assert marked(result.notebook)[known.name].source == known.source
            assert field(marked(result.notebook)[known.name], "points") == known.marks.get("points")
    assert not any(c.metadata.get("tags") for c in result.notebook.cells)


def test_two_answers_in_one_cell_are_found_and_no_stub_replaces_them(repaired):
    def change(notebook):
        cell(notebook, "square")["source"] += "\n\n\n" + cell(notebook, "double")["source"]
        drop("double")(notebook)

    result = repaired(change)
    assert answers(result)["double"] == ELSEWHERE and result.answered == ("square", "double", "why")


def test_a_deleted_answer_is_a_stub_again_and_the_others_count(repaired):
    result = repaired(drop("square"))
    assert result.answered == ("double", "why")
    assert "Answer cells that are missing, together with their answers: square." in result.notes


def test_the_students_own_cells_stay_where_they_were_and_raw_ones_are_text(repaired):
    def change(notebook):
        notebook["cells"].insert(0, own("first = 1"))
        notebook["cells"].insert(place(notebook, "double"), own("<b>raw</b>", "raw"))

    cells = repaired(change).notebook.cells
    assert cells[0].source == "first = 1"
    at = next(place for place, c in enumerate(cells) if c.source == "<b>raw</b>")
    assert cells[at].cell_type == "markdown" and field(cells[at + 1], "grade_id") == "double"


@pytest.mark.parametrize(
    "encode, note",
    [
        (lambda text: text.encode("utf-8-sig"), None),
        (lambda text: text.encode("utf-16"), "The file was encoded as UTF-16, not UTF-8"),
        (lambda text: text.encode("utf-16-le"), "The file was encoded as UTF-16, not UTF-8"),
        (lambda text: text.encode("cp1252"), "read as Windows-1252"),
        (lambda text: text.replace("\n", "\r\n").encode(), None),
        (lambda text: text.encode()[:-9], "only its undamaged cells were read"),
        (lambda text: text.replace("[", "[,", 1).encode(), "only its undamaged cells were read"),
    ],
    ids=["bom", "utf-16", "utf-16-le", "cp1252", "windows lines", "cut off", "comma"],
)
def test_a_file_in_another_encoding_or_damaged_keeps_its_answers(bundle, exercise, encode, note):
    why = "Die gleiche Summe, natürlich: é."
    notebook = fill(exercise, {**ANSWERS, "why": why})
    result = repair(bundle, encode(json.dumps(notebook, ensure_ascii=False, indent=1)))
    assert answers(result) == {**ANSWERS, "why": why}
    assert note is None or any(note in said for said in result.notes)


COLAB = '''# -*- coding: utf-8 -*-
"""01_small.ipynb

Automatically generated by Colab.

Fill in both functions.
"""

!pip install minibert

# Commented out IPython magic to ensure Python compatibility.
# %matplotlib inline

{square}

"""Square a number.

if x is small, it works."""

expect("square", square(2), 4)

{double}

print(double(3))
'''


@pytest.mark.parametrize(
    "square, above",
    [
        (ANSWERS["square"], ""),
        ("def square(x:\n    return x", ""),
        ('def square(x):\n    """x\n    return x ** 2', ""),
        (ANSWERS["square"], "@staticmethod\n"),
        (ANSWERS["square"], "x = [\n    1,\n\n]\n\n"),
    ],
    ids=["right", "syntax error", "open quotes", "decorator", "blank line in brackets"],
)
def test_of_a_python_file_of_colab_one_syntax_error_spoils_one_answer(bundle, square, above):
    double = above + ANSWERS["double"]
    result = repair(bundle, COLAB.format(square=square, double=double).encode())
    found = answers(result)
    assert result.answered == ("square", "double") and not result.unreadable
    said = "This was a Python file, not a notebook; each of its functions was read as a cell."
    assert said in result.notes and found["square"] == square and double.endswith(found["double"])
    assert "!pip" not in "".join(c.source for c in result.notebook.cells if not c.source.startswith("# !pip"))


def colab(notebook):
    """Export a notebook like Colab, which merges texts that follow each other."""
    made = []
    for kind, cells in itertools.groupby(notebook.cells, key=lambda cell: cell.cell_type):
        sources = [cell.source for cell in cells]
        texts = "\n\n".join(sources).replace("\\", "\\\\")
        made += [f'"""{texts}\n"""'] if kind == "markdown" else sources
    return "\n\n".join(made)


EXPORTS = {
    "jupyter": lambda notebook: PythonExporter().from_notebook_node(notebook)[0],
    "percent": lambda notebook: jupytext.writes(notebook, "py:percent"),
    "colab": colab,
}


@pytest.fixture
def asked(bundle, exercise):
    """asked(answer) -> (a bundle and a notebook with a question before its written answer)."""
    question = Cell("q1", "markdown", *["## 3 · Why?\n\nExplain $\\frac{x}{2}$."] * 2)

    def make(answer):
        at = [cell.name for cell in bundle.cells].index("why")
        cells = (*bundle.cells[:at], question, *bundle.cells[at:])
        handed_in = fill(exercise, ANSWERS | {"why": answer} if answer is not None else ANSWERS)
        if answer is None:
            handed_in.cells.remove(marked(handed_in)["why"])
        else:
            at = place(handed_in, "why")
            handed_in.cells.insert(at, nbformat.v4.new_markdown_cell(question.source))
        return replace(bundle, cells=cells), handed_in

    return make


@pytest.mark.parametrize("form", EXPORTS)
def test_a_python_file_keeps_its_written_answer(asked, form):
    known, handed_in = asked("First.\n\n    indented $\\tau$\n\nLast.")
    result = repair(known, EXPORTS[form](handed_in).encode())
    assert answers(result)["why"] == "First.\n\n    indented $\\tau$\n\nLast."
    assert result.answered == ("square", "double", "why")
    assert len(result.notes) == 1 and "a Python file" in result.notes[0]


@pytest.mark.parametrize("form", EXPORTS)
def test_a_python_file_with_the_stub_has_no_written_answer(asked, form):
    known, handed_in = asked(next(c.released for c in asked("")[0].cells if c.name == "why"))
    result = repair(known, EXPORTS[form](handed_in).encode())
    assert result.answered == ("square", "double") and len(result.notes) == 1


@pytest.mark.parametrize("form", EXPORTS)
def test_a_person_gets_all_text_of_a_python_file_without_the_question(asked, form):
    known, handed_in = asked(None)
    handed_in.cells.insert(0, nbformat.v4.new_markdown_cell("My reasons."))
    handed_in.cells[1].source += "\n# and one more"
    result = repair(known, EXPORTS[form](handed_in).encode())
    assert "My reasons." in answers(result)["why"] and "and one more" in answers(result)["why"]
    assert result.notes[1:] == (UNREAD.format("why"),) and "why" not in result.answered
    assert "Missing cells" not in str(result.notes)


def test_a_python_file_without_text_waits_for_a_person(bundle):
    assert answers(repair(bundle, b"def square(x):\n    return x\n"))["why"] == NO_TEXT


def other_unit(notebook):
    for c in notebook["cells"]:
        marks = c["metadata"].get("nbgrader")
        if marks:
            marks["grade_id"] = f"other-{marks['grade_id']}"
        c["id"] = f"x{c['id'][1:]}"
        c["source"] = f"{c['source']} # other"


def drop_code(notebook):
    """Texts alone, as of another exercise without its metadata."""
    notebook["cells"] = [c for c in notebook["cells"] if c["cell_type"] != "code"]


@pytest.mark.parametrize(
    "change, name",
    [
        (lambda n: n["metadata"]["minibert"].update(name="02_other"), None),  # our cells decide
        (lambda n: (other_unit(n), n["metadata"]["minibert"].update(name="02_other")), "02_other"),
        (other_unit, ""),
        (lambda n: (other_unit(n), n["metadata"].clear()), ""),
        (lambda n: (without_metadata(n), n["metadata"].update(minibert={"name": "02_other"})), "02_other"),
        (lambda n: (other_unit(n), without_metadata(n), drop_code(n)), ""),
        (lambda n: n.update(cells=[]), ""),
        (lambda n: n.update(cells=[own("x = 1")] * 9), ""),
        (lambda n: None, None),
        (lambda n: (without_metadata(n), n["metadata"].update(minibert={"name": 3})), None),
    ],
)
def test_a_notebook_of_another_assignment_is_recognised(repaired, change, name):
    other = repaired(change).other
    assert name is None and other is None or other.name == name


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "The file is empty"),
        (b"   \n", "The file is empty"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"PK\x03\x04..", "a zip"),
        (b"3", "JSON, but not a notebook"),
        (b'{"a": 1}', "has no list of cells"),
        (b'{"cells": 3}', "has no list of cells"),
        (b"[" * 100_000, "neither a notebook nor Python"),
        (b"\xff\xfe\x00", "neither a notebook nor Python"),
        (b"Ich habe es nicht geschafft", "neither a notebook nor Python"),
    ],
)
def test_what_holds_no_notebook_is_said(bundle, data, reason):
    result = repair(bundle, data)
    assert reason in result.unreadable and result.answered == ()


def test_half_characters_and_zeros_do_not_reach_the_notebook(repaired):
    result = repaired(lambda n: cell(n, "why").update(source="a\ud800b\0c"))
    assert answers(result)["why"] == "a?bc"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    "cells worksheets cell_type source metadata nbgrader grade_id id kernelspec name tags points".split()
)
NOTEBOOKISH = st.recursive(
    JSON | st.sampled_from(["code", "markdown", "square", "why", "def square(x): pass"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.binary()
    | st.text().map(str.encode)
    | NOTEBOOKISH.map(lambda made: json.dumps({"cells": made}).encode())
    | st.dictionaries(KEYS, NOTEBOOKISH).map(lambda made: json.dumps(made).encode())
)
def test_no_bytes_crash_it(bundle, data):
    result = repair(bundle, data)
    assert whole(result, bundle) and text(result.notebook).encode()


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 8000), broken=st.binary(max_size=20), gone=st.integers(0, 200))
def test_no_damage_to_a_notebook_crashes_it(bundle, exercise, at, broken, gone):
    data = text(fill(exercise, ANSWERS)).encode()
    at %= len(data)
    result = repair(bundle, data[:at] + broken + data[at + gone :])
    assert whole(result, bundle)


PROSE = "Both add the same\nnumber: x."
STUB = {**ANSWERS, "why": "*Your answer here.*"}


@pytest.mark.parametrize(
    "kind, source, below",
    [
        ("markdown", PROSE, 1),
        ("markdown", PROSE, 0),
        ("code", "# Both add the same\n# number: x.", 1),
        ("code", f'"""{PROSE}"""', 1),
        ("code", PROSE, 1),
    ],
)
def test_a_text_answer_outside_its_cell_reaches_the_marker(repaired, kind, source, below):
    def change(notebook):
        notebook["cells"].insert(place(notebook, "why") + below, own(source, kind))

    found = repaired(change, STUB)
    assert marked(found.notebook)["why"].source == PROSE and "why" in found.answered
    assert "Answers found in another cell: why." in found.notes
    assert text(found.notebook).count("number: x.") == 1


def test_an_answer_under_the_question_reaches_the_marker(bundle, exercise):
    question = Cell("question", "markdown", "## Why?\nSay it.", "## Why?\nSay it.")
    asked = replace(bundle, cells=(*bundle.cells[:-1], question, bundle.cells[-1]))
    notebook = json.loads(json.dumps(fill(exercise, STUB)))
    written = {**own(f"{question.source}\n\n{PROSE}", "markdown"), "id": question.id}
    notebook["cells"].insert(place(notebook, "why"), written)
    found = repair(asked, json.dumps(notebook).encode())
    assert marked(found.notebook)["why"].source == PROSE and "why" in found.answered


def test_text_below_a_written_answer_belongs_to_it_and_code_does_not(repaired):
    def change(notebook):
        notebook["cells"] += [own("And so on.", "markdown"), own("# a remark"), own("double(2)")]

    found = repaired(change)
    assert marked(found.notebook)["why"].source == f"{ANSWERS['why']}\n\nAnd so on."
    assert [one.source for one in found.notebook.cells[-2:]] == ["# a remark", "double(2)"]


def test_an_untouched_answer_stays_empty_beside_code(repaired):
    found = repaired(lambda notebook: notebook["cells"].append(own("double(2)")), STUB)
    assert "why" not in found.answered


PNG = base64.b64encode(b"\x89PNG\r\n\x1a\nnothing").decode()


@pytest.mark.parametrize(
    "source, attachments",
    [
        ("![plot](attachment:my%20plot.png)", {"my plot.png": {"image/png": PNG}}),
        ("![plot](attachment:p.png)", {"p.png": {"image/png": [PNG[:8], PNG[8:]]}}),
        (f"![plot](data:image/png;base64,{PNG})", None),
        ('<img alt="plot" src="attachment:p.png" width="9">', {"p.png": {"image/png": PNG}}),
    ],
)
def test_a_picture_in_a_text_answer_is_shown(repaired, source, attachments):
    def change(notebook):
        cell(notebook, "why").update(source=f"See: {source}", attachments=attachments)

    answer = marked(repaired(change).notebook)["why"]
    shown = html_of_markdown(sanitized_markdown(answer.source), answer.attachments)
    assert f'src="data:image/png;base64,{PNG}"' in shown and "See: " in shown


@pytest.mark.parametrize(
    "kind, data", [("image/svg+xml", PNG), ("image/png", "PHN2Zz4="), ("image/png", 7), ("text/html", PNG)]
)
def test_what_is_no_picture_is_not_shown(repaired, kind, data):
    def change(notebook):
        cell(notebook, "why").update(source="![p](attachment:p.png)", attachments={"p.png": {kind: data}})

    answer = marked(repaired(change).notebook)["why"]
    assert "attachments" not in answer and "<img" not in html_of_markdown(answer.source)
    assert "<img" not in html_of_markdown("![p](attachment:p)", {"p": {kind: data}})


@pytest.mark.parametrize(
    "call, ignored",
    [("breakpoint()", True), ("import pdb; pdb.set_trace()", True), ("# breakpoint()", False)],
)
def test_a_debugger_that_is_left_in_is_named(repaired, call, ignored):
    found = repaired(answers={**ANSWERS, "square": f"def square(x):\n    {call}\n    return x ** 2"})
    assert any("debugger" in note and "square" in note for note in found.notes) is ignored
