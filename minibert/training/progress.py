"""Progress display of a run: a bar in a terminal or notebook, and one line at the end anywhere else."""

import itertools
import math
import sys
import time
from typing import Any

from tqdm.auto import tqdm

from ..readers.wording import plural

RECENT = 50  # steps averaged for the current loss
# Steps per second are left out to fit into 80 columns.
BAR = "{desc}: {n_fmt}/{total_fmt} {bar} {elapsed}<{remaining}{postfix}"


def tell(message: str) -> None:
    """Print a line to standard error, above the progress bar if there is one."""
    tqdm.write(message, file=sys.stderr)


def watched() -> bool:
    """Return whether an animated progress bar can be displayed, as in a terminal or a notebook."""
    return sys.stdout.isatty() or type(sys.stdout).__module__.startswith("ipykernel")


class Progress:
    """A display of the current and best loss (means over RECENT steps), tokens per second, and the time left.

    label: the name of the run; the bar shows the part before the first comma. show: False to show nothing, or
    an object to use in place of the bar, with methods begin(log), update(), called after each step, and
    end().
    """

    def __init__(self, log: list[dict], steps: int, label: str, show: Any = True):
        self.view = None if isinstance(show, bool) else show
        self.log, self.label, self.show = log, label, show is True
        self.before, self.start = len(log), time.perf_counter()
        sums = list(itertools.accumulate((entry["loss"] for entry in log), initial=0.0))
        self.best = (
            min((sums[i] - sums[i - RECENT] for i in range(RECENT, len(sums))), default=math.inf) / RECENT
        )
        self.bar = tqdm(
            total=steps,
            initial=len(log),
            desc=label.partition(",")[0],
            disable=not (self.show and watched()),
            file=sys.stdout,
            dynamic_ncols=True,
            mininterval=0.5,
            bar_format=BAR,
        )

    def __enter__(self) -> "Progress":
        if self.view:
            self.view.begin(self.log)
        return self

    def update(self) -> None:
        """Update the display after a step."""
        if self.view:
            self.view.update()
        if len(self.log) >= RECENT:
            self.best = min(self.best, self.loss())
        self.bar.update()
        self.bar.set_postfix_str(self.figures(), refresh=False)

    def loss(self) -> float:
        recent = self.log[-RECENT:]
        return sum(entry["loss"] for entry in recent) / len(recent)

    def figures(self) -> str:
        recent = self.log[-RECENT:]
        seconds = sum(entry["seconds"] for entry in recent)
        speed = sum(entry["tokens"] for entry in recent) / max(1e-9, seconds)
        best = f", best {self.best:.3f}" if self.best < math.inf else ""
        return f"loss {self.loss():.3f}{best}, {speed:,.0f} tokens/s"

    def __exit__(self, kind: Any, *_: object) -> None:
        self.bar.close()
        if self.view:
            self.view.end()
        done = len(self.log) - self.before
        if self.show and not watched() and kind is None and done:
            seconds = time.perf_counter() - self.start
            print(f"{self.label}: {plural(done, 'step')}, {self.figures()}, {seconds:.0f} s")
