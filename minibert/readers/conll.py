"""A reader for words and tags in CoNLL columns, one word per line: entities, chunks, part-of-speech tags.

Tjong Kim Sang and De Meulder (2003, arXiv cs/0306050), section 2: word, part-of-speech tag, chunk, entity.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from pathlib import Path

from .tabular import as_list, nonblank_lines, numbered_lines
from .utf8_text import CorpusError
from .wording import plural

TAG = re.compile(r"O|[BI]-\S+")
MARK = re.compile(r"\s*-DOCSTART-(\s|$)")
COMMENT = re.compile(r"# *[\w. ]+=")  # as in CoNLL-U
# a line of CoNLL-U that is not a comment: a number and nine more columns
CONLLU = re.compile(r"\d+([-.]\d+)?(\t[^\t]+){9}")


@dataclass(frozen=True)
class Sentence:
    """A sentence with one tag per word.

    Tags of entities and chunks are in BIO2: B-X begins an entity of type X, I-X continues it, and O marks
    words outside of entities. line: the number of the sentence's first line in the file; document: the number
    of its document, from 1, or None if the file does not mark documents; separator: the characters between
    word and tag in the file; known: True if the tags come from the file.
    """

    words: list[str]
    tags: list[str]
    line: int
    document: int | None = None
    separator: str = field(default=" ", compare=False)
    known: bool = field(default=False, compare=False)

    def located(self) -> tuple[str, list[tuple[int, int]]]:
        """Return the words joined by spaces, and (start, end) of each word in this text.

        >>> Sentence(["Mira", "left"], ["B-PER", "O"], 1).located()
        ('Mira left', [(0, 4), (5, 9)])
        """
        next_starts = accumulate(len(word) + 1 for word in self.words)
        places = [(start - 1 - len(word), start - 1) for word, start in zip(self.words, next_starts)]
        return " ".join(self.words), places


def iter_conll(
    path: str | Path, labelled: bool = True, column: int | None = None, plain: bool = False
) -> Iterator[Sentence]:
    """Yield the sentences of a file whose lines have a word and, in a later column, its tag.

    Columns are separated by spaces or tabs. A blank line ends a sentence; a line that starts with -DOCSTART-
    begins a document, and a line before a sentence that starts with # and a space, but is not a word with its
    tag, is a comment. column: the column of the tag, counted from 1; None = the last one. plain: False =
    entities or chunks, in IOB1 or BIO2; True = any tags, unchanged, such as part-of-speech tags. Without
    `labelled`, only the first column is read, and all tags are O. Raises CorpusError, when it reaches the
    error, if a line has more or fewer columns than the lines before it, if a tag is malformed, if the file
    has no words, or if it cannot be read; ValueError if a column cannot contain tags.
    """
    if column is not None and column < 2:
        raise ValueError(f"column={column} must be at least 2, because column 1 contains the word")
    rows: list[tuple[int, str, str]] = []
    found, document, columns = False, None, Columns(path, labelled, column, plain)
    for number, line in chain(numbered_lines(path), [(0, "")]):
        if not rows and columns.is_comment(line):
            continue
        if line.strip() and not MARK.match(line):
            rows.append((number, *columns.word_and_tag(line, number)))
            continue
        if rows:
            found = True
            yield make_sentence(rows, plain, document, columns.separator, labelled)
        rows, document = [], (document or 0) + 1 if line.strip() else document
    if not found:
        raise CorpusError.at(path, "no line has a word and its tag")


read_conll = as_list(iter_conll)


class Columns:
    """The column layout of a file, determined by its first line. The arguments are those of `iter_conll`."""

    def __init__(self, path: str | Path, labelled: bool, column: int | None, plain: bool):
        self.path, self.labelled, self.column, self.plain = path, labelled, column, plain
        self.split: Callable[[str], list[str]] | None = None
        self.count = 0

    @property
    def separator(self) -> str:
        return "\t" if self.split is by_tabs else " "

    def word_and_tag(self, line: str, number: int) -> tuple[str, str]:
        """Return (word, tag) of a line. Raises CorpusError if the line has a different layout."""
        self.split = self.split or (by_tabs if "\t" in line.rstrip() else by_spaces)
        cells = self.split(line)
        foreign = not self.count and CONLLU.fullmatch(line) and not TAG.fullmatch(cells[-1])
        self.count = self.count or len(cells)
        rule = self.broken(cells)
        if foreign or rule and is_conllu(self.path):
            raise CorpusError.at(
                self.path, "this is CoNLL-U, which only the task `pos` can read, from a file named .conllu"
            )
        if rule:
            raise CorpusError.at(self.path, rule, number)
        return cells[0], self.tag(cells) if self.labelled else "O"

    def is_comment(self, line: str) -> bool:
        """Return whether a line before a sentence is a comment, such as `# id 17`, and not the word #."""
        cells = line.split()
        if cells[:1] != ["#"] or len(cells) == 1:
            return False
        return COMMENT.match(line) is not None or not TAG.fullmatch(cells[-1]) and not self.plain

    def tag(self, cells: list[str]) -> str:
        return cells[-1 if self.column is None else self.column - 1]

    def broken(self, cells: list[str]) -> str | None:
        """Return a message if a line's cells break a rule of the layout, or None if they do not."""
        if len(cells) != self.count:
            return f"{plural(len(cells), 'column')}, but the lines before have {self.count}"
        if not cells[0]:
            return "column 1 is empty, but must contain a word"
        if not self.labelled:
            return None
        if self.count == 1:
            return "1 column, but a word and its tag need 2 (separated by spaces or one tab)"
        if self.column is not None and self.count < self.column:
            return f"{plural(self.count, 'column')}, but the tag should be in column {self.column}"
        if not self.tag(cells):
            return f"column {self.column} is empty, but must contain a tag"
        if not self.plain and not TAG.fullmatch(self.tag(cells)):
            return f"tag {self.tag(cells)!r} is not O, B-TYPE or I-TYPE"
        return None


def is_conllu(path: str | Path) -> bool:
    """Return whether a file begins like CoNLL-U: comments, if any, then ten columns, the first a number."""
    if not Path(path).is_file():  # a pipe can be read only once
        return False
    first = next((line for _, line in nonblank_lines(path) if not line.startswith("#")), "")
    return CONLLU.fullmatch(first) is not None


def by_tabs(line: str) -> list[str]:
    """Split a line at tabs only, because a word may contain spaces."""
    return [cell.strip(" ") for cell in line.rstrip("\t ").split("\t")]


def by_spaces(line: str) -> list[str]:
    return re.findall(r"[^ \t]+", line)


def make_sentence(
    rows: Sequence[tuple[int, str, str]], plain: bool, document: int | None, separator: str, known: bool
) -> Sentence:
    """Build a Sentence from rows (line number, word, tag), with tags in BIO2 unless `plain`."""
    tags = [tag for _, _, tag in rows]
    return Sentence(
        [word for _, word, _ in rows],
        tags if plain else to_bio2(tags),
        rows[0][0],
        document,
        separator,
        known,
    )


def to_bio2(tags: Sequence[str]) -> list[str]:
    """Convert the tags of one sentence to BIO2, with a B- at the start of every entity.

    In IOB1, an entity begins with I-, and with B- only if it follows another entity of its type; in BIO2, all
    entities begin with B-. An I- that does not continue an entity of its type begins a new one, in both
    formats.

    >>> to_bio2(["I-PER", "I-PER", "B-PER", "O", "I-LOC", "I-ORG"])
    ['B-PER', 'I-PER', 'B-PER', 'O', 'B-LOC', 'B-ORG']
    """
    return [
        "B-" + tag[2:] if tag[0] == "I" and before[2:] != tag[2:] else tag
        for before, tag in zip(["O", *tags], tags)
    ]
