"""How far a student is: untouched notebooks do not run, changed ones do, and a result is kept."""

import pytest

from minibert.grading.intake import doctor, exercise_table, progress
from minibert.grading.notebook import fill, text


@pytest.fixture
def copy(tmp_path, exercise):
    folder = tmp_path / "exercises" / "01_small"
    folder.mkdir(parents=True)
    (folder / "01_small.ipynb").write_text(text(exercise))
    return tmp_path


@pytest.fixture
def runs(monkeypatch):
    """The number of notebooks that were run."""
    found, real = [], exercise_table.run
    monkeypatch.setattr(exercise_table, "run", lambda *args, **given: found.append(1) or real(*args, **given))
    return found


def hand(copy, exercise, answers):
    (copy / "exercises" / "01_small" / "01_small.ipynb").write_text(text(fill(exercise, answers)))


def test_an_untouched_notebook_is_not_started_and_not_run(copy, runs):
    (rows,) = progress.progress(copy).values()
    assert [(row.state, row.points) for row in rows] == [("not written yet", 0)] * 3 and not runs
    assert "0 of   3 exercises     0 of   6 points   +   4 later" in progress.printed({"01_small": rows})


def test_a_notebook_runs_again_only_when_it_has_changed(copy, exercise, right, runs):
    hand(copy, exercise, {"square": right["square"]})
    first = progress.progress(copy)
    assert progress.progress(copy) == first and len(runs) == 1
    assert "1 of   3 exercises     5 of   6 points   +   4 later" in progress.printed(first)
    hand(copy, exercise, right)
    assert "3 of   3 exercises" in progress.printed(progress.progress(copy)) and len(runs) == 2


def test_what_doctor_has_checked_does_not_run_again(copy, exercise, right, runs, capsys):
    hand(copy, exercise, right)
    assert doctor.main(copy / "exercises" / "01_small" / "01_small.ipynb") == 0
    assert "3 of   3 exercises" in progress.printed(progress.progress(copy)) and len(runs) == 1


def test_a_renamed_notebook_counts_and_is_named(copy, exercise, right, capsys):
    hand(copy, exercise, right)
    folder = copy / "exercises" / "01_small"
    (folder / "01_small.ipynb").rename(folder / "mine.ipynb")
    assert "together  " in (said := progress.printed(progress.progress(copy))) and "3 of   3" in said
    assert "01_small.ipynb is missing, so mine.ipynb counts. Rename it back" in capsys.readouterr().out


def test_a_notebook_that_cannot_be_told_from_others_is_named_and_left_out_of_the_total(copy):
    folder = copy / "exercises" / "01_small"
    (folder / "a.ipynb").write_bytes((folder / "01_small.ipynb").read_bytes())
    (folder / "01_small.ipynb").rename(folder / "b.ipynb")
    units = progress.progress(copy)
    assert units == {"01_small": "01_small.ipynb is missing. Is it one of a.ipynb, b.ipynb? Rename it back."}
    assert progress.printed(units).endswith("later   (without 01_small)")


def test_a_file_set_aside_by_an_update_does_not_count(copy, exercise, right):
    other = copy / "exercises" / "01_small" / "01_small_mine.ipynb"
    other.write_text(text(fill(exercise, right)))
    assert list(progress.progress(copy)) == ["01_small"]


def test_a_folder_without_exercises_is_refused(tmp_path):
    with pytest.raises(ValueError, match="has no exercises"):
        progress.progress(tmp_path)
