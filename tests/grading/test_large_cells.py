"""Cells as large as they may be: each is read in one pass; the expressions used before would not end here."""

import json

import pytest

from minibert.grading.author.notebook_rules import REGIONS
from minibert.grading.intake import read_cells as reader
from minibert.grading.intake.platforms import FORMS
from minibert.grading.intake.read_cells import SOURCE_LIMIT, read_cells
from minibert.grading.intake.repair import FENCED, written_names
from minibert.grading.intake.stubs import holds_code_stub, holds_text_stub
from minibert.grading.report.sanitize import sanitized_markdown, without_paths

COMMENT, ERROR = "# YOUR CODE HERE", "raise NotImplementedError()"


def filled(start, unit, end=""):
    """As many units as fit into one cell between start and end."""
    return start + unit * ((SOURCE_LIMIT - len(start) - len(end)) // len(unit)) + end


@pytest.mark.parametrize("unit", ["\n", " \n", "\t\n\n", "\x0c\n"])
@pytest.mark.parametrize("end, stub", [(ERROR, True), ("", False), ("return 3", False), (COMMENT, False)])
def test_a_million_blank_characters_behind_the_stubs_comment(unit, end, stub):
    source = filled(f"def f():\n    {COMMENT}\n", unit, end)
    assert holds_code_stub(source) == stub
    if not end:
        assert written_names(source) == {"f"}


@pytest.mark.parametrize(
    "source, code, text",
    [
        (f"def f():\n    {COMMENT}\n    {ERROR}", True, False),
        (f"{COMMENT}\n\n  {ERROR}  # later", True, False),
        (f"{ERROR}\n{COMMENT}", False, False),
        (f"{COMMENT}\nx = 1\n{ERROR}", False, False),
        ("  *Your answer here.* no", False, True),
        ("See *Your answer here.*", False, False),
        ("", False, False),
    ],
)
def test_a_stub_is_its_two_lines_or_its_sentence(source, code, text):
    assert (holds_code_stub(source), holds_text_stub(source)) == (code, text)


@pytest.mark.parametrize("kind", ["SOLUTION", "HIDDEN TESTS"])
def test_many_beginnings_of_a_region_without_an_end(kind):
    assert REGIONS.search(filled("", f"### BEGIN {kind}\n")) is None
    found = REGIONS.search(filled("", f"### BEGIN {kind}\n", f"x = 1\n### END {kind}\n"))
    assert found is not None and found[2] == "x = 1\n"


@pytest.mark.parametrize(
    "start, unit",
    [
        *[("```\n", "\n"), ("```\n", "\n```"), ("C:", "/a"), ("{", " "), ("", '{"source" ')],
        *[("", unit) for unit in ("### ", "/a~", "](", "<")],
    ],
)
def test_other_expressions_take_one_pass(start, unit):
    source = filled(start, unit, "!")
    assert FENCED.fullmatch(source) is None and REGIONS.search(source) is None
    assert sanitized_markdown(source) and without_paths(source)
    with pytest.raises(reader.Unreadable):
        read_cells(source.encode())


ANY = ("canvas", "moodle", "classroom")  # forms that some of these names have


@pytest.mark.parametrize("unit", ["_1", "_1_", "_attempt_", " - ", "_1_assignsubmission_file", "1-1 - A - "])
def test_names_of_files_take_one_pass(unit):
    name = unit * 5_000
    read = {form.name: form.read(name, False) for form in FORMS.values()}
    assert [read[form] for form in read if form not in ANY] == [None] * 4


def test_all_sources_together_have_a_limit(monkeypatch):
    monkeypatch.setattr(reader, "TOTAL_LIMIT", 25)
    cells = [{"cell_type": "code", "source": source * 10} for source in "abcd"]
    kept, notes, _ = read_cells(json.dumps({"cells": cells}).encode())
    assert [cell.source for cell in kept] == ["a" * 10, "b" * 10]
    assert notes == ["Entries in the file that are not cells or are too long were left out: 2."]
