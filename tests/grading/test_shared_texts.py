"""Texts that several exercise notebooks share are written once, and inserted when they are built."""

from pathlib import Path

import pytest

from minibert.grading.author.shared_texts import FILE, PLACE, with_shared_texts
from minibert.grading.notebook import SourceError
from minibert.grading.sandbox.limits import Policy

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [*ROOT.glob("solutions/*/*.nb.py")]


def test_a_section_takes_the_place_of_its_name_with_the_unit_in_it(tmp_path):
    (tmp_path / "solutions").mkdir()
    (tmp_path / FILE).write_text(
        "For authors.\n\n## rules\n\nUnit UNIT.\n\nSee NAME.\n\n## end\n\nBye.\n", "utf-8"
    )
    source = "# %% [markdown]\n# {{rules}}\n#\n# {{end}}\n"
    assert with_shared_texts(source, tmp_path, "07_new") == (
        "# %% [markdown]\n# Unit 07.\n#\n# See 07_new.\n#\n# Bye.\n"
    )
    with pytest.raises(SourceError, match=r"no section 'rule' in solutions/.*; it has rules, end"):
        with_shared_texts("# {{rule}}\n", tmp_path, "07_new")


def test_every_exercise_says_what_holds_for_all_and_how_bugs_are_graded():
    assert SOURCES
    for source in SOURCES:
        assert PLACE.findall(source.read_text("utf-8")) == ["how it works", "each bug"], source


def test_the_limits_in_the_text_are_those_of_grading():
    policy, said = Policy(), " ".join((ROOT / FILE).read_text("utf-8").split())
    assert f"compute for {policy.exercise_seconds} seconds and wait for {policy.idle_seconds}" in said
