"""Check the exercises of unit 14, after BERT: search by meaning, texts from BERT, long texts, languages.

Henderson et al. (2017, arXiv 1705.00652); Wang and Cho (2019, arXiv 1902.04094); Goyal et al. (2022, arXiv
2106.02736); Ghazvininejad et al. (2019, arXiv 1904.09324); Beltagy et al. (2020, arXiv 2004.05150); Conneau
et al. (2020, arXiv 1911.02116). Axes: B pairs, D hidden, N texts or languages, T tokens, V vocabulary, K head
size.
"""

import numpy as np

from minibert.generation import mask_predict as library
from minibert.reference import losses

from ..checks.chance import obeys
from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import (
    bug_hunt,
    chain_mistakes,
    definitions,
    mask_mistakes,
    pair_mistakes,
    share_mistakes,
    versions,
    writing_mistakes,
)
from .hints import HINTS

in_batch_loss = Exercise(
    "in_batch_loss",
    ("queries", "answers", "temperature"),
    pair_mistakes.cases,
    definitions.loss_and_gradients,
    allowed=pair_mistakes.allowed,
    examples=(
        (
            (np.array([[3.0, 0.0], [0.0, 1.0]]), np.array([[2.0, 0.0], [1.0, 0.0]]), 0.5),
            (0.693, np.array([[0.0, 0.0], [0.0, 0.0]]), np.array([[0.0, 0.25], [0.0, -0.5]])),
        ),
    ),
    hints=HINTS["in_batch_loss"],
    mistakes=pair_mistakes.LOSS,
    implementations=(losses.in_batch_loss,),
    invariants=(
        Invariant("the lengths of the vectors do not change the loss", pair_mistakes.length_does_not_matter),
        Invariant("if all vectors are the same, the loss is ln B", pair_mistakes.chance),
        Invariant("the order of the pairs does not change the loss", pair_mistakes.order_does_not_matter),
        Invariant("a gradient reaches all queries and all answers", pair_mistakes.both_sides_learn),
    ),
)

gibbs_step = Exercise(
    "gibbs_step",
    ("ids", "position", "log_probs", "mask", "rng"),
    chain_mistakes.gibbs_cases,
    definitions.gibbs_step,
    allowed=chain_mistakes.gibbs_allowed,
    hints=HINTS["gibbs_step"],
    mistakes=chain_mistakes.GIBBS,
    invariants=(
        Invariant("draws from `rng` only", obeys(chain_mistakes.FIXED), "deterministic"),
        Invariant("tokens at other positions stay", chain_mistakes.other_tokens_stay),
        Invariant("the model does not see the token that is drawn", chain_mistakes.token_is_not_read),
        Invariant(
            "in many texts, tokens are as frequent as the model says", chain_mistakes.like_the_probabilities
        ),
    ),
)

metropolis_accept = Exercise(
    "metropolis_accept",
    ("old", "new", "forward", "backward", "uniform"),
    chain_mistakes.accept_cases,
    definitions.metropolis_accept,
    allowed=chain_mistakes.accept_allowed,
    examples=(
        (
            (
                np.array([-10.0, -10.0, -10.0]),
                np.array([-9.0, -11.0, -11.0]),
                np.array([-1.0, -1.0, -1.0]),
                np.array([-1.0, -1.0, -3.0]),
                np.array([0.6, 0.3, 0.3]),
            ),
            np.array([True, True, False]),
        ),
    ),
    hints=HINTS["metropolis_accept"],
    mistakes=chain_mistakes.ACCEPT,
    invariants=(
        Invariant(
            "a better text is always accepted, if both ways are equally probable",
            chain_mistakes.better_is_accepted,
        ),
        Invariant(
            "if texts are proposed exactly as often as their scores say, all are accepted",
            chain_mistakes.exact_proposals,
        ),
        Invariant(
            "a text of half the probability is accepted half of the time", chain_mistakes.half_as_probable
        ),
        Invariant(
            "adding a constant to the scores of both texts changes nothing",
            chain_mistakes.constant_does_not_matter,
        ),
    ),
)

number_masked = Exercise(
    "number_masked",
    ("n", "t", "iterations"),
    writing_mistakes.number_cases,
    definitions.number_masked,
    allowed=writing_mistakes.number_allowed,
    examples=(((12, 0, 3), 12), ((12, 1, 3), 8), ((12, 2, 3), 4), ((8, 1, 3), 5)),
    hints=HINTS["number_masked"],
    mistakes=writing_mistakes.NUMBER,
    invariants=(
        Invariant("the first iteration masks all tokens", writing_mistakes.all_at_first),
        Invariant("the number never grows", writing_mistakes.never_grows),
        Invariant("12 tokens in 4 iterations: 3 fewer each time", writing_mistakes.step(12, 4)),
    ),
)

mask_predict = Exercise(
    "mask_predict",
    ("ids", "free", "log_probs", "mask", "iterations"),
    writing_mistakes.text_cases,
    definitions.mask_predict,
    allowed=writing_mistakes.text_allowed,
    hints=HINTS["mask_predict"],
    mistakes=writing_mistakes.WRITE,
    implementations=(library.mask_predict,),
    builds_on=(number_masked,),
    invariants=(
        Invariant("one iteration writes the most probable tokens", writing_mistakes.one_iteration),
        Invariant("tokens that are not free stay", writing_mistakes.fixed_stay),
        Invariant("an iteration changes at most the tokens that it masks", writing_mistakes.few_change),
        Invariant("the model reads fewer masks each time", writing_mistakes.masks_decrease),
    ),
)

sliding_window_visible = Exercise(
    "sliding_window_visible",
    ("length", "reach"),
    mask_mistakes.window_cases,
    definitions.sliding_window_visible,
    allowed=mask_mistakes.window_allowed,
    hints=HINTS["sliding_window_visible"],
    mistakes=mask_mistakes.WINDOW,
    invariants=(
        Invariant("each token attends to itself", mask_mistakes.sees_itself),
        Invariant("the matrix is symmetric", mask_mistakes.symmetric),
        Invariant("in the middle, a token attends to 2 reach + 1 tokens", mask_mistakes.as_many),
    ),
)

longformer_visible = Exercise(
    "longformer_visible",
    ("length", "reach", "positions"),
    mask_mistakes.long_cases,
    definitions.longformer_visible,
    allowed=mask_mistakes.long_allowed,
    hints=HINTS["longformer_visible"],
    mistakes=mask_mistakes.LONG,
    builds_on=(sliding_window_visible,),
    invariants=(
        Invariant("a global token attends to all, and all attend to it", mask_mistakes.both_ways),
        Invariant(
            "other tokens attend to their window and the global tokens", mask_mistakes.rest_is_the_window
        ),
        Invariant("without global tokens, only the window is left", mask_mistakes.without_global),
    ),
)

sampling_shares = Exercise(
    "sampling_shares",
    ("counts", "exponent"),
    share_mistakes.cases,
    definitions.sampling_shares,
    allowed=share_mistakes.allowed,
    examples=(
        ((np.array([900, 100]), 0.5), np.array([0.75, 0.25])),
        ((np.array([900, 0, 100]), 0.0), np.array([0.5, 0, 0.5])),
    ),
    hints=HINTS["sampling_shares"],
    mistakes=share_mistakes.SHARES,
    invariants=(
        Invariant("the shares add up to 1", share_mistakes.add_up_to_one),
        Invariant("counting in another unit changes nothing", share_mistakes.unit_does_not_matter),
        Invariant("a language without text is never sampled", share_mistakes.nothing_stays_nothing),
        Invariant("1 keeps the shares, and 0 makes them equal", share_mistakes.both_ends),
    ),
)

long_attention = planted(
    "long_attention",
    ("q", "k", "v", "reach", "positions"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    allowed=bug_hunt.allowed,
    hints=HINTS["long_attention"],
    mistakes=bug_hunt.LONG,
)

test_combined = student_test("test_combined", ("combined",), versions, HINTS["test_combined"])
