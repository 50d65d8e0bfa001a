"""Read plain text as documents of sentences, for pretraining.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: whole documents rather than shuffled sentences. Their
files have one sentence a line and a blank line between documents. Books and web text rarely do, so the layout
of a file is recognised.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median

from .utf8_text import stream_text

SHORTEST = 8  # sentences of a document that is made of paragraphs: enough for a few sequences
LONGEST = 50_000  # lines of a document: what a process has in memory at once
SAMPLE = 1 << 22  # characters of a file by which its layout is recognised: all of a long book
Document = list[str]  # of sentences

# A sentence may end at . ! ? or …, with closing quotes and brackets after it, before white space and what can
# begin a sentence.
LINE_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*$")
BREAK = re.compile(r"([.!?…]+[\"'”’»)\]]*)\s+(?=[\"'“‘«(\[]*[A-Z0-9À-ÖØ-Þ])")
ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Capt|Col|Gen|Lt|Sgt|St|Mt|Messrs|Jr|Sr|No|Vol|Fig|vs|cf|e\.g|i\.e|[A-Z]))\.$"
)


def read_documents(paths: str | Path | Iterable[str | Path]) -> list[Document]:
    """Return the documents of one text file or several, each a list of sentences.

    The layout of each file is recognised:

    - *one sentence a line* (most lines hold one sentence): lines are kept as they are, a blank line ends a
      document;
    - *one paragraph a line*, several lines a block: paragraphs are split into sentences, a blank line ends a
      document;
    - *prose*, in which a blank line ends only a paragraph: lines are hard-wrapped (most lines but the last of
      a block end within a sentence), or blocks mostly have one line. Wrapped lines are joined, paragraphs
      split into sentences, and consecutive paragraphs joined until a document has SHORTEST sentences: one
      paragraph is too short to draw two segments from. Such a document is a stretch of a book, and may run
      over the end of a chapter.

    Raises CorpusError for a file that is missing, a folder, empty, or not UTF-8.
    """
    return list(stream_documents(paths))


def stream_documents(paths: str | Path | Iterable[str | Path]) -> Iterator[Document]:
    """Yield the documents of `read_documents` one at a time: the files may be larger than memory.

    The layout is recognised by the first SAMPLE characters of a file. A document of more than LONGEST lines
    is cut there: a file without blank lines would not fit into memory, and would have no other document from
    which to draw a sentence.
    """
    for path in [paths] if isinstance(paths, str | Path) else paths:
        parts = stream_text(path)
        sample = list(first(parts, SAMPLE))
        make = layout(list(blocks(sample)))
        yield from make(blocks(itertools.chain(sample, parts)))


def first(parts: Iterable[str], size: int) -> Iterator[str]:
    """Yield the parts of a text until they have `size` characters; blank parts do not count."""
    for part in parts:
        yield part
        size -= len(part.strip())
        if size <= 0:
            return


def layout(sample: list[Document]) -> Callable[[Iterable[Document]], Iterable[Document]]:
    """Recognise a layout; return the function that turns the blocks of such a file into documents."""
    if wrapped(sample):
        return lambda found: gather(split_sentences(" ".join(block)) for block in found)
    if median(len(block) for block in sample) < 2:
        return lambda found: gather(split_lines(block) for block in found)
    if median(len(split_sentences(line)) for block in sample for line in block) < 2:
        return iter
    return lambda found: map(split_lines, found)


def blocks(parts: Iterable[str]) -> Iterator[list[str]]:
    """Yield the lines between blank lines, at most LONGEST of them, with single spaces."""
    block: list[str] = []
    for line in single_spaced_lines(parts):
        if line:
            block.append(line)
        if block and (not line or len(block) == LONGEST):
            yield block
            block = []
    if block:
        yield block


def single_spaced_lines(parts: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a text that comes in parts; runs of white space become one space."""
    rest = [""]  # parts of a line whose end is still to come
    for part in parts:
        head, *tail = part.split("\n")
        rest.append(head)
        if tail:
            yield from (" ".join(line.split()) for line in ("".join(rest), *tail[:-1]))
            rest = tail[-1:]
    yield " ".join("".join(rest).split())


def split_lines(block: list[str]) -> Document:
    """Return the sentences of a block whose lines are paragraphs."""
    return [sentence for line in block for sentence in split_sentences(line)]


def wrapped(sample: list[Document]) -> bool:
    """True if most lines but the last of each block stop within a sentence, and some sentence ends."""
    inner = [line for block in sample for line in block[:-1]]
    ended = [bool(LINE_END.search(line)) for line in inner]
    return 2 * sum(ended) < len(inner) and any(LINE_END.search(line) for block in sample for line in block)


def gather(paragraphs: Iterable[Document]) -> Iterator[Document]:
    """Join consecutive paragraphs into documents of at least SHORTEST sentences.

    A shorter rest goes to the last document.
    """
    document: Document = []
    following: Document = []
    for sentences in paragraphs:
        following += sentences
        if len(following) >= SHORTEST:
            if document:
                yield document
            document, following = following, []
    if document or following:
        yield document + following


def split_sentences(text: str) -> Document:
    """Split a paragraph into sentences, by rule.

    A sentence ends at . ! ? or … (with closing quotes) before a capital or a digit, but not after a known
    abbreviation or an initial. So the rule errs where a quotation ends before a name ('"Why?" Alice asked.'
    becomes two), after an abbreviation that is not in its list, and in languages without capitals.

    >>> split_sentences('Mr. J. Dodgson wrote it. "Was it long?" she asked. Yes!')
    ['Mr. J. Dodgson wrote it.', '"Was it long?" she asked.', 'Yes!']
    """
    sentences, start = [], 0
    for match in BREAK.finditer(text):
        if not ABBREVIATION.search(text[start : match.end(1)]):
            sentences.append(text[start : match.end(1)])
            start = match.end()
    return sentences + [text[start:]] if text[start:] else sentences
