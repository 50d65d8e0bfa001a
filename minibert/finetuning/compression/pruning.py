"""Pruning: single weights are set to 0, or heads, feed-forward columns and layers are removed.

Single weights (Han et al., 2015, arXiv 1506.02626, section 3): the model stays as large and as slow. Heads
(Michel et al., 2019, arXiv 1905.10650), columns (McCarley et al., 2019, arXiv 1910.06360) and layers (Sajjad
et al., 2023, arXiv 2004.03844): it gets smaller and faster. `importance` chooses them; `gradual` prunes while
training. Axes: H heads, K head size, D hidden, F feed-forward, L layers.
"""

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ...model import Encoder, FastEncoder
from ...model.low_rank import has_adapters, merged
from .student import start_from


def magnitude_mask(weights: np.ndarray, share: float) -> np.ndarray:
    """Return which weights to keep, bool like `weights`: round(share * size) of the smallest are removed.

    Of weights of the same magnitude, the first ones are removed first. Raises ValueError unless 0 <= share
    <= 1.

    >>> magnitude_mask(np.array([[0.5, -2.0], [-0.1, 1.0]]), share=0.5).tolist()
    [[False, True], [False, True]]
    """
    return largest_mask(np.abs(weights), share)


def largest_mask(scores: np.ndarray, share: float) -> np.ndarray:
    """Return which scores remain, bool like `scores`, without the round(share * size) smallest ones."""
    if not 0 <= share <= 1:
        raise ValueError(f"share={share} must be between 0 and 1")
    kept = np.ones(scores.size, dtype=bool)
    kept[np.argsort(scores, axis=None, kind="stable")[: round(share * scores.size)]] = False
    return kept.reshape(scores.shape)


class PrunedEncoder(FastEncoder):
    """An encoder whose layers may have different numbers of heads and columns.

    The published file formats have no place for them, so it cannot be saved in a folder, only exported.
    """

    @classmethod
    def of(cls, encoder: nn.Module) -> "PrunedEncoder":
        """Return a copy of an encoder, of this class."""
        plain: Any = merged(encoder) if has_adapters(encoder) else encoder  # type: ignore[arg-type]
        pruned = cls(plain.config)
        pruned.embeddings, pruned.layers = copy.deepcopy((plain.embeddings, plain.layers))
        return pruned.train(encoder.training)


def prune_heads(encoder: Encoder, heads: Iterable[tuple[int, int]]) -> PrunedEncoder:
    """Return a copy of an encoder without some attention heads, whose weights are removed.

    heads: pairs (layer, head), counted from 0. The outputs are those of a `gate` of 0 for these heads. Raises
    ValueError if there is no such head, or if a layer would have none left.
    """
    pruned, chosen = PrunedEncoder.of(encoder), set(heads)
    for number, layer in enumerate(pruned.layers):
        attention: Any = layer.attention
        H, K = attention.num_heads, attention.query.out_features // attention.num_heads
        kept = [head for head in range(H) if (number, head) not in chosen]
        chosen -= {(number, head) for head in range(H)}
        if not kept:
            raise ValueError(f"layer {number} would have no heads left: keep at least one of its {H}")
        places = torch.tensor([head * K + i for head in kept for i in range(K)])
        for part in (attention.query, attention.key, attention.value):
            keep_rows(part, places)
        keep_columns(attention.out, places)
        attention.num_heads = len(kept)
    check_all_found(chosen, "head", pruned)
    return pruned


def prune_columns(encoder: Encoder, columns: Iterable[tuple[int, int]]) -> PrunedEncoder:
    """Return a copy of an encoder without some columns of the feed-forward networks.

    columns: pairs (layer, column), counted from 0; a column is one of the F numbers between the two matrices.
    Raises ValueError if there is no such column.
    """
    pruned, chosen = PrunedEncoder.of(encoder), set(columns)
    for number, layer in enumerate(pruned.layers):
        feed_forward: Any = layer.feed_forward
        F = feed_forward.up.out_features
        kept = torch.tensor([i for i in range(F) if (number, i) not in chosen], dtype=torch.int64)
        chosen -= {(number, column) for column in range(F)}
        keep_rows(feed_forward.up, kept)
        keep_columns(feed_forward.down, kept)
    check_all_found(chosen, "column", pruned)
    return pruned


def drop_layers(encoder: Encoder, count: int) -> FastEncoder:
    """Return a copy of an encoder without its top `count` layers. Raises ValueError if none would be left."""
    if not 0 <= count < len(encoder.layers):
        raise ValueError(f"count={count} must be between 0 and {len(encoder.layers) - 1} for this encoder")
    return start_from(encoder, range(len(encoder.layers) - count))


def keep_rows(linear: nn.Linear, places: Tensor) -> None:
    """Keep only some outputs of a linear layer, in place."""
    linear.weight, linear.bias = nn.Parameter(linear.weight[places]), nn.Parameter(linear.bias[places])
    linear.out_features = len(places)


def keep_columns(linear: nn.Linear, places: Tensor) -> None:
    """Keep only some inputs of a linear layer, in place."""
    linear.weight = nn.Parameter(linear.weight[:, places])
    linear.in_features = len(places)


def check_all_found(left: set[tuple[int, int]], what: str, encoder: Encoder) -> None:
    if left:
        layer, number = min(left)
        raise ValueError(f"there is no {what} {number} in layer {layer} of {len(encoder.layers)}")
