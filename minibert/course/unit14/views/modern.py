"""Modern encoders as differences from BERT, and rotary positions."""

import html
from typing import NamedTuple

import ipywidgets as widgets
import numpy as np

from minibert.course.widgets.plots import DARK, PANEL_SIZE, headline
from minibert.course.widgets.tables import scrolling
from minibert.course.widgets.view import ORANGE, Controls, Drawing, figure

PARTS = (
    "text",
    "tokens",
    "positions",
    "attention",
    "feed-forward",
    "LayerNorm",
    "padding",
    "pretraining",
    "longest input",
    "base size",
)
BERT = "BERT (2018)"
ENCODERS = {
    BERT: (
        "books and Wikipedia, 3.3 billion words",
        "WordPiece, 30,522",
        "a learned vector for each position, added to the input",
        "all tokens attend to all",
        "GELU",
        "after each sublayer",
        "computed, then ignored",
        "15% masked tokens, next sentence",
        "512",
        "12 layers, 110M",
    ),
    "RoBERTa (2019)": (
        "160 GB",
        "byte-level BPE, 50,265",
        "",
        "",
        "",
        "",
        "",
        "15% masked tokens, new masks each time",
        "",
        "12 layers, 125M",
    ),
    "DeBERTa (2020)": (
        "about 78 GB",
        "byte-level BPE, as RoBERTa",
        "relative: a score for content and content, content and distance, distance and content; "
        "absolute ones only just before the output",
        "",
        "",
        "",
        "",
        "15% masked tokens",
        "",
        "12 layers",
    ),
    "DeBERTa v3 (2021)": (
        "160 GB",
        "SentencePiece, 128,000",
        "relative, as in DeBERTa",
        "",
        "",
        "",
        "",
        "replaced tokens, as in ELECTRA",
        "",
        "12 layers, 184M, half of them embeddings",
    ),
    "ModernBERT (2024)": (
        "2 trillion tokens, with program code",
        "BPE, 50,368",
        "rotary: queries and keys are turned by their position",
        "every third layer all to all; in the others, a window of 128 tokens",
        "GeGLU: one half of the numbers scales the other",
        "before each sublayer",
        "removed before the layers (unpadding)",
        "30% masked tokens",
        "8,192",
        "22 layers, 149M",
    ),
}
CELL = "text-align:left;vertical-align:top;padding:4px 10px;border-bottom:1px solid #8884"
SAME = "as BERT"


class Row(NamedTuple):
    """A part of an encoder, in BERT and in another model."""

    part: str
    before: str
    now: str
    changed: bool


def differences(model: str) -> list[Row]:
    """Return all parts of a model next to BERT's. model: a key of ENCODERS."""
    return [
        Row(part, before, now or SAME, bool(now) and now != before)
        for part, before, now in zip(PARTS, ENCODERS[BERT], ENCODERS[model], strict=True)
    ]


def since_bert() -> Controls:
    """Let the student choose an encoder, and show it next to BERT; changed parts are filled."""

    def draw(model: str) -> str:
        rows = differences(model)
        count = sum(row.changed for row in rows)
        body = "".join(
            f'<tr><th scope="row" style="{CELL}">{row.part}</th>'
            f'<td style="{CELL}">{html.escape(row.before)}</td>'
            f'<td style="{CELL}{f";background:{ORANGE};color:{DARK}" * row.changed}">'
            f"{'≠ ' * row.changed}{html.escape(row.now)}</td></tr>"
            for row in rows
        )
        head = "".join(f'<th scope="col" style="{CELL}">{name}</th>' for name in ("", BERT, model))
        said = f"{model}: {count} of {len(rows)} parts are not as in BERT (filled, ≠)"
        return f'<p role="status"><b>{said}</b></p>' + scrolling(
            f'<table style="border-collapse:collapse">{"<tr>" + head + "</tr>"}{body}</table>'
        )

    names = [name for name in ENCODERS if name != BERT]
    return Controls(draw, model=widgets.Dropdown(options=names, value=names[-1], description="Encoder"))


def rotate(vector: np.ndarray, position: int) -> np.ndarray:
    """Rotate each pair of numbers of a vector (K,) by an angle that grows with the position (RoPE)."""
    K = len(vector)
    angles = position * 10_000.0 ** (-np.arange(0, K, 2) / K)  # (K / 2,)
    turned = (vector[::2] + 1j * vector[1::2]) * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], -1).reshape(K)


def score_maps(tokens: int, size: int = 16, seed: int = 14) -> dict[str, np.ndarray]:
    """Return q k^T (T, T) of one query and one key at all positions, with both kinds of positions."""
    rng = np.random.default_rng(seed)
    query, key = rng.normal(size=(2, size))
    table = rng.normal(size=(tokens, size))
    at = range(tokens)
    return {
        "added, as in BERT": (query + table) @ (key + table).T / np.sqrt(size),
        "rotary": np.array([[rotate(query, m) @ rotate(key, n) for n in at] for m in at]) / np.sqrt(size),
    }


def rotary(tokens: int = 16) -> Controls:
    """Draw the scores of the same two vectors at all positions; the student moves both together."""

    def draw(query: int, key: int) -> Drawing:
        maps = score_maps(tokens)
        fig, axes = figure(4.2, ncols=2)
        told = []
        for ax, (name, values) in zip(axes, maps.items()):
            most = np.abs(values).max()
            ax.imshow(values, cmap="RdBu", vmin=-most, vmax=most, interpolation="none")
            ax.plot(key, query, "s", markersize=13, markerfacecolor="none", color="black", markeredgewidth=2)
            ax.set_title(f"{name}: score {values[query, key]:.2f}".replace("-", "−"), fontsize=PANEL_SIZE)
            ax.set(xlabel="position of the key", ylabel="position of the query")
            ax.set_xticks(range(0, tokens, 5))
            ax.set_yticks(range(0, tokens, 5))
            told.append(f"{name} {values[query, key]:.2f}")
        title = "The same query and key everywhere: with rotary positions, only their distance counts"
        headline(fig, title)
        return fig, f"{title}. At query {query} and key {key}: {'; '.join(told)}."

    def slider(value: int, name: str) -> widgets.IntSlider:
        return widgets.IntSlider(value, 0, tokens - 1, description=name, continuous_update=False)

    return Controls(draw, query=slider(5, "Query at"), key=slider(3, "Key at"))
