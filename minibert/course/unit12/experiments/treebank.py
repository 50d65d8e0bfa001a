"""Probe each layer on text with gold labels: tags, chunks, roles, entity types, and trees.

Hewitt and Liang (2019, arXiv 1909.03368) compare every accuracy with that on a control task. Hewitt and
Manning (2019, NAACL) predict the edges of trees. Axes: L layers, N words of all sentences, D hidden, T words
of a sentence.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from minibert.analysis.probes import (
    base_chunks,
    depth_correlation,
    depths,
    edges_found,
    probe_layers,
    squared_distances,
    structural_probe,
)
from minibert.course.models.class_model import WORLD_SEED
from minibert.course.unit10.experiments.shared import tagged
from minibert.generated import World
from minibert.readers.conll import Sentence, read_conll
from minibert.readers.conllu import Tree, read_trees

from .labelled import fits
from .models import Subject, read_words

LONGEST, TRAINED = 25, 0.8  # words of a sentence at most; the share of the sentences that are for training
RANK, STEPS = 32, 40  # of the structural probe: with more, it fits only the training sentences better
ROLES = ("nsubj", "obj", "iobj", "obl", "nmod")  # relations to a head that are the role of a noun


def trees(path: Path, most: int) -> list[Tree]:
    """Return the trees of the first `most` sentences in a CoNLL-U file that have 4 to LONGEST words."""
    return [tree for tree in read_trees(path) if 4 <= len(tree.words) <= LONGEST][:most]


def with_names(sentences: list[Sentence], most: int) -> list[Sentence]:
    """Return the first `most` sentences that have an entity and at most LONGEST words."""
    return [one for one in sentences if set(one.tags) != {"O"} and len(one.words) <= LONGEST][:most]


@cache
def generated_names(most: int) -> list[Sentence]:
    """Return at most `most` sentences in the generated language, with names labelled as entities."""
    lives = [one for one in World(WORLD_SEED).documents(6 * most, 12, "test") if one.kind == "life"]
    return with_names(tagged(lives), most)


class Read:
    """A model's vectors for the words of some sentences, and a split into training and held-out sentences.

    vectors: (L + 1, N, D). words, sentence: a number for the word and for the sentence of each vector, (N,).
    learned: bool, which sentences are for training. trained: (N,) bool, which vectors are for training.
    """

    def __init__(self, subject: Subject, text: Sequence[list[str]], rng: np.random.Generator):
        self.vectors, self.words, self.sentence = read_words(subject, text)
        self.learned = np.isin(np.arange(len(text)), rng.permutation(len(text))[: int(TRAINED * len(text))])
        self.trained = self.learned[self.sentence]
        self.rng = rng

    def probe(self, labels: Sequence[str | None]) -> np.ndarray:
        """Return the accuracy (%) of a probe and of its control task in each layer, (2, L + 1).

        labels: the label of each word, or None to leave the word out.
        """
        asked = np.array([label is not None for label in labels])
        scores = probe_layers(
            self.vectors[:, asked],
            self.words[asked],
            np.array(labels)[asked].astype(str),
            self.trained[asked],
            self.rng,
        )
        return 100 * scores.T[:2]


def treebank_probes(subject: Subject, text: list[Tree], rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Probe a model's layers for tags, base noun phrases, roles and trees, and return the scores by name.

    "tags", "chunks" and "roles" are as in `Read.probe`. "depth" is the rank correlation with the depth in the
    tree. "edges" and "chain" are the UUAS (the share of correct edges), in percent, of the structural probe
    and of linking adjacent words. The last three have shape (L + 1,).
    """
    text = [tree for tree in text if fits(subject, tree.words)]
    read = Read(subject, [tree.words for tree in text], rng)
    roles = [relation.split(":")[0] for tree in text for relation in tree.relations]
    depth = np.concatenate([depths(tree.parents) for tree in text])
    return {
        "tags": read.probe([tag for tree in text for tag in tree.tags]),
        "chunks": read.probe(
            [mark for tree in text for mark in base_chunks(tree.parents, tree.relations, tree.tags)]
        ),
        "roles": read.probe([role if role in ROLES else None for role in roles]),
        "depth": np.array([depth_correlation(x, depth, read.trained) for x in read.vectors]),
        **edges(read, text),
    }


def entity_probe(subject: Subject, text: list[Sentence], rng: np.random.Generator) -> np.ndarray:
    """Probe a model for types of named entities, and return accuracies (2, L + 1) as in `Read.probe`."""
    text = [one for one in text if fits(subject, one.words)]
    return Read(subject, [one.words for one in text], rng).probe(
        [tag[2:] or None for one in text for tag in one.tags]
    )


def read_entities(path: Path, most: int) -> list[Sentence]:
    """Return the first `most` sentences with entities from a CoNLL file."""
    return with_names(read_conll(path), most)


def without_punctuation(tree: Tree) -> tuple[np.ndarray, list[int]]:
    """Leave out punctuation without dependents; return the indices of the other words and of their heads.

    The heads' indices count only the words that remain; -1 is the root's head.

    >>> without_punctuation(Tree(["Ah", ",", "yes"], ["INTJ", "PUNCT", "INTJ"], [2, 0, -1], ["_"] * 3))
    (array([0, 2]), [1, -1])
    """
    kept = np.array([w for w, tag in enumerate(tree.tags) if tag != "PUNCT" or w in tree.parents])
    return kept, [int(np.searchsorted(kept, tree.parents[w])) if tree.parents[w] >= 0 else -1 for w in kept]


def edges(read: Read, text: list[Tree]) -> dict[str, np.ndarray]:
    """Return the held-out UUAS, the percentage of correct edges, by layer (L + 1,) and method.

    The methods are "edges", a structural probe, and "chain", linking adjacent words.
    """
    kept, parents = zip(*map(without_punctuation, text))
    known = np.flatnonzero(read.learned)

    def uuas(mapped):
        right = [edges_found(squared_distances(mapped[s]), parents[s]) for s in np.flatnonzero(~read.learned)]
        return 100 * np.concatenate(right).mean()

    found = []
    for layer in read.vectors.astype(float):
        x = [layer[read.sentence == s][some] for s, some in enumerate(kept)]
        B = structural_probe([x[s] for s in known], [parents[s] for s in known], RANK, read.rng, STEPS)
        found.append(uuas([some @ B for some in x]))
    chain = uuas([np.arange(len(some))[:, None] for some in kept])
    return {"edges": np.array(found), "chain": np.full(len(found), chain)}
