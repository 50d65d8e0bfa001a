"""The data, the recipe and the original model that all experiments of this lesson share."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from minibert.english.model import english_task
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.run import finetune
from minibert.model import Model
from minibert.model.low_rank import without_adapters
from minibert.readers.glue import TextExample
from minibert.readers.sentiment import iter_sst2
from minibert.tasks.metrics import accuracy

NAME = "english-sentiment"  # the original
FILES = {"train": "train.pos", "test": "dev.pos"}  # film reviews of Pang and Lee; each has a .neg file
LABELS = {"0": "negative", "1": "positive"}
MEGABYTE = 1e6


@dataclass(frozen=True)
class SmallRecipe:
    """The numbers of examples, and the settings of training."""

    train: int = 1000  # reviews, drawn by the seed from the original's 4,000
    dev: int = 400  # of the others, for choices; the original has seen them, too
    epochs: int = 2  # of students
    repair: int = 40  # steps of a model that continues after something was removed
    batch_size: int = 16
    peak_rate: float = 2e-4
    max_length: int = 48  # in training


RECIPE = SmallRecipe()


@dataclass(frozen=True, eq=False)
class Material:
    """Reviews by part of the data, the recipe, and a folder for exported models."""

    reviews: dict[str, list[TextExample]]
    recipe: SmallRecipe
    folder: Path

    def drawn(self, seed: int, whole: bool = False) -> list[TextExample]:
        """Return the training reviews of a seed, or all in the order of the seed."""
        chosen = np.random.default_rng([seed, 1]).permutation(len(self.reviews["train"]))
        return [self.reviews["train"][i] for i in (chosen if whole else chosen[: self.recipe.train])]

    def tune(self, encoder: Any, seed: int, whole: bool = False, **options: Any) -> Model:
        """Fine-tune an encoder, in place, and return the model; options: as for `finetune`."""
        recipe, tokenizer = self.recipe, original().tokenizer
        fixed: dict[str, Any] = {
            "epochs": recipe.epochs,
            "batch_size": recipe.batch_size,
            "peak_rate": recipe.peak_rate,
            "max_length": recipe.max_length,
            "precision": torch.bfloat16,
            "progress": False,
        }
        options = {**fixed, **options}
        return finetune("sst2", encoder, tokenizer, self.drawn(seed, whole), seed=seed, **options)[0].model


@functools.cache
def original() -> Finetuned:
    """Return the English model for sentiment, with its adapters merged into the weights."""
    found = english_task(NAME)
    return replace(found, model=without_adapters(found.model).eval())


def material(data: Path, folder: Path, recipe: SmallRecipe = RECIPE) -> Material:
    """Return film reviews in three parts, from a folder with cls/sentence_polarity.

    Dev reviews are drawn with a fixed seed from those on which the original was trained, because the others
    are needed for the test.
    """
    found = {
        part: [
            replace(one, label=LABELS[str(one.label)])
            for one in iter_sst2(data / "cls" / "sentence_polarity" / name)
        ]
        for part, name in FILES.items()
    }
    order = np.random.default_rng(0).permutation(len(found["train"]))
    dev, train = order[: recipe.dev], order[recipe.dev :]
    parts = {"train": [found["train"][i] for i in train], "dev": [found["train"][i] for i in dev]}
    return Material({**parts, "test": found["test"]}, recipe, folder)


@dataclass(frozen=True)
class SmallModel:
    """A model that is to be scored. megabytes: of its weights, or None for 4 bytes per parameter."""

    model: Any  # a Model, or something else with the same outputs
    megabytes: float | None = None

    @property
    def size(self) -> float:
        """Return the megabytes of its weights on disk."""
        if self.megabytes is not None:
            return self.megabytes
        return 4 * sum(parameter.numel() for parameter in self.model.parameters()) / MEGABYTE

    def answers(self, reviews: Sequence[TextExample]) -> list[str]:
        """Return the label that the model gives to each review."""
        return original().task.answer(self.model, reviews)


@functools.cache
def original_answers(given: Material) -> list[str]:
    return SmallModel(original().model).answers(given.reviews["test"])


def scores(small: SmallModel, given: Material, parts: tuple[str, ...] = ("dev", "test")) -> dict[str, float]:
    """Return the accuracy on parts of the data, and "same", the agreement with the original, in percent."""
    found = {}
    for part in parts:
        answers = small.answers(given.reviews[part])
        found[part] = original().task.metric(given.reviews[part], answers)["accuracy"]
        if part == "test":
            found["same"] = 100 * accuracy(original_answers(given), answers)
    return {part: round(score, 2) for part, score in found.items()}
