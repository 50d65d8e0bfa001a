"""Readers for multiple-choice examples, a text with several options: SWAG's CSV, RACE's JSON and CODAH's TSV.

Zellers et al. (2018, arXiv 1808.05326): how a scene continues. Lai et al. (2017, arXiv 1704.04683): questions
about a passage. Chen et al. (2019, arXiv 1904.04365): endings, as in SWAG.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .json_file import read_json
from .squad import field
from .tabular import check_once, csv_rows, tab_rows
from .utf8_text import CorpusError
from .wording import plural

GAP = re.compile("_+")  # in a question of RACE, the place of the option
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CODAH_OPTIONS = 4


@dataclass(frozen=True)
class ChoiceExample:
    """A context with several options, one of which is correct.

    context: the preceding text, or the passage; question: the beginning of every option, or a question, or
    ""; label: the index of the correct option, or None if it is unknown; names: the names of the options in
    the file.
    """

    context: str
    question: str
    options: list[str]
    label: int | None
    names: list[str]

    @property
    def endings(self) -> list[str]:
        """Return one text for each option: the question with the option in its gap or at its end.

        >>> ChoiceExample("", "Mira has a _ .", ["dog", "cow"], 0, ["A", "B"]).endings
        ['Mira has a dog .', 'Mira has a cow .']
        """
        if GAP.search(self.question):
            before, after = GAP.split(self.question, maxsplit=1)
            return [before + option + after for option in self.options]
        return [f"{self.question} {option}".strip() for option in self.options]


def iter_swag(path: str | Path, labelled: bool = True) -> Iterator[ChoiceExample]:
    """Yield the examples of a CSV file with the columns sent1, sent2, ending0, ending1, ... and label.

    sent1 is the context, sent2 begins every option, and label counts from 0. Without `labelled`, the label is
    not read and may be missing. Raises CorpusError, with the first line of the row, if a column is missing or
    duplicate, if a row is too long or too short, if a quote is not closed, if an ending is empty, if a label
    is not an option, or if the file cannot be read.
    """
    rows = csv_rows(path)
    start, header = next(rows)
    count = sum(re.fullmatch(r"ending\d+", name) is not None for name in header)
    endings = [f"ending{i}" for i in range(count)]
    needed = [
        "sent1",
        "sent2",
        *(endings if len(endings) > 1 else ["ending0", "ending1"]),
        *(["label"] if labelled else []),
    ]
    check_once(path, header, needed, start)
    for name in needed:
        if name not in header:
            raise CorpusError.at(path, f"no column {name!r} in the header", start)
    found = False
    for line, cells in rows:
        if len(cells) != len(header):
            raise CorpusError.at(
                path, f"{plural(len(cells), 'cell')}, but the header has {len(header)}", line
            )
        row = dict(zip(header, cells))
        options = [row[name] for name in endings]
        check_texts(path, line, {"sent1": row["sent1"], **dict(zip(endings, options))})
        names = [str(i) for i in range(len(options))]
        label = number(path, line, row["label"], names) if labelled else None
        found = True
        yield ChoiceExample(row["sent1"], row["sent2"], options, label, names)
    if not found:
        raise CorpusError.at(path, "the file has a header, but no examples")


def iter_codah(path: str | Path, labelled: bool = True) -> Iterator[ChoiceExample]:
    """Yield the examples of a tab-separated table: category, context, four endings, and a label.

    The label is the index, from 0, of the correct ending. The category may be empty, and quotes are ordinary
    characters. Without `labelled`, the index is not read and may be missing. Raises CorpusError if a line has
    more or fewer columns, if a text is empty, if an index is not an option, or if the file cannot be read.
    """
    columns, names = 2 + CODAH_OPTIONS, [str(i) for i in range(CODAH_OPTIONS)]
    for line, cells in tab_rows(path):
        if len(cells) != columns + 1 and (labelled or len(cells) != columns):
            wanted = (
                f"{columns + labelled}: category, context, {CODAH_OPTIONS} endings"
                + ", index of the right one" * labelled
            )
            raise CorpusError.at(
                path, f"{plural(len(cells), 'cell')} separated by tabs, but a line must have {wanted}", line
            )
        _, context, *options = cells[:columns]
        check_texts(
            path,
            line,
            {"context": context, **{f"ending {name}": option for name, option in zip(names, options)}},
        )
        label = number(path, line, cells[columns], names) if labelled else None
        yield ChoiceExample(context, "", options, label, names)


def number(path: str | Path, line: int, cell: str, names: list[str]) -> int:
    """Return the index in `names` of the option in a cell; raise CorpusError if it is missing there."""
    if cell.strip() not in names:
        raise CorpusError.at(path, f"label {cell!r} is not a number from {names[0]} to {names[-1]}", line)
    return names.index(cell.strip())


def check_texts(path: str | Path, line: int, texts: Mapping[str, str]) -> None:
    """Raise CorpusError, with file and line, if a text is empty. texts: {name: text}."""
    for name, text in texts.items():
        if not text.strip():
            raise CorpusError.at(path, f"{name} is empty", line)


def iter_race(path: str | Path, labelled: bool = True) -> Iterator[ChoiceExample]:
    """Yield the questions of a JSON file, or of all files in a folder and its subfolders, sorted by name.

    In a folder, the names must end in .txt or .json. A file is an object with `article`, `questions`,
    `options` (a list per question) and `answers` (letters). An option may be empty. Without `labelled`, the
    answers are not read and may be missing. Raises CorpusError, with the JSON path, if the JSON is broken or
    has the wrong structure, if lists have different lengths, if a question has more or fewer options than the
    first one, if a letter is not an option, or if there are no files or questions.
    """
    files = [Path(path)]
    if Path(path).is_dir():
        files = sorted(
            file for file in Path(path).rglob("[!.]*") if file.suffix in (".txt", ".json") and file.is_file()
        )
        if not files:
            raise CorpusError.at(path, "no .txt or .json file in this folder or its subfolders")
    count = 0  # number of options of each question
    for file in files:
        for i, example in enumerate(read_passage(file, labelled)):
            own = len(example.options)
            count = count or own
            if own != count:
                raise CorpusError.at(
                    file, f"options[{i}] has length {own}, but earlier questions have {count} options"
                )
            yield example
    if not count:
        raise CorpusError.at(path, "no questions found")


def read_passage(path: Path, labelled: bool) -> list[ChoiceExample]:
    """Return an example for each question in one of RACE's JSON files."""
    values = read_json(path)
    article = field(path, values, "", "article", str)
    lists = {
        key: field(path, values, "", key, list)
        for key in ("questions", "options", *(["answers"] if labelled else []))
    }
    for key, entries in lists.items():
        if len(entries) != len(lists["questions"]):
            raise CorpusError.at(
                path, f"{key} has length {len(entries)}, but questions has {len(lists['questions'])}"
            )
    examples = []
    for i, options in enumerate(lists["options"]):
        question = text_of(path, lists["questions"][i], f"questions[{i}]")
        if type(options) is not list or not 2 <= len(options) <= len(LETTERS):
            raise CorpusError.at(path, f"options[{i}] is not a list of 2 to {len(LETTERS)} texts")
        options = [text_of(path, option, f"options[{i}][{k}]") for k, option in enumerate(options)]
        names, label = [*LETTERS[: len(options)]], None
        if labelled:
            letter = text_of(path, lists["answers"][i], f"answers[{i}]")
            if letter not in names:
                raise CorpusError.at(path, f"answers[{i}] is {letter!r}, not a letter from A to {names[-1]}")
            label = names.index(letter)
        examples.append(ChoiceExample(article, question, options, label, names))
    return examples


def text_of(path: Path, value: Any, where: str) -> str:
    """Return `value` if it is a string, else raise CorpusError. where: its JSON path."""
    return field(path, {where: value}, "", where, str)
