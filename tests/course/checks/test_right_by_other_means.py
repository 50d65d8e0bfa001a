"""A right answer passes in whatever container or library it comes; a wrong one in the same fails."""

from fractions import Fraction

import numpy as np
import pytest

from minibert.course.checks.chance import fresh, obeys
from minibert.course.checks.compare import agree, close, same
from minibert.course.checks.exercise import CheckFailed, Exercise, Invariant
from minibert.course.checks.guard import many
from minibert.course.checks.planted_bugs import planted

torch = pytest.importorskip("torch")

SHARES = Exercise("shares", ("x",), lambda rng: [(4.0,)], lambda x: (x / 8, 0.25, 0.25))
PAIR = Exercise("pair", ("x",), lambda rng: [(np.arange(6.0).reshape(2, 3),)], lambda x: (2 * x, x + 1))


def refused(check, answer):
    with pytest.raises(CheckFailed) as failed:
        check(answer)
    return str(failed.value)


@pytest.mark.parametrize(
    "kind",
    [
        tuple,
        list,
        np.array,
        torch.tensor,
        lambda x: [np.float32(part) for part in x],
        lambda x: tuple(Fraction(part) for part in x),
        lambda x: [torch.tensor(part) for part in x],
    ],
    ids=["tuple", "list", "array", "tensor", "float32", "fractions", "list of tensors"],
)
def test_three_numbers_may_come_in_any_row(kind):
    SHARES(lambda x: kind([x / 8, 0.25, 0.25]))
    assert "in result 2 of 3, expected 0.25, got 0.3" in refused(SHARES, lambda x: kind([x / 8, 0.3, 0.25]))
    assert "it should return 3 values" in refused(SHARES, lambda x: kind([x / 8, 0.25]))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: {x / 8, 0.25},
        lambda x: "abc",
        lambda x: {1: 1, 2: 2, 3: 3},
        lambda x: np.full((3, 1), 0.25),
        lambda x: 0.5,
    ],
)
def test_what_is_no_row_of_three_is_refused(wrong):
    assert "it should return 3 values" in refused(SHARES, wrong)


@pytest.mark.parametrize(
    "kind", [tuple, list, lambda pair: [*map(torch.tensor, pair)]], ids=["tuple", "list", "tensors"]
)
def test_two_arrays_may_come_in_a_list_but_one_array_is_not_two(kind):
    PAIR(lambda x: kind([2 * x, x + 1]))
    assert "in result 2 of 2" in refused(PAIR, lambda x: kind([2 * x, x + 2]))
    assert "returns an array of shape (2, 3); it should return 2 values" in refused(PAIR, lambda x: 2 * x)


@pytest.mark.parametrize(
    "holds",
    [
        lambda f, rng: f(np.ones((2, 3)))[0].astype(int).sum() == 12,
        lambda f, rng: bool(np.where(f(np.ones((2, 3)))[1] > 1, 1, 0).all()),
        lambda f, rng: f(np.ones((2, 3)))[0][np.array([[True] * 3] * 2)].size == 6,
    ],
)
def test_an_invariant_sees_arrays_where_the_answer_gives_tensors(holds):
    check = Exercise("pair", ("x",), PAIR.cases, PAIR.reference, invariants=(Invariant("holds", holds),))
    check(lambda x: (torch.tensor(2 * x, requires_grad=True), torch.tensor(x + 1)))


class Far:
    """A stand-in for a student's function, which answers many calls in one request."""

    def __call__(self, x):
        return torch.tensor(x) > 1

    def many(self, calls):
        return map(self, *zip(*calls, strict=True))


def test_tensors_that_come_in_one_request_are_arrays_too():
    def shares(f, rng):
        return all((np.ones(3, bool) & got).sum() == 1 for got in many(f, [(np.arange(3.0),)] * 4))

    check = Exercise("f", ("x",), lambda rng: [(np.arange(3.0),)], invariants=(Invariant("one", shares),))
    check(Far())


def test_a_result_that_an_invariant_cannot_read_is_a_failure_and_not_an_error_of_ours():
    check = Exercise(
        "f",
        ("x",),
        lambda rng: [(1,)],
        invariants=(Invariant("no result is negative", lambda f, rng: (f(1) >= 0).all()),),
    )
    said = refused(check, lambda x: [1, 2])
    assert "it cannot be tested on your result (TypeError" in said and "no result is negative" in said

    def fails(x):
        return 1 / (x - 1) if x == 1 else x

    with pytest.raises(ZeroDivisionError):
        check(fails)


@pytest.mark.parametrize("kind", [tuple, np.array, lambda x: torch.tensor(x)])
def test_an_invariant_sees_the_container_that_it_expects(kind):
    counts = Invariant("counts up", lambda f, rng: f(3) == [0, 1, 2])
    Exercise("up", ("x",), lambda rng: [(4,)], lambda x: list(range(x)), (counts,))(
        lambda x: kind(list(range(x)))
    )
    hunt = planted("up", ("x",), lambda rng: [(4,)], lambda left: lambda x: [*range(x), *left], (counts,))
    hunt(lambda x: kind(list(range(x))))


def ragged(rng):
    """Batches of unequal length, as an answer may return them."""
    return [rng.integers(9, size=n) for n in (3, 2, 4)]


@pytest.mark.parametrize(
    "kind",
    [list, tuple, lambda batches: np.array(batches, dtype=object), lambda batches: {"ids": list(batches)}],
    ids=["list", "tuple", "array of objects", "dict of lists"],
)
def test_equal_ragged_batches_are_equal_and_others_are_not(kind):
    rng = np.random.default_rng
    a, b, c = (kind(ragged(rng(seed))) for seed in (0, 0, 1))
    assert same(a, b) and not same(a, c) and close(a, b) and not agree(a, c)
    assert obeys(())(lambda rng: kind(ragged(rng)), rng(0)) is True
    assert fresh(())(lambda rng: kind(ragged(rng)), rng(0)) is True
    assert "two calls with the same seed" in obeys(())(lambda _: kind(ragged(rng())), rng(0))
    assert "does not depend on" in fresh(())(lambda _: kind(ragged(rng(0))), rng(0))


def test_where_a_student_may_measure_numbers_need_not_be_exact():
    exact = Exercise("shares", (), lambda rng: [()], lambda: (0.72, 0.1, 0.18))
    measured = Exercise("shares", (), lambda rng: [()], lambda: (0.72, 0.1, 0.18), atol=0.005)
    noise = np.random.default_rng(0)
    measured(lambda: tuple(np.array([0.72, 0.1, 0.18]) + noise.uniform(-0.004, 0.004, 3)))
    assert "wrong" in refused(exact, lambda: (0.723, 0.1, 0.177))
    assert "2 is wrong" in refused(measured, lambda: (0.72, 0.08, 0.18))


SOFTMAX = Exercise(
    "softmax",
    ("x",),
    lambda rng: [(rng.normal(size=(2, 3)),)],
    lambda x: np.exp(x) / np.exp(x).sum(-1, keepdims=True),
)
LATER = Exercise(
    "later",
    ("x",),
    lambda rng: [(rng.normal(size=(2, 3)),)],
    lambda x: SOFTMAX.reference(x) @ np.eye(3) * np.finfo(x.dtype).eps,
    builds_on=(SOFTMAX,),
)
IN_TORCH = {
    "a tensor": "def softmax(x): return torch.softmax(torch.tensor(x), -1)",
    "float32": "def softmax(x): return torch.softmax(torch.tensor(x, dtype=torch.float32), -1)",
    "with a gradient": "def softmax(x): return torch.softmax(torch.tensor(x, requires_grad=True), -1)",
}


@pytest.mark.parametrize("source", IN_TORCH.values(), ids=IN_TORCH)
def test_a_right_answer_in_pytorch_does_not_break_the_next_exercise(source, capsys):
    names = {"np": np, "torch": torch}
    exec(
        source + "\ndef later(x):\n    p = softmax(x)\n    return p @ np.eye(3) * np.finfo(p.dtype).eps",
        names,
    )
    SOFTMAX(names["softmax"])
    LATER(names["later"])
    assert "Checked with our softmax: yours" in capsys.readouterr().out


def test_a_wrong_later_answer_after_one_in_pytorch_still_fails():
    names = {"np": np, "torch": torch}
    exec(IN_TORCH["a tensor"] + "\ndef later(x):\n    p = softmax(x)\n    return p * 2", names)
    assert "Checked with our softmax" in refused(LATER, names["later"])
