"""Take the steps of a check in turn, with the student's own earlier functions or with ours in their place."""

import contextlib
import copy
import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from . import ladder
from .compare import agree, holds_tensors
from .failure import STEPS, CheckFailed, Failure
from .guard import and_list, calling, lending, many, sibling, unwritten
from .known_mistakes import result
from .records import Specification
from .regimes import in_regimes

YOURS = "yours does not pass its own check yet, or gives tensors where NumPy arrays are needed"
YOURS_ALL = "yours do not pass their own checks yet, or give tensors where NumPy arrays are needed"
APART = "with yours, it does not fit together"


def climb(check: Specification, answer: Callable, seed: int, hidden: bool, note: str = "") -> int:
    """Take all steps of a check; return the number of inputs. Raises CheckFailed, with `note` at its end."""
    __tracebackhide__ = True
    try:
        ladder.exists(answer)
        ladder.signature(answer, check.parameters, hidden)
        rng, cases, expected = inputs(check, seed)
        guarded = guarded_answer(check, answer, hidden)
        guarded.container = type(expected[0]) if expected else type(None)
        if check.reference:
            got = compared(check, guarded, cases, expected, hidden)
            ladder.repeats(guarded, cases[-1], got, check.atol)
        else:
            for case in cases:
                ladder.run(guarded, case, check.mistakes)
        for invariant in check.tried(hidden):
            ladder.holds(invariant, guarded, rng, hidden)
        more = beyond(check, seed)
        compare_at_once(check, guarded, more, hidden, cases)
        if check.speed and check.reference:
            check.speed.holds(guarded, check.reference, rng)
    except NotImplementedError as error:
        names = [earlier.name for earlier in check.builds_on] if hidden else None
        missing = Failure("exists", unwritten(error, answer, check.name, names), note=note)
        raise CheckFailed(f"{check.name}: {missing}", missing) from None
    except CheckFailed as failed:
        failure = replace(failed.failure, note=note)
        raise CheckFailed(f"{check.name}: {failure}", failure) from None
    return len(cases) + len(more)


def climb_with_ours(
    check: Specification, answer: Callable, seed: int, hidden: bool, failure: Exception
) -> tuple[int, dict[str, Callable], str, Exception | None]:
    """Climb again with functions of ours lent: (number of inputs, lent, note, None or what failed).

    failure: what ended the first climb.
    """
    lent: dict[str, Callable] = {}
    note = ""
    for ours, why in replacements(check, answer, seed):
        said = f"(Checked with our {and_list(ours)}: {why}.)"
        try:
            with lending(answer, ours):
                return climb(check, answer, seed, hidden, said), ours, said, None
        except Exception as error:
            if why != APART or rung(error) > rung(failure):  # all of ours at once count if they help
                failure, lent, note = error, ours, said
    return 0, lent, note, failure


def rung(error: Exception) -> int:
    """Return how far up the steps of a check an answer came that ends in `error`: an index of STEPS."""
    return STEPS.index(error.failure.step if isinstance(error, CheckFailed) else "runs")


def replacements(
    check: Specification, answer: Callable, seed: int
) -> Iterator[tuple[dict[str, Callable], str]]:
    """Yield (name -> reference, why) to try in place of the student's: what is wrong or missing, then all.

    Two functions that are right may not fit together, for example if one computes in float32.
    """
    lent = functions_to_lend(check, answer, seed)
    if lent:
        yield lent, YOURS if len(lent) == 1 else YOURS_ALL
    ours = lent | {
        earlier.name: earlier.reference
        for earlier in check.builds_on
        if sibling(answer, earlier.name) not in (None, earlier.reference)
    }
    if ours != lent:
        yield ours, APART


def functions_to_lend(check: Specification, answer: Callable, seed: int) -> dict[str, Callable]:
    """Return name -> reference of each function in `builds_on` that is missing, wrong or gives tensors."""
    lent: dict[str, Callable] = {}
    for earlier in check.builds_on:
        theirs = sibling(answer, earlier.name)
        if theirs is not earlier.reference:
            try:
                with lending(answer, lent):
                    climb(earlier, theirs, seed, hidden=True)  # without a function, it fails at once
                    fits = not holds_tensors(result(theirs, inputs(earlier, seed)[1][-1]))
            except Exception:
                fits = False
            if not fits:
                lent[earlier.name] = earlier.reference
    return lent


def inputs(check: Specification, seed: int) -> tuple[np.random.Generator, list[tuple], list[Any]]:
    """Return (rng, cases, expected results), computed before the answer runs for the first time."""
    rng = np.random.default_rng(seed)
    cases = check.cases(rng)
    return (
        rng,
        cases,
        [check.reference(*copy.deepcopy(case)) if check.reference else None for case in cases],
    )


@functools.lru_cache(maxsize=256)
def beyond(check: Specification, seed: int) -> list[tuple[tuple, Any]]:
    """Return (case, right result) of the inputs of a check in other regimes (see `regimes`).

    They are made once an answer gets the cases right, and kept: each bug of a hunt asks for the same ones.
    """
    free = [check.parameters.index(name) for name in check.free]
    return (
        in_regimes(check.cases(np.random.default_rng(seed)), check.reference, free, check.left_out)
        if check.reference
        else []
    )


def guarded_answer(check: Specification, answer: Callable, hidden: bool) -> Any:
    """Wrap the answer (see `guard.calling`) so that it has the exercise's name and carries its trial."""
    guarded: Any = calling(answer, check.own, hidden)
    guarded.__name__ = check.name  # as examples of calls write it
    guarded.trial = check.trial(hidden)
    return guarded


def compared(
    check: Specification,
    guarded: Callable,
    cases: Sequence[tuple],
    expected: Sequence[Any],
    hidden: bool,
    before: Sequence[tuple] = (),
) -> Any:
    """Compare the answer's results with those that are expected; return the last one.

    before: cases that came before these, and were right.
    """
    __tracebackhide__ = True
    got, together = None, [*before, *cases]
    for number, value in enumerate(expected, len(before)):
        got = ladder.values(check, guarded, together, number, value, hidden)
    return got


def compare_at_once(
    check: Specification,
    guarded: Callable,
    pairs: Sequence[tuple[tuple, Any]],
    hidden: bool,
    before: Sequence[tuple],
) -> None:
    """Compare all results, asked for at once; then one by one from the first that is not as expected."""
    __tracebackhide__ = True
    cases, expected = [case for case, _ in pairs], [value for _, value in pairs]
    right, given = 0, many(guarded, copy.deepcopy(cases))
    with contextlib.suppress(Exception):  # it is raised again below, where it is reported
        while right < len(cases) and agree(next(given), expected[right], check.atol):
            right += 1
    compared(check, guarded, cases[right:], expected[right:], hidden, [*before, *cases[:right]])


def share_right(check: Specification, answer: Callable, seed: int, hidden: bool) -> float:
    """Return the share of inputs that come out right, 0 to 1.

    Without a reference: the share of the invariants up to the first broken one.
    """
    rng, cases, expected = inputs(check, seed)
    guarded = guarded_answer(check, answer, hidden)

    def right(step, *args):
        try:
            return step(*args) is not False
        except Exception:
            return False

    if check.reference:
        results = [
            right(lambda case, value: agree(ladder.run(guarded, case), value, check.atol), *pair)
            for pair in zip(cases, expected, strict=True)
        ]
        return float(np.mean(results))
    judged = [invariant for invariant in check.tried(hidden) if invariant.step == "invariants"]
    held = itertools.takewhile(lambda invariant: right(ladder.holds, invariant, guarded, rng), judged)
    return len(list(held)) / max(1, len(judged))
