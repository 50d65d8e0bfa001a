"""Process a stream of documents with several processes, a portion at a time, and keep the order."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, TypeVar

PORTION = 1 << 20  # characters of text that a process gets at a time: sending these takes little of its time
FEW = 32  # items that one process has finished before others have started
Item = TypeVar("Item")
Result = TypeVar("Result")


def portions(documents: Iterable[list[str]]) -> Iterator[list[list[str]]]:
    """Yield lists of consecutive documents (lists of sentences) that have PORTION characters together.

    The last may have fewer.
    """
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
    """Yield function(item) of each item, in order, computed by `workers` processes.

    The results do not depend on `workers`. function, items and results travel between processes (pickle).
    A few items are processed here, because starting processes would take longer. At most three items per
    process are on their way, so that a long stream takes no more memory than a short one. Raises ValueError
    for less than one worker, and whatever `function` raises.
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
    """Prepare a worker process: only its parent interrupts it, and it runs one thread."""
    global function_of_this_process
    function_of_this_process = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"


def work(item: Any) -> Any:
    """Apply the function of this worker process to an item."""
    return function_of_this_process(item)
