"""When lists, texts and dicts of results are equal, and how a check says where they differ."""

import itertools

import numpy as np
import pytest

from minibert.course.checks.compare import agree, close, in_numpy
from minibert.course.checks.difference import LONGEST, called, difference, shortened

PIECES = ["hug", "##s"]


@pytest.mark.parametrize(
    "got, equal",
    [
        (["hug", "##s"], True),
        (("hug", "##s"), True),
        (np.array(["hug", "##s"]), True),
        (["hug"], False),
        (["hug", "##g"], False),
        (["hug", "##s", "x"], False),
        ("hug##s", False),
        ([["hug", "##s"]], False),
        (np.array("hug"), False),
        ([1, 2], False),
    ],
)
def test_a_list_of_texts_may_come_as_a_list_a_tuple_or_an_array(got, equal):
    assert close(got, PIECES) is equal


NEAR_ONE = [1, 1 + 1e-6, 1 + 0.99e-5, 1 + 1.2e-5, 1 + 2e-4]
TO_COMPARE = [*NEAR_ONE, *(-x for x in NEAR_ONE), 0.0, 0.9e-6, 1.1e-6, 1e300, -1e308, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, np.array])
def test_single_numbers_are_compared_as_numpy_compares_arrays_of_them(kind):
    for got, expected in itertools.product(TO_COMPARE, TO_COMPARE):
        with np.errstate(all="ignore"):
            one, other = kind(got), kind(float(expected))
            assert close(one, other) is close(np.array([one]), np.array([other])), (got, expected)


def test_tensors_become_arrays_wherever_they_stand_and_lists_are_copied():
    torch = pytest.importorskip("torch")
    ids, rows = [1, 2], [(torch.ones(2), None), [0.5, [torch.zeros(1, requires_grad=True)]]]
    (array, none), [half, [zero]] = in_numpy(rows)
    assert [type(x) for x in (array, zero)] == [np.ndarray] * 2 and (none, half) == (None, 0.5)
    assert in_numpy(ids) == ids and in_numpy(ids) is not ids


def test_what_cannot_be_compared_does_not_agree():
    with pytest.raises(ValueError):
        close([[1, 2], [3]], np.ones((2, 2)))
    assert not agree([[1, 2], [3]], np.ones((2, 2))) and agree([1, 2], [1, 2])


@pytest.mark.parametrize(
    "got, expected, said",
    [
        (["hug"], PIECES, "expected ['hug', '##s'], got ['hug']."),
        (
            [1] * 200,
            [1] * 201,
            "expected 201 items, got 200; the shorter list equals the start of the longer one.",
        ),
        ([1] * 150 + [2], [1] * 151, "the first difference is at index 150: expected 1, got 2."),
        ({}, {("a", "b"): 1}, "the key ('a', 'b') is missing (keys expected: 1, got: 0)."),
        ({("a", "b"): 1, ("b", "a"): 1}, {("a", "b"): 1}, "the key ('b', 'a') should not be there"),
        ({("a", "b"): 2.0}, {("a", "b"): 1.0}, "for ('a', 'b'), expected 1, got 2."),
    ],
)
def test_the_difference_is_said_in_a_sentence(got, expected, said):
    assert said in difference(got, expected)


def test_long_arguments_lose_their_middle():
    assert shortened("ab") == "'ab'" and len(shortened("a" * 10**4)) < LONGEST + 10
    assert called(("counts", "w"), ({"a": 1}, {"k": np.ones(2)})) == "counts = {'a': 1}, w a dict of 1 arrays"
