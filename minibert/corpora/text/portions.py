"""A stream of documents worked on by several processes, a portion at a time, with the results in their
order.
"""
import os
import signal
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context

# characters of text that a process gets at a time: sending them costs little beside the work
PORTION = 1 << 20
FEW = 32            # items that one process has done before others have started


def portions(documents):
    """Lists of neighbouring documents (lists of sentences) that together hold PORTION characters; the last
    may hold fewer.
    """
    portion, size = [], 0
    for document in documents:
        portion.append(document)
        size += sum(map(len, document))
        if size >= PORTION:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def in_order(function, items, workers):
    """Yields function(item) of each item, in their order: the results do not depend on `workers`, the number
    of processes.

    function, items and results travel between processes (pickle). Few items are worked on here: starting
    processes would take longer. At most three items a process are on their way, so that a long stream takes
    no more memory than a short one. Raises ValueError for less than one worker, and here whatever `function`
    raises there.
    """
    if workers < 1:
        raise ValueError(f"workers={workers} must be at least 1")
    items = iter(items)
    few = list(islice(items, FEW if workers > 1 else 0))
    if len(few) < FEW:
        yield from map(function, chain(few, items))
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), start, (function,)) as pool:
        pending = deque()
        try:
            for item in chain(few, items):
                pending.append(pool.submit(work, item))
                if len(pending) == 3 * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def start(function):
    """Makes a process ready: it is interrupted by its parent only, and has one thread, as there are several
    processes.
    """
    global mine
    mine = function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"


def work(item):
    """What a process does with an item."""
    return mine(item)
