"""Test two of RoBERTa's choices on a small scale: static or dynamic masking, and the input format.

Liu et al. (2019, arXiv 1907.11692), sections 4.1 and 4.2.
"""

import copy
from typing import Any

import numpy as np

from minibert.data.formats import doc_sentences, full_sentences, sentence_pairs
from minibert.objectives import MLM, NSP, SOP, Objective, StaticMasks, Sum
from minibert.objectives.base import Documents, Row

from .shared import (
    RECIPE,
    PretrainingRecipe,
    entity_f1,
    fresh_encoder,
    held_out_scores,
    masked_scores,
    material,
    mlm,
    pair_score,
    trained,
)

FEW = 100  # documents, which are read many times
EPOCHS = (4, 8, 16, 32, 64, 128)  # a model is scored after each of these
MASKS = {"one mask": 1, "ten masks": 10, "fresh masks": None}  # how many masks a sequence has; None: new ones


def masks_run(
    kind: str, seed: int, recipe: PretrainingRecipe = RECIPE, epochs: tuple[int, ...] = EPOCHS, few: int = FEW
) -> dict[str, Any]:
    """Train on `few` documents for many epochs, and score the model after each of the epochs in `epochs`.

    kind: a key of MASKS, which says how many different masks each text gets. Returns the accuracy in percent
    on masked tokens after each of `epochs`: "held out" for new documents, and "read" for the training
    documents with masks that were not used in training; "steps" is the number of steps per epoch.
    """
    shared = material(recipe)
    docs = shared.docs[:few]
    plain = mlm(recipe, shared.tokenizer)
    copies = MASKS[kind]
    objective: Objective = plain if copies is None else StaticMasks(plain, seed, copies)
    per_epoch = -(-len(plain.build(docs, np.random.default_rng(0))[0]) // recipe.batch_size)
    model = objective.model(fresh_encoder(recipe.config(shared.tokenizer), seed))
    found: dict[str, Any] = {"held out": [], "read": [], "steps": per_epoch}
    due = {epoch * per_epoch for epoch in epochs}

    def score(step):
        if step in due:
            found["held out"].append(held_out_scores(model, recipe, shared)["words"])
            found["read"].append(masked_scores(model, plain, docs, seed=999)[1])

    trained(model, objective, docs, recipe.training(seed, steps=max(due)), score)
    return found


class SentencePairs(NSP):
    """The SENTENCE-PAIR format: two sentences, from different documents in half of the examples."""

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return sentence_pairs(docs, self.max_length, rng)


class FullSentences(MLM):
    """The FULL-SENTENCES format: sequences filled with whole sentences, across document boundaries."""

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        order = rng.permutation(len(docs))
        return full_sentences([docs[i] for i in order], self.max_length, self.specials.sep)


class DocSentences(MLM):
    """The DOC-SENTENCES format: sequences filled with whole sentences of a single document."""

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return doc_sentences(docs, self.max_length)


FORMATS: dict[str, Any] = {  # RoBERTa's four, and the first one's pairs with ALBERT's objective
    "SEGMENT-PAIR + NSP": NSP,
    "SENTENCE-PAIR + NSP": SentencePairs,
    "FULL-SENTENCES": FullSentences,
    "DOC-SENTENCES": DocSentences,
    "SEGMENT-PAIR + SOP": SOP,
}


def format_objective(name: str, recipe: PretrainingRecipe, tokenizer: Any) -> Objective:
    """Return the training objective for an input format: MLM, plus NSP or SOP for formats with pairs.

    name: a key of FORMATS.
    """
    kind, sizes = FORMATS[name], (tokenizer.specials, len(tokenizer), recipe.length)
    if issubclass(kind, NSP):
        return Sum(kind(*sizes), mlm(recipe, tokenizer))
    return kind(*sizes, rate=recipe.mask_rate)


def format_run(name: str, seed: int, recipe: PretrainingRecipe = RECIPE) -> dict[str, Any]:
    """Pretrain on text in the format `name`, a key of FORMATS, then fine-tune on three tasks.

    All formats have the same number of tokens per step. Returns the "loss" and accuracy ("words") on masked
    tokens, the scores of the tasks ("entities": F1, "next" and "order": accuracy), and the number of
    "sequences" per step. All scores except the loss are in percent.
    """
    shared = material(recipe)
    objective = format_objective(name, recipe, shared.tokenizer)
    rows = objective.build(shared.docs[:500], np.random.default_rng(0))[0]
    tokens = np.mean([3 * (b is not None) + 2 * (b is None) + len(a) + len(b or ()) for a, b in rows])
    batch_size = round(recipe.batch_size * recipe.length / tokens)
    model = objective.model(fresh_encoder(recipe.config(shared.tokenizer), seed))
    trained(model, objective, shared.docs, recipe.training(seed, batch_size=batch_size))
    scores = held_out_scores(model, recipe, shared)
    for task, tune in {
        "entities": lambda e: entity_f1(e, shared, seed),
        "next": lambda e: pair_score(e, NSP, recipe, shared, seed),
        "order": lambda e: pair_score(e, SOP, recipe, shared, seed),
    }.items():
        scores[task] = tune(copy.deepcopy(model.encoder))
    return {**scores, "sequences": batch_size}
