"""Many languages in one model: how often each is sampled, and how finely a vocabulary cuts its words.

Devlin et al. (2019), multilingual README of google-research/bert: exponential smoothing with exponent 0.7;
Conneau et al. (2020, arXiv 1911.02116), section 3.1, use 0.3. Rust et al. (2021, arXiv 2012.15613), section
3.2, for fertility.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np


def sampling_shares(counts: Sequence[float], exponent: float) -> np.ndarray:
    """Return how often each language is sampled, (N,), from the size of its text: count^exponent, normalised.

    exponent: 1 keeps the languages' shares, 0 makes them equal. A language without text stays at 0. Raises
    ValueError if a count is negative or all are 0.

    >>> sampling_shares([900, 100], 0.5)
    array([0.75, 0.25])
    """
    sizes = np.asarray(counts, float)
    if (sizes < 0).any() or not sizes.any():
        raise ValueError(f"counts={list(counts)} must be at least 0, and not all 0")
    shares = np.where(sizes > 0, (sizes / sizes.sum()) ** exponent, 0)
    return shares / shares.sum()


def fertility(tokenize: Callable[[str], Sequence[object]], texts: Iterable[str]) -> float:
    """Return the mean number of tokens per word of some texts; 1 if the vocabulary contains every word.

    tokenize: maps a text to its tokens, without [CLS] and [SEP]. Words are separated by spaces. Raises
    ValueError if there are no words.

    >>> fertility(list, ["ab c", "d"])  # a token per character, and one for the space
    1.6666666666666667
    """
    texts = list(texts)
    words = sum(len(text.split()) for text in texts)
    if not words:
        raise ValueError("there are no words in these texts")
    return sum(len(tokenize(text)) for text in texts) / words
