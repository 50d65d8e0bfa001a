"""What a failed check says fits on a screen, is written as Python writes it, and shows no lines of ours."""

import re
import traceback

import numpy as np
import pytest

from minibert.course import unit01, unit04
from minibert.course.checks.chance import obeys
from minibert.course.checks.difference import difference, one_line, shortened
from minibert.course.checks.exercise import CheckFailed, Exercise, Invariant
from minibert.course.checks.failure import LONGEST_LINE, MOST_LINES, WIDTH, Failure
from minibert.course.checks.planted_bugs import planted

BATCHES = [np.arange(30) + n for n in range(40)]
RIGHT = {
    "array": np.arange(4000.0).reshape(40, 100),
    "booleans": np.arange(4000) % 3 == 0,
    "texts": np.array([f"word {n}" for n in range(500)]),
    "list of arrays": BATCHES,
    "tuple of lists": (BATCHES, BATCHES),
    "dict": {"ids": BATCHES, "names": ["x" * 99] * 99},
    "long text": "word " * 4000,
    "lines": "line\n" * 500,
    "list of texts": ["line\n" * 50] * 40,
}


def other(value):
    """The value with something changed at its end."""
    if isinstance(value, (tuple, list)):
        return type(value)([*value[:-1], other(value[-1])])
    if isinstance(value, dict):
        return {key: other(part) for key, part in value.items()}
    if isinstance(value, str):
        return value + "!"
    value = value.copy()
    value[-1] = ~value[-1] if value.dtype == bool else "?" if value.dtype.kind == "U" else 0
    return value


def message(check, answer, **options):
    with pytest.raises(CheckFailed) as failed:
        check(answer, **options)
    return str(failed.value)


@pytest.mark.parametrize("argument", RIGHT)
@pytest.mark.parametrize("right", RIGHT)
def test_a_message_about_large_values_fits_on_a_screen(right, argument):
    check = Exercise("f", ("x",), lambda rng: [(RIGHT[argument],)], lambda x: RIGHT[right])
    for got in (other(RIGHT[right]), None, [1], RIGHT[argument] if argument != right else "no"):
        lines = message(check, lambda x, got=got: got).split("\n")
        assert sum(len(line) // WIDTH + 1 for line in lines) <= 24 and len(lines) <= MOST_LINES


@pytest.mark.parametrize("sentence", ["word " * 5000, "line\n" * 300, "word " * 5000 + "\n" * 99])
def test_what_an_invariant_says_at_length_loses_its_middle(sentence):
    check = Exercise("f", ("x",), lambda rng: [(1,)], invariants=(Invariant("i", lambda f, rng: sentence),))
    said = message(check, lambda x: x)
    assert "..." in said and len(said) < MOST_LINES * (LONGEST_LINE + 9)


def test_a_short_text_stays_as_it_is():
    assert Failure("values", "a\nb\nc", example="x" * LONGEST_LINE).example == "x" * LONGEST_LINE
    assert Failure("values", "a\nb\nc\nd\ne").sentence == "a\nb\nc\nd\ne"


@pytest.mark.parametrize(
    "got, expected, said",
    [
        (np.array([True, False]), np.array([True, True]), "expected True, got False."),
        (np.array([1, 0]), np.array([True, True]), "expected True, got 0."),
        (np.bool_(False), np.bool_(True), "expected True, got False."),
        (
            [np.True_, np.float64(0.5)],
            [np.False_, np.float64(0.5)],
            "expected [False, 0.5], got [True, 0.5].",
        ),
        (123456789, 123456780, "expected 123456780, got 123456789."),
        (np.array([1 / 3 + 1e-7, 2.0]), np.array([1 / 3 - 2e-5, 2.0]), "expected 0.333313, got 0.333333."),
        (1.0000004, 1.0, "expected 1, got 1.0000004."),
        (np.array(["a", "b"]), np.array(["a", "c"]), "expected ['a', 'c'], got ['a', 'b']."),
    ],
)
def test_values_are_written_as_what_they_are(got, expected, said):
    assert said in difference(got, expected)


@pytest.mark.parametrize(
    "value, text",
    [
        (np.arange(6).reshape(2, 3), "[[0, 1, 2], [3, 4, 5]]"),
        ([np.ones(2), (1,)], "[[1., 1.], (1,)]"),
        ({"a": np.array([True])}, "{'a': [True]}"),
        (np.arange(99), "[0, 1, 2, ..., 96, 97, 98]"),
        ("two\nlines", r"'two\nlines'"),
        (np.float32(0.5), "0.5"),
        ([], "[]"),
        ((), "()"),
    ],
)
def test_any_value_goes_on_one_line(value, text):
    assert one_line(value) == text == shortened(value)


@pytest.mark.parametrize(
    "check, guess",
    [
        (unit01.colleague_shares, (0.5, 0.25, 0.25)),
        (unit01.colleague_shares, (0.7, 0.1, 0.2)),
        (unit01.colleague_shares, [0, 0, 0]),
        (unit04.colleague_losses, (1.0, 2.0)),
        (unit04.colleague_losses, [0.0, 0.0]),
        (unit04.colleague_losses, (10.3, 10.33)),
        (Exercise("g", (), lambda rng: [()], lambda: 7.25), 3.5),
        (Exercise("g", (), lambda rng: [()], lambda: [7.25, 8.5]), [7.25]),
        (Exercise("g", (), lambda rng: [()], lambda: np.array([7.25, 8.5])), np.zeros(2)),
        (Exercise("g", (), lambda rng: [()], lambda: {"a": 7.25}), {"a": 8.75}),
    ],
)
@pytest.mark.parametrize("points", [None, 2])
def test_a_guess_does_not_bring_the_answer_to_light(check, guess, points, capsys):
    try:
        check(lambda: guess, points=points)
        said = capsys.readouterr().out
    except CheckFailed as failed:
        said = f"{failed} {failed.failure}"
        assert failed.failure.expected is None and failed.failure.picture is None
    assert "right" in said and not re.search(r"\d\.\d", said.replace(str(guess), ""))


def test_a_guess_hears_which_of_its_numbers_are_wrong():
    assert "of your 3 results, 1 and 3 are wrong" in message(unit01.colleague_shares, lambda: (0.7, 0.1, 0.2))


def fails_deep_inside(x, axis=-1):
    return [int(part) for part in "12x"]


@pytest.mark.parametrize(
    "check",
    [
        Exercise("f", ("x",), lambda rng: [(1,)], lambda x: x),
        Exercise("f", ("x",), lambda rng: [(0,)], invariants=(Invariant("i", lambda f, rng: f(2)),)),
        Exercise("f", ("x",), lambda rng: [(0,)], invariants=(Invariant("i", obeys(())),)),
        planted(
            "f", ("x",), lambda rng: [(1,)], lambda left: lambda x: x, (Invariant("i", lambda f, rng: f(1)),)
        ).bug(1),
    ],
    ids=["values", "an invariant", "an invariant of chance", "a bug hunt"],
)
def test_the_traceback_of_an_error_of_hers_has_no_lines_of_ours(check):
    with pytest.raises(ValueError) as failed:
        check(lambda x: fails_deep_inside(x) if x else x)
    modules = [frame.f_globals["__name__"] for frame, _ in traceback.walk_tb(failed.value.__traceback__)]
    assert not any(name.startswith("minibert") for name in modules[1:]) and modules[-1] == __name__
