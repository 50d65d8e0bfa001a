"""A wrapper for a tokenizer of the `tokenizers` library: RoBERTa's, ALBERT's, or BERT's with added tokens."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tokenizers import AddedToken, Tokenizer
from tokenizers.normalizers import BertNormalizer

from ..data.batch import SPECIAL_TOKENS, Specials
from ..readers.utf8_text import check_characters
from .added import added_tokens, role_names
from .fast import FastWordPiece, convert
from .published import in_order
from .settings import check_library, length_limit, wordpiece_settings
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
    """A tokenizer from the `tokenizers` library.

    roles: {BERT's name of a special token: its name here}, for names not in NAMES. why: the reason why it is
    not a WordPiece of this package. Raises ValueError if a special token is missing.
    """

    def __init__(self, library: Tokenizer, roles: Mapping[str, str] = {}, why: str = "") -> None:
        self.library, self.why = library, why
        self.max_length: int | None = None  # as in WordPiece
        self.ids: dict[str, int] = library.get_vocab()
        self.vocab: list[str] = in_order("the tokenizer", self.ids)
        found = [
            next(
                (name for name in ([roles[token]] if token in roles else NAMES[token]) if name in self.ids),
                None,
            )
            for token in SPECIAL_TOKENS
        ]
        if None in found:
            raise ValueError(
                f"the tokenizer has no token with the role of {SPECIAL_TOKENS[found.index(None)]}"
            )
        self.specials = Specials(*(self.ids[name] for name in found if name is not None))

    def __len__(self) -> int:
        return len(self.vocab)

    @classmethod
    def load(cls, path: str | Path, why: str = "") -> "LibraryTokenizer":
        """Load a tokenizer.json, or a vocab.txt with added tokens, with the settings in its folder.

        Raises ValueError, naming the file, if a file is damaged or contradicts another one.
        """
        path = Path(path)
        try:
            if path.suffix == ".json":
                library = Tokenizer.from_file(str(path))
            else:
                library = berts(FastWordPiece(**wordpiece_settings(path, added=True)))
        except Exception as error:  # the library raises plain Exception
            raise ValueError(f"{path}: {error}") from None
        library.no_padding()  # a tokenizer.json may ask to pad and cut each text, which is done elsewhere
        library.no_truncation()
        if path.suffix == ".json":
            check_library(path)
        add_tokens(library, path.parent)
        try:
            found = cls(library, role_names(path.parent), why)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        found.max_length = length_limit(path.parent)
        return found

    def encode(self, text: str) -> Encoding:
        """Tokenize a text without adding special tokens; special tokens written in the text are kept."""
        check_characters(text, "the text")
        return convert(self.library.encode(text, add_special_tokens=False))

    def encode_batch(self, texts: Sequence[str]) -> list[Encoding]:
        for text in texts:
            check_characters(text, "the text")
        return [convert(found) for found in self.library.encode_batch(list(texts), add_special_tokens=False)]

    def decode(self, ids: Sequence[int]) -> str:
        return self.library.decode(list(ids))

    def save(self, path: str | Path) -> None:
        self.library.save(str(path))


def berts(pieces: FastWordPiece) -> Tokenizer:
    """Return the tokenizer of `transformers` for a WordPiece, which never splits special tokens."""
    pieces.library.normalizer = BertNormalizer(
        handle_chinese_chars=pieces.basic.tokenize_chinese_chars,
        strip_accents=pieces.basic.strip_accents,
        lowercase=pieces.lower_case,
    )
    pieces.library.add_special_tokens(list(SPECIAL_TOKENS))
    return pieces.library


def add_tokens(library: Tokenizer, folder: Path) -> None:
    """Add the tokens to a tokenizer that the files of its folder state and that it does not have yet.

    Raises ValueError if a token has another id than its file states, or if no file states one.
    """
    there = {one.content for one in library.get_added_tokens_decoder().values()}
    for one in sorted(added_tokens(folder), key=lambda one: -1 if one.id is None else one.id):
        if one.id is None and library.token_to_id(one.content) is None:
            raise one.fail("has no id: it is neither in the vocabulary nor among the added tokens with ids")
        if one.content not in there:
            library.add_tokens([AddedToken(one.content, **one.flags)])
        if one.id is not None and library.token_to_id(one.content) != one.id:
            raise one.fail(f"has id {one.id}, but it must be {library.token_to_id(one.content)}")
