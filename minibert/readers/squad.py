"""A reader for questions about passages in the JSON format of SQuAD 1.1 and 2.0.

Rajpurkar et al. (2016, arXiv 1606.05250) for version 1.1; Rajpurkar et al. (2018, arXiv 1806.03822) for 2.0,
which adds questions without an answer.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .json_file import read_json
from .utf8_text import HALF_PAIR, CorpusError, half_of_a_pair
from .wording import plural

KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
}


@dataclass(frozen=True)
class QAExample:
    """A question about a passage, with its answers.

    answers: pairs (text, start) such that context[start:start + len(text)] == text. impossible: True if the
    passage does not answer the question (only in SQuAD 2.0); then there are no answers.
    """

    id: str
    question: str
    context: str
    answers: list[tuple[str, int]]
    impossible: bool
    title: str


def iter_squad(path: str | Path, labelled: bool = True) -> Iterator[QAExample]:
    """Yield the questions of a SQuAD 1.1 or 2.0 file, in their order.

    Raises CorpusError, with line and column, if the JSON is truncated or broken, or if the file has no
    questions or cannot be read; and, with the JSON path, when it reaches a wrong structure, an empty
    question, an empty passage of an answerable question, an answer that is not at its offset, or a duplicate
    id. With labelled=False, answers are not read and may be missing; empty questions and passages are
    allowed, and their number is logged.
    """
    seen: dict[str, str] = {}
    empty: list[str] = []
    for i, article in enumerate(field(path, read_json(path), "", "data", list)):
        where = f"data[{i}]"
        named = type(article) is not dict or article.get("title") is not None
        title = field(path, article, where, "title", str, "") if named else ""
        for j, paragraph in enumerate(field(path, article, where, "paragraphs", list)):
            place = f"{where}.paragraphs[{j}]"
            context = field(path, paragraph, place, "context", str)
            for k, question in enumerate(field(path, paragraph, place, "qas", list)):
                here = f"{place}.qas[{k}]"
                example = read_question(path, question, here, context, title, labelled)
                if example.id in seen:
                    raise CorpusError.at(
                        path, f"{here}.id: {example.id!r} is also the id of {seen[example.id]}"
                    )
                seen[example.id] = here
                if empty_part(example.question, context, example.impossible):
                    empty.append(example.id)
                yield example
    if not seen:
        raise CorpusError.at(path, "the file has no questions")
    if empty:
        logging.getLogger(__name__).warning(
            "%s: empty question or passage in %s; the first is %s",
            path,
            plural(len(empty), "question"),
            shorten(empty[0]),
        )


def read_question(
    path: str | Path, question: Any, where: str, context: str, title: str, labelled: bool
) -> QAExample:
    """Convert one entry of `qas` to a QAExample; `where` is its JSON path."""
    number = type(question) is dict and type(question.get("id")) is int
    id_ = str(question["id"]) if number else field(path, question, where, "id", str)
    text = field(path, question, where, "question", str)
    impossible = field(path, question, where, "is_impossible", bool, False)
    empty, here = empty_part(text, context, impossible), f"{where} (question {id_})"
    if labelled and empty:
        raise CorpusError.at(path, f"{here}: {empty} is empty")
    answers = [
        read_answer(path, answer, f"{where}.answers[{n}]", id_, context)
        for n, answer in enumerate(field(path, question, where, "answers", list) if labelled else [])
    ]
    if impossible and answers:
        raise CorpusError.at(path, f"{here} is marked impossible, but has {plural(len(answers), 'answer')}")
    if labelled and not impossible and not answers:
        raise CorpusError.at(path, f"{here} has no answer, but is not marked impossible")
    return QAExample(id_, text, context, answers, impossible, title)


def empty_part(question: str, context: str, impossible: bool) -> str | None:
    """Return which text is empty but must not be, "the question" or "its passage", or None."""
    if not question.strip():
        return "the question"
    return "its passage" if not context.strip() and not impossible else None


def read_answer(path: str | Path, answer: Any, where: str, id_: str, context: str) -> tuple[str, int]:
    """Return one entry of `answers` as (text, start); `where` is its JSON path."""
    text, start = field(path, answer, where, "text", str), field(path, answer, where, "answer_start", int)
    found = context[start : start + len(text)] if start >= 0 else ""
    if not text or found != text:
        near = min(
            (m.start() for m in re.finditer(re.escape(text), context)),
            key=lambda at: abs(at - start),
            default=None,
        )
        hint = "" if not text or near is None else f"; the nearest occurrence is at {near}"
        raise CorpusError.at(
            path,
            f"{where} (question {id_}): expected the answer {shorten(text)} at "
            f"character {start} of its passage, found {shorten(found)}{hint}",
        )
    return text, start


def field(path: str | Path, value: Any, where: str, key: str, kind: type, *default: Any) -> Any:
    """Return value[key] or the default, after checking its type; `where` is the JSON path of `value`.

    Raises CorpusError if the value is not an object, the key is missing, or its value is of another type.
    """
    if type(value) is not dict:
        raise CorpusError.at(path, wrong(where or "the file", value, dict))
    place = f"{where}.{key}".lstrip(".")
    if key not in value and default:
        return default[0]
    if key not in value:
        raise CorpusError.at(path, f"{place} is missing")
    if type(value[key]) is not kind:
        raise CorpusError.at(path, wrong(place, value[key], kind))
    if kind is str and half_of_a_pair(value[key]):
        raise CorpusError.at(path, f"{place} {HALF_PAIR}")
    return value[key]


def wrong(place: str, value: Any, kind: type) -> str:
    """Return the message about a value of the wrong type, with the value if it is a string or a number.

    >>> wrong("answer_start", "12", int)
    "answer_start is a text, not a whole number: '12'"
    """
    shown = ""
    if type(value) in (str, int, float):
        shown = f": {shorten(value) if isinstance(value, str) else value}"
    return f"{place} is {KINDS[type(value)]}, not {KINDS[kind]}{shown}"


def shorten(text: str, longest: int = 60) -> str:
    """Return a text in quotation marks, shortened to fit in a message."""
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")
