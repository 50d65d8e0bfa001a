"""The tasks by their names on the command line: what reads their files, and what turns them into rows and
back.
"""
from collections.abc import Callable
from typing import NamedTuple

from ..corpora.readers import READERS
from ..tasks import (
    QA,
    Acceptability,
    Categories,
    Choice,
    Classification,
    Paraphrase,
    PlainTagging,
    Similarity,
    Tagging,
)


class Kind(NamedTuple):
    """task: a subclass of Task. iterate: (path, labelled=True) yields examples; unlabelled files are for
    prediction alone.
    """

    task: type
    iterate: Callable


TASKS = {
    "qa": QA, "ner": Tagging, "chunk": Tagging, "pos": PlainTagging,
    "sst2": Classification, "sst5": Classification, "cola": Acceptability, "text": Categories,
    "mnli": Classification, "snli": Classification, "qnli": Classification, "rte": Classification,
    "wnli": Classification,
    "mrpc": Paraphrase, "qqp": Paraphrase, "stsb": Similarity,
    "swag": Choice, "race": Choice, "codah": Choice,
}
KINDS = {name: Kind(task, READERS[name]) for name, task in TASKS.items()}


def read_examples(name, path, labelled=True):
    """The examples of a task's file. Raises CorpusError, naming file, line and rule."""
    return list(KINDS[name].iterate(path, labelled))
