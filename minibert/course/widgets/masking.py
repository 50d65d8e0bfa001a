"""Show masking: what happens to each word, and which words are covered over several epochs.

See Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 1. The masks are computed elsewhere. Axes: T
words, E epochs.
"""

import html
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.ticker import MaxNLocator

from .chips import chip
from .plots import DARK, GREYS, PANEL_SIZE, headline, ink, label_cells, name_lines, plain
from .tables import scrolling
from .view import ORANGE, SKY, YELLOW, Controls, Drawing, figure

# The fates of a chosen word: sign, fill colour, border (so that colour is not the only cue), share in BERT.
FATES = {
    "masked": ("▨", SKY, "solid", 0.8),
    "replaced": ("⇄", ORANGE, "dashed", 0.1),
    "kept": ("=", YELLOW, "dotted", 0.1),
}
MOST_DRAWS = 2000
CELL = "padding:2px 12px;text-align:right"


def fates(
    words: Sequence[str], chosen: Sequence[bool] | np.ndarray, seen: Sequence[str], sign: str = "[MASK]"
) -> list[str]:
    """Return what happened to each word: "masked", "replaced", "kept", or "" if it was not chosen.

    words: T words. chosen: (T,) bool. seen: the T words that the model sees, where masked words are replaced
    by `sign`. Raises ValueError for unequal lengths.
    """
    if not len(words) == len(chosen) == len(seen):
        raise ValueError(
            f"got {len(words)} words, {len(chosen)} choices and {len(seen)} words seen, "
            "but the three numbers must be equal"
        )
    changed = [
        "masked" if new == sign else "kept" if new == old else "replaced" for old, new in zip(words, seen)
    ]
    return [fate if picked else "" for fate, picked in zip(changed, chosen)]


def words_html(
    words: Sequence[str], chosen: Sequence[bool] | np.ndarray, seen: Sequence[str], sign: str = "[MASK]"
) -> str:
    """Return a masked sentence as HTML, with the original and the fate of each chosen word.

    words, chosen, seen, sign: as in `fates`.
    """
    found = fates(words, chosen, seen, sign)
    boxes = "".join(box(*each) for each in zip(words, found, seen))
    told = ", ".join(
        f"{old} {fate}" + f" by {new}" * (fate == "replaced")
        for old, fate, new in zip(words, found, seen)
        if fate
    )
    alt = f"{len(words)} words, the model sees: {' '.join(map(str, seen))}. Chosen: {told or 'none'}."
    style = "line-height:1.5;margin:6px 0"
    return f'<div role="img" aria-label="{html.escape(alt)}" style="{style}">{boxes}</div>'


def box(word: str, fate: str, seen: str) -> str:
    """Return one word as an HTML box; a chosen word has a sign for its fate and the original word below.

    fate: "masked", "replaced", "kept", or "" for a word that was not chosen. seen: what the model sees.
    """
    if not fate:
        return chip(str(seen), below="")
    sign, fill, border, _ = FATES[fate]
    return chip(str(seen), fill, f"2px {border}", sign, below=f"was: {html.escape(str(word))}")


def masking_view(
    draws: Sequence[tuple[Sequence[str], Sequence[bool], Sequence[str]]], sign: str = "[MASK]"
) -> str:
    """Return the last of several random maskings as HTML, with counts of masked, replaced and kept words.

    draws: one or more maskings (words, chosen, seen), as in `fates`; the counts are for the last one and for
    all of them. Raises ValueError if there are none.
    """
    if not len(draws):
        raise ValueError("there are no draws to show; pass at least one")
    last = Counter(fates(*draws[-1], sign))
    total = sum((Counter(fates(*draw, sign)) for draw in draws), Counter())
    return words_html(*draws[-1], sign) + fate_counts(last, total, len(draws))


def fate_counts(last: Counter, total: Counter, draws: int) -> str:
    """Return a table and a sentence, as HTML, about how many words were masked, replaced and kept.

    last, total: the counts in the last masking and in all of them. draws: the number of maskings.
    """
    chosen = sum(total[fate] for fate in FATES)
    rows = "".join(
        f'<tr><td style="{CELL};text-align:left">'
        f'<span style="background:{fill};color:{DARK};padding:0 4px">{sign}</span> {fate}</td>'
        f'<td style="{CELL}">{last[fate]}</td><td style="{CELL}">{total[fate]}</td>'
        f'<td style="{CELL}">{share(total[fate], chosen)}</td><td style="{CELL}">{target:.0%}</td></tr>'
        for fate, (sign, fill, _, target) in FATES.items()
    )
    head = f'<th scope="col" style="{CELL};text-align:left">fate</th>' + "".join(
        f'<th scope="col" style="{CELL}">{name}</th>'
        for name in ("this draw", "all draws", "share", "expected")
    )
    now = sum(last[fate] for fate in FATES)
    words = sum(total.values())
    said = (
        f"In this draw, {now} of {sum(last.values())} words are chosen. "
        f"In {draws} draw{'s' * (draws > 1)}: {chosen} of {words} ({share(chosen, words)})."
    )
    table = f'<table style="margin:4px 0;line-height:1.4"><tr>{head}</tr>{rows}</table>'
    return f"{scrolling(table)}<p>{said}</p>"


def share(part: int, whole: int) -> str:
    """Return part / whole as a percentage, or "–" if the whole is 0."""
    return f"{part / whole:.1%}" if whole else "–"


def draw_number() -> widgets.BoundedIntText:
    """Return a box for the number of a random draw."""
    return widgets.BoundedIntText(1, min=1, max=MOST_DRAWS, description="Draw", layout={"width": "160px"})


def add_button(controls: Controls, by: int, **look: Any) -> widgets.Button:
    """Add a button to the controls' row, and return it. It makes `by` more draws, up to the largest number.

    controls: Controls with a `draw_number` called "number". look: arguments for the button.
    """
    button = widgets.Button(**look)

    def go(_: widgets.Button) -> None:
        controls.controls["number"].value += by

    button.on_click(go)
    controls.children[0].children += (button,)
    return button


def new_draw(controls: Controls) -> widgets.Button:
    """Add the button *New draw*; see `add_button`."""
    return add_button(controls, 1, description="New draw", button_style="primary", layout={"width": "110px"})


class Redraws(Controls):
    """Controls with a button for a new random draw. `draw` also gets `number`, the number of the draw.

    >>> coin = Redraws(lambda number: f"toss {number}")
    >>> coin.new.click()
    >>> coin.view.value
    'toss 2'
    """

    def __init__(self, draw: Callable[..., str | Drawing], **controls: Any) -> None:
        super().__init__(draw, **controls, number=draw_number())
        self.new = new_draw(self)


class ManyRedraws(Redraws):
    """Redraws with another button that makes 100 draws at once, for counts over all draws."""

    def __init__(self, draw, **controls):
        super().__init__(draw, **controls)
        self.more = add_button(self, 100, description="100 more", layout={"width": "100px"})


def coverage_view(words: Sequence[str], chosen: Mapping[str, np.ndarray], title: str) -> Drawing:
    """Draw how often each word was predicted, and the share of words predicted at least once so far.

    words: T words. chosen: (E, T) bool arrays by masking method, True for words that are predicted in an
    epoch. Returns (Figure, description).
    """
    times = np.array([picked.sum(axis=0) for picked in chosen.values()])  # (n, T)
    fig, (top, bottom) = figure(2.5 + 0.35 * len(chosen) + 1.5, nrows=2, height_ratios=[len(chosen), 5])
    image = top.imshow(
        times, cmap="Blues", vmin=0, vmax=max(1, times.max()), aspect="auto", interpolation="none"
    )
    for i, j in np.ndindex(times.shape):
        top.text(
            j,
            i,
            times[i, j],
            ha="center",
            va="center",
            fontsize=9,
            color=ink(image.cmap(image.norm(times[i, j]))),
        )
    label_cells(top, list(chosen), words)
    top.set_title("times predicted, word by word", fontsize=PANEL_SIZE)
    shares = {
        name: np.logical_or.accumulate(picked, axis=0).mean(axis=1) for name, picked in chosen.items()
    }  # (E,)
    for (color, marker, dash), line in zip(GREYS, shares.values()):
        bottom.plot(range(1, len(line) + 1), 100 * line, dash, color=color, marker=marker, markersize=3)
    bottom.set(xlabel="epoch", ylabel="% of the words\npredicted so far", ylim=(-3, 105))
    bottom.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
    plain(bottom)
    name_lines(bottom, ((name, len(line), 100 * line[-1]) for name, line in shares.items()))
    headline(fig, title)
    said = "; ".join(
        f"{name}: {line[-1]:.0%} of the words after {len(line)} epochs, each {n.min()} to {n.max()} times"
        for (name, line), n in zip(shares.items(), times)
    )
    return fig, f"{title} {said}."
