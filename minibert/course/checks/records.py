"""The records of a check: a known mistake, an invariant, and what an exercise says about its function.

They hold data only, and import no file that works on them. `ladder.py` has the steps of a check, `climb.py`
takes them, and `exercise.py` adds the call.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .speed import Speed


@dataclass(frozen=True)
class Mistake:
    """A known mistake: `function` makes it, and `hint` tells the student about it."""

    hint: str
    function: Callable


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
class Specification:
    """What a check knows about the function that a student writes.

    name and parameters: as the exercise prescribes them. cases(rng): a list of argument tuples. reference:
    the right function, or None if invariants alone decide (random functions). implementations: package
    functions that the answer must not call; it must never call the reference. hints: three of them, from a
    nudge to almost the whole line. builds_on: the specifications of earlier functions that the answer may
    call; if the student's own version of one fails its check, the answer is tried once more with ours in its
    place, then with ours in place of all. speed: a Speed, if the exercise is about speed. atol: how far off
    numbers may be, if a student may measure them. free: the parameters that may be any number, list or text,
    and are tried as such. left_out: the regimes of `regimes` that are not tried.
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

    @property
    def own(self) -> set[Callable]:
        """The package's functions that give the answer: the student's must not call them."""
        edited = (getattr(mistake.function, "right", None) for mistake in self.mistakes)
        return {*self.implementations, *edited, self.reference} - {None}  # type: ignore[arg-type]

    def tried(self, hidden: bool) -> tuple[Invariant, ...]:
        """Return the invariants that a check tries. hidden: after the student has handed in."""
        return self.invariants

    def trial(self, hidden: bool) -> Any:
        """Return what all invariants of one check share; None if they share nothing."""
        return None
