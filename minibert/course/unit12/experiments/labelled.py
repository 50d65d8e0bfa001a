"""Measure models on labelled words: tags, clauses, senses and mentions in the generated language.

All three models read the same sentences. The axes are explained in `models`; W is the number of words.
"""

from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
import torch

from minibert.analysis.definitions import LAST_LAYERS, control_selectivity
from minibert.analysis.heads import best_offset, follows, to_words
from minibert.analysis.probes import control_labels, depth_correlation, erasing_projection, random_projection
from minibert.analysis.senses import frequent_senses, knn_senses, last_layers
from minibert.course.models.class_model import WORLD_SEED
from minibert.generated import World
from minibert.generated.labels.coreference import coreference_documents
from minibert.generated.labels.syntax import PRONOUNS, tagged_sentences
from minibert.generated.labels.word_senses import WORD, uses

from .models import Subject, look_at_words, losses, masked, read_words, word_vectors

TAGGED, USES, COREFERENT = 140, 160, 500
FOLDS = 5


@cache
def tagged(count: int = TAGGED) -> list:
    """Return `count` sentences of the generated language, with a tag and a clause depth for each word."""
    return list(tagged_sentences(World(WORLD_SEED), count, seed=12, split="test"))[:count]


class Probed(NamedTuple):
    """The vectors (L + 1, N, D) of N words, and their tags, clause depths and sentence numbers, (N,) each."""

    vectors: np.ndarray
    words: np.ndarray
    tags: np.ndarray
    depth: np.ndarray
    sentence: np.ndarray


def probed(subject: Subject, count: int = TAGGED) -> Probed:
    """Return a model's vectors for all words of `count` tagged sentences, with their labels."""
    text = tagged(count)
    vectors, words, sentence = read_words(subject, [[word.form for word in one] for one in text])
    every = list(chain(*text))
    return Probed(
        vectors, words, np.array([w.upos for w in every]), np.array([w.depth for w in every]), sentence
    )


def tag_scores(found: Probed, seed: int = 0) -> np.ndarray:
    """Return the scores of a probe for tags in each fold and layer, (FOLDS, L + 1, 3).

    The three scores are accuracy, accuracy on the control task, and their difference, called selectivity.
    """
    behaviour = control_labels(found.words, found.tags, np.random.default_rng(seed))
    return np.array(
        [
            [
                control_selectivity(
                    x.astype(float), found.words, found.tags, behaviour, found.sentence % FOLDS != fold
                )
                for x in found.vectors
            ]
            for fold in range(FOLDS)
        ]
    )


def depth_scores(found: Probed) -> np.ndarray:
    """Return how well a linear map ranks words by clause depth, for each fold and layer, (FOLDS, L + 1)."""
    return np.array(
        [
            [depth_correlation(x, found.depth, found.sentence % FOLDS != fold) for x in found.vectors]
            for fold in range(FOLDS)
        ]
    )


class Used(NamedTuple):
    """N occurrences of ambiguous words: vectors (L + 1, N, D), words (N,), senses (N,) and N sentences."""

    vectors: np.ndarray
    words: np.ndarray
    senses: np.ndarray
    sentences: list[str]


@cache
def drawn(count: int, split: str) -> list:
    """Return `count` random occurrences of ambiguous words from `split`, the same for all models."""
    return list(uses(World(WORLD_SEED), count, 12, split))


def used(subject: Subject, split: str, count: int = USES, only: str | None = None) -> Used:
    """Return a model's vectors for the ambiguous words in `count` sentences of `split`, "train" or "test".

    The two splits are worded differently. only: the only word to use; by default all.
    """
    every = drawn(count if only is None else 40 * count, split)
    some = [use for use in every if only in (None, use.word)][:count]
    vectors = [word_vectors(look_at_words(subject, WORD.findall(use.sentence)))[:, use.index] for use in some]
    return Used(
        np.stack(vectors, axis=1),
        np.array([use.word for use in some]),
        np.array([use.sense for use in some]),
        [use.sentence for use in some],
    )


def senses_right(train: Used, test: Used, layers: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each test word, whether its nearest neighbour and the most frequent sense are right.

    Words that do not occur in `train` are left out. layers: the indices of the layers to concatenate; by
    default the last four.
    """

    def side_by_side(x):
        return (
            last_layers(x[1:], min(LAST_LAYERS, len(x) - 1))
            if layers is None
            else np.concatenate([x[i] for i in layers], -1)
        )

    known = np.isin(test.words, train.words)
    found = knn_senses(
        side_by_side(train.vectors), train.words, train.senses, side_by_side(test.vectors), test.words
    )
    frequent = frequent_senses(train.words, train.senses)
    return (
        np.equal(found, test.senses)[known],
        np.array([frequent.get(word) == sense for word, sense in zip(test.words, test.senses)])[known],
    )


@cache
def pronouns(count: int = COREFERENT) -> list[tuple[list[str], np.ndarray]]:
    """Return (words, pairs) for documents with P pronouns, where pairs (P, 2) are word indices.

    Each pair is a pronoun and its antecedent, the last name before it that refers to the same person or
    thing.
    """
    result = []
    for document in coreference_documents(World(WORLD_SEED), count, 12, "test"):
        text = list(chain(*document.sentences))
        pairs = []
        for cluster in document.clusters:
            names = [end for first, end in cluster if text[end].upos == "PROPN"]
            for first, _ in cluster:
                before = [name for name in names if name < first]
                if text[first].form.lower() in PRONOUNS and before:
                    pairs.append((first, before[-1]))
        if pairs and len(text) < 90:
            result.append(([word.form for word in text], np.array(pairs)))
    return result


class Followed(NamedTuple):
    """How well attention resolves pronouns, with the best head chosen on half of the documents.

    best: the best head (layer, head). offset: the best fixed distance from pronoun to antecedent. head_right,
    offset_right: whether this head and this distance find each of the P antecedents in the other half.
    accuracy: the accuracy of each head (L, H).
    """

    best: tuple[int, int]
    offset: int
    head_right: np.ndarray
    offset_right: np.ndarray
    accuracy: np.ndarray


def coreference(subject: Subject, most: int = 70) -> Followed:
    """Return how well attention heads resolve the pronouns in up to `most` documents.

    A head is right if it attends most to the antecedent.
    """
    some = [one for one in pronouns() if fits(subject, one[0])][:most]
    hits = []
    for words, pairs in some:
        one = look_at_words(subject, words)
        hits.append(follows(np.stack([to_words(p, one.words) for p in one.probs]), pairs))  # (L, H, P)
    return chosen_on_half(hits, [pairs for _, pairs in some])


def fits(subject: Subject, words: list[str]) -> bool:
    """Return whether the model has enough positions for a text, given as a list of words."""
    room = subject.encoder.config.max_position_embeddings - 2
    return len(subject.tokenizer.encode_words(words).ids) <= room


def chosen_on_half(hits: list[np.ndarray], pairs: list[np.ndarray]) -> Followed:
    """Choose a head and a fixed distance on every second sentence, and score them on the others.

    hits: for each sentence, whether each head finds each antecedent, (L, H, P) bool. pairs: for each
    sentence, the indices of each pronoun and its antecedent, (P, 2).
    """
    chosen = np.concatenate(hits[::2], axis=-1).mean(axis=-1)  # (L, H)
    best = np.unravel_index(chosen.argmax(), chosen.shape)
    offset, _ = best_offset(pairs[::2])
    tested, steps = np.concatenate(hits[1::2], axis=-1), np.concatenate(pairs[1::2])
    return Followed(
        (int(best[0]), int(best[1])),
        offset,
        tested[best],
        steps[:, 1] - steps[:, 0] == offset,
        tested.mean(axis=-1),
    )


def loss_without_tags(subject: Subject, found: Probed, seed: int = 0) -> dict[str, np.ndarray]:
    """Return the MLM loss of each sentence, with the entire last layer and without some of its directions.

    The removed directions encode the tags, or are random and equal in number. Elazar et al. (2021, arXiv
    2006.00995), section 3.
    """
    texts = [" ".join(word.form for word in one) for one in tagged(40)]
    asked = masked(subject, texts, np.random.default_rng(seed))
    last = found.vectors[-1].astype(float)
    D, count = last.shape[1], len(np.unique(found.tags)) - 1
    projections = {
        "all of it": np.eye(D),
        "without tags": erasing_projection(last, found.tags),
        "without as many random directions": random_projection(D, count, np.random.default_rng(seed)),
    }
    mean = last.mean(axis=0)
    with torch.no_grad():
        hidden = subject.encoder(asked.ids, asked.visible, asked.segments)["hidden"]
        result = {}
        for name, P in projections.items():
            shift, matrix = torch.from_numpy(mean).float(), torch.from_numpy(P).float()
            result[name] = losses(subject, (hidden - shift) @ matrix + shift, asked).numpy()
    return result
