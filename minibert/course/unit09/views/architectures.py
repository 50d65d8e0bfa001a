"""Draw ELMo, GPT and BERT with every path from the words to one prediction.

After figure 3 of Devlin et al. (2019, arXiv 1810.04805), with two layers in each model.
"""

from collections.abc import Sequence

from matplotlib.axes import Axes

from minibert.course.widgets.plots import DARK, NAME_SIZE, PANEL_SIZE, headline, plain
from minibert.course.widgets.view import BLUE, PURPLE, SKY, VERMILLION, Drawing, figure

DiagramNode = tuple[str, int, int]  # kind ("word", "left", "right", "both" or "asked"), layer, place
LAYERS, TOP, WORDS = 2, 3.0, -0.16  # layers of each model; heights of the prediction and the words
COLORS = {"left": BLUE, "right": VERMILLION, "both": PURPLE}
BESIDE = {"left": -0.17, "right": 0.17}  # each place has an LSTM state of each direction
PALE, UNLIT = "#B8B8B8", "#767676"  # lines and circles, and words, that do not reach the prediction
TITLES = {"ELMo": "ELMo: two LSTMs", "GPT": "GPT: to the left", "BERT": "BERT: both sides, masked"}


def architectures(tokens: Sequence[str], asked: int, title: str) -> Drawing:
    """Draw how ELMo, GPT and BERT predict one token, with every path to the prediction highlighted.

    tokens: T words. asked: the index of the word to predict. Returns (Figure, description). Raises ValueError
    for an index outside the sentence.
    """
    if not 0 <= asked < len(tokens):
        raise ValueError(f"asked={asked} must be an index from 0 to {len(tokens) - 1}")
    fig, axes = figure(3.6, ncols=len(TITLES))
    told = []
    for ax, (name, heading) in zip(axes, TITLES.items()):
        edges = edges_of(name, len(tokens), asked)
        lit = reached(edges)
        draw(ax, tokens, asked, edges, lit, name)
        ax.set_title(heading, fontsize=PANEL_SIZE)
        used = (tokens[place] for place in words_used(name, len(tokens), asked))
        told.append(f"{name}: {', '.join(used) or 'none'}")
    headline(fig, title)
    said = "; ".join(told)
    return fig, f"{title} Words from which a path leads to the prediction of “{tokens[asked]}”: {said}."


def words_used(name: str, T: int, asked: int) -> list[int]:
    """Return the indices of the words, other than [MASK], from which a path leads to the prediction.

    name: "ELMo", "GPT" or "BERT". T: the number of words. asked: the index of the word to predict.
    """
    lit = reached(edges_of(name, T, asked))
    return sorted(place for kind, _, place in lit if kind == "word" and (name != "BERT" or place != asked))


def meets(name: str, T: int, asked: int, one: int, other: int) -> bool:
    """Return whether any state on a path to the prediction depends on both words, `one` and `other`.

    The other arguments are those of `words_used`.
    """
    edges = edges_of(name, T, asked)
    states = [node for node in reached(edges) if node[0] in COLORS]
    pair = {("word", 0, one), ("word", 0, other)}
    return any(pair <= reached(edges, state) for state in states)


def edges_of(name: str, T: int, asked: int) -> list[tuple[DiagramNode, DiagramNode]]:
    """Return all edges (from, to) in a model's diagram; the prediction is the node ("asked", 0, asked).

    The arguments are those of `words_used`.
    """
    end: DiagramNode = ("asked", 0, asked)
    if name == "ELMo":
        sides = [side for way, step in (("left", 1), ("right", -1)) for side in lstm(way, step, T)]
        ends = [("left", LAYERS, asked - 1)] * (asked > 0) + [("right", LAYERS, asked + 1)] * (asked + 1 < T)
        return [*sides, *((start, end) for start in ends)]
    way = "left" if name == "GPT" else "both"
    edges: list[tuple[DiagramNode, DiagramNode]] = [
        (("word", 0, s) if layer == 1 else (way, layer - 1, s), (way, layer, t))
        for layer in range(1, LAYERS + 1)
        for t in range(T)
        for s in range(t + 1 if name == "GPT" else T)
    ]
    at_place = asked - (name == "GPT")
    return [*edges, *[((way, LAYERS, at_place), end)] * (at_place >= 0)]


def lstm(way: str, step: int, T: int) -> list[tuple[DiagramNode, DiagramNode]]:
    """Return the edges of an LSTM in one direction: from the layer below and from the previous state.

    way: "left" or "right". step: 1 or -1. T: the number of words.
    """
    edges: list[tuple[DiagramNode, DiagramNode]] = []
    for layer in range(1, LAYERS + 1):
        for t in range(T):
            below: DiagramNode = ("word", 0, t) if layer == 1 else (way, layer - 1, t)
            edges.append((below, (way, layer, t)))
            if 0 <= t - step < T:
                edges.append(((way, layer, t - step), (way, layer, t)))
    return edges


def reached(
    edges: Sequence[tuple[DiagramNode, DiagramNode]], goal: DiagramNode | None = None
) -> set[DiagramNode]:
    """Return `goal` (by default the prediction) and all nodes from which a path leads to it."""
    found = {goal} if goal else {end for _, end in edges if end[0] == "asked"}
    while more := {start for start, end in edges if end in found} - found:
        found |= more
    return found


def draw(
    ax: Axes,
    tokens: Sequence[str],
    asked: int,
    edges: Sequence[tuple[DiagramNode, DiagramNode]],
    lit: set[DiagramNode],
    name: str,
) -> None:
    """Draw the diagram of one model: the words at the bottom, then two layers, and the prediction on top.

    lit: the nodes to highlight.
    """
    for start, end in sorted(edges, key=lambda edge: edge[1] in lit):
        on = end in lit and start in lit
        color = COLORS.get(end[0], COLORS.get(start[0], DARK)) if on else PALE
        ax.annotate(
            "",
            at(end),
            at(start),
            arrowprops={
                "arrowstyle": "->",
                "color": color,
                "linewidth": 1.3 if on else 0.5,
                "shrinkA": 7,
                "shrinkB": 7,
                "alpha": 0.9 if on else 0.35,
            },
        )
    for node in {node for edge in edges for node in edge}:
        if node[0] in COLORS:
            on = node in lit
            ax.plot(
                *at(node),
                "o",
                markersize=9,
                markeredgewidth=1,
                alpha=1 if on else 0.4,
                markeredgecolor=DARK if on else PALE,
                zorder=3,
                markerfacecolor=COLORS[node[0]] if on else "white",
            )
    for place, word in enumerate(tokens):
        masked = name == "BERT" and place == asked
        on = ("word", 0, place) in lit
        ax.text(
            place,
            WORDS,
            "[MASK]" if masked else word,
            ha="center",
            va="center",
            fontsize=NAME_SIZE,
            color=DARK if masked else "black" if on else UNLIT,
            bbox={"facecolor": SKY, "edgecolor": DARK, "boxstyle": "round,pad=0.25"} if masked else None,
        )
    ax.text(asked, TOP, f"{tokens[asked]} ?", ha="center", va="center", fontsize=NAME_SIZE, fontweight="bold")
    ax.set(
        xlim=(-0.6, len(tokens) - 0.4),
        ylim=(-0.45, TOP + 0.3),
        xticks=[],
        yticks=[WORDS, 1, 2, 3],
        yticklabels=["words", "layer 1", "layer 2", "prediction"] if name == "ELMo" else [],
    )
    ax.tick_params(length=0)
    plain(ax)
    ax.spines[["left", "bottom"]].set_visible(False)


def at(node: DiagramNode) -> tuple[float, float]:
    """Return the coordinates (x, y) of a node in the diagram."""
    kind, layer, place = node
    if kind == "asked":
        return place, TOP
    return place + (BESIDE.get(kind, 0.0) if layer else 0.0), layer
