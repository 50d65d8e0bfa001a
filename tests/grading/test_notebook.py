import nbformat
import pytest

from minibert.grading.notebook import SourceError, fill, from_source, marked, metadata, read, text

SOURCE = '# %% [markdown] nb="read intro"\n# hello\n\n# %% nb="tests add 2.5"\n1 + 1\n\n# %%\n1\n\n# %%\n1\n'


def test_every_cell_has_an_id_of_its_own_that_a_new_cell_leaves_alone():
    first, again, longer = (
        [cell.id for cell in from_source(source, "a.nb.py").cells]
        for source in (SOURCE, SOURCE, "# %%\n1 + 2\n\n" + SOURCE)
    )
    assert first == again == longer[1:] and len(set(longer)) == len(longer)


def test_a_mark_becomes_nbgraders_metadata():
    cell = marked(from_source(SOURCE, "a.nb.py"))["add"]
    kind = {"grade": True, "solution": False, "locked": True, "task": False}
    assert cell.metadata.nbgrader == {**kind, "schema_version": 3, "grade_id": "add", "points": 2.5}
    assert "nb" not in cell.metadata


def test_a_notebook_has_no_pairing_metadata_and_knows_its_marked_cells():
    assert from_source(SOURCE, "a.nb.py").metadata == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "minibert": {"name": "a", "cells": ["intro", "add"]},
    }


@pytest.mark.parametrize(
    "mark, rule",
    [
        ("", "unknown kind; use one of"),
        ("test x 1", "unknown kind; use one of"),
        ("tests x", "a name and points"),
        ("solution", "a name"),
        ("read intro 3", "takes only a name"),
        ("tests x many", "points must be a number"),
    ],
)
def test_a_wrong_mark_is_refused_with_the_rule(mark, rule):
    with pytest.raises(SourceError, match=rule):
        metadata(mark)


def test_a_name_used_twice_is_refused():
    with pytest.raises(SourceError, match="'a' is used twice"):
        from_source('# %% nb="solution a"\nx = 1\n\n# %% nb="tests a 1"\nx\n', "a.nb.py")


def test_filling_answers_leaves_the_exercise_as_it_was(exercise):
    before = text(exercise)
    submission = fill(exercise, {"square": "square = 1"})
    assert marked(submission)["square"].source == "square = 1" and text(exercise) == before


def test_filling_a_cell_that_is_no_answer_is_refused(exercise):
    with pytest.raises(
        ValueError, match="no answer cell is named 'intro'; the answer cells are square, double, why"
    ):
        fill(exercise, {"intro": ""})


def test_reading_says_what_is_wrong_with_a_file(tmp_path):
    with pytest.raises(ValueError, match="this file does not exist"):
        read(tmp_path / "none.ipynb")
    (tmp_path / "half.ipynb").write_text(nbformat.writes(nbformat.v4.new_notebook())[:20])
    with pytest.raises(ValueError, match="half.ipynb: not a readable notebook"):
        read(tmp_path / "half.ipynb")


def test_text_after_a_fold_stands_apart_from_it_and_a_second_fold_does_not():
    text = "<details>a</details>|Text.|<details>b</details>|<details>c</details>".replace("|", "\n#\n# ")
    (cell,) = from_source(f"# %% [markdown]\n# {text}\n", "x.nb.py").cells
    assert cell.source.count("<br>") == 1 and "</details><br>\n\nText." in cell.source
