"""Copied answers are found under other names, comments and layout; independent and common ones are not."""

import csv
import shutil
import zipfile

import pytest
from banks import bank_of
from conftest import ROOT
from test_build import UNIT

from minibert.cli import main as cli
from minibert.grading.integrity.fingerprints import fingerprint
from minibert.grading.integrity.known_answers import bank, package_functions
from minibert.grading.integrity.similarity import COMMON, compare, equals
from minibert.grading.integrity.similarity_page import page
from minibert.grading.notebook import marked, read, text
from minibert.grading.report.gradebook import open_course, open_gradebook

ODD = """def attention(q, k, v, visible=None):
    factor = 1.0 / math.sqrt(float(k.shape[-1]))
    raw = np.einsum("...tk,...sk->...ts", q, k) * factor
    if visible is None:
        visible = np.ones(raw.shape, dtype=bool)
    raw[~np.broadcast_to(visible, raw.shape)] = np.finfo(raw.dtype).min
    shares = softmax(raw, axis=-1)
    return np.einsum("...ts,...sv->...tv", shares, v), shares
"""
STUB = "def attention(q, k, v, visible=None):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
BANK = bank_of("unit02")["attention"]
CLASS = {
    f"s{number}": source
    for number, source in enumerate([*BANK.right.values(), *(source for source, *_ in BANK.wrong.values())])
}
DISGUISES = {
    "names": ODD.replace("factor", "c").replace("raw", "logits").replace("shares", "p"),
    "comments and docstring": ODD.replace("None):\n", "None):\n    '''Mine.'''\n    # my own idea\n"),
    "layout": ODD.replace("1.0 / math", "(1.0\n        / math").replace("[-1]))", "[-1])))"),
    "types": ODD.replace("(q, k, v, visible=None)", "(q: list, k: list, v, visible: list = None) -> tuple"),
    "a line more": ODD.replace("    shares =", "    print('ready')\n    shares ="),
    "dead code below": ODD + "\n\ndef unused(a):\n    return [b for b in a if b]\n",
    "spaces and imports": "import math\nimport numpy as np\n\n" + ODD.replace("    ", "  "),
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_copied_answer_is_found_under_a_disguise(disguise):
    answers = {**CLASS, "ada": ODD, "bob": DISGUISES[disguise]}
    found = compare("attention", answers, right=list(BANK.right.values()), given=STUB)
    (copied,) = [match for match in found if match.student == "ada"]  # of the bank, some are variants, too
    assert copied.other == "bob" and copied.bits > copied.threshold


def test_independent_right_answers_are_not_shown():
    right = list(BANK.right.values())
    assert compare("attention", dict(zip(CLASS, right)), right=right, given=STUB) == []


def test_an_answer_that_many_classmates_wrote_is_common():
    answers = {**CLASS, **{f"ring{number}": ODD for number in range(COMMON + 2)}}
    found = compare("attention", answers, given=STUB)
    assert not any(match.student.startswith("ring") for match in found)
    del answers["ring0"]
    found = compare("attention", answers, given=STUB)
    assert any(match.student.startswith("ring") for match in found)


@pytest.mark.parametrize("disguise", ["names", "comments and docstring", "layout", "dead code below"])
def test_everybody_who_handed_in_the_solution_is_named_however_many_they_are(disguise):
    ring = {f"ring{number}": f"{ODD}\n" for number in range(COMMON + 2)}
    found = equals("attention", {**CLASS, **ring, "zoe": DISGUISES[disguise]}, ODD, given=STUB)
    assert found.students == (*ring, "zoe") and found.answers == len(CLASS) + len(ring) + 1
    assert found.word_for_word == tuple(ring)
    assert equals("attention", ring, STUB, given=STUB).students == ()


def test_what_the_exercise_gives_counts_for_nothing():
    answers = {**CLASS, "ada": ODD + "x = 1\n", "bob": ODD + "y = [2]\n"}
    assert "ada" in [match.student for match in compare("attention", answers, given=STUB)]
    assert not [match for match in compare("attention", answers, given=ODD) if match.student == "ada"]


@pytest.mark.parametrize(
    "kind, source", [("solution", ODD), ("package", ODD.replace("raw", "scores")), ("bank", "# note\n" + ODD)]
)
def test_an_answer_like_a_known_one_says_of_which_kind_it_is(kind, source):
    found = compare("attention", {**CLASS, "ada": ODD.replace("raw", "r")}, {(kind, "x"): source}, given=STUB)
    assert [(match.student, match.other, match.kind) for match in found if match.kind == kind] == [
        ("ada", "x", kind)
    ]


def test_known_answers_are_the_packages_functions_and_the_banks(tmp_path):
    names = {name.split(" ")[-1] for _, name in package_functions()}
    assert {"attention", "best_span", "by_logarithm"} <= names
    assert set(bank(ROOT, type("B", (), {"assignment": "02_attention"}))) >= {"softmax", "attention"}
    assert bank(tmp_path, type("B", (), {"assignment": "02_attention"})) == {}


def test_code_that_is_not_python_is_compared_by_its_words():
    broken = ODD.replace("):\n", ")\n", 1)
    found = compare("attention", {**CLASS, "ada": broken, "bob": "# mine\n" + broken}, given=STUB)
    assert ("ada", "bob") in [(match.student, match.other) for match in found]


def test_the_page_marks_equal_lines_and_holds_nothing_that_runs():
    mine, other = ODD + "# <script>alert(1)</script>\n", ODD + "z = '<img>'"
    answers = {"attention": {**CLASS, "<b>ada": mine, "bob": other}}
    matches = compare("attention", answers["attention"], given=STUB)
    made = page("02", 3, matches, answers, {"attention": {}})
    assert "<script>" not in made and "<img>" not in made and "<b>ada" not in made
    assert '<span class="equal">    raw = np.einsum' in made and "<span>z =" in made
    shared = fingerprint(ODD).lines_shared(fingerprint(ODD + "z = '<img>'"))
    assert set(range(2, 8)) <= shared


def test_the_command_writes_a_table_and_a_page_and_changes_nothing_else(course, submit, capsys):
    lines = "".join(f"    a{k} = x * {k} - {k + 1} / {k + 2}\n" for k in range(30))
    long = f"def square(x):\n{lines}    return x * x"
    squares = {
        student: f"def square(x):\n    return x ** {len(student)}" for student in ("c", "da", "eve", "flox")
    }
    for student, answer in {"ada": long, "bob": long.replace(" a", " my_"), **squares}.items():
        submit(course, student, square=answer, double="", why="")
    before = set(course.rglob("*"))
    assert cli.main(["similar", UNIT, "--course", str(course)]) == 0
    assert "independent answers usually are: 1. A person" in capsys.readouterr().out
    written = {path.name for path in set(course.rglob("*")) - before if path.is_file()}
    assert written == {"similarity.csv", "similarity.html"}
    head, row = csv.reader((course / "grades" / UNIT / "similarity.csv").read_text("utf-8-sig").splitlines())
    assert row[:4] == ["square", "ada", "bob", "classmate"]
    shutil.rmtree(course / "submitted")
    leaked = marked(read(next(course.glob(f"solutions/{UNIT}/*.ipynb"))))["square"].source
    for number in range(COMMON + 1):
        submit(course, f"ring{number}", square=leaked, double="", why="")
    submit(course, "zoe", b"%PDF")
    assert cli.main(["similar", UNIT, "--course", str(course)]) == 0
    assert "square: 5 of 5 answers equal the solution, 5 of them word for word" in capsys.readouterr().out
    made = (course / "grades" / UNIT / "similarity.html").read_text()
    assert "5: ring0, ring1, ring2, ring3, ring4" in made and "answers of 5 students were compared" in made
    assert "square,ring4,the solution,equal" in (course / "grades" / UNIT / "similarity.csv").read_text()
    shutil.rmtree(course / "submitted")
    assert cli.main(["similar", UNIT, "--course", str(course)]) == 2


def test_students_have_the_ids_of_the_gradebook(course, empty_gradebook):
    shutil.copy(empty_gradebook, course)
    with open_gradebook(open_course(course)) as book:
        book.add_student("al17", first_name="Ada", last_name="Lovelace")
    solved = read(course / "solutions" / UNIT / f"{UNIT}.ipynb")
    with zipfile.ZipFile(course / "class.zip", "w") as archive:
        archive.writestr(f"Ada Lovelace_7_assignsubmission_file_/{UNIT}.ipynb", text(solved))
    assert cli.main(["similar", "1", "--course", str(course), "--source", str(course / "class.zip")]) == 0
    assert "square,al17,the solution,equal" in (course / "grades" / UNIT / "similarity.csv").read_text()
