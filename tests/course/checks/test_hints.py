"""Every exercise has three hints that each say something new, and each assignment says how to see them."""

import importlib
import re
from pathlib import Path

import pytest

from minibert.course.checks.exercise import Exercise

ROOT = Path(__file__).parents[3]
UNITS = sorted(path.parent.name for path in (ROOT / "minibert" / "course").glob("unit[0-9][0-9]/hints.py"))


def exercises(unit):
    """{name: exercise} of a unit's checks."""
    return {
        name: value
        for name, value in vars(importlib.import_module(f"minibert.course.{unit}")).items()
        if isinstance(value, Exercise)
    }


EXERCISES = [(unit, name) for unit in UNITS for name in exercises(unit)]


@pytest.mark.parametrize("unit, name", EXERCISES)
def test_an_exercise_has_three_different_hints_and_short_hints_for_known_mistakes(unit, name):
    exercise = exercises(unit)[name]
    assert len(exercise.hints) == len({hint.strip() for hint in exercise.hints}) == 3
    for hint in (*exercise.hints, *(mistake.hint for mistake in exercise.mistakes)):
        assert 10 < len(hint.strip()) < 300 and hint.rstrip(")").endswith((".", "?")), hint
        assert hint.count("`") % 2 == 0, hint


def test_the_units_are_those_with_an_assignment():
    assert UNITS == sorted(f"unit{path.name[:2]}" for path in (ROOT / "solutions").iterdir() if path.is_dir())


@pytest.mark.parametrize("unit", UNITS)
def test_an_assignment_says_how_to_ask_for_a_hint(unit):
    (source,) = (ROOT / "solutions").glob(f"{unit.removeprefix('unit')}_*/*.nb.py")
    asked = re.findall(r"check\.(\w+)\.hint\(\)", source.read_text(encoding="utf-8"))
    assert asked and set(asked) <= exercises(unit).keys()
