"""The tasks by their names on the command line: what reads their files, and what turns them into rows and back."""
from collections.abc import Callable
from typing import NamedTuple

from ..corpora.choices import read_codah, read_race, read_swag
from ..corpora.conll import read_conll
from ..corpora.squad import read_squad
from ..tasks import QA, Choice, Tagging


class Kind(NamedTuple):
    """task: a subclass of Task. read: (path, labelled=True) -> examples; unlabelled files are for prediction alone."""

    task: type
    read: Callable


KINDS = {"qa": Kind(QA, read_squad), "ner": Kind(Tagging, read_conll),
         "swag": Kind(Choice, read_swag), "race": Kind(Choice, read_race), "codah": Kind(Choice, read_codah)}


def read_examples(name, path, labelled=True):
    """The examples of a task's file. Raises CorpusError, naming file, line and rule."""
    return KINDS[name].read(path, labelled)
