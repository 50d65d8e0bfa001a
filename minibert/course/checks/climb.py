"""Run the steps of a check in order, with the student's earlier functions or with the package's."""

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
from .guard import and_list, calling, lending, many, not_written_message, sibling
from .known_mistakes import result
from .records import Specification
from .regimes import in_regimes

FAILING = ("does not pass its own check yet", "do not pass their own checks yet")  # for one, for several
TENSORS = ("returns tensors instead of NumPy arrays", "return tensors instead of NumPy arrays")
APART = "together with yours, this function does not pass"
COMPUTED: list[tuple[Specification, int]] = []  # the arguments for which `beyond` has computed its result


def climb(check: Specification, answer: Callable, seed: int, hidden: bool, note: str = "") -> int:
    """Run all steps of a check on a student's function, and return the number of inputs tested.

    answer: the student's function. Raises CheckFailed, whose message ends with `note`, if a step fails.
    """
    __tracebackhide__ = True
    try:
        ladder.exists(answer)
        ladder.signature(answer, check.parameters, hidden)
        rng, cases, expected = inputs(check, seed)
        guarded = guarded_answer(check, answer, hidden)
        guarded.wanted = expected[0] if expected else None
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
        missing = Failure("exists", not_written_message(error, answer, check.name, names), note=note)
        raise CheckFailed(f"{check.name}: {missing}", missing) from None
    except CheckFailed as failed:
        failure = replace(failed.failure, note=note)
        raise CheckFailed(f"{check.name}: {failure}", failure) from None
    return len(cases) + len(more)


def attempt(
    check: Specification, answer: Callable, seed: int, hidden: bool
) -> tuple[int, dict[str, Callable], str, Exception | None]:
    """Run a check and, if it fails, repeat it with some of the student's earlier functions replaced by ours.

    Returns (number of inputs tested, the package's functions that were used, by name, note for the student,
    error or None).
    """
    lent: dict[str, Callable] = {}
    note = ""
    try:
        return climb(check, answer, seed, hidden), lent, note, None
    except Exception as error:
        failure = error
    for ours, why in replacements(check, answer, seed):
        said = f"(Checked with our {and_list(ours)}: {why}.)"
        try:
            with lending(answer, ours):
                return climb(check, answer, seed, hidden, said), ours, said, None
        except Exception as error:
            # replacing all of them counts only if the answer then gets further
            if why != APART or rung(error) > rung(failure):
                failure, lent, note = error, ours, said
    return 0, lent, note, failure


def rung(error: Exception) -> int:
    """Return the position in STEPS of the step at which a check raised `error`."""
    return STEPS.index(error.failure.step if isinstance(error, CheckFailed) else "runs")


def replacements(
    check: Specification, answer: Callable, seed: int
) -> Iterator[tuple[dict[str, Callable], str]]:
    """Yield (replacements, reason) pairs to try in place of the student's earlier functions.

    Replacements map names to the package's functions. The first pair replaces the functions that are missing
    or wrong; the second replaces all, because correct functions may not work together, for example if one of
    them computes in float32.
    """
    lent, reasons = functions_to_lend(check, answer, seed)
    if lent:
        yield lent, "yours " + ", or ".join(reason[len(lent) > 1] for reason in reasons)
    ours = lent | {
        earlier.name: earlier.reference
        for earlier in check.builds_on
        if sibling(answer, earlier.name) not in (None, earlier.reference)
    }
    if ours != lent:
        yield ours, APART


def functions_to_lend(
    check: Specification, answer: Callable, seed: int
) -> tuple[dict[str, Callable], list[tuple[str, str]]]:
    """Return the package's versions of the student's earlier functions that cannot be used, and the reasons.

    A function cannot be used if it is missing, is wrong or returns tensors. Returns (functions by name, list
    of the reasons that apply: FAILING, TENSORS).
    """
    lent: dict[str, Callable] = {}
    reasons: list[tuple[str, str]] = []
    for earlier in check.builds_on:
        theirs = sibling(answer, earlier.name)
        if theirs is not earlier.reference:
            try:
                with lending(answer, lent):
                    climb(earlier, theirs, seed, hidden=True)  # fails in its first step if there is none
                    reason = TENSORS if holds_tensors(result(theirs, inputs(earlier, seed)[1][-1])) else None
            except Exception:
                reason = FAILING
            if reason:
                lent[earlier.name] = earlier.reference
                reasons += [reason] * (reason not in reasons)
    return lent, reasons


def inputs(check: Specification, seed: int) -> tuple[np.random.Generator, list[tuple], list[Any]]:
    """Return (random generator, test inputs, expected results) for a check.

    The expected results are None if the check has no reference function.
    """
    rng = np.random.default_rng(seed)
    cases = [*(case for case, _ in check.examples), *check.cases(rng)]
    return (
        rng,
        cases,
        [check.reference(*copy.deepcopy(case)) if check.reference else None for case in cases],
    )


@functools.lru_cache(maxsize=256)
def beyond(check: Specification, seed: int) -> list[tuple[tuple, Any]]:
    """Return pairs (input, correct result) for unusual variants of a check's inputs, such as tiny numbers.

    They are cached, because a bug-hunt exercise uses the same pairs for each bug.
    """
    COMPUTED.append((check, seed))
    free = [check.parameters.index(name) for name in check.free]
    return (
        in_regimes(
            check.cases(np.random.default_rng(seed)), check.reference, free, check.left_out, check.allowed
        )
        if check.reference
        else []
    )


def guarded_answer(check: Specification, answer: Callable, hidden: bool) -> Any:
    """Return a wrapper of the student's function that cannot call the package's solution.

    The wrapper's attribute `trial` is an object that all invariants of the check share.
    """
    guarded: Any = calling(answer, check.own, hidden)
    guarded.__name__ = check.name  # this name appears in example calls
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
    """Compare the student's results with the expected ones, and return the last result.

    guarded: the student's function, wrapped by `guarded_answer`. before: earlier inputs, for which the
    results were correct. Raises CheckFailed for the first wrong result.
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
    """Compare all results in one request; from the first wrong one on, compare one by one.

    pairs: (input, expected result) pairs. before: earlier inputs, for which the results were correct. Raises
    CheckFailed for a wrong result.
    """
    __tracebackhide__ = True
    cases, expected = [case for case, _ in pairs], [value for _, value in pairs]
    right, given = 0, many(guarded, copy.deepcopy(cases))
    with contextlib.suppress(Exception):  # `compared` raises it again and reports it
        while right < len(cases) and agree(next(given), expected[right], check.atol):
            right += 1
    compared(check, guarded, cases[right:], expected[right:], hidden, [*before, *cases[:right]])


def share_right(check: Specification, answer: Callable, seed: int, hidden: bool) -> float:
    """Return the share of inputs, 0 to 1, for which the student's function is correct.

    Without a reference function, return the share of invariants that hold before the first broken one.
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
