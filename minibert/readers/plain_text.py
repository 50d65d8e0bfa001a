"""A reader that splits plain text into documents and sentences, for pretraining.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: whole documents rather than shuffled sentences. Their
files have one sentence per line and a blank line between documents. Books and web text are rarely like that,
so the layout of a file is recognised automatically.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median

from .utf8_text import stream_text

SHORTEST = 8  # minimum number of sentences in a document built from paragraphs: enough for a few sequences
LONGEST = 50_000  # maximum number of lines in a document, because a process keeps a document in memory
SAMPLE = 1 << 22  # characters of a file from which its layout is recognised: all of a long book
Document = list[str]  # a list of sentences

# A sentence may end at . ! ? or …, followed by closing quotes or brackets, white space, and a character that
# can begin a sentence.
LINE_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*$")
BREAK = re.compile(r"([.!?…]+[\"'”’»)\]]*)\s+(?=[\"'“‘«(\[]*[A-Z0-9À-ÖØ-Þ])")
ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Capt|Col|Gen|Lt|Sgt|St|Mt|Messrs|Jr|Sr|No|Vol|Fig|vs|cf|e\.g|i\.e|[A-Z]))\.$"
)


def read_documents(paths: str | Path | Iterable[str | Path]) -> list[Document]:
    """Read the documents of one or more text files, each as a list of sentences.

    The layout of each file is recognised:

    - *One sentence per line* (most lines have one sentence): lines are not changed, and a blank line ends a
      document.
    - *One paragraph per line*, with several lines per block: paragraphs are split into sentences, and a blank
      line ends a document.
    - *Prose*, in which a blank line only ends a paragraph: either lines are hard-wrapped (most lines except
      the last of a block end within a sentence), or most blocks have one line. Wrapped lines are joined,
      paragraphs are split into sentences, and consecutive paragraphs are joined until a document has SHORTEST
      sentences, because one paragraph is too short for two segments. Such a document is a part of a book, and
      may continue beyond the end of a chapter.

    Raises CorpusError if a file is missing, empty, not UTF-8, or a folder.
    """
    return list(stream_documents(paths))


def stream_documents(paths: str | Path | Iterable[str | Path]) -> Iterator[Document]:
    """Yield the documents of `read_documents` one at a time, so that the files may be larger than memory.

    The layout is recognised from the first SAMPLE characters of a file. A document ends after LONGEST lines
    at the latest, so that a file without blank lines fits into memory.
    """
    for path in [paths] if isinstance(paths, str | Path) else paths:
        parts = stream_text(path)
        sample = list(first(parts, SAMPLE))
        make = layout(list(blocks(sample)))
        yield from make(blocks(itertools.chain(sample, parts)))


def first(parts: Iterable[str], size: int) -> Iterator[str]:
    """Yield the parts of a text until they have `size` characters in total, not counting blank parts."""
    for part in parts:
        yield part
        size -= len(part.strip())
        if size <= 0:
            return


def layout(sample: list[Document]) -> Callable[[Iterable[Document]], Iterable[Document]]:
    """Recognise the layout of a file, and return the function that converts its blocks to documents."""
    if wrapped(sample):
        return lambda found: gather(split_sentences(" ".join(block)) for block in found)
    if median(len(block) for block in sample) < 2:
        return lambda found: gather(split_lines(block) for block in found)
    if median(len(split_sentences(line)) for block in sample for line in block) < 2:
        return iter
    return lambda found: map(split_lines, found)


def blocks(parts: Iterable[str]) -> Iterator[list[str]]:
    """Yield the lines between two blank lines as a list, at most LONGEST at a time."""
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
    """Yield the lines of a text given in parts, and replace each run of white space by one space."""
    rest = [""]  # parts of a line whose end has not been read yet
    for part in parts:
        head, *tail = part.split("\n")
        rest.append(head)
        if tail:
            yield from (" ".join(line.split()) for line in ("".join(rest), *tail[:-1]))
            rest = tail[-1:]
    yield " ".join("".join(rest).split())


def split_lines(block: list[str]) -> Document:
    return [sentence for line in block for sentence in split_sentences(line)]


def wrapped(sample: list[Document]) -> bool:
    """Return whether a text is hard-wrapped: most lines, except a block's last, end within a sentence."""
    inner = [line for block in sample for line in block[:-1]]
    ended = [bool(LINE_END.search(line)) for line in inner]
    return 2 * sum(ended) < len(inner) and any(LINE_END.search(line) for block in sample for line in block)


def gather(paragraphs: Iterable[Document]) -> Iterator[Document]:
    """Join consecutive paragraphs into documents of at least SHORTEST sentences.

    A shorter remainder is added to the last document.
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
    """Split a paragraph into sentences by rules.

    A sentence ends at . ! ? or … (with closing quotes) before a capital letter or a digit, but not after a
    known abbreviation or an initial. The rules fail if a quotation ends before a name ('"Why?" Alice asked.'
    becomes two sentences), and in languages without capital letters.

    >>> split_sentences('Mr. J. Dodgson wrote it. "Was it long?" she asked. Yes!')
    ['Mr. J. Dodgson wrote it.', '"Was it long?" she asked.', 'Yes!']
    """
    sentences, start = [], 0
    for match in BREAK.finditer(text):
        if not ABBREVIATION.search(text[start : match.end(1)]):
            sentences.append(text[start : match.end(1)])
            start = match.end()
    return sentences + [text[start:]] if text[start:] else sentences
