"""Published results of small BERTs as data, and what their numbers are relative to.

Every number is from the paper in its row, at the place that `where` names; a dash means that the row has no
such number here.
"""

from typing import NamedTuple

import ipywidgets as widgets

from minibert.course.widgets.plots import NAME_SIZE, headline, plain
from minibert.course.widgets.tables import table_of
from minibert.course.widgets.view import BLUE, VERMILLION, Controls, View, figure, show

NONE, ALL = "–", "all"


class Published(NamedTuple):
    """A published result, as text that says what it is relative to. way: the rows that are shown together."""

    way: str
    model: str
    smaller: str
    faster: str
    relative_to: str
    score: str
    scored_on: str
    where: str


PUBLISHED = (
    Published(
        "shared or replaced",
        "ALBERT-base, layers shared",
        "12M instead of 108M",
        "5.6 times, in training",
        "speed: BERT-large, TPUs; the rest: BERT-base",
        "80.1 instead of 82.3",
        "5 tasks, dev",
        "Lan et al. (2020), table 2 and section 4.3",
    ),
    Published(
        "shared or replaced",
        "ALBERT-xxlarge, wider",
        "235M instead of 108M",
        "0.3 times, in training",
        "speed: BERT-large, TPUs; the rest: BERT-base",
        "88.7 instead of 82.3",
        "5 tasks, dev",
        "Lan et al. (2020), table 2 and section 4.3",
    ),
    Published(
        "shared or replaced",
        "BERT-of-Theseus",
        "66M instead of 110M",
        "1.94 times",
        "BERT-base",
        "more than 98%",
        "GLUE, without WNLI",
        "Xu et al. (2020), section 1",
    ),
    Published(
        "fewer bits",
        "Q-BERT, 2 to 4 bits, groups",
        "13 times; embeddings 4 times",
        NONE,
        "BERT-base",
        "at most 2.3% lost",
        "SST-2, MNLI, CoNLL-03, SQuAD, dev",
        "Shen et al. (2020), abstract",
    ),
    Published(
        "fewer bits",
        "Q8BERT, 8 bits, trained for it",
        "4 times",
        NONE,
        "BERT-base",
        "SST-2 92.2 instead of 92.4",
        "GLUE dev, SQuAD 1.1; 5 runs each",
        "Zafrir et al. (2019), table 1",
    ),
    Published(
        "distilled",
        "DistilBERT",
        "66M instead of 110M",
        "410 s instead of 668 s",
        "BERT-base; a CPU, one text at a time, STS-B",
        "77.0 instead of 79.5 (97%)",
        "GLUE dev, 9 tasks; medians of 5 runs",
        "Sanh et al. (2019), tables 1 and 3",
    ),
    Published(
        "distilled",
        "PKD, 6 layers",
        "67M instead of 109M",
        "1.9 times",
        "its teacher, BERT-base",
        "SST-2 92.0 instead of 94.3",
        "GLUE test",
        "Sun et al. (2019), table 1, and its parameters and times",
    ),
    Published(
        "distilled",
        "PKD, 3 layers",
        "46M instead of 109M",
        "3.7 times",
        "its teacher, BERT-base",
        "SST-2 87.5 instead of 94.3",
        "GLUE test",
        "Sun et al. (2019), table 1, and its parameters and times",
    ),
    Published(
        "distilled",
        "TinyBERT, 4 layers",
        "7.5 times",
        "9.4 times",
        "BERT-base",
        "96.8%",
        "GLUE test",
        "Jiao et al. (2020), abstract",
    ),
    Published(
        "distilled",
        "MobileBERT",
        "4.3 times",
        "5.5 times",
        "BERT-base; 62 ms on a Pixel 4",
        "77.7, 0.6 below",
        "GLUE test",
        "Sun et al. (2020), abstract",
    ),
    Published(
        "distilled",
        "BiLSTM",
        "349 times (ELMo: 98)",
        "434 times (ELMo: 15)",
        "BERT-large",
        "SST-2 90.7 instead of 94.9",
        "SST-2, QQP, MNLI, test",
        "Tang et al. (2019), tables 1 and 2",
    ),
    Published(
        "distilled",
        "MiniBERT",
        "6 times",
        "27 times",
        "multilingual BERT or another baseline: the sentence is open; one CPU",
        "above that baseline",
        "tags and morphology, 48 languages",
        "Tsai et al. (2019), abstract",
    ),
    Published(
        "distilled",
        "BERT-192, BERT-48",
        "more than 60 times, the smallest",
        NONE,
        "BERT-base",
        NONE,
        "MNLI, MRPC, SST-2",
        "Zhao et al. (2019), abstract of version 1",
    ),
    Published(
        "distilled",
        "PD, 24 sizes, pretrained first",
        NONE,
        NONE,
        "BERT-large, a TPU",
        NONE,
        "several, some of GLUE",
        "Turc et al. (2019)",
    ),
    Published(
        "distilled",
        "Aguilar et al.",
        "6 instead of 12 layers",
        NONE,
        "BERT-base",
        NONE,
        "CoLA, QQP, MRPC, RTE",
        "Aguilar et al. (2020)",
    ),
)
ALBERT = {"BERT-base": 4.7, "ALBERT-base": 5.6, "ALBERT-xxlarge": 0.3}  # times BERT-large's training speed
BILSTM = {"BERT-large": 434, "ELMo": 15}  # times faster than each


def published() -> Controls:
    """Show the published results of one way as a table."""
    heads = ("model", "smaller", "faster", "relative to", "score", "scored on", "source")

    def draw(way: str) -> str:
        return table_of(heads, [row[1:] for row in PUBLISHED if way in (ALL, row.way)])

    kinds = dict.fromkeys(row.way for row in PUBLISHED)
    whole = {"description_width": "initial"}
    box = widgets.Dropdown(options=[*kinds, ALL], description="Made small by", style=whole)
    return Controls(draw, way=box)


def two_numbers() -> View:
    """Draw published speeds of the same models, each relative to two baselines."""
    base = ALBERT["BERT-base"]
    pairs: list[tuple[str, tuple[str, float], tuple[str, float]]] = [
        *(
            (f"{name}, training", ("BERT-base", ALBERT[name] / base), ("BERT-large", ALBERT[name]))
            for name in ("ALBERT-base", "ALBERT-xxlarge")
        ),
        ("BiLSTM, answering", ("ELMo", BILSTM["ELMo"]), ("BERT-large", BILSTM["BERT-large"])),
    ]
    fig, ax = figure(2.7)
    told = []
    for row, (label, *two) in enumerate(pairs):
        for at, (name, value) in zip((-0.17, 0.17), two):
            color, marker = (VERMILLION, "s") if name == "BERT-large" else (BLUE, "o")
            ax.plot([1, value], [row + at] * 2, color=color, linewidth=1.5)
            ax.plot(value, row + at, marker, color=color, markersize=7)
            said = f"{times(value)} as fast as {name}"
            ax.annotate(
                said,
                (max(value, 1), row + at),
                (8, 0),
                textcoords="offset points",
                va="center",
                fontsize=NAME_SIZE,
            )
            told.append(f"{label}: {said}")
    ax.axvline(1, color="black", linewidth=1)
    ax.set_xscale("log")
    ticks = 0.1, 1, 10, 100
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.set(
        xlim=(0.04, 10_000),
        xlabel="times as fast as the baseline (logarithmic)",
        ylim=(len(pairs) - 0.5, -0.5),
    )
    ax.set_yticks(range(len(pairs)), [label for label, *_ in pairs])
    plain(ax)
    title = "The same model, two numbers: it depends on the baseline"
    headline(fig, title)
    return show(fig, f"{title}. {'; '.join(told)}.")


def times(value: float) -> str:
    """Return a ratio in words, such as "5.6 times" or "1/16"."""
    if value < 1:
        return f"1/{1 / value:.0f}"
    return f"{value:.0f} times" if value > 10 else f"{value:.1f} times"
