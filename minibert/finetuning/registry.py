"""The registry of tasks by their names on the command line, with the readers of their files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..readers import READERS, Example
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
    """A registered task: a subclass of Task, and a function that reads its files.

    iterate: (path, labelled=True) -> iterator over the examples of a file.
    """

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
ITERATORS: dict[str, Any] = READERS
REGISTRY = {name: TaskEntry(task, ITERATORS[name]) for name, task in TASKS.items()}


def read_examples(name: str, path: str | Path, labelled: bool = True) -> list[Example]:
    """Read the examples of a task's file. Raises CorpusError, naming the file, line and rule, if invalid."""
    return list(entry_of(name).iterate(path, labelled))


def entry_of(name: str) -> TaskEntry:
    """Return the TaskEntry of a task. Raises ValueError for an unknown name."""
    if name not in REGISTRY:
        raise ValueError(f"unknown task {name!r}; known tasks: {', '.join(REGISTRY)}")
    return REGISTRY[name]
