"""Guess, then see: questions whose answer appears once a guess is given, as a number, a choice, or a drawing.

The first guess counts. It stays in the notebook beside the answer, and `my_guesses` says how many came close.
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
from .view import LIT, Drawing, View, beside, figure, figure_html

See = str | Drawing | None
GIVEN: dict[str, bool] = {}  # question -> did its first guess come close
SUMMARY = widgets.HTML()  # one for the whole notebook: it changes with each guess
WIDTH = 240  # pixels of the longest bar
GUESSED, ANSWERED = {"color": "#000000", "linestyle": "--"}, {"color": LIT, "linewidth": 2.5}
NO_WIDGETS = "Run this cell in a notebook to guess first."
EXACT = "Right.", "No."  # what is said where nothing is close
HOW = "Drag {} up or down, or go there with Tab and press the arrow keys. Your first guess counts."


class GuessThenSee(widgets.VBox):
    """A question, the controls of a guess, and after it the answer.

    see(): what to show below the answer: HTML text, (Figure, description in words), or None. It is called
    when the guess is there, not before.
    """

    verdicts = "Close.", "Not close."

    def __init__(self, question: str, see: Callable[[], See] | None, *controls: widgets.Widget) -> None:
        self.question, self.see = question, see
        self.asked = widgets.HTML(f"<p><b>Your guess:</b> {html.escape(question)}</p>")
        self.said = widgets.HTML()
        self.handle: Any = None
        super().__init__([self.asked, *controls, self.said])

    def close_controls(self) -> None:
        """Take no further guess."""
        raise NotImplementedError

    def told(self, guess: Any) -> tuple[bool, str]:
        """(whether this guess comes close, what is said about it beside the answer, as HTML)."""
        raise NotImplementedError

    def give(self, guess: Any) -> None:
        """Take a guess and show the answer below it. What goes wrong is said, to be mended."""
        self.said.value = '<p role="status">The answer is computed …</p>'
        try:
            close, said = self.told(guess)
            seen = self.see() if self.see else None
        except Exception as error:
            what = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            self.said.value = f'<p class="minibert-error" role="alert">{html.escape(what)}</p>'
            return
        GIVEN.setdefault(self.question, close)
        SUMMARY.value = counted()
        further = seen if isinstance(seen, str) else figure_html(*seen) if seen else ""
        self.said.value = f'<div role="status"><p>{mark(close, *self.verdicts)}{said}</p></div>{further}'
        self.close_controls()
        if self.handle:
            get_ipython().events.register("post_run_cell", self.keep)

    def keep(self, _: Any = None) -> None:
        """Replace the live question by a text that is saved with the notebook, once the next cell has run."""
        get_ipython().events.unregister("post_run_cell", self.keep)
        self.handle.update(View(self.asked.value + self.said.value))

    def _ipython_display_(self) -> None:
        """Display the live question, and remember where."""
        asked = self.asked.value + f"<p><i>{NO_WIDGETS}</i></p>"
        data, metadata = beside(self._repr_mimebundle_(), asked)
        self.handle = display(data, metadata=metadata, raw=True, display_id=True)


class GuessNumber(GuessThenSee):
    """Guess a number, such as a count or a share in percent.

    answer(): the right number. within: how far off a guess still counts as close. form: how numbers are
    written, such as "{:.0f}%"; a guess may be typed as 12,000 or 12000, 35% or 35.

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

    def typed(self, change: Any) -> None:
        """Take what was typed; an emptied box is no guess."""
        if change.new.strip():
            self.give(change.new)

    def close_controls(self) -> None:
        """Take no further guess."""
        self.box.disabled = True

    def told(self, guess: str) -> tuple[bool, str]:
        """Compare a typed number with the right one; raises ValueError for a text that is no number."""
        given = number(guess)
        if self.form.endswith("%") and "%" not in guess and 0 < given < 1:
            raise ValueError(f"Percent, please: for {guess.strip()} type {100 * given:g}% (or {given:g}%).")
        right = self.answer()
        mine, its = with_minus(given, self.form), with_minus(right, self.form)
        said = f"You say <b>{mine}</b>; it is <b>{its}</b>."
        whole = 100 if self.form.endswith("%") and max(given, right) <= 100 else max(given, right)
        return abs(given - right) <= self.within, said + two_bars(given, right, mine, its, whole)


class GuessChoice(GuessThenSee):
    """Choose one of a few answers by its button.

    choices: their texts. answer(): the right text.
    """

    verdicts = EXACT

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

    def close_controls(self) -> None:
        """Take no further guess."""
        self.box.disabled = True

    def told(self, guess: str) -> tuple[bool, str]:
        """Compare the chosen text with the right one."""
        right = self.answer()
        return guess == right, f"You say <b>{html.escape(guess)}</b>; it is <b>{html.escape(right)}</b>."


class Canvas(anywidget.AnyWidget):
    """Points that can be dragged up and down, by mouse, finger or arrow keys: bars, or a curve."""

    _esm = Path(__file__).with_name("canvas.js")
    _css = CSS
    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    values = traitlets.List(traitlets.Float()).tag(sync=True)
    top = traitlets.Float().tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    curve = traitlets.Bool().tag(sync=True)
    places = traitlets.List(traitlets.Float()).tag(sync=True)  # of the points, from 0, left, to 1, right
    axes = traitlets.List(traitlets.Unicode()).tag(sync=True)


class GuessBars(GuessThenSee):
    """Drag a bar for each label to the height that you expect.

    labels: 2 to 12 names. answer(): a number for each, 0 to top. A guess is close if its bars are off by at
    most `within` on average, and the right one is the highest; bars of which the answer is no more than
    `within` below its highest may be the highest, too. axis: what they measure. unit: what follows each
    number, such as "%". along, at: what the labels are, and where, as increasing numbers, for labels at
    unequal distances.
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
            raise ValueError(f"{len(labels)} labels: 2 to 12 can be drawn")
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
            layout={"width": "auto", "align_self": "flex-start"},
        )
        self.button.on_click(lambda _: self.give(self.canvas.values))
        super().__init__(question, see, self.how, self.canvas, self.button)

    def moved(self, _: Any) -> None:
        """Something is drawn: it may be given as a guess."""
        self.button.disabled = False

    def close_controls(self) -> None:
        """Take no further guess; the drawing stands beside the answer now."""
        self.button.disabled, self.canvas.layout.display, self.how.layout.display = True, "none", "none"

    def told(self, guess: Sequence[float]) -> tuple[bool, str]:
        """Draw the guess beside the answer; raises ValueError for an answer of another length."""
        right, mine = np.asarray(self.answer(), float), np.asarray(guess, float)
        if right.shape != mine.shape:
            raise ValueError(f"{right.size} numbers are the answer to {mine.size} labels")
        off = float(np.abs(right - mine).mean())
        unit = {"%": " points"}.get(self.canvas.unit, self.canvas.unit)
        agrees, said = self.shape(mine, right)
        return (
            off <= self.within and agrees,
            f"Your guess is off by <b>{short(off, self.canvas.unit)}{unit}</b> on average{said}."
            + figure_html(*compared(self.canvas, mine, right)),
        )

    def shape(self, mine: np.ndarray, right: np.ndarray) -> tuple[bool, str]:
        """(whether the highest bar is the right one, what is said where it is not)."""
        highest = int(mine.argmax())
        agrees = right[highest] >= right.max() - self.within
        names = [html.escape(self.canvas.labels[place]) for place in (highest, int(right.argmax()))]
        return agrees, "" if agrees else f", and its highest is <b>{names[0]}</b>, not <b>{names[1]}</b>"


class GuessCurve(GuessBars):
    """Draw how something goes: a curve over a few places, whose names are `labels`.

    A guess is close if it is off by at most `within` on average, and rises or falls from its first place to
    its last as the answer does. The rest as in GuessBars.
    """

    curve, points = True, "the curve"

    def shape(self, mine: np.ndarray, right: np.ndarray) -> tuple[bool, str]:
        """(whether it rises or falls as the answer does, what is said where it does not)."""
        rise, truth = mine[-1] - mine[0], right[-1] - right[0]
        if abs(truth) <= self.within or rise * truth > 0:
            return True, ""
        return False, f", and the answer {'rises' if truth > 0 else 'falls'} from left to right"


def my_guesses() -> widgets.HTML:
    """How many of this notebook's guesses came close, for its end; it changes with each further guess."""
    SUMMARY.value = counted()
    return SUMMARY


def counted() -> str:
    """The guesses so far as HTML: how many came close, then each question with its mark."""
    if not GIVEN:
        return "<p>No guesses yet. Each question above waits for one.</p>"
    rows = "".join(f"<li>{mark(close)}{html.escape(question)}</li>" for question, close in GIVEN.items())
    said = f"{sum(GIVEN.values())} of your {len(GIVEN)} guesses were right or close."
    return f'<div role="status"><p><b>{said}</b></p><ul>{rows}</ul></div>'


def mark(close: bool, yes: str = "", no: str = "") -> str:
    """A sign for a guess that came close, or did not, and a word beside it, as HTML."""
    return f"<b>{f'✓ {yes}' if close else f'✗ {no}'}</b> "


def number(text: str) -> float:
    """The number in a text such as 12,000 or 35% or 1/8; raises ValueError for a text without one."""
    kept = re.sub(r"[\s,_%]", "", text).replace("−", "-")
    found = re.fullmatch(r"(-?\d*\.?\d+)(?:/(\d*\.?\d+))?", kept)
    if not found or not float(found[2] or 1):
        raise ValueError(
            f"{text.strip()!r} is not a number. Type one, such as 12,000 or 35% or 0.5, and press Enter."
        )
    return float(found[1]) / float(found[2] or 1)


def short(value: float, unit: str = "") -> str:
    """The number with three digits, or all before the point: 0.125, 12.1, 12,129; percent above 1 whole."""
    if abs(value) >= 100 or unit == "%" and abs(value) >= 1:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def two_bars(given: float, right: float, mine: str, its: str, whole: float) -> str:
    """A guess above the answer, as bars with their numbers at the end, as HTML; nothing for negative ones.

    whole: what the longest possible bar stands for.
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
    """The guess (dashed, hollow) beside the answer (filled), each with its name at the thing itself."""
    along, axis = canvas.axes
    fig = (two_lines if canvas.curve else pairs_of_bars)(canvas, mine, right)
    headline(fig, "Your guess and the answer")
    told = "; ".join(
        f"{label}: you {short(a, canvas.unit)}{canvas.unit}, the answer {short(b, canvas.unit)}{canvas.unit}"
        for label, a, b in zip(canvas.labels, mine, right)
    )
    return fig, f"{axis}{f' over {along}' if along else ''}. {told}."


def two_lines(canvas: Canvas, mine: np.ndarray, right: np.ndarray) -> Figure:
    """Two lines, with their names at their right ends."""
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
    """Two bars for each label, each with its number at its end."""
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
    """Write the numbers of the canvas's own axis, up to its top, with their unit."""
    shares = np.linspace(0, canvas.top, 5)
    axis.set_ticks(shares, [f"{short(share, canvas.unit)}{canvas.unit}" for share in shares])
