"""Walk through a calculation step by step, by hand or as an animation."""

import asyncio
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from .view import Controls, Drawing

PACE = 1.2  # seconds per step of the animation
PLAY, PAUSE = "Play", "Pause"


class Stepper(Controls):
    """Controls with a Step slider and the buttons Play, Back and Next above a drawing.

    draw(step=..., **values): returns the drawing, as for Controls. steps: the last step; the first is 1.

    >>> walk = Stepper(lambda step: f"line {step}", steps=3)
    >>> walk.next.click()
    >>> walk.view.value
    'line 2'
    """

    def __init__(self, draw: Callable[..., str | Drawing], steps: int, **controls: Any) -> None:
        step = widgets.IntSlider(1, min=1, max=steps, description="Step", layout={"width": "260px"})
        self.film: asyncio.Task | None = None
        self.play, self.back, self.next = (
            widgets.Button(description=text, button_style=style, layout={"width": width})
            for text, style, width in (
                (PLAY, "", "80px"),
                ("Back", "", "80px"),
                ("Next step", "primary", "110px"),
            )
        )
        self.play.on_click(lambda _: self.start() if self.film is None else self.film.cancel())
        self.back.on_click(lambda _: self.go(-1))
        self.next.on_click(lambda _: self.go(+1))
        super().__init__(draw, **controls, step=step)
        self.children[0].children += (self.play, self.back, self.next)

    def go(self, by: int) -> None:
        """Move `by` steps, within the bounds of the slider."""
        self.controls["step"].value += by

    def start(self) -> None:
        """Play the steps from the current one, or from the first if the current one is the last."""
        self.film = asyncio.get_running_loop().create_task(self.shown_in_turn())
        self.play.description = PAUSE

    async def shown_in_turn(self) -> None:
        """Show the remaining steps one after another, each for PACE seconds."""
        step = self.controls["step"]
        try:
            if step.value == step.max:
                step.value = step.min
            while step.value < step.max:
                await asyncio.sleep(PACE)
                self.go(1)
        finally:
            self.film, self.play.description = None, PLAY

    def redraw(self, _: Any = None) -> None:
        """Draw again, and disable Back at the first step and Next at the last."""
        step = self.controls["step"]
        self.back.disabled, self.next.disabled = step.value == step.min, step.value == step.max
        super().redraw()
