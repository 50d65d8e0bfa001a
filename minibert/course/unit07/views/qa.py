"""Show answer spans: probabilities below a passage, scores of all spans, windows of a long passage.

Devlin et al. (2019, arXiv 1810.04805), section 4.2. `scores_of` and `answer_html` run a fine-tuned model; the
other functions take scores as arrays. Axes: T tokens of the passage.
"""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from minibert.course.widgets.guess import guesses_html
from minibert.course.widgets.plots import DARK, PANEL_SIZE, headline, label_cells, plain
from minibert.course.widgets.view import BLUE, ORANGE, PURPLE, SKY, VERMILLION, Drawing, figure

SHOWN = 0.095  # the smallest probability that is written into the ribbon
RIBBONS = (("start", ORANGE), ("end", SKY))
LISTED = 6  # the number of answers shown with their probability
LONGEST = 48  # the maximum number of characters of one answer


class Asked(NamedTuple):
    """A question about a passage (`context`), with or without answers: an example for question answering."""

    question: str
    context: str
    answers: tuple = ()


def scores_of(tuned: Any, question: str, passage: str) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Return the (start, end) offsets of a passage's tokens, and their start and end scores (T, 2).

    tuned: a model fine-tuned for question answering. If the passage needs multiple windows, a token's scores
    come from the window with the most context around it.
    """
    rows, _, origins = tuned.task.encode([Asked(question, passage)])
    places, scores = [], []
    for origin, logits in zip(origins, tuned.task.logits(tuned.model, rows)):
        scores.append(logits[origin.first : origin.first + len(origin.owned)][origin.owned])
        places += [place for place, own in zip(origin.offsets, origin.owned) if own]
    return places, np.concatenate(scores).astype(float)


def shortened(text: str) -> str:
    """Return a text, with an ellipsis in place of its middle if it is long.

    >>> shortened("from the harbour to the old lighthouse at the very end of the island")
    'from the harbour to the … very end of the island'
    """
    half = LONGEST // 2
    if len(text) <= LONGEST:
        return text
    first, last = text[:half], text[-half:]
    return f"{first.rpartition(' ')[0] or first} … {last.partition(' ')[2] or last}"


def answer_html(tuned: Any, question: str, passage: str) -> str:
    """Return a model's answer as HTML: the passage with start and end probabilities, then the best spans.

    tuned: a model fine-tuned for question answering.
    """
    if not (question.strip() and passage.strip()):
        return "<p>Write a question and a passage.</p>"
    places, scores = scores_of(tuned, question, passage)
    prediction = tuned.task.predict(tuned.model, [Asked(question, passage)])[0]
    first = next((answer for answer in prediction.best if answer.text), None)
    if first is None:
        return "<p>This passage has no words.</p>"
    inside = [i for i, (start, end) in enumerate(places) if first.start <= start and end <= first.end]
    span = f"“{first.text}” ({first.probability:.0%})"
    said = (
        f"Its answer: {span}."
        if prediction.text
        else f"It finds no answer in the passage. Its best span: {span}."
    )
    words = [
        " " * (i > 0 and start > places[i - 1][1]) + passage[start:end]
        for i, (start, end) in enumerate(places)
    ]
    exps = np.exp(scores - scores.max(axis=0))
    starts, ends = (exps / exps.sum(axis=0)).T  # (T,) each
    listed = [
        (shortened(answer.text) or "(no answer)", answer.probability) for answer in prediction.best[:LISTED]
    ]
    return ribbons_html(words, starts, ends, (inside[0], inside[-1]), said) + guesses_html(listed)


def ribbons_html(
    pieces: Sequence[str], starts: np.ndarray, ends: np.ndarray, chosen: tuple[int, int] | None, said: str
) -> str:
    """Return a passage as HTML, with each token's probabilities of being the first or last of the answer.

    pieces: T tokens, with a leading space where a word begins. starts, ends: probabilities (T,). chosen: the
    first and last token of the answer, to highlight, or None. said: a sentence above the passage. Raises
    ValueError if the lengths differ.
    """
    if not len(pieces) == len(starts) == len(ends):
        raise ValueError(
            f"got {len(pieces)} tokens, {len(starts)} starts and {len(ends)} ends, "
            "but the three numbers must be equal"
        )
    inside = range(0) if chosen is None else range(chosen[0], chosen[1] + 1)
    follow = [*(piece.startswith(" ") for piece in pieces[1:]), False]  # whether a new word follows
    cells = "".join(
        cell(piece.lstrip(" ") + " " * new, (start, end), i in inside)
        + '</span><span style="white-space:nowrap">' * new  # no line break inside a word
        for i, (piece, start, end, new) in enumerate(zip(pieces, starts, ends, follow))
    )
    likely = "; ".join(
        f"{name}s: "
        + ", ".join(f"{pieces[i].strip()} {values[i]:.0%}" for i in np.argsort(-np.asarray(values))[:3])
        for (name, _), values in zip(RIBBONS, (starts, ends))
    )
    legend = " ".join(
        f'<span style="background:{color};color:{DARK};padding:0 6px">{row} ribbon: {name}</span>'
        for row, (name, color) in zip(("upper", "lower"), RIBBONS)
    )
    return (
        f'<p role="status"><b>{html.escape(said)}</b></p><p style="margin:4px 0">{legend}</p>'
        f'<div role="img" aria-label="{html.escape(f"{said} Most probable {likely}.")}" '
        f'style="line-height:1.3;max-width:56em"><span style="white-space:nowrap">{cells}</span></div>'
    )


def cell(piece: str, probabilities: Iterable[float], inside: bool) -> str:
    """Return a token and its start and end probability as HTML, bold and underlined if inside the answer."""
    look = (
        f"font-weight:bold;border-bottom:3px solid {VERMILLION}"
        if inside
        else "border-bottom:3px solid transparent"
    )
    strips = "".join(strip(p, color) for p, (_, color) in zip(probabilities, RIBBONS))
    text = html.escape(piece).replace(" ", "&nbsp;")
    return (
        f'<span style="display:inline-block;vertical-align:top;margin-bottom:8px;text-align:center">'
        f'<span style="{look}">{text}</span>{strips}</span>'
    )


def strip(probability: float, color: str) -> str:
    """Return a probability as an HTML bar, labelled with a percentage if it is large."""
    number = f"{100 * probability:.0f}%" if probability >= SHOWN else "&nbsp;"
    filled = round(100 * float(probability))
    tint = f"{color}99" if probability >= SHOWN else color  # pale if there is a number
    fill = f"linear-gradient(to top, {tint} {filled}%, transparent {filled}%)"
    ink = f"color:{DARK};background-color:#FFFFFF" if probability >= SHOWN else ""
    return (
        f'<span style="display:block;height:15px;line-height:15px;font-size:10px;'
        f'border-top:1px solid #8888;{ink};background-image:{fill};background-repeat:no-repeat">'
        f"{number}</span>"
    )


def pairs_map(
    scores: np.ndarray, pieces: Sequence[str], marks: Mapping[str, tuple[int, int]], title: str
) -> Drawing:
    """Draw the scores of all valid pairs of a start token (row) and an end token (column) as a heat map.

    scores: (T, T), nan for invalid pairs. marks: maps at most two names to pairs (start, end) to be marked.
    Returns (Figure, description).
    """
    fig, ax = figure(4.9, 6.6)
    image = ax.imshow(scores, cmap="cividis", interpolation="none")
    label_cells(ax, pieces, pieces)
    ax.set(xlabel="end", ylabel="start")
    for (name, (start, end)), (marker, color) in zip(marks.items(), (("o", VERMILLION), ("X", PURPLE))):
        ring = marker == "o"
        ax.plot(
            end,
            start,
            marker,
            markersize=13,
            markerfacecolor="none" if ring else color,
            markeredgewidth=3 if ring else 1,
            markeredgecolor=color if ring else DARK,
            linestyle="",
            label=name,
        )
        # The names go below the diagonal, where no pair is a span.
        ax.annotate(
            name,
            (end, start),
            (0.02, 0.16 if ring else 0.04),
            textcoords="axes fraction",
            fontsize=9,
            arrowprops={"arrowstyle": "-", "color": "#888888"},
        )
    fig.colorbar(image, ax=ax, label="start score + end score")
    headline(fig, title)
    said = "; ".join(
        f"{name}: from “{pieces[start]}” to “{pieces[end]}”" for name, (start, end) in marks.items()
    )
    return fig, f"{title}. Pairs of {len(pieces)} tokens. {said}."


def windows_map(
    begins: Sequence[int], room: int, length: int, answer: tuple[int, int] | None, title: str
) -> Drawing:
    """Draw the windows of a passage as bars in separate rows, with the answer as a band across them.

    begins: the first position of each window. room: the number of tokens in a window. length: the number of
    tokens in the passage. answer: the first and last token of the answer, or None. Returns (Figure,
    description).
    """
    fig, ax = figure(1.5 + 0.34 * len(begins))
    ends = [min(begin + room, length) for begin in begins]
    whole = [
        answer is not None and begin <= answer[0] and answer[1] < end for begin, end in zip(begins, ends)
    ]
    if answer is not None:
        ax.axvspan(answer[0], answer[1] + 1, color=ORANGE, alpha=0.6, linewidth=0)
        ax.text(
            (answer[0] + answer[1] + 1) / 2, -0.75, "answer", ha="center", va="bottom", fontsize=PANEL_SIZE
        )
    for number, (begin, end, holds) in enumerate(zip(begins, ends, whole)):
        ax.barh(
            number,
            end - begin,
            left=begin,
            height=0.6,
            color=SKY if holds else "none",
            edgecolor=BLUE,
            alpha=0.85,
        )
        ax.text(1.01 * length, number, "contains it" if holds else "[CLS]: not here", va="center", fontsize=9)
    ax.set_yticks(range(len(begins)), [f"window {number + 1}" for number in range(len(begins))])
    ax.set(xlabel="token of the passage", xlim=(0, 1.18 * length), ylim=(len(begins) - 0.4, -0.8))
    ax.set_xticks([tick for tick in ax.get_xticks() if 0 <= tick <= length])
    plain(ax)
    ax.spines["bottom"].set_bounds(0, length)
    headline(fig, title)
    said = "; ".join(
        f"{begin} to {end - 1}{', with the answer' * holds}" for begin, end, holds in zip(begins, ends, whole)
    )
    return fig, f"{title}. Windows of {room} tokens over {length}: {said}."
