"""Lessons read stored tables from the package alone, and refuse one of another language or recipe."""

import json
import re

import pytest
from conftest import ROOT

from minibert.course import tables

LESSONS = sorted((ROOT / "lessons").glob("*.nb.py"))


@pytest.mark.parametrize("name", tables.UNITS)
def test_every_table_is_there_and_of_this_language(name):
    assert tables.stored(name)["language"] == tables.fingerprint()


@pytest.mark.parametrize("key, value", [("language", "another"), ("recipe", {"steps": 1})])
def test_a_table_made_otherwise_is_refused_with_the_command_that_makes_it(key, value, tmp_path, monkeypatch):
    table = {"language": tables.fingerprint(), "recipe": {"steps": 2}, key: value}
    path = tmp_path / "variants.json"
    path.write_text(json.dumps(table), encoding="utf-8")
    monkeypatch.setattr(tables, "place", lambda name: path)
    with pytest.raises(ValueError, match=f"a different {key}; run `python benchmarks/variants.py` again"):
        tables.stored("variants", recipe={"steps": 2})


def test_an_unknown_table_is_an_error_that_names_the_known_ones():
    with pytest.raises(ValueError, match="there is no table 'nothing'; the tables are world, world_plain"):
        tables.place("nothing")


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_a_lesson_reads_no_file_outside_the_package(path):
    code = re.sub(r"(?m)^#.*$", "", path.read_text(encoding="utf-8"))
    assert not re.search(
        r"\bROOT\b|__file__|minibert\.cli\b|[\"'](\.\./)?(benchmarks|tests|docs)/?[\"']", code
    )
