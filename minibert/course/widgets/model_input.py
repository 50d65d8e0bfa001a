"""Show the model's input: tokens with segments and positions, summed embeddings, and padding.

See Devlin et al. (2019, arXiv 1810.04805), section 3 and figure 2. Axes: B batch, T tokens, D hidden.
"""

import html
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.colors import ListedColormap

from minibert.readers.wording import with_minus

from .plots import DARK, LIGHT, PANEL_SIZE, headline, ink
from .tables import scrolling
from .view import ORANGE, SKY, YELLOW, Drawing, figure

SEGMENTS = (SKY, YELLOW)  # for segments A and B
SPECIAL = ("[CLS]", "[SEP]", "[PAD]", "[MASK]", "[UNK]")
CELL = "padding:1px 5px;text-align:center;border:1px solid #8888;white-space:nowrap"


def input_table(tokens: Sequence[str], types: Sequence[int], real: Sequence[bool], said: str) -> str:
    """Return one sequence as an HTML table of tokens, segment ids, positions and attention mask.

    tokens: T strings. types: (T,) segment ids. real: (T,), True for tokens that are not padding. said: a
    sentence below the table.
    """

    def line(name, values, styles):
        cells = "".join(
            f'<td style="{CELL};{style}" dir="auto">{value}</td>' for value, style in zip(values, styles)
        )
        head = f'<th scope="row" style="padding:1px 8px;text-align:left;white-space:nowrap">{name}</th>'
        return f"<tr>{head}{cells}</tr>"

    fills = [
        f"background:{SEGMENTS[kind] if fits else LIGHT};color:{DARK}"
        f"{';font-weight:bold' * (token in SPECIAL)}"
        for token, kind, fits in zip(tokens, types, real)
    ]
    lines = (
        line("token", map(html.escape, tokens), fills)
        + line("segment", types, fills)
        + line("position", range(len(tokens)), [""] * len(tokens))
        + line("attention mask", [int(fits) for fits in real], [""] * len(tokens))
    )
    return (
        scrolling(f'<table style="border-collapse:collapse;font-size:90%">{lines}</table>')
        + f'<p role="status">{html.escape(said)}</p>'
    )


def embedding_sum(
    parts: Mapping[str, np.ndarray], total: np.ndarray, normed: np.ndarray, title: str
) -> Drawing:
    """Draw a token's three embeddings as coloured rows, and their sum before and after LayerNorm.

    The colours of the last row have a scale of their own, because its numbers are much larger.
    parts: the three embeddings (D,) by name. total, normed: their sum (D,) before and after LayerNorm.
    Returns (Figure, description).
    """
    rows = {**parts, "sum": total, "after LayerNorm": normed}
    most = max(np.abs(row).max() for row in (*parts.values(), total))
    scales = [most] * (len(rows) - 1) + [np.abs(normed).max()]
    fig, axes = figure(0.52 * len(rows) + 1.0, nrows=len(rows), sharex=True)
    for ax, sign, scale, (name, row) in zip(axes, ["", "+", "+", "=", "→"], scales, rows.items()):
        image = ax.imshow(
            row[None], cmap="RdBu", vmin=-scale, vmax=scale, aspect="auto", interpolation="none"
        )
        for d, value in enumerate(row):
            ax.text(
                d,
                0,
                with_minus(value, "{:.3f}"),
                ha="center",
                va="center",
                fontsize=9,
                color=ink(image.cmap(image.norm(value))),
            )
        ax.set_yticks([0], [f"{sign} {name}"])
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
    axes[-1].set_xticks([])
    axes[-1].set_xlabel("blue: above 0, red: below 0; the last row has its own colour scale")
    headline(fig, title)
    said = "; ".join(f"{name}: {', '.join(f'{value:.3f}' for value in row)}" for name, row in rows.items())
    return fig, f"{title} {said}."


def padding_maps(batches: Mapping[str, np.ndarray], title: str) -> Drawing:
    """Draw pictures of tokens and padding, with one row for each sequence.

    batches: {name: (N, T) numbers}, 1 for tokens, 0 for padding, -1 for places outside the batch. Returns
    (Figure, description).
    """
    fig, axes = figure(2.9, ncols=len(batches), squeeze=False)
    shares = {name: (real == 0).sum() / (real >= 0).sum() for name, real in batches.items()}
    for ax, (name, real) in zip(axes[0], batches.items()):
        shown = np.ma.masked_less(real, 0)
        ax.imshow(
            shown, cmap=ListedColormap([ORANGE, SKY]), vmin=0, vmax=1, aspect="auto", interpolation="none"
        )
        ax.set_title(f"{name}\n{shares[name]:.0%} padding", fontsize=PANEL_SIZE)
        ax.set(xlabel="position", yticks=[])
    axes[0, 0].set_ylabel("sequences")
    axes[0, 0].text(0.02, 0.04, "blue: token", transform=axes[0, 0].transAxes, color=DARK, fontsize=9)
    axes[0, -1].text(
        0.98,
        0.94,
        "orange: padding",
        transform=axes[0, -1].transAxes,
        ha="right",
        va="top",
        fontsize=9,
    )
    headline(fig, title)
    said = "; ".join(
        f"{name}: {len(real)} sequences of up to {len(real[0])} tokens, {shares[name]:.0%} padding"
        for name, real in batches.items()
    )
    return fig, f"{title} {said}."
