"""WordPiece tokenization: split each word into the longest tokens of a fixed vocabulary, from left to right.

Wu et al. (2016, arXiv 1609.08144), section 4.1; Devlin et al. (2019, arXiv 1810.04805), section 3.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..data.batch import Specials
from ..readers.writing import write_text
from .basic import BasicTokenizer, Word
from .published import CONTINUES, UNKNOWN
from .settings import length_limit, wordpiece_settings

Self = TypeVar("Self", bound="WordPiece")  # typing.Self exists only from Python 3.11 on


@dataclass(frozen=True)
class Encoding:
    """The N tokens of a text, without [CLS] and [SEP], as four lists of length N.

    ids: the token ids; pieces: the tokens as strings; offsets: (start, end) of the token's characters in the
    text; words: the index of the word to which the token belongs.
    """

    ids: list[int]
    pieces: list[str]
    offsets: list[tuple[int, int]]
    words: list[int]


class WordPiece:
    """A tokenizer with a fixed vocabulary, which converts text to ids and back.

    vocab: the tokens, in the order of their ids. A word of more than `max_characters_per_word` characters
    becomes [UNK]. The other arguments are those of `BasicTokenizer`. Raises ValueError if a token is a
    duplicate or empty, or if a special token is missing.
    """

    max_length: int | None = (
        None  # maximum length of a sequence, if `load` finds one in the tokenizer's files
    )

    def __init__(
        self,
        vocab: Iterable[str],
        lower_case: bool = True,
        max_characters_per_word: int = 200,
        strip_accents: bool | None = None,
        tokenize_chinese_chars: bool = True,
    ):
        self.vocab = list(vocab)
        self.ids: dict[str, int] = {}  # piece -> id
        for i, piece in enumerate(self.vocab):
            if not piece:
                raise ValueError(f"token {i} of the vocabulary (line {i + 1} of its file) is empty")
            if piece in self.ids:
                raise ValueError(
                    f"the vocabulary contains {piece!r} twice: as token {self.ids[piece]} and as token {i}"
                )
            self.ids[piece] = i
        self.specials = Specials.of(self.vocab)
        self.lower_case, self.max_characters_per_word = lower_case, max_characters_per_word
        self.basic = BasicTokenizer(lower_case, strip_accents, tokenize_chinese_chars)

    def __len__(self):
        return len(self.vocab)

    def encode(self, text: str) -> Encoding:
        """Tokenize a text. A special token written in the text is split like any other text.

        >>> WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hug", "##s"]).encode("Hugs hug").pieces
        ['hug', '##s', 'hug']
        """
        return self._encoding([(i, word) for i, word in enumerate(self.basic.split(text))])

    def encode_batch(self, texts: Iterable[str]) -> list[Encoding]:
        return [self.encode(text) for text in texts]

    def encode_words(self, words: Iterable[str]) -> Encoding:
        """Tokenize a sentence that is already split into words, as in a tagging task.

        `Encoding.words` contains the indices of these words; offsets are relative to the start of each word.
        A word that consists only of control characters has no tokens.
        """
        return self._encoding([(i, part) for i, word in enumerate(words) for part in self.basic.split(word)])

    def _encoding(self, words: Iterable[tuple[int, Word]]) -> Encoding:
        """Build the Encoding of words, given as pairs (index, Word)."""
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
        """Split a word into tokens, as (token, start, end); an unknown part makes the whole word [UNK].

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
        """Convert ids to text, with one space between words and without [PAD].

        Raises ValueError if an id is not in the vocabulary.
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
        """Return the token with this id. Raises ValueError if the id is not in the vocabulary."""
        if not 0 <= i < len(self):
            raise ValueError(
                f"id {i} is not in the vocabulary, whose {len(self)} tokens have ids 0 to {len(self) - 1}"
            )
        return self.vocab[i]

    def save(self, path: str | Path) -> None:
        """Write a vocab.txt with one token per line."""
        write_text(path, "".join(piece + "\n" for piece in self.vocab))

    @property
    def identity(self) -> list[Any]:
        """Return the vocabulary and the settings that decide which tokens a text gets, for a digest."""
        basic = self.basic
        rules = [self.lower_case, basic.strip_accents, basic.tokenize_chinese_chars]
        usual = rules == [self.lower_case, self.lower_case, True]
        return [self.vocab, self.lower_case] if usual else [self.vocab, *rules]  # as in earlier versions

    @classmethod
    def load(cls: type[Self], path: str | Path, lower_case: bool | None = None) -> Self:
        """Load a tokenizer from a vocab.txt, or from a tokenizer.json of the `tokenizers` library.

        Settings in other files of its folder are followed; without any, a vocab.txt is uncased. lower_case:
        overrides these files. Raises ValueError if a file is missing, empty, not UTF-8, of another kind of
        tokenizer, or in contradiction to another one, or if the constructor rejects its content.
        """
        settings = cls.read(path)
        if lower_case is not None:
            settings["lower_case"] = lower_case
        try:
            found = cls(**settings)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        found.max_length = length_limit(Path(path).parent)
        return found

    @staticmethod
    def read(path: str | Path) -> dict[str, Any]:
        return wordpiece_settings(path)
