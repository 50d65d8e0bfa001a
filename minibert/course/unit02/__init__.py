"""Check the exercises of unit 02, attention.

Vaswani et al. (2017, arXiv 1706.03762), sections 3.1 to 3.5; Devlin et al. (2019, arXiv 1810.04805), section
3. Axes: B batch, T queries, S keys, H heads, K head size, D hidden, F feed-forward, V vocabulary, L layers.
"""

from collections.abc import Callable

import numpy as np

from minibert import config, reference
from minibert.data.batch import visible_all, visible_causal

from ..checks.compare import close
from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import (
    attention_mistakes,
    bug_hunt,
    count_mistakes,
    encoder_layer_mistakes,
    head_mistakes,
    layer_norm_mistakes,
    position_mistakes,
    softmax_mistakes,
    versions,
)
from .cases import (
    PADDED,
    SIZES,
    attention_cases,
    count_cases,
    encoder_layer_cases,
    layer_norm_cases,
    multi_head_cases,
    positions_cases,
    softmax_cases,
    split_cases,
)
from .hints import HINTS
from .random_weights import attention_weights, layer_weights, rows


def integers_too(f: Callable, rng: np.random.Generator) -> bool | str:
    scores = np.array([[2, 0, 1], [-3, 5, 5]])
    try:
        shares = f(scores, -1)
    except Exception as error:  # some libraries refuse integers with an error
        if isinstance(getattr(error, "error", None) or error, (TypeError, RuntimeError)):
            return True
        raise
    return close(shares, f(scores.astype(float), -1)) or (
        "integer scores give other results than the same scores as floats. Does your result array take "
        "its dtype from x?"
    )


softmax = Exercise(
    "softmax",
    ("x", "axis"),
    softmax_cases,
    reference.softmax,
    hints=HINTS["softmax"],
    mistakes=softmax_mistakes.SOFTMAX,
    invariants=(
        Invariant(
            "the results sum to 1 along the axis", lambda f, rng: np.allclose(f(rows(rng, 2, 3), 0).sum(0), 1)
        ),
        Invariant("integer scores give the same results as floats", integers_too),
        Invariant("no result is negative", lambda f, rng: bool((f(rows(rng, 2, 3), -1) >= 0).all())),
        Invariant(
            "adding the same number to every score changes nothing",
            lambda f, rng: np.allclose(f(np.arange(4.0) + 3, -1), f(np.arange(4.0), -1)),
        ),
    ),
)


def hidden_values_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    q, k, v = (rows(rng, 2, t, 4) for t in (3, 5, 5))
    seen = np.arange(5) < 4  # (S,): the last key is masked for all queries
    visible = np.broadcast_to(seen, (2, 3, 5)).copy()
    return close(f(q, k, v, visible)[0], f(q, k, np.where(seen[:, None], v, 9.0), visible)[0])


def never_nan(f: Callable, rng: np.random.Generator) -> bool | str:
    visible = np.ones((2, 3, 5), bool)
    visible[1, 2] = False  # this query has no visible key
    context, probs = f(*(rows(rng, 2, t, 4) for t in (3, 5, 5)), visible)
    return bool(np.isfinite(context).all() and np.isfinite(probs).all()) or (
        "a query without any visible key gets nan, because all its scores are -inf. Give masked keys a "
        "very large negative score that is finite."
    )


def blind_query_shares(f: Callable, rng: np.random.Generator) -> bool | str:
    visible, v = np.ones((2, 3, 5), bool), rows(rng, 2, 5, 4)
    visible[1, 2] = False  # this query has no visible key
    q, k = rows(rng, 2, 3, 4), rows(rng, 2, 5, 4)
    context, probs = (np.asarray(x) for x in f(q, k, v, visible))
    total = probs[1, 2].sum()
    if (probs[1, 2] < 0).any() or not (np.isclose(total, 1) or np.isclose(total, 0)):
        return (
            f"the probabilities of a query without any visible key sum to {total:.3g}. They must sum to 1 "
            "even if all keys are masked; then give all keys equal probabilities."
        )
    if not np.allclose(context, probs @ v, atol=1e-5):
        return (
            "the context of a query without any visible key does not match its probabilities. Compute it "
            "from them, as for any other query."
        )
    clear, others = np.asarray(f(q, k, v, None)[1]), visible.any(-1)
    return np.allclose(probs[others], clear[others], atol=1e-5) or (
        "a query without any visible key changes the probabilities of other queries. Mask each "
        "query separately."
    )


attention = Exercise(
    "attention",
    ("q", "k", "v", "visible"),
    attention_cases,
    reference.attention,
    hints=HINTS["attention"],
    mistakes=attention_mistakes.ATTENTION,
    builds_on=(softmax,),
    invariants=(
        Invariant(
            "the probabilities of each query sum to 1",
            lambda f, rng: np.allclose(f(*(rows(rng, 2, t, 4) for t in (3, 5, 5)), None)[1].sum(-1), 1),
        ),
        Invariant("the value of a masked key does not matter", hidden_values_do_not_matter),
        Invariant("a query without visible keys does not give nan", never_nan),
        Invariant(
            "the context of a query without visible keys matches its probabilities", blind_query_shares
        ),
    ),
)


split_heads = Exercise(
    "split_heads",
    ("x", "num_heads"),
    split_cases,
    reference.split_heads,
    hints=HINTS["split_heads"],
    mistakes=head_mistakes.SPLIT_HEADS,
    invariants=(
        Invariant(
            "concatenating the heads gives x again",
            lambda f, rng: np.array_equal(
                np.concatenate([f(PADDED[..., None] * np.arange(6.0), 3)[:, h] for h in range(3)], -1),
                PADDED[..., None] * np.arange(6.0),
            ),
        ),
    ),
)


def order_follows(f: Callable, rng: np.random.Generator) -> bool:
    x, weights, order = rows(rng, 2, 5, 12), attention_weights(rng, 12), [3, 0, 4, 1, 2]
    return close(f(x[:, order], weights, 3, None)[0], f(x, weights, 3, None)[0][:, order])


def padding_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    x, weights, visible = rows(rng, 2, 5, 12), attention_weights(rng, 12), visible_all(PADDED)
    other = np.where(PADDED[..., None], x, 7.0)  # other vectors at the positions of [PAD]
    return close(f(x, weights, 3, visible)[0][PADDED], f(other, weights, 3, visible)[0][PADDED])


multi_head_attention = Exercise(
    "multi_head_attention",
    ("x", "weights", "num_heads", "visible"),
    multi_head_cases,
    reference.multi_head_attention,
    left_out=("huge",),
    hints=HINTS["multi_head_attention"],
    mistakes=head_mistakes.MULTI_HEAD_ATTENTION,
    builds_on=(softmax, attention, split_heads),
    invariants=(
        Invariant("reordering the tokens only reorders the output", order_follows),
        Invariant("the vectors at padding positions do not matter", padding_does_not_matter),
    ),
)


def same_distance_same_product(f: Callable, rng: np.random.Generator) -> bool:
    encoding = f(9, 6)
    products = encoding @ encoding.T  # (T, T)
    return all(np.allclose(np.diagonal(products, d), products[0, d]) for d in range(9))


positional_encoding = Exercise(
    "positional_encoding",
    ("length", "hidden_size"),
    positions_cases,
    reference.positional_encoding,
    hints=HINTS["positional_encoding"],
    mistakes=position_mistakes.POSITIONAL_ENCODING,
    invariants=(
        Invariant("position 0 is 0, 1, 0, 1 ...", lambda f, rng: np.allclose(f(3, 6)[0], [0, 1] * 3)),
        Invariant(
            "the dot product of two positions depends only on their distance", same_distance_same_product
        ),
    ),
)


def right_layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, eps: float = 1e-12) -> np.ndarray:
    return reference.layer_norm(x, {"weight": gamma, "bias": beta}, eps)


layer_norm = Exercise(
    "layer_norm",
    ("x", "gamma", "beta", "eps"),
    layer_norm_cases,
    right_layer_norm,
    hints=HINTS["layer_norm"],
    mistakes=layer_norm_mistakes.LAYER_NORM,
    left_out=("huge",),  # for equal huge numbers, the result depends on rounding
    implementations=(reference.layer_norm,),
    invariants=(
        Invariant(
            "with gamma 1 and beta 0, each row has mean 0 and variance 1",
            lambda f, rng: np.allclose(f(3 * rows(rng, 4, 6) + 2, np.ones(6), np.zeros(6), 1e-12).std(-1), 1),
        ),
        Invariant(
            "adding the same number to a whole row changes nothing, however large it is",
            lambda f, rng: np.allclose(
                f(0.7 * np.arange(5) + 1e8, np.ones(5), np.zeros(5), 1e-12),
                f(0.7 * np.arange(5), np.ones(5), np.zeros(5), 1e-12),
            ),
        ),
    ),
)


encoder_layer = Exercise(
    "encoder_layer",
    ("x", "weights", "num_heads", "visible"),
    encoder_layer_cases,
    encoder_layer_mistakes.encoder_layer,
    hints=HINTS["encoder_layer"],
    mistakes=encoder_layer_mistakes.ENCODER_LAYER,
    left_out=("huge",),
    implementations=(reference.encoder_layer, reference.feed_forward),
    builds_on=(softmax, attention, split_heads, multi_head_attention, layer_norm),
)


count_parameters = Exercise(
    "count_parameters",
    SIZES,
    count_cases,
    count_mistakes.count,
    hints=HINTS["count_parameters"],
    mistakes=count_mistakes.miscounted(),
    implementations=(config.count_parameters,),
)

test_softmax = student_test("test_softmax", ("softmax",), versions, HINTS["test_softmax"])

gpt_layer = planted(
    "gpt_layer",
    ("x", "weights", "num_heads"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    left_out=("huge",),
    implementations=(reference.encoder_layer, reference.feed_forward),
    hints=HINTS["gpt_layer"],
    mistakes=bug_hunt.MISTAKES,
    builds_on=(softmax, attention, split_heads, multi_head_attention, layer_norm),
)
