"""Show on standard error how many of a class's submissions have been graded."""

import sys
from typing import Any

from tqdm import tqdm

LINES = 40  # the most lines that a log gets


class Progress:
    """A progress bar in a terminal; elsewhere, such as in a log, a line of text after every few results.

    total: the number of submissions. Use it in a `with` statement, and call `start` before the first new
    result.
    """

    def __init__(self, total: int) -> None:
        self.total, self.done, self.failed = total, 0, 0
        self.bar: Any = None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def start(self) -> None:
        """Show the bar or the first line, with the results that are already known."""
        self.bar = tqdm(
            total=self.total, initial=self.done, desc="grading", unit="submission", disable=None
        )  # None: only in a terminal
        self._show()

    def add(self, status: str, count: int = 1) -> None:
        """Count `count` more submissions, whose results have the given status, and update the display."""
        before = self.done
        self.done += count
        self.failed += count * (status != "graded")
        if self.bar is None:
            return
        self.bar.set_postfix({"need a person": self.failed}, refresh=False)
        self.bar.update(count)
        if self.done == self.total or self.done * LINES // self.total > before * LINES // self.total:
            self._show()

    def _show(self) -> None:
        if self.bar.disable:
            ungraded = f", {self.failed} need{'s' * (self.failed == 1)} a person" if self.failed else ""
            print(f"{self.done - self.failed} of {self.total} graded{ungraded}", file=sys.stderr, flush=True)
