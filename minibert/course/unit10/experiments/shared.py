"""The text, recipe, training and scores shared by the small experiments.

Axes: B sequences, T tokens, L layers, V vocabulary.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch import nn

from minibert.config import ModelConfig, preset
from minibert.course.models.class_model import WORLD_SEED
from minibert.data.batch import IGNORE
from minibert.finetuning.run import finetune
from minibert.generated import World, to_conll
from minibert.model import Encoder, FastEncoder
from minibert.model.transfer import to_torch
from minibert.objectives import MLM, NSP, Objective
from minibert.readers.conll import Sentence, read_conll
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.config import TrainConfig
from minibert.training.loop import train
from minibert.training.pretraining import encode_documents
from minibert.training.recipes import start_from_neighbours

Documents = list[list[list[int]]]
SCORED = 128  # held-out documents for masked tokens
LABELLED, TUNING_STEPS = 300, 150  # of fine-tuning: examples, steps


@dataclass(frozen=True)
class PretrainingRecipe:
    """The default model sizes and training settings of an experiment."""

    documents: int = 12000  # drawn from the generated language; only the lives are used
    pieces: int = 1000  # size of the vocabulary
    length: int = 64  # maximal number of tokens of a sequence
    layers: int = 2
    hidden_size: int = 64
    steps: int = 500
    batch_size: int = 32
    peak_rate: float = 4e-3
    mask_rate: float = 0.3

    def config(self, tokenizer: FastWordPiece, **changes: Any) -> ModelConfig:
        """Return the encoder's configuration; `changes` are other settings of ModelConfig."""
        return preset(
            "class",
            num_hidden_layers=self.layers,
            hidden_size=self.hidden_size,
            intermediate_size=4 * self.hidden_size,
            vocab_size=len(tokenizer),
            max_position_embeddings=self.length,
            **changes,
        )

    def training(self, seed: int, **changes: Any) -> TrainConfig:
        """Return the training configuration; `changes` replace or add settings.

        Its optimizer is Muon, with which the loss leaves its initial plateau early.
        """
        fixed: dict[str, Any] = dict(
            optimizer="muon",
            embedding_share=2.0,
            weight_decay=0.15,
            seed=seed,
            steps=self.steps,
            batch_size=self.batch_size,
            peak_rate=self.peak_rate,
        )
        return TrainConfig(**fixed | changes)


RECIPE = PretrainingRecipe()


@dataclass(frozen=True)
class Material:
    """The data for an experiment: a tokenizer, and generated documents for training and scoring."""

    tokenizer: FastWordPiece
    docs: Documents
    held_out: Documents
    labelled: list[Sentence]  # sentences with named entities, for fine-tuning
    dev: list[Sentence]  # for choosing a learning rate
    test: list[Sentence]


@functools.cache
def material(recipe: PretrainingRecipe = RECIPE) -> Material:
    """Return the data for a recipe; the result is cached."""

    def lives(count, seed, split):
        return [
            document
            for document in World(WORLD_SEED).documents(count, seed, split)
            if document.kind == "life"
        ]

    read, unread = lives(recipe.documents, 1, "pretrain"), lives(1800, 2, "pretrain")
    tokenizer = FastWordPiece(
        train_wordpiece(count_words(s for life in read for s in life.sentences), recipe.pieces)
    )

    def encoded(documents):
        return encode_documents([document.sentences for document in documents], tokenizer)

    others = tagged(lives(800, 4, "train"))
    return Material(
        tokenizer,
        encoded(read),
        encoded(unread),
        tagged(lives(800, 3, "train")),
        others[:400],
        others[400:1000],
    )


def tagged(documents: Sequence[Any]) -> list[Sentence]:
    """Return the sentences of generated documents, each with a BIO tag for every word."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lives.conll"
        path.write_text(to_conll(documents), encoding="utf-8")
        return read_conll(path)


def mlm(recipe: PretrainingRecipe, tokenizer: FastWordPiece, **options: Any) -> MLM:
    """Return the masked-language-modelling objective of a recipe."""
    return MLM(tokenizer.specials, len(tokenizer), recipe.length, rate=recipe.mask_rate, **options)


def fresh_encoder(config: ModelConfig, seed: int) -> Encoder:
    """Return a new encoder in whose first layer each head attends to one neighbour of a token."""
    torch.manual_seed(seed)
    encoder = FastEncoder(config)
    start_from_neighbours(encoder)
    return encoder


def trained(
    model: nn.Module,
    objective: Objective,
    docs: Documents,
    config: TrainConfig,
    after_step: Callable[[int], None] | None = None,
) -> list[dict]:
    """Train a model in place, and return the log of the training.

    after_step: called after each step with the number of steps so far.
    """
    watch = StepCallback(after_step) if after_step else False
    return train(
        model, objective, partial(objective.build, docs), config, precision=torch.float32, progress=watch
    )


class StepCallback:
    """A progress display for `train` that calls a function after each step."""

    def __init__(self, after_step: Callable[[int], None]):
        self.after_step, self.count = after_step, 0

    def begin(self, log: list[dict]) -> None:
        """Do nothing when training starts."""

    def update(self) -> None:
        """Count a step, and call the function with the number of steps so far."""
        self.count += 1
        self.after_step(self.count)

    def end(self) -> None:
        """Do nothing when training ends."""


@torch.no_grad()
def masked_scores(
    model: nn.Module, objective: Objective, docs: Documents, seed: int = 0
) -> tuple[float, float]:
    """Return the mean loss and the accuracy in percent on masked tokens of documents.

    objective: decides which tokens are masked; the same seed gives the same masks. The model's training or
    evaluation mode is restored.
    """
    batch = objective.collate(objective.build(docs, np.random.default_rng(seed))[0])
    inputs, labels = objective.corrupt(batch, np.random.default_rng(seed))
    counted = labels["tokens"] != IGNORE  # (B, T)
    training = model.training
    inputs |= {"counted": np.flatnonzero(counted)}
    logits = model.eval()(**to_torch(inputs, torch.device("cpu")))["tokens"]  # (N, V)
    model.train(training)
    right = torch.from_numpy(labels["tokens"][counted])  # (N,)
    loss = nn.functional.cross_entropy(logits, right).item()
    return round(loss, 4), round(100 * (logits.argmax(-1) == right).float().mean().item(), 2)


def frequency_loss(shared: Material) -> float:
    """Return the held-out loss of predicting tokens by their frequencies in the training text.

    Training stalls at this loss at first.
    """
    counts, asked = (
        np.bincount(
            [i for doc in docs for sentence in doc for i in sentence], minlength=len(shared.tokenizer)
        )
        for docs in (shared.docs, shared.held_out)
    )
    return float(-(asked * np.log((counts + 1) / (counts + 1).sum())).sum() / asked.sum())


def held_out_scores(model: nn.Module, recipe: PretrainingRecipe, shared: Material) -> dict[str, float]:
    """Return the "loss" and accuracy in percent ("words") on held-out tokens, all replaced by [MASK]."""
    objective = mlm(recipe, shared.tokenizer, to_mask=1.0, to_random=0.0)
    loss, words = masked_scores(model, objective, shared.held_out[:SCORED])
    return {"loss": loss, "words": words}


def entity_f1(encoder: Encoder, shared: Material, seed: int, dev: bool = False) -> float:
    """Fine-tune an encoder in place on labelled sentences, and return its F1 for named entities in percent.

    dev: whether to score the dev sentences instead of the test sentences.
    """
    scored = shared.dev if dev else shared.test
    chosen = np.random.default_rng(seed).permutation(len(shared.labelled))[:LABELLED]
    tuned, _ = finetune(
        "ner",
        encoder,
        shared.tokenizer,
        [shared.labelled[i] for i in chosen],
        steps=TUNING_STEPS,
        batch_size=16,
        peak_rate=1e-3,
        seed=seed,
        precision=torch.float32,
        progress=False,
    )
    return round(float(tuned.task.metric(scored, tuned.task.answer(tuned.model, scored))["F1"]), 2)


@torch.no_grad()
def pair_accuracy(model: nn.Module, objective: NSP, docs: Documents, head: str = "pair") -> float:
    """Return the accuracy of a head, in percent, on the labelled sentence pairs of an objective."""
    rows, labels = objective.build(docs, np.random.default_rng(0))
    inputs, right = objective.corrupt(objective.collate(rows, labels), np.random.default_rng(0))
    training = model.training
    logits = model.eval()(**to_torch(inputs, torch.device("cpu")))[head]  # (B, classes)
    model.train(training)
    return round(100 * float(np.mean(logits.argmax(-1).numpy() == right[objective.label])), 2)


def pair_score(
    encoder: Encoder, kind: type[NSP], recipe: PretrainingRecipe, shared: Material, seed: int
) -> float:
    """Fine-tune an encoder in place on sentence pairs (NSP or SOP), and return its accuracy in percent."""
    objective = kind(shared.tokenizer.specials, len(shared.tokenizer), recipe.length)
    torch.manual_seed(seed)
    model = objective.model(encoder)
    first = int(np.random.default_rng(seed).integers(len(shared.docs) - LABELLED))
    config = TrainConfig(steps=TUNING_STEPS, batch_size=16, peak_rate=5e-4, seed=seed)
    trained(model, objective, shared.docs[first : first + LABELLED], config)
    return pair_accuracy(model, objective, shared.held_out)
