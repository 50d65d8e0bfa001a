"""Control the trusted process, which starts once and forks a child for each notebook's tests."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import nbformat
import zmq
from nbformat import NotebookNode

from ..sandbox.command_lines import thread_counts
from ..sandbox.limits import Policy, ProcessTree
from ..sandbox.package_copy import PACKAGE
from ..wire import protocol
from .student_kernel import Stopped, Student


class TrustedProcess:
    """A process that runs `trusted_process_main`, which forks a child for each notebook."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.control, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "minibert.grading.run.trusted_process_main", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            cwd="/",
            env={**os.environ, **thread_counts(policy), "PYTHONPATH": str(PACKAGE.parent)},
        )
        theirs.close()

    def child(self, student: Student, folder: str | Path, modules: Sequence[str]) -> "TrustedChild":
        """Start a child process that imports `modules`, works in `folder` and talks to a student's kernel."""
        ours, theirs = socket.socketpair()
        order = {"folder": str(folder), "modules": modules, "policy": asdict(self.policy)}
        assert student.connection is not None  # connected by `begin`
        socket.send_fds(
            self.control, [json.dumps(order).encode()], [theirs.fileno(), student.connection.fileno()]
        )
        theirs.close()
        pid = self.control.recv(64)
        if not pid:
            raise RuntimeError("the trusted process ended; see its error message above")
        return TrustedChild(ours, int(pid))

    def close(self) -> None:
        """Shut down the trusted process."""
        self.control.close()
        self.process.wait()


class TrustedChild:
    """The child of the trusted process that runs one notebook's tests."""

    def __init__(self, jobs: socket.socket, pid: int) -> None:
        self.jobs, self.pid, self.tree = jobs, pid, ProcessTree(pid)

    def bind(self, number: int, source: str, student: Student) -> None:
        """Save the current values of the names that cell `number` uses, because it runs later."""
        self._ask({"do": "bind", "cell": number, "source": source}, student)

    def run(self, source: str, student: Student, number: int | None = None) -> list[NotebookNode]:
        """Run an instructor's cell and return its outputs.

        number: the index of the cell, if `bind` has saved values for it. Raises Stopped if a limit is
        exceeded or if either process dies.
        """
        result = self._ask({"do": "run", "cell": number, "source": source}, student)
        # kernel_ended: a check may have mistaken the kernel's end for an error in the answer
        if result["kernel_ended"] or student.process.poll() is not None:
            raise Stopped("the kernel ended")
        return [nbformat.from_dict(output) for output in result["outputs"]]

    def _ask(self, job, student):
        protocol.send(self.jobs, job)
        while not zmq.select([self.jobs], [], [], 0.1)[0]:
            student.look_after(None, gently=False)
            student.drain()
        student.drain()
        try:
            return json.loads(protocol.receive(self.jobs))
        except (protocol.Disconnected, protocol.WireError):
            raise Stopped("the test used more memory than is available") from None

    def seconds(self) -> float:
        """Return the CPU time that the child has used, in seconds."""
        return self.tree.usage().seconds

    def close(self) -> None:
        """Shut down the child process."""
        self.jobs.close()
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
