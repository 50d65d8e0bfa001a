"""Words and their parts of speech from CoNLL-U, the form of Universal Dependencies, which `world` writes too.

Nivre et al. (2020, arXiv 2004.10643); universaldependencies.org/format.html. Beside the columns of `conll`, its words are
numbered, and there are lines that are no words.
"""
import re
from pathlib import Path

from .conll import read_conll, sentence
from .errors import CorpusError, plural, read_text

COLUMNS, FORM, UPOS = 10, 1, 3              # places count from 0
NO_WORD = re.compile(r"\d+[-.]\d+")         # 3-4: how words 3 and 4 are written together; 3.1: a word that is left out


def read_pos(path, labelled=True):
    """Sentences with parts of speech: a file named .conllu by `read_conllu`, another by `read_conll`, from its column 2."""
    if Path(path).suffix == ".conllu":
        return read_conllu(path, labelled)
    return read_conll(path, labelled, column=2, plain=True)


def read_conllu(path, labelled=True):
    """The sentences of a CoNLL-U file: its words, one each as they are counted there, with their UPOS.

    A blank line ends a sentence; the comment `# newdoc` opens a document. Without `labelled` every tag is O. Raises CorpusError
    for a line without 10 columns, a number, a word or, if `labelled`, a tag, for a file without words, and for what `read_text`
    refuses.
    """
    sentences, rows, document = [], [], None
    for number, line in enumerate([*read_text(path).split("\n"), ""], 1):
        if line.startswith("#"):
            document = (document or 0) + 1 if line[1:].split()[:1] == ["newdoc"] else document
        elif line.strip():
            rows += word(path, line, number, labelled)
        elif rows:
            sentences.append(sentence(rows, True, document))
            rows = []
    if not sentences:
        raise CorpusError.at(path, "no line holds a word")
    return sentences


def word(path, line, number, labelled):
    """[(line, word, tag)], or [] for a line that is no word."""
    cells = line.split("\t")
    if len(cells) != COLUMNS:
        raise CorpusError.at(path, f"{plural(len(cells), 'column')} parted by tabs, but CoNLL-U has {COLUMNS}", number)
    if NO_WORD.fullmatch(cells[0]):
        return []
    if not cells[0].isdecimal():
        raise CorpusError.at(path, f"column 1 is {cells[0]!r}, not the number of a word", number)
    if not cells[FORM].strip():
        raise CorpusError.at(path, f"column {FORM + 1} is empty, where a word is needed", number)
    if labelled and cells[UPOS].strip() in ("", "_"):
        raise CorpusError.at(path, f"column {UPOS + 1} is {cells[UPOS]!r}, where a part of speech is needed", number)
    return [(number, cells[FORM], cells[UPOS] if labelled else "O")]
