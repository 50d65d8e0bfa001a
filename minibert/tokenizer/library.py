"""A wrapper for any tokenizer of the `tokenizers` library, such as RoBERTa's or ALBERT's."""

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer

from ..data.batch import SPECIAL_TOKENS, Specials
from .fast import convert
from .wordpiece import Encoding

# names of BERT's special tokens in other models
NAMES = {
    "[PAD]": ("[PAD]", "<pad>"),
    "[UNK]": ("[UNK]", "<unk>"),
    "[CLS]": ("[CLS]", "<s>"),
    "[SEP]": ("[SEP]", "</s>"),
    "[MASK]": ("[MASK]", "<mask>"),
}


class LibraryTokenizer:
    """A tokenizer from the `tokenizers` library. Raises ValueError if a special token of BERT is missing."""

    def __init__(self, library: Tokenizer) -> None:
        self.library = library
        self.ids: dict[str, int] = library.get_vocab()
        self.vocab: list[str] = sorted(self.ids, key=lambda token: self.ids[token])
        found = [next((name for name in NAMES[token] if name in self.ids), None) for token in SPECIAL_TOKENS]
        if None in found:
            raise ValueError(
                f"the tokenizer has no token with the role of {SPECIAL_TOKENS[found.index(None)]}"
            )
        self.specials = Specials(*(self.ids[name] for name in found if name is not None))

    def __len__(self) -> int:
        return len(self.vocab)

    @classmethod
    def load(cls, path: str | Path) -> "LibraryTokenizer":
        """Load a tokenizer.json. Raises ValueError, naming the file, if it is damaged."""
        try:
            return cls(Tokenizer.from_file(str(path)))
        except Exception as error:  # the library raises plain Exception
            raise ValueError(f"{path}: {error}") from None

    def encode(self, text: str) -> Encoding:
        """Tokenize a text without adding special tokens; special tokens written in the text are kept."""
        return convert(self.library.encode(text, add_special_tokens=False))

    def encode_batch(self, texts: Sequence[str]) -> list[Encoding]:
        return [convert(found) for found in self.library.encode_batch(list(texts), add_special_tokens=False)]

    def decode(self, ids: Sequence[int]) -> str:
        return self.library.decode(list(ids))

    def save(self, path: str | Path) -> None:
        self.library.save(str(path))
