"""Words of a typed text, divided like the words of the files with which taggers are trained.

In the files of the CoNLL shared tasks (Tjong Kim Sang and De Meulder, 2003, arXiv cs/0306050), the signs at
the ends of a word are words too, but U.S., O'Brien, AT&T and www.example.org are single words. BERT's basic
tokenizer, in contrast, divides them at every sign.
"""

import re
import unicodedata
from collections.abc import Iterator

from ..readers.sentences import ENGLISH
from ..tokenizer.basic import clean, runs

Place = tuple[int, int]  # the start and end of a word, in characters
STAY = frozenset("%‰&*#@/\\§†")  # signs at an end of a word that belong to it
BEFORE, AFTER = frozenset("\"'`<¿¡"), frozenset("\"'`>")  # other signs that do not, at its start and its end
PAIRS = {")": "(", "]": "[", "}": "{"}
CLITIC = re.compile(r"['’](?:s|d|m|t|ll|re|ve)", re.I)  # a separate word, as in "she 's"
POSSESSIVE = re.compile(r"(?<=\w)['’][sS]$")
# dashes and dots between two words, and a comma between two letters
JOINT = re.compile(r"(?<=\w)(?:—|--+|…|\.{3,})(?=\w)|(?<=[^\W\d_]),(?=[^\W\d_])")
INITIALS = re.compile(r"(?:(?:[^\W\d_]|[A-Z][a-z])\.){2,}")  # U.S., e.g., Ph.D.
INITIAL = re.compile(r"[^\W\d_a-z]\.")
NUMBER = re.compile(r"[Nn]os?\.")
ABBREVIATION = re.compile(
    rf"(?:{ENGLISH}|Cmdr|Cpl|Gov|Maj|Pres|Rep|Sen|Adm|Ft"
    r"|Jan|Feb|Apr|Aug|Sept?|Oct|Nov|Dec|Ave|Blvd|Bros|Co|Corp|Dept|Inc|Ltd|Univ|etc|approx)\."
)


def typed_words(text: str) -> list[Place]:
    """Return the place of each word of a text, in order.

    Words are separated by white space, and each ideograph is a word. Signs at the start or the end of a word
    are words too, like the possessive 's, except the full stop of an abbreviation, and a full stop or an
    exclamation mark before a lowercase letter. If a full stop or a comma is surrounded by white space, the
    text is already divided into words, as in a file, and only white space divides it.

    >>> text = "(He met O'Brien of the U.S. at Yahoo! in Bath.)"
    >>> [text[start:end] for start, end in typed_words(text)]
    ['(', 'He', 'met', "O'Brien", 'of', 'the', 'U.S.', 'at', 'Yahoo!', 'in', 'Bath', '.', ')']
    """
    chunks = [chunk.span() for chunk in re.finditer(r"\S+", text)]
    if any(text[start:end] in (".", ",") for start, end in chunks):
        return chunks
    parts = [part for run in runs(clean(text)) for part in at_joints(text, run[0][1], run[-1][1] + 1)]
    following = [*(text[start] for start, _ in parts[1:]), ""]
    return [word for part, after in zip(parts, following) for word in set_apart(text, *part, after)]


def at_joints(text: str, start: int, end: int) -> Iterator[Place]:
    """Divide text[start:end] before and after each joint, except in an address."""
    for joint in JOINT.finditer(text, start, end) if "://" not in text[start:end] else ():
        yield start, joint.start()
        yield joint.span()
        start = joint.end()
    yield start, end


def set_apart(text: str, start: int, end: int, after: str) -> list[Place]:
    """Divide text[start:end] into a word and the signs at its ends. after: the next character, or ""."""
    if not any(map(str.isalnum, text[start:end])) or CLITIC.fullmatch(text, start, end):
        return [(start, end)]
    first, last = start, end
    while opens(text[first]):
        first += 1
    while closes(text, first, last, after if last == end else ","):
        last -= 1
    words = [(i, i + 1) for i in range(start, first)]
    if owner := POSSESSIVE.search(text[first:last]):
        words += [(first, first + owner.start()), (first + owner.start(), last)]
    else:
        words.append((first, last))
    return words + [(i, i + 1) for i in range(last, end)]


def opens(c: str) -> bool:
    return c in BEFORE or unicodedata.category(c) in ("Ps", "Pi")


def closes(text: str, first: int, last: int, after: str) -> bool:
    """Return whether the last character of text[first:last] is a sign that does not belong to the word."""
    c, word = text[last - 1], text[first:last]
    if c in PAIRS:
        return word.count(PAIRS[c]) < word.count(c)
    if c == "." and (INITIALS.fullmatch(word) or ABBREVIATION.fullmatch(word)):
        return False
    if c == "." and (INITIAL.fullmatch(word) or NUMBER.fullmatch(word)):
        return not (after.isdigit() if NUMBER.fullmatch(word) else after)
    if c in ".!" and after.islower() and text[last - 2].isalnum():
        return False
    return c in AFTER or c not in STAY and unicodedata.category(c) in ("Pe", "Pf", "Pi", "Po")
