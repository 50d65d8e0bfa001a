"""Warnings about examples: unknown labels and truncated texts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..readers import Example
from ..tasks.base import Task
from ..training.distributed import team
from ..training.progress import tell


def tell_label_notice(task: Task, examples: Sequence[Example], source: str | Path) -> None:
    """Print a warning about labels that were not seen in training, if there are any.

    source: the file of the examples, or another name for them.
    """
    notice = task.notice(examples)
    if notice and team().first:
        tell(f"{source}: {notice}")


@contextmanager
def telling_truncation(task: Task, source: str | Path, apart: bool = False) -> Iterator[None]:
    """Print to standard error how many examples the task truncates inside this context, if any.

    source: the file of the examples, or another name for them. apart: True if each of several processes
    encodes different examples.
    """
    task.truncated = 0
    yield
    count = sum(team().gather(task.truncated)) if apart else task.truncated
    if count and team().first:
        tell(f"{source}: {task.truncation(count)}")
