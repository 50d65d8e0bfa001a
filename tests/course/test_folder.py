"""A student's copy of the course: laid out whole, updated without losing her work, found from inside."""

import json
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell
from nbgrader.utils import compute_checksum

from minibert.cli import main, students
from minibert.course import folder as copies
from minibert.course.lab import SETTINGS, command, environment
from minibert.grading.notebook import fill, from_source, grade_id, marked, read, text

LESSON = "# %% [markdown]\n# # A lesson\n\n# %%\nx = {}\n"
EXERCISE = """# %% nb="read imports"
import math

# %% nb="solution square"
def square(x):
    raise NotImplementedError()

# %% nb="tests square-visible 2"
assert square(2) == {}
"""
ANSWER = "def square(x):\n    return helper(x)"


def write(root, version):
    """Write a course of one unit, whose notebooks hold the number of their version."""
    for name, source in {
        "lessons/01_a": LESSON,
        "lessons/01_in_class": LESSON,
        "exercises/01_a/01_a": EXERCISE,
    }.items():
        path = root / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        notebook = from_source(source.format(version), f"{path.stem}.nb.py")
        for cell in filter(grade_id, notebook.cells):
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
        path.write_text(text(notebook))
    (root / "lessons" / "01_a.nb.py").write_text("source")


@pytest.fixture
def root(tmp_path):
    write(tmp_path / "root", 4)
    return tmp_path / "root"


@pytest.fixture
def mine(tmp_path, root):
    """A copy in which the student has solved the exercise, with a helper in a cell of her own."""
    copies.lay_out(tmp_path / "mine", root)
    path = tmp_path / "mine" / "exercises" / "01_a" / "01_a.ipynb"
    notebook = fill(read(path), {"square": ANSWER})
    notebook.cells.insert(1, new_code_cell("def helper(x):\n    return x * x"))
    notebook.cells.insert(2, new_code_cell("helper(3)"))
    path.write_text(text(notebook))
    return tmp_path / "mine"


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != copies.RECORD
    }


def test_a_copy_has_notebooks_and_a_guide_and_no_source(tmp_path, root):
    assert copies.lay_out(tmp_path / "mine", root) == []
    assert set(contents(tmp_path / "mine")) == {
        *("README.md", "lessons/01_a.ipynb", "lessons/01_in_class.ipynb", "exercises/01_a/01_a.ipynb")
    }


def test_laying_out_again_writes_what_is_missing_and_nothing_else(mine, root):
    (mine / "lessons" / "01_a.ipynb").unlink()
    before = contents(mine)
    assert copies.lay_out(mine, root) == ["lessons/01_a.ipynb: written again"]
    assert contents(mine) == before | {"lessons/01_a.ipynb": (root / "lessons/01_a.ipynb").read_bytes()}


@pytest.mark.parametrize("there", ["notes.txt", "lessons/own.ipynb"])
def test_a_folder_with_other_files_is_refused(tmp_path, root, there):
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).touch()
    with pytest.raises(ValueError, match="not a copy of the course"):
        copies.lay_out(tmp_path, root)
    with pytest.raises(ValueError, match="not a copy of the course"):
        copies.update(tmp_path, root)


def test_an_update_replaces_what_is_unchanged_and_is_then_done(mine, root):
    write(root, 5)
    path = mine / "lessons" / "01_a.ipynb"
    ran = read(path)
    ran.cells[1].execution_count = 1  # running a notebook changes nothing of it
    path.write_text(text(ran))
    lines = copies.update(mine, root)
    assert "lessons/01_a.ipynb: updated" in lines and "lessons/01_in_class.ipynb: updated" in lines
    assert path.read_bytes() == (root / "lessons" / "01_a.ipynb").read_bytes()
    after = contents(mine)
    assert copies.update(mine, root) == [] and contents(mine) == after


def test_an_update_moves_her_answers_and_cells_into_the_new_exercise(mine, root):
    old = (mine / "exercises" / "01_a" / "01_a.ipynb").read_bytes()
    write(root, 5)
    assert (
        "exercises/01_a/01_a.ipynb: updated, with your answers in it; your version is "
        "exercises/01_a/01_a_mine.ipynb" in copies.update(mine, root)
    )
    new = read(mine / "exercises" / "01_a" / "01_a.ipynb")
    assert marked(new)["square"].source == ANSWER
    assert marked(new)["square-visible"].source == "assert square(2) == 5"
    assert [cell.source for cell in new.cells[1:3]] == ["def helper(x):\n    return x * x", "helper(3)"]
    assert (mine / "exercises" / "01_a" / "01_a_mine.ipynb").read_bytes() == old


def test_an_update_restores_deleted_cells_around_her_answers(mine, root):
    path = mine / "exercises" / "01_a" / "01_a.ipynb"
    notebook = read(path)
    notebook.cells.remove(marked(notebook)["square-visible"])
    path.write_text(text(notebook))
    assert len(copies.update(mine, root)) == 1
    assert "square-visible" in marked(read(path)) and marked(read(path))["square"].source == ANSWER


def test_a_lesson_that_she_changed_is_kept_beside_the_new_one_each_time(mine, root):
    for version in (5, 6):
        write(root, version)
        path = mine / "lessons" / "01_a.ipynb"
        changed = read(path)
        changed.cells[1].source = f"x = 'mine {version}'"
        path.write_text(text(changed))
        copies.update(mine, root)
        assert read(path).cells[1].source == f"x = {version}"
    kept = [read(mine / "lessons" / f"01_a_mine{number}.ipynb").cells[1].source for number in ("", 2)]
    assert kept == ["x = 'mine 5'", "x = 'mine 6'"]


@pytest.mark.parametrize("name", ["lessons/01_a", "exercises/01_a/01_a"])
def test_a_broken_notebook_of_hers_is_kept(mine, root, name):
    (mine / f"{name}.ipynb").write_text("{broken")
    write(root, 5)
    copies.update(mine, root)
    assert (mine / f"{name}_mine.ipynb").read_text() == "{broken"
    assert (mine / f"{name}.ipynb").read_bytes() == (root / f"{name}.ipynb").read_bytes()


def test_a_copy_is_found_from_inside_and_only_there(mine, tmp_path):
    assert copies.find(mine / "exercises" / "01_a") == mine.resolve() and copies.find(tmp_path) is None


def test_no_copy_is_made_inside_a_copy(mine, root, monkeypatch):
    monkeypatch.chdir(mine)
    for change in (copies.update, copies.lay_out):
        with pytest.raises(ValueError, match=r"`minibert course \. --update`"):
            change("my_course", root)
    monkeypatch.chdir(mine / "exercises")
    with pytest.raises(ValueError, match=f"`minibert course {mine.resolve()} --update`"):
        copies.update("my_course", root)
    assert not (mine / "my_course").exists()


def test_an_exercise_that_starts_over_with_old_answers_says_so(mine, root):
    path = root / "exercises" / "01_a" / "01_a.ipynb"
    path.write_text(text(fill(read(path), {"square": ANSWER})))
    (mine / "exercises" / "01_a" / "01_a.ipynb").unlink()
    assert f"new, with the answers that are in {path}" in copies.update(mine, root)[0]


@pytest.mark.parametrize(
    "asked, name",
    [
        ((None,), "lessons/01_a.ipynb"),
        (("1",), "lessons/01_a.ipynb"),
        (("01", True), "exercises/01_a/01_a.ipynb"),
        (("a",), "lessons/01_a.ipynb"),
        (("01", False, True), "lessons/01_in_class.ipynb"),
        ((None, False, True), "lessons/01_in_class.ipynb"),
    ],
)
def test_a_notebook_is_found_by_number_or_name(root, asked, name):
    assert copies.notebook_of(root, *asked) == name


def test_a_unit_that_is_not_there_is_refused_with_those_that_are(root):
    with pytest.raises(ValueError, match="no lesson '7'; choose one of 01_a"):
        copies.notebook_of(root, "7")
    with pytest.raises(ValueError, match="no exercise 'b'; choose one of 01_a"):
        copies.notebook_of(root, "b", exercise=True)


def test_jupyterlab_opens_at_the_root_of_the_copy_without_nbgraders_buttons(mine, monkeypatch):
    line = command(mine, "lessons/01_a.ipynb", ["--no-browser"])
    assert f"--ServerApp.root_dir={mine.resolve()}" in line and line[-1] == "--no-browser"
    assert "--LabApp.default_url=/lab/tree/lessons/01_a.ipynb" in line
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "/elsewhere")
    assert environment()["JUPYTER_CONFIG_PATH"].endswith("elsewhere")
    assert environment()["JUPYTER_CONFIG_PATH"].startswith(str(SETTINGS))
    settings = json.loads(Path(SETTINGS, "labconfig", "page_config.json").read_text())
    assert settings["disabledExtensions"]["@jupyter/nbgrader"] is True


def solve(path, answer=ANSWER, own="def helper(x):\n    return x * x"):
    notebook = fill(read(path), {"square": answer})
    notebook.cells.insert(1, new_code_cell(own))
    path.write_text(text(notebook))
    return path


def sources(path):
    return [cell.source for cell in read(path).cells]


def test_answers_in_the_course_s_own_folder_are_found_until_they_are_taken(tmp_path, root):
    mine, outside = tmp_path / "mine", root / "exercises" / "01_a" / "01_a.ipynb"
    copies.lay_out(mine, root)
    assert copies.work_outside(mine, root) == {}
    solve(outside)
    written = outside.read_bytes()
    assert copies.work_outside(mine, root) == {outside: ["square"]}
    (line,) = copies.take(mine, [outside], root)
    target = mine / "exercises" / "01_a" / "01_a.ipynb"
    assert ANSWER in sources(target) and "def helper(x):\n    return x * x" in sources(target)
    assert line.startswith("exercises/01_a/01_a.ipynb: now has the work in ") and "(square)" in line
    assert outside.read_bytes() == written and copies.work_outside(mine, root) == {}
    solve(target, "def square(x):\n    return x ** 2", "# later")  # she goes on in her copy
    copies.update(mine, root)
    assert copies.work_outside(mine, root) == {}
    solve(outside, "def square(x):\n    return 0")  # and then in the wrong place again
    assert copies.work_outside(mine, root) == {outside: ["square"]}


def test_taking_keeps_the_version_that_the_copy_has(tmp_path, mine, root):
    target = mine / "exercises" / "01_a" / "01_a.ipynb"
    before = target.read_bytes()
    other = solve(root / "exercises" / "01_a" / "01_a.ipynb", "def square(x):\n    return x ** 2", "# new")
    renamed = other.rename(tmp_path / "Downloads.ipynb")
    with pytest.raises(ValueError, match="not an exercise of this course; the exercises are 01_a"):
        copies.take(mine, [renamed, root / "lessons" / "01_a.ipynb"], root)
    assert target.read_bytes() == before
    write(root, 4)
    (line,) = copies.take(mine, [renamed], root)
    assert "your version so far is exercises/01_a/01_a_mine.ipynb\n    Your copy already has other" in line
    assert target.with_name("01_a_mine.ipynb").read_bytes() == before
    assert {"# new", "helper(3)", ANSWER} <= set(sources(target))


def test_a_written_answer_is_never_replaced_by_taking(tmp_path, mine, root):
    target, other = mine / "exercises" / "01_a" / "01_a.ipynb", root / "exercises" / "01_a" / "01_a.ipynb"
    before = target.read_bytes()
    solve(other, "def square(x):\n    return x ** 2", "helper(3)\n")
    (line,) = copies.take(mine, [other], root)
    assert line.startswith("exercises/01_a/01_a.ipynb: nothing else to take from ")
    assert "Your copy already has other answers to square, and they were kept." in line
    assert target.read_bytes() == before and not target.with_name("01_a_mine.ipynb").exists()
    write(root, 4)
    solve(other, ANSWER + "\n", "helper(3)\n")
    (line,) = copies.take(mine, [other], root)
    assert ": already has the work in " in line and "other answers" not in line
    assert target.read_bytes() == before


def test_newlines_at_the_end_and_outputs_change_nothing(mine, root):
    (root / "lessons" / "glossary.md").write_text("words\n")
    copies.update(mine, root)
    path = mine / "lessons" / "01_a.ipynb"
    ran = read(path)
    ran.cells[1].update(source=ran.cells[1].source + "\n", execution_count=3)
    path.write_text(text(ran).rstrip())
    (mine / "lessons" / "glossary.md").write_bytes(b"words")
    write(root, 5)
    (root / "lessons" / "glossary.md").write_text("more words\n")
    lines = copies.update(mine, root)
    assert {"lessons/01_a.ipynb: updated", "lessons/glossary.md: updated"} <= set(lines)
    assert not list(mine.glob("lessons/*_mine*"))


def test_a_copy_of_an_exercise_with_work_in_it_is_never_replaced(tmp_path, root):
    outside, mine = root / "exercises" / "01_a" / "01_a.ipynb", tmp_path / "mine"
    target = mine / "exercises" / "01_a" / "01_a.ipynb"
    solve(outside)
    assert copies.take(mine, [outside], root)[0].startswith("exercises/01_a/01_a.ipynb: now has the work in")
    assert ANSWER in sources(target) and not target.with_name("01_a_mine.ipynb").exists()
    write(root, 5)  # the originals are restored, and newer
    copies.update(mine, root)
    assert ANSWER in sources(target) and "assert square(2) == 5" in sources(target)


def test_an_unanswered_exercise_takes_nothing_away(mine, root):
    target = mine / "exercises" / "01_a" / "01_a.ipynb"
    before = sources(target)
    outside = root / "exercises" / "01_a" / "01_a.ipynb"
    assert copies.take(mine, [outside], root)[0].startswith("exercises/01_a/01_a.ipynb: already has the work")
    assert sources(target) == before


def test_the_commands_say_where_the_work_is_and_offer_to_bring_it(tmp_path, root, monkeypatch, capsys):
    mine = tmp_path / "mine"
    monkeypatch.setattr(students, "ROOT", root)
    monkeypatch.setattr(students, "CLONE", root)
    monkeypatch.chdir(root)
    copies.lay_out(mine, root)
    students.point_to_work_outside(mine)
    assert capsys.readouterr().out == ""
    solve(root / "exercises" / "01_a" / "01_a.ipynb")
    students.progress(mine)
    said = capsys.readouterr().out
    assert "exercises/01_a/01_a.ipynb has answers that are not in your copy of the course: square" in said
    command = f"minibert course {mine} --take exercises/01_a/01_a.ipynb"
    assert f"    {command}\n" in said
    (root / ".git").mkdir()
    assert main.main(command.split()[1:]) == 0
    said = capsys.readouterr().out
    assert "before the next `git pull`, run: git checkout -- exercises/01_a/01_a.ipynb" in said
    assert (
        f"Hand in {mine / 'exercises' / 'NN_name' / 'NN_name.ipynb'}. Files whose names end in `_mine`"
        in said
    )
    students.point_to_work_outside(mine)
    assert capsys.readouterr().out == ""
