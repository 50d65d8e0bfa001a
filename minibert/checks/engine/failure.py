"""What a failed check knows: the step of the ladder it stands on, a sentence for the learner, and where the
numbers differ.
"""
import textwrap
from dataclasses import dataclass

WIDTH = 100     # of a message's lines; JupyterLab would break longer ones inside a word
STEPS = ("exists", "signature", "runs", "type", "dtype", "shape", "inputs untouched", "deterministic",
         "invariants",
         "values", "speed")


@dataclass(frozen=True)
class Failure:
    """Where a check stopped.

    step: one of STEPS. sentence: what is wrong, for the learner. detail: on which input, and by how much.
    example: a call with few numbers that goes wrong, as text. expected, got, largest, where: the numbers
    where the two differ most, their distance, and the index; None without such a place. picture: (expected,
    got), two arrays (rows, columns) around that place, or None. note: what else is to be known. A hidden
    check leaves out the rest.
    """

    step: str
    sentence: str
    detail: str = ""
    example: str = ""
    expected: float | None = None
    got: float | None = None
    largest: float | None = None
    where: tuple | None = None
    picture: tuple | None = None
    note: str = ""

    def __post_init__(self):
        if self.step not in STEPS:
            raise ValueError(f"step {self.step!r}: the steps are {', '.join(STEPS)}")

    def __str__(self):
        return "\n".join(filter(None, (" ".join(filter(None, (self.sentence, self.detail, self.note))),
                                       self.example)))


class CheckFailed(AssertionError):
    """A failed check: its message, and the `failure` it stands for. Notebooks show no traceback of our
    code.
    """

    def __init__(self, message="", failure=None):
        super().__init__(message)
        self.failure = failure or Failure("runs", message)  # made without one, it comes from inside a call
        self.shown = ""                                             # one line, once a box has told the rest
        self.error = None                                           # hers, which a hidden check does not show

    def _render_traceback_(self):
        return [part for line in (self.shown or str(self)).split("\n") for part in textwrap.wrap(line, WIDTH)
                or [""]]


def fail(step, sentence="", **numbers):
    """Raise CheckFailed about `step`; the further arguments are Failure's."""
    failure = Failure(step, sentence, **numbers)
    raise CheckFailed(str(failure), failure)
