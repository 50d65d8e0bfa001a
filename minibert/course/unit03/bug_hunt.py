"""The bug hunt `basic_words`: a text splitter with three planted bugs, and the properties that they violate.

It is the first step of the tokenizer released with Devlin et al. (2019, arXiv 1810.04805), before WordPiece.
"""

import unicodedata
from collections.abc import Callable

import numpy as np

from minibert.tokenizer.basic import ASCII_SIGNS, is_cjk, is_punctuation

from ..checks.exercise import Invariant

# each of these letters can have each of these accents
LETTERS, MARKS = list("aeiou"), list("\u0300\u0301\u0308")
SIGNS = list("«»¿¡–—…„“”、。،؟‿「」")  # punctuation outside ASCII
TEXTS = (
    "Le café de {0} est où? L'été à Nîmes",
    "«{0}!» – ¿Qué {1}? „Über\t{0}“ …",
    "{0} 我爱猫{1}。and\n猫 too",
    "({0}) $5+{1} ~ don't_stop 🤗🤗 now",
    "ﬁn² ½ {1}\u00a0\u00a0{0}، {1}؟",
    "e\u0301te\u0301 İ ΟΔΟΣ {0}",
    "हिन्दी की {0} किताब a\u20ddb 한국어 {1} {1}",
    "{0}‿{1}–{0}「{1}」",
    "",
    " \t ",
)


def version(left: frozenset[int]) -> Callable:
    """Return `basic_words`, a text splitter, with the bugs whose numbers (1 to 3) are in `left`.

    Bug 1: letters are composed with their accents, so accents are not removed. Bug 2: only ASCII punctuation
    is separated from words. Bug 3: the last word is lost.
    """

    def basic_words(text):
        words, word = [], ""
        for c in unicodedata.normalize("NFC" if 1 in left else "NFD", text.lower()):
            sign = c in ASCII_SIGNS if 2 in left else is_punctuation(c)
            if c.isspace() or sign or is_cjk(c):
                words += [word, c.strip()]
                word = ""
            elif unicodedata.category(c) != "Mn":
                word += c
        return [word for word in (words if 3 in left else [*words, word]) if word]

    return basic_words


def drawn_word(rng: np.random.Generator) -> str:
    return "".join(rng.choice(list("bcdefgklmoprstu"), size=int(rng.integers(3, 8))))


def cases(rng: np.random.Generator) -> list[tuple]:
    texts = [text.format(drawn_word(rng), drawn_word(rng)) for text in TEXTS]
    return [(text,) for text in ("x", "Ü", "ß", "猫", "é ü ", *texts, " ".join(texts))]


def words(f: Callable, text: str) -> list[str]:
    """Return f(text) as a list of strings, even if f returns a tuple or an array."""
    return [str(word) for word in f(text)]


def accents_change_nothing(f: Callable, rng: np.random.Generator) -> bool:
    letters = rng.choice(LETTERS, size=6)
    marked = "".join(letter + mark for letter, mark in zip(letters, rng.choice(MARKS, size=6)))
    return [words(f, text + " ") for text in (marked, unicodedata.normalize("NFC", marked))] == [
        ["".join(letters)]
    ] * 2


def signs_stand_alone(f: Callable, rng: np.random.Generator) -> bool:
    a, b = drawn_word(rng), drawn_word(rng)
    return all(words(f, f"{sign}{a}{sign}{b} ") == [sign, a, sign, b] for sign in SIGNS)


def no_letter_is_lost(f: Callable, rng: np.random.Generator) -> bool:
    found = [drawn_word(rng) for _ in range(4)]
    return "".join(words(f, " ".join(found))) == "".join(found)


def capitals_change_nothing(f: Callable, rng: np.random.Generator) -> bool:
    text = f"{drawn_word(rng)} {drawn_word(rng)}! "
    return words(f, text.upper()) == words(f, text)


def ascii_signs_stand_alone(f: Callable, rng: np.random.Generator) -> bool:
    return all(words(f, f"b{sign}c ") == ["b", sign, "c"] for sign in sorted(ASCII_SIGNS))


def ideographs_stand_alone(f: Callable, rng: np.random.Generator) -> bool:
    word = drawn_word(rng)
    return words(f, f"我爱{word}猫 ") == ["我", "爱", word, "猫"]


def any_space_will_do(f: Callable, rng: np.random.Generator) -> bool:
    a, b = drawn_word(rng), drawn_word(rng)
    return all(words(f, f"{a}{space}{b} ") == [a, b] for space in (" ", "  ", "\t", "\n", "\u00a0", " \n "))


def others_stay(f: Callable, rng: np.random.Generator) -> bool:
    word = drawn_word(rng)
    return words(f, f"b🤗{word} 5€ {word}² ½ﬁ ") == [f"b🤗{word}", "5€", f"{word}²", "½ﬁ"]


def other_marks_stay(f: Callable, rng: np.random.Generator) -> bool:
    word = drawn_word(rng)
    return words(f, f"कि{word} a\u20ddb ") == [f"कि{word}", "a\u20ddb"]


def words_come_again(f: Callable, rng: np.random.Generator) -> bool:
    word = drawn_word(rng)
    return words(f, f"{word} {word}, ") == [word, word, ","]


BROKEN = (
    Invariant('an accent changes nothing: "café" and "cafe" give the same words', accents_change_nothing),
    Invariant("a punctuation mark is a separate word, in every script: « ¿ – 。 ؟", signs_stand_alone),
    Invariant(
        "no letter is lost: the words of a text of lowercase letters contain all its letters",
        no_letter_is_lost,
    ),
)
KEPT = (
    Invariant(
        "only marks of the category Mn are removed: the signs of हिन्दी and a circle around a letter stay",
        other_marks_stay,
    ),
    Invariant("a word that occurs twice is returned twice", words_come_again),
    Invariant("uppercase and lowercase letters give the same words", capitals_change_nothing),
    Invariant("each ASCII symbol is a separate word, including $ and +", ascii_signs_stand_alone),
    Invariant("each Chinese character is a separate word", ideographs_stand_alone),
    Invariant("any other character stays unchanged in its word: 🤗 € ² ½", others_stay),
    Invariant("words end at any kind of whitespace, which is removed", any_space_will_do),
)
