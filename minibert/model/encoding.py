"""Text to vectors: the last layer of an encoder, for each token or pooled to one vector per text.

Devlin et al. (2019, arXiv 1810.04805), section 3.2, classify the vector of [CLS]. To compare texts without
fine-tuning, the mean of all tokens is better (Reimers and Gurevych, 2019, arXiv 1908.10084, table 1).
"""

import logging
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import torch

from minibert.data.batch import collate, visible_all
from minibert.readers.inputs import as_texts
from minibert.readers.wording import truncation

from .encoder import Encoder
from .transfer import input_device

Pooling = Literal["mean", "cls"]
POOLINGS = ("mean", "cls", None)


@torch.no_grad()
def encode(
    encoder: Encoder,
    tokenizer: Any,
    texts: str | Iterable[str],
    pooling: Pooling | None,
    longest: int,
    batch_size: int = 32,
) -> np.ndarray | list[np.ndarray]:
    """Return the vectors of texts in float32: (N, D) with pooling, else a list of N arrays (T, D).

    For a single string, return (D,) or (T, D). pooling: "mean" of all T tokens, which include [CLS] and
    [SEP], or "cls" for the vector of [CLS]. longest: the maximum of T; longer texts are truncated, and their
    number is logged. Texts of similar length are batched together. Raises ValueError for an unknown pooling,
    or if `texts` is not a string or a list of strings.
    """
    if pooling not in POOLINGS:
        raise ValueError(f"pooling={pooling!r} must be one of {', '.join(map(repr, POOLINGS))}")
    ids = [encoding.ids for encoding in tokenizer.encode_batch(as_texts(texts))]
    if count := sum(len(row) > longest - 2 for row in ids):
        logging.getLogger(__name__).warning(truncation(count, "text", longest))
    encoder.eval()
    device = input_device(encoder)
    found = [np.empty(0)] * len(ids)
    by_length = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    for start in range(0, len(ids), batch_size):
        some = by_length[start : start + batch_size]
        batch = collate([(ids[i][: longest - 2], None) for i in some], tokenizer.specials)
        arrays = (batch.input_ids, visible_all(batch.real), batch.token_type_ids)
        states = encoder(*(torch.from_numpy(array).to(device) for array in arrays))["hidden"]  # (B, T, D)
        for i, row, real in zip(some, states.float().cpu().numpy(), batch.real):
            row = row[: real.sum()]  # (T, D) without padding
            found[i] = row.mean(0) if pooling == "mean" else np.array(row[0] if pooling else row)
    if isinstance(texts, str):
        return found[0]
    return np.array(found, np.float32).reshape(-1, encoder.config.hidden_size) if pooling else found
