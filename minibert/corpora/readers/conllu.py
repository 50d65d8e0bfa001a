"""Words and their parts of speech from CoNLL-U, the form of Universal Dependencies, which `world` writes too.

Nivre et al. (2020, arXiv 2004.10643); universaldependencies.org/format.html. Beside the columns of `conll`,
its words are numbered, and there are lines that are no words.
"""
import re
from itertools import chain
from pathlib import Path

from ...messages import plural
from .columns import all_lines, whole
from .conll import iter_conll, sentence
from .utf8_text import CorpusError

COLUMNS, FORM, UPOS = 10, 1, 3              # places count from 0
# 3-4: how words 3 and 4 are written together; 3.1: a word that is left out
NO_WORD = re.compile(r"\d+[-.]\d+")


def iter_pos(path, labelled=True):
    """Sentences with parts of speech: a file named .conllu by `iter_conllu`, another by `iter_conll`, from
    its column 2.
    """
    if Path(path).suffix == ".conllu":
        return iter_conllu(path, labelled)
    return iter_conll(path, labelled, column=2, plain=True)


def iter_conllu(path, labelled=True):
    """The sentences of a CoNLL-U file, one by one: its words, one each as they are counted there, with their
    UPOS.

    A blank line ends a sentence; the comment `# newdoc` opens a document. Without `labelled` every tag is O.
    Raises CorpusError for a line without 10 columns, a number, a word or, if `labelled`, a tag, for a file
    without words, and for what `stream_text` refuses, each when it is reached.
    """
    found, rows, document = False, [], None
    for number, line in chain(all_lines(path), [(0, "")]):
        if line.startswith("#"):
            document = (document or 0) + 1 if line[1:].split()[:1] == ["newdoc"] else document
        elif line.strip():
            rows += word(path, line, number, labelled)
        elif rows:
            found = True
            yield sentence(rows, True, document, "\t", labelled)
            rows = []
    if not found:
        raise CorpusError.at(path, "no line holds a word")


read_conllu, read_pos = whole(iter_conllu), whole(iter_pos)


def word(path, line, number, labelled):
    """[(line, word, tag)], or [] for a line that is no word."""
    cells = line.split("\t")
    if len(cells) != COLUMNS:
        raise CorpusError.at(
            path, f"{plural(len(cells), 'column')} parted by tabs, but CoNLL-U has {COLUMNS}", number)
    if NO_WORD.fullmatch(cells[0]):
        return []
    if not cells[0].isdecimal():
        raise CorpusError.at(path, f"column 1 is {cells[0]!r}, not the number of a word", number)
    if not cells[FORM].strip():
        raise CorpusError.at(path, f"column {FORM + 1} is empty, where a word is needed", number)
    if labelled and cells[UPOS].strip() in ("", "_"):
        raise CorpusError.at(path, f"column {UPOS + 1} is {cells[UPOS]!r}, where a part of speech is needed",
                             number)
    return [(number, cells[FORM], cells[UPOS] if labelled else "O")]
