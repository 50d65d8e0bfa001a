"""Tokenizers, which split text into the tokens of a trained vocabulary.

Devlin et al. (2019, arXiv 1810.04805), section 3. `basic`, `wordpiece` and `train` are WordPiece in readable,
plain Python; `fast` gives the same results with the `tokenizers` library. `bpe` is byte-pair encoding.
"""

from .basic import BasicTokenizer, Word
from .bpe import BPE, train_bpe
from .train import count_words, train_wordpiece
from .wordpiece import Encoding, WordPiece

__all__ = [
    "BPE",
    "BasicTokenizer",
    "Encoding",
    "FastWordPiece",
    "Word",
    "WordPiece",
    "count_words",
    "train_bpe",
    "train_wordpiece",
]


def __getattr__(name):
    if name == "FastWordPiece":
        from .fast import FastWordPiece

        return FastWordPiece
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
