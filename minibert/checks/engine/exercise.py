"""One `Exercise` per function that a student writes: what its check needs to climb the ladder, and how it
ends.

It holds the reference, inputs that tell mistakes apart, invariants said in words, and the known mistakes as
small wrong implementations: when a value is wrong, the check runs those on the same input and names the one
that gives the student's result. The steps themselves stand in `ladder.py`.
"""
import copy
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from . import ladder
from .compare import close
from .display import failed_box, note_box, notebook, passed_box, show
from .failure import CheckFailed, Failure
from .guard import calling, lending, sibling, unwritten
from .known_mistakes import Mistake, pairs
from .speed import Speed
from .tampering import UNTOUCHED

__all__ = ["CheckFailed", "Exercise", "Invariant", "Mistake", "Speed", "pairs"]
FORM = "it runs, returns the right kind of result, and leaves its inputs alone"
TOLD: dict[int, int] = {}       # id of an exercise -> how many of its hints this kernel has shown


@dataclass(frozen=True)
class Invariant:
    """What must hold, as a `sentence`; `holds(answer, rng)` returns True, False, or a sentence about the
    mistake.

    step: where it stands on the ladder, such as "dtype" or "deterministic" (see `failure.STEPS`).
    """

    sentence: str
    holds: Callable
    step: str = "invariants"


@dataclass(frozen=True)
class Exercise:
    """The check of one function; calling it with the student's function shows what was verified or raises
    CheckFailed.

    name and parameters: as the exercise fixes them. cases(rng): list of argument tuples. reference: the right
    function, or None where only invariants decide (random functions). implementations: package functions that
    must not be called (the reference never may). hints: three, from a nudge to nearly the line. builds_on:
    earlier exercises whose functions the answer may call; where the student's own version of one fails its
    check, the answer is tried once more with ours in its place. speed: a Speed, where the exercise is about
    it.
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

    def __post_init__(self):
        UNTOUCHED.add(self)

    def tried(self, hidden):
        """The invariants that a check tries: while working, or after handing in (`hidden`)."""
        return self.invariants

    def __call__(self, answer, seed=0, hidden=False, points=None):
        """Check `answer`. seed: of the inputs drawn; hidden: inputs and values are not shown.

        points: of the cell, for partial credit; then a failed check is shown but not raised, and the points
        earned are returned, which nbgrader reads where the call ends a cell: all for a passed check, else at
        most half of them, in proportion to the inputs that come out right (where there is no reference: to
        the invariants up to the first broken one), cut to tenths.
        """
        __tracebackhide__ = True
        lent, note = {}, ""
        try:
            UNTOUCHED.look()
            try:
                cases = self._climb(answer, seed, hidden)
            except Exception:
                lent = self._lent(answer, seed)
                if not lent:
                    raise
                yours = "does not pass its own check" if len(lent) == 1 else "do not pass their own checks"
                note = f"(Checked with our {' and '.join(lent)}: yours {yours} yet.)"
                with lending(answer, lent):
                    cases = self._climb(answer, seed, hidden, note)
            UNTOUCHED.look()
        except CheckFailed as failed:
            failed = CheckFailed(f"{self.name}: {failed.failure}", failed.failure)
            if points is None:
                raise self._shown(failed) from None
            show(str(failed), failed_box(self.name, failed.failure))
            if failed.failure.step in ("exists", "signature"):  # nothing that could be right, or a trick
                return 0.0
            with lending(answer, lent):
                return math.floor(5 * points * self._share(answer, seed, hidden)) / 10
        except Exception as error:
            hint = getattr(error, "hint", "")
            if hint or note:
                said = f"{hint} {note}".strip()
                show(f"{self.name}: {said}", note_box(f"{self.name}: about the error below", said))
            raise
        self._passed(cases, hidden, note)
        return None if points is None else float(points)

    def _shown(self, failed):
        """The failure, shown as a box where a notebook runs; its own text is then one line."""
        if notebook():
            show(str(failed), failed_box(self.name, failed.failure))
            failed.shown = f"{self.name}: not yet, see above."
        return failed

    def _passed(self, cases, hidden, note):
        verified = [FORM, *(invariant.sentence for invariant in self.tried(hidden))]
        if self.reference:
            verified += [f"it equals the reference on {cases} input{'s' * (cases > 1)}"]
        verified = [] if hidden else verified + ([self.speed.sentence] if self.speed else [])
        show("\n  - ".join([f"{self.name}: passed. {note}".strip(), *verified]),
             passed_box(self.name, note, verified))

    def _climb(self, answer, seed, hidden, note=""):
        """All steps of the ladder; returns the number of inputs tried. `note` ends the message of a
        failure.
        """
        __tracebackhide__ = True
        try:
            ladder.exists(answer)
            ladder.signature(answer, self.parameters)
            rng, cases, expected = self._inputs(seed)
            guarded = self._guarded(answer, hidden)
            for number, case in enumerate(cases):
                if self.reference:
                    got = ladder.values(self, guarded, cases, number, expected[number], hidden)
                else:
                    ladder.run(guarded, case, self.mistakes)
            if self.reference:
                ladder.repeats(guarded, cases[-1], got)
            for invariant in self.tried(hidden):
                ladder.holds(invariant, guarded, rng, hidden)
            if self.speed:
                self.speed.holds(guarded, self.reference, rng)
        except NotImplementedError as error:
            missing = Failure("exists", unwritten(error, answer, self.name), note=note)
            raise CheckFailed(f"{self.name}: {missing}", missing) from None
        except CheckFailed as failed:
            failure = replace(failed.failure, note=note)
            raise CheckFailed(f"{self.name}: {failure}", failure) from None
        return len(cases)

    def _inputs(self, seed):
        """(rng, cases, expected): what the answer should give is known before it runs for the first time."""
        rng = np.random.default_rng(seed)
        cases = self.cases(rng)
        return rng, cases, [self.reference(*copy.deepcopy(case)) if self.reference else None
                            for case in cases]

    def _guarded(self, answer, hidden):
        guarded = calling(answer, {*self.implementations, *filter(None, [self.reference])}, hidden)
        guarded.__name__ = self.name  # as examples of calls write it
        return guarded

    def _share(self, answer, seed, hidden):
        """How much of it is right, 0 to 1: of the inputs, or of the invariants up to the first broken one."""
        rng, cases, expected = self._inputs(seed)
        guarded = self._guarded(answer, hidden)

        def right(step, *args):
            try:
                return step(*args) is not False
            except Exception:
                return False
        if self.reference:
            return np.mean([right(lambda case, value: close(ladder.run(guarded, case), value), *pair)
                            for pair in zip(cases, expected, strict=True)])
        judged = [invariant for invariant in self.tried(hidden) if invariant.step == "invariants"]
        held = itertools.takewhile(lambda invariant: right(ladder.holds, invariant, guarded, rng), judged)
        return len(list(held)) / max(1, len(judged))

    def _lent(self, answer, seed):
        """Name -> reference of each exercise in `builds_on` whose version among the student's names fails its
        check.
        """
        lent = {}
        for exercise in self.builds_on:
            theirs = sibling(answer, exercise.name)
            if theirs is not None and theirs is not exercise.reference:
                try:
                    with lending(answer, lent):
                        exercise._climb(theirs, seed, hidden=True)
                except Exception:
                    lent[exercise.name] = exercise.reference
        return lent

    def hint(self, number=None):
        """Show the next of the hints, or the one with this number, 1 to len(hints); later ones say more."""
        if number is not None and not 1 <= number <= len(self.hints):
            raise ValueError(f"hint {number}: {self.name} has hints 1 to {len(self.hints)}")
        if number is None:
            number = TOLD[id(self)] = min(TOLD.get(id(self), 0) + 1, len(self.hints))
        heading = f"{self.name}: hint {number} of {len(self.hints)}"
        text = (self.hints[number - 1] if self.hints
                else "no hints here; run the check, and read what it says.")
        show(f"{heading}: {text}", note_box(heading, text))
