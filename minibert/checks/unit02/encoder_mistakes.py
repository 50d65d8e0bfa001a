"""The known mistakes about positions, LayerNorm, and the encoder layer; see unit02_attention.py.

Axes: B batch, T tokens, H heads, D hidden, F feed-forward.
"""
import math

import numpy as np

from minibert import reference
from minibert.reference.encoder import sub

from ..engine.base import Mistake, pairs


def positions(exponent=lambda i, D: 2 * i
              / D, base=10000, first=0, order=(np.sin, np.cos), first_i=0, axis=-1):
    """The sinusoids with some pieces replaced. exponent(i, D): of the base, for pair i; axis -2: first all
    sines.
    """
    def wrong(length, hidden_size):
        i = np.arange(hidden_size // 2) + first_i                               # (D/2,)
        angles = (np.arange(length) + first)[:, None] / np.power(float(base), exponent(i, hidden_size))
        return np.stack([order[0](angles), order[1](angles)], axis).reshape(length, hidden_size)
    return wrong


def own_exponents(length, hidden_size):
    column = np.arange(hidden_size)
    angles = np.arange(length)[:, None] / 10000 ** (column / hidden_size)
    return np.where(column % 2, np.cos(angles), np.sin(angles))


def multiplied(length, hidden_size):
    angles = np.arange(length)[:, None] * 10000 ** (2 * np.arange(hidden_size // 2) / hidden_size)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(length, hidden_size)


POSITIONAL_ENCODING = (
    Mistake("all sines come first, then all cosines. They alternate: sine in the even columns, cosine in "
            "the odd ones.",
            positions(axis=-2)),
    Mistake("the exponent is i / D; it is 2i / D. The 2 is missing.", positions(lambda i, D: i / D)),
    Mistake(
        "the exponent is 4i / D. If your i already counts the even columns 0, 2, 4 ..., it is the formula's "
            "2i.", positions(lambda i, D: 4 * i / D)),
    Mistake("each cosine has an exponent of its own. A sine and its cosine share the angle, with exponent "
            "2i / D.",
            own_exponents),
    Mistake(
        "the exponent divides by D - 2 or D/2 - 1, so the last pair ends at 10000 exactly. Divide 2i by D.",
            positions(lambda i, D: 2 * i / max(D - 2, 1))),
    Mistake("the exponent divides by D - 1; divide 2i by D.", positions(lambda i, D: 2 * i / (D - 1))),
    Mistake("the pairs are counted from i = 1; the first is i = 0, with the angle t itself.",
            positions(first_i=1)),
    Mistake("the positions are counted from 1; the first is t = 0, with sine 0 and cosine 1.",
            positions(first=1)),
    Mistake("the base is 1000; it is 10000.", positions(base=1000)),
    Mistake("the base is 100000; it is 10000.", positions(base=100000)),
    Mistake("sine and cosine are swapped: sine in the even columns, cosine in the odd ones.",
            positions(order=(np.cos, np.sin))),
    Mistake("there are only sines; the odd columns take the cosine.", positions(order=(np.sin, np.sin))),
    Mistake("you multiply t by 10000^(2i/D); divide by it. Later pairs turn more slowly.", multiplied),
    Mistake("the table is turned: one row per position, (length, hidden_size).",
            lambda length, hidden_size: reference.positional_encoding(length, hidden_size).T),
    Mistake("these are the angles; take their sine and cosine.", positions(order=(lambda a: a, lambda a: a))),
    Mistake("the angles are in degrees; np.sin and np.cos take them as they are, in radians.",
            positions(order=(lambda a: np.sin(np.degrees(a)), lambda a: np.cos(np.degrees(a))))),
    Mistake("the angles are read as degrees; np.sin and np.cos take them as they are, in radians.",
            positions(order=(lambda a: np.sin(np.radians(a)), lambda a: np.cos(np.radians(a))))),
    *pairs(positions, (dict(axis=-2), "all sines come first, but they alternate with the cosines"),
           (dict(exponent=lambda i, D: i / D), "the exponent is i / D instead of 2i / D"),
           (dict(exponent=lambda i, D: 4 * i / D), "the exponent is 4i / D instead of 2i / D"),
           (dict(base=1000), "the base is 1000 instead of 10000"),
           (dict(first=1), "the positions are counted from 1 instead of 0"),
           (dict(first_i=1), "the pairs are counted from 1 instead of 0"),
           (dict(order=(np.cos, np.sin)), "sine and cosine are swapped")),
)


def standardised(axis=-1, ddof=0, root=lambda var, eps: np.sqrt(var + eps), centre=True, eps_is=None,
                 finish=lambda z, gamma, beta: gamma * z + beta):
    """LayerNorm with some pieces replaced. root(var, eps): what the centred rows are divided by; finish: the
    last line.
    """
    def wrong(x, gamma, beta, eps=1e-12):
        mean = x.mean(axis, keepdims=True)
        var = x.var(axis, keepdims=True, ddof=ddof) if centre else (x * x).mean(axis, keepdims=True)
        centred = x - mean if centre else x
        return finish(centred / root(var, eps if eps_is is None else eps_is), gamma, beta)
    return wrong


LAYER_NORM = (
    Mistake(
        "the mean and variance run over the tokens. LayerNorm looks at one token at a time: the last axis.",
            standardised(axis=-2)),
    Mistake("the mean and variance run over the batch: that is BatchNorm. LayerNorm looks at one token at a "
            "time: the "
            "last axis.", standardised(axis=0)),
    Mistake("the mean and variance run over the whole array. LayerNorm looks at one token at a time: the "
            "last axis.",
            standardised(axis=None)),
    Mistake(
        "the mean and variance run over all axes but the first. LayerNorm looks at one token at a time: the "
            "last axis.", lambda x, *rest: standardised(axis=tuple(range(1, x.ndim)))(x, *rest)),
    Mistake("the variance divides by D - 1 (ddof=1, the default of PyTorch's var and std). LayerNorm "
            "divides by D.",
            standardised(ddof=1)),
    Mistake("you divide by the variance; divide by its square root.",
            standardised(root=lambda var, eps: var + eps)),
    Mistake("you only subtract the mean; the division by the standard deviation is missing.",
            standardised(root=lambda var, eps: 1.0)),
    Mistake("the mean is not subtracted.", lambda x, gamma, beta, eps=1e-12:
            gamma * x / np.sqrt(x.var(-1, keepdims=True) + eps) + beta),
    Mistake("this is RMSNorm: the mean is not subtracted.", standardised(centre=False)),
    Mistake("gamma and beta are both ignored: multiply by gamma, then add beta.",
            standardised(finish=lambda z, gamma, beta: z)),
    Mistake("gamma is ignored: multiply the standardised row by gamma.",
            standardised(finish=lambda z, gamma, beta: z + beta)),
    Mistake("beta is ignored: add it at the end.", standardised(finish=lambda z, gamma, beta: z * gamma)),
    Mistake("gamma and beta are swapped: gamma multiplies, beta is added.",
            standardised(finish=lambda z, gamma, beta: z * beta + gamma)),
    Mistake("gamma multiplies beta too: scale first, then add beta.",
            standardised(finish=lambda z, gamma, beta: gamma * (z + beta))),
    *(Mistake("eps is a fixed number in your code. Use the argument.", standardised(eps_is=fixed))
      for fixed in (1e-12, 1e-8, 1e-6, 1e-5)),
    Mistake(
        "eps is missing: a row of equal numbers has variance 0, and 0 / 0 is nan. Add eps to the variance.",
            standardised(root=lambda var, eps: np.sqrt(var))),
    Mistake("eps stands outside the root. It belongs inside: sqrt(variance + eps).",
            standardised(root=lambda var, eps: np.sqrt(var) + eps)),
    Mistake("eps is added twice, or squared: it belongs inside the root once, sqrt(variance + eps).",
            standardised(root=lambda var, eps: np.sqrt(var + eps * eps))),
    Mistake("the mean or the variance has lost its axis, so it does not line up with x. Add keepdims=True.",
            lambda x, gamma, beta, eps=1e-12: x - x.mean(-1)),
    *pairs(standardised,
           (dict(axis=-2), "the mean and variance run over the tokens instead of the last axis"),
           (dict(axis=None), "the mean and variance run over the whole array instead of the last axis"),
           (dict(ddof=1), "the variance divides by D - 1 instead of D"),
           (dict(centre=False), "the mean is not subtracted"),
           (dict(root=lambda var, eps: var + eps), "the root of the variance is missing"),
           (dict(root=lambda var, eps: np.sqrt(var) + eps), "eps stands outside the root"),
           (dict(root=lambda var, eps: np.sqrt(var)), "eps is missing"),
           (dict(finish=lambda z, gamma, beta: z + beta), "gamma is ignored"),
           (dict(finish=lambda z, gamma, beta: z * gamma), "beta is ignored"),
           (dict(finish=lambda z, gamma, beta: z), "gamma and beta are ignored"),
           (dict(finish=lambda z, gamma, beta: z * beta + gamma), "gamma and beta are swapped")),
)


def tanh_gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def post_norm(x, attend, feed, norm1, norm2):
    x = norm1(x + attend(x))
    return norm2(x + feed(x))


def layer(join=post_norm, activation=reference.gelu, bias=True, see=lambda visible: visible):
    """An encoder layer put together by join(x, attend, feed, norm1, norm2)."""
    def wrong(x, weights, num_heads, visible=None):
        def attend(x):
            return reference.multi_head_attention(x, sub(weights, "attention"), num_heads, see(visible))[0]

        def feed(x):
            up, down = (weights[f"feed_forward.{name}.bias"] * bias for name in ("up", "down"))
            inner = activation(x @ weights["feed_forward.up.weight"].T + up)    # (B, T, F)
            return inner @ weights["feed_forward.down.weight"].T + down         # (B, T, D)

        norms = (lambda x, name=name: reference.layer_norm(x, sub(weights, name))
                 for name in ("attention_norm", "feed_forward_norm"))
        return join(x, attend, feed, *norms)
    return wrong


def pre_norm(x, attend, feed, norm1, norm2):
    x = x + attend(norm1(x))
    return x + feed(norm2(x))


def norm_inside(x, attend, feed, norm1, norm2):
    x = x + norm1(attend(x))
    return x + norm2(feed(x))


ENCODER_LAYER = (
    Mistake("you normalise before each sublayer (pre-LN, as in GPT-2). BERT normalises after the residual: "
            "LayerNorm(x + sublayer(x)).", layer(pre_norm)),
    Mistake(
        "you normalise the sublayer's output and then add x. BERT adds first: LayerNorm(x + sublayer(x)).",
            layer(norm_inside)),
    Mistake("both residuals are missing: LayerNorm(x + sublayer(x)).",
            layer(lambda x, a, f, n1, n2: n2(f(n1(a(x)))))),
    Mistake("the residual around attention is missing: LayerNorm(x + attention(x)).",
            layer(lambda x, a, f, n1, n2: n2(n1(a(x)) + f(n1(a(x)))))),
    Mistake("the residual around the feed-forward part is missing: LayerNorm(x + feed_forward(x)).",
            layer(lambda x, a, f, n1, n2: n2(f(n1(x + a(x)))))),
    Mistake("the second residual adds the layer's input. Add what came out of the first LayerNorm.",
            layer(lambda x, a, f, n1, n2: n2(x + f(n1(x + a(x)))))),
    Mistake("the feed-forward part reads the layer's input. It reads what came out of the first LayerNorm.",
            layer(lambda x, a, f, n1, n2: n2(n1(x + a(x)) + f(x)))),
    Mistake("the two LayerNorms are swapped: `attention_norm` first, `feed_forward_norm` second.",
            layer(lambda x, a, f, n1, n2: post_norm(x, a, f, n2, n1))),
    Mistake(
        "`attention_norm` is used twice. The second LayerNorm has weights of its own: `feed_forward_norm`.",
            layer(lambda x, a, f, n1, n2: post_norm(x, a, f, n1, n1))),
    Mistake("the LayerNorm after attention is missing.",
            layer(lambda x, a, f, n1, n2: n2(x + a(x) + f(x + a(x))))),
    Mistake("the LayerNorm after the feed-forward part is missing.",
            layer(lambda x, a, f, n1, n2: n1(x + a(x)) + f(n1(x + a(x))))),
    Mistake("both LayerNorms are missing.", layer(lambda x, a, f, n1, n2: x + a(x) + f(x + a(x)))),
    Mistake("the feed-forward part is missing.", layer(lambda x, a, f, n1, n2: n1(x + a(x)))),
    Mistake("attention is missing.", layer(lambda x, a, f, n1, n2: n2(x + f(x)))),
    Mistake("the feed-forward part uses ReLU, as the Transformer did. BERT uses GELU.",
            layer(post_norm, lambda x: np.maximum(x, 0))),
    Mistake("the GELU between the two matrices is missing. Without it they are one matrix.",
            layer(post_norm, lambda x: x)),
    Mistake("this is the tanh approximation of GELU. It is close, but use the exact `gelu` that is imported "
            "above.",
            layer(post_norm, tanh_gelu)),
    Mistake("GELU is applied after the second matrix too. It stands only between the two.",
            layer(lambda x, a, f, n1, n2: n2(n1(x + a(x)) + reference.gelu(f(n1(x + a(x))))))),
    Mistake("the biases of the feed-forward part are missing.", layer(post_norm, bias=False)),
    Mistake("`visible` is ignored. Pass it on to multi_head_attention.",
            layer(see=lambda visible: None)),
    Mistake("you return (x, probs); return the new x alone, so that the next layer can take it.",
            lambda x, weights, num_heads, visible=None: reference.encoder_layer(x, weights, num_heads,
                                                                                visible)),
    *pairs(layer,
           (dict(join=pre_norm), "each sublayer is normalised before it, instead of after the residual"),
           (dict(join=norm_inside), "the sublayer's output is normalised before x is added"),
           (dict(join=lambda x, a, f, n1, n2: n2(f(n1(a(x))))), "both residuals are missing"),
           (dict(join=lambda x, a, f, n1, n2: n2(x + f(n1(x + a(x))))),
            "the second residual adds the layer's input"),
           (dict(join=lambda x, a, f, n1, n2: post_norm(x, a, f, n1, n1)), "`attention_norm` is used twice"),
           (dict(join=lambda x, a, f, n1, n2: post_norm(x, a, f, n2, n1)), "the two LayerNorms are swapped"),
           (dict(activation=lambda x: np.maximum(x, 0)), "ReLU stands where GELU should"),
           (dict(activation=lambda x: x), "GELU is missing"),
           (dict(activation=tanh_gelu), "GELU is its tanh approximation"),
           (dict(bias=False), "the biases of the feed-forward part are missing"),
           (dict(see=lambda visible: None), "`visible` is ignored")),
)
