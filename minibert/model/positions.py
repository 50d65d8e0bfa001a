"""Sinusoidal positions in PyTorch; mirrors `minibert.reference.positions`.

Vaswani et al. (2017, arXiv 1706.03762), section 3.5. BERT's encoder learns its position table instead.
"""
import torch


def positional_encoding(length, hidden_size):
    """PE[t, 2i] = sin(t / 10000^(2i/D)), PE[t, 2i+1] = cos of the same angle. Returns (length, hidden_size)
    float64.
    """
    if hidden_size % 2:
        raise ValueError(f"hidden_size={hidden_size} must be even: each sine has its cosine")
    i = torch.arange(hidden_size // 2, dtype=torch.float64)                     # (D/2,)
    angles = torch.arange(length)[:, None] / 10000 ** (2 * i / hidden_size)     # (T, D/2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)         # (T, D)
