"""Byte-pair encoding of words: merge the most frequent pair repeatedly, and remember the order of the merges.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2. WordPiece keeps only the vocabulary and takes the
longest matching token; BPE keeps the merge rules and applies them in the order in which they were learnt.
WordPiece marks tokens that continue a word (##), BPE those that end one (</w>). BPE replaces only an unknown
character by [UNK], WordPiece the whole word.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..data.batch import SPECIAL_TOKENS
from ..readers.writing import write_text
from .published import UNKNOWN, read_bpe
from .train import SCORES, Pair, Pairs, merge_in
from .wordpiece import WordPiece

# Marks the last token of a word. paper: a separate symbol, merged like any other; in the authors' later code
# and in the `tokenizers` library, it is part of the last character, as here.
END = "</w>"


def spell(word: str) -> list[str]:
    """Split a word into its characters, and mark the last one: "hug" becomes h u g</w>."""
    return [*word[:-1], word[-1] + END]


def train_bpe(counts: Mapping[str, int], num_merges: int) -> tuple[list[str], list[Pair]]:
    """Train byte-pair encoding, and return (vocab, merges).

    merges: the merge rules (pairs) in the order in which they were learnt. counts: a dict that maps each word
    to its number of occurrences. num_merges: at least 0; training stops early if each word has become one
    token. The vocabulary begins with the special tokens and each character, with and without the end-of-word
    mark END. If several pairs are equally frequent, the first in sorted order is merged. Raises ValueError if
    there are no words or num_merges is negative.

    >>> train_bpe({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 3)[1]
    [('e', 's'), ('es', 't</w>'), ('l', 'o')]
    """
    counts = {word: count for word, count in counts.items() if word and count}
    if not counts:
        raise ValueError("there are no words to train on: the corpus is empty")
    if num_merges < 0:
        raise ValueError(f"num_merges={num_merges} must be at least 0")
    characters = sorted({c for word in counts for c in word})
    vocab = dict.fromkeys([*SPECIAL_TOKENS, *characters, *(c + END for c in characters)])  # each once
    pairs, merges = Pairs(counts, SCORES["frequency"], spell, str.__add__), list[Pair]()
    while len(merges) < num_merges and (best := pairs.best()):
        merges.append(best)
        vocab[pairs.merge(*best)] = None
    return list(vocab), merges


class BPE(WordPiece):
    """A tokenizer like WordPiece that splits words by merge rules.

    vocab: the tokens in the order of their ids; merges: pairs in the order in which they were learnt. Raises
    ValueError like WordPiece, and if the result of a merge rule is not in the vocabulary.
    """

    def __init__(self, vocab: Iterable[str], merges: Iterable[Iterable[str]], lower_case: bool = True):
        super().__init__(vocab, lower_case)
        self.merges = [(left, right) for left, right in merges]
        self.rank = {pair: i for i, pair in reversed(list(enumerate(self.merges)))}
        for i, pair in enumerate(self.merges):
            if "".join(pair) not in self.ids:
                raise ValueError(f"merge {i} makes {''.join(pair)!r}, which is not in the vocabulary")

    def match(self, word: str) -> list[tuple[str, int, int]]:
        """Split a word into tokens, as (token, start, end); a character outside the vocabulary becomes [UNK].

        >>> BPE(*train_bpe({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 3)).match("lowest")
        [('lo', 0, 2), ('w', 2, 3), ('est</w>', 3, 6)]
        """
        pieces, found, start = spell(word), [], 0
        while True:
            pairs = [pair for pair in zip(pieces, pieces[1:]) if pair in self.rank]
            if not pairs:
                break
            best = min(pairs, key=self.rank.__getitem__)
            pieces = merge_in(pieces, *best, "".join(best))
        for piece in pieces:
            end = start + len(piece.removesuffix(END))
            found.append((piece if piece in self.ids else UNKNOWN, start, end))
            start = end
        return found

    def decode(self, ids: Iterable[int]) -> str:
        """Convert ids to text, with one space between words and without [PAD].

        Raises ValueError if an id is not in the vocabulary.
        """
        pieces = [self.piece(i) for i in ids if i != self.specials.pad]
        spaced = [
            piece.removesuffix(END) + " " * (piece.endswith(END) or piece in SPECIAL_TOKENS)
            for piece in pieces
        ]
        return "".join(spaced).rstrip(" ")

    def save(self, path: str | Path) -> None:
        """Write the vocabulary and the merge rules as a tokenizer.json of the `tokenizers` library."""
        model = {
            "type": "BPE",
            "unk_token": UNKNOWN,
            "end_of_word_suffix": END,
            "vocab": self.ids,
            "merges": [list(pair) for pair in self.merges],
        }
        values = {
            "version": "1.0",
            "normalizer": {
                "type": "BertNormalizer",
                "clean_text": True,
                "strip_accents": None,
                "handle_chinese_chars": True,
                "lowercase": self.lower_case,
            },
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "model": model,
        }
        write_text(path, json.dumps(values, ensure_ascii=False, indent=1))

    @staticmethod
    def read(path: str | Path) -> dict[str, Any]:
        return read_bpe(path, END)
