"""How a check speaks: as a coloured box in JupyterLab, with a small picture of what differs, and as text
elsewhere.

NumPy and the standard library only: a box is a few lines of HTML, a picture an SVG. Colours are Okabe and
Ito's and never stand alone; text takes the theme's colour, so that a dark theme stays readable.
"""
import html
import re
import sys

import numpy as np

from .compare import apart

LABELS = {"exists": "is it written", "signature": "its arguments", "runs": "does it run",
          "type": "type of the result",
          "dtype": "dtype of the result", "shape": "shape of the result",
          "inputs untouched": "are the inputs left alone",
          # other steps are named as they are
          "deterministic": "same input, same result", "invariants": "what must hold"}
GOOD, BAD, NOTE = "#009e73", "#d55e00", "#0072b2"
LOW, HIGH = (0, 114, 178), (240, 228, 66)   # of a heat map: blue to yellow, told apart by brightness too
CELL = 26                                   # pixels


def notebook():
    """IPython's `display` where a notebook runs us, else None: a terminal gets text."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display
    return display


def show(text, box):
    """Print `text`; in a notebook, display the HTML `box` with `text` as its plain form. True where a box was
    shown.
    """
    display = notebook()
    if display is None:
        print(text)
    else:
        display({"text/html": box, "text/plain": text}, raw=True)
    return display is not None


def marked(text):
    """Text as HTML; what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def box(colour, sign, heading, *parts):
    """A box of HTML. sign and heading are its first line; parts are HTML already."""
    return (f'<div role="group" aria-label="{html.escape(heading, quote=True)}" style="border: 1px solid '
            f'{colour}; '
            f'border-left-width: 8px; border-radius: 4px; padding: 0.5em 1em; margin: 0.3em 0; max-width: '
            f'56em; '
            f'line-height: 1.5; color: var(--jp-content-font-color1, inherit)">'
            f'<div role="heading" aria-level="4" style="font-weight: bold"><span '
            f'aria-hidden="true">{sign}</span> '
            f"{marked(heading)}</div>{''.join(filter(None, parts))}</div>")


def paragraph(text):
    return f'<div style="margin-top: 0.3em">{marked(text)}</div>' if text else ""


def opened(sentence):
    """The sentence with a capital letter, where it does not begin with a short name or with code."""
    return sentence[:1].upper() + sentence[1:] if re.match("[a-z]{2,}[ ,]", sentence) else sentence


def passed_box(name, note, verified):
    """The box of a passed check: what was verified."""
    items = "".join(f"<li>{marked(item)}</li>" for item in verified)
    return box(GOOD, "✓", f"{name}: passed. {note}".strip(),
               f'<ul style="margin: 0.2em 0">{items}</ul>' if items else "")


def failed_box(name, failure):
    """The box of a failed check: the sentence, the numbers, the picture, the example."""
    example = failure.example and (f'<pre style="white-space: pre-wrap; margin: 0.4em 0 0; color: inherit">'
                                   f"{html.escape(failure.example)}</pre>")
    drawn = failure.picture and heat_maps(*failure.picture)
    return box(BAD, "✗", f"{name}: not yet. Step: {LABELS.get(failure.step, failure.step)}",
               paragraph(opened(failure.sentence)), paragraph(failure.detail), drawn, example,
               paragraph(failure.note))


def note_box(heading, text):
    return box(NOTE, "→", heading, paragraph(opened(text)))


def heat_maps(expected, got):
    """Two heat maps side by side as HTML, (rows, columns) each; wrong cells carry a cross, and a sentence
    counts them.
    """
    wrong = apart(got, expected)
    both = np.concatenate([expected, got])
    finite = both[np.isfinite(both)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    count = f"{int(wrong.sum())} of {wrong.size}"
    figures = [figure("expected", expected, np.zeros_like(wrong), low, high,
                      f"Heat map of the expected values, {low:.3g} to {high:.3g}."),
               figure("yours", got, wrong, low, high,
                      f"Heat map of your values; {count} are wrong and marked by a cross.")]
    return (
        f'<div style="display: flex; flex-wrap: wrap; gap: 1.5em; margin-top: 0.4em">{"".join(figures)}</div>'
            f'<div style="font-size: 0.9em">Dark is {low:.3g}, bright is {high:.3g}; a cross marks a wrong '
            f'value.</div>')


def figure(title, values, wrong, low, high, alt):
    rows, columns = values.shape
    cells = "".join(cell(r, c, values[r, c], wrong[r, c], low, high) for r in range(rows)
                    for c in range(columns))
    return (f'<div><div aria-hidden="true">{title}</div><svg role="img" '
            f'aria-label="{html.escape(alt, quote=True)}" '
            f'width="{columns * CELL}" height="{rows * CELL}" viewBox="0 0 {columns * CELL} '
            f'{rows * CELL}">{cells}</svg></div>')


def cell(row, column, value, wrong, low, high):
    """One cell as SVG; nan and infinity are hollow."""
    x, y = column * CELL, row * CELL
    share = (np.clip(value, low, high) - low) / (high - low or 1) if np.isfinite(value) else None
    fill = "none" if share is None else "rgb({}, {}, {})".format(
        *(round(a + (b - a) * share) for a, b in zip(LOW, HIGH, strict=True)))
    rect = (f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" fill="{fill}" '
            f'stroke="currentColor" '
            f'stroke-width="0.5"/>')
    if not wrong:
        return rect
    a, b, c, d = x + 6, y + 6, x + CELL - 6, y + CELL - 6
    path = f"M{a} {b}L{c} {d}M{c} {b}L{a} {d}"
    return rect + "".join(f'<path d="{path}" stroke="{colour}" stroke-width="{width}"/>'
                          for colour, width in (("white", 5), ("black", 2)))
