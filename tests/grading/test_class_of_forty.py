"""A rehearsal: forty students hand unit 02 in through Canvas: right, wrong in all exercises, blank, late,
broken, hostile.
"""

import json
import re
import zipfile

import pytest
from banks import told
from banks.unit02 import BANK
from conftest import ROOT

from minibert.grading.class_run.grade_class import grade_class
from minibert.grading.notebook import field, fill, marked, read, text
from minibert.grading.sandbox import availability
from minibert.grading.sandbox.limits import Policy

UNIT = "02_attention"
SOLUTION = read(ROOT / "solutions" / UNIT / f"{UNIT}.ipynb")
EXERCISE = read(ROOT / "exercises" / UNIT / f"{UNIT}.ipynb")
RIGHT = {name: cell.source for name, cell in marked(SOLUTION).items() if field(cell, "solution")}
CELLS = {re.search(r"def (\w+)", source)[1]: name for name, source in RIGHT.items() if "def " in source}
FULL = {
    name: field(cell, "points")
    for name, cell in marked(SOLUTION).items()
    if field(cell, "grade") and not field(cell, "solution")
}
LAST = CELLS["count_parameters"]
WRONG = 12  # who answer everything wrongly; `test_banks.py` has all wrong answers in turn
POLICY = Policy(
    sandbox="none" if availability.reason_unavailable() else "bwrap", exercise_seconds=12, idle_seconds=5
)
UNTIMED = {"cpu_seconds": 0, "seconds": {}}  # what differs from run to run
HEAD = re.search(r"def count_parameters.*?:\n", RIGHT[LAST], re.S)[0]
HOSTILE = {  # what the last answer is; it may win no points, and lose none for the others
    "exits": HEAD + "    import os\n    os._exit(0)",
    "loops": HEAD + "    while True:\n        pass",
    "floods": HEAD + "    print('x' * 1_000_000)\n    return 3",
    "patches": "np.allclose = np.array_equal = np.isclose = lambda *a, **k: True\n" + HEAD + "    return 3",
    "lies": "class Liar(float):\n    __eq__ = lambda self, other: True\n" + HEAD + "    return Liar(3)",
}


def submission(**changed):
    return text(fill(EXERCISE, {**RIGHT, **changed})).encode()


def wrong(number):
    """Every exercise answered wrongly, each with the bank's answer of that number.

    ({cell: source}, {cell: (piece of hint, what it loses: "all", "hidden" or a number of points)}).
    """
    answers, deserved = {}, {}
    for function, bank in BANK.items():
        if number < len(bank.wrong):
            answers[CELLS[function]], piece, *loses = list(bank.wrong.values())[number]
            deserved[CELLS[function]] = piece, loses[0] if loses else "all"
    return answers, deserved


def right(number):
    return {
        CELLS[function]: list(bank.right.values())[number % len(bank.right)]
        for function, bank in BANK.items()
    }


def broken():
    """Name -> bytes of submissions that are right but for their file."""

    def damaged(change):
        notebook = json.loads(submission())
        change(notebook)
        return json.dumps(notebook).encode()

    def given(notebook):
        return [c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade")]

    return {
        "cutoff": json.dumps(json.loads(submission())).encode()[:-1],
        "utf16": submission().decode().encode("utf-16"),
        "nokernel": damaged(lambda n: n["metadata"].clear()),
        "notests": damaged(lambda n: [n["cells"].remove(c) for c in given(n)]),
        "nometadata": damaged(lambda n: [c.update(metadata={}) for c in n["cells"]]),
        "points": damaged(lambda n: [c["metadata"]["nbgrader"].update(points=99) for c in given(n)]),
        "skips": damaged(lambda n: [c["metadata"].update(tags=["skip-execution"]) for c in given(n)]),
        "python": "\n\n\n".join(source for source in RIGHT.values() if "def " in source).encode(),
        "twice": damaged(lambda n: n["cells"].extend(list(given(n)))),
    }


def handed_in():
    """File name in Canvas's zip -> bytes; forty students."""
    files, numbers = {}, iter(range(1000, 9999))

    def add(student, data, late=False, file=f"{UNIT}.ipynb"):
        files[f"{student}_{'LATE_' * late}{next(numbers)}_{next(numbers)}_{file}"] = data

    for number in range(WRONG):
        add(f"wrong{number:02d}", submission(**wrong(number)[0]))
    for number in range(max(len(bank.right) for bank in BANK.values())):
        add(f"right{number}", submission(**right(number)))
    for name, data in broken().items():
        add(name, data)
    for name, source in HOSTILE.items():
        add(name, submission(**{LAST: source}))
    for name in ("blank1", "blank2"):
        add(name, text(EXERCISE).encode())
    add("essay", b"%PDF-1.7", file="essay.pdf")
    add("latecomer", submission(), late=True)
    files[f"again_5_1_{UNIT}.ipynb"], files[f"again_5_2_{UNIT}-1.ipynb"] = (
        text(EXERCISE).encode(),
        submission(),
    )
    for number in range(40 - len({name.split("_")[0] for name in files})):
        add(f"perfect{number}", submission())
    return files


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """run(jobs, only) -> the result of grading the class, or those students alone, in a course of its own."""

    def grade(jobs, only=None):
        course = tmp_path_factory.mktemp("course")
        for name in ("solutions", "nbgrader_config.py"):
            (course / name).symlink_to(ROOT / name)
        with zipfile.ZipFile(course / "class.zip", "w") as archive:
            for name, data in handed_in().items():
                if only is None or name.split("_")[0] in only:
                    archive.writestr(name, data)
        return course, grade_class(course, UNIT, POLICY, course / "class.zip", jobs)

    return grade


@pytest.fixture(scope="module")
def graded(run):
    return run(jobs=4)


def points(result):
    return {cell["name"]: cell["points"] for cell in result["cells"] if not cell["manual"]}


def belonging(cell):
    """The tests of an answer."""
    return {name for name in FULL if name.startswith(f"{cell}-")}


def loss_fits(got, cell, loses):
    """True where the answer's tests lose what the bank says; of those that lose all, a hidden one may pass
    here and there.
    """
    lost = {name: FULL[name] - got[name] for name in belonging(cell) if got[name] < FULL[name]}
    if loses == "all":
        return bool(lost) and {name for name in belonging(cell) if name.endswith("-visible")} <= set(lost)
    return (
        bool(lost) and all(name.endswith("-hidden") for name in lost)
        if loses == "hidden"
        else sum(lost.values()) == loses
    )


@pytest.mark.slow
def test_everyone_gets_what_she_earned(graded):
    _, found = graded
    assert len(found.results) == 40 and found.graded == 40 and found.refused == []
    for student, result in found.results.items():
        got = points(result)
        if student.startswith("wrong"):
            failed = set().union(*(belonging(cell) for cell in wrong(int(student[5:]))[1]))
            assert {name for name in FULL if got[name] == FULL[name]} >= set(FULL) - failed, student
            for cell, (_, loses) in wrong(int(student[5:]))[1].items():
                assert loss_fits(got, cell, loses), (student, cell, got)
        elif student.startswith("blank"):
            assert set(got.values()) == {0}, student
        elif student == "essay":
            assert result["status"] == "ungraded" and set(got.values()) == {None}
        elif student in HOSTILE:
            assert got == {name: 0 if name in belonging(LAST) else most for name, most in FULL.items()}, (
                student
            )
        else:
            assert got == FULL, (
                student,
                {cell["name"]: cell["hint"] for cell in result["cells"] if cell["hint"]},
            )


@pytest.mark.slow
def test_every_known_mistake_gets_its_hint_also_on_the_students_page(graded):
    course, found = graded
    for student in filter(lambda name: name.startswith("wrong"), found.results):
        hints = {cell["name"]: cell["hint"] for cell in found.results[student]["cells"]}
        page = (course / "feedback" / student / UNIT / f"{UNIT}.html").read_text()
        for cell, (piece, _) in wrong(int(student[5:]))[1].items():
            assert any(told(piece, hints[name]) for name in belonging(cell)), (student, cell, piece, hints)
            words = (re.findall(r"[a-z]{4,}", one)[:5] for one in piece.split("|"))
            assert any(all(word in page for word in some) for some in words)


@pytest.mark.slow
def test_the_summary_and_the_tables_tell_of_the_odd_ones(graded):
    course, found = graded
    rows = {row["student_id"]: row for row in found.rows}
    assert (
        rows["latecomer"]["late"] == "late"
        and rows["essay"]["status"] == "ungraded"
        and rows["blank1"]["score"] == 0
    )
    assert [name for name, row in rows.items() if row["late"]] == ["latecomer"]
    for said in (
        "40 submissions: 39 graded, 1 not; 1 late",
        "essay: The file is a PDF",
        "Hardest checks:",
        "Most frequent hints:",
    ):
        assert said in found.text
    assert "handed in more than once; the newest version counts" in str(found.results["again"]["notes"])


@pytest.mark.slow
def test_no_page_of_the_class_leaks(graded):
    from minibert.grading.author.notebook_rules import secret_lines

    course, found = graded
    seeds = re.findall(r"seed=(\d{3,})", "".join(cell.source for cell in SOLUTION.cells))
    for student in found.results:
        page = (course / "feedback" / student / UNIT / f"{UNIT}.html").read_text()
        others = [
            name
            for name in found.results
            if name != student and name[-1].isdigit() and re.search(rf"\b{name}\b", page)
        ]
        # perfect answers are the solution's
        own = {line.strip() for cell in RIGHT.values() for line in cell.split("\n")}
        leaked = [line for line in secret_lines(SOLUTION) - own if line in page]
        assert (
            not others
            and not leaked
            and not [
                word for word in (*seeds, "hidden=True", str(ROOT), str(course), "<script") if word in page
            ]
        ), student


@pytest.mark.slow
def test_one_job_gives_what_four_give(graded, run):
    _, four = graded
    chosen = {"wrong07", "right3", "exits", "blank1", "essay", "latecomer"}
    _, one = run(jobs=1, only=chosen)
    assert set(one.results) == chosen
    for student, result in one.results.items():
        assert {**result, **UNTIMED} == {**four.results[student], **UNTIMED}, student
