"""The bug hunt `pretraining_loss`: BERT's loss with three planted bugs, and the properties that they violate.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: the loss is the sum of two means. The hidden states at
the masked positions are gathered first. Axes: B batch, T tokens, P predicted positions of a sequence, D
hidden, V vocabulary.
"""

import math
from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.compare import close
from ..checks.exercise import Invariant
from .loss_mistakes import right_mlm_loss, right_nsp_loss

B, T, P, D, V = 3, 7, 2, 4, 6  # the sizes of the inputs on which the invariants are checked


def version(left: frozenset[int]) -> Callable:
    """Return BERT's pretraining loss with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: all hidden states are taken from the first sequence. Bug 2: NSP uses the mean of all hidden states.
    Bug 3: the loss is a single mean over the labels of both tasks.
    """

    def pretraining_loss(hidden, places, labels, nsp_labels, weights):
        row = np.zeros_like(places) if 1 in left else np.arange(len(places))[:, None]
        asked = hidden[row, places]  # (B, P, D)
        mlm = right_mlm_loss(asked @ weights["word.weight"].T + weights["word.bias"], labels)
        first = hidden.mean(axis=1) if 2 in left else hidden[:, 0]  # (B, D)
        nsp = right_nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], nsp_labels)
        counted = (labels != IGNORE).sum()
        return (counted * mlm + len(hidden) * nsp) / (counted + len(hidden)) if 3 in left else mlm + nsp

    return pretraining_loss


def head_weights(
    rng: np.random.Generator, vocab_size: int, hidden_size: int, dtype: type = np.float64
) -> dict[str, np.ndarray]:
    """Return random weights for the MLM head and the NSP head.

    The arrays are `word.weight` (V, D), the word embeddings, `word.bias` (V,), `nsp.weight` (2, D) and
    `nsp.bias` (2,).
    """
    sizes = {"word": vocab_size, "nsp": 2}
    return {
        f"{name}.{part}": rng.normal(size=shape).astype(dtype)
        for name, size in sizes.items()
        for part, shape in (("weight", (size, hidden_size)), ("bias", (size,)))
    }


def with_place_0(rng: np.random.Generator, B: int = B) -> tuple:
    """Return arguments for `pretraining_loss` with unsorted masked positions, one of them [CLS]."""
    hidden, places, labels, nsp_labels, weights = given(rng, B, P=3, unused=1)
    places[0], labels[0] = (5, 0, 2), (1, 4, 0)
    return hidden, places, labels, nsp_labels, weights


def given(
    rng: np.random.Generator,
    B: int = B,
    T: int = T,
    P: int = P,
    D: int = D,
    V: int = V,
    unused: int = 0,
    dtype: type = np.float64,
) -> tuple:
    """Return random `pretraining_loss` arguments for B sequences of T tokens, P of them masked.

    In the last `unused` sequences, the last of the P positions is not used: it is 0 and has no label.
    """
    places = np.stack([np.sort(1 + rng.permutation(T - 1)[:P]) for _ in range(B)])  # (B, P)
    labels = rng.integers(V, size=(B, P))
    if unused:
        places[-unused:, -1], labels[-unused:, -1] = 0, IGNORE
    nsp_labels = np.where(rng.permutation(B) < (B + 1) // 2, 0, 1)  # (B,)
    return (
        rng.normal(size=(B, T, D)).astype(dtype),
        places,
        labels,
        nsp_labels,
        head_weights(rng, V, D, dtype),
    )


def without_loss(rng: np.random.Generator) -> tuple:
    """Return arguments for which both losses are 0, so that the way of combining them does not matter.

    With a state of another sequence, or with the mean of all states, a loss is large.
    """
    hidden, places, labels, nsp_labels, weights = given(rng, D=V)
    labels[:, 0] = rng.permutation(V)[:B]  # each sequence has another one
    hidden[:] = -9.0
    hidden[np.arange(B)[:, None], places] = 90 * np.eye(V)[labels]
    hidden[:, 0] = 90 * np.eye(V)[nsp_labels]
    spare = np.array([np.setdiff1d(np.arange(1, T), row)[0] for row in places])
    hidden[np.arange(B), spare] = 900 * np.eye(V)[1 - nsp_labels]  # outweighs [CLS] in the mean
    zero = {name: np.zeros_like(w) for name, w in weights.items() if name.endswith("bias")}
    weights = zero | {"word.weight": np.eye(V), "nsp.weight": np.eye(2, V)}
    return hidden, places, labels, nsp_labels, weights


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        given(rng),
        given(rng, unused=2),
        given(rng, B=1, T=5, P=3, D=6, V=9, unused=1),
        given(rng, B=4, T=6, P=1, D=3, V=5, dtype=np.float32),
        with_place_0(rng),
        with_place_0(rng, 1),
        without_loss(rng),
    ]


def rows_do_not_meet(f: Callable, rng: np.random.Generator) -> bool:
    hidden, places, labels, nsp_labels, weights = given(rng)
    each = [
        f(hidden[i : i + 1], places[i : i + 1], labels[i : i + 1], nsp_labels[i : i + 1], weights)
        for i in range(B)
    ]
    return close(f(hidden, places, labels, nsp_labels, weights), np.mean(each))


def other_states_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    hidden, places, labels, nsp_labels, weights = given(rng)
    places[:] = 1 + 2 * np.arange(P)  # the same in all rows, without the last position
    other = np.delete(np.arange(1, T), places[0] - 1)
    moved = hidden.copy()
    moved[:, other] += rng.normal(size=(B, len(other), D))
    return close(
        f(hidden, places, labels, nsp_labels, weights), f(moved, places, labels, nsp_labels, weights)
    )


def knows_nothing(f: Callable, rng: np.random.Generator) -> bool:
    *inputs, weights = given(rng)
    return close(
        f(*inputs, {name: np.zeros_like(weight) for name, weight in weights.items()}),
        math.log(V) + math.log(2),
    )


def unused_slots_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    hidden, places, labels, nsp_labels, weights = given(rng)
    slots = rng.integers(T, size=(B, 2))
    return close(
        f(
            hidden,
            np.hstack([places, slots]),
            np.hstack([labels, np.full((B, 2), IGNORE)]),
            nsp_labels,
            weights,
        ),
        f(hidden, places, labels, nsp_labels, weights),
    )


def zero_means_next(f: Callable, rng: np.random.Generator) -> bool:
    hidden, places, labels, _, weights = given(rng)
    surer = weights | {"nsp.bias": weights["nsp.bias"] + np.array([1.0, 0.0])}
    return [
        f(hidden, places, labels, np.full(B, label), surer)
        < f(hidden, places, labels, np.full(B, label), weights)
        for label in (0, 1)
    ] == [True, False]


def every_weight_counts(f: Callable, rng: np.random.Generator) -> bool:
    *inputs, weights = given(rng)
    return all(
        not close(f(*inputs, weights | {name: weight + rng.normal(size=weight.shape)}), f(*inputs, weights))
        for name, weight in weights.items()
    )


BROKEN = (
    Invariant(
        "sequences are independent: if all have the same number of labels, the loss of a batch is the mean "
        "of their losses",
        rows_do_not_meet,
    ),
    Invariant("only the states of [CLS] and of the tokens to predict matter", other_states_do_not_matter),
    Invariant("a model that knows nothing (all weights are 0) has the loss ln V + ln 2", knows_nothing),
)
KEPT = (
    Invariant(
        "a slot with the label -100 does not matter, whatever its position", unused_slots_do_not_matter
    ),
    Invariant("a larger bias for label 0 helps if B follows A, and hurts if it does not", zero_means_next),
    Invariant("every weight affects the loss", every_weight_counts),
)
