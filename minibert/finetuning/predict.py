"""Prediction for files of any size with a fine-tuned model.

A file is processed in chunks, which are shared between the processes of `torchrun` if there are several.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from ..readers import Example
from ..readers.writing import writing
from ..tasks.base import Task
from ..tasks.records import LINES, FileFormat
from ..training.distributed import team
from .notices import telling_truncation
from .records import TaskModel
from .registry import Columns, Source, iterate_examples

# Maximum number of examples, and of characters in their texts, that a process keeps in memory.
AT_ONCE, CHARACTERS = 256, 1_000_000


def answered(
    tuned: TaskModel, source: Source, labelled: bool, columns: Columns = None, probabilities: bool = False
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield chunks (examples, predictions) of a file or list.

    columns: the names of the file's columns, if they differ from those of the training data. probabilities:
    yield pairs (prediction, probabilities) instead of predictions. If there are several processes, each
    predicts for different chunks, and all receive all predictions.
    """
    predict = tuned.task.predict_both if probabilities else tuned.task.predict
    examples = iterate_examples(tuned.name, source, labelled, columns, stored=tuned.columns)
    if labelled:
        examples = tuned.task.relabelled(examples)
    parts = chunks(examples, tuned.task.together)
    while turn := list(islice(parts, team().size)):
        mine = turn[team().rank : team().rank + 1]
        yield from zip(turn, team().gather(predict(tuned.model, mine[0]) if mine else None))


def chunks(
    examples: Iterable[Example],
    together: Callable[[Any, Any], bool] = lambda one, other: False,
    at_once: int = AT_ONCE,
    characters: int = CHARACTERS,
) -> Iterator[list[Example]]:
    """Split examples into lists that are small enough to keep in memory.

    together: a function that returns whether two adjacent examples must stay in the same list.

    >>> from minibert.readers.squad import QAExample
    >>> examples = [QAExample("", "", "x" * n, [], False, "") for n in (3, 3, 9, 1)]
    >>> [len(chunk) for chunk in chunks(examples, at_once=2, characters=7)]
    [2, 1, 1]
    """
    chunk: list[Example] = []
    size = 0
    for example in examples:
        length = sum(len(value) for value in vars(example).values() if isinstance(value, str | list))
        if (
            chunk
            and (len(chunk) >= at_once or size + length > characters)
            and not together(chunk[-1], example)
        ):
            yield chunk
            chunk, size = [], 0
        chunk.append(example)
        size += length
    if chunk:
        yield chunk


@contextmanager
def lazy_file(path: str | Path | None, form: FileFormat = LINES) -> Iterator[Callable[[str], None]]:
    """Provide a function that writes entries to a text file, or to standard output if `path` is None.

    The file is opened for the first entry, and is either written completely or not at all.
    """
    with ExitStack() as stack:
        file: TextIO | None = None

        def write(entry: str) -> None:
            nonlocal file
            before = form.header if file is None else form.between
            file = file or (stack.enter_context(writing(path)) if path else sys.stdout)
            if file is None:
                raise ValueError("standard output is closed; name a file with --out")
            file.write(before + entry)

        yield write
        if file:
            file.write(form.footer)


@contextmanager
def prediction_files(
    task: Task, paths: Mapping[str, str | Path | None]
) -> Iterator[Callable[[Any, Any], None]]:
    """Provide a function that writes an example's prediction to a task's files.

    paths: a dict that maps names in `task.files` to the paths to write, or to None for standard output.
    """
    with ExitStack() as stack:
        writers = {
            name: stack.enter_context(lazy_file(path, task.file_format)) for name, path in paths.items()
        }

        def write(example: Any, prediction: Any) -> None:
            entries = task.write(example, prediction)
            for name, write_entry in writers.items():
                write_entry(entries[name])

        yield write


def predict_file(
    tuned: TaskModel,
    path: str | Path,
    out: str | Path | None = None,
    nbest: str | Path | None = None,
    null_odds: str | Path | None = None,
    columns: Columns = None,
    probabilities: bool = False,
) -> int:
    """Write predictions for a file of examples, and return their number.

    out: the output file, or None for standard output. It is JSON that maps ids to answers for question
    answering, and lines of text for other tasks. probabilities: write lines of JSON instead, with each
    prediction and the probabilities of the possible answers; ValueError if the task predicts scores. nbest,
    null_odds: files for the lists of best answers, and for the score of "no answer" minus the best answer's
    score; only for question answering, else ValueError is raised. columns: the names of the file's columns.
    Labels in the file are not read. An output file is either written completely or not at all. If there are
    several processes, only the first one writes.
    """
    further = {name: place for name, place in (("nbest", nbest), ("null_odds", null_odds)) if place}
    if further.keys() - set(tuned.task.files):
        raise ValueError(
            f"n-best lists and null odds exist only for question answering, not for {tuned.name}"
        )
    count, first = 0, team().first
    paths = further if probabilities else {"predictions": out, **further}
    with (
        telling_truncation(tuned.task, path, apart=True),
        prediction_files(tuned.task, paths if first else {}) as write,
        lazy_file(out) as write_line,
    ):
        for examples, predictions in answered(tuned, path, False, columns, probabilities):
            for example, prediction in zip(examples, predictions):
                if probabilities:
                    prediction, shares = prediction
                    record = tuned.task.record(example, prediction, shares)
                    if first:
                        write_line(json.dumps(record, ensure_ascii=False) + "\n")
                write(example, prediction)
            count += len(examples)
    return count
