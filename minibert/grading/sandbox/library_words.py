"""A `BasicTokenizer` built on the `tokenizers` library, for the unit in which students write their own.

It returns the same words as `minibert.tokenizer.BasicTokenizer`, but contains none of its code.
"""

from typing import NamedTuple


class Word(NamedTuple):
    """A word after normalisation, with its position in the original text."""

    text: str
    start: int
    end: int


class BasicTokenizer:
    """A tokenizer that splits text into words.

    lower_case: whether to lowercase the text and remove accents, as for uncased models. strip_accents: None
    for the same value. tokenize_chinese_chars: whether each ideograph is a separate word.
    """

    def __init__(
        self, lower_case: bool = True, strip_accents: bool | None = None, tokenize_chinese_chars: bool = True
    ) -> None:
        from tokenizers import normalizers, pre_tokenizers  # imported here because most kernels never need it

        self.lower_case, bert = lower_case, normalizers.BertNormalizer
        self.clean = bert(handle_chinese_chars=tokenize_chinese_chars, strip_accents=False, lowercase=False)
        self.plain = bert(
            clean_text=False,
            handle_chinese_chars=False,
            strip_accents=lower_case if strip_accents is None else strip_accents,
            lowercase=False,
        )
        self.splitter = pre_tokenizers.BertPreTokenizer()

    def split(self, text: str) -> list[Word]:
        """Return the words of `text`, in order."""
        from tokenizers import PreTokenizedString

        runs = self.clean.normalize_str(text).split()
        if self.lower_case:  # Python lowercases, because the library does not handle the Greek final sigma
            runs = [run.lower() for run in runs]
        words = [
            word for run in runs for word, _ in self.splitter.pre_tokenize_str(self.plain.normalize_str(run))
        ]
        placed = PreTokenizedString(text)
        placed.normalize(lambda part: self.clean.normalize(part))
        placed.normalize(lambda part: self.plain.normalize(part))
        self.splitter.pre_tokenize(placed)
        return [
            Word(word, *place)
            for word, (_, place, _) in zip(words, placed.get_splits("original", "char"), strict=True)
        ]
