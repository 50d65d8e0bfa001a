"""Byte-pair encoding for words: join the most frequent pair again and again, and remember the order.

Sennrich et al. (2016, arXiv 1508.07909), section 3.2. `wordpiece` keeps only the pieces and takes the longest
that fits; this one keeps the joins and repeats them, in the order they were learnt. WordPiece marks a piece
that goes on in a word (##), this one the piece that ends it (</w>). A character nobody has seen is [UNK]
alone here; there the whole word is.
"""
import json

from ..batch import SPECIAL_TOKENS
from ..files import write_text
from .published import UNKNOWN, read_bpe
from .train import SCORES, Pairs, join_in
from .wordpiece import WordPiece

# closes the last piece of a word # paper: a symbol of its own, joined like any other; the authors' later
END = "</w>"
#                  code and the `tokenizers` library hold it to the last character, as here


def spell(word):
    """A word as its characters, the last one marked: "hug" is h u g</w>."""
    return [*word[:-1], word[-1] + END]


def train_bpe(counts, joins):
    """(vocab, merges): the pieces, and the pairs in the order they were joined.

    counts: word -> how often it occurs; joins: how many, at least 0; fewer are made when every word has
    become one piece. The vocabulary opens with the special tokens and the alphabet, each character with and
    without END. Among equally frequent pairs the one that sorts first wins. Raises ValueError for no words
    and a negative number.

    >>> train_bpe({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 3)[1]
    [('e', 's'), ('es', 't</w>'), ('l', 'o')]
    """
    counts = {word: count for word, count in counts.items() if word and count}
    if not counts:
        raise ValueError("0 words to train on: the corpus is empty")
    if joins < 0:
        raise ValueError(f"joins={joins} must be at least 0")
    characters = sorted({c for word in counts for c in word})
    vocab = dict.fromkeys([*SPECIAL_TOKENS, *characters,
                           *(c + END for c in characters)])    # in order, each once
    pairs, merges = Pairs(counts, SCORES["frequency"], spell, str.__add__), []
    while len(merges) < joins and (best := pairs.best()):
        merges.append(best)
        vocab[pairs.join(*best)] = None
    return list(vocab), merges


class BPE(WordPiece):
    """A WordPiece that matches by joining. vocab: the pieces in the order of their ids; merges: pairs, the
    first learnt first.

    Raises ValueError as WordPiece does, and for a join whose piece is not in the vocabulary.
    """

    def __init__(self, vocab, merges, lower_case=True):
        super().__init__(vocab, lower_case)
        self.merges = [tuple(pair) for pair in merges]
        self.rank = {pair: i for i, pair in reversed(list(enumerate(self.merges)))}
        for i, pair in enumerate(self.merges):
            if "".join(pair) not in self.ids:
                raise ValueError(f"join {i} makes {''.join(pair)!r}, which is not in the vocabulary")

    def match(self, word):
        """A word's pieces, as (piece, start, end) within the word; [UNK] for a character that is not in the
        vocabulary.

        >>> BPE(*train_bpe({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 3)).match("lowest")
        [('lo', 0, 2), ('w', 2, 3), ('est</w>', 3, 6)]
        """
        pieces, found, start = spell(word), [], 0
        while True:
            pairs = [pair for pair in zip(pieces, pieces[1:]) if pair in self.rank]
            if not pairs:
                break
            best = min(pairs, key=self.rank.get)
            pieces = join_in(pieces, *best, "".join(best))
        for piece in pieces:
            end = start + len(piece.removesuffix(END))
            found.append((piece if piece in self.ids else UNKNOWN, start, end))
            start = end
        return found

    def decode(self, ids):
        """The text of ids, with one space between words. Skips [PAD]. Raises ValueError for an id not in the
        vocabulary.
        """
        pieces = [self.piece(i) for i in ids if i != self.specials.pad]
        spaced = [piece.removesuffix(END) + " " * (piece.endswith(END) or piece in SPECIAL_TOKENS)
                  for piece in pieces]
        return "".join(spaced).rstrip(" ")

    def save(self, path):
        """Write both parts as a tokenizer.json that the `tokenizers` library reads; the file is whole or not
        there.
        """
        model = {"type": "BPE", "unk_token": UNKNOWN, "end_of_word_suffix": END, "vocab": self.ids,
                 "merges": [list(pair) for pair in self.merges]}
        values = {"version": "1.0",
                  "normalizer": {"type": "BertNormalizer", "clean_text": True, "strip_accents": None,
                                 "handle_chinese_chars": True, "lowercase": self.lower_case},
                  "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": model}
        write_text(path, json.dumps(values, ensure_ascii=False, indent=1))

    @staticmethod
    def read(path):
        """vocab, merges and lower_case of a tokenizer.json, as `save` or the library writes it."""
        return read_bpe(path, END)
