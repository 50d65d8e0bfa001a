"""Convert a lesson's interactive views for static pages; `execute.py` imports this before running a lesson.

A view whose front end computes everything itself is stored with its state, for the site's `live.js`. All
others become HTML: a drawing with the names of its controls, the steps of a calculation, or a question with a
folded answer.
"""

import base64
import html
from typing import Any

import anywidget
import ipywidgets as widgets
import numpy as np
from IPython import get_ipython
from IPython.display import display

from ..unit10.views.family_tree import FamilyTree
from ..unit12.views.head_browser import HeadBrowser, HeadMaps
from ..unit12.views.hover_scatter import HoverScatter
from ..widgets import compared
from ..widgets.explorer.trace import DTYPES, trace
from ..widgets.explorer.widget import Explorer, parts
from ..widgets.explorer.widget import still as explorer_still
from ..widgets.guess import CommitFirst, GuessFirst, columns_html, sentence_html
from ..widgets.guess_then_see import SUMMARY, GuessChoice, GuessThenSee
from ..widgets.stepper import Stepper
from ..widgets.view import Controls, drawing_html

LIVE = "application/x-live+json"  # a key of an output's data: what `live.js` needs to draw an anywidget


def encoded(data: bytes) -> str:
    """Return bytes as a base64 string."""
    return base64.b64encode(data).decode()


def live(widget: anywidget.AnyWidget, still: str, **more: Any) -> dict:
    """Return an anywidget's display data: its code and state, and HTML that `live.js` replaces.

    still: the HTML. more: other entries for `live.js`.
    """
    state = widget.get_state()
    module, style = state.pop("_esm"), state.pop("_css", "")
    names = [
        name for name in state if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")
    ]
    plain = {name: state[name] for name in names if not isinstance(state[name], bytes)}
    buffers = {name: encoded(state[name]) for name in names if isinstance(state[name], bytes)}
    return {
        LIVE: {"module": module, "style": style, "state": plain, "bytes": buffers, **more},
        "text/html": still,
    }


def explorer(widget: Explorer) -> dict:
    """Return the display data of an explorer, the widget that shows an entire BERT.

    It contains results for the original text, and for the text with each word masked in turn.
    """
    special, masked = widget.header["special"], widget.header["masked"]
    words = [t for t, alone in enumerate(special) if not alone and t not in masked]
    model = parts(widget.loads[0]())
    answers = {
        ",".join(map(str, more)): answer(*trace(*model, widget.first, widget.second, more))
        for more in ([], *([t] for t in words))
    }
    data = live(widget, explorer_still(widget.header), answers=answers)
    data[LIVE]["state"]["fixed"] = True
    return data


def answer(header: dict, data: bytes) -> dict:
    """Return a trace of a model in JSON form: its header, and its numbers as float16 in base64."""
    arrays: dict[str, list] = {}
    chunks: list[bytes] = []
    for name, (offset, shape, kind) in header["arrays"].items():
        values = np.frombuffer(data, DTYPES[kind], count=int(np.prod(shape)), offset=offset)
        arrays[name] = [sum(map(len, chunks)), shape, "f16"]
        chunks.append(values.astype("<f2").tobytes())
    return {"header": {**header, "arrays": arrays}, "data": encoded(b"".join(chunks))}


def still(widget: widgets.Widget) -> str:
    """Return a widget as HTML without controls."""
    if widget is SUMMARY:
        return "<p>In the notebook, this cell counts how many of your guesses were close.</p>"
    if isinstance(widget, Stepper):
        return steps(widget)
    if isinstance(widget, CommitFirst | GuessFirst):
        return game(widget)
    if isinstance(widget, Controls):
        names = [one.description for one in widget.controls.values() if one.description]
        told = f'<p class="controls">In the notebook, you can change: {html.escape(", ".join(names))}.</p>'
        return widget.view.value + told
    if isinstance(widget, widgets.Box):
        return "".join(map(still, widget.children))
    return widget.value if isinstance(widget, widgets.HTML) else ""


def steps(stepper: Stepper) -> str:
    """Return the drawings for all steps as HTML, without consecutive duplicates."""
    control = stepper.controls["step"]
    drawn: list[str] = []
    for step in range(control.min, control.max + 1):
        control.value = step
        if stepper.view.value not in drawn[-1:]:
            drawn.append(stepper.view.value)
    return f'<div class="steps">{"".join(f"<section>{one}</section>" for one in drawn)}</div>'


def game(widget: CommitFirst | GuessFirst) -> str:
    """Return a game in which the student makes a guess, as HTML questions with folded answers."""
    values = widget.values()
    values.pop("guess")
    if isinstance(widget, CommitFirst):
        return widget.question(**values) + show_me(drawing_html(widget.answer(**values)))
    return "".join(
        sentence_html(text) + show_me(columns_html(widget.ask(text), {right: "the masked word"}))
        for text, right in widget.puzzles
    )


def show_me(answer: str) -> str:
    """Return an answer as HTML, folded under the heading “Show me”."""
    return f'<details class="show-me"><summary>Show me</summary>{answer}</details>'


def folded(guess: GuessThenSee) -> str:
    """Return a question as HTML with its answer folded below it."""
    choices = ""
    if isinstance(guess, GuessChoice):
        choices = "".join(f"<li>{html.escape(choice)}</li>" for choice in guess.box.options)
    seen = guess.see() if guess.see else None
    asked = guess.asked.value + (f"<ul>{choices}</ul>" if choices else "")
    return asked + show_me(f"<p>{guess.right()}</p>{drawing_html(seen) if seen else ''}")


def html_only(text: str) -> dict:
    """Return display data that consists only of HTML."""
    return {"text/html": text}


def own_html(view: widgets.Widget) -> str:
    """Return the HTML without a kernel that a view's class defines for itself, or "" if it defines none."""
    common = (widgets.Widget._repr_mimebundle_, Controls._repr_mimebundle_)
    return "" if type(view)._repr_mimebundle_ in common else view._repr_mimebundle_()[0]["text/html"]


def register() -> None:
    """Make IPython display views as converted by this module.

    Run this in the notebook's kernel, in a hidden cell.
    """
    compared.offer()  # to download a model: shown in this cell only
    formatter = get_ipython().display_formatter
    views = formatter.mimebundle_formatter
    for kind in (Controls, widgets.Box, widgets.HTML):
        views.for_type(kind, lambda view, *_, **__: html_only(own_html(view) or still(view)))
    views.for_type(Explorer, lambda view, *_, **__: explorer(view))
    for drawn in (FamilyTree, HoverScatter, HeadMaps):
        views.for_type(drawn, lambda view, *_, **__: live(view, view._repr_mimebundle_()[0]["text/html"]))
    views.for_type(HeadBrowser, lambda view, *_, **__: live(view.maps, f"<p>{html.escape(view.said())}</p>"))
    formatter.ipython_display_formatter.for_type(
        GuessThenSee, lambda view: display(html_only(folded(view)), raw=True)
    )
