"""Unit 04, objectives: the exercises, with their inputs and invariants.

Devlin et al. (2019, arXiv 1810.04805), section 3.1 and appendix A.2; Lan et al. (2020, arXiv 1909.11942),
section 3.1. Losses have one right value; examples of sentence pairs are drawn, so invariants decide. Axes: B
batch, T tokens, V vocabulary.
"""
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minibert import reference
from minibert.batch import IGNORE
from minibert.reference import losses, packing

from ..engine.exercise import Exercise, Invariant, Mistake
from ..engine.planted_bugs import planted
from ..engine.student_tests import student_test
from . import bug_hunt, loss_mistakes, versions
from .hints import HINTS
from .loss_mistakes import right_mlm_loss, right_nsp_loss
from .nsp_invariants import NSP_CRASHES, NSP_INVARIANTS
from .pair_invariants import counted, documents
from .sop_invariants import SOP_CRASHES, SOP_INVARIANTS


def rows(rng: np.random.Generator, *shape: int, dtype: type = np.float64) -> np.ndarray:
    """An array of normal numbers with standard deviation 2."""
    return 2 * rng.normal(size=shape).astype(dtype)


def some_labels(rng: np.random.Generator, V: int, *counts: int, length: int) -> np.ndarray:
    """Labels (B, T): `counts` ids of each sequence from 0 to V - 1, id 0 among them; IGNORE elsewhere."""
    labels = np.full((len(counts), length), IGNORE)                             # (B, T)
    for row, count in zip(labels, counts):
        row[rng.permutation(length)[:count]] = rng.integers(V, size=count)
    labels[tuple(np.argwhere(labels != IGNORE)[0])] = 0
    return labels


def loud(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Logits whose exp overflows; multiples of 1/8, which float32 holds exactly."""
    return 1e3 + np.round(8 * rows(rng, *shape)) / 8


def far_off(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Loud logits in which the probability of the first class rounds to 0."""
    logits = loud(rng, *shape)
    logits[..., 0] = -1e3
    return logits


def mlm_cases(rng: np.random.Generator) -> list[tuple]:
    return [(rows(rng, 2, 5, 7), some_labels(rng, 7, 1, 4, length=5)),
            (rows(rng, 3, 6, 11, dtype=np.float32), some_labels(rng, 11, 2, 0, 5, length=6).astype(np.int32)),
            (rows(rng, 1, 8, 5), some_labels(rng, 5, 3, length=8)),
            (rows(rng, 4, 1, 3), np.array([[0], [IGNORE], [2], [1]])),
            (loud(rng, 2, 3, 6), some_labels(rng, 6, 2, 1, length=3)),
            (far_off(rng, 2, 4, 9), some_labels(rng, 9, 1, 3, length=4))]


def ignored_logits_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    logits, labels = rows(rng, 2, 5, 7), some_labels(rng, 7, 1, 4, length=5)
    other = np.where((labels == IGNORE)[..., None], 5 * logits[::-1, ::-1], logits)
    return np.isclose(f(logits, labels), f(other, labels))


def a_constant_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    logits, labels = rows(rng, 2, 3, 5), some_labels(rng, 5, 2, 1, length=3)
    return np.isclose(f(logits, labels), f(logits + rows(rng, 2, 3, 1), labels))


def knows_nothing(f: Callable, rng: np.random.Generator) -> bool:
    """True if equal logits everywhere have the loss ln V."""
    return np.isclose(f(np.full((2, 4, 50), 3.0), some_labels(rng, 50, 1, 2, length=4)), math.log(50))


OURS = (losses.cross_entropy, reference.mlm_loss, reference.nsp_loss)

mlm_loss = Exercise(
    "mlm_loss", ("logits", "labels"), mlm_cases, right_mlm_loss, hints=HINTS["mlm_loss"],
    mistakes=loss_mistakes.MLM, implementations=OURS, invariants=(
        Invariant("a model that knows nothing has the loss ln V", knows_nothing),
        Invariant("logits where the label is -100 change nothing", ignored_logits_do_not_matter),
        Invariant("adding one number to all logits of a position changes nothing",
                  a_constant_does_not_matter)))

test_mlm_loss = student_test("test_mlm_loss", ("mlm_loss",), versions, HINTS["test_mlm_loss"])


def nsp_cases(rng: np.random.Generator) -> list[tuple]:
    labels = np.array([0, 1, 1, 0, 1])
    return [(rows(rng, 5, 2), labels), (rows(rng, 1, 2), np.array([1])),
            (rows(rng, 3, 2), np.array([0, 0, 0])),
            (rows(rng, 7, 2, dtype=np.float32), rng.integers(2, size=7).astype(np.int32)),
            (loud(rng, 5, 2), labels), (far_off(rng, 5, 2), labels)]


nsp_loss = Exercise(
    "nsp_loss", ("logits", "labels"), nsp_cases, right_nsp_loss, hints=HINTS["nsp_loss"],
    mistakes=loss_mistakes.NSP, implementations=OURS, builds_on=(mlm_loss,), invariants=(
        Invariant("a model that knows nothing has the loss ln 2",
                  lambda f, rng: np.isclose(f(np.full((3, 2), 1.5), np.array([0, 1, 1])), math.log(2))),
        Invariant("a model that is sure and right has the loss 0",
                  lambda f, rng: np.isclose(f(np.array([[50.0, 0], [0, 50]]), np.array([0, 1])), 0))))

head_weights = bug_hunt.head_weights     # for the notebook
pretraining_loss = planted(
    "pretraining_loss", ("hidden", "places", "labels", "row_labels", "weights"), bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN, bug_hunt.KEPT, implementations=OURS, hints=HINTS["pretraining_loss"],
    builds_on=(mlm_loss, nsp_loss))


def pair_cases(rng: np.random.Generator) -> list[tuple]:
    return [(documents(sizes), counted(rng)) for sizes in ((4, 3, 5), (1, 1), (2, 1, 1, 6))]


nsp_examples = Exercise(
    "nsp_examples", ("docs", "rng"), pair_cases, hints=HINTS["nsp_examples"], mistakes=NSP_CRASHES,
    invariants=NSP_INVARIANTS,
    implementations=(packing.pair_examples, packing.nsp_examples, packing.foreign_text))
sop_examples = Exercise(
    "sop_examples", ("docs", "rng"), pair_cases, hints=HINTS["sop_examples"], mistakes=SOP_CRASHES,
    invariants=SOP_INVARIANTS, implementations=(packing.pair_examples, packing.sop_examples))

# V, share of positions chosen, p of [PAD] everywhere
COLLEAGUE_SIZE, COLLEAGUE_RATE, COLLEAGUE_SURE = 30_522, 0.15, 0.99


def colleague(pad: float, other: float, hers: Callable | None = None,
              right: Callable | None = None) -> tuple[float, float]:
    """(what the colleague's function prints, what mlm_loss returns).

    pad, other: -log p of [PAD] and of another token; hers, right: other formulas for the two.
    """
    printed = hers(pad, other) if hers else (1 - COLLEAGUE_RATE) * pad + COLLEAGUE_RATE * other
    return printed, right(pad, other) if right else other


def surprise(sure: float = COLLEAGUE_SURE, others: float = COLLEAGUE_SIZE - 1,
             log: Callable = math.log) -> tuple[float, float]:
    """-log p of [PAD], and of each other token."""
    return -log(sure), -log((1 - sure) / others)


def right_colleague_losses() -> tuple[float, float]:
    return colleague(*surprise())


def known(hint: str, **formulas: Any) -> Mistake:
    """Build a Mistake of `colleague_losses` from other formulas; see `colleague`."""
    return Mistake(hint, lambda: colleague(*surprise(), **formulas))


colleague_losses = Exercise(
    "colleague_losses", (),
    lambda rng: [()], right_colleague_losses, hints=HINTS["colleague_losses"], mistakes=(
        Mistake("these two are exchanged: first what her function prints, then what the right one says.",
                lambda: right_colleague_losses()[::-1]),
        known("the second number is right. Hers also counts the 85% of the positions that were not chosen, "
              "where she asks for [PAD].", hers=lambda pad, other: other),
        known("the second number is right. Hers is a mean over all positions: 15% of them have a real label, "
              "85% the label [PAD], each with its own -log p.",
              hers=lambda pad, other: COLLEAGUE_RATE * other),
        known("the second number is right, but in hers 15% and 85% are exchanged.",
              hers=lambda pad, other: COLLEAGUE_RATE * pad + (1 - COLLEAGUE_RATE) * other),
        known("the second number is right. Hers is not the mean of the two: 85% of the positions ask for "
              "[PAD], 15% for another token.", hers=lambda pad, other: (pad + other) / 2),
        known("the second number is right. In hers all positions count, not only those with the label "
              "[PAD].", hers=lambda pad, other: pad),
        known("the first number is right. The right loss asks only for the chosen tokens, none of which is "
              "[PAD].", right=lambda pad, other: (1 - COLLEAGUE_RATE) * pad + COLLEAGUE_RATE * other),
        known("the first number is right. The second is not ln V: this model knows something, and it is "
              "wrong.", right=lambda pad, other: math.log(COLLEAGUE_SIZE)),
        known("the first number is right. The right loss does not divide by the positions that were not "
              "chosen.", right=lambda pad, other: COLLEAGUE_RATE * other),
        Mistake("the 30,521 other tokens share the 0.01 that is left: each has 0.01 / 30,521, not 0.01.",
                lambda: colleague(*surprise(others=1))),
        Mistake("these are logarithms to base 2. Take the natural one.",
                lambda: colleague(*surprise(log=math.log2))),
        Mistake("these are logarithms to base 10. Take the natural one.",
                lambda: colleague(*surprise(log=math.log10))),
        Mistake("these are the right numbers, rounded. Give all their digits.",
                lambda: tuple(round(x, 2) for x in right_colleague_losses())),
        Mistake("the sign is wrong: the losses are means of -log p.",
                lambda: tuple(-x for x in right_colleague_losses()))))
