"""Prefetching: an iterator that computes its next items ahead of time in a thread.

A thread starts faster than a process, accepts functions that cannot be pickled, and shares memory. PyTorch
releases Python's global lock while it computes, which is most of a step.
"""

import threading
from collections.abc import Generator
from queue import SimpleQueue
from typing import Any, TypeVar

Item = TypeVar("Item")


def ahead(items: Generator[Item, None, None], most: int) -> Generator[Item, None, None]:
    """Yield the items of a generator, computed in a thread that is at most `most` items ahead.

    An error raised by `items` is re-raised after the items before it. The thread starts when the first item
    is requested. When this generator is exhausted or closed, the thread finishes its current item, closes
    `items` and ends.
    """
    made: SimpleQueue[Any] = SimpleQueue()  # (item, error or None)
    room, stopped = threading.Semaphore(most), threading.Event()

    def work():
        error = None
        try:
            while room.acquire() and not stopped.is_set():
                made.put((next(items), None))
        except StopIteration:
            error = END
        except BaseException as raised:  # including KeyboardInterrupt: the main thread decides what to do
            error = raised
        try:
            items.close()
        finally:
            made.put((None, error or END))

    thread = threading.Thread(target=work, name="feed", daemon=True)
    thread.start()
    try:
        while True:
            item, error = made.get()
            if error is END:
                return
            if error is not None:
                raise error
            room.release()
            yield item
    finally:
        stopped.set()
        room.release()
        thread.join()


END = StopIteration()  # sent by the thread when there are no more items
