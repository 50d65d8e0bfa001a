"""Check the exercises of unit 04, pretraining objectives.

Devlin et al. (2019, arXiv 1810.04805), section 3.1 and appendix A.2; Lan et al. (2020, arXiv 1909.11942),
section 3.1; Wang et al. (2020, arXiv 1908.04577), section 2.2. A loss has one correct value, but sentence
pairs are random, so their properties are checked. Axes: B batch, T tokens, V vocabulary.
"""

import math
from collections.abc import Callable

import numpy as np

from minibert import reference
from minibert.data import packing
from minibert.data.batch import IGNORE
from minibert.reference import losses

from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import bug_hunt, loss_mistakes, versions
from .colleague import colleague_losses
from .hints import HINTS
from .loss_cases import mlm_cases, normal, nsp_cases, some_labels
from .loss_mistakes import right_mlm_loss, right_nsp_loss
from .mend_mistakes import PRETRAINING_LOSS
from .nsp_invariants import NSP_CRASHES, NSP_INVARIANTS
from .pair_invariants import counted, documents
from .sop_invariants import SOP_CRASHES, SOP_INVARIANTS
from .stability_mistakes import CUT_OFF, STABILITY
from .structbert_invariants import STRUCTBERT_CRASHES, STRUCTBERT_INVARIANTS

__all__ = [
    "colleague_losses",
    "head_weights",
    "mlm_loss",
    "nsp_examples",
    "nsp_loss",
    "pretraining_loss",
    "sop_examples",
    "structbert_examples",
    "test_mlm_loss",
]


def ignored_logits_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    logits, labels = normal(rng, 2, 5, 7), some_labels(rng, 7, 1, 4, length=5)
    other = np.where((labels == IGNORE)[..., None], 5 * logits[::-1, ::-1], logits)
    return np.isclose(f(logits, labels), f(other, labels))


def a_constant_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    logits, labels = normal(rng, 2, 3, 5), some_labels(rng, 5, 2, 1, length=3)
    return np.isclose(f(logits, labels), f(logits + normal(rng, 2, 3, 1), labels))


def knows_nothing(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the loss f is ln V if all logits are equal."""
    return np.isclose(f(np.full((2, 4, 50), 3.0), some_labels(rng, 50, 1, 2, length=4)), math.log(50))


def every_label_weighs_the_same(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's loss for a batch is the mean of its losses for the labelled positions."""
    logits, labels = normal(rng, 2, 3, 4), np.array([[3, IGNORE, 0], [2, 1, 3]])
    alone = [
        f(logits[b : b + 1, t : t + 1], labels[b : b + 1, t : t + 1])
        for b, t in np.argwhere(labels != IGNORE)
    ]
    return np.isclose(f(logits, labels), np.mean([float(loss) for loss in alone]))


def every_label_matters(f: Callable, rng: np.random.Generator) -> bool:
    logits, labels = normal(rng, 2, 3, 4), np.array([[3, IGNORE, 0], [2, 1, 3]])
    surer = [logits.copy() for _ in range(5)]
    for (b, t), more in zip(np.argwhere(labels != IGNORE), surer, strict=True):
        more[b, t, labels[b, t]] += 1
    return all(float(f(more, labels)) < float(f(logits, labels)) for more in surer)


def every_row_weighs_the_same(f: Callable, rng: np.random.Generator) -> bool:
    logits, labels = normal(rng, 5, 2), np.array([0, 1, 1, 0, 1])
    alone = [float(f(logits[b : b + 1], labels[b : b + 1])) for b in range(5)]
    return np.isclose(f(logits, labels), np.mean(alone))


def by_hand(f: Callable, rng: np.random.Generator) -> bool:
    logits = np.log([[[1.0, 2.0, 5.0]]])
    return np.allclose(
        [float(f(logits, np.array([[label]]))) for label in range(3)], np.log([8 / 1, 8 / 2, 8 / 5])
    )


OURS = (losses.cross_entropy, reference.mlm_loss, reference.nsp_loss)

mlm_loss = Exercise(
    "mlm_loss",
    ("logits", "labels"),
    mlm_cases,
    right_mlm_loss,
    hints=HINTS["mlm_loss"],
    left_out=("columns first",),
    mistakes=(*STABILITY, *CUT_OFF, *loss_mistakes.MLM),
    implementations=OURS,
    invariants=(
        Invariant("a model that knows nothing has the loss ln V", knows_nothing),
        Invariant("logits at positions with the label -100 do not matter", ignored_logits_do_not_matter),
        Invariant(
            "adding the same number to all logits of a position changes nothing", a_constant_does_not_matter
        ),
        Invariant(
            "a larger logit for the label gives a smaller loss, at every position and for every id",
            every_label_matters,
        ),
        Invariant(
            "the loss is the mean over all positions with a label, with equal weights",
            every_label_weighs_the_same,
        ),
        Invariant(
            "the logits log 1, log 2 and log 5 have the losses log 8, log 4 and log 8/5 for the labels 0, "
            "1 and 2",
            by_hand,
        ),
    ),
)

test_mlm_loss = student_test("test_mlm_loss", ("mlm_loss",), versions, HINTS["test_mlm_loss"])
nsp_loss = Exercise(
    "nsp_loss",
    ("logits", "labels"),
    nsp_cases,
    right_nsp_loss,
    hints=HINTS["nsp_loss"],
    mistakes=(*STABILITY, *loss_mistakes.NSP),
    implementations=OURS,
    builds_on=(mlm_loss,),
    invariants=(
        Invariant(
            "a model that knows nothing has the loss ln 2",
            lambda f, rng: np.isclose(f(np.full((3, 2), 1.5), np.array([0, 1, 1])), math.log(2)),
        ),
        Invariant(
            "a model that is sure and right has the loss 0",
            lambda f, rng: np.isclose(f(np.array([[50.0, 0], [0, 50]]), np.array([0, 1])), 0),
        ),
        Invariant("the loss is the mean over the examples, with equal weights", every_row_weighs_the_same),
        Invariant(
            "the logits log 1 and log 3 have the losses log 4 and log 4/3 for the labels 0 and 1",
            lambda f, rng: np.allclose(
                [float(f(np.log([[1.0, 3.0]]), np.array([label]))) for label in (0, 1)], np.log([4, 4 / 3])
            ),
        ),
    ),
)

head_weights = bug_hunt.head_weights  # for the notebook
pretraining_loss = planted(
    "pretraining_loss",
    ("hidden", "places", "labels", "row_labels", "weights"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    implementations=OURS,
    hints=HINTS["pretraining_loss"],
    mistakes=PRETRAINING_LOSS,
    builds_on=(mlm_loss, nsp_loss),
)


def pair_cases(rng: np.random.Generator) -> list[tuple]:
    return [(documents(sizes), counted(rng)) for sizes in ((4, 3, 5), (1, 1), (2, 1, 1, 6))]


nsp_examples = Exercise(
    "nsp_examples",
    ("docs", "rng"),
    pair_cases,
    hints=HINTS["nsp_examples"],
    mistakes=NSP_CRASHES,
    invariants=NSP_INVARIANTS,
    implementations=(packing.pair_examples, packing.nsp_examples, packing.text_from_other_document),
)
sop_examples = Exercise(
    "sop_examples",
    ("docs", "rng"),
    pair_cases,
    hints=HINTS["sop_examples"],
    mistakes=SOP_CRASHES,
    invariants=SOP_INVARIANTS,
    implementations=(packing.pair_examples, packing.sop_examples),
)
structbert_examples = Exercise(
    "structbert_examples",
    ("docs", "rng"),
    pair_cases,
    hints=HINTS["structbert_examples"],
    mistakes=STRUCTBERT_CRASHES,
    invariants=STRUCTBERT_INVARIANTS,
    implementations=(
        packing.pair_examples,
        packing.structural_examples,
        packing.structbert_examples,
        packing.text_from_other_document,
    ),
)
