"""Gibbs sampling: mask one token, draw it again given all others, and repeat.

Wang and Cho (2019, arXiv 1902.04094). Their section 2 calls BERT a Markov random field; their later note
("BERT has a Mouth and must Speak, but it is not an MRF", 2019) withdraws that: the conditionals of a trained
BERT need not belong to any joint distribution, so the chain may depend on the order of the positions.
If they do, the chain has exactly that joint distribution in the long run.
"""

from collections.abc import Iterator

import numpy as np

from .sampling import LogProbs, sample


def gibbs_step(
    ids: np.ndarray, position: int, log_probs: LogProbs, mask: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw the token at `position` of each text again, given all other tokens; return new ids (N, T).

    mask: the id of [MASK].
    """
    masked = ids.copy()
    masked[:, position] = mask
    new = masked.copy()
    new[:, position] = sample(log_probs(masked)[:, position], rng)
    return new


def gibbs(
    ids: np.ndarray,
    free: np.ndarray,
    log_probs: LogProbs,
    mask: int,
    sweeps: int,
    rng: np.random.Generator,
) -> Iterator[np.ndarray]:
    """Yield the texts (N, T) after each sweep, which draws every free position once, in random order.

    ids: the texts at the beginning, such as only [MASK]. free: (T,) bool, the positions that may change.
    """
    for _ in range(sweeps):
        for position in rng.permutation(np.flatnonzero(free)):
            ids = gibbs_step(ids, position, log_probs, mask, rng)
        yield ids
