"""Named entities from files of columns, one word a line.

Tjong Kim Sang and De Meulder (2003, arXiv cs/0306050), section 2. `world` writes such files too.
"""
import re
from dataclasses import dataclass

from .errors import CorpusError, read_text

TAG = re.compile(r"O|[BI]-\S+")


@dataclass(frozen=True)
class Sentence:
    """words and tags, one each (BIO2: B-X opens an entity, I-X goes on, O is outside); `line`: its first."""

    words: list
    tags: list
    line: int


def read_conll(path, labelled=True):
    """The sentences of a file: a line holds a word, perhaps other columns, and a tag last, parted by spaces or tabs.

    A blank line ends a sentence; a line that starts with -DOCSTART- is skipped. Tags may be IOB1 or BIO2 (`to_bio2`).
    Without `labelled` only the first column is read, and every tag is O.
    Raises CorpusError for a line with more or fewer columns than those before it, for a tag of another form, for a file
    without words, and for what `read_text` refuses.
    """
    sentences, rows, split, columns = [], [], None, None
    for number, line in enumerate([*read_text(path).split("\n"), ""], 1):
        if not line.strip():
            if rows:
                sentences.append(sentence(path, rows))
            rows = []
        elif not re.match(r"\s*-DOCSTART-(\s|$)", line):
            split = split or (by_tabs if "\t" in line.strip() else by_spaces)
            cells = split(line)
            columns = columns or len(cells)
            check(path, number, cells, columns, labelled)
            rows.append((number, cells[0], cells[-1] if labelled else "O"))
    if not sentences:
        raise CorpusError.at(path, "no line holds a word and its tag")
    return sentences


def by_tabs(line):
    """Cells of a line with tabs; a word may hold spaces."""
    return [cell.strip(" ") for cell in line.rstrip("\t ").split("\t")]


def by_spaces(line):
    """Cells of a line with spaces."""
    return re.findall(r"[^ \t]+", line)


def check(path, number, cells, columns, labelled):
    """Raise CorpusError for a line that is not a word and a tag in the file's columns."""
    if len(cells) != columns:
        raise CorpusError.at(path, f"{plural(len(cells))}, but the lines before have {columns}", number)
    if columns == 1 and labelled:
        raise CorpusError.at(path, "1 column, but a word and its tag need 2 (parted by spaces or one tab)", number)
    if not cells[0]:
        raise CorpusError.at(path, "column 1 is empty, where a word is needed", number)
    if labelled and not TAG.fullmatch(cells[-1]):
        raise CorpusError.at(path, f"tag {cells[-1]!r} is not O, B-TYPE or I-TYPE", number)


def plural(count):
    """1 column, 2 columns."""
    return f"{count} column" + "s" * (count != 1)


def sentence(path, rows):
    """Rows (line, word, tag) as a Sentence."""
    lines, words, tags = zip(*rows)
    return Sentence(list(words), to_bio2(tags), lines[0])


def to_bio2(tags):
    """Tags of one sentence with a B- at the start of every entity.

    In IOB1 an entity opens with I-, and with B- only right after another of its type; BIO2 opens every entity with B-.
    One rule reads both, and the stray I- of a careless file: an I- that does not go on with the type before it opens an
    entity. BIO2 comes back as it was.

    >>> to_bio2(["I-PER", "I-PER", "B-PER", "O", "I-LOC", "I-ORG"])
    ['B-PER', 'I-PER', 'B-PER', 'O', 'B-LOC', 'B-ORG']
    """
    return ["B-" + tag[2:] if tag[0] == "I" and before[2:] != tag[2:] else tag
            for before, tag in zip(["O", *tags], tags)]
