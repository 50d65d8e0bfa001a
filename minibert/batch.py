"""What travels between data and model: a padded batch of token ids, its special tokens, and who may look at
whom.

Devlin et al. (2019, arXiv 1810.04805), section 3 and figure 2 for the row layout [CLS] A [SEP] B [SEP]. NumPy
only.
"""
from dataclasses import dataclass, fields, replace

import numpy as np

IGNORE = -100   # the label of a position that takes no part in a loss (PyTorch's default ignore_index)
ALL = slice(None)   # every row of a batch
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@dataclass(frozen=True)
class Specials:
    """Ids of the special tokens; the defaults are those of a vocabulary trained here."""

    pad: int = 0
    unk: int = 1
    cls: int = 2
    sep: int = 3
    mask: int = 4

    @property
    def ids(self):
        """All five, in the order of SPECIAL_TOKENS."""
        return (self.pad, self.unk, self.cls, self.sep, self.mask)

    @classmethod
    def of(cls, vocab):
        """The ids in a vocabulary (a sequence of pieces). Raises ValueError for a missing special token."""
        ids = {piece: i for i, piece in enumerate(vocab)}
        missing = [token for token in SPECIAL_TOKENS if token not in ids]
        if missing:
            raise ValueError(f"the vocabulary of {len(ids)} pieces lacks {', '.join(missing)}")
        return cls(*(ids[token] for token in SPECIAL_TOKENS))


@dataclass(frozen=True)
class Batch:
    """Padded rows.

    input_ids (B, T) int64; token_type_ids (B, T) int64, 0 = segment A, 1 = segment B;
    real (B, T) bool, False = padding; sequence_labels (B,) int64 or None, for objectives about whole rows, or (B,
    T) int64 with IGNORE, for those that label each token.
    """

    input_ids: np.ndarray
    token_type_ids: np.ndarray
    real: np.ndarray
    sequence_labels: np.ndarray | None = None

    def some(self, rows):
        """The Batch of some of its rows, a slice; the padding stays."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(self, **{name: array[rows] for name, array in arrays.items() if array is not None})


def pack(a, b, specials):
    """One row: ([CLS] A [SEP] B [SEP], its segment ids); B may be None.

    >>> pack([7, 8], [9], Specials())
    ([2, 7, 8, 3, 9, 3], [0, 0, 0, 0, 1, 1])
    """
    ids = [specials.cls, *a, specials.sep]
    types = [0] * len(ids)
    if b is not None:
        ids += [*b, specials.sep]
        types += [1] * (len(b) + 1)
    return ids, types


def row_size(row):
    """Tokens in a row before it is packed: a list of ids, or a tuple of such rows and None, as deep as it may
    be.

    >>> row_size([7, 8, 9]), row_size(([7, 8], None)), row_size((([7, 8], [9]), ([7], [9])))
    (3, 2, 5)
    """
    return sum(row_size(part) for part in row if part is not None) if isinstance(row, tuple) else len(row)


def collate(rows, specials, sequence_labels=None, length=None):
    """Pad a list of rows (A, B or None; lists of ids without special tokens) to a Batch.

    `length` fixes T (default: the longest row). Raises ValueError for no rows or a row longer than `length`.
    """
    if not rows:
        raise ValueError("0 rows: a batch needs at least one")
    packed = [pack(a, b, specials) for a, b in rows]
    longest = max(len(ids) for ids, _ in packed)
    length = longest if length is None else length
    if longest > length:
        raise ValueError(f"a row of {longest} tokens does not fit the batch length {length}")
    input_ids = np.full((len(rows), length), specials.pad, np.int64)    # (B, T)
    token_type_ids = np.zeros((len(rows), length), np.int64)            # (B, T)
    real = np.zeros((len(rows), length), bool)                          # (B, T)
    for i, (ids, types) in enumerate(packed):
        input_ids[i, :len(ids)], token_type_ids[i, :len(ids)], real[i, :len(ids)] = ids, types, True
    labels = None if sequence_labels is None else np.asarray(sequence_labels, np.int64)
    return Batch(input_ids, token_type_ids, real, labels)


def visible_all(real):
    """(B, T, T) bool: every query may look at every real key. BERT's visibility.

    >>> visible_all(np.array([[True, True, False]])).astype(int).tolist()
    [[[1, 1, 0], [1, 1, 0], [1, 1, 0]]]
    """
    B, T = real.shape
    return np.broadcast_to(real[:, None, :], (B, T, T)).copy()


def visible_causal(real):
    """(B, T, T) bool: query t may look at real keys s <= t. The decoder's visibility (Vaswani et al., 2017,
    3.2.3).

    >>> visible_causal(np.array([[True, True, False]])).astype(int).tolist()
    [[[1, 0, 0], [1, 1, 0], [1, 1, 0]]]
    """
    T = real.shape[1]
    return visible_all(real) & np.tril(np.ones((T, T), bool))


def visible_window(real, reach, is_global=None):
    """(B, T, T) bool: query t may look at real keys at most `reach` tokens away, on either side.

    Longformer (Beltagy et al., 2020, arXiv 2004.05150, section 3.1), whose window w is 2 * reach. is_global:
    (B, T) bool, or None = no token; a global token may look at all, and all may look at it. Raises ValueError
    for a negative reach or an is_global of another shape than real.

    >>> visible_window(np.ones((1, 4), bool), 1, np.array([[True, False, False, False]])).astype(int).tolist()
    [[[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 1, 1]]]
    """
    if reach < 0:
        raise ValueError(f"reach={reach} must be at least 0")
    is_global = np.zeros_like(real) if is_global is None else is_global
    if is_global.shape != real.shape:
        raise ValueError(f"is_global has shape {is_global.shape}, real has {real.shape}: one answer a token")
    place = np.arange(real.shape[1])
    near = np.abs(place[:, None] - place) <= reach                              # (T, T)
    return visible_all(real) & (near | is_global[:, :, None] | is_global[:, None, :])
