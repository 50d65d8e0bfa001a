"""Plain text as documents of sentences, for pretraining.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: whole documents rather than shuffled sentences. Their
files have one sentence a line and a blank line between documents; books and web text rarely do, so a file's
layout is recognised.
"""
import itertools
import re
from pathlib import Path
from statistics import median

from ..readers.utf8_text import stream_text

SHORTEST = 8        # sentences of a document that is put together from paragraphs: a few rows' worth
LONGEST = 50_000    # lines of a document: what a process holds at once
SAMPLE = 1 << 22    # characters of a file that tell its layout: a long book is judged whole

# A sentence may end at . ! ? or …, with closing quotes and brackets after it, before white space and a new
# beginning.
LINE_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*$")
BREAK = re.compile(r"([.!?…]+[\"'”’»)\]]*)\s+(?=[\"'“‘«(\[]*[A-Z0-9À-ÖØ-Þ])")
ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Capt|Col|Gen|Lt|Sgt|St|Mt|Messrs|Jr|Sr|No|Vol|Fig|vs|cf|e\.g|i\.e|[A-Z]))\.$")


def read_documents(paths):
    """The documents of text files, each a list of sentences. paths: of one file or several.

    The layout is recognised for each file by itself:

    - *one sentence a line* (most lines hold one sentence): lines are kept as they are, a blank line ends a
      document;
    - *one paragraph a line*, several lines a block: paragraphs are split into sentences, a blank line ends a
      document;
    - *prose*, where a blank line ends only a paragraph: lines are hard-wrapped (most lines but the last of a
      block end
      within a sentence), or blocks mostly have one line. Wrapped lines are joined, paragraphs split into
      sentences, and consecutive paragraphs joined until a document has SHORTEST sentences: one paragraph is
      too short to draw two segments from. Such a document is a stretch of a book, and may run over the end of
      a chapter.

    Raises CorpusError for a file that is missing, a folder, empty, or not UTF-8.
    """
    return list(stream_documents(paths))


def stream_documents(paths):
    """The same documents one at a time: the files may be larger than memory.

    The layout is recognised by the first SAMPLE characters of a file. A document of more than LONGEST lines
    is cut there: a file without a blank line would not fit, and has no other document from which to draw a
    sentence.
    """
    for path in [paths] if isinstance(paths, str | Path) else paths:
        parts = stream_text(path)
        sample = list(first(parts, SAMPLE))
        make = layout(list(blocks(sample)))
        yield from make(blocks(itertools.chain(sample, parts)))


def first(parts, size):
    """The parts of a text up to the one that fills `size` characters; blank parts do not count."""
    for part in parts:
        yield part
        size -= len(part.strip())
        if size <= 0:
            return


def layout(sample):
    """How the blocks of a file become documents: a function from blocks to documents, both iterables."""
    if wrapped(sample):
        return lambda found: gather(split_sentences(" ".join(block)) for block in found)
    if median(len(block) for block in sample) < 2:
        return lambda found: gather(split_lines(block) for block in found)
    if median(len(split_sentences(line)) for block in sample for line in block) < 2:
        return iter
    return lambda found: map(split_lines, found)


def blocks(parts):
    """Lists of at most LONGEST lines between blank lines; runs of white space within a line become one
    space.
    """
    block = []
    for line in lines(parts):
        if line:
            block.append(line)
        if block and (not line or len(block) == LONGEST):
            yield block
            block = []
    if block:
        yield block


def lines(parts):
    """The lines of a text that comes in parts, with single spaces."""
    rest = [""]                                     # a line that is not whole yet
    for part in parts:
        head, *whole = part.split("\n")
        rest.append(head)
        if whole:
            *whole, last = "".join(rest), *whole
            yield from (" ".join(line.split()) for line in whole)
            rest = [last]
    yield " ".join("".join(rest).split())


def split_lines(block):
    """The sentences of a block whose lines are paragraphs."""
    return [sentence for line in block for sentence in split_sentences(line)]


def wrapped(found):
    """True when most lines that another line follows stop within a sentence, and sentences end visibly at
    all.
    """
    inner = [line for block in found for line in block[:-1]]
    ended = [bool(LINE_END.search(line)) for line in inner]
    return 2 * sum(ended) < len(inner) and any(LINE_END.search(line) for block in found for line in block)


def gather(paragraphs):
    """Neighbouring paragraphs as documents of at least SHORTEST sentences; a shorter rest goes to the last
    document.
    """
    document, following = [], []
    for sentences in paragraphs:
        following += sentences
        if len(following) >= SHORTEST:
            if document:
                yield document
            document, following = following, []
    if document or following:
        yield document + following


def split_sentences(text):
    """The sentences of a paragraph, by rule.

    A sentence ends at . ! ? or … (with closing quotes) before a capital or a digit; not after a known
    abbreviation or an initial. So it errs where a quotation ends before a name ('"Why?" Alice asked.' becomes
    two), after an abbreviation that is not in its list, and in languages without capitals.

    >>> split_sentences('Mr. J. Dodgson wrote it. "Was it long?" she asked. Yes!')
    ['Mr. J. Dodgson wrote it.', '"Was it long?" she asked.', 'Yes!']
    """
    sentences, start = [], 0
    for match in BREAK.finditer(text):
        if not ABBREVIATION.search(text[start:match.end(1)]):
            sentences.append(text[start:match.end(1)])
            start = match.end()
    return sentences + [text[start:]] if text[start:] else sentences
