"""Measures of where a hidden state comes from, and of whether attention to a token has any effect.

Kobayashi et al. (2020, arXiv 2004.10102), section 2: the attention weight times the norm of the transformed
value. Clark et al. (2019, arXiv 1906.04341), section 3.2: the gradient of the loss with respect to a weight.
Brunner et al. (2020, arXiv 1908.04211), section 5: the gradient of a hidden state with respect to the inputs.
Axes: L layers, H heads, T tokens, S attended tokens, K head size, D hidden.
"""

from collections.abc import Iterable

import numpy as np

from .definitions import token_attribution


def transformed_values(values: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return the vectors (H, S, D) that each head would add to the output for an attention weight of 1.

    values (H, S, K): the value vectors of each head, including the bias. out (D, H K): the weights of the
    output projection, in PyTorch's layout y = x W^T; its bias does not belong to any head. Raises ValueError
    if the sizes do not fit.
    """
    H, _, K = values.shape
    if out.shape[1] != H * K:
        raise ValueError(
            f"the output projection has {out.shape[1]} inputs, but there are {H} heads of size {K}"
        )
    return np.einsum("hsk,dhk->hsd", values, out.reshape(len(out), H, K))


def weighted_norms(probs: np.ndarray, transformed: np.ndarray) -> np.ndarray:
    """Return the norm of the vector that token t gets from token s in each head: (H, T, S).

    probs: the attention weights (H, T, S). transformed: the result of `transformed_values`, (H, S, D). A
    large weight for a value near 0 contributes almost nothing.

    >>> weighted_norms(np.array([[[0.5, 0.5]]]), np.array([[[6.0, 8.0], [0.0, 0.0]]])).tolist()
    [[[5.0, 0.0]]]
    """
    return probs * np.linalg.norm(transformed, axis=-1)[:, None, :]


def no_op(probs: np.ndarray, transformed: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of the attention and of the weighted norms that the chosen tokens get, (H,) each.

    probs: the attention weights (H, T, S). transformed: the result of `transformed_values`, (H, S, D). chosen
    (S,) bool: the chosen tokens, such as [SEP]. A large share of attention with a small share of norms means
    that a head looks at these tokens when it has nothing to do.
    """
    norms = weighted_norms(probs, transformed)
    return tuple((x * np.asarray(chosen, bool)).sum(axis=(1, 2)) / x.sum(axis=(1, 2)) for x in (probs, norms))  # type: ignore[return-value]  # two of them


def attention_gradient(gradients: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Measure how much the loss depends on the attention to the chosen tokens: (..., T, S) -> (...).

    gradients: the gradients of the loss with respect to the attention weights; chosen (S,) bool. The result
    is their mean absolute value for the chosen tokens. Raises ValueError if no token is chosen.
    """
    chosen = np.asarray(chosen, bool)
    if not chosen.any():
        raise ValueError(f"chosen is False for all {len(chosen)} tokens; choose at least one")
    return np.abs(gradients)[..., chosen].mean(axis=(-2, -1))


def own_and_neighbours(jacobians: Iterable[np.ndarray], farthest: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Return how much the tokens at distances 0, 1, 2, ... contribute to an output, as (mean, spread).

    jacobians: an array (T, D, T, E) for each sentence, as for `token_attribution`. Both results have shape
    (farthest + 1,), with nan for distances that do not occur; the spread is the standard deviation across the
    sentences.
    """
    rows = []
    for jacobian in jacobians:
        by_distance = token_attribution(jacobian)[1][: farthest + 1]
        rows.append(np.pad(by_distance, (0, farthest + 1 - len(by_distance)), constant_values=np.nan))
    table = np.ma.masked_invalid(np.stack(rows))  # (sentences, farthest + 1)
    return table.mean(axis=0).filled(np.nan), table.std(axis=0).filled(np.nan)
