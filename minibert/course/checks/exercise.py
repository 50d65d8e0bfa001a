"""Check a function that a student writes: call an `Exercise` with it.

An exercise holds the correct function, inputs that distinguish mistakes, required properties (invariants) in
words, and common student mistakes as small wrong functions. If a result is wrong, the check reports the known
mistake that gives the same result. The fields are defined in `records.py`, the steps of a check in
`ladder.py`, and their order in `climb.py`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from .climb import attempt, share_right
from .display import failed_box, note_box, notebook, opened, passed_box, show
from .error_place import explained
from .failure import CheckFailed, fail
from .guard import lending, students_part
from .hidden_seeds import hidden_seed, visible_seed
from .known_mistakes import pairs
from .records import Invariant, Mistake, Specification
from .speed import Speed
from .tampering import UNTOUCHED

__all__ = ["CheckFailed", "Exercise", "Invariant", "Mistake", "Speed", "pairs"]
FORM = "it runs, returns the right kind of result, and does not change its inputs"
ONLY_THERE = "this is right for the inputs in the notebook, but not for other inputs of the same kind."
TOLD: dict[int, int] = {}  # id of an exercise -> number of its hints that this kernel has shown


@dataclass(frozen=True)
class Exercise(Specification):
    """The check of one function that a student writes; call it with the student's function."""

    def __post_init__(self):
        UNTOUCHED.add(self)

    def __call__(
        self, answer: Callable, seed: int = 0, hidden: bool = False, points: float | None = None
    ) -> float | None:
        """Check the student's function, and return its points (None if `points` is not given).

        answer: the student's function. seed: the seed of the test inputs; a grader replaces it (see
        `hidden_seeds`), and uses it only to describe a failure. hidden: if True, show neither inputs nor
        values. points: the maximum points of the notebook cell, for partial
        credit. If given, a failed check is shown but not raised; nbgrader reads the returned points if the
        call is the last line of the cell. A passed check earns all points. A failed check earns at most half
        of them, in proportion to the inputs for which the function is correct (or, without a reference
        function, to the invariants that hold before the first broken one), rounded down to tenths.
        """
        __tracebackhide__ = True
        lent: dict[str, Callable] = {}
        note = ""
        drawn = hidden_seed(seed) if hidden else self.drawn(seed)
        try:
            UNTOUCHED.look()
            cases, lent, note, failure = attempt(self, answer, drawn, hidden)
            if failure and not hidden and drawn != seed:  # describe it with the inputs that the student sees
                note, failure = attempt(self, answer, seed, hidden)[2:]
                if not failure:
                    fail("values", ONLY_THERE)
            if failure:
                raise failure from None
            UNTOUCHED.look()
        except CheckFailed as failed:
            failed = CheckFailed(f"{self.name}: {failed.failure}", failed.failure)
            if points is None:
                raise self._shown(failed) from None
            show(str(failed), failed_box(self.name, failed.failure))
            if failed.failure.step in ("exists", "signature"):  # there is no function that could run
                return 0.0
            with lending(answer, lent):
                return math.floor(5 * points * self.share(answer, drawn, hidden)) / 10
        except Exception as error:
            place, hint = explained(error), getattr(error, "hint", "")
            said = " ".join(filter(None, (place, opened(hint) if place else hint, note)))
            if said:
                show(f"{self.name}: {said}", note_box(f"{self.name}: about the error below", said))
            error.__traceback__ = students_part(error)
            raise
        self._passed(cases, hidden, note)
        return None if points is None else float(points)

    def drawn(self, seed: int) -> int:
        """Return the seed that a visible check uses instead of `seed`; they differ only while grading."""
        return visible_seed(seed)

    def _shown(self, failed):
        """In a notebook, show the failure as a box and shorten the exception's text; return the exception."""
        if notebook():
            show(str(failed), failed_box(self.name, failed.failure))
            failed.shown = f"{self.name}: not passed yet; see the box above."
        return failed

    def _passed(self, cases, hidden, note):
        verified = [FORM, *(invariant.sentence for invariant in self.tried(hidden))]
        if self.reference:
            verified += [f"it gives the same results as the reference on {cases} input{'s' * (cases > 1)}"]
        verified = [] if hidden else verified + ([self.speed.sentence] if self.speed else [])
        show(
            "\n  - ".join([f"{self.name}: passed. {note}".strip(), *verified]),
            passed_box(self.name, note, verified),
        )

    def share(self, answer: Callable, seed: int, hidden: bool) -> float:
        """Return the share of an exercise (0 to 1) that a failing function solves, for partial credit."""
        return share_right(self, answer, seed, hidden)

    def hint(self, number: int | None = None) -> None:
        """Show the next hint, or the hint with the given number (from 1). Later hints reveal more."""
        if number is not None and not 1 <= number <= len(self.hints):
            raise ValueError(f"there is no hint {number}; {self.name} has hints 1 to {len(self.hints)}")
        if number is None:
            number = TOLD[id(self)] = min(TOLD.get(id(self), 0) + 1, len(self.hints))
        heading = f"{self.name}: hint {number} of {len(self.hints)}"
        text = (
            self.hints[number - 1]
            if self.hints
            else "this exercise has no hints. Run the check and read its message."
        )
        show(f"{heading}: {text}", note_box(heading, text))
