"""Known mistakes about `layer_norm`; D: hidden size, the last axis of x."""

import numpy as np

from ..checks.edits import edits, pairs_of_edits


def plain(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, eps: float = 1e-12) -> np.ndarray:
    mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)  # (..., 1)
    normal = (x - mean) / np.sqrt(var + eps)  # (..., D)
    return gamma * normal + beta


LAYER_NORM = (
    *edits(
        plain,
        """
        $last = gamma * normal + beta

        the mean and variance run over the tokens. LayerNorm looks at one token at a time: the last axis.
            axis=-1 =>> axis=-2
        the mean and variance run over the batch: that is BatchNorm. LayerNorm looks at one token at a time:
        the last axis.
            axis=-1 =>> axis=0
        the mean and variance run over the whole array. LayerNorm looks at one token at a time: the last axis.
            axis=-1 =>> axis=None
        the mean and variance run over all axes but the first. LayerNorm looks at one token at a time: the
        last axis.
            axis=-1 =>> axis=tuple(range(1, x.ndim))
        the variance divides by D - 1 (ddof=1, the default of PyTorch's var and std). LayerNorm divides by D.
            x.var( => x.var(ddof=1,
        you divide by the variance; divide by its square root.
            np.sqrt(var + eps) => (var + eps)
        you only subtract the mean; the division by the standard deviation is missing.
            / np.sqrt(var + eps) =>
        the mean is not subtracted.
            x - mean => x
        this is RMSNorm: the mean is not subtracted.
            x - mean => x
            x.var( => (x * x).mean(
        gamma and beta are both ignored: multiply by gamma, then add beta.
            $last => normal
        gamma is ignored: multiply the standardised row by gamma.
            $last => normal + beta
        beta is ignored: add it at the end.
            $last => gamma * normal
        gamma and beta are swapped: gamma multiplies, beta is added.
            $last => beta * normal + gamma
        gamma multiplies beta too: scale first, then add beta.
            $last => gamma * (normal + beta)
        eps replaces a small variance. It is added to every variance: sqrt(variance + eps).
            var + eps => np.maximum(var, eps)
        eps is taken out of the root by itself. It belongs inside: sqrt(variance + eps).
            np.sqrt(var + eps) => (np.sqrt(var) + np.sqrt(eps))
        gamma is taken as 1 + gamma. Multiply by gamma itself.
            $last => (1 + gamma) * normal + beta
        beta is added twice.
            $last => gamma * normal + 2 * beta
        you subtract the median. LayerNorm subtracts the mean.
            x - mean => x - np.median(x, axis=-1, keepdims=True)
        eps is a fixed number in your code. Use the argument.
            var + eps => var + {1e-12 | 1e-8 | 1e-6 | 1e-5}
        eps is missing: a row of equal numbers has variance 0, and 0 / 0 is nan. Add eps to the variance.
            var + eps => var
        eps is outside the root. It belongs inside: sqrt(variance + eps).
            np.sqrt(var + eps) => (np.sqrt(var) + eps)
        eps is added twice, or squared: it belongs inside the root once, sqrt(variance + eps).
            var + eps => var + eps * eps
        the mean or the variance has lost its axis, so it does not line up with x. Add keepdims=True.
            , keepdims=True =>>
        """,
    ),
    *pairs_of_edits(
        plain,
        """
        $root = np.sqrt(var + eps)
        $last = gamma * normal + beta

        the mean and variance run over the tokens instead of the last axis
            axis=-1 =>> axis=-2
        the mean and variance run over the whole array instead of the last axis
            axis=-1 =>> axis=None
        the variance divides by D - 1 instead of D
            x.var(axis => x.var(ddof=1, axis
        the mean is not subtracted
            x - mean => x
            x.var(axis => (x * x).mean(axis
        the root of the variance is missing
            $root => (var + eps)
        eps is outside the root
            $root => (np.sqrt(var) + eps)
        eps is missing
            $root => np.sqrt(var)
        gamma is ignored
            $last => normal + beta
        beta is ignored
            $last => gamma * normal
        gamma and beta are ignored
            $last => normal
        gamma and beta are swapped
            $last => beta * normal + gamma
        """,
    ),
)
