"""Padded batches of token ids, special tokens, and attention masks, in NumPy.

Devlin et al. (2019, arXiv 1810.04805), section 3 and figure 2, for the layout [CLS] A [SEP] B [SEP].
`visible`, a boolean array (B, T, T), is this package's attention mask: True where a query may attend to a
key. Hugging Face's `attention_mask` (B, T) of 1 and 0 corresponds to `real`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

IGNORE = -100  # the label of positions that are excluded from the loss (PyTorch's default ignore_index)
ALL = slice(None)  # every sequence of a batch
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@dataclass(frozen=True)
class Specials:
    """The ids of the special tokens; the defaults are those of vocabularies trained by this package."""

    pad: int = 0
    unk: int = 1
    cls: int = 2
    sep: int = 3
    mask: int = 4

    @property
    def ids(self) -> tuple[int, ...]:
        """Return all five ids, in the order of SPECIAL_TOKENS."""
        return (self.pad, self.unk, self.cls, self.sep, self.mask)

    @classmethod
    def of(cls, vocab: Sequence[str]) -> Specials:
        """Return the ids of the special tokens in a vocabulary. Raises ValueError if one is missing."""
        ids = {token: i for i, token in enumerate(vocab)}
        missing = [token for token in SPECIAL_TOKENS if token not in ids]
        if missing:
            raise ValueError(f"the vocabulary of {len(ids)} entries lacks {', '.join(missing)}")
        return cls(*(ids[token] for token in SPECIAL_TOKENS))


@dataclass(frozen=True)
class Batch:
    """A batch of padded sequences.

    input_ids: (B, T) int64. token_type_ids: (B, T) int64, 0 = segment A, 1 = segment B. real: (B, T) bool,
    False = padding. sequence_labels: (B,) int64 with a label for each sequence, (B, T) int64 with one for
    each token (or IGNORE), or None.
    """

    input_ids: np.ndarray
    token_type_ids: np.ndarray
    real: np.ndarray
    sequence_labels: np.ndarray | None = None

    def some(self, rows: slice) -> Batch:
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(self, **{name: array[rows] for name, array in arrays.items() if array is not None})


def pack(a: Sequence[int], b: Sequence[int] | None, specials: Specials) -> tuple[list[int], list[int]]:
    """Return the token ids and segment ids of the sequence [CLS] A [SEP] B [SEP]; B may be None.

    >>> pack([7, 8], [9], Specials())
    ([2, 7, 8, 3, 9, 3], [0, 0, 0, 0, 1, 1])
    """
    ids = [specials.cls, *a, specials.sep]
    types = [0] * len(ids)
    if b is not None:
        ids += [*b, specials.sep]
        types += [1] * (len(b) + 1)
    return ids, types


def row_size(row: Any) -> int:
    """Return the number of tokens in a sequence, not counting special tokens.

    row: a list of ids, or a tuple of such rows and None, nested to any depth.

    >>> row_size([7, 8, 9]), row_size(([7, 8], None)), row_size((([7, 8], [9]), ([7], [9])))
    (3, 2, 5)
    """
    return sum(row_size(part) for part in row if part is not None) if isinstance(row, tuple) else len(row)


def collate(
    rows: Sequence[tuple[Any, Any]],
    specials: Specials,
    sequence_labels: Any = None,
    length: int | None = None,
) -> Batch:
    """Add special tokens to sequences, pad them, and return them as a Batch.

    rows: pairs (A, B) of lists of ids; B may be None. sequence_labels: a number, or a list of numbers, for
    each sequence; shorter lists are padded with IGNORE. length: T, by default the longest sequence's length.
    Raises ValueError if there are no sequences, or if one is longer than `length`.
    """
    if not rows:
        raise ValueError("there are no sequences: a batch needs at least one")
    packed = [pack(a, b, specials) for a, b in rows]
    longest = max(len(ids) for ids, _ in packed)
    T = longest if length is None else length
    if longest > T:
        raise ValueError(f"a sequence of {longest} tokens is longer than the batch length {T}")
    input_ids = np.full((len(rows), T), specials.pad, np.int64)  # (B, T)
    token_type_ids = np.zeros((len(rows), T), np.int64)  # (B, T)
    real = np.zeros((len(rows), T), bool)  # (B, T)
    for i, (ids, types) in enumerate(packed):
        input_ids[i, : len(ids)], token_type_ids[i, : len(ids)], real[i, : len(ids)] = ids, types, True
    labels = None if sequence_labels is None else label_array(sequence_labels)
    return Batch(input_ids, token_type_ids, real, labels)


def label_array(labels: Sequence[Any]) -> np.ndarray:
    """Convert B labels to an array of shape (B,), or (B, N) if they are lists of at most N numbers.

    Shorter lists are padded with IGNORE. The array is int64, or float32 if there are fractions: Apple GPUs do
    not support float64.

    >>> label_array([[1, 0], [1]]).tolist()
    [[1, 0], [1, -100]]
    """
    if np.ndim(labels[0]):
        width = max(map(len, labels))
        labels = [[*label, *[IGNORE] * (width - len(label))] for label in labels]
    array = np.asarray(labels)
    return array.astype(np.float32 if array.dtype.kind == "f" else np.int64)


def visible_all(real: np.ndarray) -> np.ndarray:
    """Return BERT's attention mask, (B, T, T) bool: every query may attend to every non-padding key.

    real: (B, T) bool, False = padding.

    >>> visible_all(np.array([[True, True, False]])).astype(int).tolist()
    [[[1, 1, 0], [1, 1, 0], [1, 1, 0]]]
    """
    B, T = real.shape
    return np.broadcast_to(real[:, None, :], (B, T, T)).copy()


def visible_causal(real: np.ndarray) -> np.ndarray:
    """Return a causal attention mask, (B, T, T) bool: query t may attend to non-padding keys s <= t.

    This is the mask of a decoder: Vaswani et al. (2017, arXiv 1706.03762), section 3.2.3. real: (B, T) bool,
    False = padding.

    >>> visible_causal(np.array([[True, True, False]])).astype(int).tolist()
    [[[1, 0, 0], [1, 1, 0], [1, 1, 0]]]
    """
    T = real.shape[1]
    return visible_all(real) & np.tril(np.ones((T, T), bool))
