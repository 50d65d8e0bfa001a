"""Forty hand-written English passages with questions and named entities.

The passages are read from `passages.txt`, whose header explains the markup. The questions follow SQuAD 2.0
(Rajpurkar et al., 2018, arXiv 1806.03822). A passage is a `Document`, like the generated texts of `World`, so
that `to_squad2` and `to_conll` can write it to a file.
"""

import re
from pathlib import Path

from minibert.generated.writer.documents import Document, Entity, Question
from minibert.readers.utf8_text import CorpusError, read_text
from minibert.readers.wording import plural

SOURCE = Path(__file__).with_name("passages.txt")
LABELS = ("PER", "LOC", "ORG", "DATE")
MARK = re.compile(r"\[(?P<text>[^][|]*)\|(?P<label>[^][|]*)\]")
ANSWER = re.compile(r"(?P<text>.*?)(?: #(?P<number>\d+))?")


def passages() -> list[Document]:
    """Return the package's passages in the order in which they appear in `passages.txt`.

    >>> passages()[0].kind
    'passage'
    """
    return read_passages(SOURCE)


def read_passages(path: str | Path) -> list[Document]:
    """Read the passages in a file.

    A passage starts with a title line, followed by one sentence per line and then by questions with their
    answers.

    Raises CorpusError, with the file and the line, for a mark that is not [name|LABEL] or splits a word, for
    an unknown label, for an answer that is not in the passage or occurs more than once without a number, for
    a question without answers or with both answers and `= -` (no answer), for a line in the wrong
    position, and for files that `read_text` rejects.
    """
    lines = list(enumerate(read_text(path).split("\n"), 1))
    # The lines before the first title are the header of the file.
    starts = [at for at, (_, line) in enumerate(lines) if line.startswith("# ")]
    if not starts:
        raise CorpusError.at(path, "no line starts a passage; write a title such as '# Title'")
    return [read_passage(path, lines[at:end]) for at, end in zip(starts, [*starts[1:], len(lines)])]


def read_passage(path: str | Path, lines: list[tuple[int, str]]) -> Document:
    """Return a passage parsed from its lines.

    lines: pairs (line number, line), beginning with the title.
    """
    (title_number, title), *rest = lines
    sentences: list[str] = []
    entities: list[Entity] = []
    asked: list[tuple[int, str, list[tuple[int, str]]]] = []  # number, question, [(number, answer), ...]
    length = 0
    for number, line in rest:
        if line.startswith("? "):
            asked.append((number, line[2:], []))
        elif line.startswith("= ") and asked:
            asked[-1][2].append((number, line[2:]))
        elif line and (asked or line[0] in "?="):
            raise CorpusError.at(
                path,
                f"{line!r} is in the wrong place: after the title come sentences, then '? ' and '= ' lines",
                number,
            )
        elif line:
            sentence, found = read_sentence(path, number, line, length)
            sentences.append(sentence)
            entities += found
            length += len(sentence) + 1
    if not sentences:
        raise CorpusError.at(path, f"the passage {title[2:]!r} has no sentence", title_number)
    text = " ".join(sentences)
    return Document(
        "passage",
        sentences,
        entities,
        [read_question(path, text, *question) for question in asked],
        title[2:],
    )


def read_sentence(path: str | Path, number: int, line: str, start: int) -> tuple[str, list[Entity]]:
    """Parse a line with marked entities, [name|LABEL], and return (sentence without marks, entities).

    number: the line number. start: the character offset of the sentence in its passage.
    """
    entities: list[Entity] = []
    plain, done = "", 0
    for mark in MARK.finditer(line):
        plain += line[done : mark.start()]
        name, label, done = mark["text"], mark["label"], mark.end()
        if label not in LABELS:
            raise CorpusError.at(
                path, f"the label {label!r} of {name!r} must be one of {', '.join(LABELS)}", number
            )
        if not re.fullmatch(r"\w(.*\w)?", name) or re.match(r"\w", line[done:]) or re.search(r"\w$", plain):
            raise CorpusError.at(
                path, f"the mark {mark.group()!r} must begin and end with a whole word", number
            )
        entities.append(Entity(start + len(plain), start + len(plain) + len(name), label))
        plain += name
    plain += line[done:]
    if set(plain) & set("[]|"):
        raise CorpusError.at(
            path, f"a mark is not closed or does not have the form [name|LABEL] in {plain!r}", number
        )
    return plain, entities


def read_question(
    path: str | Path, text: str, number: int, question: str, lines: list[tuple[int, str]]
) -> Question:
    """Return a Question with its answers.

    text: the passage. number: the line number of the question. lines: pairs (line number, answer) for the
    lines below the question.
    """
    if not lines:
        raise CorpusError.at(
            path, f"the question {question!r} has no answer; write '= -' if the passage has none", number
        )
    if ("-" in [answer for _, answer in lines]) and len(lines) > 1:
        raise CorpusError.at(
            path, f"the question {question!r} has both an answer and '= -'; remove one of them", number
        )
    impossible = lines[0][1] == "-"
    return Question(
        question, [] if impossible else [read_answer(path, text, *line) for line in lines], impossible
    )


def read_answer(path: str | Path, text: str, number: int, answer: str) -> tuple[str, int]:
    """Find an answer in a passage, and return (answer, its character offset in the passage).

    number: the line number. Only entire words match. A number after the answer, such as ` #2`, selects one of
    multiple occurrences.
    """
    match = ANSWER.fullmatch(answer)
    assert match is not None  # the pattern fits every line
    wanted = match["text"]
    places = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", text)]
    if not places:
        raise CorpusError.at(path, f"the answer {wanted!r} is not in the passage", number)
    if match["number"] is None and len(places) > 1:
        raise CorpusError.at(
            path,
            f"the answer {wanted!r} occurs {len(places)} times in the passage; choose one by its number, as "
            f"in '= {wanted} #2'",
            number,
        )
    place = int(match["number"] or 1)
    if not 1 <= place <= len(places):
        raise CorpusError.at(
            path,
            f"there is no occurrence #{place} of the answer {wanted!r}; the passage contains it "
            f"{plural(len(places), 'time')}",
            number,
        )
    return wanted, places[place - 1]
