"""Show XLNet's two attention masks for an order that the student sets by dragging or with the keyboard."""

import html
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from minibert.course.widgets.theme import CSS
from minibert.course.widgets.view import beside

HERE = Path(__file__)
Visible = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


class Permutation(anywidget.AnyWidget):
    """A widget that shows XLNet's two attention masks for an order in which tokens are predicted.

    tokens: the tokens of a sentence. visible: a function of real (1, T) and places (1, T) that returns two
    masks (1, T, T), such as `minibert.data.permutation.permutation_visible`. order: the indices of the
    tokens, in the order in which they are predicted. Raises ValueError unless `order` contains each index
    once.

    >>> from minibert.data.permutation import permutation_visible
    >>> one = Permutation(["New", "York"], permutation_visible, [1, 0])
    >>> one.query
    [[False, True], [False, False]]
    """

    _esm = HERE.with_suffix(".js")
    _css = CSS + HERE.with_suffix(".css").read_text(encoding="utf-8")
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    order = traitlets.List(traitlets.Int()).tag(sync=True)
    content = traitlets.List(traitlets.List(traitlets.Bool())).tag(sync=True)
    query = traitlets.List(traitlets.List(traitlets.Bool())).tag(sync=True)

    def __init__(self, tokens: Sequence[str], visible: Visible, order: Sequence[int] | None = None) -> None:
        self.visible = visible
        chosen = list(range(len(tokens)) if order is None else order)
        if sorted(chosen) != list(range(len(tokens))):
            raise ValueError(
                f"order={chosen} must contain each of the {len(tokens)} token positions once, counted from 0"
            )
        super().__init__(tokens=list(tokens), order=chosen)
        self.compute()
        self.observe(self.compute, "order")

    def compute(self, _: Any = None) -> None:
        """Update both attention masks for the current order."""
        places = np.argsort(self.order)[None]  # (1, T)
        content, query = self.visible(np.ones(places.shape, bool), places)
        with self.hold_sync():
            self.content, self.query = content[0].tolist(), query[0].tolist()

    def said(self) -> str:
        """Return a string that lists the tokens each prediction may use, in the order of the predictions."""
        lines = []
        for token in self.order:
            seen = [self.tokens[other] for other in self.order if self.query[token][other]]
            lines.append(f"{self.tokens[token]} from {', '.join(seen) or 'nothing'}")
        return "; ".join(lines)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live matrices, and a description as HTML for viewers without a Jupyter kernel."""
        return beside(super()._repr_mimebundle_(**kwargs), f"<p>{html.escape(self.said())}.</p>")
