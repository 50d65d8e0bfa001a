"""An iterator that works ahead in a thread: what is asked for next is ready by then.

A thread, no process: it starts at once, takes functions that no pickle could carry, and shares its memory.
While PyTorch computes, it leaves Python to others, and that is most of a step.
"""
import threading
from queue import SimpleQueue


def ahead(items, most):
    """Yields what the generator `items` yields, made in a thread that is at most `most` items ahead.

    What `items` raises is raised here, at its place in the order. The thread ends when this generator is
    exhausted or closed, after the item it is making; `items` is closed with it. It starts with the first item
    that is asked for.
    """
    made, room, stopped = SimpleQueue(), threading.Semaphore(most), threading.Event()

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


END = StopIteration()                               # what a thread reports when there are no more items
