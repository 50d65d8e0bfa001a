"""Messages about examples: their labels, unknown labels and truncated texts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..readers import Example
from ..readers.glue import TextExample
from ..readers.wording import plural
from ..tasks.base import Task, few
from ..training.distributed import team
from ..training.progress import tell

MANY = 100  # labels; most data sets have fewer
FEW = 10  # examples; with fewer, a label may well occur only once


def describe_examples(examples: Sequence[Example], part: str) -> str:
    """Return a line with the number of examples and their labels. part: their role, such as "training".

    >>> describe_examples([TextExample("Hi.", None, "greeting", "0", 1)], "dev")
    '1 dev example, 1 label: greeting'
    """
    counts = label_counts(examples)
    labels = f", {plural(len(counts), 'label')}: {few(sorted(counts))}" if counts else ""
    return plural(len(examples), f"{part} example") + labels


def label_counts(examples: Sequence[Example]) -> Counter[str]:
    """Count the labels of TextExamples; labels of other examples are ignored."""
    return Counter(
        one.label for one in examples if isinstance(one, TextExample) and isinstance(one.label, str)
    )


def swapped_notice(examples: Sequence[Example]) -> str:
    """Return a warning if training labels are so varied that they may be the texts, or "" otherwise."""
    counts = label_counts(examples)
    once = sum(count == 1 for count in counts.values())
    if len(counts) > MANY or len(examples) >= FEW and 2 * once > len(counts):
        return f"{plural(len(counts), 'label')}, {once:,} of them only once: are the columns swapped?"
    return ""


def check_labels(task: Task, examples: Sequence[Example], source: str | Path) -> None:
    """Print which labels have other names in the model, and which were not seen in training, if any.

    source: the file of the examples, or another name for them. Raises ValueError, naming it, if the labels
    are not those of the model.
    """
    try:
        notice = task.notice(examples)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    same = few([f"{label} = {name}" for label, name in sorted(task.renamed.items())])
    task.renamed = {}
    if team().first:
        for line in (same and f"labels that mean the same: {same}", notice):
            if line:
                tell(f"{source}: {line}")


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
