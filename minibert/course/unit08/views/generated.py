"""Taggers of the generated language: with known faults, by heart, from scratch and pretrained."""

import copy
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import numpy as np
import torch

from minibert.data.tagging import decode_entities
from minibert.finetuning.run import finetune
from minibert.generated import World, to_conll
from minibert.model import Encoder
from minibert.readers.conll import read_conll
from minibert.tasks.entity_score import entity_f1

from ...models.class_model import WORLD_SEED, class_model
from ...widgets.guess_then_see import GuessChoice
from ...widgets.learning_curves import LiveCurve
from ...widgets.plots import bars
from ...widgets.tables import score_table
from ...widgets.try_it import either
from ...widgets.view import Controls, Drawing, View

Tags = list[str]
LABELLED = 300
SETTINGS: dict[str, Any] = {"steps": 240, "batch_size": 8, "peak_rate": 1e-3, "seed": 0}


@cache
def sentences(split: str) -> list[Any]:
    """Return tagged sentences of the generated language; split: train (LABELLED of them) or test."""
    count, seed = {"train": (120, 2), "test": (100, 3)}[split]
    path = Path(tempfile.mkdtemp()) / f"{split}.conll"
    path.write_text(to_conll(World(WORLD_SEED).documents(count, seed=seed, split=split)), encoding="utf-8")
    found = read_conll(path)
    chosen = (
        np.random.default_rng(3).permutation(len(found))[:LABELLED] if split == "train" else range(len(found))
    )
    return [found[i] for i in chosen]


def gold() -> list[Tags]:
    """Return the right tags of the test sentences."""
    return [sentence.tags for sentence in sentences("test")]


def without_last(tags: Tags) -> Tags:
    ends = {last for _, first, last in decode_entities(tags) if last > first}
    return ["O" if i in ends else tag for i, tag in enumerate(tags)]


FAULTS: dict[str, Callable[[Tags], Tags]] = {
    "says O to everything": lambda tags: ["O"] * len(tags),
    "forgets the last word of a long entity": without_last,
    "takes every place for a person": lambda tags: [tag.replace("LOC", "PER") for tag in tags],
    "finds people only": lambda tags: [tag if tag.endswith("PER") else "O" for tag in tags],
    "says B- where it should say I-": lambda tags: [tag.replace("I-", "B-") for tag in tags],
    "says I- where it should say B-": lambda tags: [tag.replace("B-", "I-") for tag in tags],
}


def scores_of(fault: str) -> dict[str, float]:
    """Return accuracy, precision, recall and F1 of a tagger with one fault, in percent."""
    return entity_f1(gold(), [FAULTS[fault](tags) for tags in gold()])


def faults() -> Controls:
    """Show the scores of taggers with one kind of mistake each."""

    def draw(tagger: str) -> Drawing:
        scores = scores_of(tagger)
        title = f"A tagger that {tagger}: accuracy {scores['accuracy']:.0f}%, F1 {scores['F1']:.0f}"
        names = ["accuracy", "precision", "recall", "F1"]
        return bars(names, [scores[name] for name in names], "percent", title, 3, "{:.0f}", 112)

    return Controls(
        draw,
        tagger=widgets.Dropdown(
            options=list(FAULTS),
            value="finds people only",
            description="A tagger that",
            layout={"width": "430px", "max_width": "98%"},
            style={"description_width": "initial"},
        ),
    )


def guess_lazy() -> GuessChoice:
    """Ask what a tagger reaches that says O to every word."""
    scores = scores_of("says O to everything")
    right = f"{scores['accuracy']:.0f}% of the words and an F1 of {scores['F1']:.0f}"

    def see() -> str:
        lost = scores_of("forgets the last word of a long entity")
        return (
            "<p>Most words are outside every entity. A tagger that forgets only the last word of each entity "
            f"of several words gets {lost['accuracy']:.0f}% of the words, and an F1 of {lost['F1']:.0f}.</p>"
        )

    return GuessChoice(
        "A tagger says O to every word. What does it reach on test sentences of our generated language?",
        ["5% of the words and an F1 of 0", "50% of the words and an F1 of 50", right],
        lambda: right,
        see=see,
    )


def our_by_heart(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    counts: dict[str, Counter] = defaultdict(Counter)
    for word, tag in pairs:
        counts[word][tag] += 1
    return {word: tags.most_common(1)[0][0] for word, tags in counts.items()}


def tuned(scratch: bool, curve: LiveCurve) -> Any:
    """Fine-tune the course's own model, or its layers with random weights, on the training sentences."""
    model, tokenizer = class_model()
    torch.manual_seed(SETTINGS["seed"])
    encoder = Encoder(model.encoder.config) if scratch else copy.deepcopy(model.encoder)
    return finetune(
        "ner", encoder, tokenizer, sentences("train"), precision=torch.float32, progress=curve, **SETTINGS
    )[0]


def teach(learn_by_heart: Callable) -> View:
    """Train from both starts, live, and compare them with the student's list of words."""
    used, said = either(learn_by_heart, our_by_heart)
    train, test = sentences("train"), sentences("test")
    known = used([pair for sentence in train for pair in zip(sentence.words, sentence.tags)])
    curve = LiveCurve("loss", lambda log: float(np.mean([entry["loss"] for entry in log[-20:]])), every=10)
    answers: dict[str, Callable[[list[Any]], list[Tags]]] = {
        "O everywhere": lambda some: [["O"] * len(sentence.words) for sentence in some],
        "by heart": lambda some: [[known.get(word, "O") for word in sentence.words] for sentence in some],
    }
    for name, scratch in (("pretrained", False), ("from scratch", True)):
        curve.line(name)
        model = tuned(scratch, curve)
        answers[name] = partial(model.task.answer, model.model)
    rows = []
    for name, answer in answers.items():
        scores = entity_f1(gold(), answer(test))
        fitted = entity_f1([sentence.tags for sentence in train], answer(train))
        rows.append((name, fitted["F1"], scores["accuracy"], scores["F1"]))
    names = ["tagger", "F1, training sentences", "words right, test", "F1, test"]
    return View(f"<p><small>{said}</small></p>{score_table(names, rows)}")
