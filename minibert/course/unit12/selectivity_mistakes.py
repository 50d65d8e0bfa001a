"""Test inputs for `control_selectivity`, which compares a probe with a control task, and common mistakes.

Hewitt and Liang (2019, arXiv 1909.03368), section 2. Axes: N tokens, D hidden, V words.
"""

from collections.abc import Callable

import numpy as np

from minibert.analysis.definitions import linear_probe as probe

from ..checks.edits import edits, pairs_of_edits


def inputs(
    rng: np.random.Generator, N: int, V: int, C: int, D: int = 3, dtype: type = np.float64, told: float = 1.0
) -> tuple:
    """Return random (x, words, labels, behaviour, trained). The last two words never occur in training.

    Word V - 3 always occurs in training. A vector depends on its word and, scaled by `told`, on its label, so
    both tasks can be learned to some extent. If `told` is 0, the labels are random, and the control task is
    easier.
    """
    words = rng.permutation(np.concatenate([np.arange(V), np.arange(V), rng.integers(V, size=N - 2 * V)]))
    trained = (rng.random(N) < 0.6) & (words < V - 2)
    for word in range(V - 3):  # each of these words has trained and held-out tokens
        first, second = np.flatnonzero(words == word)[:2]
        trained[first], trained[second] = True, False
    trained |= words == V - 3
    labels = (words + rng.integers(2, size=N)) % C if told else rng.integers(C, size=N)
    labels[np.flatnonzero(trained)[:C]] = np.arange(C)
    own = rng.normal(size=(V, D))[words] if told else np.eye(V)[words] * 3
    x = own + told * rng.normal(size=(C, D))[labels] + rng.normal(size=(N, D)) / 2
    return x.astype(dtype), words, labels, rng.permutation(np.arange(V) % C), trained


def allowed(
    x: np.ndarray, words: np.ndarray, labels: np.ndarray, behaviour: np.ndarray, trained: np.ndarray
) -> bool:
    """Return whether a token is scored: one that is not trained on, but whose word is."""
    return bool((~trained & np.isin(words, words[trained])).any())


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng, 24, 7, 2),
        inputs(rng, 60, 12, 4, 5),
        inputs(rng, 40, 9, 3, 2),
        inputs(rng, 80, 15, 5, 6),
        inputs(rng, 50, 11, 3, 4, np.float32),
        inputs(rng, 60, 8, 4, 8, told=0.0),
    ]


def plain(
    x: np.ndarray, words: np.ndarray, labels: np.ndarray, behaviour: np.ndarray, trained: np.ndarray
) -> tuple[float, float, float]:
    control = behaviour[words]
    learns = trained
    known = np.isin(words, words[trained])
    tested = at = ~trained & known
    a = float((probe(x[learns], labels[learns], x[tested]) == labels[tested]).mean())
    c = float((probe(x[learns], control[learns], x[at]) == control[at]).mean())
    return a, c, a - c


SELECTIVITY = (
    *edits(
        plain,
        """
        your random labels depend on the position of a token. They should depend on its word.
            behaviour[words] => np.resize(behaviour, len(words))
        your random labels depend on the true label. They should depend on the word.
            behaviour[words] => behaviour[labels]
        you use the same labels for both tasks. The control task has a random label for each word.
            behaviour[words] => labels
        you score the probe on its training tokens. Score it on held-out tokens.
            ~trained & known => trained
        you score the probe on all tokens, including its training tokens. Score it only on held-out tokens.
            ~trained & known => np.ones_like(trained)
        you also score words that do not occur in training, whose random label cannot be known. Leave them
        out.
            ~trained & known => ~trained
        you leave out words that do not occur in training for the control task only. Use the same tokens for
        both.
            tested = at = ~trained & known => tested, at = ~trained, ~trained & known
        you leave out words that do not occur in training for the real task only. Use the same tokens for
        both.
            tested = at = ~trained & known => tested, at = ~trained & known, ~trained
        you score only words that do not occur in training. Score held-out tokens of the other words.
            ~trained & known => ~known
        you train the control probe on the true labels. Train it on the random labels.
            control[learns] => labels[learns]
        you score the control probe on the true labels. Score it on the random labels that it was trained on.
            control[at] => labels[at]
        you train the probe on all tokens, including those on which it is scored. Train it only where
        `trained` is True.
            learns = trained => learns = np.ones_like(trained)
        you train the probe on the held-out tokens. Train it where `trained` is True.
            learns = trained => learns = ~trained
        your selectivity has the wrong sign. It should be the accuracy minus the control accuracy.
            a - c => c - a
        your selectivity is the ratio of the two accuracies. It should be their difference.
            a - c => a / c if c else np.inf
        your first two results are swapped. Return the accuracy first, then the accuracy on the control task.
            return a, c, => return c, a,
        you take the absolute value of the selectivity. Keep the sign: selectivity may be negative.
            a - c => abs(a - c)
        you return shares of wrong tokens. Return accuracies, the shares of correct tokens.
            == =>> !=
        you return numbers of correct tokens. Return accuracies, the shares of correct tokens.
            mean() =>> sum()
        your accuracies are percentages. Return shares between 0 and 1.
            float( =>> 100 * float(
        you subtract the accuracy from 1. Subtract the control accuracy from the accuracy.
            a - c => 1 - a
        """,
    ),
    *pairs_of_edits(
        plain,
        """
        you also score words that do not occur in training, which should be left out
            ~trained & known => ~trained
        the selectivity has the wrong sign: it should be the accuracy minus the control accuracy
            a - c => c - a
        the random labels depend on the position of a token, not on its word
            behaviour[words] => np.resize(behaviour, len(words))
        you score the probe on its training tokens, not on held-out tokens
            ~trained & known => trained
        you train the control probe on the true labels, not on the random ones
            control[learns] => labels[learns]
        """,
    ),
)


def unseen_words_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's result is independent of words that never occur in training."""
    x, words, labels, behaviour, trained = inputs(rng, 40, 9, 3)
    new = words >= 7
    return tuple(f(x, words, labels, behaviour, trained)) == tuple(
        f(
            np.where(new[:, None], 50 - x, x),
            words,
            np.where(new, (labels + 1) % 3, labels),
            np.where(np.arange(9) >= 7, (behaviour + 1) % 3, behaviour),
            trained,
        )
    )


def the_same_task_has_no_selectivity(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's two accuracies are equal if the labels are those of the control task."""
    x, words, _, behaviour, trained = inputs(rng, 40, 9, 3)
    right, control, selectivity = f(x, words, behaviour[words], behaviour, trained)
    return right == control and selectivity == 0
