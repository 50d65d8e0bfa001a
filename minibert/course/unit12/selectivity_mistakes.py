"""Known mistakes about `control_selectivity`, a probe beside its control task, and its inputs.

Hewitt and Liang (2019, arXiv 1909.03368), section 2. Axes: N tokens, D hidden, V words.
"""

from collections.abc import Callable

import numpy as np

from minibert.analysis.definitions import linear_probe as probe

from ..checks.exercise import Mistake, pairs


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


def seen(words: np.ndarray, trained: np.ndarray) -> np.ndarray:
    return ~trained & np.isin(words, words[trained])


def by_word(behaviour: np.ndarray, words: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return behaviour[words]


def learned(trained: np.ndarray) -> np.ndarray:
    return trained


def share_right(found: np.ndarray, wanted: np.ndarray) -> float:
    return float((found == wanted).mean())


def selected(
    control: Callable = by_word,
    learns: Callable = learned,
    tested: Callable = seen,
    score: Callable = share_right,
    combine: Callable = lambda a, c: (a, c, a - c),
    tested_control: Callable | None = None,
    learned_control: Callable | None = None,
    wanted_control: Callable | None = None,
) -> Callable:
    """Build the function with some pieces replaced.

    control(behaviour, words, labels): (N,); learns(trained), tested(words, trained): (N,) bool;
    learned_control, wanted_control(labels, control): the labels that the control probe is trained and scored
    on.
    """

    def control_selectivity(x, words, labels, behaviour, trained):
        def accuracy(taught, wanted, where):
            on, at = learns(trained), where(words, trained)
            return score(probe(x[on], taught[on], x[at]), wanted[at])

        random = control(behaviour, words, labels)
        taught = learned_control(labels, random) if learned_control else random
        wanted = wanted_control(labels, random) if wanted_control else random
        return combine(accuracy(labels, labels, tested), accuracy(taught, wanted, tested_control or tested))

    return control_selectivity


def held_out(words: np.ndarray, trained: np.ndarray) -> np.ndarray:
    return ~trained


def count(found: np.ndarray, wanted: np.ndarray) -> int:
    return int((found == wanted).sum())


SELECTIVITY = (
    Mistake(
        "the random labels go by the place of a token. They go by its word: behaviour[words].",
        selected(lambda behaviour, words, labels: np.resize(behaviour, len(words))),
    ),
    Mistake(
        "the random labels go by the right label. They go by the word: behaviour[words].",
        selected(lambda behaviour, words, labels: behaviour[labels]),
    ),
    Mistake(
        "both tasks have the same labels in your answer. Those of the control task are behaviour[words].",
        selected(lambda behaviour, words, labels: labels),
    ),
    Mistake(
        "you score the tokens that the probe was trained on. Held-out ones are asked for.",
        selected(tested=lambda words, trained: trained),
    ),
    Mistake(
        "you score all tokens, also those that the probe was trained on. Held-out ones are asked for.",
        selected(tested=lambda words, trained: np.ones_like(trained)),
    ),
    Mistake(
        "you score words that are never trained on, too. Nobody can know their random label: take "
        "held-out tokens whose word is trained on.",
        selected(tested=held_out),
    ),
    Mistake(
        "you leave unseen words out for the control task only. Both accuracies are over the same tokens.",
        selected(tested=held_out, tested_control=seen),
    ),
    Mistake(
        "you leave unseen words out for the task only. Both accuracies are over the same tokens.",
        selected(tested_control=held_out),
    ),
    Mistake(
        "you score only words that are never trained on. It is the other way round.",
        selected(tested=lambda words, trained: ~np.isin(words, words[trained])),
    ),
    Mistake(
        "the control probe is trained on the right labels. It must be trained anew, on the random ones.",
        selected(learned_control=lambda labels, control: labels),
    ),
    Mistake(
        "the control probe is scored on the right labels. Score it on the random ones that it learned.",
        selected(wanted_control=lambda labels, control: labels),
    ),
    Mistake(
        "the probe is trained on all tokens, also on those that it is scored on.",
        selected(learns=lambda trained: np.ones_like(trained)),
    ),
    Mistake(
        "the probe is trained on the held-out tokens. `trained` is True where it learns.",
        selected(learns=lambda trained: ~trained),
    ),
    Mistake(
        "the selectivity has the wrong sign: accuracy minus control accuracy.",
        selected(combine=lambda a, c: (a, c, c - a)),
    ),
    Mistake(
        "the selectivity is the difference of the two accuracies, not their ratio.",
        selected(combine=lambda a, c: (a, c, a / c if c else np.inf)),
    ),
    Mistake(
        "the first two results have changed places: the accuracy, then that on the control task.",
        selected(combine=lambda a, c: (c, a, a - c)),
    ),
    Mistake(
        "the selectivity is the size of the difference in your answer. It may be below 0.",
        selected(combine=lambda a, c: (a, c, abs(a - c)) if c <= a else (a, c, c - a)),
    ),
    Mistake(
        "these are shares of wrong tokens. Accuracy is the share of right ones.",
        selected(score=lambda found, wanted: float((found != wanted).mean())),
    ),
    Mistake("these are numbers of right tokens. Accuracy is their share.", selected(score=count)),
    Mistake(
        "these are percent. Accuracy is a share, 0 to 1.",
        selected(score=lambda found, wanted: 100 * float((found == wanted).mean())),
    ),
    Mistake(
        "you subtract the accuracy from 1. Subtract the control accuracy from it.",
        selected(combine=lambda a, c: (a, c, 1 - a)),
    ),
    *pairs(
        selected,
        (dict(tested=held_out), "words that are never trained on are scored, too"),
        (dict(combine=lambda a, c: (a, c, c - a)), "the selectivity has the wrong sign"),
        (
            dict(control=lambda behaviour, words, labels: np.resize(behaviour, len(words))),
            "the random labels go by place",
        ),
        (dict(tested=lambda words, trained: trained), "training tokens are scored"),
        (
            dict(learned_control=lambda labels, control: labels),
            "the control probe is trained on the right labels",
        ),
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
