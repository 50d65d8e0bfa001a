"""Processes that grade: each takes one submission after the other; one that dies is replaced.

The standard library's pool gives all work up when a process dies, and cannot say on which piece it died. Here
a submission that ended its worker is tried once more, and then reported; the others do not notice.
"""
import contextlib
import multiprocessing
import signal
import time
from collections import Counter, deque
from multiprocessing.connection import wait

TRIES = 2           # of a submission whose worker died
SLACK = 120.0       # seconds beyond the policy's own limits, after which a worker hangs


@contextlib.contextmanager
def kernels(policy):
    """Yields the function that executes a notebook: kernels are started ahead while another notebook runs."""
    from .two_processes import Kernels

    with Kernels(policy) as ahead:
        yield lambda notebook, _, files: ahead.execute(notebook, files)


def work(connection, bundle, policy, executor):
    """A worker's life: grade what comes, until nothing more comes."""
    from .mark import mark

    signal.signal(signal.SIGINT, signal.SIG_IGN)    # Ctrl-C is the parent's, which then hangs up
    with executor(policy) as execute, contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            connection.send_bytes(mark(bundle, connection.recv_bytes(), policy, execute))


class Worker:
    """One process and what it is doing."""

    def __init__(self, context, *work_arguments):
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, *work_arguments), daemon=True)
        self.process.start()
        theirs.close()
        self.job, self.until = None, 0.0

    def give(self, job, seconds):
        self.job, self.until = job, time.monotonic() + seconds
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it died: the next look will tell
            self.connection.send_bytes(job[1]())

    def stop(self, kill=False):
        """End the process; a worker that is asked kindly ends its kernels itself."""
        self.connection.close()
        if kill:
            self.process.kill()
        self.process.join(30)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def grade_all(jobs, count, bundle, policy, executor=kernels):
    """Grade in `count` processes; yields (key, result bytes, or None where two workers died of it) as they
    come.

    jobs: pairs of a key and a function that returns the submission's bytes. executor: a context manager for
    each process.
    """
    context = fresh()
    waiting, deaths, seconds = deque(jobs), Counter(), 2 * policy.wall_seconds + SLACK
    idle, busy = [], []
    try:
        while waiting or busy:
            while waiting and len(busy) < count:
                worker = idle.pop() if idle else Worker(context, bundle, policy, executor)
                worker.give(waiting.popleft(), seconds)
                busy.append(worker)
            for worker in ready(busy):
                busy.remove(worker)
                key, data = worker.job[0], answer(worker)
                if data is not None:
                    idle.append(worker)
                else:
                    worker.stop(kill=True)
                    deaths[key] += 1
                if data is None and deaths[key] < TRIES:
                    waiting.append(worker.job)
                else:
                    yield key, data
    finally:
        for worker in idle + busy:
            worker.connection.close()       # all at once, so that they end side by side
        for worker in idle + busy:
            worker.stop(kill=worker in busy)


def fresh():
    """How processes start: forked from one that has loaded what they need and nothing else, or anew, on
    Windows.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["minibert.grading.run.mark"])
    return context


def ready(busy):
    """Workers that have an answer, are dead, or have hung for too long."""
    now = time.monotonic()
    there = wait([worker.connection for worker in busy], timeout=1.0)
    return [worker for worker in busy if worker.connection in there or now > worker.until]


def answer(worker):
    """What a worker sends; None where it died or hangs."""
    try:
        return worker.connection.recv_bytes() if worker.connection.poll() else None
    except (EOFError, OSError):
        return None
