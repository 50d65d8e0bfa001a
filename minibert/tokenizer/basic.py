"""BERT's basic tokenizer, which splits text into words and keeps their positions in the original text.

Devlin et al. (2019, arXiv 1810.04805), section 3, and the authors' `BasicTokenizer`. It runs before
WordPiece: clean the text, isolate ideographs, split at white space, lowercase and strip accents, and split at
punctuation. Unlike the original, it also remembers the origin of each character.
"""

import unicodedata
from dataclasses import dataclass

CJK_BLOCKS = (  # ideographs, which are written without spaces; not Japanese syllables or Korean
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)
ASCII_SIGNS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")  # Unicode counts $ + < = > ^ ` | ~ as symbols
Characters = list[tuple[str, int]]  # characters, each with its index in the original text


@dataclass(frozen=True)
class Word:
    """A word after normalisation.

    `places[i]` is the index, in the original text, of the character that `text[i]` comes from. As in the
    `tokenizers` library, the word ends before an accent on its last letter that is a separate character.
    """

    text: str
    places: tuple[int, ...]

    @property
    def start(self) -> int:
        return self.places[0]

    @property
    def end(self) -> int:
        return self.places[-1] + 1


class BasicTokenizer:
    """A tokenizer that splits text into words; with lower_case, it also lowercases and strips accents.

    strip_accents: None for the same value as lower_case. tokenize_chinese_chars: whether each ideograph is a
    separate word.
    """

    def __init__(
        self, lower_case: bool = True, strip_accents: bool | None = None, tokenize_chinese_chars: bool = True
    ):
        self.lower_case = lower_case
        self.strip_accents = lower_case if strip_accents is None else strip_accents
        self.tokenize_chinese_chars = tokenize_chinese_chars

    def split(self, text: str) -> list[Word]:
        """Return the words of a text, in order.

        >>> [(word.text, word.start, word.end) for word in BasicTokenizer().split("Où est-il?")]
        [('ou', 0, 2), ('est', 3, 6), ('-', 6, 7), ('il', 7, 9), ('?', 9, 10)]
        """
        words = []
        for run in runs(clean(text), self.tokenize_chinese_chars):
            run = lower(run) if self.lower_case else run
            run = strip_accents(run) if self.strip_accents else run
            words += [
                Word("".join(c for c, _ in part), tuple(i for _, i in part))
                for part in split_punctuation(run)
            ]
        return words


def clean(text: str) -> Characters:
    """Return a text's characters except NUL, the replacement character U+FFFD and control characters."""
    return [(c, i) for i, c in enumerate(text) if not is_control(c)]


def runs(characters: Characters, separate_ideographs: bool = True) -> list[Characters]:
    """Split a text into runs of characters at white space, which is dropped; each ideograph is a run."""
    found: list[Characters] = []
    inside = False
    for c, i in characters:
        alone = separate_ideographs and is_cjk(c)
        if inside and not alone and not c.isspace():
            found[-1].append((c, i))
        elif not c.isspace():
            found.append([(c, i)])
        inside = not alone and not c.isspace()
    return found


def lower(run: Characters) -> Characters:
    """Lowercase a run of characters. Context matters: a capital sigma at the end of a word becomes ς."""
    # "İ" is the only capital whose lowercase form has two characters: i and a dot
    run = [(part, i) for c, i in run for part in ("i\u0307" if c == "İ" else c)]
    return [(c, i) for c, (_, i) in zip("".join(c for c, _ in run).lower(), run)]


def strip_accents(run: Characters) -> Characters:
    """Decompose each character (Unicode's NFD), and drop the combining marks."""
    return [
        (part, i)
        for c, i in run
        for part in unicodedata.normalize("NFD", c)
        if unicodedata.category(part) != "Mn"
    ]


def split_punctuation(run: Characters) -> list[Characters]:
    """Split a run of characters around each punctuation character."""
    found: list[Characters] = []
    inside = False
    for c, i in run:
        alone = is_punctuation(c)
        if inside and not alone:
            found[-1].append((c, i))
        else:
            found.append([(c, i)])
        inside = not alone
    return found


def is_control(c: str) -> bool:
    """Return whether `clean` removes a character; tabs and line ends are kept as white space."""

    return c in "\x00\ufffd" or c not in "\t\n\r" and unicodedata.category(c) in ("Cc", "Cf")


def is_cjk(c: str) -> bool:
    return any(first <= ord(c) <= last for first, last in CJK_BLOCKS)


def is_punctuation(c: str) -> bool:
    """Return whether a character is punctuation in Unicode, or one of ASCII_SIGNS."""
    return c in ASCII_SIGNS or unicodedata.category(c).startswith("P")
