"""Known mistakes about `split_heads` and `multi_head_attention`.

Axes: B batch, T tokens, H heads, K head size, D hidden.
"""

import math
from collections.abc import Callable

import numpy as np

from minibert import reference

from ..checks.exercise import Mistake, pairs
from .attention_mistakes import scaled_by


def cut(x: np.ndarray, num_heads: int) -> np.ndarray:
    return x.reshape(*x.shape[:2], num_heads, -1)  # (B, T, H, K)


def reshaped(x: np.ndarray, num_heads: int) -> np.ndarray:
    return x.reshape(len(x), num_heads, x.shape[1], -1)


def interleaved(x: np.ndarray, num_heads: int) -> np.ndarray:
    return x.reshape(*x.shape[:2], -1, num_heads).transpose(0, 3, 1, 2)


SPLIT_HEADS = (
    Mistake(
        "one reshape to (B, H, T, K) mixes tokens and heads, because it reads the numbers row by row. "
        "Reshape to (B, T, H, K), then swap the axes T and H.",
        reshaped,
    ),
    Mistake("the axes are still (B, T, H, K). Swap T and H, so that each head is a matrix of its own.", cut),
    Mistake(
        "the heads are interleaved: head 0 has the columns 0, H, 2H ... It should have the first K "
        "columns. Reshape to (B, T, H, K), not (B, T, K, H).",
        interleaved,
    ),
    Mistake(
        "the last two axes are (K, T); they should be (T, K).",
        lambda x, num_heads: cut(x, num_heads).transpose(0, 2, 3, 1),
    ),
    Mistake(
        "the head axis comes first; the batch should: (B, H, T, K).",
        lambda x, num_heads: cut(x, num_heads).transpose(2, 0, 1, 3),
    ),
    Mistake(
        "you made heads of size num_heads. There are H = num_heads heads, each of size K = D / H.",
        lambda x, num_heads: x.reshape(*x.shape[:2], -1, num_heads).swapaxes(1, 2),
    ),
    Mistake(
        "every head got all columns. Each head gets only K = D / H of them.",
        lambda x, num_heads: np.stack([x] * num_heads, 1),
    ),
)


def linear(x: np.ndarray, w: dict[str, np.ndarray], name: str) -> np.ndarray:
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def not_turned(x: np.ndarray, w: dict[str, np.ndarray], name: str) -> np.ndarray:
    return x @ w[f"{name}.weight"] + w[f"{name}.bias"]


def no_bias(x: np.ndarray, w: dict[str, np.ndarray], name: str) -> np.ndarray:
    return x @ w[f"{name}.weight"].T


def multi_head(
    project: Callable = linear,
    out: Callable = linear,
    names: tuple[str, str, str] = ("query", "key", "value"),
    split: Callable = reference.split_heads,
    attend: Callable = reference.attention,
    merge: Callable = reference.merge_heads,
) -> Callable:
    """Build multi-head attention from its parts; a mistake replaces one or two of them."""

    def wrong(x, weights, num_heads, visible=None):
        q, k, v = (split(project(x, weights, name), num_heads) for name in names)
        context, probs = attend(q, k, v, None if visible is None else visible[:, None])
        return out(merge(context), weights, "out"), probs

    return wrong


def with_heads(change: Callable) -> Callable:
    """Build a function that returns change(output, probs, x) of the right output and probabilities."""
    return lambda x, w, num_heads, visible=None: change(
        *reference.multi_head_attention(x, w, num_heads, visible), x
    )


def one_head(
    x: np.ndarray, w: dict[str, np.ndarray], num_heads: int, visible: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    output, probs = reference.multi_head_attention(x, w, 1, visible)
    return output, probs[:, 0]


def no_head_axis(
    x: np.ndarray, w: dict[str, np.ndarray], num_heads: int, visible: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    q, k, v = (reference.split_heads(linear(x, w, name), num_heads) for name in ("query", "key", "value"))
    return reference.attention(q, k, v, visible)


MULTI_HEAD_ATTENTION = (
    Mistake(
        "you multiply by W. The weights are stored as (out, in), so a projection is x @ W.T + b.",
        multi_head(not_turned, not_turned),
    ),
    Mistake(
        "you multiply by W in query, key and value. The weights are stored as (out, in): x @ W.T + b.",
        multi_head(not_turned),
    ),
    Mistake(
        "you multiply by W in the output projection. The weights are stored as (out, in): x @ W.T + b.",
        multi_head(out=not_turned),
    ),
    Mistake("all biases are missing: x @ W.T + b.", multi_head(no_bias, no_bias)),
    Mistake("the biases of query, key and value are missing: x @ W.T + b.", multi_head(no_bias)),
    Mistake("the bias of the output projection is missing.", multi_head(out=no_bias)),
    Mistake(
        "the output projection is missing. After joining the heads, multiply by `out.weight` and add "
        "`out.bias`.",
        multi_head(out=lambda x, w, name: x),
    ),
    Mistake("queries and keys are swapped.", multi_head(names=("key", "query", "value"))),
    Mistake("keys and values are swapped.", multi_head(names=("query", "value", "key"))),
    Mistake(
        "the values are made with the key weights. They have their own: `value.weight` and `value.bias`.",
        multi_head(names=("query", "key", "key")),
    ),
    Mistake(
        "queries, keys and values are all made with the query weights.", multi_head(names=("query",) * 3)
    ),
    Mistake(
        "the heads are split by one reshape to (B, H, T, K), which mixes tokens and heads. Use your "
        "split_heads.",
        multi_head(split=reshaped),
    ),
    Mistake(
        "the heads are interleaved. Each takes K neighbouring columns. Use your split_heads.",
        multi_head(split=interleaved),
    ),
    Mistake(
        "the heads are joined without swapping the axes back. From (B, H, T, K), swap to (B, T, H, K), "
        "then reshape to (B, T, D).",
        multi_head(merge=lambda c: c.reshape(len(c), c.shape[2], -1)),
    ),
    Mistake(
        "the heads are joined interleaved. They stand side by side: swap to (B, T, H, K), then reshape "
        "to (B, T, D).",
        multi_head(merge=lambda c: c.transpose(0, 2, 3, 1).reshape(len(c), c.shape[2], -1)),
    ),
    Mistake(
        "there is one head of size D instead of H heads of size K. Split q, k and v with split_heads.",
        one_head,
    ),
    Mistake(
        "the scores are divided by sqrt(D). Each head divides by sqrt(K), the root of its own size.",
        multi_head(attend=scaled_by(lambda q, k: 1 / math.sqrt(q.shape[1] * q.shape[-1]))),
    ),
    Mistake("the scores are not divided by sqrt(K).", multi_head(attend=scaled_by(lambda q, k: 1.0))),
    Mistake(
        "`visible` is ignored. Pass it on to attention.",
        multi_head(attend=lambda q, k, v, visible: reference.attention(q, k, v)),
    ),
    Mistake(
        "`visible` is read the wrong way round. True means that the query may look at the key.",
        multi_head(attend=lambda q, k, v, visible: reference.attention(q, k, v, ~visible)),
    ),
    Mistake(
        "`visible` is (B, T, T), but the scores are (B, H, T, T). Give it a head axis: visible[:, None].",
        no_head_axis,
    ),
    Mistake(
        "the values are made with the query weights. They have their own: `value.weight` and `value.bias`.",
        multi_head(names=("query", "key", "query")),
    ),
    Mistake(
        "the output projection is applied twice.",
        multi_head(out=lambda x, w, name: linear(linear(x, w, name), w, name)),
    ),
    Mistake(
        "every place of a head is filled with the first head. Join all heads, side by side.",
        multi_head(merge=lambda c: reference.merge_heads(np.repeat(c[:, :1], c.shape[1], 1))),
    ),
    Mistake(
        "the heads are joined in reverse order.",
        multi_head(merge=lambda c: reference.merge_heads(c[:, ::-1])),
    ),
    Mistake(
        "the probabilities come with the heads in reverse order.",
        with_heads(lambda output, probs, x: (output, probs[:, ::-1])),
    ),
    Mistake(
        "`visible` has its two token axes swapped. Its rows are the queries, its columns the keys.",
        multi_head(
            attend=lambda q, k, v, visible: reference.attention(
                q, k, v, None if visible is None else visible.swapaxes(-2, -1)
            )
        ),
    ),
    Mistake(
        "the visibility of the first sequence is used for the whole batch. Each has its own.",
        multi_head(
            attend=lambda q, k, v, visible: reference.attention(
                q, k, v, None if visible is None else visible[:1]
            )
        ),
    ),
    Mistake(
        "the visibility of one query is used for all of them. Pass the whole of `visible` on.",
        multi_head(
            attend=lambda q, k, v, visible: reference.attention(
                q, k, v, None if visible is None else visible[..., -1:, :]
            )
        ),
    ),
    Mistake(
        "you added the input x to the output. That residual belongs to the encoder layer.",
        with_heads(lambda output, probs, x: (output + x, probs)),
    ),
    Mistake(
        "you return the mean of the heads' probabilities. Return them all: (B, H, T, T).",
        with_heads(lambda output, probs, x: (output, probs.mean(1))),
    ),
    *pairs(
        multi_head,
        (dict(project=not_turned), "query, key and value are multiplied by W instead of its transpose, W.T"),
        (dict(project=no_bias), "the biases of query, key and value are missing"),
        (dict(out=not_turned), "the output projection multiplies by W instead of W.T"),
        (dict(out=no_bias), "the bias of the output projection is missing"),
        (dict(out=lambda x, w, name: x), "the output projection is missing"),
        (dict(names=("key", "query", "value")), "queries and keys are swapped"),
        (dict(names=("query", "key", "key")), "the values are made with the key weights"),
        (dict(split=reshaped), "the heads are split by one reshape, which mixes tokens and heads"),
        (dict(split=interleaved), "the heads are split interleaved"),
        (
            dict(merge=lambda c: c.reshape(len(c), c.shape[2], -1)),
            "the heads are joined without swapping the axes back",
        ),
        (dict(attend=scaled_by(lambda q, k: 1.0)), "the scores are not divided by sqrt(K)"),
        (
            dict(attend=scaled_by(lambda q, k: 1 / math.sqrt(q.shape[1] * q.shape[-1]))),
            "the scores are divided by sqrt(D) instead of sqrt(K)",
        ),
        (dict(attend=lambda q, k, v, visible: reference.attention(q, k, v)), "`visible` is ignored"),
    ),
    Mistake(
        "you return the output only; return (output, probs).", with_heads(lambda output, probs, x: output)
    ),
)
