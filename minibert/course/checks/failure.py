"""Describe a failed check: the step, a sentence for the student, and where the numbers differ."""

import textwrap
from dataclasses import dataclass
from typing import Any, NoReturn

WIDTH = 100  # characters per line of a message; JupyterLab would break longer lines inside a word
MOST_LINES = 5  # lines per part of a message, so that the whole message fits on a screen
LONGEST_LINE = 800  # characters, which take 8 lines on the screen
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
    """Shorten `text` to MOST_LINES lines of LONGEST_LINE characters, with an ellipsis for each omission."""
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
    """The step at which a check failed, and the reason.

    step: one of STEPS. sentence: what is wrong, for the student. detail: for which input the result is wrong,
    and by how much. example: a short call with a wrong result. expected, got, largest, where: the two numbers
    that differ most, their difference and their index, or None. picture: (expected, got), two arrays (rows,
    columns) around that index, or None. note: anything else the student should know. A hidden check sets only
    step, sentence and note. Strings too long for a screen are shortened in the middle.
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
            raise ValueError(f"unknown step {self.step!r}; the steps are {', '.join(STEPS)}")
        for part in ("sentence", "detail", "example", "note"):
            object.__setattr__(self, part, on_a_screen(getattr(self, part)))

    def __str__(self):
        return "\n".join(
            filter(None, (" ".join(filter(None, (self.sentence, self.detail, self.note))), self.example))
        )


class CheckFailed(AssertionError):
    """The error that a failed check raises, with a message and a Failure. Notebooks hide its traceback."""

    def __init__(self, message: str = "", failure: Failure | None = None):
        super().__init__(message)
        self.failure = failure or Failure("runs", message)  # an error without a failure was raised in a call
        self.shown = ""  # the only line to show if a box has shown the rest
        self.error: Exception | None = None  # the student's own error, which a hidden check does not show

    def _render_traceback_(self):
        lines = (self.shown or str(self)).split("\n")
        return [part for line in lines for part in textwrap.wrap(line, WIDTH) or [""]]


def fail(step: str, sentence: str = "", **numbers: Any) -> NoReturn:
    """Raise CheckFailed for a step of a check. The arguments are the fields of Failure."""
    failure = Failure(step, sentence, **numbers)
    raise CheckFailed(str(failure), failure)
