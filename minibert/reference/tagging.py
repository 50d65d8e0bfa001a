"""Tags of words in NumPy and lists: labels on first pieces, entities out of BIO tags, their F1, and layers as
features.

Devlin et al. (2019, arXiv 1810.04805), section 5.3 and table 7; Tjong Kim Sang and De Meulder (2003, arXiv
cs/0306050), section 2. `minibert.tasks.tagging` does it for whole files, in windows;
`minibert.finetuning.features` combines layers in PyTorch.
"""
import numpy as np

from ..batch import IGNORE
from .bilstm import scalar_mix

LAYERS = {  # way -> which of the trunk's L + 1 outputs; the embeddings are the first
    "embeddings": slice(0, 1),
    "second-to-last": slice(-2, -1),
    "last": slice(-1, None),
    "sum-last-four": slice(-4, None),
    "concat-last-four": slice(-4, None),
    # paper: "all 12 layers", hence without the embeddings, which ELMo's sum takes in
    "sum-all": slice(1, None),
}


def align_labels(word_ids, labels):
    """One label a token: its word's at the first piece of a word, IGNORE at all others.

    word_ids: for each of T tokens the number of its word, None for special tokens and padding; labels: one
    int a word. Returns a list of T ints.

    >>> align_labels([None, 0, 1, 1, None], [3, 5])
    [-100, 3, 5, -100, -100]
    """
    return [IGNORE if word is None or word == before else labels[word]
            for before, word in zip([None, *word_ids], word_ids)]


def decode_entities(tags):
    """The entities that BIO tags mark: a list of (type, first word, last word), in the order of the sentence.

    What stands before the first hyphen says whether a tag opens an entity (B) or goes on with one of its type
    (any other, but O); a stray I-X and an I-X after another type open one too, as for conlleval.

    >>> decode_entities(["B-PER", "I-PER", "O", "B-LOC", "I-ORG"])
    [('PER', 0, 1), ('LOC', 3, 3), ('ORG', 4, 4)]
    """
    found, start, inside = [], 0, None
    for i, tag in enumerate([*tags, "O"]):
        edge, _, kind = tag.partition("-")
        if inside is not None and (edge in ("B", "O") or kind != inside):
            found.append((inside, start, i - 1))
            inside = None
        if edge != "O" and inside is None:
            start, inside = i, kind
    return found


def entity_f1(gold, predicted):
    """(precision, recall, F1), each 0 to 100, over the entities of all sentences; gold, predicted: lists of
    lists of tags.
    """
    pairs = [(set(decode_entities(wanted)), set(decode_entities(given)))
             for wanted, given in zip(gold, predicted, strict=True)]
    return precision_recall_f1(*(sum(map(len, group)) for group in zip(*((a & b, b, a) for a, b in pairs))))


def precision_recall_f1(right=0, found=0, wanted=0):
    """The three scores, 0 to 100, from counts of entities; 0 where nothing is right."""
    precision, recall = 100 * right / max(found, 1), 100 * right / max(wanted, 1)
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


def combine_layers(layers, way, scores=None, gamma=1.0):
    """One vector a token from the outputs of all layers, as features for another model.

    layers: (L + 1, ..., D), the embeddings first; way: a name in LAYERS; scores: one number for each layer
    that a weighted sum reads, whose softmax are the weights, None = all alike; gamma: what a weighted sum is
    multiplied by. Returns (..., D), or (..., 4 D) for "concat-last-four". Raises ValueError for another way.
    """
    if way not in LAYERS:
        raise ValueError(f"unknown way {way!r}; known ways: {', '.join(LAYERS)}")
    chosen = layers[LAYERS[way]]
    if way.startswith("sum"):
        scores = np.zeros(len(chosen), chosen.dtype) if scores is None else scores
        return scalar_mix(chosen, {"weights": scores, "gamma": gamma})
    return np.concatenate(list(chosen), axis=-1)
