"""Plain text as documents of sentences, for pretraining.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: whole documents rather than shuffled sentences. Their files have
one sentence a line and a blank line between documents; books and web text rarely do, so a file's layout is recognised.
"""
import re
from itertools import groupby
from pathlib import Path
from statistics import median

from .errors import read_text

SHORTEST = 8        # sentences of a document that is put together from paragraphs: a few rows' worth

# A sentence may end at . ! ? or …, with closing quotes and brackets after it, before white space and a new beginning.
LINE_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*$")
BREAK = re.compile(r"([.!?…]+[\"'”’»)\]]*)\s+(?=[\"'“‘«(\[]*[A-Z0-9À-ÖØ-Þ])")
ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Capt|Col|Gen|Lt|Sgt|St|Mt|Messrs|Jr|Sr|No|Vol|Fig|vs|cf|e\.g|i\.e|[A-Z]))\.$")


def read_documents(paths):
    """The documents of text files, each a list of sentences. paths: of one file or several.

    The layout is recognised for each file by itself:

    - *one sentence a line* (most lines hold one sentence): lines are kept as they are, a blank line ends a document;
    - *one paragraph a line*, several lines a block: paragraphs are split into sentences, a blank line ends a document;
    - *prose*, where a blank line ends only a paragraph: lines are hard-wrapped (most lines but the last of a block end
      within a sentence), or blocks mostly have one line. Wrapped lines are joined, paragraphs split into sentences, and
      consecutive paragraphs joined until a document has SHORTEST sentences: one paragraph is too short to draw two
      segments from. Such a document is a stretch of a book, and may run over the end of a chapter.

    Raises CorpusError for a file that is missing, a folder, empty, or not UTF-8.
    """
    paths = [paths] if isinstance(paths, str | Path) else paths
    return [document for path in paths for document in documents_of(read_text(path))]


def documents_of(text):
    """The documents of one file's text."""
    found = blocks(text)
    if wrapped(found):
        return gather([split_sentences(" ".join(block)) for block in found])
    parts = [[split_sentences(line) for line in block] for block in found]
    if median(len(block) for block in found) < 2:
        return gather([[sentence for line in block for sentence in line] for block in parts])
    if median(len(line) for block in parts for line in block) < 2:
        return found
    return [[sentence for line in block for sentence in line] for block in parts]


def blocks(text):
    """Lists of lines between blank lines; runs of white space within a line become one space."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return [list(group) for filled, group in groupby(lines, key=bool) if filled]


def wrapped(found):
    """True when most lines that another line follows stop within a sentence, and sentences end visibly at all."""
    inner = [line for block in found for line in block[:-1]]
    ended = [bool(LINE_END.search(line)) for line in inner]
    return 2 * sum(ended) < len(inner) and any(LINE_END.search(line) for block in found for line in block)


def gather(paragraphs):
    """Neighbouring paragraphs as documents of at least SHORTEST sentences; a shorter rest goes to the last document."""
    documents = [[]]
    for sentences in paragraphs:
        if len(documents[-1]) >= SHORTEST:
            documents.append([])
        documents[-1] += sentences
    if len(documents) > 1 and len(documents[-1]) < SHORTEST:
        rest = documents.pop()
        documents[-1] += rest
    return documents


def split_sentences(text):
    """The sentences of a paragraph, by rule.

    A sentence ends at . ! ? or … (with closing quotes) before a capital or a digit; not after a known abbreviation or
    an initial. So it errs where a quotation ends before a name ('"Why?" Alice asked.' becomes two), after an
    abbreviation that is not in its list, and in languages without capitals.

    >>> split_sentences('Mr. J. Dodgson wrote it. "Was it long?" she asked. Yes!')
    ['Mr. J. Dodgson wrote it.', '"Was it long?" she asked.', 'Yes!']
    """
    sentences, start = [], 0
    for match in BREAK.finditer(text):
        if not ABBREVIATION.search(text[start:match.end(1)]):
            sentences.append(text[start:match.end(1)])
            start = match.end()
    return sentences + [text[start:]] if text[start:] else sentences
