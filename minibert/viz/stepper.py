"""An Explorer that walks through a calculation: one more argument `step`, with Back and Next buttons."""
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from .explorer import Drawing, Explorer


class Stepper(Explorer):
    """Controls, a Step box, and Back and Next buttons above a drawing.

    draw(step=..., **values): as for Explorer; step runs from 1 to `steps`.

    >>> walk = Stepper(lambda step: f"line {step}", steps=3)
    >>> walk.next.click()
    >>> walk.view.value
    'line 2'
    """

    def __init__(self, draw: Callable[..., str | Drawing], steps: int, **controls: Any) -> None:
        step = widgets.BoundedIntText(1, min=1, max=steps, description="Step", layout={"width": "150px"})
        self.back = widgets.Button(description="Back", layout={"width": "80px"})
        self.next = widgets.Button(description="Next step", button_style="primary", layout={"width": "110px"})
        self.back.on_click(lambda _: self.go(-1))
        self.next.on_click(lambda _: self.go(+1))
        super().__init__(draw, **controls, step=step)
        self.children[0].children += (self.back, self.next)

    def go(self, by: int) -> None:
        """Move `by` steps; the box keeps the step between its bounds."""
        self.controls["step"].value += by

    def redraw(self, _: Any = None) -> None:
        """Draw again, and disable the button that leads nowhere."""
        step = self.controls["step"]
        self.back.disabled, self.next.disabled = step.value == step.min, step.value == step.max
        super().redraw()
