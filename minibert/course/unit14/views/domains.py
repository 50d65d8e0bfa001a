"""BERTs for a domain: what each did, how the vocabulary cuts its words, and two registers of English."""

import html
from typing import Any

import ipywidgets as widgets
import numpy as np

from minibert.course import tables
from minibert.course.widgets.chips import chip
from minibert.course.widgets.plots import headline, plain
from minibert.course.widgets.tables import scrolling, table_of
from minibert.course.widgets.view import BLUE, VERMILLION, YELLOW, Controls, Drawing, View, figure, show
from minibert.data.languages import fertility
from minibert.model.checkpoints.pretrained import Pretrained

WORDS = {
    "medicine": "hypertension electrocardiogram acetyltransferase",
    "law": "tort usufruct indemnification",
    "finance": "dividend amortisation collateralised",
    "every day": "kitchen morning yesterday",
}
MODELS = (  # model, text, start, vocabulary, paper
    (
        "SciBERT",
        "1.14M scientific papers, 82% of them biomedical",
        "from scratch",
        "its own; 42% of it is also in BERT's",
        "Beltagy et al. (2019), section 2",
    ),
    (
        "BioBERT",
        "abstracts of PubMed, full texts of PMC",
        "from BERT",
        "BERT's",
        "Lee et al. (2020), section 3",
    ),
    (
        "ClinicalBERT",
        "hospital notes (MIMIC-III)",
        "from BioBERT or BERT",
        "BERT's",
        "Alsentzer et al. (2019); another one: Huang et al. (2019)",
    ),
    (
        "FinBERT",
        "financial news",
        "from BERT",
        "BERT's",
        "Araci (2019)",
    ),
    (
        "FinBERT (another one)",
        "company reports, earnings calls, analysts' reports",
        "from scratch",
        "its own",
        "Yang et al. (2020)",
    ),
)
NAMES = {"bank": "questions to a bank", "films": "film reviews"}


def domain_models() -> View:
    """Return a table of published models: their text, where they start, and their vocabulary."""
    return View(table_of(("model", "text", "start", "vocabulary", "source"), MODELS))


def pieces(model: Pretrained, word: str) -> list[str]:
    """Return the tokens of a word."""
    return [model.tokenizer.vocab[i] for i in model.tokenizer.encode(word).ids]


def cut_words(model: Pretrained) -> Controls:
    """Show how the model's vocabulary cuts the words of a few domains, and the student's own words."""

    def draw(words: str) -> str:
        rows = {**WORDS, **({"yours": words} if words.strip() else {})}
        body = "".join(
            f'<tr><th scope="row" style="text-align:left;padding:2px 10px">{html.escape(name)}</th>'
            f'<td style="text-align:left">{" &nbsp; ".join(cut(model, word) for word in text.split())}</td>'
            f'<td style="padding:2px 10px">{fertility(lambda one: pieces(model, one), [text]):.1f}</td></tr>'
            for name, text in rows.items()
        )
        left = '<th style="text-align:left;padding:2px 10px">words of</th>'
        head = f"<tr>{left}<th></th><th>tokens per word</th></tr>"
        return scrolling(f'<table style="border-collapse:collapse">{head}{body}</table>')

    return Controls(
        draw,
        words=widgets.Text(
            "", description="My words", placeholder="words of your subject", continuous_update=False
        ),
    )


def cut(model: Pretrained, word: str) -> str:
    return "".join(chip(piece, YELLOW, "1px solid") for piece in pieces(model, word))


def registers() -> View:
    """Draw what further pretraining on one register changes in both, from the stored table."""
    return show(*register_plot(tables.stored("after_bert")["registers"]))


def register_plot(found: dict[str, list[dict[str, Any]]]) -> Drawing:
    """Draw the points gained or lost on each register, a point for each seed.

    found: {register that was read: results of the seeds}, and "neither" for the model as it was.
    """
    before = found["neither"][0]["right"]
    read = [name for name in found if name != "neither"]
    gains = {  # (read, tested) -> (seeds,)
        (one, other): np.array([seed["right"][other] - before[other] for seed in found[one]])
        for one in read
        for other in before
    }
    fig, ax = figure(0.9 + 0.55 * len(gains))
    ticks = []
    for place, ((one, other), values) in enumerate(gains.items()):
        color, marker = (BLUE, "o") if one == other else (VERMILLION, "s")
        ax.barh(place, values.mean(), color=color, alpha=0.35, edgecolor=color)
        ax.plot(values, [place] * len(values), marker, color=color, markersize=6)
        ticks.append(f"read {NAMES[one]}, tested on {NAMES[other]}")
    ax.axvline(0, color="black", linewidth=1)
    ax.set_yticks(range(len(gains)), ticks)
    start = ", ".join(f"{NAMES[name]} {value:.1f}%" for name, value in before.items())
    ax.set(xlabel=f"change in masked tokens right, points (a mark for each seed)\nbefore: {start}")
    ax.invert_yaxis()
    plain(ax)
    own = [values.mean() for (one, other), values in gains.items() if one == other]
    others = [values.mean() for (one, other), values in gains.items() if one != other]
    title = (
        f"On the kind of text it has read, the model gains {min(own):.1f} to {max(own):.1f} points; on the "
        f"other one, it changes by {min(others):+.1f} to {max(others):+.1f}"
    ).replace("-", "−")
    headline(fig, title)
    told = "; ".join(f"{tick} {values.mean():+.1f}" for tick, values in zip(ticks, gains.values()))
    return fig, f"{title}. {told}."
