"""The matrix products of a training step, timed alone: a lower bound on the step's time on this machine."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ..config import ModelConfig


def linear_shapes(
    config: ModelConfig, tokens: int, predicted: int, read: int
) -> list[tuple[tuple[int, int, int], int]]:
    """Return pairs ((rows, inputs, outputs), count) for the linear layers of one forward pass.

    tokens, predicted: the numbers of total and of predicted tokens. read: the number of tokens whose last
    hidden states a head uses.
    """
    D, F, L, V = config.hidden_size, config.intermediate_size, config.num_hidden_layers, config.vocab_size
    return [
        ((tokens, D, 3 * D), L),
        ((tokens, D, D), L - 1),
        ((tokens, D, F), L - 1),
        ((tokens, F, D), L - 1),
        ((read, D, D), 1),
        ((read, D, F), 1),
        ((read, F, D), 1),
        ((predicted, D, D), 1),
        ((predicted, D, V), 1),
    ]


def useful_work(config: ModelConfig, lengths: Sequence[int], predicted: int, read: int | None = None) -> int:
    """Count the floating-point operations of a training step for non-padding tokens and predicted positions.

    A multiply-add counts as two operations, once in the forward and twice in the backward pass. lengths: the
    number of non-padding tokens of each sequence. read: as in `linear_shapes`; None means the predicted
    positions and each sequence's [CLS], as on a CPU.
    """
    read = predicted + len(lengths) if read is None else read
    linear = sum(
        times * 2 * m * k * n for (m, k, n), times in linear_shapes(config, sum(lengths), predicted, read)
    )
    attention = config.num_hidden_layers * sum(4 * T * T * config.hidden_size for T in lengths)
    return 3 * (linear + attention)


class Products:
    """All matrix products of a training step, forward and backward, for B sequences of T tokens."""

    def __init__(self, config: ModelConfig, B: int, T: int, predicted: int, dtype: torch.dtype) -> None:
        self.work = useful_work(config, [T] * B, predicted)
        self.pairs: list[tuple[torch.Tensor, torch.Tensor, int]] = []  # (left, right, times)
        for (m, k, n), times in linear_shapes(config, B * T, predicted, predicted + B):
            x, w, g = (torch.randn(shape).to(dtype) for shape in ((m, k), (n, k), (m, n)))
            self.pairs += [(x, w.t(), times), (g, w, times), (g.t(), x, times)]  # y, dx, dw
        heads = B * config.num_attention_heads
        q, p = (torch.randn(shape).to(dtype) for shape in ((heads, T, config.head_size), (heads, T, T)))
        times = config.num_hidden_layers
        self.pairs += [
            (q, q.transpose(1, 2), 2 * times),
            (p, q, 2 * times),
            (p.transpose(1, 2), q, 2 * times),
        ]

    def step(self) -> None:
        for left, right, times in self.pairs:
            for _ in range(times):
                left @ right
