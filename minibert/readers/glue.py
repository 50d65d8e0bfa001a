"""Read labelled sentences and sentence pairs from the tables of GLUE and similar data sets.

`world` writes such tables too. Wang et al. (2019, arXiv 1804.07461), section 3, for the tasks; Bowman et al.
(2015, arXiv 1508.05326) for SNLI. The tables have no quoting: a quotation mark is like any other sign. The
header names the columns; their order does not matter.
"""

import json
import logging
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from .tabular import as_list, check_once, csv_rows, nonblank_lines, tab_rows
from .utf8_text import CorpusError

INFERENCE = ("entailment", "neutral", "contradiction")
TWO_WAY = ("entailment", "not_entailment")
YES_NO = ("0", "1")
NO_GOLD = "-"  # SNLI and MNLI: the annotators did not agree
HIGHEST = 5  # of STS-B's scores; the lowest is 0
CUT, NO_LABEL = "their line breaks off before its last column", "the annotators did not agree on a label"


@dataclass(frozen=True)
class TextExample:
    """One text, or two (else `second` is None), with their label.

    label: a name; for STS-B a number; None if labels are not read. One of two texts may be empty, as in some
    of Quora's pairs of questions (QQP). id: the file's own, or the example's index in the file, from 0; line:
    where it stands.
    """

    first: str
    second: str | None
    label: str | float | None
    id: str
    line: int


class TableFormat(NamedTuple):
    """The table format of one task."""

    texts: tuple[str, ...]  # columns of the one or two texts, in lowercase
    label: str  # column of the label
    labels: tuple[str, ...] | None  # the possible labels; (): any; None: a number from 0 to HIGHEST
    bare: tuple[str, ...] = ()  # the columns of files without a header, if the task has such files
    cut: bool = False  # True: the official file has lines broken in two, which are left out


FORMATS = {
    "cola": TableFormat(("sentence",), "label", YES_NO, bare=("source", "label", "mark", "sentence")),
    "sst2": TableFormat(("sentence",), "label", YES_NO),
    "sst5": TableFormat(("sentence",), "label", tuple("01234"), bare=("label", "sentence")),
    "mnli": TableFormat(("sentence1", "sentence2"), "gold_label", INFERENCE),
    "snli": TableFormat(("sentence1", "sentence2"), "gold_label", INFERENCE),
    "qqp": TableFormat(("question1", "question2"), "is_duplicate", YES_NO, cut=True),
    "qnli": TableFormat(("question", "sentence"), "label", TWO_WAY),
    "mrpc": TableFormat(("#1 string", "#2 string"), "quality", YES_NO),
    "rte": TableFormat(("sentence1", "sentence2"), "label", TWO_WAY),
    "wnli": TableFormat(("sentence1", "sentence2"), "label", YES_NO),
    "stsb": TableFormat(("sentence1", "sentence2"), "score", None),
    "text": TableFormat(("text",), "category", ()),
}


def iter_glue(task: str, path: str | Path, labelled: bool = True) -> Iterator[TextExample]:
    """Yield the examples of a task's file, which is tab-separated unless its name ends in .csv or .jsonl.

    task: a key of FORMATS. Without `labelled`, the labels are not read, and may be absent. Examples without a
    gold label, and lines of QQP that are cut in two, are left out, and their number is logged. Raises
    CorpusError, when it reaches the place, for a header that lacks a column or has it twice, a line that
    lacks a column or has more than the header, a label that the task does not have, an example without text,
    a file without examples, broken CSV or JSON, and for what `stream_text` refuses.
    """
    form, found, left_out = FORMATS[task], False, Counter[str]()
    needed = [*form.texts, *([form.label] if labelled else [])]
    for place, (line, record) in enumerate(records(path, form, needed)):
        missing = [column for column in needed if column not in record]
        if missing and form.cut:
            left_out[CUT] += 1
        elif missing:
            raise CorpusError.at(path, f"no {missing[0]!r} in this line", line)
        elif labelled and form.labels == INFERENCE and record[form.label] == NO_GOLD:
            left_out[NO_LABEL] += 1
        else:
            found = True
            yield make_example(path, form, record, line, place, labelled)
    for why, count in left_out.items():
        logging.getLogger(__name__).warning("%s: %d examples left out: %s", path, count, why)
    if not found:
        raise CorpusError.at(path, "the file holds no example")


read_glue = as_list(iter_glue)


def make_example(
    path: str | Path, form: TableFormat, record: dict[str, str], line: int, place: int, labelled: bool
) -> TextExample:
    """Make a TextExample of a line's columns."""
    texts = [record[column] for column in form.texts]
    first, second = texts[0], texts[1] if len(texts) > 1 else None
    if not first and not second:
        raise CorpusError.at(path, f"no text in {' and '.join(map(repr, form.texts))}", line)
    label = read_label(path, form, record[form.label], line) if labelled else None
    return TextExample(first, second, label, record.get("index") or record.get("id") or str(place), line)


def read_label(path: str | Path, form: TableFormat, value: str, line: int) -> str | float:
    """Return the label in a cell. Raises CorpusError for one that the task does not have."""
    if form.labels is None:
        return read_score(path, form, value, line)
    if not value or form.labels and value not in form.labels:
        known = f"not one of {', '.join(form.labels)}" if form.labels else "empty"
        raise CorpusError.at(path, f"{form.label} {value!r} is {known}", line)
    return value


def read_score(path: str | Path, form: TableFormat, value: str, line: int) -> float:
    """Return the score in a cell. Raises CorpusError for what is not a number from 0 to HIGHEST."""
    try:
        score = float(value)
    except ValueError:
        score = math.nan
    if not 0 <= score <= HIGHEST:
        raise CorpusError.at(path, f"{form.label} {value!r} is not a number from 0 to {HIGHEST}", line)
    return score


def records(path: str | Path, form: TableFormat, needed: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line, {column: cell}) of a file; a line may lack its last columns."""
    kind = Path(path).suffix.lower()
    if kind == ".jsonl":
        yield from json_lines(path)
        return
    rows: Iterator[tuple[int, list[str]]] = (
        (line, [cell.strip() for cell in cells])
        for line, cells in (csv_rows if kind == ".csv" else tab_rows)(path)
    )
    line, first = next(rows)
    names = [cell.lower() for cell in first]
    if form.bare and not set(form.texts) & set(names):
        names, rows = list(form.bare), chain([(line, first)], rows)
    for column in needed:
        if column not in names:
            rule = f"no column {column!r} in the header: {', '.join(names)}"
            hint = "; `predict` alone needs no labels" if column == form.label else ""
            raise CorpusError.at(path, rule + hint, line)
    check_once(path, names, [*needed, "index", "id"], line)
    for line, cells in rows:
        if len(cells) > len(names):
            raise CorpusError.at(
                path, f"{len(cells)} columns, where there should be {len(names)}: {', '.join(names)}", line
            )
        yield line, dict(zip(names, cells))


def json_lines(path: str | Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line, record) of a file with a JSON object a line; values that are not strings are left out."""
    for line, text in nonblank_lines(path):
        try:
            record = json.loads(text)
        except json.JSONDecodeError as error:
            raise CorpusError.at(path, f"column {error.colno}: broken JSON ({error.msg})", line) from None
        except RecursionError:
            raise CorpusError.at(path, "the JSON is nested too deeply", line) from None
        if not isinstance(record, dict):
            raise CorpusError.at(path, "the line is no JSON object", line)
        yield line, {name.lower(): value.strip() for name, value in record.items() if isinstance(value, str)}
