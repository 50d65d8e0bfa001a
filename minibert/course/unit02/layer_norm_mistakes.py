"""Students' common mistakes in `layer_norm`. D is the hidden size, the last axis of x."""

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

        the mean and variance run over the tokens. LayerNorm normalises each token by itself, along the
        last axis.
            axis=-1 =>> axis=-2
        the mean and variance run over the batch, as in BatchNorm. LayerNorm normalises each token by itself,
        along the last axis.
            axis=-1 =>> axis=0
        the mean and variance run over the whole array. LayerNorm normalises each token by itself, along the
        last axis.
            axis=-1 =>> axis=None
        the mean and variance run over all axes but the first. LayerNorm normalises each token by itself,
        along the last axis.
            axis=-1 =>> axis=tuple(range(1, x.ndim))
        the variance divides by D - 1, as PyTorch does by default. LayerNorm divides by D.
            x.var( => x.var(ddof=1,
        you divide by the variance. Divide by its square root instead.
            np.sqrt(var + eps) => (var + eps)
        you only subtract the mean. Divide by the standard deviation too.
            / np.sqrt(var + eps) =>
        you do not subtract the mean. Subtract it first, then divide by the standard deviation.
            x - mean => x
        this is RMSNorm, which does not subtract the mean. Subtract it, and divide by the standard deviation.
            x - mean => x
            x.var( => (x * x).mean(
        you ignore both gamma and beta. Multiply by gamma, then add beta.
            $last => normal
        you ignore gamma. Multiply the normalised row by it.
            $last => normal + beta
        you ignore beta. Add it at the end.
            $last => gamma * normal
        gamma and beta are swapped. Multiply by gamma, then add beta.
            $last => beta * normal + gamma
        you multiply beta by gamma too. Multiply only the normalised row by gamma, then add beta.
            $last => gamma * (normal + beta)
        you use eps as a minimum of the variance. Add it to every variance.
            var + eps => np.maximum(var, eps)
        you take the root of eps separately. Add eps to the variance first, then take the root.
            np.sqrt(var + eps) => (np.sqrt(var) + np.sqrt(eps))
        you multiply by 1 + gamma. Multiply by gamma itself.
            $last => (1 + gamma) * normal + beta
        you add beta twice. Add it once, at the end.
            $last => gamma * normal + 2 * beta
        you subtract the median. LayerNorm subtracts the mean.
            x - mean => x - np.median(x, axis=-1, keepdims=True)
        eps is hard-coded in your answer. Use the argument `eps`.
            var + eps => var + {1e-12 | 1e-8 | 1e-6 | 1e-5}
        eps is missing, so a row of equal numbers, whose variance is 0, becomes nan. Add eps to the variance.
            var + eps => var
        you add eps outside the root. Add it to the variance, inside the root.
            np.sqrt(var + eps) => (np.sqrt(var) + eps)
        you square eps. Add it to the variance as it is.
            var + eps => var + eps * eps
        the mean or the variance has lost its axis and does not line up with x. Add keepdims=True.
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
        you do not subtract the mean
            x - mean => x
            x.var(axis => (x * x).mean(axis
        the square root of the variance is missing
            $root => (var + eps)
        you add eps outside the root
            $root => (np.sqrt(var) + eps)
        eps is missing
            $root => np.sqrt(var)
        you ignore gamma
            $last => normal + beta
        you ignore beta
            $last => gamma * normal
        you ignore gamma and beta
            $last => normal
        gamma and beta are swapped
            $last => beta * normal + gamma
        """,
    ),
)
