"""Grade on a Dask cluster with any number of machines (needs the optional dependencies `cluster`).

A worker needs this package and bubblewrap, but no shared disk or database. If a worker is lost, Dask gives
its work to another worker. A submission that has crashed two workers is reported. Start one process per core,
with one thread each:

    dask scheduler                                   # on one machine
    dask worker tcp://HOST:8786 --nworkers 8 --nthreads 1
    minibert grade 02_attention --scheduler tcp://HOST:8786
"""

import functools
from collections.abc import Generator, Iterable
from typing import Any

from ..sandbox.limits import Policy
from .grade_submission import Execute, grade_submission
from .worker_processes import TRIES, Executor, Job, open_kernels


def grade_on(
    address: str,
    jobs: Iterable[Job],
    bundle: bytes,
    policy: Policy,
    executor: Executor = open_kernels,
    ahead: int = 200,
    patience: float = 30.0,
) -> Generator[tuple[Any, bytes | None], None, None]:
    """Grade jobs on the workers of a Dask scheduler, and yield (key, result) for each job.

    The result is None if two workers died during the job. address: the scheduler's address. jobs, bundle,
    executor: as for `worker_processes.grade_all`. ahead: maximum number of submissions in progress. patience:
    seconds to wait for the scheduler. Raises ValueError if Dask is not installed, and OSError if no scheduler
    answers.
    """
    try:
        from distributed import Client, KilledWorker, as_completed
    except ImportError:
        raise ValueError(
            "--scheduler needs Dask on this machine and on the workers: pip install 'minibert[cluster]'"
        ) from None
    waiting, keys = iter(jobs), {}
    with Client(address, set_as_default=False, timeout=patience) as client:
        client.run_on_scheduler(allow_failures, TRIES - 1)

        def submit():
            for key, load in waiting:
                # pure=False: Dask must not cache results or share them between clients, since the journal
                # keeps them. The bundle is sent with each task, because scattered data is lost with the
                # worker that holds it, and the task could then not be retried.
                future = client.submit(grade_there, bundle, load(), policy, executor, pure=False, retries=0)
                keys[future.key] = key
                return [future]
            return []

        running = as_completed(
            [future for _ in range(ahead) for future in submit()], loop=client.loop, raise_errors=False
        )
        for future in running:
            if future.status == "error" and not isinstance(future.exception(), KilledWorker):
                raise future.exception()
            yield keys.pop(future.key), future.result() if future.status == "finished" else None
            running.update(submit())


def allow_failures(failures: int, dask_scheduler: Any = None) -> None:
    """Set how many workers may die while running a task before the scheduler gives up on the task."""
    dask_scheduler.allowed_failures = failures


def grade_there(bundle: bytes, submission: bytes, policy: Policy, executor: Executor) -> bytes:
    """Grade a submission on a worker, and keep the worker's kernels open for the next submission."""
    return grade_submission(bundle, submission, policy, opened(executor, policy))


@functools.lru_cache(maxsize=1)
def opened(executor: Executor, policy: Policy) -> Execute:
    """Return a function that executes notebooks here; its kernels are closed when the process ends."""
    import atexit

    context = executor(policy)
    atexit.register(context.__exit__, None, None, None)
    return context.__enter__()
