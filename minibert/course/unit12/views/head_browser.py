"""Browse the attention heads for a sentence: small maps of all heads, and one head as weighted arcs.

Vig (2019, arXiv 1906.05714) draws heads in this way. Axes: L layers, H heads, T tokens.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import numpy as np
import traitlets

from minibert.course.widgets.theme import CSS
from minibert.course.widgets.view import beside

HERE = Path(__file__)
STEPS = 127  # a weight of 1 as a signed byte
MOST = 40  # tokens that can be drawn: more than the numbers of a head (32), so that there is a null space

Views = Mapping[str, np.ndarray]
ReadText = Callable[[str], tuple[Sequence[str], Views]]


class HeadMaps(anywidget.AnyWidget):
    """A widget with L rows of H buttons, and a large map of the selected head.

    The arrow keys select another head.
    """

    _esm = HERE.with_suffix(".js")
    _css = CSS + HERE.with_suffix(".css").read_text(encoding="utf-8")
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    maps = traitlets.Bytes().tag(sync=True)
    size = traitlets.List(traitlets.Int()).tag(sync=True)  # L, H
    chosen = traitlets.List(traitlets.Int()).tag(sync=True)  # layer, head
    problem = traitlets.Unicode().tag(sync=True)


class HeadBrowser(widgets.VBox):
    """A widget in which the user types a sentence and chooses a model, a view of attention and a head.

    models: maps names to functions; each takes a sentence and returns its T tokens and a dict that maps the
    names of views to attention weights (L, H, T, T). All models have the same views. Weights below -1 or
    above 1 are drawn as -1 or 1. At most MOST tokens are accepted.

    >>> browser = HeadBrowser({"tiny": lambda text: (text.split(), {"raw": np.eye(2)[None, None]})}, "a b")
    >>> browser.said()
    'Layer 1, head 1: a attends most to a (1.00); b attends most to b (1.00).'
    """

    def __init__(
        self, models: Mapping[str, ReadText], sentence: str, chosen: tuple[int, int] = (0, 0)
    ) -> None:
        self.models = models
        self.kept: dict[tuple[str, str], tuple[Sequence[str], Views]] = {}
        first = next(iter(models))
        self.text = widgets.Text(
            sentence,
            description="Sentence",
            continuous_update=False,
            layout={"width": "620px", "max_width": "98%"},
        )
        self.model = widgets.ToggleButtons(
            options=list(models), description="Model", style={"button_width": "auto"}
        )
        self.view = widgets.ToggleButtons(
            options=list(self.read(first, sentence)[1]), description="Weights", style={"button_width": "auto"}
        )
        self.maps = HeadMaps(chosen=list(chosen), layout={"width": "100%"})
        for control in (self.text, self.model, self.view):
            control.observe(self.redraw, "value")
        self.redraw()
        super().__init__([self.text, self.model, self.view, self.maps])

    def read(self, model: str, sentence: str) -> tuple[Sequence[str], Views]:
        """Return the tokens and views of a sentence. Raise ValueError if it is empty or too long."""
        if (model, sentence) not in self.kept:
            tokens, views = self.models[model](sentence)
            if not sentence.strip() or len(tokens) > MOST:
                raise ValueError(
                    f"type a sentence of at most {MOST} tokens, including [CLS] and [SEP]; yours has "
                    f"{len(tokens)}"
                )
            self.kept = {(model, sentence): (list(tokens), views)}
        return self.kept[model, sentence]

    def redraw(self, _: Any = None) -> None:
        """Show the maps for the current sentence, model and view, or an error message."""
        try:
            tokens, views = self.read(self.model.value, self.text.value)
        except ValueError as error:
            self.maps.problem = str(error)
            return
        weights = np.asarray(views[self.view.value])  # (L, H, T, T)
        size, (layer, head) = list(weights.shape[:2]), self.maps.chosen
        with self.maps.hold_sync():
            self.maps.problem, self.maps.tokens, self.maps.size = "", list(tokens), size
            self.maps.chosen = [min(layer, size[0] - 1), min(head, size[1] - 1)]
            self.maps.maps = np.round(weights.clip(-1, 1) * STEPS).astype(np.int8).tobytes()

    def said(self) -> str:
        """Return in words which token each token attends to most in the selected head."""
        layer, head = self.maps.chosen
        T = len(self.maps.tokens)
        weights = np.frombuffer(self.maps.maps, np.int8).reshape(*self.maps.size, T, T)[layer, head] / STEPS
        looks = "; ".join(
            f"{token} attends most to {self.maps.tokens[row.argmax()]} ({row.max():.2f})"
            for token, row in zip(self.maps.tokens, weights)
        )
        return f"Layer {layer + 1}, head {head + 1}: {looks}."

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live browser, and for viewers without a Jupyter kernel, the selected head in words."""
        return beside(super()._repr_mimebundle_(**kwargs), f"<p>{html.escape(self.said())}</p>")
