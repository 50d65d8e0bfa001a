"""The reference implementation, in NumPy, of sinusoidal position encodings.

Vaswani et al. (2017, arXiv 1706.03762), section 3.5. BERT learns a table of this shape instead.
"""

import numpy as np


def positional_encoding(length: int, hidden_size: int) -> np.ndarray:
    """Return PE (T, D) with PE[t, 2i] = sin(t / 10000^(2i/D)) and PE[t, 2i+1] = cos of the same angle.

    T = length, D = hidden_size; float64. Raises ValueError if hidden_size is odd.

    >>> positional_encoding(2, 2).round(3).tolist()
    [[0.0, 1.0], [0.841, 0.54]]
    """
    if hidden_size % 2:
        raise ValueError(f"hidden_size={hidden_size} must be even, because sines and cosines come in pairs")
    i = np.arange(hidden_size // 2)  # (D/2,)
    angles = np.arange(length)[:, None] / 10000 ** (2 * i / hidden_size)  # (T, D/2)
    encoding = np.empty((length, hidden_size))
    encoding[:, 0::2], encoding[:, 1::2] = np.sin(angles), np.cos(angles)
    return encoding
