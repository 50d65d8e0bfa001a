"""A pretrained model's accuracy between a baseline and the best reachable, a line for each kind of word."""
from collections.abc import Sequence

from .explorer import BLUE, SKY, VERMILLION, Drawing, figure
from .plots import DARK, headline, plain


def accuracy_ranges(kinds: Sequence[str], floor: Sequence[float], reached: Sequence[float],
                    best: Sequence[float], title: str, floor_name: str, reached_name: str = "model",
                    best_name: str = "best reachable") -> Drawing:
    """Draw a bar for each kind from the baseline to the best accuracy, and on it the model's accuracy.

    kinds: n names. floor, reached, best: n accuracies each, 0 to 100; floor: of a baseline that reads
    nothing. Returns (Figure, description in words).
    """
    fig, ax = figure(7.5, 1.2 + 0.42 * len(kinds))
    places = range(len(kinds))
    ax.barh(places, [b - f for b, f in zip(best, floor)], left=floor, height=0.5, color=SKY, alpha=0.35,
            edgecolor=DARK, linewidth=0.5)
    for values, marker, color, name in ((floor, "|", DARK, floor_name),
                                        (reached, "o", VERMILLION, reached_name),
                                        (best, "D", BLUE, best_name)):
        ax.plot(values, places, linestyle="", marker=marker, markersize=12 if marker == "|" else 8,
                color=color, label=name)
    for place, value in zip(places, reached):
        ax.annotate(f"{value:.0f}", (value, place), (0, 8), textcoords="offset points", ha="center",
                    fontsize=9)
    ax.set_yticks(places, kinds)
    ax.set(xlabel="masked words predicted right, %", xlim=(-3, 104))
    ax.invert_yaxis()
    plain(ax)
    ax.legend(frameon=False, fontsize=9, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    headline(fig, title)
    told = "; ".join(f"{kind}: {floor_name} {f:.0f}, {reached_name} {r:.0f}, {best_name} {b:.0f}"
                     for kind, f, r, b in zip(kinds, floor, reached, best))
    return fig, f"{title} Masked words predicted right, in percent. {told}."
