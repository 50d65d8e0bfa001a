"""A reader for words, part-of-speech tags and dependency trees in CoNLL-U, Universal Dependencies' format.

Nivre et al. (2020, arXiv 2004.10643); universaldependencies.org/format.html.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from .conll import Sentence, iter_conll, make_sentence
from .tabular import as_list, numbered_lines
from .utf8_text import CorpusError
from .wording import plural

COLUMNS, FORM, UPOS, HEAD, DEPREL = 10, 1, 3, 6, 7  # number of columns; indices of columns from 0
# 3-4: the spelling of words 3 and 4 when written together; 3.1: a word that is omitted in the sentence
NO_WORD = re.compile(r"\d+[-.]\d+")
Row = tuple[int, list[str]]  # a word: its line number and its columns


class Tree(NamedTuple):
    """A sentence with its dependency tree, as lists with one item per word.

    parents: the index of the word's head from 0, or -1 for the root. relations: the relation to the head,
    such as nsubj.
    """

    words: list[str]
    tags: list[str]
    parents: list[int]
    relations: list[str]


def iter_pos(path: str | Path, labelled: bool = True) -> Iterator[Sentence]:
    """Yield sentences with part-of-speech tags from CoNLL-U (.conllu), or from a file with columns."""
    if Path(path).suffix == ".conllu":
        return iter_conllu(path, labelled)
    return iter_conll(path, labelled, column=2, plain=True)


def iter_conllu(path: str | Path, labelled: bool = True) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, with the numbered words and their universal tags (UPOS).

    A blank line ends a sentence; the comment `# newdoc` begins a document. Without `labelled`, all tags are
    O. Raises CorpusError, when it reaches the error, if a line does not have 10 columns, a number, a word
    and, if `labelled`, a tag; if the file has no words; or if it cannot be read.
    """
    for document, rows in iter_rows(path, labelled):
        tagged = [(number, cells[FORM], cells[UPOS] if labelled else "O") for number, cells in rows]
        yield make_sentence(tagged, True, document, "\t", labelled)


def iter_trees(path: str | Path) -> Iterator[Tree]:
    """Yield the sentences of a CoNLL-U file with their basic dependency trees.

    Raises CorpusError like `iter_conllu`, and if the heads do not form a tree: a head must be the number of
    another word or 0, with exactly one root and no cycles.
    """
    for _, rows in iter_rows(path, True):
        for number, cells in rows:
            if not cells[HEAD].isdecimal() or int(cells[HEAD]) > len(rows):
                raise CorpusError.at(
                    path,
                    f"column {HEAD + 1} is {cells[HEAD]!r}, but a head is a number from 0 to {len(rows)}",
                    number,
                )
        parents = [int(cells[HEAD]) - 1 for _, cells in rows]
        if not is_tree(parents):
            raise CorpusError.at(path, "the heads of this sentence do not form a tree", rows[0][0])
        yield Tree(
            [cells[FORM] for _, cells in rows],
            [cells[UPOS] for _, cells in rows],
            parents,
            [cells[DEPREL] for _, cells in rows],
        )


read_trees = as_list(iter_trees)


def is_tree(parents: list[int]) -> bool:
    """Return whether the heads of a sentence's words form a tree with a single root, whose head is -1.

    >>> is_tree([1, -1, 1]), is_tree([1, 0, -1])
    (True, False)
    """
    above = set(range(len(parents)))
    for _ in parents:  # replace each remaining word by its head
        above = {parents[word] for word in above if word >= 0}
    return parents.count(-1) == 1 and above <= {-1}


def iter_rows(path: str | Path, labelled: bool) -> Iterator[tuple[int | None, list[Row]]]:
    """Yield (document number, [(line number, columns) of each word]) for each sentence of a CoNLL-U file."""
    rows: list[Row] = []
    found, document = False, None
    for number, line in chain(numbered_lines(path), [(0, "")]):
        if line.startswith("#"):
            document = (document or 0) + 1 if line[1:].split()[:1] == ["newdoc"] else document
        elif line.strip():
            rows += read_word(path, line, number, labelled)
        elif rows:
            found = True
            yield document, rows
            rows = []
    if not found:
        raise CorpusError.at(path, "the file has no words")


def read_word(path: str | Path, line: str, number: int, labelled: bool) -> list[Row]:
    """Return [(line number, columns)] if a line has a word, or [] if it has none, as in a comment."""
    cells = line.split("\t")
    if len(cells) != COLUMNS:
        raise CorpusError.at(
            path, f"{plural(len(cells), 'column')} separated by tabs, but CoNLL-U has {COLUMNS}", number
        )
    if NO_WORD.fullmatch(cells[0]):
        return []
    if not cells[0].isdecimal():
        raise CorpusError.at(path, f"column 1 is {cells[0]!r}, not the number of a word", number)
    if not cells[FORM].strip():
        raise CorpusError.at(path, f"column {FORM + 1} is empty, but must contain a word", number)
    if labelled and cells[UPOS].strip() in ("", "_"):
        raise CorpusError.at(
            path, f"column {UPOS + 1} is {cells[UPOS]!r}, but must be a part-of-speech tag", number
        )
    return [(number, cells)]
