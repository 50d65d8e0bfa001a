"""What all ways of writing share: a model as a function of arrays, and draws; and writing left to right.

GPT (Radford et al., 2018) is the comparison: it draws each token once, given the tokens before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..data.batch import visible_all, visible_causal

if TYPE_CHECKING:
    from ..model import Model

LogProbs = Callable[[np.ndarray], np.ndarray]  # ids (N, T) -> log probabilities (N, T, V)


def model_log_probs(
    model: Model, causal: bool = False, mask: int | None = None, batch_size: int = 256
) -> LogProbs:
    """Return a model with a head "tokens" as a function of token ids, without padding.

    causal: True for a GPT, whose position t predicts token t + 1; False for a BERT. mask: the id of [MASK] to
    compute only the masked positions, which is faster and enough for a BERT; the others are nan.
    """
    import torch  # here, so that the functions of arrays need no PyTorch

    model.eval()

    @torch.no_grad()
    def log_probs(ids: np.ndarray) -> np.ndarray:
        found = []
        for part in np.split(ids, range(batch_size, len(ids), batch_size)):
            visible = (visible_causal if causal else visible_all)(np.ones(part.shape, bool))
            counted = np.ones(part.shape, bool) if mask is None else part == mask  # (N, T)
            inputs = [torch.from_numpy(x) for x in (part, visible, np.zeros_like(part), counted)]
            logs = model(*inputs)["tokens"].float().log_softmax(-1).numpy()  # (counted, V)
            found.append(np.full((*part.shape, logs.shape[-1]), np.nan, np.float32))
            found[-1][counted] = logs
        return np.concatenate(found)  # (N, T, V)

    return log_probs


def sample(log_probs: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw an index from each of several distributions: log probabilities (..., V) -> (...)."""
    total = np.exp(log_probs).cumsum(-1)  # (..., V)
    drawn = rng.random(total.shape[:-1]) * total[..., -1]
    return (total <= drawn[..., None]).sum(-1).clip(max=total.shape[-1] - 1)


def write_left_to_right(
    start: np.ndarray, length: int, log_probs: LogProbs, end: int, rng: np.random.Generator
) -> np.ndarray:
    """Continue texts `start` (N, t) token by token up to `length` tokens, (N, length).

    log_probs: a causal model. end: the id that ends a text; after it, the text is filled with `end`.
    """
    ids = start
    while ids.shape[1] < length:
        new = sample(log_probs(ids)[:, -1], rng)  # (N,)
        ended = (ids[:, start.shape[1] :] == end).any(1)
        ids = np.concatenate([ids, np.where(ended, end, new)[:, None]], 1)
    return ids
