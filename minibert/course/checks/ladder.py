"""Define the steps of a check, from "is it a function" to "are its values right"."""

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .compare import (
    NUMBERS,
    agree,
    array_from_list,
    as_array,
    describe,
    is_array,
    is_list,
    is_number,
    replaces_tuple,
    same,
)
from .difference import called, gap
from .failing_example import arrays, calls_of, smallest
from .failure import CheckFailed, Failure, fail
from .guard import and_list, crashed, parameters, quiet
from .known_mistakes import recognised, recognised_crash, result
from .noted import RecordingAnswer
from .records import Invariant, Mistake, Specification

COMPARED = 80  # known mistakes are tried on as many inputs before and after a failure: all that `cases` lists
MOST_KEYS = 8  # of a dict, that a message lists
SMALL = 30  # small inputs among which a failing example is sought
KINDS = {"i": "an integer dtype", "u": "an integer dtype", "f": "a numeric dtype", "b": "bool"}


def exists(answer: Any) -> None:
    """Raise CheckFailed unless the student's `answer` is a function or another callable."""
    if not callable(answer):
        fail(
            "exists",
            f"this is of type {type(answer).__name__}, not a function. Did you overwrite the name? Run the "
            "cell with the `def` again.",
        )


def signature(answer: Callable, wanted: tuple[str, ...], hidden: bool = False) -> None:
    """Raise CheckFailed unless the parameter names of the student's function begin with `wanted`."""
    names = parameters(answer)
    # `names` is None for a built-in function, which is judged by its values
    if names is not None and names[: len(wanted)] != wanted:
        takes = "it takes other arguments" if hidden else f"it takes ({', '.join(names)})"
        fail("signature", f"{takes}; it should take ({', '.join(wanted)}). Correct the `def` line.")


def run(answer: Callable, case: tuple, mistakes: Sequence[Mistake] = (), others: Iterable[tuple] = ()) -> Any:
    """Call the student's function on a copy of the arguments `case`, and return its result.

    others: arguments on which the known mistakes are compared with a function that raises an error.
    Raises CheckFailed if the result is None. An exception in the student's code keeps its traceback, and gets
    an attribute `hint` if a known mistake explains it.
    """
    __tracebackhide__ = True
    given = copy.deepcopy(case)
    try:
        got = answer(*given)
    except CheckFailed as failure:
        if failure.error and (
            hint := recognised_crash(mistakes, failure.error, case, results(answer, others))
        ):
            raise crashed(failure.error, hint) from None
        raise
    except NotImplementedError:
        raise
    except Exception as error:
        error.hint = recognised_crash(mistakes, error, case, results(answer, others))  # type: ignore[attr-defined]  # read by Exercise.__call__
        raise
    untouched(given, case)
    if got is None:
        fail("type", "it returns None. Is the `return` missing?")
    return got


def untouched(given: tuple, case: tuple) -> None:
    """Raise CheckFailed if the arguments `given` to a student's function no longer equal `case`."""
    if not same(given, case):
        changed = next(x for x, before in zip(given, case, strict=True) if not same(x, before))
        fail(
            "inputs untouched",
            "it changes its inputs. "
            + (
                "Work on a copy: write `x = x - m` instead of `x -= m`, and `x = x.copy()` before `x[i] = 0`."
                if any(True for _ in arrays(changed))
                else "Build a new list, or change a copy, such as `list(x)`."
            ),
        )


def form(got: Any, expected: Any) -> None:
    """Raise CheckFailed unless a result has the type, dtype and shape of the expected one."""
    if isinstance(expected, tuple):
        if not replaces_tuple(got, expected):
            fail(
                "type",
                f"it returns {describe(got)}; it should return {len(expected)} values: {describe(expected)}.",
            )
        for g, e in zip(got, expected, strict=True):
            form(g, e)
    elif isinstance(expected, np.ndarray):
        got = array_from_list(got)
        if not is_array(got):
            fail("type", f"it returns {describe(got)}; it should return an array of shape {expected.shape}.")
        dtype = as_array(got).dtype
        kinds = "b" if expected.dtype == bool else NUMBERS if expected.dtype.kind in NUMBERS else dtype.kind
        if tuple(got.shape) != expected.shape:
            fail("shape", f"the shape is {tuple(got.shape)}; it should be {expected.shape}.")
        if dtype.kind not in kinds:
            fail("dtype", f"the dtype is {dtype}; it should be {KINDS[expected.dtype.kind]}.")
    elif isinstance(expected, dict):
        # keys other than strings are part of the result, and are compared as values
        named = all(isinstance(key, str) for key in expected)
        if not isinstance(got, dict) or named and set(got) != set(expected):
            if named and isinstance(got, dict) and len(expected) > MOST_KEYS:
                missing, added = (
                    ", ".join(map(repr, sorted(map(str, x)))) or "none"
                    for x in (expected.keys() - got.keys(), got.keys() - expected.keys())
                )
                fail("type", f"it returns a dict with wrong keys. Missing: {missing}; additional: {added}.")
            keys, found = (
                f" with the keys {', '.join(map(repr, x))}" if named and isinstance(x, dict) and x else ""
                for x in (expected, got)
            )
            fail("type", f"it returns {describe(got)}{found}; it should return a dict{keys}.")
        for key in expected.keys() & got.keys():
            form(got[key], expected[key])
    elif isinstance(expected, (int, float, np.number)):
        if not is_number(got) or as_array(got).dtype.kind not in NUMBERS:
            fail("type", f"it returns {describe(got)}; it should return one number.")
    elif (
        isinstance(expected, list)
        and not is_list(got)
        or isinstance(expected, str)
        and not isinstance(got, str)
    ):
        fail("type", f"it returns {describe(got)}; it should return {describe(expected)}.")


def integers(got: Any, expected: Any) -> None:
    """Raise CheckFailed if a correct result contains floats where `expected` contains integers."""
    if isinstance(expected, dict):
        got, expected = ([x[key] for key in expected] for x in (got, expected))
    if isinstance(expected, (list, tuple)):
        for pair in zip(got, expected, strict=True):
            integers(*pair)
    elif as_array(expected).dtype.kind in "iu" and np.size(got) and as_array(got).dtype.kind == "f":
        fail(
            "dtype",
            "your numbers are right, but some are floats where the text asks for integers. NumPy and PyTorch "
            "refuse floats as ids, labels and positions.",
        )


def values(
    check: Specification, answer: Callable, cases: list[tuple], number: int, expected: Any, hidden: bool
) -> Any:
    """Run the student's function on cases[number], and return its result if it agrees with `expected`.

    Otherwise, raise CheckFailed; its message describes a matching known mistake, or else a broken invariant,
    or else the numbers that differ.
    """
    __tracebackhide__ = True
    case, others = cases[number], [*cases[:number][:COMPARED], *cases[number + 1 :][:COMPARED]]
    got = run(answer, case, check.mistakes, others)
    try:
        form(got, expected)
        if agree(got, expected, check.atol):
            if check.whole:
                integers(got, expected)
            return got
    except CheckFailed as failure:  # if the values are right, the message about type, dtype or shape is best
        hint = "" if agree(got, expected) else recognised(check.mistakes, got, case, results(answer, others))
        if hint:
            fail(failure.failure.step, hint)
        if hidden:  # a student could encode a hidden input in the type, keys or shape of a result
            fail(failure.failure.step, f"the {failure.failure.step} of the result is wrong on a fresh input.")
        raise
    hint = recognised(check.mistakes, got, case, results(answer, others), check.atol)
    if not check.parameters:  # the correct result is the answer itself, so it must not be shown
        fail("values", hint or wrong_parts(got, expected, check.atol))
    broken = None if hint else broken_invariant(check, answer, hidden)
    step, sentence = ("invariants", broken.sentence) if broken else ("values", hint)
    if hidden:
        fail(step, sentence or "the values differ from the reference on a fresh input.")
    numbers = gap(got, expected, check.atol)
    where = "" if hint else f"With {called(check.parameters, case)}: {numbers['detail']}"
    example = (
        ""
        if hint
        else smallest(check, answer, small_first(case, cases)) or (broken.example if broken else "")
    )
    fail(step, sentence, **numbers | {"detail": where, "example": example})


def results(answer: Callable, cases: Iterable[tuple]) -> Iterator[tuple[tuple, Any]]:
    """Return an iterator over (arguments, result); the result is None if the function raises an error."""
    return ((case, result(answer, case)) for case in cases)


def small_first(case: tuple, cases: Iterable[tuple]) -> list[tuple]:
    """Return the smallest of the arguments `cases`, smallest first, and then the arguments `case`."""
    return [*sorted(cases, key=size)[:SMALL], case]


def size(value: Any) -> int:
    """Return how many numbers or strings a nested value contains, and at least 1."""
    if isinstance(value, dict):
        return size([*value.values()])
    if isinstance(value, (tuple, list)):
        return max(1, sum(map(size, value)))
    return max(1, value.size) if isinstance(value, np.ndarray) else 1


def wrong_parts(got: Any, expected: Any, atol: float) -> str:
    """Return a sentence that names the wrong parts of a result, without revealing correct values."""
    if not isinstance(expected, (tuple, list)):
        return "this is not the right result yet."
    wrong = [str(i) for i, pair in enumerate(zip(got, expected, strict=False), 1) if not agree(*pair, atol)]
    if not wrong:  # one list is the start of the other
        return f"this is not right yet: {len(got)} is the wrong number of results."
    return f"this is not right yet: of your {len(got)} results, {and_list(wrong)} " + (
        "are wrong." if len(wrong) > 1 else "is wrong."
    )


def broken_invariant(check: Specification, answer: Callable, hidden: bool) -> Failure | None:
    """Return a Failure for the first invariant that the student's function breaks, or None."""
    for invariant in check.tried(hidden):
        try:
            with quiet(True):  # the student has already seen what the answer prints
                holds(invariant, answer, np.random.default_rng(0))
        except CheckFailed as failure:
            return failure.failure
        except Exception:
            continue  # the values already say that something is wrong
    return None


def holds(invariant: Invariant, answer: Any, rng: np.random.Generator, hidden: bool = False) -> None:
    """Raise CheckFailed unless a student's function satisfies an invariant.

    An invariant is a property of all correct answers. The message is the one that the invariant returns, or
    states the invariant and the calls that broke it.
    """
    __tracebackhide__ = True
    noted = RecordingAnswer(answer)
    try:
        verdict = invariant.holds(noted, rng)
    except Exception as error:
        if noted.raised(error) or isinstance(error, (CheckFailed, NotImplementedError)):
            raise
        said = type(error).__name__ if hidden else f"{type(error).__name__}: {error}"
        fail(
            invariant.step,
            f"this should hold, but it cannot be tested on your result ({said}): {invariant.sentence}.",
        )
    if isinstance(verdict, str):
        fail(invariant.step, verdict)
    if not verdict:
        fail(
            invariant.step,
            f"this should hold, but does not: {invariant.sentence}.",
            example="" if hidden else calls_of(answer.__name__, noted.calls),
        )


def repeats(answer: Callable, case: tuple, got: Any, atol: float = 0.0) -> None:
    """Raise CheckFailed unless a second call with the same input gives the same result.

    case, got: the arguments and the result of the first call. atol: the absolute error allowed for measured
    results.
    """
    __tracebackhide__ = True
    if not agree(run(answer, case), got, 2 * atol):
        fail(
            "deterministic",
            "two calls with the same input give different results. Does your function keep data from one "
            "call to the next, or draw random numbers?",
        )
