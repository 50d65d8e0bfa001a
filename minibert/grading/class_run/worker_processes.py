"""Grade in multiple processes, and replace those that die or hang.

The standard library's pool gives up if a process dies, and has no timeout per task; pebble's pool handles
both. A submission whose process dies is retried once and then reported; other submissions are not affected.
"""

import contextlib
import multiprocessing
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent import futures
from contextlib import AbstractContextManager
from itertools import islice
from multiprocessing.util import Finalize
from typing import Any

from pebble import ProcessPool

from ..author.assignment_bundle import Bundle
from ..run.execute_notebook import execute_in
from ..run.kernel_pool import KernelPool
from ..sandbox.limits import Policy
from .grade_submission import Execute, grade_submission

Job = tuple[Any, Callable[[], bytes]]  # a key, and a function that returns the submission's bytes
Executor = Callable[[Policy], AbstractContextManager[Execute]]
TRIES = 2  # attempts for a submission whose worker died
SLACK = 120.0  # seconds beyond the policy's limits after which a worker counts as hanging


@contextlib.contextmanager
def open_kernels(policy: Policy) -> Iterator[Execute]:
    """Yield a function that executes notebooks; the next kernel starts while a notebook is still running."""
    with KernelPool(policy) as kernels:
        yield lambda notebook, _, files: execute_in(kernels, notebook, files)


def grade_all(
    jobs: Iterable[Job], count: int, bundle: bytes, policy: Policy, executor: Executor = open_kernels
) -> Generator[tuple[Any, bytes | None], None, None]:
    """Grade jobs in `count` processes, and yield (key, result) as the jobs finish.

    The result is None if two processes died during the job. executor: a function that returns a context
    manager, which each process enters to get a function that runs notebooks.
    """
    waiting, deaths = iter(jobs), Counter[Any]()
    first = list(islice(waiting, count))  # no queue: a killed run loses only the submissions being graded
    exercises = sum(cell.answer for cell in Bundle.from_bytes(bundle).cells)
    timeout = policy.longest(exercises + 1) + SLACK  # one more, for the cells after the last exercise
    scratch = tempfile.TemporaryDirectory(prefix="minibert-", ignore_cleanup_errors=True)
    os.chmod(scratch.name, 0o711)  # kernels of other users find their own folders in it
    running: dict[Any, Job] = {}
    pool = ProcessPool(
        max(1, len(first)),
        initializer=start_worker,
        initargs=(bundle, policy, executor, scratch.name),
        context=process_context(),
    )

    def submit(some: Iterable[Job]) -> None:
        for key, load in some:
            future = pool.schedule(grade_here, (load(),), timeout=timeout)
            running[future] = key, load

    try:
        submit(first)
        while running:
            for future in futures.wait(running, return_when=futures.FIRST_COMPLETED).done:
                job, data = running.pop(future), None
                try:
                    data = future.result()
                except Exception:  # it died, took too long or failed: the others are graded all the same
                    deaths[job[0]] += 1
                if data is None and deaths[job[0]] < TRIES:
                    submit([job])
                else:
                    submit(islice(waiting, 1))
                    yield job[0], data
    finally:  # also after Ctrl-C, which the workers ignore
        pool.stop()
        pool.join()
        scratch.cleanup()  # with the folders of kernels whose workers were killed


def process_context() -> multiprocessing.context.BaseContext:
    """Return the multiprocessing context of the workers.

    Workers are forked from a process that has loaded the grader; on Windows, each loads it separately.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


_worker: dict[str, Any] = {}  # if this process is a worker: the bundle, the policy, the executor


def start_worker(bundle: bytes, policy: Policy, executor: Executor, scratch: str) -> None:
    """Open the executor in a worker process, which uses the folder `scratch`, and close it at its end."""
    tempfile.tempdir = scratch
    context = executor(policy)
    _worker.update(bundle=bundle, policy=policy, execute=context.__enter__())
    # `atexit` functions do not run in these processes
    Finalize(None, context.__exit__, (None, None, None), exitpriority=10)


def grade_here(submission: bytes) -> bytes:
    """Grade one submission in a worker process."""
    return grade_submission(_worker["bundle"], submission, _worker["policy"], _worker["execute"])
