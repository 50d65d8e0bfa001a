"""BERT in one drawing that opens each lesson: from a text to what is learned, with the lesson's part lit."""

import html
from collections.abc import Sequence
from typing import NamedTuple

from .theme import THEMES
from .view import DARK_THEME, View


class Part(NamedTuple):
    """A part of the drawing: the file of the lesson that explains it, its name, and what it does."""

    file: str
    name: str
    does: str

    @property
    def lesson(self) -> int:
        """The number of its lesson."""
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
        "A token becomes a vector: what it is, where it stands, and to which text it belongs, added up.",
    ),
    Part(
        "02_attention",
        "layers",
        "In each layer every token looks at the others (attention), then works alone (feed-forward).",
    ),
    Part(
        "04_objectives",
        "heads and loss",
        "One head predicts the masked tokens, one says whether B follows A; the loss adds up both.",
    ),
)
PRETRAINING = (
    Part(
        "05_pretraining",
        "pretrain",
        "Step by step the loss decreases on much text, and the random weights become a model of language.",
    ),
)
TASKS = (
    Part(
        "06_classification",
        "classes",
        "A new head on [CLS] and a few labels teach the pretrained encoder to judge sentences and pairs.",
    ),
    Part(
        "07_question_answering",
        "answers",
        "Two scores for each token mark where the answer begins in a passage, and where it ends.",
    ),
    Part(
        "08_tagging", "named entities", "A label for each word finds the people, places and firms in a text."
    ),
)
RIVALS = (
    Part(
        "09_elmo_gpt_bert",
        "ELMo, GPT, BERT",
        "The same task with three ways to look: both sides apart, left only, both sides at once.",
    ),
)
FRIENDS = (
    Part(
        "10_variants",
        "RoBERTa, ALBERT, ELECTRA, …",
        "More text, other masks, another question, shared layers, a growing model: what did it bring?",
    ),
)
INSIDE = (
    Part(
        "12_inside",
        "inside BERT",
        "What do the layers know, what do the heads do, and what would random weights show, too?",
    ),
)
SEEDS = (
    Part(
        "13_finetuning_well",
        "seeds, budgets, adapters",
        "The same fine-tuning again and again: what is luck, what helps, and what may one claim?",
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
CAPTION = "The whole course, from a text to a model that answers. Click a box to see what it does."
ROW = "display:flex;gap:6px;align-items:baseline;margin:4px 0"
NAME = "flex:0 0 10em;text-align:right;white-space:nowrap"
PAIR = "display:inline-flex;gap:6px;align-items:baseline"  # a box and the sign before it
BOX = "border-radius:6px;padding:3px 10px;max-width:"


def here(lesson: int) -> View:
    """The drawing, with the parts of this lesson lit; the others open on a click, and lead to their lessons.

    lesson: its number. Raises ValueError for one that is not in the drawing.
    """
    known = {part.lesson for _, parts, _ in ROWS for part in parts}
    if lesson not in known:
        raise ValueError(f"lesson {lesson}: the drawing has lessons {', '.join(map(str, sorted(known)))}")
    rows = "".join(row(name, parts, between, lesson) for name, parts, between in ROWS)
    return View(
        f'<style>{DARK_THEME}</style><div class="minibert-figure" style="line-height:1.4">'
        f"<small>{CAPTION}</small>{rows}</div>"
    )


def row(name: str, parts: Sequence[Part], between: str, lesson: int) -> str:
    """One row of boxes, with a sign or a word between them, as HTML."""
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
    """A part as HTML: lit, with what it does; or folded, and then with a link to its lesson."""
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
