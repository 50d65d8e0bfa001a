"""The tasks, by their names on the command line, and the readers of their files."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..readers import READERS, Example
from ..readers.glue import FORMATS
from ..readers.inputs import as_columns, as_examples
from ..spelling import did_you_mean
from ..tasks.base import Task
from ..tasks.choice import MultipleChoice
from ..tasks.classification import (
    Acceptability,
    Categories,
    Classification,
    Inference,
    Paraphrase,
    Similarity,
)
from ..tasks.qa import QA
from ..tasks.tagging import PlainTagging, Tagging


class TaskEntry(NamedTuple):
    """A task's class, and its reader: a function (path, labelled=True) that yields a file's examples."""

    task: type[Task]
    iterate: Callable[..., Any]


TASKS: dict[str, type[Task]] = {
    "qa": QA,
    "ner": Tagging,
    "chunk": Tagging,
    "pos": PlainTagging,
    "sst2": Classification,
    "sst5": Classification,
    "cola": Acceptability,
    "text": Categories,
    "mnli": Inference,
    "snli": Inference,
    "qnli": Inference,
    "rte": Inference,
    "wnli": Inference,
    "mrpc": Paraphrase,
    "qqp": Paraphrase,
    "stsb": Similarity,
    "swag": MultipleChoice,
    "race": MultipleChoice,
    "codah": MultipleChoice,
}
Source = str | Path | Iterable[Any]  # a file, or examples in Python
Columns = Mapping[str, str] | Sequence[str] | None
ITERATORS: dict[str, Any] = READERS
REGISTRY = {name: TaskEntry(task, ITERATORS[name]) for name, task in TASKS.items()}


def iterate_examples(
    name: str,
    source: Source,
    labelled: bool = True,
    columns: Columns = None,
    called: str = "data",
    stored: Mapping[str, str] | None = None,
) -> Iterator[Example]:
    """Yield the examples of a task from a file, or from a list of examples, tuples or dictionaries.

    name: the task. columns: the names of a table's columns. called: the name of a list in error messages.
    stored: the names of the columns in training, used if `columns` is not given and the data have them.
    Raises CorpusError, naming the place and the rule, if an example is invalid; ValueError if columns are
    given for a task whose files have none.
    """
    entry, names = entry_of(name), as_columns(name, columns)
    if not isinstance(source, str | Path):
        yield from as_examples(name, source, names, called, stored)
    elif name in FORMATS:
        yield from entry.iterate(source, labelled, names, stored)
    elif not names:
        yield from entry.iterate(source, labelled)
    else:
        raise ValueError(f"columns cannot be given for {name}, because its files have no named columns")


def read_examples(name: str, source: Source, *options: Any, **named: Any) -> list[Example]:
    """Return the examples of a task as a list; takes the same arguments as `iterate_examples`."""
    return list(iterate_examples(name, source, *options, **named))


def entry_of(name: str) -> TaskEntry:
    if name not in REGISTRY:
        raise ValueError(
            f"unknown task {name!r}; known tasks: {', '.join(REGISTRY)}{did_you_mean(name, REGISTRY)}"
        )
    return REGISTRY[name]
