"""Draw the whole course at the start of each lesson, with the lesson's part highlighted."""

import html
from collections.abc import Sequence
from typing import NamedTuple

from .theme import THEMES
from .view import DARK_THEME, View


class Part(NamedTuple):
    """A part of the drawing: the file of its lesson, its name, and a sentence about it."""

    file: str
    name: str
    does: str

    @property
    def lesson(self) -> int:
        """Return the number of the lesson."""
        return int(self.file[:2])


READING = (
    Part(
        "03_input",
        "tokens",
        "Each word becomes one or more tokens of a fixed vocabulary; a sequence is [CLS] A [SEP] B [SEP].",
    ),
    Part(
        "01_self_supervision",
        "mask tokens",
        "15% of the tokens are chosen, and most become [MASK]. The text is its own answer sheet.",
    ),
    Part(
        "03_input",
        "embeddings",
        "Each token becomes a vector: the sum of embeddings for the token, its position and its segment.",
    ),
    Part(
        "02_attention",
        "layers",
        "In each layer, tokens attend to each other (attention), then each is processed alone "
        "(feed-forward).",
    ),
    Part(
        "04_objectives",
        "heads and loss",
        "One head predicts the masked tokens, another whether B follows A. The two losses are added.",
    ),
)
PRETRAINING = (
    Part(
        "05_pretraining",
        "pretrain",
        "With much text and many steps, the loss decreases, and random weights become a language model.",
    ),
)
TASKS = (
    Part(
        "06_classification",
        "classes",
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
)
RIVALS = (
    Part(
        "09_elmo_gpt_bert",
        "ELMo, GPT, BERT",
        "The same task with three kinds of context: both sides separately, only the left, both together.",
    ),
)
FRIENDS = (
    Part(
        "10_variants",
        "RoBERTa, ALBERT, ELECTRA, …",
        "More text, other masks, other objectives, shared layers, larger models: what did they improve?",
    ),
)
INSIDE = (
    Part(
        "12_inside",
        "inside BERT",
        "What do the layers know, what do the heads do, and what would random weights show as well?",
    ),
)
SEEDS = (
    Part(
        "13_finetuning_well",
        "seeds, budgets, adapters",
        "The same fine-tuning, repeated: what is luck, what helps, and which claims hold?",
    ),
)
ROWS = (
    ("each training step", READING, "→"),
    ("many steps", PRETRAINING, ""),
    ("then fine-tune for", TASKS, "or"),
    ("and compare", RIVALS, ""),
    ("and change", FRIENDS, ""),
    ("then look inside", INSIDE, ""),
    ("and fine-tune well", SEEDS, ""),
)
CAPTION = "The whole course, from a text to a model that answers. Click a box to see what it is about."
ROW = "display:flex;gap:6px;align-items:baseline;margin:4px 0"
NAME = "flex:0 0 10em;text-align:right;white-space:nowrap"
PAIR = "display:inline-flex;gap:6px;align-items:baseline"  # for a box and the sign before it
BOX = "border-radius:6px;padding:3px 10px;max-width:"


def here(lesson: int) -> View:
    """Draw an overview of the course with the parts of BERT that one lesson covers highlighted.

    The other parts are folded and link to their lessons. Raises ValueError for a lesson that is not in the
    drawing.
    """
    known = {part.lesson for _, parts, _ in ROWS for part in parts}
    if lesson not in known:
        raise ValueError(
            f"the drawing has no lesson {lesson}; its lessons are {', '.join(map(str, sorted(known)))}"
        )
    rows = "".join(row(name, parts, between, lesson) for name, parts, between in ROWS)
    return View(
        f'<style>{DARK_THEME}</style><div class="minibert-figure" style="line-height:1.4">'
        f"<small>{CAPTION}</small>{rows}</div>"
    )


def row(name: str, parts: Sequence[Part], between: str, lesson: int) -> str:
    """Return a row of the drawing as HTML: its name, and a box for each part.

    between: the sign or word between boxes. lesson: the number of the lesson to highlight.
    """
    signs = ["", *[f"<span>{between}</span>"] * (len(parts) - 1)]
    boxes = "".join(
        f'<span style="{PAIR}">{sign}{box(part, part.lesson == lesson)}</span>'
        for sign, part in zip(signs, parts)
    )
    return (
        f'<div style="{ROW}"><span style="{NAME}">{name}</span>'
        f'<div style="{ROW};flex-wrap:wrap">{boxes}</div></div>'
    )


def box(part: Part, lit: bool) -> str:
    """Return a part of the drawing as an HTML box: highlighted if `lit`, otherwise folded, with a link."""
    name, does = html.escape(part.name), html.escape(part.does)
    if lit:
        color = "light-dark({}, {})".format(*THEMES["lit"])
        return (
            f'<div style="{BOX}15em;border:3px solid {color}"><b>{name}</b> '
            f"<small>◂ you are here</small><br><small>{does}</small></div>"
        )
    return (
        f'<details style="{BOX}22em;border:1px solid #8888">'
        f"<summary>{name} <small>lesson {part.lesson}</small></summary>"
        f'<small>{does} <a href="{part.file}.ipynb">Open it</a></small></details>'
    )
