"""Sinusoidal positions in PyTorch.

Vaswani et al. (2017, arXiv 1706.03762), section 3.5. BERT learns its position embeddings instead.
"""

import torch
from torch import Tensor


def positional_encoding(length: int, hidden_size: int) -> Tensor:
    """Return the sinusoidal encodings of positions 0 to length - 1, as (length, hidden_size) float64.

    PE[t, 2i] = sin(t / 10000^(2i/D)), PE[t, 2i+1] = cos of the same angle. Raises ValueError if hidden_size
    is odd.
    """
    if hidden_size % 2:
        raise ValueError(f"hidden_size={hidden_size} must be even, because sines and cosines come in pairs")
    i = torch.arange(hidden_size // 2, dtype=torch.float64)  # (D/2,)
    angles = torch.arange(length)[:, None] / 10000 ** (2 * i / hidden_size)  # (T, D/2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)  # (T, D)
