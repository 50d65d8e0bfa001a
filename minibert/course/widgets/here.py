"""A one-line map of the course for the start of each lesson."""

import html
from typing import NamedTuple

from .theme import THEMES
from .view import DARK_THEME, View


class Part(NamedTuple):
    """A lesson on the map: the name of its file, a short name, and a sentence about it."""

    file: str
    name: str
    does: str

    @property
    def lesson(self) -> int:
        """Return the number of the lesson."""
        return int(self.file[:2])


PARTS = (
    Part(
        "01_self_supervision",
        "masking",
        "15% of the tokens are chosen, and most become [MASK]. The text is its own answer sheet.",
    ),
    Part("02_attention", "attention", "In each layer, every word takes something from the words around it."),
    Part(
        "03_input",
        "input",
        "A text becomes tokens, and each token a vector that says what it is and where it is.",
    ),
    Part(
        "04_objectives",
        "objectives",
        "One head predicts the masked tokens, another whether B follows A. The two losses are added.",
    ),
    Part(
        "05_pretraining",
        "pretraining",
        "With much text and many steps, the loss decreases, and random weights become a language model.",
    ),
    Part(
        "06_classification",
        "classification",
        "With a new head on [CLS] and a few labels, the pretrained encoder learns to classify sentences.",
    ),
    Part(
        "07_question_answering",
        "answers",
        "Two scores for each token show where in a passage the answer begins and ends.",
    ),
    Part(
        "08_tagging", "named entities", "A label for each word marks the people, places and firms in a text."
    ),
    Part(
        "09_elmo_gpt_bert",
        "ELMo, GPT, BERT",
        "The same task with three kinds of context: both sides separately, only the left, both together.",
    ),
    Part(
        "10_variants",
        "variants",
        "More text, other masks, other objectives, shared layers, larger models: what did they improve?",
    ),
    Part(
        "11_small_berts",
        "small BERTs",
        "Distil, quantise, prune or replace: how small and fast can BERT become before it gets worse?",
    ),
    Part(
        "12_inside",
        "inside BERT",
        "What do the layers know, what do the heads do, and what would random weights show as well?",
    ),
    Part(
        "13_finetuning_well",
        "fine-tuning well",
        "The same fine-tuning, repeated: what is luck, what helps, and which claims hold?",
    ),
    Part(
        "14_after_bert",
        "after BERT",
        "Encoders that search by meaning, texts from BERT, and what is used for which work today.",
    ),
)
LINE = "display:flex;flex-wrap:wrap;gap:2px 10px;align-items:baseline;margin:0 0 4px"


def here(lesson: int) -> View:
    """Show all lessons in one line, each with a link, and a sentence about this one.

    Raises ValueError for a lesson that is not on the map.
    """
    known = {part.lesson: part for part in PARTS}
    if lesson not in known:
        raise ValueError(f"the map has no lesson {lesson}; its lessons are {', '.join(map(str, known))}")
    return View(
        f'<style>{DARK_THEME}</style><nav class="minibert-figure" aria-label="Lessons" style="font-size:90%">'
        f'<div style="{LINE}">{"".join(place(part, part.lesson == lesson) for part in PARTS)}</div>'
        f"{html.escape(known[lesson].does)}</nav>"
    )


def place(part: Part, lit: bool) -> str:
    """Return a lesson on the map as HTML: highlighted if `lit`, otherwise a link."""
    name = f"{part.lesson}&nbsp;{html.escape(part.name).replace(' ', '&nbsp;')}"
    if not lit:
        return f'<a href="{part.file}.ipynb">{name}</a>'
    color = "light-dark({}, {})".format(*THEMES["lit"])
    return f'<b aria-current="page" style="border-bottom:3px solid {color}">{name}</b>'
