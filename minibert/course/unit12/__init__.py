"""Check the exercises of unit 12: measures that papers apply to hidden states and attention heads.

Ethayarajh (2019, arXiv 1909.00512); Brunner et al. (2020, arXiv 1908.04211); Michel et al. (2019, arXiv
1905.10650); Wiedemann et al. (2019, arXiv 1909.10430); Hewitt and Liang (2019, arXiv 1909.03368); Hewitt and
Manning (2019, NAACL). Axes: N occurrences, L layers, B sequences, H heads, T tokens, S tokens that are
attended to, K head size, D hidden; the sizes differ in every input.
"""

import numpy as np

from minibert import reference
from minibert.analysis import definitions

from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import (
    attribution_mistakes,
    bug_hunt,
    effective_mistakes,
    importance_mistakes,
    selectivity_mistakes,
    sense_mistakes,
    similarity_mistakes,
    versions,
)
from .hints import HINTS

TIES = ("equal", "ties", "whole")  # regimes in which rounding decides which of several values is the largest

self_similarity = Exercise(
    "self_similarity",
    ("vectors", "words"),
    similarity_mistakes.cases,
    similarity_mistakes.plain,
    allowed=similarity_mistakes.allowed,
    examples=(((np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.array([7, 7, 3])), {7: 0.667}),),
    hints=HINTS["self_similarity"],
    mistakes=similarity_mistakes.SIMILARITY,
    implementations=(definitions.self_similarity, definitions.cosines),
    left_out=("tiny",),
    invariants=(  # PyTorch's cosine_similarity uses 1e-8 as the smallest norm
        Invariant(
            "the lengths of the vectors do not change the result", similarity_mistakes.length_does_not_matter
        ),
        Invariant(
            "the order of the occurrences does not change the result",
            similarity_mistakes.order_does_not_matter,
        ),
        Invariant(
            "if all occurrences are of one word, its self-similarity equals the baseline",
            similarity_mistakes.one_word_is_its_own_baseline,
        ),
    ),
)

effective_attention = Exercise(
    "effective_attention",
    ("probs", "values"),
    effective_mistakes.cases,
    effective_mistakes.plain,
    allowed=effective_mistakes.allowed,
    examples=(
        ((np.array([[[0.2, 0.6, 0.2]]]), np.array([[[1.0], [1.0], [0.0]]])), np.array([[[0.4, 0.4, 0]]])),
    ),
    hints=HINTS["effective_attention"],
    mistakes=effective_mistakes.EFFECTIVE,
    implementations=(definitions.effective_attention,),
    left_out=("whole",),
    invariants=(  # all small values would become 0, which the notebook rules out
        Invariant(
            "the output of each head, effective attention times values, stays the same",
            effective_mistakes.output_stays,
        ),
        Invariant(
            "the effective attention of effective attention is the same",
            effective_mistakes.again_changes_nothing,
        ),
        Invariant(
            "a part in the null space does not change the result",
            effective_mistakes.null_space_does_not_matter,
        ),
        Invariant(
            "if the columns of a head's values span all dimensions, nothing is removed",
            effective_mistakes.short_texts_keep_their_weights,
        ),
    ),
)

head_importance = Exercise(
    "head_importance",
    ("contexts", "gradients"),
    importance_mistakes.cases,
    importance_mistakes.plain,
    examples=(
        (
            (np.ones((1, 2, 2, 1, 1)), np.array([3.0, 4.0, -3.0, 4.0]).reshape(1, 2, 2, 1, 1)),
            np.array([[0.6, 0.8]]),
        ),
    ),
    hints=HINTS["head_importance"],
    mistakes=importance_mistakes.IMPORTANCE,
    implementations=(definitions.head_importance,),
    left_out=("tiny",),
    invariants=(  # adding 1e-12 to the norm is fine
        Invariant(
            "the sign of a sequence's gradient does not change the result",
            importance_mistakes.signs_cancel_within_a_sequence_only,
        ),
        Invariant(
            "the scores of each layer have norm 1, however small its gradients are",
            importance_mistakes.each_layer_has_norm_one,
        ),
        Invariant(
            "a head whose gradient is 0 has importance 0, and the other heads do not",
            importance_mistakes.a_head_without_gradient,
        ),
    ),
)

nearest_sense = Exercise(
    "nearest_sense",
    ("layers", "words", "senses"),
    sense_mistakes.cases,
    sense_mistakes.plain,
    allowed=sense_mistakes.allowed,
    examples=(
        (
            (
                np.array([[[1.0, 0.0], [0.0, 1.0], [3.0, 1.0], [1.0, 1.0]]] * 4),
                np.array([5, 5, 5, 6]),
                np.array([0, 1, 0, 2]),
            ),
            np.array([0, 0, 0, -1]),
        ),
    ),
    whole=True,
    hints=HINTS["nearest_sense"],
    mistakes=sense_mistakes.SENSES,
    implementations=(definitions.nearest_sense, definitions.cosines),
    left_out=("tiny", "small", *TIES),
    invariants=(
        Invariant(
            "the sense of an occurrence does not change the answer for it",
            sense_mistakes.own_sense_is_not_read,
        ),
        Invariant(
            "two occurrences with equal vectors find each other", sense_mistakes.copies_find_each_other
        ),
        Invariant(
            "occurrences of other words do not change the answer", sense_mistakes.other_words_are_not_read
        ),
    ),
)

token_attribution = Exercise(
    "token_attribution",
    ("jacobian",),
    attribution_mistakes.cases,
    attribution_mistakes.plain,
    examples=(
        (
            (np.array([3.0, 1.0, 1.0, 1.0]).reshape(2, 1, 2, 1),),
            (np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0.625, 0.375])),
        ),
    ),
    hints=HINTS["token_attribution"],
    mistakes=attribution_mistakes.ATTRIBUTION,
    implementations=(definitions.token_attribution,),
    left_out=("tiny",),
    invariants=(
        Invariant("each row of shares sums to 1", attribution_mistakes.rows_sum_to_one),
        Invariant(
            "the signs of the derivatives do not change the result", attribution_mistakes.signs_do_not_matter
        ),
        Invariant(
            "an output that is a multiple of another has the same shares",
            attribution_mistakes.a_scaled_output_keeps_its_shares,
        ),
    ),
)

control_selectivity = Exercise(
    "control_selectivity",
    ("x", "words", "labels", "behaviour", "trained"),
    selectivity_mistakes.cases,
    selectivity_mistakes.plain,
    allowed=selectivity_mistakes.allowed,
    examples=(
        (
            (
                np.array([[-2.0], [2.0], [-2.0], [2.0]]),
                np.array([0, 1, 0, 1]),
                np.array([5, 6, 5, 6]),
                np.array([6, 6]),
                np.array([True, True, False, False]),
            ),
            (1, 1, 0),
        ),
    ),
    hints=HINTS["control_selectivity"],
    mistakes=selectivity_mistakes.SELECTIVITY,
    implementations=(definitions.control_selectivity, definitions.linear_probe),
    left_out=("tiny", "small", "huge", *TIES),
    invariants=(
        Invariant(
            "words that are never trained on do not change the result",
            selectivity_mistakes.unseen_words_do_not_matter,
        ),
        Invariant(
            "if the task is the control task, the selectivity is 0",
            selectivity_mistakes.the_same_task_has_no_selectivity,
        ),
    ),
)

probe_layers = planted(
    "probe_layers",
    ("layers", "tags", "sentence"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    implementations=(definitions.linear_probe,),
    hints=HINTS["probe_layers"],
    mistakes=bug_hunt.PROBED,
    left_out=("tiny", "small", "huge", *TIES),
)

test_tree_distances = student_test(
    "test_tree_distances", ("tree_distances",), versions, HINTS["test_tree_distances"]
)
