"""A live curve with two lines for each run: the loss in training, and on examples that the run never sees."""

from collections.abc import Callable

from minibert.course.widgets.learning_curves import LiveCurve


class HeldOutCurve(LiveCurve):
    """A LiveCurve that measures now and then on held-out examples, too.

    Call `watch` before each run, at most two. seldom: steps between two measurements on held-out examples.
    """

    seldom = 50

    def watch(self, name: str, held_out: Callable[[], float]) -> None:
        """Start the two lines of a run; a run of the same name takes the place of the one before.

        held_out(): the loss on held-out examples, of the model as it is.
        """
        self.held_out, both = held_out, [f"{name} · held out", f"{name} · training"]
        for line in both:
            self.curves.pop(line, None)
        for line in both:
            self.line(line)
        self.of_held_out = self.curves[both[0]]

    def title(self) -> str:
        """Say where the held-out loss of each run stands."""
        told = ", ".join(
            f"{name.partition(' · ')[0]} {self.written(y)}"
            for name, _, y in self.ends()
            if "held out" in name
        )
        return f"Held-out {self.ylabel}: {told or 'not measured yet'}"

    def measure(self) -> None:
        """Add the loss in training to its line, and every `seldom` steps that on held-out examples."""
        super().measure()
        step = len(self.before) + len(self.log)
        if step % self.seldom == 0:
            self.of_held_out.append((step, self.held_out()))
