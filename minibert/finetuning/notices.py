"""What is told of labelled examples before they are scored; the tasks say it (`Task.notice`), here it is
shown.
"""
from ..training.distributed import team
from ..training.progress import tell


def tell_notice(task, examples, source):
    """One line to standard error, where there is something to tell; of several processes, the first one tells
    it.

    source: the file that they come from, or another name for them.
    """
    notice = task.notice(examples)
    if notice and team().first:
        tell(f"{source}: {notice}")
