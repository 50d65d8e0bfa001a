"""Add a section with real English, from a published encoder, to the report that `minibert tour` writes."""

import html
from pathlib import Path
from textwrap import fill
from typing import Any

from minibert.api import ENGLISH, as_finetuned, as_pretrained
from minibert.english.everyday import everyday
from minibert.english.published import EnglishMissing
from minibert.finetuning.finetuned import Finetuned
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.readers.writing import write_text
from minibert.tasks.records import Style
from minibert.tasks.tagging import marked

from ..widgets.view import SKY, Drawing, figure, figure_html

SHOWN = 3  # number of everyday sentences
PASSAGE = (
    "The lighthouse on the northern cape was built in 1874 by Thomas Bell, a Scottish engineer. Its "
    "lamp burned whale oil until electricity reached the island in 1931. Since 1988 nobody has lived "
    "there; the light is controlled from Edinburgh."
)
QUESTIONS = (
    "Who built the lighthouse?",
    "When did electricity reach the island?",
    "From where is the light controlled?",
)
NEWS = (
    "Angela Merkel met Emmanuel Macron in Berlin on Monday. Siemens and Airbus had asked both "
    "governments for help."
)
REVIEWS = ("A warm and funny film with wonderful actors.", "The plot is predictable and the jokes fall flat.")


def english_section(folder: Path) -> str:
    """Return example predictions of the English models as HTML, or the reason why they are not available.

    The figure of masked words is also written to `english.svg` in `folder`.
    """
    try:
        model = as_pretrained(ENGLISH)
        tasks = {task: as_finetuned(f"{ENGLISH}-{task}", "cpu") for task in ("qa", "ner", "sentiment")}
    except EnglishMissing as error:
        return f"<p>{html.escape(str(error))}</p>"
    gaps = figure_html(*filled(model))
    write_text(folder / "english.svg", gaps.replace("currentColor", "#777"))
    return (
        "<p>Everything above is in a language generated for this course. The same architecture, pretrained "
        "on English, predicts masked words. Among forty everyday sentences, it gives the correct word the "
        f"highest probability in these three:</p><figure>{gaps}</figure>"
        + answers(tasks["qa"])
        + entities(tasks["ner"])
        + reviews(tasks["sentiment"])
    )


def filled(model: Pretrained) -> Drawing:
    """Draw the model's five most likely words for [MASK] in example sentences; return (Figure, description).

    Only the SHOWN sentences with the most probable correct words are drawn.
    """
    guesses = [(gap, model.fill_mask(gap.text)[0]) for gap in everyday()]
    guesses.sort(key=lambda one: one[1][0][1] * (one[1][0][0] in one[0].words), reverse=True)
    fig, axes = figure(2.7, ncols=SHOWN)
    told = []
    for ax, ((text, _), found) in zip(axes, guesses):
        words, shares = zip(*found)
        drawn = ax.barh(range(len(words)), shares, color=SKY)
        ax.bar_label(drawn, [f"{share:.0%}" for share in shares], padding=3, fontsize=9)
        ax.set_yticks(range(len(words)), words)
        ax.set(xlim=(0, 1.3 * shares[0]), xticks=[])
        ax.invert_yaxis()
        ax.spines[:].set_visible(False)
        ax.set_title(fill(text, 26), fontsize=10)
        told.append(f"{text} {', '.join(f'{word} {share:.0%}' for word, share in zip(words, shares))}.")
    return fig, "What the model predicts for [MASK]. " + " ".join(told)


def answers(tuned: Finetuned) -> str:
    """Return a passage as HTML, with example questions and the fine-tuned model's answers."""
    said = "".join(
        f"<li>{html.escape(question)} <b>{html.escape(answer) or '(no answer)'}</b></li>"
        for question in QUESTIONS
        for answer in [str(tuned.predict(question=question, context=PASSAGE))]
    )
    return (
        f"<p>After fine-tuning, it answers questions:</p><blockquote>{html.escape(PASSAGE)}</blockquote>"
        f"<ul>{said}</ul>"
    )


def entities(tuned: Finetuned) -> str:
    """Return an example text as HTML, with the named entities found by the fine-tuned model."""

    def mark(text, kind):
        return f'<mark style="background:#9ad17f">{html.escape(text)}<sub> {html.escape(kind)}</sub></mark>'

    found: Any = tuned.predict(NEWS)
    shown = marked(NEWS, found, Style(mark, html.escape))
    return f"<p>It finds named entities:</p><blockquote>{shown}</blockquote>"


def reviews(tuned: Finetuned) -> str:
    """Return example sentences about films as HTML, with the sentiment predicted by the model."""
    said = "".join(f"<li>{html.escape(text)} <b>{tuned.predict(text)}</b></li>" for text in REVIEWS)
    return f"<p>It decides whether a review is positive or negative:</p><ul>{said}</ul>"
