"""Texts and examples that are given as Python values instead of a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from ..spelling import did_you_mean, nearest
from . import Example
from .conll import TAG, Sentence, to_bio2
from .glue import FORMATS, IDS, TextExample, make_example
from .multiple_choice import ChoiceExample
from .squad import QAExample, empty_part
from .utf8_text import CorpusError, check_characters, half_of_a_pair
from .wording import plural


def as_texts(texts: str | Iterable[str], name: str = "text") -> list[str]:
    """Return a string, or multiple strings, as a list. Raises ValueError for anything else.

    >>> as_texts("Hi."), as_texts(("a", "b"))
    (['Hi.'], ['a', 'b'])
    """
    if isinstance(texts, str):
        check_characters(texts, f"the {name}")
        return [texts]
    if not isinstance(texts, Iterable) or isinstance(texts, dict | bytes):
        raise ValueError(f"{name}: expected a text or a list of texts, not {type(texts).__name__}")
    found = list(texts)
    for place, text in enumerate(found):
        if not isinstance(text, str):
            raise ValueError(f"{name} {place}: expected a text, not {type(text).__name__}: {text!r:.60}")
        check_characters(text, f"{name} {place}")
    return found


def fields_of(task: str) -> tuple[str, ...]:
    """Return the names of the parts of a task's examples, such as "text", in the order used in tuples.

    The task "text" does not need the part "text_pair".
    """
    if task in FORMATS:
        form = FORMATS[task]
        return ("text", "text_pair")[: len(form.texts) + bool(form.second)] + ("label",)
    if task in ("ner", "chunk", "pos"):
        return ("words", "tags")
    return ("question", "context", "answer") if task == "qa" else ("context", "options", "label")


def as_columns(task: str, columns: Mapping[str, str] | Sequence[str] | None) -> dict[str, str]:
    """Return a dict that maps each part of an example, such as "text", to its name in a file or dictionary.

    columns: such a dict, or a list such as ["text=review"]. Raises ValueError for an unknown part.

    >>> as_columns("text", ["text=review", "label=stars"])
    {'text': 'review', 'label': 'stars'}
    """
    if not isinstance(columns, Mapping):
        pairs = [column.partition("=") for column in columns or ()]
        columns = {name: column for name, _, column in pairs}
    fields = (*fields_of(task), *(["id"] if task in FORMATS else []))
    for name, column in columns.items():
        if name not in fields or not column:
            known = " ".join(f"{field}=NAME" for field in fields)
            hint = did_you_mean(name, fields) if column else ""
            raise ValueError(f"columns: {name}={column} is not one of {known}{hint}")
    return dict(columns)


def as_examples(
    task: str,
    values: Iterable[Any],
    columns: Mapping[str, str],
    source: str,
    stored: Mapping[str, str] | None = None,
) -> list[Example]:
    """Convert tuples or dictionaries to a task's examples; examples are returned unchanged.

    columns: the keys of the dictionaries that differ from `fields_of`; other keys are ignored. stored: the
    keys used in training; a dictionary may have the standard keys instead. Labels are converted to text,
    except the index of an option and the scores of STS-B. A dictionary may also have an id. Raises
    CorpusError, with `source` and the example's number from 1, if an example is invalid.

    >>> as_examples("text", [("It works.", "praise")], {}, "train")
    [TextExample(first='It works.', second=None, label='praise', id='0', line=1)]
    """
    if not isinstance(values, Iterable):
        raise ValueError(f"{source}: expected a file or a list of examples, not {type(values).__name__}")
    found = list[Example]()
    for number, value in enumerate(values, 1):
        if isinstance(value, Example):
            found.append(value)
            continue
        names, record = fields_of(task), value if isinstance(value, Mapping) else {}
        known = dict(columns)
        if isinstance(value, Mapping):
            known |= {
                name: key for name, key in (stored or {}).items() if key in value and name not in columns
            }
        if task == "text" and not has_second(value, known):
            names = tuple(name for name in names if name != "text_pair")
        if isinstance(value, Mapping):
            keys = [known.get(name, name) for name in names]
            if missing := [key for key in keys if key not in value]:
                rule = f"no {missing[0]!r} in this example: {', '.join(map(str, value))}"
                hint = lacking_hint(missing[0], {*map(str, value)} - {*keys}, names, columns)
                raise CorpusError.at(source, rule + hint, number)
            value = tuple(value[key] for key in keys)
        if not isinstance(value, tuple | list) or len(value) != len(names):
            rule = f"expected ({', '.join(names)}), or a dictionary with these keys, not {value!r:.60}"
            raise CorpusError.at(source, rule, number)
        made = make(task, dict(zip(names, value)), source, number)
        found.append(with_id(made, record, known.get("id")) if isinstance(made, TextExample) else made)
    return found


def with_id(example: TextExample, record: Mapping[str, Any], key: str | None) -> TextExample:
    """Return an example with the id that its dictionary has under `key` or a usual name, if any."""
    ids = (record.get(name) for name in ([key] if key else IDS))
    return replace(example, id=next((str(id_) for id_ in ids if id_ is not None), example.id))


def lacking_hint(key: str, others: set[str], names: Sequence[str], columns: Mapping[str, str]) -> str:
    """Return the end of an error message about a key that an example lacks.

    others: the keys that the example has instead. names: the standard keys. columns: the names given for
    them.
    """
    if key in columns.values():
        return did_you_mean(key, others)
    if near := nearest(key, others):
        return f"; {key!r} is missing, you gave {near!r}"
    return f"; give other names with columns={{{', '.join(f'{name!r}: NAME' for name in names)}}}"


def has_second(value: Any, columns: Mapping[str, str]) -> bool:
    """Return whether an example, a tuple or dictionary, has or should have a second text."""
    if isinstance(value, Mapping):
        return "text_pair" in columns or value.get("text_pair") is not None
    return isinstance(value, tuple | list) and len(value) == 3


def make(task: str, parts: Mapping[str, Any], source: str, number: int) -> Example:
    """Build a task's example from its named parts. source, number: its origin, for error messages."""
    for name, part in parts.items():
        lists = name in ("words", "tags", "options")
        label = name == "label" and isinstance(part, Real) and (task in FORMATS or not isinstance(part, bool))
        pair = name == "answer" and isinstance(part, tuple)
        if lists and not (isinstance(part, list | tuple) and all(map(sound, part))):
            raise CorpusError.at(source, f"{name} must be a list of texts, not {part!r:.60}", number)
        if not (lists or label or pair or sound(part)):
            raise CorpusError.at(source, f"{name} must be a text, not {part!r:.60}", number)
    if task in FORMATS:
        form = FORMATS[task]
        texts = (*form.texts, form.second)[: len(parts) - 1]
        cells = {name: str(part).strip() for name, part in zip((*texts, form.label), parts.values())}
        return make_example(source, form, cells, number, number - 1, labelled=True)
    if "words" in parts:
        return make_tagged(task, list(parts["words"]), list(parts["tags"]), source, number)
    if task == "qa":
        return make_question(parts["question"], parts["context"], parts["answer"], source, number)
    options, label = list(parts["options"]), parts["label"]
    if len(options) < 2 or label not in range(len(options)):
        rule = f"label {label!r} must be the index, from 0, of one of at least 2 options: {options!r:.60}"
        raise CorpusError.at(source, rule, number)
    return ChoiceExample(parts["context"], "", options, int(label), [str(i) for i in range(len(options))])


def sound(text: Any) -> bool:
    """Return whether a value is a string of valid Unicode."""
    return isinstance(text, str) and not half_of_a_pair(text)


def make_tagged(task: str, words: list[str], tags: list[str], source: str, number: int) -> Sentence:
    if len(words) != len(tags) or not words:
        rule = f"{plural(len(words), 'word')} and {plural(len(tags), 'tag')}; each word needs one tag"
        raise CorpusError.at(source, rule, number)
    wrong = [tag for tag in tags if task != "pos" and not TAG.fullmatch(tag)]
    if wrong or not all(word.strip() for word in words):
        rule = f"tag {wrong[0]!r} is not O, B-TYPE or I-TYPE" if wrong else "a word is empty"
        raise CorpusError.at(source, rule, number)
    return Sentence(words, tags if task == "pos" else to_bio2(tags), number, known=True)


def make_question(question: str, context: str, answer: Any, source: str, number: int) -> QAExample:
    """Build a question about a passage. answer: a string, (string, start), or "" if there is none."""
    if empty := empty_part(question, context, False):
        raise CorpusError.at(source, f"{empty} is empty", number)
    text, start = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
    count = context.count(text) if isinstance(text, str) and text else 0
    if start is None and text and count != 1:
        rule = (
            f"the context contains {text!r:.60} {count} times; give (answer, start), where start is the "
            "position of its first character, from 0"
            if count
            else f"the context does not contain {text!r:.60}"
        )
        raise CorpusError.at(source, rule, number)
    start = context.index(text) if start is None else start
    if text and not (isinstance(start, int) and start >= 0 and context.startswith(text, start)):
        raise CorpusError.at(
            source, f"the context does not contain {text!r:.60} at position {start!r}", number
        )
    return QAExample(str(number), question, context, [(text, start)] if text else [], not text, "")
