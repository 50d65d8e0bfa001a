"""Known mistakes about `control_selectivity`, a probe beside its control task, and its inputs.

Hewitt and Liang (2019, arXiv 1909.03368), section 2. Axes: N tokens, D hidden, V words.
"""

from collections.abc import Callable

import numpy as np

from minibert.analysis.definitions import linear_probe as probe

from ..checks.edits import edits, pairs_of_edits


def inputs(
    rng: np.random.Generator, N: int, V: int, C: int, D: int = 3, dtype: type = np.float64, told: float = 1.0
) -> tuple:
    """(x, words, labels, behaviour, trained); the last two words are never trained on, V - 3 is always.

    A vector holds something of its word and, times `told`, of its label: both tasks can be learned a little.
    With `told` 0 the labels are drawn without regard to anything, and the control task is easier.
    """
    words = rng.permutation(np.concatenate([np.arange(V), np.arange(V), rng.integers(V, size=N - 2 * V)]))
    trained = (rng.random(N) < 0.6) & (words < V - 2)
    for word in range(V - 3):  # each of these is trained on and held out
        first, second = np.flatnonzero(words == word)[:2]
        trained[first], trained[second] = True, False
    trained |= words == V - 3
    labels = (words + rng.integers(2, size=N)) % C if told else rng.integers(C, size=N)
    labels[np.flatnonzero(trained)[:C]] = np.arange(C)
    own = rng.normal(size=(V, D))[words] if told else np.eye(V)[words] * 3
    x = own + told * rng.normal(size=(C, D))[labels] + rng.normal(size=(N, D)) / 2
    return x.astype(dtype), words, labels, rng.permutation(np.arange(V) % C), trained


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
    """Return what `control_selectivity` returns."""
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
        the random labels go by the place of a token. They go by its word: behaviour[words].
            behaviour[words] => np.resize(behaviour, len(words))
        the random labels go by the right label. They go by the word: behaviour[words].
            behaviour[words] => behaviour[labels]
        both tasks have the same labels in your answer. Those of the control task are behaviour[words].
            behaviour[words] => labels
        you score the tokens that the probe was trained on. Held-out ones are asked for.
            ~trained & known => trained
        you score all tokens, also those that the probe was trained on. Held-out ones are asked for.
            ~trained & known => np.ones_like(trained)
        you score words that are never trained on, too. Nobody can know their random label: take held-out
        tokens whose word is trained on.
            ~trained & known => ~trained
        you leave unseen words out for the control task only. Both accuracies are over the same tokens.
            tested = at = ~trained & known => tested, at = ~trained, ~trained & known
        you leave unseen words out for the task only. Both accuracies are over the same tokens.
            tested = at = ~trained & known => tested, at = ~trained & known, ~trained
        you score only words that are never trained on. It is the other way round.
            ~trained & known => ~known
        the control probe is trained on the right labels. It must be trained anew, on the random ones.
            control[learns] => labels[learns]
        the control probe is scored on the right labels. Score it on the random ones that it learned.
            control[at] => labels[at]
        the probe is trained on all tokens, also on those that it is scored on.
            learns = trained => learns = np.ones_like(trained)
        the probe is trained on the held-out tokens. `trained` is True where it learns.
            learns = trained => learns = ~trained
        the selectivity has the wrong sign: accuracy minus control accuracy.
            a - c => c - a
        the selectivity is the difference of the two accuracies, not their ratio.
            a - c => a / c if c else np.inf
        the first two results have changed places: the accuracy, then that on the control task.
            return a, c, => return c, a,
        the selectivity is the size of the difference in your answer. It may be below 0.
            a - c => abs(a - c)
        these are shares of wrong tokens. Accuracy is the share of right ones.
            == =>> !=
        these are numbers of right tokens. Accuracy is their share.
            mean() =>> sum()
        these are percent. Accuracy is a share, 0 to 1.
            float( =>> 100 * float(
        you subtract the accuracy from 1. Subtract the control accuracy from it.
            a - c => 1 - a
        """,
    ),
    *pairs_of_edits(
        plain,
        """
        words that are never trained on are scored, too
            ~trained & known => ~trained
        the selectivity has the wrong sign
            a - c => c - a
        the random labels go by place
            behaviour[words] => np.resize(behaviour, len(words))
        training tokens are scored
            ~trained & known => trained
        the control probe is trained on the right labels
            control[learns] => labels[learns]
        """,
    ),
)


def unseen_words_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """True if the vectors, labels and random labels of words that are never trained on change nothing."""
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
    """True if, where the labels are those of the control task, both accuracies are equal."""
    x, words, _, behaviour, trained = inputs(rng, 40, 9, 3)
    right, control, selectivity = f(x, words, behaviour[words], behaviour, trained)
    return right == control and selectivity == 0
