"""Call functions that read students' files in a process with limits, so that no file stops the grader.

    cells = bounded(read_cells, data)

The first call forks a helper process, which forks a reader. The reader carries out one call after the other.
If it crashes or exceeds a limit, only that call fails, and the helper forks a new reader.
"""

import gc
import os
import pickle
import signal
import threading
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import NamedTuple, NoReturn, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
MB = 2**20
CLOCK = 5  # wall-clock seconds allowed per second of CPU time
TEXT = 500  # characters of an error's message that are kept
REPLACE = 3  # exit status of a reader that has answered and must be replaced


class LimitError(ValueError):
    """The error raised if a bounded call fails. The message names the exceeded limit or the call's error."""


class Limits(NamedTuple):
    """The limits of one call, generous enough for any honest submission.

    seconds: CPU time. memory: bytes of data, including the grader's own. output: bytes of the result.
    """

    seconds: int = 15
    memory: int = 2048 * MB
    output: int = 512 * MB


def bounded(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a module-level function with the default `Limits`, and return its result; see `within`."""
    return within(Limits(), function, *args, **kwargs)


def within(limits: Limits, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a module-level function in a process with limits, and return its result.

    The function, its arguments and its result must be picklable. Raises LimitError if the function raises an
    error, exceeds a limit or crashes its process. A call inside a bounded call is made directly.
    """
    if _helper.inside or not hasattr(os, "fork"):  # on Windows, all submissions are trusted
        return function(*args, **kwargs)
    try:
        answer = pickle.loads(_helper.answer(limits, pickle.dumps((function, args, kwargs))))
    except RecursionError:
        raise LimitError("it is nested too deeply") from None
    if isinstance(answer, int):
        slow = answer in (-signal.SIGXCPU, -signal.SIGALRM)
        raise LimitError(f"it takes more than {limits.seconds} s" if slow else f"it crashed ({answer})")
    fine, value = answer
    if not fine:
        raise LimitError(value)
    return value


class Helper:
    """The process that forks readers. `inside` is True in a reader."""

    def __init__(self) -> None:
        self.inside, self.owner, self.lock = False, 0, threading.Lock()
        self.connection: Connection | None = None

    def answer(self, limits: Limits, request: bytes) -> bytes:
        """Return the reader's pickled answer to a pickled request."""
        with self.lock:
            if self.owner != os.getpid():  # the first call, or the first one after a fork
                self._start()
            assert self.connection is not None
            try:
                self.connection.send(tuple(limits))
                self.connection.send_bytes(request)
                return self.connection.recv_bytes()
            except (EOFError, OSError):
                self.owner = 0  # the next call starts a new helper
                return pickle.dumps((False, "the process that reads it ended"))

    def _start(self):
        self.connection, theirs = Pipe()
        self.owner = os.getpid()
        if not os.fork():
            try:
                self.inside = True
                close_others(theirs.fileno())
                supply_readers(theirs)
            finally:
                os._exit(1)
        theirs.close()


_helper = Helper()


def close_others(kept: int) -> None:
    """Close all inherited files but the standard ones and `kept`: an open copy would keep others waiting."""
    gc.freeze()  # an object that is collected now would close the number of a new file
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))


def supply_readers(connection: Connection) -> NoReturn:
    """Fork readers, one after the other, until the grader ends; send the exit code of a killed one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the grader, which then ends
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        reader = os.fork()
        if not reader:
            try:
                while carry_out(Limits(*connection.recv()), connection):
                    pass
                os._exit(REPLACE)
            except EOFError:
                os._exit(0)
            finally:
                os._exit(1)
        code = os.waitstatus_to_exitcode(os.waitpid(reader, 0)[1])
        if code == 0:
            os._exit(0)
        if code != REPLACE:
            connection.send(code)


def carry_out(limits: Limits, connection: Connection) -> bool:
    """Carry out one request, send its pickled answer, and return whether it succeeded."""
    request = connection.recv_bytes()
    set_limits(limits)
    try:
        function, args, kwargs = pickle.loads(request)
        answer = True, function(*args, **kwargs)
        data = pickle.dumps(answer)
        if len(data) > limits.output:
            answer = False, f"it makes more than {limits.output // MB} MB"
    except MemoryError:
        answer = False, f"it needs more than {limits.memory // MB} MB of memory"
    except RecursionError:
        answer = False, "it is nested too deeply"
    except Exception as error:
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        answer = False, f"{kind}{error}"[:TEXT]
    set_limits(None)  # an answer is sent as a whole
    connection.send_bytes(data if answer[0] else pickle.dumps(answer))
    return answer[0]


def set_limits(limits: Limits | None) -> None:
    """Limit the time and memory of this process from now on, or lift the limits."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime) + 1
    for kind, value in (("CPU", limits and until + limits.seconds), ("DATA", limits and limits.memory)):
        number = getattr(resource, f"RLIMIT_{kind}")
        hard = resource.getrlimit(number)[1]
        resource.setrlimit(number, (hard if value is None or 0 <= hard < value else value, hard))
    signal.alarm(CLOCK * limits.seconds if limits else 0)
