"""An iterator that works ahead in a thread, so that its next item is ready when it is asked for.

It is a thread and not a process: a thread starts at once, takes functions that cannot be pickled, and shares
memory. PyTorch leaves Python to other threads while it computes, which is most of a step.
"""

import threading
from collections.abc import Generator
from queue import SimpleQueue
from typing import Any, TypeVar

Item = TypeVar("Item")


def ahead(items: Generator[Item, None, None], most: int) -> Generator[Item, None, None]:
    """Yield what the generator `items` yields, made in a thread that is at most `most` items ahead.

    What `items` raises is raised here, after the items before it. The thread ends when this generator is
    exhausted or closed, after the item it is making; `items` is closed with it. It starts with the first item
    that is asked for.
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
        except BaseException as raised:  # also a KeyboardInterrupt: the main thread decides what to do
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


END = StopIteration()  # what a thread reports when there are no more items
