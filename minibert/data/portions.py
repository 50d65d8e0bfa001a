"""Parallel processing of a stream of documents: several processes work on portions, whose order is kept."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, TypeVar

PORTION = 1 << 20  # characters sent to a process at a time, enough to make the overhead small
FEW = 32  # a single process finishes this many items before others could start
Item = TypeVar("Item")
Result = TypeVar("Result")


def portions(documents: Iterable[list[str]]) -> Iterator[list[list[str]]]:
    """Group consecutive documents (lists of sentences) into lists of about PORTION characters each."""
    portion: list[list[str]] = []
    size = 0
    for document in documents:
        portion.append(document)
        size += sum(map(len, document))
        if size >= PORTION:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def in_order(function: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Iterator[Result]:
    """Yield function(item) for each item, in order, computed by `workers` processes.

    function, items and results must be picklable. If there are only a few items, the current process does the
    work, because starting others would take longer. At most three items per process are pending, so that
    memory use does not grow with the stream. Raises ValueError if `workers` is less than 1, and re-raises
    errors of `function`.
    """
    if workers < 1:
        raise ValueError(f"workers={workers} must be at least 1")
    rest = iter(items)
    few = list(islice(rest, FEW if workers > 1 else 0))
    if len(few) < FEW:
        yield from map(function, chain(few, rest))
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), start, (function,)) as pool:
        pending: deque = deque()
        try:
            for item in chain(few, rest):
                pending.append(pool.submit(work, item))
                if len(pending) == 3 * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


function_of_this_process: Callable


def start(function: Callable) -> None:
    """Set up a worker process; it ignores Ctrl-C, which its parent handles, and uses a single thread."""
    global function_of_this_process
    function_of_this_process = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"


def work(item: Any) -> Any:
    return function_of_this_process(item)
