"""Attention and positions, drawn: one query step by step, heat maps of weights, who may look at whom, sine waves.

Vaswani et al. (2017, arXiv 1706.03762), sections 3.2 and 3.5. Every function takes arrays that were computed elsewhere.
Axes: T queries, S keys, H heads, K head size, D hidden.
"""
import html

import numpy as np

from .explorer import BLUE, SKY, VERMILLION, YELLOW, figure
from .plots import DARK, LIGHT, cells, headline, plain

CELL, SMALL_CELL = 0.55, 0.26               # inches, with and without room for a number
MOST_NUMBERS = 10                           # a map with more keys than this has no numbers in its cells
MOST_SAID = 12                              # a description in words names this many queries at most
STEPS = 7                                   # of one query
TOLD = ("This is the query, and every word offers a key. Big numbers in the same place will make a match.",
        "Dot product: multiply query and key number by number, and add. Products that are 0 are left out.",
        "Scale: divide each dot product by √K = {root:.4g}, because a query has K = {size} numbers.",
        "Softmax, first half: e to the power of each score. Every number is positive now.",
        "Softmax, second half: divide by their sum, {total:.2f}. The weights add up to 1.",
        "Each word hands over its value, times its weight.",
        "Add them up: this is the new vector of “{word}”, its context.")


def attention_map(probs, tokens, title, keys=None):
    """Heat map of attention weights, queries in rows and keys in columns.

    probs: (T, S) in [0, 1]; tokens: T words of the queries; keys: S words, default `tokens`. Returns (Figure, alt).
    Raises ValueError where the words do not fit the weights.
    """
    return attention_maps(np.asarray(probs)[None], tokens, [""], title, keys)


def attention_maps(probs, tokens, names, title, keys=None):
    """Heat maps side by side, one for each head: probs (H, T, S), names: H texts. Returns (Figure, alt)."""
    keys = tokens if keys is None else keys
    H, T, S = fitting(probs, tokens, keys, names)
    numbers = S <= MOST_NUMBERS
    cell = min(CELL, 1.8 / S * 2) if H < 3 else min(CELL, 7.2 / H / S)
    numbers, cell = numbers and cell > 0.36, max(cell, SMALL_CELL if S <= 24 else 0.16)
    fig, axes = figure(H * (cell * S + 0.25) + 1.7, cell * T + 1.3, ncols=H, sharey=True, squeeze=False)
    for ax, head, name in zip(axes[0], probs, names):
        image = cells(ax, head, tokens, keys, numbers=numbers)
        ax.set(title=name, xlabel="looked at (key)")
        ax.title.set_fontsize(10)
    axes[0, 0].set_ylabel("looking (query)")
    fig.colorbar(image, ax=axes[0], label="weight", fraction=0.05, pad=0.02)
    headline(fig, title)
    said = "; ".join(f"{name + ': ' if name else ''}{favourites(head, tokens, keys)}"
                     for head, name in zip(probs, names))
    return fig, f"{title} Heat map of {T} queries by {S} keys. {said}."


def fitting(probs, tokens, keys, names):
    """The shape (H, T, S) of `probs`; raises ValueError where words or names do not fit it."""
    shape = np.shape(probs)
    if shape != (len(names), len(tokens), len(keys)):
        raise ValueError(f"weights of shape {shape} for {len(names)} heads, {len(tokens)} queries and {len(keys)} keys")
    return shape


def favourites(probs, tokens, keys):
    """In words: where each of the first queries looks most."""
    most = probs.argmax(-1)
    said = [f"{token} looks most at {keys[s]} ({row[s]:.2f})" for token, row, s in zip(tokens, probs, most)]
    return ", ".join(said[:MOST_SAID]) + (" and so on" if len(said) > MOST_SAID else "")


def visibility_map(visible, probs, tokens, title):
    """Two grids: who may look at whom, and the weights that follow from it.

    visible: (T, T) bool; probs: (T, T) in [0, 1]; tokens: T words. Returns (Figure, alt).
    """
    T = len(tokens)
    fitting([visible], tokens, tokens, [""])
    fig, (left, right) = figure(8.4, 0.42 * T + 1.5, ncols=2, sharey=True)
    left.imshow(visible, cmap=two_colours(), vmin=0, vmax=1, interpolation="none")
    for t, s in np.ndindex(T, T):
        left.text(s, t, "yes" if visible[t, s] else "–", ha="center", va="center", fontsize=9,
                  color=DARK if visible[t, s] else "#000000")
    image = cells(right, probs, tokens, tokens)
    left.set_xticks(range(T), tokens, rotation=50, ha="right", rotation_mode="anchor")
    left.tick_params(length=0)
    left.set(title="may look", ylabel="looking (query)", xlabel="looked at (key)")
    right.set(title="weight", xlabel="looked at (key)")
    fig.colorbar(image, ax=right, fraction=0.05, pad=0.02)
    headline(fig, title)
    seen = ", ".join(f"{token} sees {row.sum()} of {T}" for token, row in zip(tokens, np.asarray(visible)))
    return fig, f"{title} {seen}; {favourites(probs, tokens, tokens)}."


def two_colours():
    """Nothing for False, a light blue for True."""
    from matplotlib.colors import ListedColormap
    return ListedColormap([(0, 0, 0, 0), SKY])


def position_view(encoding, products, position, title):
    """Positions as waves, and how well one of them fits all others.

    encoding: (T, D) in [-1, 1]; products: (T,), the dot product of row `position` with every row. Returns (Figure, alt).
    """
    T, D = encoding.shape
    fig, (left, right) = figure(8.2, 3.4, ncols=2)
    image = left.imshow(encoding, cmap="RdBu", vmin=-1, vmax=1, interpolation="none", aspect="auto")
    left.axhline(position, color=DARK, linewidth=1, linestyle="--")
    left.set(xlabel=f"dimension (of {D})", ylabel="position", title="sine and cosine waves")
    fig.colorbar(image, ax=left, fraction=0.05, pad=0.02)
    right.plot(range(T), products, color=BLUE)
    right.axvline(position, color=VERMILLION, linestyle="--", label=f"position {position}")
    right.set(xlabel="position", ylabel="dot product", title=f"position {position} times every position")
    right.legend(frameon=False, fontsize=9)
    plain(right)
    headline(fig, title)
    away = [f"{distance} away {products[position + distance]:.3g}" for distance in (1, 5, 20) if position + distance < T]
    return fig, (f"{title} Heat map of {T} positions by {D} dimensions, fast waves at the left, slow ones at the right; "
                 f"dot product of position {position} with itself {products[position]:.3g}, {', '.join(away)}.")


def layer_plan():
    """One layer of the encoder as boxes, from left to right, the residuals as arches over them. Returns (Figure, alt)."""
    boxes = (("attention", SKY), ("add", LIGHT), ("LayerNorm", YELLOW), ("feed-\nforward", SKY), ("add", LIGHT),
             ("LayerNorm", YELLOW))
    fig, ax = figure(8.4, 1.9)
    ax.set(xlim=(-1.1, 6.3), ylim=(-0.75, 1.35))
    ax.axis("off")
    for i, (name, color) in enumerate(boxes):
        ax.text(i, 0, name, ha="center", va="center", color=DARK, fontsize=10,
                bbox={"boxstyle": "round,pad=0.5", "facecolor": color, "edgecolor": DARK})
    for i in range(-1, len(boxes)):
        ax.annotate("", (i + 0.52, 0), (i + 0.42, 0), arrowprops={"arrowstyle": "->", "linewidth": 1.5})
    for start, end in ((-0.55, 1), (2.5, 4)):
        ax.annotate("", (end, 0.25), (start, 0.05), arrowprops={
            "arrowstyle": "->", "linewidth": 1.5, "color": VERMILLION, "connectionstyle": "arc3,rad=-0.45"})
        ax.text((start + end) / 2, 0.8, "residual: unchanged", ha="center", color=VERMILLION, fontsize=9)
    ax.text(-0.85, 0, "x", ha="center", va="center", fontsize=12)
    ax.text(0, -0.6, "mixes words", ha="center", fontsize=9)
    ax.text(3, -0.6, "each word alone", ha="center", fontsize=9)
    headline(fig, "One layer: each part adds a correction to what came in")
    return fig, ("One layer of the encoder: x goes into attention, which mixes words; x itself is added to the result; LayerNorm. "
                 "Then feed-forward, for each word alone; what went in is added; LayerNorm.")


def one_query(words, chosen, q, k, v, dots, scores, exps, probs, context, step):
    """One query's way through scaled dot-product attention as an HTML table, one more row at each step.

    words: S; chosen: index of the asking word; q: (K,); k, v: (S, K); dots, scores, exps, probs: (S,), the results of
    the steps; context: (K,); step: 1 to STEPS. Raises ValueError for another step.
    """
    if not 1 <= step <= STEPS:
        raise ValueError(f"step {step}: there are steps 1 to {STEPS}")
    told = TOLD[step - 1].format(root=np.sqrt(len(q)), size=len(q), total=exps.sum(), word=words[chosen])
    rows = [("key k", [vector(x) for x in k]),
            ("q · k", [product(q, x, dot) for x, dot in zip(k, dots)]),
            ("÷ √K", [f"{x:.2f}" for x in scores]),
            ("e to that", [f"{x:.2f}" for x in exps]),
            ("weight", [bar(x) for x in probs]),
            ("weight × value", [f"{p:.2f} × {vector(x)}<br>= {vector(p * x)}" for p, x in zip(probs, v)])]
    lines = "".join(row(name, values, i + 1 == step) for i, (name, values) in enumerate(rows[:step]))
    heads = "".join(f'<th scope="col" style="{FRAME}">{html.escape(word)}</th>' for word in words)
    result = f'<p style="margin:6px 0"><b>context</b> = {vector(context)}</p>' if step == STEPS else ""
    return (f'<p style="margin:6px 0" aria-live="polite"><b>Step {step} of {STEPS}.</b> {html.escape(told)}</p>'
            f'<p style="margin:6px 0"><b>query q</b> of “{html.escape(words[chosen])}” = {vector(q)}</p>'
            f'<div style="overflow-x:auto"><table style="border-collapse:collapse"><tr><th></th>{heads}</tr>'
            f"{lines}</table></div>{result}")


FRAME = "padding:4px 8px;text-align:center;vertical-align:top;border-bottom:1px solid #8884"


def row(name, values, now):
    """One step's line of the table; the step of now has a frame."""
    mark = f"outline:2px solid {BLUE};outline-offset:-2px" if now else ""
    cells = "".join(f'<td style="{FRAME};font-variant-numeric:tabular-nums">{value}</td>' for value in values)
    return f'<tr style="{mark}"><th scope="row" style="{FRAME};text-align:left;white-space:nowrap">{name}</th>{cells}</tr>'


def vector(x):
    """(1, 0.25, 0): numbers with two decimals at most."""
    numbers = ", ".join(f"{round(float(value), 2) + 0.0:g}" for value in x)     # + 0.0 turns -0 into 0
    return f'<span style="white-space:nowrap">({numbers})</span>'


def product(q, k, dot):
    """2·3 + 1·1 = 7, without the products that are 0."""
    terms = " + ".join(f"{a:g}·{b:g}" for a, b in zip(q, k) if a * b)
    return f"{terms}<br>= <b>{dot:g}</b>" if terms else "<b>0</b>"


def bar(weight):
    """A number over a bar of that width."""
    return (f'<b>{weight:.2f}</b><div style="width:70px;margin:auto;border:1px solid #8888">'
            f'<div style="width:{70 * weight:.0f}px;height:9px;background:{SKY}"></div></div>')
