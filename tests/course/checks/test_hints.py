"""Every exercise has three hints that each say something new, and each assignment says how to see them."""

import importlib
import itertools
import re
from pathlib import Path

import pytest

from minibert.course.checks.exercise import Exercise

ROOT = Path(__file__).parents[3]
UNITS = sorted(path.name for path in (ROOT / "minibert" / "course").glob("unit[0-9][0-9]"))


def exercises(unit):
    """{name: exercise} of a unit's checks."""
    return {
        name: value
        for name, value in vars(importlib.import_module(f"minibert.course.{unit}")).items()
        if isinstance(value, Exercise)
    }


EXERCISES = [(unit, name) for unit in UNITS for name in exercises(unit)]


def problems(hints):
    """What is wrong with the hints of an exercise, in sentences."""
    found = [] if len(hints) == 3 else [f"{len(hints)} hints"]
    found += [
        f"twice: {one}" for one, other in itertools.combinations(hints, 2) if one.strip() == other.strip()
    ]
    for hint in hints:
        found += [] if 10 < len(hint.strip()) < 300 else [f"{len(hint)} characters: {hint}"]
        found += [] if hint.rstrip(")").endswith((".", "?")) else [f"no end: {hint}"]
        found += [f"a backtick is left alone: {hint}"] if hint.count("`") % 2 else []
    return found


@pytest.mark.parametrize("unit, name", EXERCISES)
def test_an_exercise_has_three_different_hints_of_a_few_sentences(unit, name):
    assert problems(exercises(unit)[name].hints) == []


@pytest.mark.parametrize(
    "hints, said",
    [
        (("Look at the axes.", "Take the last."), "2 hints"),
        (("Look at the axes.", "Take the last.", "Take the last."), "twice"),
        (("Look at the axes.", "", "Take the last."), "0 characters"),
        (("Look at the axes", "Take `x.", "Take the last."), "no end"),
        (("Look at the axes.", "Take the `last.", "Take the last."), "backtick"),
    ],
)
def test_hints_that_say_nothing_new_are_found(hints, said):
    assert said in " ".join(problems(hints))


def test_the_units_are_those_with_an_assignment():
    assert UNITS == sorted(f"unit{path.name[:2]}" for path in (ROOT / "solutions").iterdir() if path.is_dir())


@pytest.mark.parametrize("unit", UNITS)
def test_an_assignment_says_how_to_ask_for_a_hint(unit):
    (source,) = (ROOT / "solutions").glob(f"{unit.removeprefix('unit')}_*/*.nb.py")
    asked = re.findall(r"check\.(\w+)\.hint\(\)", source.read_text(encoding="utf-8"))
    assert asked and set(asked) <= exercises(unit).keys()
