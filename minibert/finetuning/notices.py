"""Warnings about examples: unknown labels (`Task.notice`) and truncated texts (`Task.truncation`)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..readers import Example
from ..tasks.base import Task
from ..training.distributed import team
from ..training.progress import tell


def tell_label_notice(task: Task, examples: Sequence[Example], source: str | Path) -> None:
    """Print the task's notice about labelled examples to standard error, if there is one.

    source: the file of the examples, or another name for them. If there are several processes, only the first
    one prints.
    """
    notice = task.notice(examples)
    if notice and team().first:
        tell(f"{source}: {notice}")


@contextmanager
def telling_truncation(task: Task, source: str | Path, apart: bool = False) -> Iterator[None]:
    """Print to standard error how many examples the task truncates inside this context, if any.

    source: the file of the examples, or another name for them. apart: whether each of several processes
    encodes different examples, rather than all of them.
    """
    task.truncated = 0
    yield
    count = sum(team().gather(task.truncated)) if apart else task.truncated
    if count and team().first:
        tell(f"{source}: {task.truncation(count)}")
