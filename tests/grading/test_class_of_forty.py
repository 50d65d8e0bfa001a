"""A rehearsal: forty students hand unit 02 in through Canvas: right, wrong, blank, late, broken, hostile."""

import json
import re
import zipfile

import pytest
from banks.unit02 import BANK
from conftest import ROOT

from minibert.grading.author.notebook_rules import secret_lines
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
WRONG = 5  # who answer everything wrongly; `test_banks.py` has all wrong answers in turn
POLICY = Policy(
    sandbox="none" if availability.reason_unavailable() else "bwrap", exercise_seconds=12, idle_seconds=5
)
HEAD = re.search(r"def count_parameters.*?:\n", RIGHT[LAST], re.S)[0]
HOSTILE = {  # the last answer: it may win no points, and lose none for the others
    "loops": HEAD + "    while True:\n        pass",
    "patches": "np.allclose = np.array_equal = np.isclose = lambda *a, **k: True\n" + HEAD + "    return 3",
}


def submission(**changed):
    return text(fill(EXERCISE, {**RIGHT, **changed})).encode()


def wrong(number):
    """{cell: the bank's wrong answer of that number}, for every exercise that has so many."""
    wrong = {CELLS[function]: list(bank.wrong.values()) for function, bank in BANK.items()}
    return {cell: answers[number][0] for cell, answers in wrong.items() if number < len(answers)}


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
        "notests": damaged(lambda n: [n["cells"].remove(c) for c in given(n)]),
        "nometadata": damaged(lambda n: [c.update(metadata={}) for c in n["cells"]]),
        "python": "\n\n\n".join(source for source in RIGHT.values() if "def " in source).encode(),
    }


def handed_in():
    """File name in Canvas's zip -> bytes; forty students."""
    files, numbers = {}, iter(range(1000, 9999))

    def add(student, data, late=False, file=f"{UNIT}.ipynb"):
        files[f"{student}_{'LATE_' * late}{next(numbers)}_{next(numbers)}_{file}"] = data

    for number in range(WRONG):
        add(f"wrong{number:02d}", submission(**wrong(number)))
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
    files[f"again_5_1_{UNIT}.ipynb"] = text(EXERCISE).encode()
    files[f"again_5_2_{UNIT}-1.ipynb"] = submission()
    for number in range(40 - len({name.split("_")[0] for name in files})):
        add(f"perfect{number}", submission())
    return files


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """(course, the result of grading the class)."""
    course = tmp_path_factory.mktemp("course")
    for name in ("solutions", "nbgrader_config.py"):
        (course / name).symlink_to(ROOT / name)
    with zipfile.ZipFile(course / "class.zip", "w") as archive:
        for name, data in handed_in().items():
            archive.writestr(name, data)
    return course, grade_class(course, UNIT, POLICY, course / "class.zip", 4)


def points(result):
    return {cell["name"]: cell["points"] for cell in result["cells"] if not cell["manual"]}


def belonging(cell):
    """The tests of an answer."""
    return {name for name in FULL if name.startswith(f"{cell}-")}


@pytest.mark.slow
def test_everyone_gets_what_she_earned(graded):
    _, found = graded
    assert len(found.results) == 40 and found.graded == 40 and found.refused == []
    for student, result in found.results.items():
        got = points(result)
        if student.startswith("wrong"):
            failed = {name for name in FULL if got[name] < FULL[name]}
            answers = wrong(int(student[5:]))
            assert failed <= set().union(*map(belonging, answers)), student
            assert all(failed & belonging(cell) for cell in answers), (student, got)
        elif student.startswith("blank"):
            assert set(got.values()) == {0}, student
        elif student == "essay":
            assert result["status"] == "ungraded" and set(got.values()) == {None}
        elif student in HOSTILE:
            due = {name: 0 if name in belonging(LAST) else most for name, most in FULL.items()}
            assert got == due, student
        else:
            assert got == FULL, (student, [cell["hint"] for cell in result["cells"]])


@pytest.mark.slow
def test_the_summary_and_the_tables_tell_of_the_odd_ones(graded):
    course, found = graded
    rows = {row["student_id"]: row for row in found.rows}
    assert rows["essay"]["status"] == "ungraded" and rows["blank1"]["score"] == 0
    assert [name for name, row in rows.items() if row["late"]] == ["latecomer"]
    assert (
        "40 submissions: 39 graded, 1 needs a person; 1 late" in found.text
        and "essay: The file is a PDF" in found.text
    )
    assert "Hardest checks:" in found.text and "Most frequent hints:" in found.text
    assert "handed in more than once; the newest version counts" in str(found.results["again"]["notes"])


@pytest.mark.slow
def test_no_page_of_the_class_leaks(graded):
    course, found = graded
    seeds = re.findall(r"seed=(\d{3,})", "".join(cell.source for cell in SOLUTION.cells))
    # perfect answers are the solution's
    own = {line.strip() for cell in RIGHT.values() for line in cell.split("\n")}
    secrets = {*secret_lines(SOLUTION) - own, "hidden=True", str(ROOT), str(course), "<script"}
    for student in found.results:
        page = (course / "feedback" / student / UNIT / f"{UNIT}.html").read_text()
        others = (name for name in found.results if name != student and name[-1].isdigit())
        assert not [name for name in others if re.search(rf"\b{name}\b", page)], student
        assert not [secret for secret in secrets if secret in page], student
        # whole numbers alone: "char 38128" in an error holds no seed 8128
        assert not [seed for seed in seeds if re.search(rf"\b{seed}\b", page)], student
