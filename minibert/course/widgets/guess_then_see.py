"""Ask questions whose answers appear only after a guess: a number, a choice or a drawing.

Only the first guess counts. It stays in the notebook next to the answer, and `my_guesses` reports how many
guesses were close.
"""

import html
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import numpy as np
import traitlets
from IPython import get_ipython
from IPython.display import display
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from minibert.readers.wording import with_minus

from .plots import headline, name_lines, plain
from .theme import CSS
from .view import (
    LIT,
    WRAPPED,
    Drawing,
    View,
    beside,
    drawing_html,
    figure,
    figure_html,
    style,
    told,
)

See = str | Drawing | None
GIVEN: dict[str, bool] = {}  # question -> was the first guess close?
SUMMARY = widgets.HTML()  # one widget for the whole notebook, updated after each guess
WIDTH = 240  # pixels for the longest bar
GUESSED, ANSWERED = {"color": "#000000", "linestyle": "--"}, {"color": LIT, "linewidth": 2.5}
NO_WIDGETS = "Run this cell in a notebook to guess first."
SMALL = {"width": "auto", "align_self": "flex-start"}  # the layout of a button
# ipywidgets gives a button one line of fixed height and cuts longer text.
BUTTONS = """
.minibert-choice .widget-toggle-buttons, .minibert-choice .widget-toggle-buttons > div {
  width: auto; max-width: 100%}
.minibert-choice .widget-toggle-button {height: auto; max-width: 100%; padding-block: 3px; line-height: 1.4;
  white-space: normal; text-align: left}
"""
EXACT = "Right.", "No."  # the verdicts if a guess is either right or wrong
HOW = "Drag {} up or down, or move to it with Tab and press the arrow keys. Your first guess counts."


class GuessThenSee(widgets.VBox):
    """A question with controls for a guess, followed by the answer.

    question: the question as text. controls: the widgets for the guess. see(): called after the guess;
    returns HTML or (Figure, description) to show below the answer. If it is None, nothing more is shown. The
    button *Show me* shows the answer without a guess.
    """

    verdicts = "Close.", "Not close."
    answer: Callable[[], Any]

    def __init__(self, question: str, see: Callable[[], See] | None, *controls: widgets.Widget) -> None:
        self.question, self.see = question, see
        self.asked = widgets.HTML(f"<p><b>Your guess:</b> {html.escape(question)}</p>")
        self.said = widgets.HTML()
        self.handle: Any = None
        self.show_me = widgets.Button(
            description="Show me", tooltip="Show the answer without a guess", layout=SMALL
        )
        self.show_me.add_class("minibert-show-me")
        self.show_me.on_click(lambda _: self.finish(lambda: (None, self.right())))
        super().__init__([self.asked, *controls, self.show_me, self.said, style(WRAPPED + BUTTONS)])

    def close_controls(self) -> None:
        """Disable the controls after the guess."""
        raise NotImplementedError

    def told(self, guess: Any) -> tuple[bool, str]:
        """Compare a guess with the answer, and return (True if it is close, a comparison as HTML)."""
        raise NotImplementedError

    def right(self) -> str:
        """Return the answer without a guess, as HTML."""
        return f"It is <b>{html.escape(str(self.answer()))}</b>."

    def give(self, guess: Any) -> None:
        """Process a guess: show the answer below it, or an error message if the guess is invalid."""
        self.finish(lambda: self.told(guess))

    def finish(self, say: Callable[[], tuple[bool | None, str]]) -> None:
        """Show the answer, or the message of an exception that is raised on the way.

        say(): returns (True if the guess is close or None if there was no guess, a sentence as HTML).
        """
        self.said.value = '<p role="status">Computing the answer …</p>'
        try:
            close, said = say()
            seen = self.see() if self.see else None
        except Exception as error:
            self.said.value = f'<p class="minibert-error" role="alert">{html.escape(told(error))}</p>'
            return
        if close is not None:
            GIVEN.setdefault(self.question, close)
            SUMMARY.value = counted()
            said = mark(close, *self.verdicts) + said
        further = drawing_html(seen) if seen else ""
        self.said.value = f'<div role="status"><p>{said}</p></div>{further}'
        self.close_controls()
        self.show_me.layout.display = "none"
        if self.handle:
            get_ipython().events.register("post_run_cell", self.keep)

    def keep(self, _: Any = None) -> None:
        """Replace the widgets with static HTML, which is saved with the notebook."""
        get_ipython().events.unregister("post_run_cell", self.keep)
        self.handle.update(View(self.asked.value + self.said.value))

    def _ipython_display_(self) -> None:
        """Display the live question, and keep its display handle."""
        asked = self.asked.value + f"<p><i>{NO_WIDGETS}</i></p>"
        data, metadata = beside(self._repr_mimebundle_(), asked)
        self.handle = display(data, metadata=metadata, raw=True, display_id=True)


class GuessNumber(GuessThenSee):
    """A question whose answer is a number, such as a count or a percentage.

    answer(): returns the correct number. within: the largest error of a guess that counts as close. form: the
    format of numbers, such as "{:.0f}%". A guess may be typed as 12,000 or 12000, and as 35% or 35.

    >>> asked = GuessNumber("Two and two?", lambda: 4, within=0)
    >>> asked.box.value = "4"
    >>> "You say <b>4</b>; it is <b>4</b>." in asked.said.value
    True
    """

    def __init__(
        self,
        question: str,
        answer: Callable[[], float],
        within: float,
        form: str = "{:,.0f}",
        see: Callable[[], See] | None = None,
    ) -> None:
        self.answer, self.within, self.form = answer, within, form
        if not within:
            self.verdicts = EXACT
        self.box = widgets.Text(
            description="My guess", placeholder="a number, then Enter", continuous_update=False
        )
        self.box.observe(self.typed, "value")
        super().__init__(question, see, self.box)

    def right(self) -> str:
        """Return the number without a guess, as HTML."""
        return f"It is <b>{with_minus(self.answer(), self.form)}</b>."

    def typed(self, change: Any) -> None:
        """Take the typed text as the guess, unless the box is empty."""
        if change.new.strip():
            self.give(change.new)

    def close_controls(self) -> None:
        """Disable the text box."""
        self.box.disabled = True

    def told(self, guess: str) -> tuple[bool, str]:
        """Compare a typed number with the answer, and return (True if it is close, a comparison as HTML).

        Raises ValueError for a guess that is not a number.
        """
        given = number(guess)
        if self.form.endswith("%") and "%" not in guess and 0 < given < 1:
            raise ValueError(f"Please type a percentage: do you mean {100 * given:g}% or {given:g}%?")
        right = self.answer()
        mine, its = with_minus(given, self.form), with_minus(right, self.form)
        said = f"You say <b>{mine}</b>; it is <b>{its}</b>."
        whole = 100 if self.form.endswith("%") and max(given, right) <= 100 else max(given, right)
        return abs(given - right) <= self.within, said + two_bars(given, right, mine, its, whole)


class GuessChoice(GuessThenSee):
    """A question with one button for each possible answer.

    choices: the labels of the buttons. answer(): returns the correct label.
    """

    verdicts = "Right:", "No."

    def __init__(
        self,
        question: str,
        choices: Sequence[str],
        answer: Callable[[], str],
        see: Callable[[], See] | None = None,
    ) -> None:
        self.answer = answer
        self.box = widgets.ToggleButtons(
            options=choices, value=None, description="My guess", style={"button_width": "auto"}
        )
        self.box.observe(lambda change: self.give(change.new), "value")
        super().__init__(question, see, self.box)
        self.add_class("minibert-choice")

    def right(self) -> str:
        """Return the correct label without a guess, as HTML."""
        return f"The answer: <b>{html.escape(self.answer())}</b>"

    def close_controls(self) -> None:
        """Disable the buttons."""
        self.box.disabled = True

    def told(self, guess: str) -> tuple[bool, str]:
        """Compare the choice with the answer, and return (True if it is right, a comparison as HTML)."""
        right = self.answer()
        return guess == right, f"<b>{html.escape(right)}</b>" if guess == right else self.right()


class Canvas(anywidget.AnyWidget):
    """A bar chart or curve whose points can be dragged with the mouse, a finger or the arrow keys."""

    _esm = Path(__file__).with_name("canvas.js")
    _css = CSS
    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    values = traitlets.List(traitlets.Float()).tag(sync=True)
    top = traitlets.Float().tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    curve = traitlets.Bool().tag(sync=True)
    places = traitlets.List(traitlets.Float()).tag(sync=True)  # x of each point, from 0 (left) to 1 (right)
    axes = traitlets.List(traitlets.Unicode()).tag(sync=True)


class GuessBars(GuessThenSee):
    """A question that the student answers by dragging one bar for each label.

    labels: 2 to 12 names. answer(): returns a number from 0 to `top` for each label. within: a guess is close
    if its bars are off by at most this much on average, and the answer for the label of its highest bar is at
    most this much below the highest answer. axis: the label of the y axis. unit: the text after each number,
    such as "%". along: the label of the x axis. at: increasing positions of the labels, unless evenly spaced.
    """

    curve, points = False, "each bar"

    def __init__(
        self,
        question: str,
        labels: Sequence[str],
        answer: Callable[[], Sequence[float]],
        top: float,
        within: float,
        axis: str,
        unit: str = "",
        see: Callable[[], See] | None = None,
        along: str = "",
        at: Sequence[float] = (),
    ) -> None:
        if not 2 <= len(labels) <= 12:
            raise ValueError(f"{len(labels)} labels, but only 2 to 12 can be drawn")
        self.answer, self.within = answer, within
        places = np.asarray(at if len(at) else range(len(labels)), float)
        self.canvas = Canvas(
            labels=list(map(str, labels)),
            values=[0.0] * len(labels),
            top=top,
            unit=unit,
            curve=self.curve,
            axes=[along, axis],
            places=((places - places[0]) / (places[-1] - places[0])).tolist(),
            layout={"width": "100%", "max_width": "48rem"},
        )
        self.canvas.observe(self.moved, "values")
        self.how = widgets.HTML(f"<p><small>{HOW.format(self.points)}</small></p>")
        self.button = widgets.Button(
            description="That is my guess",
            button_style="primary",
            disabled=True,
            layout=SMALL,
        )
        self.button.on_click(lambda _: self.give(self.canvas.values))
        super().__init__(question, see, self.how, self.canvas, self.button)

    def right(self) -> str:
        """Return the height of each bar or point without a guess, as HTML."""
        unit = self.canvas.unit
        return "; ".join(
            f"{html.escape(name)}: <b>{short(x, unit)}{unit}</b>"
            for name, x in zip(self.canvas.labels, self.answer(), strict=True)
        )

    def moved(self, _: Any) -> None:
        """Enable the button once the student has moved a point."""
        self.button.disabled = False

    def close_controls(self) -> None:
        """Disable the button and hide the chart with the guess, which the answer draws again."""
        self.button.disabled, self.canvas.layout.display, self.how.layout.display = True, "none", "none"

    def told(self, guess: Sequence[float]) -> tuple[bool, str]:
        """Compare a guess with the answer, and return (True if it is close, a figure of both as HTML).

        Raises ValueError if their lengths differ.
        """
        right, mine = np.asarray(self.answer(), float), np.asarray(guess, float)
        if right.shape != mine.shape:
            raise ValueError(f"the answer has {right.size} numbers, but there are {mine.size} labels")
        off = float(np.abs(right - mine).mean())
        unit = {"%": " points"}.get(self.canvas.unit, self.canvas.unit)
        agrees, said = self.shape(mine, right)
        return (
            off <= self.within and agrees,
            f"Your guess is off by <b>{short(off, self.canvas.unit)}{unit}</b> on average{said}."
            + figure_html(*compared(self.canvas, mine, right)),
        )

    def shape(self, mine: np.ndarray, right: np.ndarray) -> tuple[bool, str]:
        """Return (whether the guess has the right highest bar, "" or a remark for the student if not).

        mine, right: the heights of the bars in the guess and in the answer.
        """
        highest = int(mine.argmax())
        agrees = right[highest] >= right.max() - self.within
        names = [html.escape(self.canvas.labels[place]) for place in (highest, int(right.argmax()))]
        return agrees, "" if agrees else f", and its highest bar is <b>{names[0]}</b>, not <b>{names[1]}</b>"


class GuessCurve(GuessBars):
    """A question that the student answers by drawing a curve through a few labelled points.

    A guess is close if it is off by at most `within` on average, and rises or falls from its first point to
    its last as the answer does. Everything else is as in GuessBars.
    """

    curve, points = True, "the curve"

    def shape(self, mine: np.ndarray, right: np.ndarray) -> tuple[bool, str]:
        """Return (whether the guess rises or falls like the answer, "" or a remark for the student if not).

        mine, right: the y values of the guess and of the answer.
        """
        rise, truth = mine[-1] - mine[0], right[-1] - right[0]
        if abs(truth) <= self.within or rise * truth > 0:
            return True, ""
        return False, f", and the answer {'rises' if truth > 0 else 'falls'} from left to right"


def my_guesses() -> widgets.HTML:
    """Return a widget that shows how many guesses in this notebook were close, and stays up to date."""
    SUMMARY.value = counted()
    return SUMMARY


def counted() -> str:
    """Return the guesses so far as HTML: how many were close, then each question with ✓ or ✗."""
    if not GIVEN:
        return "<p>You have not guessed yet. Answer the questions above.</p>"
    rows = "".join(f"<li>{mark(close)}{html.escape(question)}</li>" for question, close in GIVEN.items())
    said = f"{sum(GIVEN.values())} of your {len(GIVEN)} guesses were right or close."
    return f'<div role="status"><p><b>{said}</b></p><ul>{rows}</ul></div>'


def mark(close: bool, yes: str = "", no: str = "") -> str:
    """Return ✓ and `yes` for a close guess, otherwise ✗ and `no`, as HTML."""
    return f"<b>{f'✓ {yes}' if close else f'✗ {no}'}</b> "


def number(text: str) -> float:
    """Parse a number such as 12,000, 35% or 1/8; raise ValueError for any other string."""
    kept = re.sub(r"[\s,_%]", "", text).replace("−", "-")
    found = re.fullmatch(r"(-?\d*\.?\d+)(?:/(\d*\.?\d+))?", kept)
    if not found or not float(found[2] or 1):
        raise ValueError(
            f"{text.strip()!r} is not a number. Type one, such as 12,000 or 35% or 0.5, and press Enter."
        )
    return float(found[1]) / float(found[2] or 1)


def short(value: float, unit: str = "") -> str:
    """Format a number with three significant digits, such as 12.1, or as an integer if it is at least 100.

    Percentages of at least 1 are rounded to integers.
    """
    if abs(value) >= 100 or unit == "%" and abs(value) >= 1:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def two_bars(given: float, right: float, mine: str, its: str, whole: float) -> str:
    """Return the guess and, below it, the answer as HTML bars with numbers, or "" if either is negative.

    given, right: the guess and the answer. mine, its: both as strings. whole: the value of a bar of full
    length.
    """
    if min(given, right) < 0 or max(given, right) == 0:
        return ""
    cell = '<td style="text-align:left;padding:1px 8px">'
    rows = "".join(
        f'<tr>{cell}{name}</td>{cell}<span style="display:inline-block;height:12px;vertical-align:middle;'
        f'width:{WIDTH * value / whole:.0f}px;{look}"></span> {text}</td></tr>'
        for name, value, text, look in (
            ("your guess", given, mine, "border:1px dashed currentColor"),
            ("the answer", right, its, f"border:1px solid {LIT};background:{LIT}"),
        )
    )
    return f'<table role="presentation" style="margin:4px 0">{rows}</table>'


def compared(canvas: Canvas, mine: np.ndarray, right: np.ndarray) -> Drawing:
    """Draw the guess (dashed or hollow) and the answer (solid or filled) in one figure.

    Returns (Figure, description).
    """
    along, axis = canvas.axes
    fig = (two_lines if canvas.curve else pairs_of_bars)(canvas, mine, right)
    headline(fig, "Your guess and the answer")
    told = "; ".join(
        f"{label}: you {short(a, canvas.unit)}{canvas.unit}, the answer {short(b, canvas.unit)}{canvas.unit}"
        for label, a, b in zip(canvas.labels, mine, right)
    )
    return fig, f"{axis}{f' over {along}' if along else ''}. {told}."


def two_lines(canvas: Canvas, mine: np.ndarray, right: np.ndarray) -> Figure:
    """Draw the guess and the answer as two lines, each with its name at the right end."""
    fig, ax = figure(3.0)
    for values, look in ((mine, GUESSED), (right, ANSWERED)):
        ax.plot(canvas.places, values, **look)
    ax.set_xticks(canvas.places, canvas.labels)
    ax.set(xlabel=canvas.axes[0], ylabel=canvas.axes[1], ylim=(0, 1.05 * canvas.top))
    ticks(ax.yaxis, canvas)
    plain(ax)
    name_lines(ax, [("your guess", 1.0, mine[-1]), ("the answer", 1.0, right[-1])])
    return fig


def pairs_of_bars(canvas: Canvas, mine: np.ndarray, right: np.ndarray) -> Figure:
    """Draw the guess and the answer as two bars for each label, each with its value at the end."""
    fig, ax = figure(0.9 + 0.5 * len(mine))
    places = np.arange(len(mine))
    for offset, values, name, look in (
        (-0.2, mine, "your guess", GUESSED),
        (0.2, right, "the answer", ANSWERED),
    ):
        drawn = ax.barh(places + offset, values, height=0.36, fill=look is ANSWERED, **look)
        ax.bar_label(
            drawn,
            [
                f"{short(value, canvas.unit)}{canvas.unit}{'' if place else ', ' + name}"
                for place, value in enumerate(values)
            ],
            padding=3,
            fontsize=9,
        )
    ax.set_yticks(places, canvas.labels)
    ax.set(xlabel=canvas.axes[1], xlim=(0, 1.25 * canvas.top))
    ticks(ax.xaxis, canvas)
    ax.invert_yaxis()
    plain(ax)
    return fig


def ticks(axis: Axis, canvas: Canvas) -> None:
    """Label an axis from 0 to the top of the canvas, with the same numbers and unit as the canvas."""
    shares = np.linspace(0, canvas.top, 5)
    axis.set_ticks(shares, [f"{short(share, canvas.unit)}{canvas.unit}" for share in shares])
