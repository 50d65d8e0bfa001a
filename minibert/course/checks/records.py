"""Dataclasses that describe a check: a known mistake, an invariant, and the specification of an exercise.

They contain only data and do not import the files that use them. `ladder.py` defines the steps of a check,
`climb.py` runs the steps in order, and `exercise.py` makes an exercise callable.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .speed import Speed


@dataclass(frozen=True)
class Mistake:
    """A known mistake: a function that makes it, and a hint that explains it to the student."""

    hint: str
    function: Callable


@dataclass(frozen=True)
class Invariant:
    """A property that every correct answer has, stated in a `sentence`.

    holds(answer, rng): returns True, False, or a sentence that says what is wrong. step: the step of the
    check to which the property belongs, such as "dtype" or "deterministic" (see `failure.STEPS`).
    """

    sentence: str
    holds: Callable
    step: str = "invariants"


@dataclass(frozen=True)
class Specification:
    """The specification of the function that a student writes: its signature, test inputs and known mistakes.

    name, parameters: the function's name and parameters, as the exercise prescribes them.
    cases(rng): returns a list of argument tuples.
    reference: the correct function, or None if invariants alone decide (for random functions).
    implementations: package functions that the answer must not call, in addition to the reference.
    hints: three hints, from a nudge to almost the whole line.
    builds_on: the specifications of earlier functions that the answer may call. If the student's own version
    of one fails its check, the answer is checked again with our version in its place, and
    then with our versions of all these functions.
    speed: a Speed, if the exercise is about speed.
    atol: the absolute error that is allowed where a student may measure numbers.
    free: the parameters that accept any number, list or text, and are therefore varied by `regimes`, too.
    left_out: the names of the kinds of unusual inputs in `regimes` that are skipped.
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
        """The package functions that the student's function must not call, because they give the answer."""
        edited = (getattr(mistake.function, "right", None) for mistake in self.mistakes)
        return {*self.implementations, *edited, self.reference} - {None}  # type: ignore[arg-type]

    def tried(self, hidden: bool) -> tuple[Invariant, ...]:
        """Return the invariants that a check tests. hidden: True if the exercise is being graded."""
        return self.invariants

    def trial(self, hidden: bool) -> Any:
        """Return an object that all invariants of one check share, such as a cache, or None."""
        return None
