"""Error analysis: scores by type of question and answer, and confusion tables.

Types are determined by rules on the words. They are coarser than the manually assigned types of Rajpurkar et
al. (2016, arXiv 1606.05250, table 2), but consistent between files.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .entity_score import entity_counts, scores

QUESTION_WORDS = ("who", "what", "which", "when", "where", "why", "how")
SAME = {"whom": "who", "whose": "who", "what's": "what", "who's": "who", "where's": "where"}
LENGTHS = (
    (1, "1 word"),
    (2, "2 words"),
    (5, "3 to 5 words"),
    (10, "6 to 10 words"),
    (float("inf"), "more than 10 words"),
)
MONTHS = "january february march april may june july august september october november december".split()
NUMBERS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
    "million billion half third".split()
)
NONE = "no answer"
NOTHING = "(none)"  # if only one side has an entity with these words


class Table(NamedTuple):
    """A table with a title, column names (`head`), and rows that consist of a name followed by numbers.

    confusion: True for a confusion table, whose rows are true labels and whose columns are predicted labels,
    in the same order.
    """

    title: str
    head: list[str]
    rows: list[list]
    confusion: bool = False


def question_word(question: str) -> str:
    """Return the first question word of a question, or "other".

    >>> [question_word(text) for text in ("In which year did Ada sing?", "To whom is it owed?", "Name it.")]
    ['which', 'who', 'other']
    """
    words = (SAME.get(word, word) for word in re.findall(r"[\w']+", question.lower().replace("’", "'")))
    return next((word for word in words if word in QUESTION_WORDS), "other")


def answer_length(answer: str) -> str:
    """Return the length class of an answer, or NONE for "".

    >>> answer_length("the red door"), answer_length("")
    ('3 to 5 words', 'no answer')
    """
    count = len(answer.split())
    return next(name for most, name in LENGTHS if count <= most) if count else NONE


def answer_type(answer: str) -> str:
    """Return the type of an answer, which is "date", "number", "name" or "phrase", or NONE for "".

    A date contains a year, or a month and a number. In a name, all words of more than 3 letters are
    capitalised.

    >>> [answer_type(text) for text in ("5 May 1912", "about 40%", "Bank of Ashby", "by night train")]
    ['date', 'number', 'name', 'phrase']
    """
    words = re.findall(r"[^\W_]+", answer)
    if not words:
        return "phrase" if answer.strip() else NONE
    lower = [word.lower() for word in words]
    if any(re.fullmatch(r"1\d{3}|20\d\d", word) for word in words) or (
        set(lower) & set(MONTHS) and any(map(str.isdigit, answer))
    ):
        return "date"
    if any(any(map(str.isdigit, word)) for word in words) or set(lower) & NUMBERS:
        return "number"
    return (
        "name"
        if all(word[0].isupper() or len(word) <= 3 for word in words) and any(w[0].isupper() for w in words)
        else "phrase"
    )


QUESTION_KINDS = {  # title: (function that finds the type, order of the types; None = most frequent first)
    "By question word": (lambda question, answer: question_word(question), None),
    "By length of the right answer": (
        lambda question, answer: answer_length(answer),
        [name for _, name in LENGTHS] + [NONE],
    ),
    "By type of the right answer": (lambda question, answer: answer_type(answer), None),
}


def question_kinds(question: str, answer: str) -> dict[str, str]:
    """Return the type of a question by each criterion of QUESTION_KINDS, such as its question word.

    answer: the correct answer, or "" if there is none.
    """
    return {title: of(question, answer) for title, (of, _) in QUESTION_KINDS.items()}


def question_tables(kinds: Sequence[Mapping[str, str]], scores: Sequence[tuple[float, float]]) -> list[Table]:
    """Return one table for each of QUESTION_KINDS, with scores in percent.

    kinds: the types of each question, from `question_kinds`. scores: (exact match, F1) for each, 0 to 1.
    """
    tables = []
    for title, (_, order) in QUESTION_KINDS.items():
        groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for kind, score in zip(kinds, scores):
            groups[kind[title]].append(score)
        rows: list[list] = [
            [kind, len(group), *(100 * sum(column) / len(group) for column in zip(*group))]
            for kind, group in groups.items()
        ]
        rows.sort(key=lambda row: (order.index(row[0]) if order else -row[1], row[0]))
        tables.append(
            Table(title, [title.lower().removeprefix("by "), "questions", "exact match", "F1"], rows)
        )
    return tables


def entity_pairs(
    gold: Iterable[tuple[str, int, int]], predicted: Iterable[tuple[str, int, int]]
) -> list[tuple[str, str]]:
    """Return (true type, predicted type) for each entity (type, first, last) in `gold` or `predicted`.

    If an entity with these words is only in `gold` or only in `predicted`, the other type is NOTHING.

    >>> entity_pairs({("PER", 0, 1), ("LOC", 3, 3)}, {("ORG", 0, 1), ("LOC", 4, 4)})
    [('PER', 'ORG'), ('LOC', '(none)'), ('(none)', 'LOC')]
    """
    right, given = ({(first, last): type_ for type_, first, last in found} for found in (gold, predicted))
    return [(right.get(place, NOTHING), given.get(place, NOTHING)) for place in sorted({**right, **given})]


def type_scores(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> Table:
    """Return a Table with the precision, recall and F1 of each entity type.

    gold, predicted: the tags of each sentence.

    >>> type_scores([["B-PER", "O"]], [["B-PER", "B-LOC"]]).rows
    [['LOC', 0, 0.0, 0.0, 0.0], ['PER', 1, 100.0, 100.0, 100.0]]
    """
    return Table(
        "By type of entity",
        ["type", "entities", "precision", "recall", "F1"],
        [
            [kind, wanted, *scores(right, found, wanted).values()]
            for kind, (right, found, wanted) in sorted(entity_counts(gold, predicted).items())
        ],
    )


def confusion(pairs: Iterable[tuple[str, str]], what: str = "label") -> Table:
    """Return the counts of (true, predicted) pairs as a Table; labels are sorted, with NOTHING last.

    >>> confusion([("a", "a"), ("b", "a"), ("b", "b")]).rows
    [['a', 1, 0], ['b', 1, 1]]
    """
    counts = Counter(pairs)
    labels = sorted({label for pair in counts for label in pair}, key=lambda label: (label == NOTHING, label))
    rows = [[right, *(counts[right, given] for given in labels)] for right in labels]
    return Table(
        f"Right {what} (rows) and given {what} (columns)", [f"right {what}", *labels], rows, confusion=True
    )


def markdown(tables: Iterable[Table]) -> str:
    """Format tables as aligned Markdown, which is also readable in a terminal."""
    return "\n".join(f"## {table.title}\n{grid(table)}" for table in tables)


def grid(table: Table) -> str:
    def number(value):
        return str(value) if isinstance(value, int) else f"{value:.1f}"

    def line(cells):
        return "| " + " | ".join([cells[0].ljust(widths[0]), *map(str.rjust, cells[1:], widths[1:])]) + " |"

    cells = [list(map(str, table.head)), *([row[0], *map(number, row[1:])] for row in table.rows)]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in cells]
    widths = [max(3, *map(len, column)) for column in zip(*cells)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(map(line, [cells[0], rule, *cells[1:]])) + "\n"
