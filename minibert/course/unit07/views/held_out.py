"""Plot two curves for each run during training: the training loss and the loss on held-out examples."""

from collections.abc import Callable

from minibert.course.widgets.learning_curves import LiveCurve


class HeldOutCurve(LiveCurve):
    """A live plot of the training loss and, at regular intervals, the loss on held-out examples.

    Call `watch` before each run; the plot can show at most two runs. seldom: the number of steps between two
    measurements on held-out examples.
    """

    seldom = 50

    def watch(self, name: str, held_out: Callable[[], float]) -> None:
        """Start the two curves of a run, replacing those of an earlier run with the same name.

        held_out(): returns the current model's loss on held-out examples.
        """
        self.held_out, both = held_out, [f"{name} · held out", f"{name} · training"]
        for line in both:
            self.curves.pop(line, None)
        for line in both:
            self.line(line)
        self.of_held_out = self.curves[both[0]]

    def title(self) -> str:
        """Return a title with the latest held-out loss of each run."""
        told = ", ".join(
            f"{name.partition(' · ')[0]} {self.written(y)}"
            for name, _, y in self.ends()
            if "held out" in name
        )
        return f"Held-out {self.ylabel}: {told or 'not measured yet'}"

    def measure(self) -> None:
        """Add the current training loss to the plot, and after every `seldom` steps the held-out loss too."""
        super().measure()
        step = len(self.before) + len(self.log)
        if step % self.seldom == 0:
            self.of_held_out.append((step, self.held_out()))
