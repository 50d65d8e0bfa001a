"""Grading on a Dask cluster: the same function of bytes, on any number of machines (extra `cluster`).

A worker needs this package and bubblewrap, no shared disk and no database. Dask gives what a lost worker did
to another one; a submission that has lost it two workers is reported. Start one process per core with one
thread each:

    dask scheduler                                   # on one machine
    dask worker tcp://HOST:8786 --nworkers 8 --nthreads 1
    minibert grade 02_attention --scheduler tcp://HOST:8786
"""
import functools

from .mark import mark
from .workers import TRIES, kernels


def grade_on(address, jobs, bundle, policy, executor=kernels, ahead=200, patience=30.0):
    """Grade on the workers of the scheduler at `address`; yields (key, result bytes, or None where it ended
    workers twice).

    jobs: pairs of a key and a function that returns the submission's bytes. ahead: submissions under way at
    once. patience: seconds until a scheduler has answered. Raises ValueError where Dask is not installed,
    OSError where none answers.
    """
    try:
        from distributed import Client, KilledWorker, as_completed
    except ImportError:
        raise ValueError("--scheduler needs Dask on this machine and on the workers: pip install "
                         "'minibert[cluster]'") from None
    jobs, keys = iter(jobs), {}
    with Client(address, set_as_default=False, timeout=patience) as client:
        client.run_on_scheduler(allow, TRIES - 1)
        def submit():
            for key, load in jobs:
                # neither remembered nor shared with other clients: the journal does that; the bundle goes
                # with each task, since what is scattered ends with the workers that hold it, and a task could
                # not be done again
                future = client.submit(grade_there, bundle, load(), policy, executor, pure=False, retries=0)
                keys[future.key] = key
                return [future]
            return []

        running = as_completed([future for _ in range(ahead) for future in submit()], loop=client.loop,
                               raise_errors=False)
        for future in running:
            if future.status == "error" and not isinstance(future.exception(), KilledWorker):
                raise future.exception()
            yield keys.pop(future.key), future.result() if future.status == "finished" else None
            running.update(submit())


def allow(failures, dask_scheduler=None):
    """On the scheduler: how many workers a task may end before it is given up."""
    dask_scheduler.allowed_failures = failures


def grade_there(bundle, submission, policy, executor):
    """On a worker: grade one submission; its kernels stay warm for the next one."""
    return mark(bundle, submission, policy, opened(executor, policy))


@functools.lru_cache(maxsize=1)
def opened(executor, policy):
    """The function that executes notebooks on this worker, opened once and closed when the process ends."""
    import atexit

    context = executor(policy)
    atexit.register(context.__exit__, None, None, None)
    return context.__enter__()
