"""What is known of a failed check: its step, a sentence for the student, and where the numbers differ."""

import textwrap
from dataclasses import dataclass
from typing import Any, NoReturn

WIDTH = 100  # of a message's lines; JupyterLab would break longer ones inside a word
MOST_LINES = 5  # of each part of a message, so that all of it fits on a screen
LONGEST_LINE = 800  # characters, which make 8 lines on the screen
STEPS = (
    "exists",
    "signature",
    "runs",
    "type",
    "dtype",
    "shape",
    "inputs untouched",
    "deterministic",
    "invariants",
    "values",
    "speed",
)


def on_a_screen(text: str) -> str:
    """The text with at most MOST_LINES lines of LONGEST_LINE characters; three dots stand for the rest."""
    half = LONGEST_LINE // 2
    lines = [
        line if len(line) <= LONGEST_LINE else f"{line[:half]} ... {line[-half:]}"
        for line in text.split("\n")
    ]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 2], "...", lines[-1]]
    return "\n".join(lines)


@dataclass(frozen=True)
class Failure:
    """Where a check stopped, and why.

    step: one of STEPS. sentence: what is wrong, for the student. detail: on which input, and by how much.
    example: a call with few numbers that goes wrong, as text. expected, got, largest, where: the numbers
    where the two results differ most, their distance, and the index; None without such a place. picture:
    (expected, got), two arrays (rows, columns) around that place, or None. note: anything else the student
    should know. A hidden check fills in step, sentence and note only. Texts that do not fit on a screen lose
    their middle.
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
        for part in ("sentence", "detail", "example", "note"):
            object.__setattr__(self, part, on_a_screen(getattr(self, part)))

    def __str__(self):
        return "\n".join(
            filter(None, (" ".join(filter(None, (self.sentence, self.detail, self.note))), self.example))
        )


class CheckFailed(AssertionError):
    """A failed check: its message and its `failure`. Notebooks show no traceback of our code for it."""

    def __init__(self, message: str = "", failure: Failure | None = None):
        super().__init__(message)
        self.failure = failure or Failure("runs", message)  # without one, it comes from inside a call
        self.shown = ""  # one line, once a box has shown the rest
        self.error: Exception | None = None  # the student's own, hidden in a hidden check

    def _render_traceback_(self):
        lines = (self.shown or str(self)).split("\n")
        return [part for line in lines for part in textwrap.wrap(line, WIDTH) or [""]]


def fail(step: str, sentence: str = "", **numbers: Any) -> NoReturn:
    """Raise CheckFailed about `step`; the further arguments are those of Failure."""
    failure = Failure(step, sentence, **numbers)
    raise CheckFailed(str(failure), failure)
