"""Labelled sentences and pairs of sentences, in the tables of GLUE and its kin; `world` writes such tables
too.

Wang et al. (2019, arXiv 1804.07461), section 3, for the tasks; Bowman et al. (2015, arXiv 1508.05326) for
SNLI. The tables are not quoted: a quotation mark is a sign like any other. What is in the columns is told by
the header, not by their order.
"""
import json
import logging
import math
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from .columns import check_once, csv_rows, lines, tab_rows, whole
from .utf8_text import CorpusError

INFERENCE = ("entailment", "neutral", "contradiction")
TWO_WAY = ("entailment", "not_entailment")
YES_NO = ("0", "1")
NO_GOLD = "-"               # SNLI and MNLI: the annotators did not agree
HIGHEST = 5                 # of STS-B's scores; the lowest is 0
CUT, NO_LABEL = "their line breaks off before its last column", "the annotators did not agree on a label"


@dataclass(frozen=True)
class TextExample:
    """One text or two (`second`: None for one), and the label: a name, a number for STS-B, None where it is
    not read.

    Of two texts one may be empty: there are such pairs among Quora's questions (QQP). id: the file's own, or
    the place in the file from 0; line: where it stands.
    """

    first: str
    second: str | None
    label: str | float | None
    id: str
    line: int


class Form(NamedTuple):
    """The table of one task."""

    texts: tuple                    # columns of the one or two texts, in small letters
    label: str                      # column of the label
    labels: tuple | None            # what it may be; (): anything; None: a number from 0 to HIGHEST
    bare: tuple = ()                # the columns of files without a header, where the task has such
    cut: bool = False  # True: the official file has lines broken in two, which everybody leaves out


FORMS = {
    "cola": Form(("sentence",), "label", YES_NO, bare=("source", "label", "mark", "sentence")),
    "sst2": Form(("sentence",), "label", YES_NO),
    "sst5": Form(("sentence",), "label", tuple("01234"), bare=("label", "sentence")),
    "mnli": Form(("sentence1", "sentence2"), "gold_label", INFERENCE),
    "snli": Form(("sentence1", "sentence2"), "gold_label", INFERENCE),
    "qqp": Form(("question1", "question2"), "is_duplicate", YES_NO, cut=True),
    "qnli": Form(("question", "sentence"), "label", TWO_WAY),
    "mrpc": Form(("#1 string", "#2 string"), "quality", YES_NO),
    "rte": Form(("sentence1", "sentence2"), "label", TWO_WAY),
    "wnli": Form(("sentence1", "sentence2"), "label", YES_NO),
    "stsb": Form(("sentence1", "sentence2"), "score", None),
    "text": Form(("text",), "category", ()),
}


def iter_glue(task, path, labelled=True):
    """The examples of a file, one by one, in the form of `task`, a key of FORMS: tab-separated, or .csv, or
    .jsonl by its name.

    Without `labelled` the labels are not read, and may be absent. Examples without a gold label, and lines of
    QQP that are cut in two, are left out, and their number is logged. Raises CorpusError for a header that
    lacks a column or has it twice, a line that lacks a column or has more than the header, a label that the
    task does not have, an example without text, a file without examples, broken CSV or JSON, and for what
    `stream_text` refuses, each when it is reached.
    """
    form, found, left_out = FORMS[task], False, Counter()
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
            yield example(path, form, record, line, place, labelled)
    for why, count in left_out.items():
        logging.getLogger(__name__).warning("%s: %d examples left out: %s", path, count, why)
    if not found:
        raise CorpusError.at(path, "the file holds no example")


read_glue = whole(iter_glue)


def example(path, form, record, line, place, labelled):
    """A line's columns as a TextExample."""
    first, second = [*(record[column] for column in form.texts), None][:2]
    if not first and not second:
        raise CorpusError.at(path, f"no text in {' and '.join(map(repr, form.texts))}", line)
    label = read_label(path, form, record[form.label], line) if labelled else None
    return TextExample(first, second, label, record.get("index") or record.get("id") or str(place), line)


def read_label(path, form, value, line):
    """The label that a cell says, checked."""
    if form.labels is None:
        return read_score(path, form, value, line)
    if not value or form.labels and value not in form.labels:
        known = f"not one of {', '.join(form.labels)}" if form.labels else "empty"
        raise CorpusError.at(path, f"{form.label} {value!r} is {known}", line)
    return value


def read_score(path, form, value, line):
    """A score as a number."""
    try:
        score = float(value)
    except ValueError:
        score = math.nan
    if not 0 <= score <= HIGHEST:
        raise CorpusError.at(path, f"{form.label} {value!r} is not a number from 0 to {HIGHEST}", line)
    return score


def records(path, form, needed):
    """Yields (line, {column: cell}) of a file; a line may lack its last columns."""
    kind = Path(path).suffix.lower()
    if kind == ".jsonl":
        yield from json_lines(path)
        return
    rows = ((line, [cell.strip() for cell in cells])
            for line, cells in (csv_rows if kind == ".csv" else tab_rows)(path))
    line, first = next(rows)
    names = [cell.lower() for cell in first]
    if form.bare and not set(form.texts) & set(names):
        names, rows = list(form.bare), chain([(line, first)], rows)
    for column in needed:
        if column not in names:
            rule = f"no column {column!r} in the header: {', '.join(names)}"
            raise CorpusError.at(path, rule + ("; `predict` alone needs no labels" if column == form.label
                                               else ""), line)
    check_once(path, names, [*needed, "index", "id"], line)
    for line, cells in rows:
        if len(cells) > len(names):
            raise CorpusError.at(
                path, f"{len(cells)} columns, where there should be {len(names)}: {', '.join(names)}", line)
        yield line, dict(zip(names, cells))


def json_lines(path):
    """Yields (line, record) of a file with a JSON object a line."""
    for line, text in lines(path):
        try:
            record = json.loads(text)
        except json.JSONDecodeError as error:
            raise CorpusError.at(path, f"column {error.colno}: broken JSON ({error.msg})", line) from None
        except RecursionError:
            raise CorpusError.at(path, "the JSON is nested too deeply", line) from None
        if not isinstance(record, dict):
            raise CorpusError.at(path, "the line is no JSON object", line)
        yield line, {name.lower(): value.strip() for name, value in record.items() if isinstance(value, str)}
