"""Read words and part-of-speech tags from CoNLL-U, the format of Universal Dependencies.

`world` writes it too. Nivre et al. (2020, arXiv 2004.10643); universaldependencies.org/format.html. Unlike in
`conll`, words are numbered, and some lines are not words.
"""
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ...messages import plural
from .conll import Sentence, iter_conll, make_sentence
from .tabular import as_list, numbered_lines
from .utf8_text import CorpusError

COLUMNS, FORM, UPOS = 10, 1, 3              # FORM and UPOS: indices, from 0
# 3-4: how words 3 and 4 are written together; 3.1: a word that the sentence leaves out
NO_WORD = re.compile(r"\d+[-.]\d+")


def iter_pos(path: str | Path, labelled: bool = True) -> Iterator[Sentence]:
    """Yield sentences with part-of-speech tags: from CoNLL-U if the file is named so, else from column 2."""
    if Path(path).suffix == ".conllu":
        return iter_conllu(path, labelled)
    return iter_conll(path, labelled, column=2, plain=True)


def iter_conllu(path: str | Path, labelled: bool = True) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file: its numbered words with their universal tags (UPOS).

    A blank line ends a sentence; the comment `# newdoc` opens a document. Without `labelled`, every tag is O.
    Raises CorpusError, when it reaches the place, for a line without 10 columns, a number, a word or, if
    `labelled`, a tag, a file without words, and for what `stream_text` refuses.
    """
    rows: list[tuple[int, str, str]] = []
    found, document = False, None
    for number, line in chain(numbered_lines(path), [(0, "")]):
        if line.startswith("#"):
            document = (document or 0) + 1 if line[1:].split()[:1] == ["newdoc"] else document
        elif line.strip():
            rows += read_word(path, line, number, labelled)
        elif rows:
            found = True
            yield make_sentence(rows, True, document, "\t", labelled)
            rows = []
    if not found:
        raise CorpusError.at(path, "no line holds a word")


read_conllu, read_pos = as_list(iter_conllu), as_list(iter_pos)


def read_word(path: str | Path, line: str, number: int, labelled: bool) -> list[tuple[int, str, str]]:
    """Return [(line, word, tag)], or [] for a line that is not a word."""
    cells = line.split("\t")
    if len(cells) != COLUMNS:
        raise CorpusError.at(
            path, f"{plural(len(cells), 'column')} separated by tabs, but CoNLL-U has {COLUMNS}", number)
    if NO_WORD.fullmatch(cells[0]):
        return []
    if not cells[0].isdecimal():
        raise CorpusError.at(path, f"column 1 is {cells[0]!r}, not the number of a word", number)
    if not cells[FORM].strip():
        raise CorpusError.at(path, f"column {FORM + 1} is empty, where a word is needed", number)
    if labelled and cells[UPOS].strip() in ("", "_"):
        raise CorpusError.at(
            path, f"column {UPOS + 1} is {cells[UPOS]!r}, where a part-of-speech tag is needed", number)
    return [(number, cells[FORM], cells[UPOS] if labelled else "O")]
