"""Search in the course: a question is typed, and sections of the lessons come out."""

import html
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import ipywidgets as widgets
import numpy as np

from minibert.course import tables
from minibert.course.models.english import english
from minibert.course.unit14.experiments import course_search
from minibert.course.unit14.experiments.course_search import BOTH, sentence_encoder
from minibert.course.unit14.sections import CourseSearch, Section, passages, sections
from minibert.course.widgets.guess_then_see import GuessChoice
from minibert.course.widgets.plots import DARK, NAME_SIZE, headline, plain
from minibert.course.widgets.try_it import either
from minibert.course.widgets.view import (
    BLUE,
    ORANGE,
    VERMILLION,
    YELLOW,
    Controls,
    Drawing,
    figure,
)
from minibert.english.published import EnglishMissing
from minibert.finetuning.search import BM25, VectorIndex, best, combined, words
from minibert.model.checkpoints.published import longest
from minibert.model.encoding import Pooling, encode

from . import ours

QUESTION = "How does a model learn without labels?"
OTHER_QUESTION = "Can I make the model quicker by throwing parts away?"
MEANING, WORDS, TOGETHER = "meaning: sentence vectors", "words: BM25", "both"
SHOWN = 34  # words of a passage
SHORT = 5  # a shorter word is not marked
LIST = "margin:4px 0;padding-left:1.6em;line-height:1.4"
LINK = "color:var(--jp-content-link-color, #0072B2);text-decoration:underline"
LABELS = {  # way of the stored table -> (name, colour)
    "random weights, mean": ("random weights", VERMILLION),
    "English model, cls": ("masked words: [CLS]", ORANGE),
    "English model, mean": ("masked words: mean", ORANGE),
    "trained on pairs, mean": (f"the same, after {course_search.TRAINING['steps']} steps on pairs", BLUE),
    "BM25": ("BM25", YELLOW),
    "published, mean": ("published sentence encoder", BLUE),
    BOTH: ("BM25 and published", BLUE),
}


@cache
def encoder_of(name: str, pooling: Pooling = "mean") -> tuple[Any, Any]:
    """Return an encoder of the experiment, and its tokenizer.

    If the English encoder cannot be had, the course's own model takes its place.
    """
    try:
        return sentence_encoder(name, (), pooling)
    except EnglishMissing:
        return english().encoder, english().tokenizer


def vectors(name: str, pooling: Pooling, texts: list[str]) -> np.ndarray:
    """Return the vectors of texts, (N, D); name: as for `sentence_encoder`."""
    encoder, tokenizer = encoder_of(name, pooling)
    return np.asarray(encode(encoder, tokenizer, texts, pooling, longest(encoder, tokenizer)))


@cache
def course() -> tuple[CourseSearch, CourseSearch]:
    """Return the sections of all lessons, indexed by meaning and by words."""
    found = sections()
    by_meaning = partial(VectorIndex, encode=partial(vectors, "published", "mean"))
    return CourseSearch(found, by_meaning), CourseSearch(found, BM25)


def section_scores(question: str, way: str) -> np.ndarray:
    """Return the score of each section for a question; way: MEANING, WORDS or TOGETHER."""
    scores = {name: index.scores(question) for name, index in zip((MEANING, WORDS), course())}
    return combined(*scores.values()) if way == TOGETHER else scores[way]


def ask_the_course(question: str = QUESTION) -> Controls:
    """Show the sections of the course that answer a question."""

    def draw(question: str, way: str) -> str:
        if not words(question):
            return "<p>Type a question about BERT, and press Enter.</p>"
        rows = "".join(
            found_html(i, question, WORDS if way == WORDS else MEANING)
            for i, _ in best(section_scores(question, way))
        )
        return f'<ol style="{LIST};max-width:52em">{rows}</ol>'

    return Controls(
        draw,
        question=question_box(question),
        way=widgets.Dropdown(options=[MEANING, WORDS, TOGETHER], description="By"),
    )


def question_box(question: str) -> widgets.Text:
    return widgets.Text(
        question,
        description="Question",
        layout={"width": "620px", "max_width": "98%"},
        continuous_update=False,
    )


def linked(section: Section) -> str:
    """Return the name of a section as a link to its lesson."""
    title = html.escape(section.title.replace("*", ""))
    return f'<a href="{section.lesson}.ipynb" style="{LINK}">lesson {int(section.lesson[:2])}: {title}</a>'


def found_html(number: int, question: str, way: str) -> str:
    """Return a section as an item of a list, with the beginning of its best passage.

    number: of the section in the index. way: MEANING or WORDS, which of the two decides what is best. Long
    words of the question are bold.
    """
    search = course()[0 if way == MEANING else 1]
    section, start = search.sections[number], search.starts[number]
    texts = [passage.removeprefix(f"{section.title}. ") for passage in passages(section)]
    scores = search.index.scores(question)[start : start + len(texts)]
    asked = {word for word in words(question) if len(word) >= SHORT}
    marked = " ".join(
        f"<b>{html.escape(word)}</b>" if asked & {*words(word)} else html.escape(word)
        for word in texts[int(scores.argmax())].split()[:SHOWN]
    )
    return f"<li>{linked(section)}<br><small>… {marked} …</small></li>"


def three_ways(cosine: Callable[[np.ndarray, np.ndarray], float]) -> Controls:
    """Show the first three sections by words, by meaning and by both; `cosine` is the student's function."""
    compare, said = either(cosine, ours.cosine)

    def draw(question: str) -> str:
        if not words(question):
            return "<p>Type a question about BERT, and press Enter.</p>"
        by_meaning, by_words = course()
        asked = vectors("published", "mean", [question])[0]
        assert isinstance(by_meaning.index, VectorIndex)
        each = np.array([compare(asked, vector) for vector in by_meaning.index.vectors])
        meaning = np.maximum.reduceat(each, by_meaning.starts)
        counted = by_words.scores(question)
        columns = {WORDS: counted, MEANING: meaning, TOGETHER: combined(counted, meaning)}
        lists = {name: first_three(scores, name != TOGETHER) for name, scores in columns.items()}
        return three_columns(lists) + f"<p><small>{said}</small></p>"

    return Controls(draw, question=question_box(OTHER_QUESTION))


def first_three(scores: np.ndarray, shown: bool = True) -> list[str]:
    """Return the three best sections as HTML; a score of 0 finds nothing. shown: also show the scores."""
    found = course()[0].sections
    return [linked(found[i]) + f" ({score:.2f})" * shown for i, score in best(scores) if score > 0]


def three_columns(columns: dict[str, list[str]]) -> str:
    """Return lists side by side, or below one another on a narrow page."""
    parts = "".join(
        f'<div style="flex:1 1 200px"><b>{name}</b><ol style="{LIST}">'
        + ("".join(f"<li>{item}</li>" for item in items) or "<li>nothing</li>")
        + "</ol></div>"
        for name, items in columns.items()
    )
    return f'<div style="display:flex;flex-wrap:wrap;gap:4px 20px">{parts}</div>'


def guess_search() -> GuessChoice:
    """Ask whether a masked language model's vectors find more than counted words."""
    table = tables.stored("after_bert")
    hits = {way: row["measures"]["hit@3"] for way, row in table["search"].items()}
    choices = {
        "counting words (BM25)": "BM25",
        "our English model, mean of all tokens": "English model, mean",
    }

    def see() -> Drawing:
        return search_bars(hits, table["asked"], table["sections"])

    return GuessChoice(
        f"We wrote {table['asked']} questions without a look at the lessons. For which search is the right "
        "section more often among the first three?",
        list(choices),
        lambda: max(choices, key=lambda name: hits[choices[name]][0]),
        see=see,
    )


def search_bars(hits: dict[str, list[float]], asked: int, among: int) -> Drawing:
    """Draw for each way how many questions find a right section among the first three."""
    rows = {name: (color, hits[way]) for way, (name, color) in LABELS.items() if way in hits}
    fig, ax = figure(0.9 + 0.36 * len(rows))
    for row, (color, (value, low, high)) in enumerate(rows.values()):
        ax.barh(row, value, color=color, edgecolor=DARK, linewidth=0.5)
        ax.plot([low, high], [row, row], color="black", linewidth=1.5)
        ax.text(high + 1.5, row, f"{value:.0f}%", va="center", fontsize=NAME_SIZE)
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set(xlim=(0, 100), xlabel=f"right section among the first three, % of {asked} questions")
    ax.invert_yaxis()
    plain(ax)
    plainly, trained = hits["English model, mean"][0], hits["published, mean"][0]
    title = (
        f"{among} sections: the mean of masked-word vectors finds {plainly:.0f}%, "
        f"counted words {hits['BM25'][0]:.0f}%, an encoder trained on pairs {trained:.0f}%"
    )
    headline(fig, title)
    told = "; ".join(
        f"{name} {value:.0f}% ({low:.0f} to {high:.0f})" for name, (_, (value, low, high)) in rows.items()
    )
    return fig, f"{title}. Lines: 95% intervals over the questions. {told}."
