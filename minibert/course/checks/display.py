"""Show the result of a check: a coloured box in a notebook, with a small picture of what differs, or text.

A box is a few lines of HTML, a picture an SVG; no plotting library is needed. Colours are Okabe and Ito's and
never carry meaning alone; text takes the theme's colour, so that a dark theme stays readable.
"""

import html
import re
import sys
from collections.abc import Callable, Iterable

import numpy as np

from .compare import apart
from .failure import Failure

LABELS = {
    "exists": "is it written",
    "signature": "its arguments",
    "runs": "does it run",
    "type": "type of the result",
    "dtype": "dtype of the result",
    "shape": "shape of the result",
    "inputs untouched": "are the inputs left alone",
    "deterministic": "same input, same result",
    "invariants": "what must hold",
}  # the other steps are called by their own names
GOOD, BAD, NOTE = "#009e73", "#d55e00", "#0072b2"
LOW, HIGH = (0, 114, 178), (240, 228, 66)  # of a heat map: blue to yellow, told apart by brightness too
CELL = 26  # pixels


def notebook() -> Callable | None:
    """IPython's `display` in a notebook; None elsewhere, such as in a terminal, which gets text."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display

    return display


def show(text: str, box: str) -> bool:
    """Display the HTML `box` in a notebook, or print `text` elsewhere; return True if a box was shown."""
    display = notebook()
    if display is None:
        print(text)
    else:
        display({"text/html": box, "text/plain": text}, raw=True)
    return display is not None


def marked(text: str) -> str:
    """Convert text to HTML, with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def box(colour: str, sign: str, heading: str, *parts: str | None) -> str:
    """Build a box of HTML: `sign` and `heading` on the first line, then the `parts`, already HTML."""
    return (
        f'<div role="group" aria-label="{html.escape(heading, quote=True)}" '
        f'style="border: 1px solid {colour}; border-left-width: 8px; border-radius: 4px; '
        f"padding: 0.5em 1em; margin: 0.3em 0; max-width: 56em; "
        f'line-height: 1.5; color: var(--jp-content-font-color1, inherit)">'
        f'<div role="heading" aria-level="4" style="font-weight: bold">'
        f'<span aria-hidden="true">{sign}</span> '
        f"{marked(heading)}</div>{''.join(filter(None, parts))}</div>"
    )


def paragraph(text: str) -> str:
    """A paragraph of HTML; an empty string for an empty text."""
    return f'<div style="margin-top: 0.3em">{marked(text)}</div>' if text else ""


def opened(sentence: str) -> str:
    """The sentence with a capital letter, unless it begins with a short name or with code."""
    return sentence[:1].upper() + sentence[1:] if re.match("[a-z]{2,}[ ,]", sentence) else sentence


def passed_box(name: str, note: str, verified: Iterable[str]) -> str:
    """The box of a passed check, with a list of what was verified."""
    items = "".join(f"<li>{marked(item)}</li>" for item in verified)
    return box(
        GOOD,
        "✓",
        f"{name}: passed. {note}".strip(),
        f'<ul style="margin: 0.2em 0">{items}</ul>' if items else "",
    )


def failed_box(name: str, failure: Failure) -> str:
    """The box of a failed check: the sentence, the numbers, the picture, the example."""
    example = failure.example and (
        f'<pre style="white-space: pre-wrap; margin: 0.4em 0 0; color: inherit">'
        f"{html.escape(failure.example)}</pre>"
    )
    drawn = heat_maps(*failure.picture) if failure.picture else ""
    return box(
        BAD,
        "✗",
        f"{name}: not yet. Step: {LABELS.get(failure.step, failure.step)}",
        paragraph(opened(failure.sentence)),
        paragraph(failure.detail),
        drawn,
        example,
        paragraph(failure.note),
    )


def note_box(heading: str, text: str) -> str:
    """The box of a hint or a remark."""
    return box(NOTE, "→", heading, paragraph(opened(text)))


def heat_maps(expected: np.ndarray, got: np.ndarray) -> str:
    """Two heat maps of (rows, columns) side by side, as HTML; wrong cells carry a cross and are counted."""
    wrong = apart(got, expected)
    both = np.concatenate([expected, got])
    finite = both[np.isfinite(both)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    count = f"{int(wrong.sum())} of {wrong.size}"
    figures = [
        figure(
            "expected",
            expected,
            np.zeros_like(wrong),
            low,
            high,
            f"Heat map of the expected values, {low:.3g} to {high:.3g}.",
        ),
        figure(
            "yours",
            got,
            wrong,
            low,
            high,
            f"Heat map of your values; {count} are wrong and marked by a cross.",
        ),
    ]
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 1.5em; margin-top: 0.4em">'
        f'{"".join(figures)}</div><div style="font-size: 0.9em">Dark is {low:.3g}, bright is {high:.3g}; '
        "a cross marks a wrong value.</div>"
    )


def figure(title: str, values: np.ndarray, wrong: np.ndarray, low: float, high: float, alt: str) -> str:
    """One heat map with its title, as HTML; `alt` describes it to screen readers."""
    rows, columns = values.shape
    cells = "".join(
        cell(r, c, values[r, c], wrong[r, c], low, high) for r in range(rows) for c in range(columns)
    )
    return (
        f'<div><div aria-hidden="true">{title}</div><svg role="img" '
        f'aria-label="{html.escape(alt, quote=True)}" width="{columns * CELL}" height="{rows * CELL}" '
        f'viewBox="0 0 {columns * CELL} {rows * CELL}">{cells}</svg></div>'
    )


def cell(row: int, column: int, value: float, wrong: bool, low: float, high: float) -> str:
    """One cell of a heat map as SVG; nan and infinity are left hollow."""
    x, y = column * CELL, row * CELL
    share = (np.clip(value, low, high) - low) / (high - low or 1) if np.isfinite(value) else None
    fill = (
        "none"
        if share is None
        else "rgb({}, {}, {})".format(*(round(a + (b - a) * share) for a, b in zip(LOW, HIGH, strict=True)))
    )
    rect = (
        f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" fill="{fill}" '
        f'stroke="currentColor" stroke-width="0.5"/>'
    )
    if not wrong:
        return rect
    a, b, c, d = x + 6, y + 6, x + CELL - 6, y + CELL - 6
    path = f"M{a} {b}L{c} {d}M{c} {b}L{a} {d}"
    return rect + "".join(
        f'<path d="{path}" stroke="{colour}" stroke-width="{width}"/>'
        for colour, width in (("white", 5), ("black", 2))
    )
