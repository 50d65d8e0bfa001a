"""Draw how far back layers can attend if each remembers the previous segment, as in Transformer-XL."""

import numpy as np

from minibert.course.widgets.plots import DARK, headline, plain
from minibert.course.widgets.view import ORANGE, SKY, Drawing, figure


def memory_reach(seen: np.ndarray, segment: int, title: str) -> Drawing:
    """Draw which hidden states the last token depends on, by layer (row) and position (column).

    seen: (L + 1, positions) bool, True for these states; the first row is for the embeddings. segment: the
    number of tokens in a segment; the last segment ends at the last position. Returns (Figure, description).
    """
    layers, count = seen.shape
    fig, ax = figure(0.9 + 0.34 * layers)
    for layer in range(layers):
        at = np.arange(count)
        ax.scatter(at, [layer] * count, s=22, facecolors="none", edgecolors="#8888", linewidths=0.8)
        now = at >= count - segment
        for own, color, marker in ((True, SKY, "o"), (False, ORANGE, "s")):
            some = at[seen[layer] & (now == own)]
            ax.scatter(
                some, [layer] * len(some), s=26, color=color, marker=marker, edgecolors=DARK, linewidths=0.6
            )
    for border in range(count - segment, 0, -segment):
        ax.axvline(border - 0.5, color="black", linewidth=0.8, linestyle=":")
    names = ["embeddings", *(f"layer {i}" for i in range(1, layers))]
    ax.set_yticks(range(layers), names)
    back = range(0, count, segment if count > 16 else 1)
    ax.set_xticks([count - 1 - distance for distance in back], [str(distance) for distance in back])
    ax.set(
        xlabel="relative position: tokens back from the last one", xlim=(-1, count), ylim=(-0.6, layers - 0.4)
    )
    plain(ax)
    headline(fig, title)
    first = [int(row.argmax()) for row in seen]
    told = "; ".join(f"{name}: from position {at}" for name, at in zip(names, first))
    return fig, f"{title} Squares: in the memory; circles: in the current segment. {told}."
