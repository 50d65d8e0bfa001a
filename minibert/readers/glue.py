"""A reader for labelled sentences and sentence pairs in the tables of GLUE and similar data sets.

Wang et al. (2019, arXiv 1804.07461), section 3, for the tasks; Bowman et al. (2015, arXiv 1508.05326) for
SNLI. The tables have no quoting: a quotation mark is an ordinary character. Columns are found by their names
in the header, in any order.
"""

import logging
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ..spelling import did_you_mean
from .json_file import json_lines
from .squad import wrong
from .tabular import check_once, csv_rows, tab_rows
from .utf8_text import HALF_PAIR, CorpusError, half_of_a_pair
from .wording import plural

INFERENCE = ("entailment", "neutral", "contradiction")
TWO_WAY = ("entailment", "not_entailment")
YES_NO = ("0", "1")
PAIR = ("sentence1", "sentence2")
NLI = {"premise": "sentence1", "hypothesis": "sentence2", "label": "gold_label"}  # other names of columns
LINE_OR_TAB = re.compile(r"[\t\r\n]")  # answers are written one to a line, with tabs between columns
IDS = ("index", "id", "idx", "guid", "uid", "pairid")  # columns that may have the id, in lowercase
NO_GOLD = ("-", "-1")  # SNLI and MNLI: the annotators did not agree
HIGHEST = 5  # highest score of STS-B; the lowest is 0
CUT, NO_LABEL = "the line ends before the last column", "the annotators did not agree on a label"


@dataclass(frozen=True)
class TextExample:
    """One text, or two texts, with a label.

    label: a name, a number for STS-B, or None if labels are not read. second: None if there is only one text;
    one of two texts may be empty, as in some question pairs of Quora (QQP). id: the id in the file, or the
    index of the example from 0; line: its line number in the file.
    """

    first: str
    second: str | None
    label: str | float | None
    id: str
    line: int


class TableFormat(NamedTuple):
    """The format of a task's tables: the columns with texts and labels, and the possible labels."""

    texts: tuple[str, ...]  # columns of the one or two texts
    label: str  # column of the label
    labels: tuple[str, ...] | None  # possible labels; (): any label; None: a number from 0 to HIGHEST
    bare: tuple[str, ...] = ()  # columns of files without a header, if the task has such files
    second: str = ""  # column of a second text, if the task allows but does not need one
    others: Mapping[str, str] = {}  # other names, in lowercase, of columns that are not in the file
    names: tuple[str, ...] = ()  # names of the labels 0, 1, ... in the data set on Hugging Face's hub
    ids: tuple[str, ...] = IDS  # columns with the id; the first that is not empty counts
    cut: bool = False  # True: the official file has lines that are broken in two, which are skipped


FORMATS = {
    "cola": TableFormat(
        ("sentence",),
        "label",
        YES_NO,
        bare=("source", "label", "mark", "sentence"),
        names=("unacceptable", "acceptable"),
    ),
    "sst2": TableFormat(("sentence",), "label", YES_NO, names=("negative", "positive")),
    "sst5": TableFormat(
        ("sentence",),
        "label",
        tuple("01234"),
        bare=("label", "sentence"),
        names=("very negative", "negative", "neutral", "positive", "very positive"),
    ),
    "mnli": TableFormat(PAIR, "gold_label", INFERENCE, others=NLI, names=INFERENCE),
    "snli": TableFormat(PAIR, "gold_label", INFERENCE, others=NLI, names=INFERENCE),
    "qqp": TableFormat(
        ("question1", "question2"),
        "is_duplicate",
        YES_NO,
        others={"label": "is_duplicate"},
        cut=True,
        names=("not_duplicate", "duplicate"),
    ),
    "qnli": TableFormat(("question", "sentence"), "label", TWO_WAY, names=TWO_WAY),
    "mrpc": TableFormat(
        ("#1 string", "#2 string"),
        "quality",
        YES_NO,
        others={"sentence1": "#1 string", "sentence2": "#2 string", "label": "quality"},
        names=("not_equivalent", "equivalent"),
    ),
    "rte": TableFormat(PAIR, "label", TWO_WAY, names=TWO_WAY),
    "wnli": TableFormat(PAIR, "label", YES_NO, names=("not_entailment", "entailment")),
    "stsb": TableFormat(PAIR, "score", None, others={"label": "score"}),
    "text": TableFormat(("text",), "category", (), second="text_pair", others={"label": "category"}),
}


def iter_glue(
    task: str,
    path: str | Path,
    labelled: bool = True,
    columns: Mapping[str, str] | None = None,
    stored: Mapping[str, str] | None = None,
) -> Iterator[TextExample]:
    """Yield the examples of a task's file, which is tab-separated unless its name ends in .csv or .jsonl.

    A .csv file may use semicolons instead of commas, and a .json file may contain JSON Lines.

    task: a key of FORMATS. columns: the names of the columns "text", "text_pair" and "label" in this file, if
    they differ from FORMATS; for the task "text", examples have a second text if the file has a column for
    it. stored: the names used in training; the file may have the standard names instead. Without `labelled`,
    the labels are not read and may be missing. Examples without a gold label, and broken lines of QQP, are
    skipped, and their number is logged. Raises CorpusError, when it reaches the error, if a column is missing
    or duplicate, if a line is too short or too long, if a label is unknown, if an example has no text, if the
    file has no examples, if the CSV or JSON is broken, or if the file cannot be read.
    """
    form, found, left_out = with_columns(FORMATS[task], columns or {}, stored or {}), False, Counter[str]()
    numbers = False  # True if there are numbers instead of names
    needed = [
        *form.texts,
        *([form.label] if labelled else []),
        *([columns["id"]] if columns and "id" in columns else []),
    ]
    how = "" if columns else naming(form)
    for place, (line, record) in enumerate(records(path, form, needed, how)):
        missing = [column for column in needed if column not in record]
        if missing and form.cut:
            left_out[CUT] += 1
        elif missing:
            hint = how if place == 0 and is_json(path) else ""  # a table's header has been checked
            near = did_you_mean(missing[0], record.keys() - {*needed})
            raise CorpusError.at(path, f"no {missing[0]!r} in this line{hint}{near}", line)
        elif labelled and form.labels == INFERENCE and record[form.label] in NO_GOLD:
            left_out[NO_LABEL] += 1
        else:
            found = True
            numbers = (
                numbers or labelled and form.names in (INFERENCE, TWO_WAY) and record[form.label].isdecimal()
            )
            yield make_example(path, form, record, line, place, labelled)
    for why, count in left_out.items():
        logging.getLogger(__name__).warning("%s: %s left out: %s", path, plural(count, "example"), why)
    if numbers:
        meant = ", ".join(f"{i} {name}" for i, name in enumerate(form.names))
        logging.getLogger(__name__).warning("%s: the numbers of the labels are read as %s", path, meant)
    if not found:
        raise CorpusError.at(path, "the file has no examples")


def with_columns(form: TableFormat, columns: Mapping[str, str], stored: Mapping[str, str]) -> TableFormat:
    """Return a copy of a format with other column names.

    columns, stored: dicts that map "text", "text_pair", "label" or "id" to the name of the column; the names
    in `stored` may be missing in the file if it has the names of `form`.
    """
    names = {**stored, **columns}
    known = form.texts + ((form.second,) if form.second and "text_pair" in names else ())
    places = [*zip(("text", "text_pair"), known), ("label", form.label)]
    *texts, label = (names.get(place, name) for place, name in places)
    others = {name: names[place] for place, name in places if place in stored.keys() - columns.keys()}
    new = {name: names.get(place, name) for place, name in places if place not in columns}
    others |= {other: new[name] for other, name in form.others.items() if name in new}
    ids = (columns["id"],) if "id" in columns else (*filter(None, [stored.get("id")]), *IDS)
    return form._replace(texts=tuple(texts), label=label, others=others, ids=ids)


def renamed(names: list[str], form: TableFormat) -> list[str]:
    """Return the names of a file's columns, spelled as in a format if they differ only in case."""
    spelled = {name.lower(): name for name in (*form.texts, form.label, form.second, *form.ids) if name}
    lower = {name.lower() for name in names}
    for other, name in form.others.items():
        if other in lower and name.lower() not in lower:
            spelled[other] = name
            lower.add(name.lower())
    return [spelled.get(name.lower(), name) for name in names]


def make_example(
    path: str | Path, form: TableFormat, record: dict[str, str], line: int, place: int, labelled: bool
) -> TextExample:
    """Build a TextExample from a line of a table.

    record: a dict that maps columns to cells. line: the line number. place: the example's index, from 0.
    """
    first, *rest = [record[column] for column in form.texts]
    second = rest[0] if rest else record.get(form.second)
    if not first and not second:
        raise CorpusError.at(path, f"no text in {' and '.join(map(repr, form.texts))}", line)
    label = read_label(path, form, record[form.label], line) if labelled else None
    id_ = next(filter(None, map(record.get, form.ids)), str(place))
    if any(LINE_OR_TAB.search(text) for text in (label, id_) if isinstance(text, str)):
        raise CorpusError.at(path, "the label or the id contains a tab or a line end", line)
    if any(half_of_a_pair(text) for text in (first, second, label, id_) if isinstance(text, str)):
        raise CorpusError.at(path, f"a text {HALF_PAIR}", line)
    return TextExample(first, second, label, id_, line)


def read_label(path: str | Path, form: TableFormat, value: str, line: int) -> str | float:
    """Return the label in a cell, which may also be its name or its number in the data set.

    Raises CorpusError if the task does not have this label.
    """
    if form.labels is None:
        return read_score(path, form, value, line)
    if value and (not form.labels or value in form.labels):
        return value
    others = {str(i): label for i, label in enumerate(form.labels)}
    others |= {plain(name): label for name, label in zip(form.names, form.labels)}
    if form.labels == YES_NO:
        others |= {"false": "0", "true": "1"}
    if plain(value) in others:
        return others[plain(value)]
    known = f"not one of {', '.join(form.labels)}" if form.labels else "empty"
    hint = did_you_mean(value, form.labels)
    raise CorpusError.at(path, f"{form.label} {value!r} is {known}{hint}", line)


def plain(name: str) -> str:
    """Return a name in lowercase, with underscores for spaces and hyphens, to compare it with other names.

    >>> plain("Not-Entailment")
    'not_entailment'
    """
    return re.sub(r"[\s-]", "_", name.casefold())


def read_score(path: str | Path, form: TableFormat, value: str, line: int) -> float:
    """Return the score in a cell. Raises CorpusError if it is not a number from 0 to HIGHEST."""
    try:
        score = float(value)
    except ValueError:
        score = math.nan
    if not 0 <= score <= HIGHEST:
        raise CorpusError.at(path, f"{form.label} {value!r} is not a number from 0 to {HIGHEST}", line)
    return score


def is_json(path: str | Path) -> bool:
    """Return whether a file's name means that it contains JSON Lines."""
    return Path(path).suffix.lower() in (".jsonl", ".json")


def records(
    path: str | Path, form: TableFormat, needed: list[str], how: str
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line number, dict that maps columns to cells) for each line.

    needed: columns that the header must have. The last columns of a line may be missing. how: see `naming`.
    """
    if is_json(path):
        used = {*needed, form.second, *form.ids}
        for line, record in json_lines(path):
            names = renamed([*record], form)
            check_once(path, names, used & {*names}, line)
            yield line, as_cells(path, line, dict(zip(names, record.values())), needed, used)
        return
    rows: Iterator[tuple[int, list[str]]] = (
        (line, [cell.strip() for cell in cells])
        for line, cells in (csv_rows if Path(path).suffix.lower() == ".csv" else tab_rows)(path)
    )
    line, first = next(rows)
    names = renamed(first, form)
    if form.bare and not set(form.texts) & set(names):
        names, rows = list(form.bare), chain([(line, first)], rows)
    for column in needed:
        if column not in names:
            rule = f"no column {column!r} in the header: {', '.join(first)}"
            hint = "; only `predict` works without labels" if column == form.label else ""
            near = did_you_mean(column, {*names} - {*needed})
            raise CorpusError.at(path, rule + hint + how + near, line)
    check_once(path, names, [*needed, *filter(None, [form.second]), *form.ids], line)
    for line, cells in rows:
        if len(cells) > len(names):
            raise CorpusError.at(
                path, f"{len(cells)} columns, but the header has {len(names)}: {', '.join(names)}", line
            )
        yield line, dict(zip(names, cells))


def as_cells(
    path: str | Path, line: int, record: dict[str, Any], needed: list[str], used: set[str]
) -> dict[str, str]:
    """Convert the values of a JSON object to text; values that cannot be an example's part are left out.

    Raises CorpusError if one of the columns `needed` is null, or one of the columns `used` is a list or an
    object.
    """
    for name in used & record.keys():
        if isinstance(record[name], list | dict) or record[name] is None and name in needed:
            raise CorpusError.at(path, wrong(name, record[name], str), line)
    return {
        name: str(value).strip() for name, value in record.items() if isinstance(value, str | int | float)
    }


def naming(form: TableFormat) -> str:
    """Return the part of an error message that explains how to name the columns of a file."""
    parts = [*("text", "text_pair")[: len(form.texts)], "label"]
    options = " ".join(f"{part}=NAME" for part in parts)
    return f"; name the columns with --columns {options} (in Python: columns={{'{parts[0]}': 'NAME', ...}})"
