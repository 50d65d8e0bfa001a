"""Where a hidden state comes from, and whether attention to a token does anything.

Kobayashi et al. (2020, arXiv 2004.10102), section 2: the weight times the norm of the value that it moves.
Clark et al. (2019, arXiv 1906.04341), section 3.2: the gradient of the loss for a weight. Brunner et al.
(2020, arXiv 1908.04211), section 5: the gradient of a hidden state for the inputs,
`definitions.token_attribution`. Axes: L layers, H heads, T tokens, S tokens that are attended to, K
head size, D hidden.
"""

from collections.abc import Iterable

import numpy as np

from .definitions import token_attribution


def transformed_values(values: np.ndarray, out: np.ndarray) -> np.ndarray:
    """What each head would add to a hidden state for a weight of 1: (H, S, K) and (D, H K) -> (H, S, D).

    values: of each head, with bias; out: the weight of the output projection, in PyTorch's layout y = x W^T.
    Its own bias belongs to no head. Raises ValueError where the sizes do not fit.
    """
    H, _, K = values.shape
    if out.shape[1] != H * K:
        raise ValueError(f"an output projection of {out.shape[1]} inputs for {H} heads of {K} numbers")
    return np.einsum("hsk,dhk->hsd", values, out.reshape(len(out), H, K))


def weighted_norms(probs: np.ndarray, transformed: np.ndarray) -> np.ndarray:
    """The norm of what token s gives to token t in each head: (H, T, S) and (H, S, D) -> (H, T, S).

    Kobayashi et al., section 2: a large weight on a value near 0 gives next to nothing.

    >>> weighted_norms(np.array([[[0.5, 0.5]]]), np.array([[[6.0, 8.0], [0.0, 0.0]]])).tolist()
    [[[5.0, 0.0]]]
    """
    return probs * np.linalg.norm(transformed, axis=-1)[:, None, :]


def no_op(probs: np.ndarray, transformed: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Share of the attention that the chosen tokens get, and share of what it moves: (H,) each.

    probs (H, T, S), transformed (H, S, D), chosen (S,) bool, such as [SEP]. A head that rests there has a
    large share of the weights and a small one of the weighted norms.
    """
    norms = weighted_norms(probs, transformed)
    return tuple((x * np.asarray(chosen, bool)).sum(axis=(1, 2)) / x.sum(axis=(1, 2)) for x in (probs, norms))  # type: ignore[return-value]  # two of them


def attention_gradient(gradients: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """How much the loss would change with the attention to the chosen tokens: (..., T, S) -> (...).

    gradients: of the loss for the attention weights. The mean size for the chosen tokens (S,): near 0 where
    it does not matter how much attention they get. Raises ValueError if no token is chosen.
    """
    chosen = np.asarray(chosen, bool)
    if not chosen.any():
        raise ValueError(f"chosen is False for all {len(chosen)} tokens: choose at least one")
    return np.abs(gradients)[..., chosen].mean(axis=(-2, -1))


def own_and_neighbours(jacobians: Iterable[np.ndarray], farthest: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """The mean contribution of the token itself and of tokens 1, 2, ... places away: (mean, spread).

    jacobians: (T, D, T, E) of each sentence, of any lengths. Both results are (farthest + 1,); the spread is
    the standard deviation over the sentences; nan where no sentence is so long.
    """
    rows = []
    for jacobian in jacobians:
        by_distance = token_attribution(jacobian)[1][: farthest + 1]
        rows.append(np.pad(by_distance, (0, farthest + 1 - len(by_distance)), constant_values=np.nan))
    table = np.ma.masked_invalid(np.stack(rows))  # (sentences, farthest + 1)
    return table.mean(axis=0).filled(np.nan), table.std(axis=0).filled(np.nan)
