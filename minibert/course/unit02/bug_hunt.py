"""The bug hunt `gpt_layer`: a GPT-2 layer with three planted bugs, and the properties that the bugs violate.

Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.3, which puts the
LayerNorms before the sublayers. A token attends only to itself and to earlier tokens. Axes: B batch, T
tokens, D hidden, F feed-forward.
"""

from collections.abc import Callable

import numpy as np

from minibert import reference
from minibert.reference.encoder import sub

from ..checks.compare import close
from ..checks.exercise import Invariant, Mistake
from .random_weights import layer_weights, rows, with_huge_values

B, T, D, F, HEADS = 2, 5, 12, 20, 3  # the sizes of the inputs on which the invariants are checked


def version(left: frozenset[int]) -> Callable:
    """Return a GPT-2 layer with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: a token also attends to the next token. Bug 2: the second residual connection adds the layer's
    input instead of the output of the first residual connection. Bug 3: both sublayers use the first
    LayerNorm.
    """
    return changed(left)


def changed(
    left: frozenset[int] = frozenset(),
    offset: int = 0,
    window: int | None = None,
    activation: Callable = reference.gelu,
    heads: Callable = lambda num_heads: num_heads,
    see: Callable = lambda seen: seen,
    residual: float = 1.0,
    fed_by: float = 1.0,
    after: bool = False,
) -> Callable:
    """Return a GPT-2 layer with the planted bugs in `left` and other parts replaced.

    offset: how many later tokens a token may attend to. window: the maximum number of tokens that it may
    attend to. activation: a function that replaces GELU. heads, see: functions that change the number of
    heads and the attention mask. residual, fed_by: factors for the layer's input and the output of the
    feed-forward network. after: whether the LayerNorms come after the sublayers.
    """

    def gpt_layer(x, weights, num_heads):
        def norm(x, name):
            return reference.layer_norm(x, sub(weights, name))

        every = np.ones((x.shape[1], x.shape[1]), bool)
        seen = see(np.tril(every, offset + (1 in left)))  # (T, T)
        seen = seen if window is None else seen & ~np.tril(every, -window)
        seen = np.broadcast_to(seen, (len(x), *seen.shape))  # (B, T, T)
        attended = reference.multi_head_attention(
            x if after else norm(x, "attention_norm"), sub(weights, "attention"), heads(num_heads), seen
        )[0]
        h = residual * x + attended  # (B, T, D)
        h = norm(h, "attention_norm") if after else h
        read = h if after else norm(h, "attention_norm" if 3 in left else "feed_forward_norm")
        inner = activation(read @ weights["feed_forward.up.weight"].T + weights["feed_forward.up.bias"])
        fed = inner @ weights["feed_forward.down.weight"].T + weights["feed_forward.down.bias"]
        out = (x if 2 in left else h) + fed_by * fed
        return norm(out, "feed_forward_norm") if after else out

    return gpt_layer


MISTAKES = (
    Mistake(
        "a token does not attend to itself. Let it attend to itself and to all earlier tokens.",
        changed(offset=-1),
    ),
    Mistake(
        "every token attends to all others. Let it attend only to itself and to earlier tokens.",
        changed(see=np.ones_like),
    ),
    Mistake(
        "a token attends to itself and to later tokens, because the mask is transposed. Let it attend to "
        "itself and to earlier tokens.",
        changed(see=np.transpose),
    ),
    *(
        Mistake(
            "a token attends only to nearby earlier tokens. Let it attend to all earlier tokens.",
            changed(window=width),
        )
        for width in (1, 2, 3)
    ),
    Mistake(
        "the feed-forward network uses ReLU. Use GELU, as GPT-2 and BERT do.",
        changed(activation=lambda x: np.maximum(x, 0)),
    ),
    Mistake(
        "the GELU between the two matrices is missing. Without it, they act like a single matrix.",
        changed(activation=lambda x: x),
    ),
    Mistake(
        "attention has a single head of size D. Pass num_heads on to it.", changed(heads=lambda num_heads: 1)
    ),
    Mistake(
        "the first residual connection is missing: add x to the output of attention.",
        changed(residual=0.0),
    ),
    Mistake("you add x twice in the first residual connection. Add it once.", changed(residual=2.0)),
    Mistake(
        "the feed-forward network is missing. Add its output to h, in the second sum.", changed(fed_by=0.0)
    ),
    Mistake("you halve the output of the feed-forward network. Add it as it is.", changed(fed_by=0.5)),
    Mistake(
        "the norms come after the sublayers, as in BERT. Apply each norm before its sublayer, as GPT-2 does.",
        changed(after=True),
    ),
)


def silent_attention(rng: np.random.Generator) -> tuple:
    """Return arguments for which attention returns zeros at all tokens except the last.

    Only there do the residual connections differ, so the other tokens show how far attention reaches.
    """
    x, weights = rows(rng, B, T, D), layer_weights(rng, D, F)
    x[:, :-1] = np.round(4 * x[:, :-1, :1]) / 4  # LayerNorm makes a constant row 0, in float32, too
    zero = ("attention_norm.bias", "attention.value.bias", "attention.out.bias")
    return x, weights | {name: np.zeros_like(weights[name]) for name in zero}, HEADS


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        (rows(rng, B, T, D), layer_weights(rng, D, F), HEADS),
        (rows(rng, 1, 4, 6), layer_weights(rng, 6, 8), 2),
        (rows(rng, 2, 3, 8, dtype=np.float32), layer_weights(rng, 8, 12, np.float32), 4),
        silent_attention(rng),
        (abs(rows(rng, B, T, D)), with_huge_values(layer_weights(rng, D, F), "attention."), HEADS),
    ]


def looks_to_the_left(f: Callable, rng: np.random.Generator) -> bool:
    x, weights = rows(rng, B, T, D), layer_weights(rng, D, F)
    other = x.copy()
    other[:, 3:] = rows(rng, B, T - 3, D)
    return close(f(x, weights, HEADS)[:, :3], f(other, weights, HEADS)[:, :3])


def attention_comes_through(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f still adds the attention output when the feed-forward network returns zeros."""
    x, weights = rows(rng, B, T, D), layer_weights(rng, D, F)
    weights |= {name: np.zeros_like(w) for name, w in weights.items() if name.startswith("feed_forward.down")}
    moved = weights | {"attention.out.bias": weights["attention.out.bias"] + 1}
    return close(f(x, moved, HEADS), f(x, weights, HEADS) + 1)


def every_weight_counts(f: Callable, rng: np.random.Generator) -> bool:
    x, weights = rows(rng, B, T, D), layer_weights(rng, D, F)
    before = f(x, weights, HEADS)
    return all(
        not np.allclose(f(x, weights | {name: weight + rows(rng, *weight.shape)}, HEADS), before)
        for name, weight in weights.items()
        if name != "attention.key.bias"
    )


def rows_do_not_meet(f: Callable, rng: np.random.Generator) -> bool:
    x, weights = rows(rng, B, T, D), layer_weights(rng, D, F)
    return close(f(x, weights, HEADS)[1:], f(x[1:], weights, HEADS))


BROKEN = (
    Invariant("a token's output does not depend on later tokens", looks_to_the_left),
    Invariant(
        "if the feed-forward network returns zeros, the output of attention is still added to x",
        attention_comes_through,
    ),
    Invariant(
        "every weight affects the output (except the key bias, which adds the same number to all scores of "
        "a query)",
        every_weight_counts,
    ),
)
KEPT = (
    Invariant("the output has the shape of the input", lambda f, rng: f(*cases(rng)[1]).shape == (1, 4, 6)),
    Invariant("the sequences of a batch do not affect each other", rows_do_not_meet),
)
