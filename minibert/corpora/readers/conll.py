"""Words and their tags from files of columns, one word a line: named entities, chunks, parts of speech.

Tjong Kim Sang and De Meulder (2003, arXiv cs/0306050), section 2: word, part of speech, chunk, entity.
`world` writes words and entities in this form too.
"""
import re
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from ...messages import plural
from .columns import all_lines, lines, whole
from .utf8_text import CorpusError

TAG = re.compile(r"O|[BI]-\S+")
MARK = re.compile(r"\s*-DOCSTART-(\s|$)")
# its first line that is no comment: a number and nine columns more
CONLLU = re.compile(r"\d+([-.]\d+)?(\t[^\t]+){9}")


@dataclass(frozen=True)
class Sentence:
    """words and tags, one each; `line`: its first; `document`: its document's number in the file, from 1,
    None without marks; `parted`: what stands between word and tag in the file; `known`: True where the tags
    are those of the file.

    Tags of entities and chunks are BIO2: B-X opens one, I-X goes on, O is outside.
    """

    words: list
    tags: list
    line: int
    document: int | None = None
    parted: str = field(default=" ", compare=False)
    known: bool = field(default=False, compare=False)


def iter_conll(path, labelled=True, column=None, plain=False):
    """The sentences of a file, one by one: a line holds a word, and a tag in a later column, parted by spaces
    or tabs.

    A blank line ends a sentence; a line that starts with -DOCSTART- opens a document. column: the tag's,
    counted from 1; None = the last. plain: False = entities or chunks, which may be IOB1 or BIO2 (`to_bio2`);
    True = any tags, as they stand, such as parts of speech. Without `labelled` only the first column is read,
    and every tag is O. Raises CorpusError for a line with more or fewer columns than those before it, for a
    tag of another form, for a file without words, and for what `stream_text` refuses, each when it is
    reached; ValueError for a column that cannot hold a tag.
    """
    if column is not None and column < 2:
        raise ValueError(f"column={column} must be at least 2: column 1 holds the word")
    found, rows, document, form = False, [], None, Form(path, labelled, column, plain)
    for number, line in chain(all_lines(path), [(0, "")]):
        if line.strip() and not MARK.match(line):
            rows.append((number, *form.word_and_tag(line, number)))
            continue
        if rows:
            found = True
            yield sentence(rows, plain, document, form.parted, labelled)
        rows, document = [], (document or 0) + 1 if line.strip() else document
    if not found:
        raise CorpusError.at(path, "no line holds a word and its tag")


read_conll = whole(iter_conll)


class Form:
    """What the lines of one file have in common; its first line decides. Arguments as of read_conll."""

    def __init__(self, path, labelled, column, plain):
        self.path, self.labelled, self.column, self.plain = path, labelled, column, plain
        self.split, self.columns = None, None

    @property
    def parted(self):
        """What stands between the columns."""
        return "\t" if self.split is by_tabs else " "

    def word_and_tag(self, line, number):
        """(word, tag) of a line. Raises CorpusError for one of another form."""
        self.split = self.split or (by_tabs if "\t" in line.rstrip() else by_spaces)
        cells = self.split(line)
        self.columns = self.columns or len(cells)
        rule = self.broken(cells)
        if rule and is_conllu(self.path):
            raise CorpusError.at(self.path,
                                 "this is CoNLL-U, which the task `pos` reads, from a file named .conllu")
        if rule:
            raise CorpusError.at(self.path, rule, number)
        return cells[0], self.tag(cells) if self.labelled else "O"

    def tag(self, cells):
        return cells[-1 if self.column is None else self.column - 1]

    def broken(self, cells):
        """The rule that a line's cells break, or None."""
        if len(cells) != self.columns:
            return f"{plural(len(cells), 'column')}, but the lines before have {self.columns}"
        if not cells[0]:
            return "column 1 is empty, where a word is needed"
        if not self.labelled:
            return None
        if self.columns == 1:
            return "1 column, but a word and its tag need 2 (parted by spaces or one tab)"
        if self.column is not None and self.columns < self.column:
            return f"{plural(self.columns, 'column')}, but the tag is asked for from column {self.column}"
        if not self.tag(cells):
            return f"column {self.column} is empty, where a tag is needed"
        if not self.plain and not TAG.fullmatch(self.tag(cells)):
            return f"tag {self.tag(cells)!r} is not O, B-TYPE or I-TYPE"
        return None


def is_conllu(path):
    """True for a file that begins as CoNLL-U: comments, and a line of ten columns of which the first is a
    number.
    """
    if not Path(path).is_file():                        # a pipe cannot be read again
        return False
    return CONLLU.fullmatch(next((line for _, line in lines(path) if not line.startswith("#")),
                                 "")) is not None


def by_tabs(line):
    """Cells of a line with tabs; a word may hold spaces."""
    return [cell.strip(" ") for cell in line.rstrip("\t ").split("\t")]


def by_spaces(line):
    """Cells of a line with spaces."""
    return re.findall(r"[^ \t]+", line)


def sentence(rows, plain, document, parted, known):
    """Rows (line, word, tag) as a Sentence."""
    numbers, words, tags = zip(*rows)
    return Sentence(list(words), list(tags) if plain else to_bio2(tags), numbers[0], document, parted, known)


def to_bio2(tags):
    """Tags of one sentence with a B- at the start of every entity.

    In IOB1 an entity opens with I-, and with B- only right after another of its type; BIO2 opens every entity
    with B-. One rule reads both, and the stray I- of a careless file: an I- that does not go on with the type
    before it opens an entity. BIO2 comes back as it was.

    >>> to_bio2(["I-PER", "I-PER", "B-PER", "O", "I-LOC", "I-ORG"])
    ['B-PER', 'I-PER', 'B-PER', 'O', 'B-LOC', 'B-ORG']
    """
    return ["B-" + tag[2:] if tag[0] == "I" and before[2:] != tag[2:] else tag
            for before, tag in zip(["O", *tags], tags)]
