"""Check the exercises of unit 10, variants of BERT: ALBERT, ELECTRA, XLNet, stacking, SpanBERT and BART.

Lan et al. (2020, arXiv 1909.11942); Clark et al. (2020, arXiv 2003.10555); Yang et al. (2019, arXiv
1906.08237); Gong et al. (2019, ICML); Joshi et al. (2020, arXiv 1907.10529); Lewis et al. (2020, arXiv
1910.13461). Axes: B batch, T tokens, V vocabulary, E embeddings, D hidden, F feed-forward, L layers; no two
axes of an input have the same size.
"""

import numpy as np

from minibert import reference
from minibert.data import permutation
from minibert.data.masking import run_edges

from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import (
    boundary_mistakes,
    bug_hunt,
    count_mistakes,
    definitions,
    label_mistakes,
    order_mistakes,
    stack_mistakes,
    versions,
)
from .hints import HINTS


def total(parts: dict[str, int]) -> int:
    return sum(parts.values())


factorised_parameters = Exercise(
    "factorised_parameters",
    ("config", "shared"),
    count_mistakes.cases,
    definitions.factorised_parameters,
    examples=(
        (
            (
                {
                    "vocab_size": 10,
                    "max_position_embeddings": 6,
                    "type_vocab_size": 2,
                    "embedding_size": 2,
                    "hidden_size": 4,
                    "intermediate_size": 8,
                    "num_hidden_layers": 3,
                },
                True,
            ),
            {"embeddings": 40, "projection": 12, "layers": 172, "pooler": 20},
        ),
    ),
    hints=HINTS["factorised_parameters"],
    mistakes=count_mistakes.COUNT,
    invariants=(
        Invariant(
            "BERT-base has 109,482,240 parameters, the number from unit 02",
            lambda f, rng: total(f(count_mistakes.BERT, False)) == 109_482_240,
        ),
        Invariant(
            "with `shared`, the number of layers does not change the result",
            lambda f, rng: (
                f(count_mistakes.ALBERT, True) == f(count_mistakes.ALBERT | {"num_hidden_layers": 24}, True)
            ),
        ),
    ),
)

replaced_token_labels = Exercise(
    "replaced_token_labels",
    ("original", "sampled", "chosen", "real"),
    label_mistakes.cases,
    label_mistakes.replaced_token_labels,
    examples=(
        (
            (
                np.array([[0, 1, 2, 3]]),
                np.array([[2, 1, 100, 2]]),
                np.array([[False, True, True, False]]),
                np.array([[True, True, True, False]]),
            ),
            (np.array([[0, 1, 100, 3]]), np.array([[0, 0, 1, -100]])),
        ),
    ),
    whole=True,
    hints=HINTS["replaced_token_labels"],
    mistakes=label_mistakes.LABELS,
    implementations=(definitions.replaced_token_labels,),
    invariants=(
        Invariant(
            "if the generator predicts every token correctly, nothing is replaced",
            label_mistakes.hits_are_original,
        ),
        Invariant(
            "if nothing is masked, the discriminator reads the original", label_mistakes.nothing_masked
        ),
    ),
)

permutation_visible = Exercise(
    "permutation_visible",
    ("real", "order"),
    order_mistakes.cases,
    permutation.permutation_visible,
    allowed=order_mistakes.allowed,
    examples=(
        (
            (np.ones((1, 3), bool), np.array([[2, 0, 1]])),
            (
                np.array([[[1, 1, 1], [0, 1, 0], [0, 1, 1]]], bool),
                np.array([[[0, 1, 1], [0, 0, 0], [0, 1, 0]]], bool),
            ),
        ),
    ),
    hints=HINTS["permutation_visible"],
    mistakes=order_mistakes.ORDER,
    invariants=(
        Invariant(
            "the two streams differ only in whether a token sees itself",
            order_mistakes.only_the_diagonal_differs,
        ),
        Invariant(
            "the first query in the order sees nothing, the last one sees every other token",
            order_mistakes.first_and_last,
        ),
        Invariant(
            "if the order is that of the text, the content stream is GPT's causal attention mask",
            order_mistakes.causal,
        ),
    ),
)

stack_layers = Exercise(
    "stack_layers",
    ("weights", "state"),
    stack_mistakes.cases,
    definitions.stack_layers,
    hints=HINTS["stack_layers"],
    mistakes=stack_mistakes.STACK,
    left_out=("tiny", "small", "huge", "whole", "equal", "ties", "columns first"),  # arrays are only copied
    invariants=(
        Invariant(
            "a model of 3 layers gets 6, in the weights and in both moments, `m` and `v`",
            stack_mistakes.twice_as_many,
        ),
        Invariant("every original array is kept unchanged", stack_mistakes.old_stays),
        Invariant("one layer, stacked twice, gives four identical layers", stack_mistakes.again),
        Invariant(
            "a new layer is a real copy: it shares no array with an old one", stack_mistakes.copies_are_copies
        ),
    ),
)

span_boundary_inputs = Exercise(
    "span_boundary_inputs",
    ("hidden", "chosen", "place_embeddings"),
    boundary_mistakes.cases,
    definitions.span_boundary_inputs,
    allowed=boundary_mistakes.allowed,
    hints=HINTS["span_boundary_inputs"],
    mistakes=boundary_mistakes.BOUNDARY,
    implementations=(run_edges,),
    invariants=(
        Invariant(
            "the hidden states inside the span do not change the result", boundary_mistakes.span_is_not_read
        ),
        Invariant(
            "two tokens of a span differ only in their place",
            boundary_mistakes.tokens_of_a_span_differ_in_place,
        ),
        Invariant(
            "each sequence of a batch gives the same rows as it does alone",
            boundary_mistakes.sequences_do_not_meet,
        ),
    ),
)

electra_loss = planted(
    "electra_loss",
    ("original", "chosen", "sampled", "real", "logits", "weights"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    implementations=(bug_hunt.discriminate,),
    allowed=bug_hunt.allowed,
    hints=HINTS["electra_loss"],
    mistakes=bug_hunt.ELECTRA,
)

test_infill = student_test("test_infill", ("infill",), versions, HINTS["test_infill"])
