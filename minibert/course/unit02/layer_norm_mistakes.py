"""Known mistakes about `layer_norm`; D: hidden size, the last axis of x."""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake, pairs


def standardised(
    axis: int | tuple[int, ...] | None = -1,
    ddof: int = 0,
    root: Callable = lambda var, eps: np.sqrt(var + eps),
    centre: bool = True,
    eps_is: float | None = None,
    finish: Callable = lambda z, gamma, beta: gamma * z + beta,
) -> Callable:
    """Build a LayerNorm with some pieces replaced.

    root(var, eps): what the centred rows are divided by; eps_is: a number used in place of eps; finish: the
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
        standardised(axis=-2),
    ),
    Mistake(
        "the mean and variance run over the batch: that is BatchNorm. LayerNorm looks at one token at a "
        "time: the last axis.",
        standardised(axis=0),
    ),
    Mistake(
        "the mean and variance run over the whole array. LayerNorm looks at one token at a time: the "
        "last axis.",
        standardised(axis=None),
    ),
    Mistake(
        "the mean and variance run over all axes but the first. LayerNorm looks at one token at a time: "
        "the last axis.",
        lambda x, *rest: standardised(axis=tuple(range(1, x.ndim)))(x, *rest),
    ),
    Mistake(
        "the variance divides by D - 1 (ddof=1, the default of PyTorch's var and std). LayerNorm divides "
        "by D.",
        standardised(ddof=1),
    ),
    Mistake(
        "you divide by the variance; divide by its square root.",
        standardised(root=lambda var, eps: var + eps),
    ),
    Mistake(
        "you only subtract the mean; the division by the standard deviation is missing.",
        standardised(root=lambda var, eps: 1.0),
    ),
    Mistake(
        "the mean is not subtracted.",
        lambda x, gamma, beta, eps=1e-12: gamma * x / np.sqrt(x.var(-1, keepdims=True) + eps) + beta,
    ),
    Mistake("this is RMSNorm: the mean is not subtracted.", standardised(centre=False)),
    Mistake(
        "gamma and beta are both ignored: multiply by gamma, then add beta.",
        standardised(finish=lambda z, gamma, beta: z),
    ),
    Mistake(
        "gamma is ignored: multiply the standardised row by gamma.",
        standardised(finish=lambda z, gamma, beta: z + beta),
    ),
    Mistake("beta is ignored: add it at the end.", standardised(finish=lambda z, gamma, beta: z * gamma)),
    Mistake(
        "gamma and beta are swapped: gamma multiplies, beta is added.",
        standardised(finish=lambda z, gamma, beta: z * beta + gamma),
    ),
    Mistake(
        "gamma multiplies beta too: scale first, then add beta.",
        standardised(finish=lambda z, gamma, beta: gamma * (z + beta)),
    ),
    Mistake(
        "eps replaces a small variance. It is added to every variance: sqrt(variance + eps).",
        standardised(root=lambda var, eps: np.sqrt(np.maximum(var, eps))),
    ),
    Mistake(
        "eps is taken out of the root by itself. It belongs inside: sqrt(variance + eps).",
        standardised(root=lambda var, eps: np.sqrt(var) + np.sqrt(eps)),
    ),
    Mistake(
        "gamma is taken as 1 + gamma. Multiply by gamma itself.",
        standardised(finish=lambda z, gamma, beta: z * (1 + gamma) + beta),
    ),
    Mistake("beta is added twice.", standardised(finish=lambda z, gamma, beta: z * gamma + 2 * beta)),
    Mistake(
        "you subtract the median. LayerNorm subtracts the mean.",
        lambda x, gamma, beta, eps=1e-12: (
            gamma * (x - np.median(x, -1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + beta
        ),
    ),
    *(
        Mistake("eps is a fixed number in your code. Use the argument.", standardised(eps_is=fixed))
        for fixed in (1e-12, 1e-8, 1e-6, 1e-5)
    ),
    Mistake(
        "eps is missing: a row of equal numbers has variance 0, and 0 / 0 is nan. Add eps to the variance.",
        standardised(root=lambda var, eps: np.sqrt(var)),
    ),
    Mistake(
        "eps stands outside the root. It belongs inside: sqrt(variance + eps).",
        standardised(root=lambda var, eps: np.sqrt(var) + eps),
    ),
    Mistake(
        "eps is added twice, or squared: it belongs inside the root once, sqrt(variance + eps).",
        standardised(root=lambda var, eps: np.sqrt(var + eps * eps)),
    ),
    Mistake(
        "the mean or the variance has lost its axis, so it does not line up with x. Add keepdims=True.",
        lambda x, gamma, beta, eps=1e-12: x - x.mean(-1),
    ),
    *pairs(
        standardised,
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
        (dict(finish=lambda z, gamma, beta: z * beta + gamma), "gamma and beta are swapped"),
    ),
)
