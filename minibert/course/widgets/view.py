"""Show drawings that change with their controls.

A pure function `draw(**values)` turns the values of the controls into a drawing, which a view shows. This
uses neither an Output widget nor the state of pyplot. So an exception in `draw` is shown in the view
(JupyterLab would hide it), and a static page without a kernel keeps the first drawing with its description
for screen readers.
"""

import html
import io
import re
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
from matplotlib import rc_context
from matplotlib.figure import Figure

from .tables import scrolling
from .theme import THEMES

Drawing = tuple[Figure, str]  # a figure, and its description in words
WIDE, SMALLEST = 10.0, 0.6  # inches, the width of a cell in JupyterLab; the smallest scale of a figure
ROLES = ("pretrained", "scratch", "best", "context", "lit", "faint")  # the roles of lines and bars
BLUE, VERMILLION, GREEN, PURPLE, LIT, GREY = (THEMES[role][0] for role in ROLES)
SKY, ORANGE, YELLOW = (THEMES[role][0] for role in ("masked", "replaced", "kept"))  # under dark text
IN_BOTH = {THEMES[role][0].lower(): "light-dark({}, {})".format(*THEMES[role]) for role in ROLES}
# in JupyterLab, text next to a wide figure otherwise does not wrap on a narrow page
WRAPPED = ".widget-html-content {min-width: 0}"
PANELS = "display:flex;flex-wrap:wrap;gap:0 24px"
DARK_THEME = '[data-jp-theme-light="false"] .minibert-figure {color-scheme: dark}'


def figure(height: float = 3.4, width: float = WIDE, **kwargs: Any) -> tuple[Figure, Any]:
    """Return (matplotlib Figure that is independent of pyplot, its axes from `subplots(**kwargs)`)."""
    fig = Figure(figsize=(width, height), layout="constrained")
    return fig, fig.subplots(**kwargs)


def drawing_html(drawn: str | Drawing) -> str:
    """Return a drawing, HTML or (Figure, description), as HTML; on a narrow page, a figure scrolls."""
    return drawn if isinstance(drawn, str) else titled_html(*drawn)


def titled_html(fig: Figure, alt: str) -> str:
    """Return a figure as HTML. Its title is text above it, which wraps on a narrow page; the figure scrolls.

    alt: a description for screen readers, which begins with the title.
    """
    title = fig.get_suptitle()
    drawn = [text for text in fig.texts if title and text.get_text() == title]
    for text in drawn:
        text.set(visible=False, in_layout=False)
    shown = scrolling(figure_html(fig, alt))
    for text in drawn:
        text.set(visible=True, in_layout=True)
    said = html.escape(title.replace("\n", " "))
    return f'<p aria-hidden="true" style="margin:4px 0"><b>{said}</b></p>{shown}' if title else shown


def figure_html(fig: Figure, alt: str) -> str:
    """Return a figure as SVG in the colours of the page's theme. alt: a description for screen readers."""
    buffer = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": alt}):
        fig.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :].replace("#000000", "currentColor")
    svg = re.sub("#[0-9a-f]{6}", lambda color: IN_BOTH.get(color[0], color[0]), svg)
    narrow = SMALLEST * 72 * fig.get_figwidth()  # points; a narrower page scrolls
    style = (
        "color:var(--jp-content-font-color1, currentColor);fill:currentColor;height:auto;max-width:100%;"
        f"min-width:{narrow:.0f}pt"
    )
    said = f'role="img" aria-label="{html.escape(alt, quote=True)}" class="minibert-figure" style="{style}"'
    svg = svg.replace("<svg ", f"<svg {said} ", 1)
    return svg.replace(
        ">", f"><style>{DARK_THEME} {WRAPPED}</style>", 1
    )  # inside, so that it also works in a file


def panels(title: str, *drawings: Drawing) -> str:
    """Return figures under a common title as HTML: side by side on a wide page, stacked on a narrow one."""
    parts = "".join(f'<div style="max-width:100%">{drawing_html(drawn)}</div>' for drawn in drawings)
    return f'<p><b>{html.escape(title)}</b></p><div style="{PANELS}">{parts}</div>'


def style(rules: str) -> widgets.HTML:
    """Return an invisible widget with CSS rules."""
    return widgets.HTML(f"<style>{rules}</style>", layout={"display": "none"})


def told(error: Exception) -> str:
    """Return an exception's message for students: that of a ValueError is written for them."""
    return str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"


class View:
    """A drawing without controls, stored as HTML that Jupyter displays."""

    def __init__(self, content):
        self.content = content

    def _repr_html_(self):
        return self.content


def show(fig: Figure, alt: str) -> View:
    """Return a View of a finished figure, which Jupyter displays as the result of a cell."""
    return View(titled_html(fig, alt))


def beside(bundle: Any, still: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Add static HTML to a widget's Jupyter display data, for pages without a kernel.

    bundle: the result of the widget's `_repr_mimebundle_`. Returns (data, metadata).
    """
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
    return {**data, "text/html": still}, metadata


class Controls(widgets.VBox):
    """Controls above a drawing, which is redrawn at every change.

    draw(**values): returns HTML or (Figure, description). controls: an ipywidget with a `description` for
    each argument of `draw`.

    >>> Controls(lambda n: f"<b>{n}</b>", n=widgets.IntText(3, description="Count")).view.value
    '<b>3</b>'
    """

    def __init__(self, draw: Callable[..., str | Drawing], **controls: Any) -> None:
        self.draw, self.controls = draw, controls
        self.view = widgets.HTML()
        for control in controls.values():
            control.observe(self.redraw, "value")
        self.redraw()
        row = widgets.HBox(list(controls.values()), layout={"flex_flow": "row wrap"})
        super().__init__([row, self.view, style(WRAPPED)])

    def values(self) -> dict[str, Any]:
        """Return the controls' values by name."""
        return {name: control.value for name, control in self.controls.items()}

    def redraw(self, _: Any = None) -> None:
        """Draw again. An exception is shown in red in the view, and kept in `error`."""
        self.error: Exception | None = None
        try:
            self.view.value = drawing_html(self.draw(**self.values()))
        except Exception as error:
            self.error = error
            self.view.value = (
                f'<p class="minibert-error" role="alert" style="color:var(--jp-error-color1, #B00020)">'
                f"{html.escape(told(error))}</p>"
            )

    def _repr_mimebundle_(self, **kwargs):
        """Return Jupyter's display data: the live widget, and its drawing as HTML without a kernel."""
        return beside(super()._repr_mimebundle_(**kwargs), self.view.value)
