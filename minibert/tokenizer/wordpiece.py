"""Split words into pieces of a fixed vocabulary: at each point, take the longest piece that fits.

Wu et al. (2016, arXiv 1609.08144), section 4.1; Devlin et al. (2019, arXiv 1810.04805), section 3. The
definition: `fast` gives the same answers faster, `train` makes the vocabulary.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..data.batch import Specials
from ..readers.writing import write_text
from .basic import BasicTokenizer, Word
from .published import CONTINUES, UNKNOWN, read_pieces, read_wordpiece

Self = TypeVar("Self", bound="WordPiece")  # typing has it from Python 3.11 on


@dataclass(frozen=True)
class Encoding:
    """A text as N pieces, without [CLS] and [SEP]: four lists of length N.

    ids; pieces, the same as strings; offsets, (start, end) of the piece's characters in the text; words, the
    index of the word that the piece belongs to.
    """

    ids: list[int]
    pieces: list[str]
    offsets: list[tuple[int, int]]
    words: list[int]


class WordPiece:
    """A tokenizer with a fixed vocabulary: text to ids, and back.

    vocab: the pieces, in the order of their ids. A word of more than `max_characters_per_word` characters
    becomes [UNK]. Raises ValueError for a duplicate, an empty piece, or a missing special token.
    """

    def __init__(self, vocab: Iterable[str], lower_case: bool = True, max_characters_per_word: int = 200):
        self.vocab = list(vocab)
        self.ids: dict[str, int] = {}  # piece -> id
        for i, piece in enumerate(self.vocab):
            if not piece:
                raise ValueError(f"piece {i} of the vocabulary (line {i + 1} of its file) is empty")
            if piece in self.ids:
                raise ValueError(
                    f"the vocabulary has {piece!r} twice: as piece {self.ids[piece]} and as piece {i}"
                )
            self.ids[piece] = i
        self.specials = Specials.of(self.vocab)
        self.lower_case, self.max_characters_per_word = lower_case, max_characters_per_word
        self.basic = BasicTokenizer(lower_case)

    def __len__(self):
        return len(self.vocab)

    def encode(self, text: str) -> Encoding:
        """Return the Encoding of a text. A special token written in the text is split like any other text.

        >>> WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hug", "##s"]).encode("Hugs hug").pieces
        ['hug', '##s', 'hug']
        """
        return self._encoding([(i, word) for i, word in enumerate(self.basic.split(text))])

    def encode_batch(self, texts: Iterable[str]) -> list[Encoding]:
        """Return the Encoding of each text."""
        return [self.encode(text) for text in texts]

    def encode_words(self, words: Iterable[str]) -> Encoding:
        """Return the Encoding of a sentence that is already split (the tokens of a tagging task).

        `Encoding.words` counts these words, and offsets count from the start of each. A word that consists of
        control characters has no piece.
        """
        return self._encoding([(i, part) for i, word in enumerate(words) for part in self.basic.split(word)])

    def _encoding(self, words: Iterable[tuple[int, Word]]) -> Encoding:
        """words: (index, Word) pairs."""
        found = [
            (piece, (word.places[first], word.places[last - 1] + 1), i)
            for i, word in words
            for piece, first, last in self.match(word.text)
        ]
        return Encoding(
            [self.ids[piece] for piece, _, _ in found],
            [piece for piece, _, _ in found],
            [offsets for _, offsets, _ in found],
            [index for _, _, index in found],
        )

    def match(self, word: str) -> list[tuple[str, int, int]]:
        """Split a word into pieces: (piece, start, end) within the word.

        If no piece fits some part of the word, all of it is one [UNK].

        >>> WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##able", "##a"]).match("unable")
        [('un', 0, 2), ('##able', 2, 6)]
        """
        found, start = [], 0
        while start < len(word) <= self.max_characters_per_word:
            prefix = CONTINUES if start else ""
            end = next(
                (end for end in range(len(word), start, -1) if prefix + word[start:end] in self.ids), None
            )
            if end is None:
                break
            found.append((prefix + word[start:end], start, end))
            start = end
        return found if start == len(word) else [(UNKNOWN, 0, len(word))]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of ids, with one space between words (the original spacing is lost), without [PAD].

        Raises ValueError for an id that is not in the vocabulary.
        """
        words: list[str] = []
        for i in ids:
            piece = self.piece(i)
            if piece.startswith(CONTINUES) and piece != CONTINUES and words:
                words[-1] += piece.removeprefix(CONTINUES)
            elif i != self.specials.pad:
                words.append(piece)
        return " ".join(words)

    def piece(self, i: int) -> str:
        """Return the piece with this id. Raises ValueError for an id that is not in the vocabulary."""
        if not 0 <= i < len(self):
            raise ValueError(
                f"id {i} is not in the vocabulary: its {len(self)} pieces have ids 0 to {len(self) - 1}"
            )
        return self.vocab[i]

    def save(self, path: str | Path) -> None:
        """Write vocab.txt, one piece a line."""
        write_text(path, "".join(piece + "\n" for piece in self.vocab))

    @classmethod
    def load(cls: type[Self], path: str | Path, lower_case: bool | None = None) -> Self:
        """Return the tokenizer of a vocab.txt, or of a tokenizer.json of the `tokenizers` library.

        A vocab.txt is as `save` or Google's release writes it. lower_case: None = what a tokenizer.json says;
        a vocab.txt does not say, and is taken as uncased. A tokenizer.json also has a limit of characters per
        word. Raises ValueError for a file that is
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
    def read(path: str | Path) -> dict[str, Any]:
        """Return the constructor's arguments that a file gives."""
        if Path(path).suffix == ".json":
            return read_wordpiece(path)
        return {"vocab": read_pieces(path), "lower_case": True}
