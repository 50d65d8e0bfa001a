"""The English model finds names: how sure it is at each word, and whether the name or the context wins."""

from functools import cache
from typing import Any

import ipywidgets as widgets
import numpy as np

import minibert
from minibert.english.adapter import Adapter
from minibert.english.model import TASKS, WEIGHTS
from minibert.reference import softmax

from ...models.class_model import untrained_model
from ...widgets.entities import entity_lines, word_lines
from ...widgets.guess_then_see import GuessChoice
from ...widgets.tables import score_table
from ...widgets.view import Controls, View

TAGS = ["O", *(f"{edge}-{kind}" for kind in ("LOC", "MISC", "ORG", "PER") for edge in "BI")]
NEWS = (
    "David Miller, a teacher from London, flew to Germany on Monday. In Berlin he met Anna Schmidt, who "
    "works for Siemens. The German company wants to build a school in New York together with Microsoft, "
    "said Mr Miller."
)
NAME = "Washington"
FRAMES = {
    "{} was born in 1960 and has two children.": "PER",
    "My friend {} is a good cook.": "PER",
    "“I am tired,” said {} and went to bed.": "PER",
    "We took the train to {} and stayed for a week.": "LOC",
    "It often rains in {} in winter.": "LOC",
    "They moved from the north to {} last year.": "LOC",
    "Shares of {} fell after the company lost a contract.": "ORG",
    "She works for {} as an engineer.": "ORG",
    "The board of {} met on Monday.": "ORG",
    "I like {}.": "not said",
}
FEW, SOME, MOST = "two or three", "about five", "eight or nine"


@cache
def english() -> Any:
    """Return the English model for named entities, or an untrained one if it cannot be downloaded."""
    return minibert.load("english-ner", instead=untrained_model("ner", tags=TAGS))


def found(text: str) -> list[tuple[int, int, str]]:
    """Return (begin, end, type) of each entity in a text, by characters."""
    return [(entity.start, entity.end, entity.type) for entity in english().predict(text)]


def text_box(text: str) -> widgets.Text:
    layout = {"width": "620px", "max_width": "98%"}
    return widgets.Text(text, description="Sentence", continuous_update=False, layout=layout)


def find() -> Controls:
    """Mark the named entities in a text of the student's own."""

    def draw(text: str) -> str:
        spans = found(text)
        return entity_lines([("", text, spans)], english().task.types, f"Named entities found: {len(spans)}")

    return Controls(
        draw,
        text=widgets.Textarea(
            NEWS, description="News", rows=5, continuous_update=False, layout={"width": "95%"}
        ),
    )


def scores() -> View:
    """Show the English model's scores on two published data sets."""
    card = Adapter.load(WEIGHTS / TASKS["english-ner"]).card["scores"]
    names = "precision", "recall", "F1"
    return View(
        score_table(
            ["", *names], [(data, *(float(row[name]) for name in names)) for data, row in card.items()]
        )
    )


def tag_probabilities(text: str) -> tuple[list[str], list[str], np.ndarray, dict[int, int]]:
    """Return the words, the T tokens, the probabilities of the tags (T, C), and {word: its first token}."""
    task = english().task
    example = task.example(text)
    rows, _, origins = task.encode([example])
    if len(rows) != 1:
        raise ValueError(f"the text has {len(example.words)} words, too many for one sequence; shorten it")
    tokens = ["[CLS]", *(english().tokenizer.vocab[i] for i in rows[0][0]), "[SEP]"]
    firsts = {word: position for _, word, position in origins[0]}
    return example.words, tokens, softmax(task.logits(english().model, rows)[0]), firsts


def doubts() -> Controls:
    """Show the two likeliest tags of each token."""

    def draw(text: str) -> str:
        words, tokens, probs, firsts = tag_probabilities(text)
        order = np.argsort(-probs, axis=-1)  # (T, C), the likeliest tag first
        lines: dict[str, list[str]] = {"token": tokens}
        for place, name in enumerate(("best tag", "second tag")):
            lines[name] = [english().task.tags[row[place]] for row in order]
            lines[f"its probability{' ' * place}"] = [f"{p[row[place]]:.0%}" for p, row in zip(probs, order)]
        unsure = min(firsts, key=lambda word: float(probs[firsts[word]].max()))
        sure = probs[firsts[unsure]].max()
        said = f"Least sure: {words[unsure]}, {sure:.0%}. (Yellow: first tokens, which count.)"
        return word_lines(lines, list(firsts.values()), said)

    return Controls(draw, text=text_box("Sarah Okafor flew from Leeds to Paris with Jordan."))


def spelling() -> Controls:
    """Show what is found in the same text as it is, in lowercase and in capitals."""

    def draw(text: str) -> str:
        spelled = {"as it is": text, "lowercase": text.lower(), "CAPITALS": text.upper()}
        lines = [(name, version, found(version)) for name, version in spelled.items()]
        same = len({tuple(english().tokenizer.encode(version).ids) for version in spelled.values()}) == 1
        return entity_lines(
            lines, english().task.types, f"The three have {'the same' if same else 'different'} ids"
        )

    return Controls(draw, text=text_box("Rose gave a rose to Mark Baker in Turkey."))


@cache
def in_frames(name: str) -> tuple[int, str]:
    """Return in how many sentences a name gets the type that the context says, and all as an HTML table."""
    names = ["O", *english().task.types]
    rows, right = [], 0
    for frame, meant in FRAMES.items():
        text = frame.format(name)
        _, _, probs, firsts = tag_probabilities(text)
        starts = [start for start, _ in english().task.example(text).places]
        row = probs[firsts[starts.index(frame.index("{}"))]]
        shares = [
            100 * float(sum(p for p, tag in zip(row, english().task.tags) if tag.partition("-")[2] == kind))
            for kind in ("", *english().task.types)
        ]
        best = names[int(np.argmax(shares))]
        right += best == meant
        mark = "" if meant == "not said" else "✓" if best == meant else "✗"
        rows.append((text, meant, *(f"{share:.0f}" for share in shares), mark))
    said = f"“{name}”: the type that the context says is ahead in {right} of nine"
    return right, score_table(["sentence", "context says", *names, ""], rows, said)


def guess_name() -> GuessChoice:
    """Ask in how many sentences the context decides about the name."""

    def answer() -> str:
        right, _ = in_frames(NAME)
        return FEW if right <= 3 else SOME if right <= 6 else MOST

    return GuessChoice(
        f"Nine sentences with {NAME}: in three each it must be a person, a place, a company. In how many "
        "does the English model see it?",
        [FEW, SOME, MOST],
        answer,
        see=lambda: in_frames(NAME)[1],
    )


def frames() -> Controls:
    """Show the types of a name of the student's own in the same sentences."""

    def draw(name: str) -> str:
        if not english().tokenizer.encode(name).ids:
            raise ValueError("write a name")
        return in_frames(name.strip())[1]

    return Controls(draw, name=widgets.Text("Okafor", description="Name", continuous_update=False))
