"""Recognise the layout of a plain text: what its lines and its blank lines mean."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from statistics import median, median_high
from typing import Literal, NamedTuple, get_args
from unicodedata import category, east_asian_width

from ..spelling import did_you_mean
from .sentences import LINE_END, split_sentences

Layout = Literal["auto", "sentences", "paragraphs", "documents", "prose", "wrapped", "subtitles"]
MEANINGS = {
    "sentences": "a sentence per line, a blank line after each document",
    "paragraphs": "a paragraph per line, a blank line after each document",
    "documents": "a document per line",
    "prose": "a paragraph per line; paragraphs are joined into documents",
    "wrapped": "several lines per paragraph; paragraphs are joined into documents",
    "subtitles": "lines with times; sentences are joined into documents",
}
LONGEST = 50_000  # maximum number of lines in a block, because a process keeps a document in memory
SEVERAL = 0.45  # minimum share of lines with more than one sentence in prose
FEW = 6  # minimum number of lines from which a layout is recognised reliably
NARROWEST, WIDEST = 24, 200  # columns of wrapped lines
HYPHENATED = 0.02  # minimum share of divided words at line ends; in books without them, it is 0.0002
# Chinese and Japanese signs and marks are two columns wide, without spaces between them. Other scripts have
# the SHARED marks, too.
SIGN = "\u2e80-\u2fff\u3004-\u3007\u3021-\u3029\u3031-\u312f\u3190-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff"
WIDE_MARK = "\u3000-\u3003\u3008-\u3020\u302a-\u3030\ufe30-\uff60"
SHARED = "“”‘’—…‥·"
WIDE = f"[{SIGN}{WIDE_MARK}]"
GLUED = re.compile(  # line ends that are not a space
    rf"{WIDE}[{SHARED}]*\n[{SHARED}]*{WIDE}|[{WIDE_MARK}]\n|\n[{WIDE_MARK}]|[(\[]\n[{SIGN}]|[{SIGN}]\n[)\]]"
)
FIRST = re.compile(rf"(?:(?!{WIDE})\S)*({WIDE})?")  # of a line, with the sign that may end it
UNSPACED = re.compile("[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff]")  # Thai and its neighbours
INDENT = re.compile("\t|  |\u3000")
COMMA = re.compile(r"(?:[,;:،؛、，；]|\s?[-–—])$")
HYPHEN = re.compile(r"[^\W\d_][-\u2010\u00ad]$")
COMPOUND = re.compile(r"[^\W\d_]+-[^\W\d_]+")
LETTER = re.compile(r"[^\W\d_]")
# A Chinese or Japanese ellipsis does not end a sentence, but the quotes of Japanese speech often do alone.
ENDED = re.compile(rf"{LINE_END.pattern}(?<![{SIGN}…]…)|[」』]$")
TIMES = re.compile(r"^[\d:.,]+ --> [\d:.,]+")
SEPARATE = re.compile(r"#{1,6} \S|[*+•-] \S")  # a Markdown heading or an item of a list

Pair = tuple[str, str]  # a line with its indentation, and the one that follows it
Width = Callable[[str], int]


class Form(NamedTuple):
    """A recognised layout, with details that are not for the user to choose."""

    name: str  # a key of MEANINGS
    indented: bool = False  # whether an indented line begins a paragraph
    compounds: frozenset[str] | None = None  # words with a hyphen, if words are hyphenated at line ends
    spaced: bool = True  # whether a space divides Chinese or Japanese signs from other letters
    sure: bool = True  # whether there were enough lines to recognise it


def recognise(sample: str, layout: Layout = "auto") -> Form:
    """Recognise the layout of a text from a sample of it.

    layout: the name of the layout, or auto. Raises ValueError if it is neither.
    """
    if layout not in get_args(Layout):
        known = get_args(Layout)
        raise ValueError(f"layout={layout!r} must be one of {known}{did_you_mean(layout, known)}")
    found = list(blocks([sample]))
    lines = [line for line in sample.split("\n") if line.strip()]
    before = [line for line, following in zip(lines, lines[1:]) if INDENT.match(following)]
    # Indentation begins a paragraph if there are few blank lines, and sentences end before it.
    indented = len(before) >= len(found) - 1 and 2 * len(list(filter(LINE_END.search, before))) > len(before)
    mostly = 2 * len(before) >= len(lines)
    pairs = pairs_of(blocks([sample], indented, margin=True))
    name = name_of(found, pairs, mostly) if layout == "auto" else layout
    hyphens = sum(bool(HYPHEN.search(line)) and following[0].islower() for line, following in pairs)
    divided = name == "wrapped" and hyphens > HYPHENATED * len(pairs)
    return Form(
        name,
        indented and (name == "wrapped" or name == "prose" and mostly),
        frozenset(COMPOUND.findall(sample.lower())) if divided else None,
        mixed(sample, " ") > mixed(sample, ""),
        len(lines) == 1 or len(lines) >= FEW,
    )


def mixed(text: str, between: str) -> int:
    """Return how often a Chinese or Japanese sign and another letter follow each other, with `between`."""
    other = "[0-9A-Za-z]"
    return len(re.findall(f"[{SIGN}][{SHARED}]*{between}{other}|{other}{between}[{SHARED}]*[{SIGN}]", text))


def glued(line: str, following: str, spaced: bool) -> bool:
    """Return whether two lines are joined without a space.

    spaced: whether there is one between a Chinese or Japanese sign and another letter.
    """
    end = f"{line[-4:]}\n{following[:4]}"
    return bool(GLUED.search(end) or not spaced and mixed(end, "\n"))


def pairs_of(blocks: Iterable[Sequence[str]]) -> list[Pair]:
    """Return each line with the one that follows it in its block, without its indentation."""
    return [(line, following.lstrip()) for block in blocks for line, following in zip(block, block[1:])]


def name_of(blocks: Sequence[Sequence[str]], pairs: Sequence[Pair], indented: bool) -> str:
    """Return the name of the layout of a sample's blocks.

    pairs: the lines of its paragraphs. indented: whether most lines are indented.
    """
    lines = [line for block in blocks for line in block]
    if sum(bool(TIMES.search(line)) for line in lines) > 0.15 * len(lines):
        return "subtitles"
    pairs = [pair for pair in pairs if not any(SEPARATE.match(line.lstrip()) for line in pair)]
    if any(map(LINE_END.search, lines)) and wrapped(pairs, cased(blocks)):
        return "wrapped"
    if median_high(len(block) for block in blocks) < 2:
        return "prose"
    counts = [len(split_sentences(line)) for line in lines]
    if sum(count > 1 for count in counts) < SEVERAL * len(lines):
        return "sentences"
    if len(blocks) > 1:
        return "paragraphs"
    # Without a blank line, long lines are documents, unless they are indented like paragraphs.
    return "documents" if median(counts) >= 3 and not indented else "prose"


def cased(blocks: Sequence[Sequence[str]]) -> bool:
    """Return whether a text uses capitals: most blocks with a letter begin with one, unlike most letters."""
    firsts = [letter[0] for block in blocks if (letter := LETTER.search(block[0]))]
    text = "".join(line for block in blocks for line in block)
    upper = 2 * sum(letter.isupper() for letter in firsts) > len(firsts)
    return upper and 2 * sum(map(str.islower, text)) > len(text)


def wrapped(pairs: Sequence[Pair], cased: bool) -> bool:
    """Return whether a text is hard-wrapped, given its consecutive lines.

    Many lines of a wrapped text end within a sentence, and at a margin: the first word of the following line
    does not fit in. If the text uses capitals, it also has lines that begin with a lowercase letter. A text
    with lines of other lengths, such as verse, is regarded as wrapped if most lines end within a sentence,
    and most of these end in a comma or the like, or continue in lower case.
    """
    within = [pair for pair in pairs if not ENDED.search(pair[0]) or cased and pair[1][0].islower()]
    continued = sum(bool(COMMA.search(line)) or cased and after[0].islower() for line, after in within)
    limit = margin(pairs, columns) if within else 0
    if 4 * len(within) < len(pairs) or cased and 4 * continued <= len(within) or not 0 < limit <= WIDEST:
        return False
    most = 0.5 if cased else 0.7
    if limit >= NARROWEST and any(fullness(pairs, within, width) > most for width in WIDTHS):
        return True
    return 2 * len(within) >= len(pairs) and 2 * continued > len(within)


def margin(pairs: Sequence[Pair], width: Width) -> int:
    """Return the width that one line in ten exceeds at most."""
    widths = sorted(width(line) for pair in pairs for line in pair)
    return widths[-1 - len(widths) // 10]


def fullness(pairs: Sequence[Pair], within: Sequence[Pair], width: Width) -> float:
    """Return the share of the lines that end within a sentence and have no room for the following word."""
    limit = margin(pairs, width)
    return sum(width(line) + 1 + first_word(after, width) > limit for line, after in within) / len(within)


def columns(text: str) -> int:
    """Return the width of a text on a screen, where some characters have two columns and others none."""
    return len(text) if text.isascii() else sum(map(columns_of, text))


# What programs count: columns, with or without an indentation, or characters.
WIDTHS: tuple[Width, ...] = (columns, lambda line: columns(line.strip()), len)


@cache
def columns_of(character: str) -> int:
    return 0 if category(character) in ("Mn", "Me", "Cf") else 1 + (east_asian_width(character) in "WF")


def first_word(line: str, width: Width) -> int:
    """Return the width of a line up to the first place where it could have been divided."""
    word = FIRST.match(line)
    assert word is not None
    if word[1]:  # a mark may belong to the sign on either side
        return max(3 * width(word[1]), width(word[0]))
    return min(width(word[0]), 10) if UNSPACED.match(line) else width(word[0])


def blocks(parts: Iterable[str], indented: bool = False, margin: bool = False) -> Iterator[list[str]]:
    """Yield the lines between two blank lines as a list, at most LONGEST at a time.

    indented: whether an indented line begins a block, too. margin: whether lines keep their indentation.
    """
    block: list[str] = []
    for line in lines_of(parts):
        text = " ".join(line.split())  # without indentation and runs of white space
        if not text and "\f" in line:  # the end of a page, not of a paragraph
            continue
        if block and (not text or len(block) == LONGEST or indented and INDENT.match(line)):
            yield block
            block = []
        if text:
            block.append(f"{line[: -len(line.lstrip())].expandtabs()}{text}" if margin else text)
    if block:
        yield block


def lines_of(parts: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a text given in parts."""
    rest = [""]  # parts of a line whose end has not been read yet
    for part in parts:
        head, *tail = part.split("\n")
        rest.append(head)
        if tail:
            yield from ("".join(rest), *tail[:-1])
            rest = tail[-1:]
    yield "".join(rest)
