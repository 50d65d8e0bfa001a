"""The bug hunt `f1_of_batches`: the F1 score over multiple batches, with three planted bugs.

Wang et al. (2019, arXiv 1804.07461), section 3.2, use F1 for MRPC and QQP. Unlike Matthews' correlation, it
considers only label 1. Axes: B examples of a batch, which may differ between batches.
"""

from collections.abc import Callable, Sequence

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.compare import close
from ..checks.exercise import Invariant

SURE = 4.0  # the minimum difference between the larger and the smaller logit


def version(left: frozenset[int]) -> Callable:
    """Return `f1_of_batches` with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: the score is averaged over batches. Bug 2: unlabelled examples are counted. Bug 3: correct zeros
    are counted as true positives.
    """

    def f1_of_batches(batches):
        counts = []
        for logits, labels in batches:
            answers = np.argmax(logits, axis=-1)  # (B,)
            counted = np.full(len(labels), 2 in left) | (labels != IGNORE)
            right = (answers == labels) & ((labels == 1) | (3 in left))
            counts.append((right.sum(), (counted & (answers == 1)).sum() + (labels == 1).sum()))
        parts = counts if 1 in left else [np.sum(counts, axis=0)]
        return float(np.mean([2 * right / both if both else 0.0 for right, both in parts]))

    return f1_of_batches


def batch(
    rng: np.random.Generator,
    answers: Sequence[int] | np.ndarray,
    labels: Sequence[int] | np.ndarray,
    dtype: type = np.float64,
) -> tuple[np.ndarray, np.ndarray]:
    """Return random logits (B, 2) that are largest for the predictions in `answers`, and the labels (B,)."""
    logits = rng.normal(size=(len(answers), 2))  # (B, 2)
    logits[np.arange(len(answers)), answers] = logits.max(axis=1) + SURE
    return logits.astype(dtype), np.array(labels)


def drawn(
    rng: np.random.Generator, size: int, fill: int = 0, dtype: type = np.float64
) -> tuple[np.ndarray, np.ndarray]:
    """Return logits and labels for `size` labelled examples, most predicted correctly, and `fill` others.

    Each label has correct and wrong predictions. The label of the other examples is IGNORE.
    """
    labels = np.concatenate([[0, 0, 1, 1], rng.integers(2, size=size - 4)])
    wrong = np.concatenate([[0, 1, 0, 1], rng.random(size - 4) < 0.2]).astype(int)
    answers = np.concatenate(
        [labels ^ wrong, [1] * (fill > 0), rng.integers(2, size=max(0, fill - 1))]
    ).astype(int)
    return batch(rng, answers, np.concatenate([labels, np.full(fill, IGNORE)]), dtype)


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return lists of batches, some with unlabelled examples, some without predictions or labels of 1."""
    perfect, poor = batch(rng, [1, 1, 1, 0, 0], [1, 1, 1, 0, 0]), batch(rng, [0, 0, 1], [1, 1, 0])
    found_none = [batch(rng, [0, 0, 0, 0], [1, 0, 1, 0]), batch(rng, [0, 0], [0, 1])]
    coarse = [drawn(rng, 6, dtype=np.float32), drawn(rng, 10, fill=2, dtype=np.float32)]
    fillers_first = batch(rng, [1, 1, 0, 1, 1, 0, 0], [IGNORE, 1, 1, IGNORE, IGNORE, 0, 1])
    only_wrong = batch(rng, [1, 0, 1], [0, 0, 0])
    low, high = (drawn(rng, 8, fill=2), drawn(rng, 6))
    shifted = [(low[0] - 40, low[1]), (high[0] + 40, high[1])]  # both logits of an example have the same sign
    found = [batch(rng, [1, 1, 0], [1, 0, 1]), batch(rng, [1, 1, 1, 1], [1, 1, 1, 0])]  # no 0 is right
    filled = joined(found[0], batch(rng, [1, 0, 1], [IGNORE] * 3))
    whole = [(logits.round(), labels) for logits, labels in shifted]
    return [
        ([drawn(rng, 9), drawn(rng, 8), drawn(rng, 5, fill=4)],),
        ([drawn(rng, 12, fill=3)],),
        ([perfect, poor, drawn(rng, 7)],),
        (found_none,),
        ([batch(rng, [0, 0, 0], [0, 0, 0])],),
        ([fillers_first, perfect],),
        ([perfect, only_wrong, poor],),
        (shifted,),
        (whole,),
        ([drawn(rng, 45), batch(rng, [1, 0, 1], [0, 0, 0])],),
        ([fillers_first] * 2 + [poor],),
        ([perfect, batch(rng, [1, 0], [IGNORE, IGNORE]), poor],),
        ([batch(rng, [1], [1])],),
        (coarse,),
        (2 * found_none,),
        (2 * found_none[:1],),
        ([drawn(rng, 9)] * 2,),
        (found,),
        ([filled],),
        ([filled, found[1]],),
    ]


def joined(*batches: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, ...]:
    return tuple(np.concatenate(parts) for parts in zip(*batches))


def cuts_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether merging a large correct batch and a small wrong one leaves f's score unchanged."""
    found, missed = batch(rng, [1] * 6, [1] * 6), batch(rng, [0, 0], [1, 1])
    return close(f([found, missed]), f([joined(found, missed)]))


def fillers_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    rows, fillers = batch(rng, [1, 1, 0], [1, 0, 1]), batch(rng, [1, 1, 0, 1], [IGNORE] * 4)
    score, places = f([rows]), rng.permutation(7)
    mixed = [part[places] for part in joined(rows, fillers)]
    return all(close(f([filled]), score) for filled in (joined(rows, fillers), joined(fillers, rows), mixed))


def zeros_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    rows, zeros = batch(rng, [1, 1, 0], [1, 0, 1]), batch(rng, [0] * 5, [0] * 5)
    return close(f([rows]), f([joined(rows, zeros)]))


def errors_are_alike(f: Callable, rng: np.random.Generator) -> bool:
    return close(f([batch(rng, [1, 1, 0], [1, 1, 1])]), f([batch(rng, [1, 1, 1], [1, 1, 0])]))


def wrong_batches_count(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether adding a batch of wrong predictions lowers f's score."""
    found = batch(rng, [1, 1], [1, 1])
    return all(
        f(batches) < f([found])
        for wrong in (batch(rng, [0, 0], [1, 1]), batch(rng, [1, 1], [0, 0]))
        for batches in ([found, wrong], [wrong, found])
    )


def one_of_four(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f scores a batch of 1s correctly if a single 1 is predicted, whatever its position."""
    return all(close(f([batch(rng, np.eye(4, dtype=int)[place], [1, 1, 1, 1])]), 0.4) for place in range(4))


def larger_decides(f: Callable, rng: np.random.Generator) -> bool:
    logits, labels = batch(rng, [1, 1, 0], [1, 0, 1])
    return all(close(f([(logits + by, labels)]), f([(logits, labels)])) for by in (-50.0, 50.0))


BROKEN = (
    Invariant(
        "the same examples have the same score, however they are divided into batches", cuts_do_not_matter
    ),
    Invariant("examples without a label, which only fill up a batch, change nothing", fillers_do_not_matter),
    Invariant("more examples of label 0 that are answered with 0 change nothing", zeros_do_not_matter),
)
KEPT = (
    Invariant("a 1 that is missed costs as much as a 1 that is wrongly predicted", errors_are_alike),
    Invariant(
        "if no 1 is found, the score is 0, even if no label is 1",
        lambda f, rng: all(close(f([batch(rng, [0, 0], labels)]), 0.0) for labels in ([1, 1], [0, 0])),
    ),
    Invariant("if one of four ones is found and there are no false positives, the score is 0.4", one_of_four),
    Invariant("an additional batch in which every answer is wrong lowers the score", wrong_batches_count),
    Invariant("the larger logit of an example decides, however large or small both are", larger_decides),
)
