"""Check the exercises of unit 11, small BERTs: distilling, quantising, pruning and replacing modules.

Hinton et al. (2015, arXiv 1503.02531); Sanh et al. (2019, arXiv 1910.01108); Jiao et al. (2020, arXiv
1909.10351); Zafrir et al. (2019, arXiv 1910.06188); Gordon et al. (2020, arXiv 2002.08307); Xu et al. (2020,
arXiv 2002.02925). Axes: N examples or tokens, C classes, D hidden, F neurons, K layers of a module or neurons
kept, M outputs.
"""

import numpy as np

from minibert.reference import losses

from ..checks.chance import obeys
from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import (
    bug_hunt,
    definitions,
    distillation_mistakes,
    map_mistakes,
    mask_mistakes,
    quantize_mistakes,
    theseus_mistakes,
    versions,
)
from .hints import HINTS

distillation_loss = Exercise(
    "distillation_loss",
    ("student", "teacher", "temperature"),
    distillation_mistakes.cases,
    definitions.loss_and_gradients,
    allowed=distillation_mistakes.allowed,
    examples=(
        (
            (np.array([[0.0, 0.0]]), np.array([[2.0, 0.0]]), 2.0),
            (0.444, np.array([[-0.462, 0.462]]), np.zeros((1, 2))),
        ),
    ),
    hints=HINTS["distillation_loss"],
    mistakes=distillation_mistakes.DISTILLATION,
    implementations=(losses.distillation_loss,),
    invariants=(
        Invariant("no gradient reaches the teacher", distillation_mistakes.teacher_is_left_alone),
        Invariant(
            "if both models have the same logits, the loss and the gradient are 0",
            distillation_mistakes.nothing_to_learn,
        ),
        Invariant(
            "adding a constant to all logits of an example changes nothing", distillation_mistakes.shifted
        ),
        Invariant(
            "at T = 200 and T = 800 the gradient has about the same size",
            distillation_mistakes.as_large_at_every_temperature,
        ),
    ),
)

quantize_int8 = Exercise(
    "quantize_int8",
    ("weights", "axis"),
    quantize_mistakes.cases,
    definitions.quantize_int8,
    allowed=quantize_mistakes.allowed,
    examples=(
        ((np.array([[254.0, -1.2], [0.0, 1.27]]), None), (np.array([[127, -1], [0, 1]]), 2)),
        (
            (np.array([[254.0, -1.2], [0.0, 1.27]]), 0),
            (np.array([[127, -1], [0, 127]]), np.array([[2], [0.01]])),
        ),
    ),
    hints=HINTS["quantize_int8"],
    mistakes=quantize_mistakes.QUANTIZE,
    invariants=(
        Invariant("the numbers are a NumPy array of dtype int8", quantize_mistakes.is_int8, "dtype"),
        Invariant(
            "weights with the opposite sign give the opposite numbers and the same scale",
            quantize_mistakes.symmetric,
        ),
        Invariant("an outlier changes nothing in other channels", quantize_mistakes.outlier_stays_alone),
        Invariant("the numbers times the scale are at most half a step off", quantize_mistakes.near_enough),
    ),
)

dequantize = Exercise(
    "dequantize",
    ("quantized", "scale"),
    quantize_mistakes.restore_cases,
    definitions.dequantize,
    examples=(((np.array([[127, -1]], np.int8), 2.0), np.array([[254, -2]])),),
    hints=HINTS["dequantize"],
    mistakes=quantize_mistakes.DEQUANTIZE,
    invariants=(
        Invariant(
            "quantised weights come back with at most half a step of difference",
            quantize_mistakes.back_and_forth,
        ),
    ),
)

magnitude_mask = Exercise(
    "magnitude_mask",
    ("weights", "share"),
    mask_mistakes.cases,
    definitions.magnitude_mask,
    allowed=mask_mistakes.allowed,
    examples=(
        ((np.array([[0.5, -2.0], [-0.5, 1.0]]), 0.25), np.array([[False, True], [True, True]])),
        ((np.array([[0.5, -2.0], [-0.5, 1.0]]), 0.75), np.array([[False, True], [False, False]])),
    ),
    hints=HINTS["magnitude_mask"],
    mistakes=mask_mistakes.MASK,
    invariants=(
        Invariant("the mask is a NumPy array of dtype bool", mask_mistakes.is_bool, "dtype"),
        Invariant("exactly the share is removed, also if values are equal", mask_mistakes.exactly_as_many),
        Invariant("no weight that is removed is larger than one that is kept", mask_mistakes.smallest_go),
        Invariant(
            "of equal absolute values, those that come first are removed first: use a stable sort",
            mask_mistakes.first_of_equals,
        ),
        Invariant("what is removed at a share is also removed at a larger one", mask_mistakes.more_and_more),
    ),
)

pruned_step = Exercise(
    "pruned_step",
    ("weights", "gradient", "velocity", "mask", "learning_rate", "momentum"),
    mask_mistakes.step_cases,
    definitions.pruned_step,
    allowed=mask_mistakes.step_allowed,
    examples=(
        (
            (np.array([1.0, 0.0]), np.ones(2), np.ones(2), np.array([True, False]), 0.1, 0.5),
            (np.array([0.85, 0]), np.array([1.5, 1.5])),
        ),
    ),
    hints=HINTS["pruned_step"],
    mistakes=mask_mistakes.STEP,
    invariants=(
        Invariant("removed weights are 0 after each of three steps", mask_mistakes.removed_stay_zero),
        Invariant("kept weights and the velocity do not depend on the mask", mask_mistakes.without_a_mask),
    ),
)

replacing_rate = Exercise(
    "replacing_rate",
    ("step", "steps", "start"),
    theseus_mistakes.rate_cases,
    definitions.replacing_rate,
    allowed=theseus_mistakes.rate_allowed,
    examples=(((5, 10, 0.5), 0.75), ((23, 10, 0.5), 1)),
    hints=HINTS["replacing_rate"],
    mistakes=theseus_mistakes.RATE,
    invariants=(
        Invariant("the rate is `start` at step 0, and 1 from step `steps` on", theseus_mistakes.both_ends),
        Invariant("it grows by the same amount in each step", theseus_mistakes.same_gain),
    ),
)

theseus_step = Exercise(
    "theseus_step",
    ("hidden", "old", "new", "rate", "rng"),
    theseus_mistakes.step_cases,
    definitions.theseus_step,
    allowed=theseus_mistakes.step_allowed,
    hints=HINTS["theseus_step"],
    mistakes=theseus_mistakes.THESEUS,
    invariants=(
        Invariant("draws from `rng` only", obeys(theseus_mistakes.FIXED), "deterministic"),
        Invariant("rate 0 runs only old modules, and rate 1 only new ones", theseus_mistakes.extremes),
        Invariant("each module is replaced by itself", theseus_mistakes.each_by_itself),
        Invariant("one number is drawn for each module", theseus_mistakes.one_number_each),
    ),
)

layer_map = Exercise(
    "layer_map",
    ("teacher_layers", "student_layers", "how"),
    map_mistakes.cases,
    definitions.layer_map,
    allowed=map_mistakes.allowed,
    examples=(
        ((12, 5, "bottom"), [0, 1, 2, 3, 4]),
        ((12, 5, "top"), [7, 8, 9, 10, 11]),
        ((12, 5, "every"), [1, 3, 6, 8, 11]),
        ((12, 5, "skip"), [0, 3, 6, 8, 11]),
    ),
    whole=True,
    hints=HINTS["layer_map"],
    mistakes=map_mistakes.MAP,
    invariants=(
        Invariant("the layers are different and in ascending order", map_mistakes.grows),
        Invariant("all numbers are from 0 to T - 1", map_mistakes.inside),
        Invariant("a student as deep as its teacher gets all layers", map_mistakes.whole_teacher),
    ),
)

int8_linear = planted(
    "int8_linear",
    ("hidden", "weights", "bias"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    allowed=bug_hunt.allowed,
    hints=HINTS["int8_linear"],
    mistakes=bug_hunt.LINEAR,
)

test_remove_neurons = student_test(
    "test_remove_neurons", ("remove_neurons",), versions, HINTS["test_remove_neurons"]
)
