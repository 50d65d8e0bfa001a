"""A reader that splits plain text into documents and sentences, for pretraining.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: whole documents rather than shuffled sentences. Their
files have one sentence per line and a blank line between documents. Books and web text are rarely like that,
so `layouts` recognises the layout of a file.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from .layouts import COMPOUND, HYPHEN, MEANINGS, SEPARATE, TIMES, Form, Layout, blocks, glued, recognise
from .sentences import LINE_END, split_sentences, within_sentence
from .utf8_text import stream_text

SHORTEST = 8  # minimum number of sentences in a document built from paragraphs: enough for a few sequences
MOST = 200  # maximum number of sentences in such a document, if a paragraph is a whole book
SAMPLE = 1 << 22  # characters of a file from which its layout is recognised: all of a long book
Document = list[str]  # a list of sentences
Paths = str | Path | Iterable[str | Path]
TAG = re.compile(r"</?[a-z][^<>]*>|\{\\[^{}]*\}")  # of subtitles, such as <i>


def read_documents(paths: Paths, layout: Layout = "auto") -> list[Document]:
    """Read the documents of one or more text files, each as a list of sentences.

    layout: the layout of all files, or auto, to recognise the layout of each file:

    - *sentences*: one sentence per line, or a line of dialogue or verse. Lines are not changed, and a blank
      line ends a document.
    - *paragraphs*: one paragraph per line, with several lines per block. They are split into sentences, and a
      blank line ends a document.
    - *documents*: one document per line, split into sentences. The file has no blank lines.
    - *prose*: one paragraph per line, but nothing shows where documents end: a blank line only ends a
      paragraph, or the file has none. Consecutive paragraphs are joined until a document has SHORTEST
      sentences, because one paragraph is too short for two segments. Such a document is a part of a book,
      and may continue beyond the end of a chapter.
    - *wrapped*: the same, but paragraphs have several lines, which end at a margin. Lines are joined, also
      words that are hyphenated at the end of a line. If most paragraphs have no blank line between them, an
      indented line begins a paragraph. Verse is read like this, too, if most of its lines end in a comma or
      the like, or continue in lower case.
    - *subtitles*: SubRip or WebVTT. Numbers and times are removed, and sentences are joined as in prose.

    Raises CorpusError if a file is missing, empty, not UTF-8, or a folder, and ValueError for another layout.
    """
    return list(stream_documents(paths, layout))


def stream_documents(paths: Paths, layout: Layout = "auto") -> Iterator[Document]:
    """Yield the documents of `read_documents` one at a time, so that the files may be larger than memory.

    The layout is recognised from the first SAMPLE characters of a file. A document ends after LONGEST lines
    at the latest, so that a file without blank lines fits into memory.
    """
    for path in [paths] if isinstance(paths, str | Path) else paths:
        form, parts = opened(path, layout)
        yield from documents(form, blocks(parts, form.indented))


def describe_layouts(paths: Paths) -> Iterator[str]:
    """Yield a line about each file, which says what layout is recognised."""
    for path in [paths] if isinstance(paths, str | Path) else paths:
        form = opened(path)[0]
        doubt = "" if form.sure else "too few lines to be sure; "
        yield f"{path}: read as {form.name}: {MEANINGS[form.name]} ({doubt}see --layout)"


def opened(path: str | Path, layout: Layout = "auto") -> tuple[Form, Iterator[str]]:
    """Return the layout of a file, and its text in parts."""
    parts = stream_text(path)
    sample = list(first(parts, SAMPLE))
    return recognise("".join(sample), layout), itertools.chain(sample, parts)


def first(parts: Iterable[str], size: int) -> Iterator[str]:
    """Yield the parts of a text until they have `size` characters in total, not counting blank parts."""
    for part in parts:
        yield part
        size -= len(part.strip())
        if size <= 0:
            return


def documents(form: Form, found: Iterable[Document]) -> Iterable[Document]:
    """Convert the blocks of a file in a layout to documents."""
    make: dict[str, Callable[[], Iterable[Document]]] = {
        "sentences": lambda: found,
        "paragraphs": lambda: map(split_lines, found),
        "documents": lambda: (split_sentences(line) for block in found for line in block),
        "prose": lambda: gather(map(split_lines, found)),
        "wrapped": lambda: gather(
            split_sentences(join_lines(lines, form)) for block in found for lines in unwrap(block)
        ),
        "subtitles": lambda: gather(split_sentences(join_lines(lines, form)) for lines in speech(found)),
    }
    return make[form.name]()


def split_lines(block: list[str]) -> Document:
    return [sentence for line in block for sentence in split_sentences(line)]


def join_lines(lines: Sequence[str], form: Form) -> str:
    """Join the lines of a paragraph, without a space between Chinese or Japanese signs.

    A word that is divided at a line end keeps its hyphen only if it has it elsewhere. A soft hyphen at a line
    end is always removed.
    """
    parts, compounds = list(lines[:1]), form.compounds
    for line, following in zip(lines, lines[1:]):
        if glued(line, following, form.spaced):
            parts.append(following)
        elif line[-1] == "\u00ad" or compounds is not None and HYPHEN.search(line) and following[0].islower():
            compound = COMPOUND.match(f"{line.rpartition(' ')[2]}{following}".lower())
            if not (compound and compounds and compound[0] in compounds):
                parts[-1] = parts[-1][:-1]
            parts.append(following)
        else:
            parts += " ", following
    return "".join(parts)


def unwrap(block: list[str]) -> Iterator[list[str]]:
    """Yield the lines of each paragraph of a block. Headings and list items are paragraphs."""
    paragraph: list[str] = []
    for line in block:
        if paragraph and (SEPARATE.match(line) or paragraph[0].startswith("#")):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    yield paragraph


def speech(found: Iterable[Document]) -> Iterator[list[str]]:
    """Yield the lines of subtitles that belong together.

    They do until a line ends a sentence, or another person speaks, or there are SHORTEST lines.
    """
    spoken: list[str] = []
    for line in itertools.chain.from_iterable(map(spoken_lines, found)):
        ended = spoken and LINE_END.search(spoken[-1]) and not within_sentence(spoken[-1], line)
        if ended and not line[0].islower() or line[0] in "-–—" or len(spoken) == SHORTEST:
            yield spoken
            spoken = []
        spoken.append(line)
    yield spoken


def spoken_lines(block: list[str]) -> Iterator[str]:
    """Yield the lines of a block of subtitles that are not numbers, times or notes."""
    if not block[0].startswith(("WEBVTT", "NOTE", "STYLE", "REGION")):
        for number, (line, following) in enumerate(zip(block, [*block[1:], ""], strict=True)):
            named = TIMES.match(following) and (number == 0 or line.isdecimal())
            text = "" if named or TIMES.match(line) else TAG.sub("", line).strip()
            if text:
                yield text


def gather(paragraphs: Iterable[Document]) -> Iterator[Document]:
    """Join consecutive paragraphs into documents of at least SHORTEST sentences.

    A shorter remainder is added to the last document.
    """
    document: Document = []
    following: Document = []
    for sentences in itertools.chain.from_iterable(map(portions, paragraphs)):
        following += sentences
        if len(following) >= SHORTEST:
            if document:
                yield document
            document, following = following, []
    if document or following:
        yield document + following


def portions(sentences: Document) -> Iterator[Document]:
    """Divide a paragraph into parts of at most MOST sentences."""
    return (sentences[start : start + MOST] for start in range(0, len(sentences), MOST))
