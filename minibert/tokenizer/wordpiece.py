"""Words into pieces of a fixed vocabulary: at each point, the longest piece that fits.

Wu et al. (2016, arXiv 1609.08144), section 4.1; Devlin et al. (2019, arXiv 1810.04805), section 3. The
definition: `fast` gives the same answers sooner, `train` makes the vocabulary.
"""
from dataclasses import dataclass
from pathlib import Path

from ..batch import Specials
from ..files import write_text
from .basic import BasicTokenizer
from .published import CONTINUES, UNKNOWN, read_pieces, read_wordpiece


@dataclass(frozen=True)
class Encoding:
    """A text as N pieces, without [CLS] and [SEP]: four lists of length N.

    ids; pieces, the same as strings; offsets, (start, end) of the piece's characters in the text; words, the
    index of the word that the piece belongs to.
    """

    ids: list
    pieces: list
    offsets: list
    words: list


class WordPiece:
    """vocab: the pieces, in the order of their ids; a longer word than `max_characters_per_word` becomes
    [UNK].

    Raises ValueError for a duplicate, an empty piece, or a missing special token.
    """

    def __init__(self, vocab, lower_case=True, max_characters_per_word=200):
        self.vocab = list(vocab)
        self.ids = {}                               # piece -> id
        for i, piece in enumerate(self.vocab):
            if not piece:
                raise ValueError(f"piece {i} of the vocabulary (line {i + 1} of its file) is empty")
            if piece in self.ids:
                raise ValueError(
                    f"the vocabulary has {piece!r} twice: as piece {self.ids[piece]} and as piece {i}")
            self.ids[piece] = i
        self.specials = Specials.of(self.vocab)
        self.lower_case, self.max_characters_per_word = lower_case, max_characters_per_word
        self.basic = BasicTokenizer(lower_case)

    def __len__(self):
        return len(self.vocab)

    def encode(self, text):
        """The Encoding of a text. A special token written in the text is text: it is taken apart like any
        other.

        >>> WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hug", "##s"]).encode("Hugs hug").pieces
        ['hug', '##s', 'hug']
        """
        return self._encoding([(i, word) for i, word in enumerate(self.basic.split(text))])

    def encode_batch(self, texts):
        """One Encoding a text."""
        return [self.encode(text) for text in texts]

    def encode_words(self, words):
        """The Encoding of a sentence that is split already (the tokens of a tagging task).

        `Encoding.words` counts these words, and offsets count from the start of each. A word of nothing but
        control characters has no piece.
        """
        return self._encoding([(i, part) for i, word in enumerate(words) for part in self.basic.split(word)])

    def _encoding(self, words):
        """words: (index, Word) pairs."""
        found = [(piece, (word.places[first], word.places[last - 1] + 1), i)
                 for i, word in words for piece, first, last in self.match(word.text)]
        pieces, offsets, indices = map(list, zip(*found)) if found else ([], [], [])
        return Encoding([self.ids[piece] for piece in pieces], pieces, offsets, indices)

    def match(self, word):
        """A word's pieces, as (piece, start, end) within the word; one [UNK] when some part of it fits no
        piece.

        >>> WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##able", "##a"]).match("unable")
        [('un', 0, 2), ('##able', 2, 6)]
        """
        found, start = [], 0
        while start < len(word) <= self.max_characters_per_word:
            prefix = CONTINUES if start else ""
            end = next((end for end in range(len(word), start, -1) if prefix + word[start:end] in self.ids),
                       None)
            if end is None:
                break
            found.append((prefix + word[start:end], start, end))
            start = end
        return found if start == len(word) else [(UNKNOWN, 0, len(word))]

    def decode(self, ids):
        """The text of ids, with one space between words: what spaces there were is lost. Skips [PAD].

        Raises ValueError for an id that is not in the vocabulary.
        """
        words = []
        for i in ids:
            piece = self.piece(i)
            if piece.startswith(CONTINUES) and piece != CONTINUES and words:
                words[-1] += piece.removeprefix(CONTINUES)
            elif i != self.specials.pad:
                words.append(piece)
        return " ".join(words)

    def piece(self, i):
        """The piece with this id. Raises ValueError for an id that is not in the vocabulary."""
        if not 0 <= i < len(self):
            raise ValueError(f"id {i} is not in the vocabulary: its {len(self)} pieces have ids 0 to "
                             f"{len(self) - 1}")
        return self.vocab[i]

    def save(self, path):
        """Write vocab.txt, one piece a line; the file is whole or not there."""
        write_text(path, "".join(piece + "\n" for piece in self.vocab))

    @classmethod
    def load(cls, path, lower_case=None):
        """Read vocab.txt, as `save` or Google's release writes it, or a tokenizer.json of the `tokenizers`
        library.

        lower_case: None = what a tokenizer.json says, True for a vocab.txt, which does not say. A
        tokenizer.json also brings its limit of characters per word. Raises ValueError for a file that is
        missing, empty, not UTF-8 or of another kind of tokenizer, and whatever the constructor refuses.
        """
        settings = cls.read(path)
        if lower_case is not None:
            settings["lower_case"] = lower_case
        try:
            return cls(**settings)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    @staticmethod
    def read(path):
        """The constructor's arguments, as a file gives them."""
        if Path(path).suffix == ".json":
            return read_wordpiece(path)
        return {"vocab": read_pieces(path), "lower_case": True}
