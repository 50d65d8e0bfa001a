"""Warnings about labelled examples before they are scored, from `Task.notice`."""

from collections.abc import Sequence
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
