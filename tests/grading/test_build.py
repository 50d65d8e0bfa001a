import shutil
import subprocess
import sys

import nbformat
import pytest

from minibert.grading.author.build import build, main
from minibert.grading.notebook import fill, marked, read, text

UNIT = "01_small"
LESSON = f"lessons/{UNIT}.nb.py"
DOUBLE = 'expect("double", double(3), 6)'
EXERCISE = f"exercises/{UNIT}/{UNIT}.ipynb"
SOLUTION = f"solutions/{UNIT}/{UNIT}.ipynb"
SOURCE = f"solutions/{UNIT}/{UNIT}.nb.py"


def edit(path, old, new):
    before = path.read_text()
    assert old in before
    path.write_text(before.replace(old, new))


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_building_again_and_checking_change_no_byte(course):
    edit(course / LESSON, "![a square](square.svg)", "<img src='square.svg' alt='a square'>")
    assert build(course) == []
    before = files(course)
    assert build(course) == build(course, check=True) == [] and files(course) == before
    edit(course / SOURCE, "Fill in both functions.", "Fill in.")
    before = files(course)
    assert build(course, check=True) and files(course) == before


def test_an_exercise_holds_stubs_in_place_of_answers_and_hidden_tests(exercise):
    assert marked(exercise)["square"].source.endswith("# YOUR CODE HERE\n    raise NotImplementedError()")
    assert marked(exercise)["why"].source == "*Your answer here.*"
    assert "result_of_the" not in text(exercise) and "fresh input" not in text(exercise)


def test_an_exercise_of_nbgraders_own_command_has_the_same_bytes(course):
    before = files(course / "exercises")
    shutil.rmtree(course / "exercises")
    options = ["--GenerateAssignment.no_database=True", "--SaveCells.enabled=False"]
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", UNIT, *options]
    subprocess.run(command, cwd=course, check=True, capture_output=True)
    assert files(course / "exercises") == before


@pytest.mark.parametrize(
    "path, old, new, problem",
    [
        (SOURCE, "Fill in both", "Fill in", f"{EXERCISE}: out of date or edited by hand"),
        (EXERCISE, "Square and double", "Square", f"{EXERCISE}: out of date or edited by hand"),
        (
            EXERCISE,
            "# YOUR CODE HERE",
            "y = x",
            "square: the stub has a line that is not in the solution: y = x",
        ),
        (
            EXERCISE,
            "# YOUR CODE HERE",
            "return result_of_the_square",
            "an answer or a hidden test is visible",
        ),
        (
            EXERCISE,
            "Square a number.",
            "### BEGIN HIDDEN TESTS",
            "cell 3: an exercise must not contain BEGIN HIDDEN",
        ),
        (
            SOLUTION,
            '"outputs": []',
            '"outputs": [{"name": "stdout", "output_type": "stream", "text": "1"}]',
            f"{SOLUTION}: contains outputs",
        ),
        (LESSON, "![a square]", "![]", "cell 1: image without alternative text"),
        (LESSON, "![a square](square.svg)", '<img src="square.svg">', "1: image without alternative text"),
        (SOURCE, 'nb="solution double"', 'nb="solution square"', "'square' is used twice"),
        (SOURCE, 'nb="manual why 4"', 'nb="manual why"', "manual takes a name and points"),
        (
            SOURCE,
            '### END SOLUTION\n\n\n# %% nb="tests sq',
            '\n# %% nb="tests sq',
            "no end solution statement found",
        ),
        (
            SOURCE,
            '"tests square-hidden 3"',
            '"solution square-hidden"',
            "6: hidden tests outside a test cell",
        ),
        (
            SOURCE,
            DOUBLE,
            "### BEGIN SOLUTION\n### END SOLUTION",
            "8: an answer region outside an answer cell",
        ),
        (
            SOURCE,
            DOUBLE,
            "expect(double, points=9)",
            "double-visible: the check says points=9, but the cell has 1",
        ),
        (
            SOURCE,
            DOUBLE,
            "expect(double, points=2)\n1",
            "double-visible: the check with points= must end the cell",
        ),
        (f"lessons/{UNIT}.nb.py", "x ** 2", "x ** ", "invalid syntax"),
    ],
)
def test_checking_names_what_is_wrong(course, path, old, new, problem):
    edit(course / path, old, new)
    problems = build(course, check=True)
    assert any(problem in line for line in problems), problems


def test_a_missing_and_a_leftover_notebook_are_named(course):
    (course / "solutions" / UNIT / "__pycache__").mkdir()
    (course / "solutions" / UNIT / "__pycache__" / "x.pyc").write_text("")  # is not released
    (course / EXERCISE).rename(course / "exercises" / UNIT / "old.ipynb")
    problems = build(course, check=True)
    assert [line.split(";")[0] for line in problems] == [
        f"{EXERCISE}: missing",
        f"exercises/{UNIT}/old.ipynb: left over, no source builds it",
    ]


def test_building_says_each_file_that_it_writes_and_counts_the_others(course, capsys):
    total = len(files(course)) - 4  # without both sources, the data beside one, and the configuration
    build(course)
    assert capsys.readouterr().out == f"{total} files unchanged\n"
    edit(course / SOURCE, "Fill in both functions.", "Fill in.")
    (course / f"exercises/{UNIT}/numbers.csv").write_text("old")
    before = files(course)
    build(course)
    changed = [name for name, data in sorted(files(course).items()) if before.get(name) != data]
    assert changed == [EXERCISE, f"exercises/{UNIT}/numbers.csv", SOLUTION]
    said = capsys.readouterr().out.splitlines()
    assert sorted(said[:-1]) == [f"built {name}" for name in changed]
    assert said[-1] == f"{total - 3} {'file' if total == 4 else 'files'} unchanged"


def test_an_exercise_that_nothing_makes_any_more_is_deleted_by_name(course, capsys):
    shutil.copytree(course / "exercises" / UNIT, course / "exercises" / "00_gone")
    assert build(course) == []
    said = capsys.readouterr().out
    assert f"deleted exercises/00_gone/{UNIT}.ipynb: no source builds it any more" in said
    assert "kept exercises/00_gone/numbers.csv: no source builds it, but somebody may need it" in said
    assert not (course / f"exercises/00_gone/{UNIT}.ipynb").exists()
    assert (course / "exercises/00_gone/numbers.csv").exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda n: n.cells.append(nbformat.v4.new_code_cell("my_notes = 1")),
        lambda n: n.cells[2].update(source="My own note."),
        lambda n: marked(n)["square"].update(source="def square(x):\n    return x ** 2"),
        lambda n: marked(n)["square"].update(outputs=[nbformat.v4.new_output("stream", text="4")]),
        lambda n: n.metadata.pop("minibert"),
    ],
    ids=["cell", "note", "answer", "output", "no marks"],
)
def test_what_may_be_somebodys_is_never_deleted(course, change, capsys):
    mine, notebook = course / "exercises" / UNIT / "mine.ipynb", read(course / EXERCISE)
    change(notebook)
    mine.write_text(text(notebook))
    before = mine.read_bytes()
    assert build(course) == [] and mine.read_bytes() == before
    assert f"kept exercises/{UNIT}/mine.ipynb: no source builds it" in capsys.readouterr().out


def test_building_one_unit_touches_nothing_of_the_others(course, capsys):
    shutil.copytree(course / "exercises" / UNIT, course / "exercises" / "00_gone")
    before = files(course)
    build(course, names=[UNIT])
    assert files(course) == before and "00_gone" not in capsys.readouterr().out


def test_answers_of_a_student_are_not_overwritten(course, right):
    work = text(fill(read(course / EXERCISE), right))
    (course / EXERCISE).write_text(work)
    assert build(course) == [
        f"{EXERCISE}: contains somebody's answers and was not overwritten; move it elsewhere first"
    ]
    assert (course / EXERCISE).read_text() == work


def test_only_the_named_unit_is_built(course):
    edit(course / LESSON, "# A lesson", "# Another")
    (course / "lessons" / "02_next.nb.py").write_text("# %%\n1\n")
    assert build(course, names=["02"]) == []
    assert (course / "lessons" / "02_next.ipynb").exists()
    assert "Another" not in (course / f"lessons/{UNIT}.ipynb").read_text()
    with pytest.raises(ValueError, match="no unit matches '03'; the units are 01_small, 02_next"):
        build(course, names=["03"])


def test_the_command_returns_0_1_or_2(course, capsys):
    assert main(check=True, root=course) == 0
    edit(course / SOURCE, "Fill in both functions.", "Fill in.")
    assert main(check=True, root=course) == 1
    assert main(names=["9"], root=course) == 2
    assert (
        "out of date or edited by hand; edit its source, then run `minibert build`" in capsys.readouterr().err
    )


def test_building_loads_no_torch(built_course):
    code = (
        f"import sys; from minibert.grading.author.build import build; build({str(built_course)!r}, True); "
        "sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
