"""One `Exercise` per function that a student writes; calling it checks an answer and shows the result.

An exercise holds the reference, inputs that tell mistakes apart, invariants stated in words, and the known
mistakes as small wrong implementations: when a value is wrong, the check runs those on the same input and
names the one that gives the student's result. The steps of a check are in `ladder.py`.
"""

import contextlib
import copy
import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from . import ladder
from .compare import agree, holds_tensors
from .display import failed_box, note_box, notebook, passed_box, show
from .failure import STEPS, CheckFailed, Failure
from .guard import and_list, calling, lending, many, sibling, students_part, unwritten
from .hidden_seeds import hidden_seed
from .known_mistakes import Mistake, pairs, result
from .regimes import in_regimes
from .speed import Speed
from .tampering import UNTOUCHED

__all__ = ["CheckFailed", "Exercise", "Invariant", "Mistake", "Speed", "pairs"]
FORM = "it runs, returns the right kind of result, and leaves its inputs alone"
YOURS = "yours does not pass its own check yet, or gives tensors where NumPy arrays are needed"
APART = "with yours, it does not fit together"
YOURS_ALL = "yours do not pass their own checks yet, or give tensors where NumPy arrays are needed"
TOLD: dict[int, int] = {}  # id of an exercise -> how many of its hints this kernel has shown


def rung(error: Exception) -> int:
    """How far up the steps of a check an answer came that ends in `error`: an index of STEPS."""
    return STEPS.index(error.failure.step if isinstance(error, CheckFailed) else "runs")


@dataclass(frozen=True)
class Invariant:
    """A property that every right answer has, stated in a `sentence`.

    holds(answer, rng): returns True, False, or a sentence that says what is wrong. step: the step of the
    check that it belongs to, such as "dtype" or "deterministic" (see `failure.STEPS`).
    """

    sentence: str
    holds: Callable
    step: str = "invariants"


@dataclass(frozen=True)
class Exercise:
    """The check of one function: call it with the student's function.

    It shows what was verified, or raises CheckFailed. name and parameters: as the exercise prescribes them.
    cases(rng): a list of argument tuples. reference: the right function, or None where invariants alone
    decide (random functions). implementations: package functions that the answer must not call; it must
    never call the reference. hints: three of them, from a nudge to almost the whole line. builds_on: earlier
    exercises whose functions the answer may call; where the student's own version of one fails its check,
    the answer is tried once more with ours in its place, then with ours in place of all.
    speed: a Speed, where the exercise is about speed. atol: how far off numbers may be, where a student may
    measure them. free: the parameters that may be any number, list or text, and are tried as such.
    left_out: the regimes of `regimes` that are not tried.
    """

    name: str
    parameters: tuple
    cases: Callable
    reference: Callable | None = None
    invariants: tuple = ()
    mistakes: tuple = ()
    implementations: tuple = ()
    hints: tuple = field(default=())
    builds_on: tuple = ()
    speed: Speed | None = None
    atol: float = 0.0
    free: tuple = ()
    left_out: tuple = ()

    def __post_init__(self):
        UNTOUCHED.add(self)

    def tried(self, hidden: bool) -> tuple[Invariant, ...]:
        """The invariants that a check tries. hidden: after the student has handed in."""
        return self.invariants

    def __call__(
        self, answer: Callable, seed: int = 0, hidden: bool = False, points: float | None = None
    ) -> float | None:
        """Check `answer`; return the points it earns, or None without `points`.

        seed: of the inputs that are drawn (see `hidden_seeds`). hidden: show neither inputs nor values.
        points: of the cell, for partial credit. With them, a failed check is shown but not raised, and the
        points earned are returned, which nbgrader reads where the call ends a cell: all points for a passed
        check, otherwise at most half of them, in proportion to the inputs that come out right (without a
        reference: to the invariants up to the first broken one), rounded down to tenths.
        """
        __tracebackhide__ = True
        lent, note = {}, ""
        seed = hidden_seed(seed) if hidden else seed
        try:
            UNTOUCHED.look()
            try:
                cases = self._climb(answer, seed, hidden)
            except Exception as first:
                cases, lent, note, failure = self._climb_with_ours(answer, seed, hidden, first)
                if failure:
                    raise failure from None
            UNTOUCHED.look()
        except CheckFailed as failed:
            failed = CheckFailed(f"{self.name}: {failed.failure}", failed.failure)
            if points is None:
                raise self._shown(failed) from None
            show(str(failed), failed_box(self.name, failed.failure))
            if failed.failure.step in ("exists", "signature"):  # no function to try, or a trick
                return 0.0
            with lending(answer, lent):
                return math.floor(5 * points * self._share(answer, seed, hidden)) / 10
        except Exception as error:
            hint = getattr(error, "hint", "")
            if hint or note:
                said = f"{hint} {note}".strip()
                show(f"{self.name}: {said}", note_box(f"{self.name}: about the error below", said))
            error.__traceback__ = students_part(error)
            raise
        self._passed(cases, hidden, note)
        return None if points is None else float(points)

    def _shown(self, failed):
        """Show the failure as a box in a notebook, where the exception then needs one line only."""
        if notebook():
            show(str(failed), failed_box(self.name, failed.failure))
            failed.shown = f"{self.name}: not yet, see above."
        return failed

    def _passed(self, cases, hidden, note):
        verified = [FORM, *(invariant.sentence for invariant in self.tried(hidden))]
        if self.reference:
            verified += [f"it equals the reference on {cases} input{'s' * (cases > 1)}"]
        verified = [] if hidden else verified + ([self.speed.sentence] if self.speed else [])
        show(
            "\n  - ".join([f"{self.name}: passed. {note}".strip(), *verified]),
            passed_box(self.name, note, verified),
        )

    def _climb(self, answer, seed, hidden, note=""):
        """Take all steps of the check; return the number of inputs. `note` ends a failure's message."""
        __tracebackhide__ = True
        try:
            ladder.exists(answer)
            ladder.signature(answer, self.parameters, hidden)
            rng, cases, expected = self._inputs(seed)
            guarded = self._guarded(answer, hidden)
            guarded.container = type(expected[0]) if expected else type(None)
            if self.reference:
                got = self._compared(guarded, cases, expected, hidden)
                ladder.repeats(guarded, cases[-1], got, self.atol)
            else:
                for case in cases:
                    ladder.run(guarded, case, self.mistakes)
            for invariant in self.tried(hidden):
                ladder.holds(invariant, guarded, rng, hidden)
            more = beyond(self, seed)
            self._compared_at_once(guarded, more, hidden, cases)
            if self.speed:
                self.speed.holds(guarded, self.reference, rng)
        except NotImplementedError as error:
            said = unwritten(
                error, answer, self.name, [exercise.name for exercise in self.builds_on] if hidden else None
            )
            missing = Failure("exists", said, note=note)
            raise CheckFailed(f"{self.name}: {missing}", missing) from None
        except CheckFailed as failed:
            failure = replace(failed.failure, note=note)
            raise CheckFailed(f"{self.name}: {failure}", failure) from None
        return len(cases) + len(more)

    def _compared(self, guarded, cases, expected, hidden, before=()):
        """Compare the answer's results with those that are expected; return the last one."""
        __tracebackhide__ = True
        got, together = None, [*before, *cases]
        for number, value in enumerate(expected, len(before)):
            got = ladder.values(self, guarded, together, number, value, hidden)
        return got

    def _compared_at_once(self, guarded, pairs, hidden, before):
        """Compare all results, asked for at once; then one by one from the first that is not as expected."""
        __tracebackhide__ = True
        cases, expected = [case for case, _ in pairs], [value for _, value in pairs]
        right, given = 0, many(guarded, copy.deepcopy(cases))
        with contextlib.suppress(Exception):  # it comes again below, where it is told
            while right < len(cases) and agree(next(given), expected[right], self.atol):
                right += 1
        self._compared(guarded, cases[right:], expected[right:], hidden, [*before, *cases[:right]])

    def _inputs(self, seed):
        """Return (rng, cases, expected results), computed before the answer runs for the first time."""
        rng = np.random.default_rng(seed)
        cases = self.cases(rng)
        return (
            rng,
            cases,
            [self.reference(*copy.deepcopy(case)) if self.reference else None for case in cases],
        )

    def _guarded(self, answer, hidden):
        guarded = calling(answer, {*self.implementations, *filter(None, [self.reference])}, hidden)
        guarded.__name__ = self.name  # as examples of calls write it
        return guarded

    def _share(self, answer, seed, hidden):
        """The share of inputs, or of invariants up to the first broken one, that come out right, 0 to 1."""
        rng, cases, expected = self._inputs(seed)
        guarded = self._guarded(answer, hidden)

        def right(step, *args):
            try:
                return step(*args) is not False
            except Exception:
                return False

        if self.reference:
            return np.mean(
                [
                    right(lambda case, value: agree(ladder.run(guarded, case), value, self.atol), *pair)
                    for pair in zip(cases, expected, strict=True)
                ]
            )
        judged = [invariant for invariant in self.tried(hidden) if invariant.step == "invariants"]
        held = itertools.takewhile(lambda invariant: right(ladder.holds, invariant, guarded, rng), judged)
        return len(list(held)) / max(1, len(judged))

    def _lent(self, answer, seed):
        """Name -> reference of each exercise in `builds_on` that is missing, wrong or gives tensors."""
        lent = {}
        for exercise in self.builds_on:
            theirs = sibling(answer, exercise.name)
            if theirs is not exercise.reference:
                try:
                    with lending(answer, lent):
                        exercise._climb(theirs, seed, hidden=True)  # without a function, it fails at once
                        fits = not holds_tensors(result(theirs, exercise._inputs(seed)[1][-1]))
                except Exception:
                    fits = False
                if not fits:
                    lent[exercise.name] = exercise.reference
        return lent

    def _climb_with_ours(self, answer, seed, hidden, failure):
        """Climb again with functions of ours lent: (number of inputs, lent, note, None or what failed)."""
        lent, note = {}, ""
        for ours, why in self._replacements(answer, seed):
            said = f"(Checked with our {and_list(ours)}: {why}.)"
            try:
                with lending(answer, ours):
                    return self._climb(answer, seed, hidden, said), ours, said, None
            except Exception as error:
                if why != APART or rung(error) > rung(failure):  # all of ours at once count if they help
                    failure, lent, note = error, ours, said
        return 0, lent, note, failure

    def _replacements(self, answer, seed):
        """Yield (name -> reference, why) of what to try in place of hers: what is wrong or missing, then all.

        Two that are right may not fit together, as where one computes in float32.
        """
        lent = self._lent(answer, seed)
        if lent:
            yield lent, YOURS if len(lent) == 1 else YOURS_ALL
        ours = lent | {
            exercise.name: exercise.reference
            for exercise in self.builds_on
            if sibling(answer, exercise.name) not in (None, exercise.reference)
        }
        if ours != lent:
            yield ours, APART

    def hint(self, number: int | None = None) -> None:
        """Show the next hint, or the hint with this number, 1 to len(hints); later ones say more."""
        if number is not None and not 1 <= number <= len(self.hints):
            raise ValueError(f"hint {number}: {self.name} has hints 1 to {len(self.hints)}")
        if number is None:
            number = TOLD[id(self)] = min(TOLD.get(id(self), 0) + 1, len(self.hints))
        heading = f"{self.name}: hint {number} of {len(self.hints)}"
        text = (
            self.hints[number - 1]
            if self.hints
            else "there are no hints here; run the check and read its message."
        )
        show(f"{heading}: {text}", note_box(heading, text))


@functools.lru_cache(maxsize=256)
def beyond(check: Exercise, seed: int) -> list[tuple[tuple, Any]]:
    """(case, right result) of the inputs of a check in other regimes (see `regimes`).

    They are made where an answer gets the cases right, and kept: each bug of a hunt asks for the same ones.
    """
    free = [check.parameters.index(name) for name in check.free]
    return (
        in_regimes(check.cases(np.random.default_rng(seed)), check.reference, free, check.left_out)
        if check.reference
        else []
    )
