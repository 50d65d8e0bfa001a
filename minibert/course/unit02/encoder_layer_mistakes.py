"""Known mistakes about `encoder_layer`: residuals, norms, the activation, the attention mask.

Axes: B batch, T tokens, D hidden, F feed-forward.
"""

import math
from collections.abc import Callable

import numpy as np

from minibert import reference
from minibert.reference.encoder import sub

from ..checks.exercise import Mistake, pairs


def tanh_gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def post_norm(
    x: np.ndarray, attend: Callable, feed: Callable, norm1: Callable, norm2: Callable
) -> np.ndarray:
    x = norm1(x + attend(x))
    return norm2(x + feed(x))


def layer(
    join: Callable = post_norm,
    activation: Callable = reference.gelu,
    bias: bool = True,
    see: Callable = lambda visible: visible,
) -> Callable:
    """Build an encoder layer from its parts, put together by join(x, attend, feed, norm1, norm2)."""

    def wrong(x, weights, num_heads, visible=None):
        def attend(x):
            return reference.multi_head_attention(x, sub(weights, "attention"), num_heads, see(visible))[0]

        def feed(x):
            up, down = (weights[f"feed_forward.{name}.bias"] * bias for name in ("up", "down"))
            inner = activation(x @ weights["feed_forward.up.weight"].T + up)  # (B, T, F)
            return inner @ weights["feed_forward.down.weight"].T + down  # (B, T, D)

        norms = (
            lambda x, name=name: reference.layer_norm(x, sub(weights, name))
            for name in ("attention_norm", "feed_forward_norm")
        )
        return join(x, attend, feed, *norms)

    return wrong


def pre_norm(x: np.ndarray, attend: Callable, feed: Callable, norm1: Callable, norm2: Callable) -> np.ndarray:
    x = x + attend(norm1(x))
    return x + feed(norm2(x))


def norm_inside(
    x: np.ndarray, attend: Callable, feed: Callable, norm1: Callable, norm2: Callable
) -> np.ndarray:
    x = x + norm1(attend(x))
    return x + norm2(feed(x))


ENCODER_LAYER = (
    Mistake(
        "you normalise before each sublayer (pre-LN, as in GPT-2). BERT normalises after the residual: "
        "LayerNorm(x + sublayer(x)).",
        layer(pre_norm),
    ),
    Mistake(
        "you normalise the sublayer's output and then add x. BERT adds first: LayerNorm(x + sublayer(x)).",
        layer(norm_inside),
    ),
    Mistake(
        "both residuals are missing: LayerNorm(x + sublayer(x)).",
        layer(lambda x, a, f, n1, n2: n2(f(n1(a(x))))),
    ),
    Mistake(
        "the residual around attention is missing: LayerNorm(x + attention(x)).",
        layer(lambda x, a, f, n1, n2: n2(n1(a(x)) + f(n1(a(x))))),
    ),
    Mistake(
        "the residual around the feed-forward part is missing: LayerNorm(x + feed_forward(x)).",
        layer(lambda x, a, f, n1, n2: n2(f(n1(x + a(x))))),
    ),
    Mistake(
        "the second residual adds the layer's input. Add what came out of the first LayerNorm.",
        layer(lambda x, a, f, n1, n2: n2(x + f(n1(x + a(x))))),
    ),
    Mistake(
        "the feed-forward part reads the layer's input. It reads what came out of the first LayerNorm.",
        layer(lambda x, a, f, n1, n2: n2(n1(x + a(x)) + f(x))),
    ),
    Mistake(
        "the two LayerNorms are swapped: `attention_norm` first, `feed_forward_norm` second.",
        layer(lambda x, a, f, n1, n2: post_norm(x, a, f, n2, n1)),
    ),
    Mistake(
        "`attention_norm` is used twice. The second LayerNorm has weights of its own: `feed_forward_norm`.",
        layer(lambda x, a, f, n1, n2: post_norm(x, a, f, n1, n1)),
    ),
    Mistake(
        "the LayerNorm after attention is missing.", layer(lambda x, a, f, n1, n2: n2(x + a(x) + f(x + a(x))))
    ),
    Mistake(
        "the LayerNorm after the feed-forward part is missing.",
        layer(lambda x, a, f, n1, n2: n1(x + a(x)) + f(n1(x + a(x)))),
    ),
    Mistake("both LayerNorms are missing.", layer(lambda x, a, f, n1, n2: x + a(x) + f(x + a(x)))),
    Mistake("the feed-forward part is missing.", layer(lambda x, a, f, n1, n2: n1(x + a(x)))),
    Mistake("attention is missing.", layer(lambda x, a, f, n1, n2: n2(x + f(x)))),
    Mistake(
        "the feed-forward part uses ReLU, as the Transformer did. BERT uses GELU.",
        layer(post_norm, lambda x: np.maximum(x, 0)),
    ),
    Mistake(
        "the GELU between the two matrices is missing. Without it they are one matrix.",
        layer(post_norm, lambda x: x),
    ),
    Mistake(
        "this is the tanh approximation of GELU. It is close, but use the exact `gelu` that is imported "
        "above.",
        layer(post_norm, tanh_gelu),
    ),
    Mistake(
        "GELU is applied after the second matrix too. It stands only between the two.",
        layer(lambda x, a, f, n1, n2: n2(n1(x + a(x)) + reference.gelu(f(n1(x + a(x)))))),
    ),
    Mistake("the biases of the feed-forward part are missing.", layer(post_norm, bias=False)),
    Mistake(
        "the second residual adds x and h. Add h alone, what came out of the first LayerNorm.",
        layer(lambda x, a, f, n1, n2: n2(x + n1(x + a(x)) + f(n1(x + a(x))))),
    ),
    Mistake("the feed-forward part uses tanh. BERT uses GELU.", layer(post_norm, np.tanh)),
    Mistake(
        "the feed-forward part uses the sigmoid. BERT uses GELU.",
        layer(post_norm, lambda x: 1 / (1 + np.exp(-x))),
    ),
    Mistake(
        "the output of the feed-forward part is halved.",
        layer(lambda x, a, f, n1, n2: n2(n1(x + a(x)) + f(n1(x + a(x))) / 2)),
    ),
    Mistake(
        "GELU is applied to x before attention. It stands only between the two matrices.",
        layer(lambda x, a, f, n1, n2: post_norm(reference.gelu(x), a, f, n1, n2)),
    ),
    Mistake(
        "the visibility of one query is used for all of them. Pass the whole of `visible` on.",
        layer(see=lambda visible: None if visible is None else visible[:, :1]),
    ),
    Mistake(
        "there is one head of size D. Pass num_heads on to multi_head_attention.",
        lambda x, weights, num_heads, visible=None: reference.encoder_layer(x, weights, 1, visible)[0],
    ),
    *(
        Mistake(
            f"gamma and beta of `{name}` are swapped: `weight` is gamma, `bias` is beta.",
            lambda x, weights, num_heads, visible=None, name=name: reference.encoder_layer(
                x,
                {
                    **weights,
                    f"{name}.weight": weights[f"{name}.bias"],
                    f"{name}.bias": weights[f"{name}.weight"],
                },
                num_heads,
                visible,
            )[0],
        )
        for name in ("attention_norm", "feed_forward_norm")
    ),
    Mistake("`visible` is ignored. Pass it on to multi_head_attention.", layer(see=lambda visible: None)),
    Mistake(
        "you return (x, probs); return the new x alone, so that the next layer can take it.",
        lambda x, weights, num_heads, visible=None: reference.encoder_layer(x, weights, num_heads, visible),
    ),
    *pairs(
        layer,
        (dict(join=pre_norm), "each sublayer is normalised before it, instead of after the residual"),
        (dict(join=norm_inside), "the sublayer's output is normalised before x is added"),
        (dict(join=lambda x, a, f, n1, n2: n2(f(n1(a(x))))), "both residuals are missing"),
        (
            dict(join=lambda x, a, f, n1, n2: n2(x + f(n1(x + a(x))))),
            "the second residual adds the layer's input",
        ),
        (dict(join=lambda x, a, f, n1, n2: post_norm(x, a, f, n1, n1)), "`attention_norm` is used twice"),
        (dict(join=lambda x, a, f, n1, n2: post_norm(x, a, f, n2, n1)), "the two LayerNorms are swapped"),
        (dict(activation=lambda x: np.maximum(x, 0)), "ReLU stands where GELU should"),
        (dict(activation=lambda x: x), "GELU is missing"),
        (dict(activation=tanh_gelu), "GELU is its tanh approximation"),
        (dict(bias=False), "the biases of the feed-forward part are missing"),
        (dict(see=lambda visible: None), "`visible` is ignored"),
    ),
)
