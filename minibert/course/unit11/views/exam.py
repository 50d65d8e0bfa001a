"""Masked sentences on which the lesson scores a model, and copies of a model that are smaller.

Without the English model, the course's own model is asked about its generated language.
"""

import copy
import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from minibert.course.models.class_model import WORLD_SEED
from minibert.course.texts.books import ALICE
from minibert.course.texts.passages import passages
from minibert.data.batch import IGNORE, Batch
from minibert.finetuning.compression.quantization import with_rounded_weights
from minibert.finetuning.compression.student import start_from
from minibert.generated import World
from minibert.model import Model
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.model.goal import Arrays
from minibert.objectives import MLM
from minibert.readers.plain_text import read_documents

RATE, SEED = 0.2, 11  # share of the tokens that are masked, and the seed of the draw
WORDS = range(7, 18)  # words of a sentence
EXAM, OTHERS = 72, 40  # sentences on which models are scored, and others on which heads are chosen
TIMED = 11  # rounds
GAPS = (
    "She poured hot [MASK] into her cup.",
    "Every morning the cook bakes fresh [MASK].",
    "He put the key in the [MASK].",
    "The king sat on his [MASK].",
)
GENERATED_GAPS = (
    "Nomi is a [MASK]. Every morning Nomi walks to the bakery.",
    "Renel is a carpenter and builds [MASK] every day.",
    "Chesworth was born [MASK] Lambury in 1946.",
    "Nomi moved [MASK] Lambury in 1946.",
)


class SameMasks(MLM):
    """A masked language model that draws the same [MASK] tokens each time, for scores and importance."""

    def corrupt(self, batch: Batch, rng: np.random.Generator | None = None) -> tuple[Arrays, Arrays]:
        return super().corrupt(batch, rng or np.random.default_rng(SEED))


def is_english(model: Pretrained) -> bool:
    """Return whether this is the English model, not the course's own."""
    return model.name == "english"


def gaps(model: Pretrained) -> tuple[str, ...]:
    """Return four sentences with a gap, in the model's language."""
    return GAPS if is_english(model) else GENERATED_GAPS


def sentences(model: Pretrained) -> list[str]:
    """Return held-out sentences in the model's language: of the course's passages, or generated ones."""
    if is_english(model):
        documents = iter(passages())
    else:
        documents = World(WORLD_SEED).documents(60, seed=11, split="test")
    return [one for document in documents for one in document.sentences if one.count(" ") + 1 in WORDS]


def plain_text(model: Pretrained) -> list[str]:
    """Return sentences without labels to learn from: of Alice in Wonderland, or of the generated language."""
    if is_english(model):
        found = [one for chapter in read_documents(ALICE) for one in chapter]
    else:
        documents = World(WORLD_SEED).documents(300, seed=11, split="train")
        found = [one for document in documents for one in document.sentences]
    return [one for one in found if one.count(" ") + 1 in WORDS]


def masking(model: Pretrained) -> SameMasks:
    """Return the objective with which this model is scored."""
    tokenizer = model.tokenizer
    return SameMasks(tokenizer.specials, len(tokenizer), 64, rate=RATE, to_mask=1, to_random=0)


def sequences(model: Pretrained, texts: Sequence[str]) -> list[tuple[list[int], None]]:
    """Return the token ids of texts, as the sequences of an objective."""
    return [(model.tokenizer.encode(text).ids, None) for text in texts]


class Exam:
    """Masked sentences for one model and its smaller copies. count: the number of masked tokens."""

    def __init__(self, model: Pretrained) -> None:
        objective = masking(model)
        inputs, labels = objective.corrupt(objective.collate(sequences(model, sentences(model)[:EXAM])))
        self.inputs = {name: torch.from_numpy(value) for name, value in inputs.items()}
        wanted = torch.from_numpy(labels["tokens"])
        self.counted: Tensor = wanted != IGNORE  # (B, T)
        self.right: Tensor = wanted[self.counted]  # (N,)
        self.count = len(self.right)

    @torch.no_grad()
    def answers(self, model: Model) -> Tensor:
        """Return whether each masked token is predicted correctly, (N,) bool."""
        training = model.training
        logits = model.eval()(**self.inputs, counted=self.counted)["tokens"]
        model.train(training)
        return logits.argmax(-1) == self.right

    def score(self, model: Pretrained) -> float:
        """Return the percentage of masked tokens that are predicted correctly."""
        return 100 * float(self.answers(model.model).float().mean())


def with_encoder(model: Pretrained, encoder: nn.Module) -> Pretrained:
    """Return a model with another encoder, and a copy of the head for masked tokens that is tied to it."""
    head = model.model.heads["tokens"]
    encoder_words = encoder.embeddings.word.weight  # type: ignore[union-attr]
    copied = copy.deepcopy(head, {id(head.decoder.weight): encoder_words})  # type: ignore[union-attr]
    heads = nn.ModuleDict({"tokens": copied})
    smaller = model.model.with_part("heads", heads).with_part("encoder", encoder.eval())
    return dataclasses.replace(model, model=smaller)


def with_layers(model: Pretrained, layers: Sequence[int]) -> Pretrained:
    """Return a model with only some of its layers, counted from 0."""
    return with_encoder(model, start_from(model.encoder, layers))


def with_fewer_bits(
    model: Pretrained, bits: int, group: int | None, rounded: Callable[[Any, Any, int], Any]
) -> Pretrained:
    """Return a model whose matrices are rounded to `bits` bits.

    group: the number of adjacent weights that share a step: 0 for a whole matrix, None for a row. rounded:
    see `definitions.rounded`.
    """

    def rounding(weights: np.ndarray) -> np.ndarray:
        rows = in_groups(weights, group)
        return rounded(rows, np.abs(rows).max(axis=1, keepdims=True) + 1e-12, bits).reshape(weights.shape)

    small: Any = with_rounded_weights(with_encoder(model, model.encoder).model, rounding)
    return dataclasses.replace(model, model=small)


def first_matrix(model: Pretrained) -> np.ndarray:
    """Return the weights of the first layer's feed-forward part, (F, D), as an example of a matrix."""
    layer: Any = model.encoder.layers[0]
    return layer.feed_forward.up.weight.detach().numpy()


def in_groups(weights: np.ndarray, group: int | None) -> np.ndarray:
    """Return the weights of a matrix as rows that share a step; see `with_fewer_bits`."""
    if group == 0:
        return weights.reshape(1, -1)
    return weights if group is None or weights.shape[1] % group else weights.reshape(-1, group)


def trainable_copy(model: Pretrained, layers: Sequence[int]) -> Model:
    """Return a student with some of the layers, to train; its embeddings are frozen."""
    student = with_layers(model, layers).model
    student.encoder.embeddings.requires_grad_(False)
    return student


def parameters(model: Any) -> int:
    """Count the numbers in a model; tied matrices count once."""
    return sum(value.numel() for value in model.parameters())


def milliseconds(models: Sequence[Pretrained], text: str) -> np.ndarray:
    """Return the times to fill the gaps of a text on this machine: median and quartiles per model, (N, 3).

    The models take turns, so that other programs slow all of them alike.
    """
    times = np.empty((TIMED, len(models)))
    for place in np.ndindex(times.shape):
        begin = time.perf_counter()
        models[place[1]].fill_mask(text, 1)
        times[place] = time.perf_counter() - begin
    return 1000 * np.percentile(times[1:], [50, 25, 75], axis=0).T
