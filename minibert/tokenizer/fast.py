"""Fast WordPiece: the `tokenizers` library, configured to give the same results as `wordpiece`.

Three defaults of the library's BERT tokenizer are changed, to agree with the paper's code: by default, words
of more than 100 characters become [UNK], special tokens in a text are not split, and private-use characters
are dropped.
"""

from collections.abc import Iterable
from functools import cached_property

from tokenizers import Encoding as LibraryEncoding
from tokenizers import Regex, Tokenizer
from tokenizers.models import WordPiece as Pieces
from tokenizers.normalizers import BertNormalizer, Replace, Sequence
from tokenizers.pre_tokenizers import BertPreTokenizer

from ..readers.utf8_text import check_characters
from .basic import clean, lower, runs
from .wordpiece import CONTINUES, UNKNOWN, Encoding, WordPiece

CONTROL = r"[\p{Cc}\p{Cf}\x{fffd}&&[^\t\n\r]]"


class FastWordPiece(WordPiece):
    """A WordPiece tokenizer that uses the fast `tokenizers` library.

    Characters that are newer than the library's Unicode tables may be split differently.
    """

    @cached_property
    def library(self) -> Tokenizer:
        """The library's tokenizer with this vocabulary and these settings."""
        made = Tokenizer(
            Pieces(
                self.ids,
                unk_token=UNKNOWN,
                max_input_chars_per_word=self.max_characters_per_word,
                continuing_subword_prefix=CONTINUES,
            )
        )
        bert = BertNormalizer(
            clean_text=False,
            handle_chinese_chars=self.basic.tokenize_chinese_chars,
            strip_accents=self.basic.strip_accents,
            lowercase=self.lower_case,
        )
        made.normalizer = Sequence([Replace(Regex(CONTROL), ""), bert])
        made.pre_tokenizer = BertPreTokenizer()
        return made

    def encode(self, text: str) -> Encoding:
        return convert(self.library.encode(self.prepare(text), add_special_tokens=False))

    def encode_batch(self, texts: Iterable[str]) -> list[Encoding]:
        encodings = self.library.encode_batch(
            [self.prepare(text) for text in texts], add_special_tokens=False
        )
        return [convert(encoding) for encoding in encodings]

    def encode_words(self, words: Iterable[str]) -> Encoding:
        prepared = [self.prepare(word) for word in words]
        return convert(self.library.encode(prepared, is_pretokenized=True, add_special_tokens=False))

    def prepare(self, text: str) -> str:
        """Return a text with each word-final capital sigma replaced by ς; the library would write σ.

        Raises ValueError for a text that the library cannot read.
        """
        check_characters(text, "the text")
        if not self.lower_case or "Σ" not in text:
            return text
        final = {
            i
            for run in runs(clean(text), self.basic.tokenize_chinese_chars)
            for c, i in lower(run)
            if c == "ς"
        }
        return "".join("ς" if i in final else c for i, c in enumerate(text))


def convert(encoding: LibraryEncoding) -> Encoding:
    """Convert an encoding of the `tokenizers` library to an Encoding of this package."""
    return Encoding(encoding.ids, encoding.tokens, encoding.offsets, encoding.word_ids)  # type: ignore[arg-type]  # None is for special tokens, which are not added
