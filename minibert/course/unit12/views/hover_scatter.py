"""Plot a point for each occurrence of a word; hovering over a point or focusing it shows its sentence."""

import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from minibert.course.widgets.theme import CSS
from minibert.course.widgets.view import beside

HERE = Path(__file__)
MOST = 4  # the largest number of groups that can be told apart


class HoverScatter(anywidget.AnyWidget):
    """A scatter plot with panels side by side, in which each group has its own shape and colour.

    panels: maps titles to coordinates (N, 2). groups: the group of each of the N points. texts: N sentences.
    Raises ValueError if points, groups and texts differ in number, or if there are more than MOST groups.

    >>> HoverScatter({"one": np.zeros((2, 2))}, ["money", "river"], ["a bank", "the bank"]).groups
    ['money', 'river']
    """

    _esm = HERE.with_suffix(".js")
    _css = CSS + HERE.with_suffix(".css").read_text(encoding="utf-8")
    panels = traitlets.List(traitlets.Dict()).tag(sync=True)
    groups = traitlets.List(traitlets.Unicode()).tag(sync=True)
    group = traitlets.List(traitlets.Int()).tag(sync=True)
    texts = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, panels: Mapping[str, np.ndarray], groups: Sequence[str], texts: Sequence[str]) -> None:
        names = sorted(set(groups))
        if len(names) > MOST:
            raise ValueError(f"{len(names)} groups, but at most {MOST} can be distinguished")
        for title, places in panels.items():
            if np.shape(places) != (len(texts), 2) or len(groups) != len(texts):
                raise ValueError(
                    f"{title}: the places have shape {np.shape(places)} and there are {len(groups)} groups; "
                    f"{len(texts)} sentences need places of shape ({len(texts)}, 2) and one group each"
                )
        super().__init__(
            panels=[{"title": title, "places": scaled(some)} for title, some in panels.items()],
            groups=names,
            group=[names.index(one) for one in groups],
            texts=list(texts),
            layout={"width": "100%"},
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live plot, and an HTML list of its groups with examples for use without Jupyter."""
        rows = "".join(
            f"<li><b>{html.escape(name)}</b>: {self.group.count(i)} sentences, such as “"
            f"{html.escape(self.texts[self.group.index(i)])}”</li>"
            for i, name in enumerate(self.groups)
        )
        return beside(super()._repr_mimebundle_(**kwargs), f"<ul>{rows}</ul>")


def scaled(places: np.ndarray) -> list[list[float]]:
    """Return coordinates (N, 2) scaled equally in both directions to fit the unit square, and rounded."""
    low, high = np.min(places, axis=0), np.max(places, axis=0)
    size = max(float((high - low).max()), 1e-12)
    return (0.5 + (np.asarray(places, float) - (low + high) / 2) / size).round(3).tolist()
