"""Dataclasses that describe a check: a known mistake, an invariant, and an exercise's specification."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .speed import Speed


@dataclass(frozen=True)
class Mistake:
    """A typical mistake: a function that makes the mistake, and a hint that explains it to the student."""

    hint: str
    function: Callable


@dataclass(frozen=True)
class Invariant:
    """A property that every correct answer has, stated in a `sentence`.

    holds(answer, rng): tests the student's function, and returns True, False, or a sentence that explains
    what is wrong. step: the step of the check, such as "dtype" or "deterministic" (see `failure.STEPS`).
    """

    sentence: str
    holds: Callable
    step: str = "invariants"


def anything(*_arguments: Any) -> bool:
    """Allow every input."""
    return True


@dataclass(frozen=True)
class Specification:
    """What a student's function must do: its signature, test inputs, properties and known mistakes.

    name, parameters: the function's name and parameters, as the exercise prescribes them.
    cases(rng): returns the test inputs as a list of argument tuples.
    examples: the examples in the exercise's text, as (arguments, result), rounded as they are there. They are
    the first test inputs.
    reference: the correct function, or None if only the invariants are checked (for random functions).
    invariants: properties of every correct solution. mistakes: typical mistakes, each with a hint.
    implementations: package functions that the student's function must not call, besides `reference`.
    hints: three hints; the last gives away almost the whole line.
    builds_on: the specifications of earlier functions that this one may call. If the student's version of an
    earlier function fails its check, the check is repeated with the package's version of that function, and
    then with the package's versions of all of them.
    speed: a limit on the CPU time, if the exercise is about speed.
    atol: the absolute error that is allowed in numbers that the student may measure.
    free: the names of parameters that accept any number, list or string, so that `regimes` varies them, too.
    allowed(*arguments): whether the text of the exercise allows this input, which has the types and axes
    of those in `cases`. Only such variants of the inputs are tried or shown.
    left_out: the names of the kinds of unusual inputs in `regimes` that are skipped.
    whole: whether floats are refused for the integers in the results, such as ids, labels and positions.
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
    allowed: Callable = anything
    whole: bool = False
    examples: tuple = field(default=(), compare=False)  # arrays cannot be hashed

    @property
    def own(self) -> set[Callable]:
        """Return the package functions that the student may not call, because they give the answer."""
        edited = (getattr(mistake.function, "right", None) for mistake in self.mistakes)
        return {*self.implementations, *edited, self.reference} - {None}  # type: ignore[arg-type]

    def tried(self, hidden: bool) -> tuple[Invariant, ...]:
        """Return the invariants (required properties) that a check tests; `hidden` is True in grading."""
        return self.invariants

    def trial(self, hidden: bool) -> Any:
        """Return an object that the invariants of one check share, such as a cache, or None."""
        return None
