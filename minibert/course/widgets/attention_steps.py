"""Show attention for one query step by step, with all numbers.

See Vaswani et al. (2017, arXiv 1706.03762), section 3.2.1. Axes: S keys, K head size.
"""

import html
from collections.abc import Iterable, Sequence

import numpy as np

from minibert.readers.wording import with_minus

from .tables import scrolling
from .theme import LIGHT
from .view import BLUE, SKY

STEPS = 7
TOLD = (
    "This is the query. Every word has a key. The two match if their large numbers are at the same "
    "positions.",
    "Dot product: multiply query and key number by number, and add the products. (Zeros are left out.)",
    "Scale: divide each dot product by √d = {root:.4g}, because a query has d = {size} numbers.",
    "Softmax, first half: e to the power of each score. Now all numbers are positive.",
    "Softmax, second half: divide by their sum, {total:.2f}. Now the weights add up to 1.",
    "Multiply the value of each word by the word's weight.",
    "Add the results: the sum is the context of “{word}”, what it takes from all the words.",
)
LARGE = 4.0  # numbers from this size on have the full colour of their role; smaller ones are paler
FRAME = "padding:4px 8px;text-align:center;vertical-align:top;border-bottom:1px solid #8884"


def attention_steps(
    words: Sequence[str],
    chosen: int,
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    meanings: Sequence[str],
    dots: np.ndarray,
    scores: np.ndarray,
    exps: np.ndarray,
    probs: np.ndarray,
    context: np.ndarray,
    step: int,
) -> str:
    """Return an HTML table of one query's scaled dot-product attention, up to the given step.

    words: S words. chosen: the index of the query's word. q: the query (K,). k, v: keys and values (S, K).
    meanings: K strings that describe the K numbers of a value vector. dots, scores, exps, probs: (S,), the
    results of the steps. context: the output (K,). step: 1 to STEPS. Raises ValueError for any other step.
    """
    if not 1 <= step <= STEPS:
        raise ValueError(f"there is no step {step}; the steps are 1 to {STEPS}")
    told = TOLD[step - 1].format(root=np.sqrt(len(q)), size=len(q), total=exps.sum(), word=words[chosen])
    rows = [
        ("key k", [vector(x, "key") for x in k]),
        ("q · k", [product(q, x, dot) for x, dot in zip(k, dots)]),
        ("÷ √d", [f"{x:.2f}" for x in scores]),
        ("e to the score", [f"{x:.2f}" for x in exps]),
        ("weight", [bar(x) for x in probs]),
        (
            "weight × value",
            [f"{p:.2f} × {vector(x, 'value')}<br>= {vector(p * x, 'value')}" for p, x in zip(probs, v)],
        ),
    ]
    lines = "".join(row(name, values, i + 1 == step) for i, (name, values) in enumerate(rows[:step]))
    heads = "".join(f'<th scope="col" style="{FRAME}">{html.escape(word)}</th>' for word in words)
    meant = ", ".join(f"{html.escape(meaning)} <b>{number(x)}</b>" for meaning, x in zip(meanings, context))
    result = (
        f'<p style="margin:6px 0"><b>context</b> = {vector(context, "context")}: {meant}</p>'
        if step == STEPS
        else ""
    )
    return (
        f'<p style="margin:6px 0" aria-live="polite"><b>Step {step} of {STEPS}.</b> {html.escape(told)}</p>'
        f'<p style="margin:6px 0"><b>query q</b> of “{html.escape(words[chosen])}” = {vector(q, "query")}</p>'
        + scrolling(f'<table style="border-collapse:collapse"><tr><th></th>{heads}</tr>{lines}</table>')
        + result
    )


def row(name: str, values: Iterable[str], now: bool) -> str:
    """Return the table row of one step as HTML, with a frame if it is the current step (`now`)."""
    mark = f"outline:2px solid {BLUE};outline-offset:-2px" if now else ""
    cells = "".join(f'<td style="{FRAME};font-variant-numeric:tabular-nums">{value}</td>' for value in values)
    head = f'<th scope="row" style="{FRAME};text-align:left;white-space:nowrap">{name}</th>'
    return f'<tr style="{mark}">{head}{cells}</tr>'


def vector(x: Iterable[float], role: str) -> str:
    """Return a vector as HTML, with one cell for each number and stronger colours for larger values.

    role: what the vector is, such as "query" or "key", which determines the colour. Negative numbers are
    hatched.
    """
    return f'<span style="white-space:nowrap">{"".join(cell(value, role) for value in x)}</span>'


def cell(value: float, role: str) -> str:
    """Return one number of a vector as an HTML box, coloured as in `vector`."""
    red, green, blue = bytes.fromhex(LIGHT[role][1:])
    tint = f"rgba({red},{green},{blue},{(0.4 if value < 0 else 0.6) * min(1.0, abs(value) / LARGE):.2f})"
    fill = f"repeating-linear-gradient(135deg,{tint} 0 4px,transparent 4px 7px)" if value < 0 else tint
    return (
        f'<span style="display:inline-block;min-width:1.3em;padding:0 2px;text-align:center;'
        f'border:1px solid {LIGHT[role]};background:{fill}">{number(value)}</span> '
    )


def number(x: float) -> str:
    """Format a number with at most two decimals and a typographic minus sign; -0 becomes 0."""
    return with_minus(round(float(x), 2), "{:g}")


def product(q: np.ndarray, k: np.ndarray, dot: float) -> str:
    """Return the dot product of `q` and `k` as text, such as 2·3 + 1·1 = 7, without zero terms."""
    terms = " + ".join(f"{number(a)}·{number(b)}" for a, b in zip(q, k) if a * b)
    return f"{terms}<br>= <b>{number(dot)}</b>" if terms else "<b>0</b>"


def bar(weight: float) -> str:
    """Return a weight as HTML, with the number above a bar whose width is proportional to it."""
    return (
        f'<b>{weight:.2f}</b><div style="width:70px;margin:auto;border:1px solid #8888">'
        f'<div style="width:{70 * weight:.0f}px;height:9px;background:{SKY}"></div></div>'
    )
