"""Show a check's result as a coloured box with a picture in a notebook, or as text elsewhere.

A box is a few lines of HTML and a picture is an SVG, so no plotting library is needed. The colours are from
Okabe and Ito's palette, and nothing is conveyed by colour alone. Text takes the theme's colour, so that it
stays readable in a dark theme.
"""

import html
import re
import sys
from collections.abc import Callable, Iterable

import numpy as np

from .compare import apart
from .failure import Failure

LABELS = {
    "exists": "the function exists",
    "signature": "parameters",
    "runs": "it runs without an error",
    "type": "type of the result",
    "dtype": "dtype of the result",
    "shape": "shape of the result",
    "inputs untouched": "inputs are unchanged",
    "deterministic": "same input, same result",
    "invariants": "required properties",
}  # the other steps are shown under their own names
GOOD, BAD, NOTE = "#009e73", "#d55e00", "#0072b2"
LOW, HIGH = (0, 114, 178), (240, 228, 66)  # a heat map's blue and yellow, which also differ in brightness
CELL = 26  # pixels


def notebook() -> Callable | None:
    """Return IPython's `display` in a notebook, or None elsewhere, such as in a terminal."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display

    return display


def show(text: str, box: str) -> bool:
    """Display the HTML `box` in a notebook, or print `text` elsewhere; return True in a notebook."""
    display = notebook()
    if display is None:
        print(text)
    else:
        display({"text/html": box, "text/plain": text}, raw=True)
    return display is not None


def marked(text: str) -> str:
    """Convert plain text to HTML, and format text between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def box(colour: str, sign: str, heading: str, *parts: str | None) -> str:
    """Build an HTML box with a sign and a heading on its first line, followed by `parts`.

    colour: the CSS colour of the border. parts: pieces of HTML; None and empty strings are skipped.
    """
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
    """Build an HTML paragraph, or return an empty string if `text` is empty."""
    return f'<div style="margin-top: 0.3em">{marked(text)}</div>' if text else ""


def opened(sentence: str) -> str:
    """Capitalise the first letter of a sentence, unless it begins with a one-letter name or with code."""
    return sentence[:1].upper() + sentence[1:] if re.match("[a-z]{2,}[ ,]", sentence) else sentence


def passed_box(name: str, note: str, verified: Iterable[str]) -> str:
    """Build the HTML box of a passed check, with a list of the verified properties."""
    items = "".join(f"<li>{marked(item)}</li>" for item in verified)
    return box(
        GOOD,
        "✓",
        f"{name}: passed. {note}".strip(),
        f'<ul style="margin: 0.2em 0">{items}</ul>' if items else "",
    )


def failed_box(name: str, failure: Failure) -> str:
    """Build the HTML box of a failed check, with its message, numbers, picture and example."""
    example = failure.example and (
        f'<pre style="white-space: pre-wrap; margin: 0.4em 0 0; color: inherit">'
        f"{html.escape(failure.example)}</pre>"
    )
    drawn = heat_maps(*failure.picture) if failure.picture else ""
    return box(
        BAD,
        "✗",
        f"{name}: not passed yet. Failed step: {LABELS.get(failure.step, failure.step)}",
        paragraph(opened(failure.sentence)),
        paragraph(failure.detail),
        drawn,
        example,
        paragraph(failure.note),
    )


def note_box(heading: str, text: str) -> str:
    """Build the HTML box of a hint or a remark."""
    return box(NOTE, "→", heading, paragraph(opened(text)))


def heat_maps(expected: np.ndarray, got: np.ndarray) -> str:
    """Draw the expected and the actual values as two HTML heat maps, with a cross in each wrong cell."""
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
            f"Heat map of your values; {count} are wrong and marked with a cross.",
        ),
    ]
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 1.5em; margin-top: 0.4em">'
        f'{"".join(figures)}</div><div style="font-size: 0.9em">Dark is {low:.3g}, bright is {high:.3g}; '
        "a cross marks a wrong value.</div>"
    )


def figure(title: str, values: np.ndarray, wrong: np.ndarray, low: float, high: float, alt: str) -> str:
    """Return the HTML of one heat map of `values`, with a title.

    wrong: True for each wrong value. low, high: the values drawn darkest and brightest. alt: a description
    for screen readers.
    """
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
    """Draw one cell of a heat map as SVG, with a cross if its value is wrong.

    low, high: the values drawn darkest and brightest. The cell of an infinite value or nan is left empty.
    """
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
