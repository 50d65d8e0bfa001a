"""A change in the package, or in its pages' templates, makes saved grades stale."""

import pytest

from minibert.grading.author.assignment_bundle import versions


@pytest.mark.parametrize("file", ["course/checks/compare.py", "grading/report/page.html", "grading/new.py"])
def test_a_change_of_the_package_changes_a_bundle(tmp_path, file):
    for name in ("course/checks/compare.py", "grading/report/page.html", "notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before")
    before = versions(tmp_path)
    (tmp_path / "notes.txt").write_text("after")
    assert versions(tmp_path) == before
    (tmp_path / file).write_text("after")
    assert versions(tmp_path)["minibert"] != before["minibert"]
