import shutil
import subprocess
import sys

import nbformat
import pytest

from minibert.grading.author.build import build, main
from minibert.grading.notebook import fill, marked, read, text

UNIT = "01_small"
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


def test_a_fresh_repository_has_no_problems(built_course):
    assert build(built_course, check=True) == []


def test_building_again_changes_no_byte(course):
    before = files(course)
    assert build(course) == [] and files(course) == before


def test_checking_writes_nothing(course):
    edit(course / SOURCE, "Fill in both functions.", "Fill in.")
    before = files(course)
    assert build(course, check=True) and files(course) == before


def test_a_student_gets_the_exercise_and_its_data_and_nothing_else(course):
    (course / "solutions" / UNIT / "__pycache__").mkdir()
    (course / "solutions" / UNIT / "__pycache__" / "x.pyc").write_text("")
    build(course)
    released = {name for name in files(course) if name.startswith("exercises")}
    assert released == {EXERCISE, f"exercises/{UNIT}/numbers.csv"}


def test_an_exercise_holds_stubs_in_place_of_answers_and_hidden_tests(exercise):
    assert marked(exercise)["square"].source.endswith("# YOUR CODE HERE\n    raise NotImplementedError()")
    assert marked(exercise)["why"].source == "*Your answer here.*"
    assert "result_of_the" not in text(exercise) and "fresh input" not in text(exercise)


def test_an_exercise_of_nbgraders_own_command_has_the_same_bytes(course):
    before = (course / EXERCISE).read_bytes()
    (course / EXERCISE).unlink()
    options = ["--force", "--GenerateAssignment.no_database=True", "--SaveCells.enabled=False"]
    subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", UNIT, *options],
        cwd=course,
        check=True,
        capture_output=True,
    )
    assert (course / EXERCISE).read_bytes() == before


@pytest.mark.parametrize(
    "path, old, new, problem",
    [
        (SOURCE, "Fill in both functions.", "Fill in.", f"{EXERCISE}: out of date or edited by hand"),
        (EXERCISE, "Square and double", "Square", f"{EXERCISE}: out of date or edited by hand"),
        (
            EXERCISE,
            "# YOUR CODE HERE",
            "y = x",
            f"{EXERCISE}: square: the stub has a line that is not in the solution: y = x",
        ),
        (
            EXERCISE,
            "# YOUR CODE HERE",
            "return result_of_the_square",
            f"{EXERCISE}: a line of an answer or a hidden test is visible",
        ),
        (
            EXERCISE,
            '"Square a number."',
            '"### BEGIN HIDDEN TESTS"',
            f"{EXERCISE}: cell 3: an exercise must not contain BEGIN HIDDEN TESTS",
        ),
        (
            SOLUTION,
            '"outputs": []',
            '"outputs": [{"name": "stdout", "output_type": "stream", "text": "1"}]',
            f"{SOLUTION}: contains outputs",
        ),
        (f"lessons/{UNIT}.nb.py", "![a square]", "![]", "cell 1: image without alternative text"),
        (
            f"lessons/{UNIT}.nb.py",
            "![a square](square.svg)",
            '<img src="square.svg">',
            "cell 1: image without alternative text",
        ),
        (SOURCE, 'nb="solution double"', 'nb="solution square"', "'square' is used twice"),
        (SOURCE, 'nb="manual why 4"', 'nb="manual why"', "manual takes a name and points"),
        (
            SOURCE,
            '### END SOLUTION\n\n\n# %% nb="tests square',
            '\n\n# %% nb="tests square',
            "no end solution statement found",
        ),
        (
            SOURCE,
            'nb="tests square-hidden 3"',
            'nb="solution square-hidden"',
            "cell 6: hidden tests outside a test cell",
        ),
        (
            SOURCE,
            'expect("double", double(3), 6)',
            "### BEGIN SOLUTION\n### END SOLUTION",
            "cell 8: an answer region outside an answer cell",
        ),
        (
            SOURCE,
            'expect("double", double(3), 6)',
            "expect(double, points=9)",
            "double-visible: the check says points=9, but the cell has 1",
        ),
        (
            SOURCE,
            'expect("double", double(3), 6)',
            "expect(double, points=2)\nprint()",
            "double-visible: the check with points= must end the cell",
        ),
        (f"lessons/{UNIT}.nb.py", "x ** 2", "x ** ", "invalid syntax"),
    ],
)
def test_checking_names_what_is_wrong(course, path, old, new, problem):
    edit(course / path, old, new)
    problems = build(course, check=True)
    assert any(problem in line for line in problems), problems


def test_an_image_with_alternative_text_is_fine(course):
    edit(course / f"lessons/{UNIT}.nb.py", "![a square](square.svg)", "<img src='square.svg' alt='a square'>")
    assert build(course) == [] and build(course, check=True) == []


def test_a_missing_and_a_leftover_notebook_are_named(course):
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


def with_a_cell(notebook, right):
    notebook.cells.append(nbformat.v4.new_code_cell("my_notes = 1"))
    return notebook


def with_a_note(notebook, right):
    notebook.cells[2].source += " My own note."
    return notebook


def with_an_output(notebook, right):
    marked(notebook)["square"].outputs = [nbformat.v4.new_output("stream", text="4")]
    return notebook


def without_marks(notebook, right):
    del notebook.metadata["minibert"]
    return notebook


@pytest.mark.parametrize("change", [fill, with_a_cell, with_a_note, with_an_output, without_marks])
def test_what_may_be_somebodys_is_never_deleted(course, right, change, capsys):
    mine = course / "exercises" / UNIT / "mine.ipynb"
    mine.write_text(text(change(read(course / EXERCISE), right)))
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
    edit(course / f"lessons/{UNIT}.nb.py", "# A lesson", "# Another")
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
