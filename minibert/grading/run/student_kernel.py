"""Start, connect, watch, interrupt and shut down a student's kernel."""

import contextlib
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, cast

import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import KernelProvisionerFactory

from ..sandbox import provisioner
from ..sandbox.availability import CONTAINERS, SandboxError
from ..sandbox.command_lines import IN_MEMORY, package_folder, working_folder
from ..sandbox.limits import Policy, ProcessTree, Watch, peer_pid
from ..sandbox.package_copy import absent_modules, copy_machinery
from ..wire import protocol
from .kernel_outputs import Outputs

PROVISIONER = "minibert-sandbox"
STARTS = 60.0  # seconds of wall-clock time within which a kernel must answer
GRACE = 3.0  # seconds between an interrupt and ending the kernel
MOST_WAITING = 4  # unread messages kept here; the rest wait in the kernel, whose memory is limited
MOST_DRAINED = 1_000  # messages discarded at a time, because a thread may print forever
LARGEST_MESSAGE = 16 * 2**20


class Stopped(Exception):
    """The error raised when a kernel has died or must be stopped. The message explains why.

    timed_out: whether the kernel was stopped because of a time limit.
    """

    def __init__(self, reason: str, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.timed_out = timed_out


class Spec(KernelSpecManager):
    """A kernelspec manager that knows only the sandboxed kernel."""

    def __init__(self, policy: Policy, exchange: Path) -> None:
        super().__init__()
        policy = replace(policy, hidden_seed=0)  # the student's code can read its own command line
        options = json.dumps(
            {
                "socket": f"{exchange}/socket",
                "policy": asdict(policy),
                "folder": working_folder(policy, exchange),
            }
        )
        self.spec = KernelSpec(
            argv=[
                sys.executable,
                "-m",
                "minibert.grading.run.student_kernel_main",
                options,
                "-f",
                "{connection_file}",
            ],
            language="python",
            display_name="student",
            metadata={
                "kernel_provisioner": {
                    "provisioner_name": PROVISIONER,
                    "config": {"policy": asdict(policy), "exchange": str(exchange)},
                }
            },
        )

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the sandboxed kernel's spec for any name."""
        return self.spec


class Manager(KernelManager):
    """A kernel manager without a control socket, which would keep reconnecting."""

    def _connect_control_socket(self):
        pass


class Student:
    """A student's kernel: start it, run cells in it, watch it and shut it down."""

    def __init__(self, policy: Policy) -> None:
        self.policy, self.looked = policy, 0.0
        self.connection: socket.socket | None = None
        self.client: BlockingKernelClient | None = None
        self.tree: ProcessTree | None = None
        self.exchange = Path(tempfile.mkdtemp(prefix="minibert-"))  # readable only by this user
        for name in ("given", "work"):
            Path(self.exchange, name).mkdir()
        copy_machinery(package_folder(self.exchange))
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.exchange / "socket"))
        self.listener.listen(1)
        known = KernelProvisionerFactory.instance().provisioners
        # The entry point is missing in an environment that was installed before this file existed.
        known.setdefault(PROVISIONER, provisioner.entry_point(PROVISIONER))
        self.manager = Manager(kernel_name="student", kernel_spec_manager=Spec(policy, self.exchange))
        self.manager.start_kernel()
        self.provisioner = cast(Any, self.manager.provisioner)  # a `Sandbox`, with socket_path() and end()
        self.process = self.provisioner.process

    def begin(self, files: Mapping[str, bytes], pieces: Mapping[str, str]) -> None:
        """Wait until the kernel responds, send it `files`, and start watching it.

        pieces: a dict that maps the package's modules to the source that the kernel gets. Raises SandboxError
        if the kernel does not start.
        """
        policy = self.policy
        self.connection = self._accept()
        self.pid = peer_pid(self.connection) or self.process.pid
        self.tree = ProcessTree(self.pid if policy.sandbox in CONTAINERS else self.process.pid)
        write_files(files, self.exchange / "given")
        self.connection.settimeout(STARTS)
        try:
            args: tuple[list, dict] = (
                [str(self.exchange / "given"), policy.seed, pieces, absent_modules()],
                {},
            )
            request = {"op": "begin", "args": args}
            protocol.send(self.connection, (0, request))
            _, reply = protocol.receive(self.connection)
        except (protocol.Disconnected, protocol.WireError):
            raise SandboxError("the kernel did not start") from None
        if "error" in reply:
            raise SandboxError(f"the kernel did not start: {': '.join(reply['error'][:2])}")
        self.connection.settimeout(None)
        first = self.provisioner.first
        self.watch = Watch(
            policy, self.tree, [f"/proc/{first}/root{folder}" for folder in IN_MEMORY if first]
        )
        self._connect()

    def _accept(self):
        until = time.monotonic() + STARTS
        self.listener.settimeout(0.2)
        while time.monotonic() < until and self.process.poll() is None:
            with contextlib.suppress(TimeoutError):
                return self.listener.accept()[0]
        raise SandboxError("the kernel did not start")

    def _connect(self):
        """Connect to the kernel's channels, once, and refuse messages above LARGEST_MESSAGE bytes."""
        self.context = zmq.Context()
        self.context.setsockopt(zmq.RECONNECT_IVL, -1)
        self.context.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE)
        self.context.setsockopt(zmq.RCVHWM, MOST_WAITING)
        self.context.setsockopt(zmq.LINGER, 0)
        self.client = self.manager.client(context=self.context, ip=self.provisioner.socket_path())
        self.client.start_channels(stdin=False, hb=False, control=False)
        try:
            self.client.wait_for_ready(timeout=STARTS)
        except RuntimeError:
            raise SandboxError("the kernel did not start") from None

    def run(self, source: str, outputs: Outputs) -> Outputs:
        """Run one cell, add its outputs to `outputs` and return them.

        Raises Stopped if the kernel dies or has to be stopped.
        """
        assert self.client is not None  # `begin` has connected it
        sent = self.client.execute(source, allow_stdin=False, stop_on_error=False)
        interrupted = None
        replied_at, idle = 0.0, False
        while not (replied_at and idle):
            ready = zmq.select(
                [self.client.shell_channel.socket, self.client.iopub_channel.socket], [], [], 0.1
            )[0]
            for channel in (self.client.shell_channel, self.client.iopub_channel):
                if channel.socket in ready:
                    message = self._message(channel)
                    if message is None or message["parent_header"].get("msg_id") != sent:
                        continue
                    if channel is self.client.shell_channel:
                        replied_at = time.monotonic()
                    elif message["msg_type"] == "status":
                        idle |= message["content"].get("execution_state") == "idle"
                    else:
                        outputs.add(message)
            if replied_at and time.monotonic() > replied_at + 1:
                break  # so much was printed that the final message was lost
            interrupted = self.look_after(interrupted, ready)
        if interrupted:
            outputs.interrupt(interrupted[0])
        return outputs

    def _message(self, channel):
        try:
            message = channel.get_msg(timeout=0)
        except Exception:  # the student's code may have forged the message
            return None
        formed = isinstance(message["parent_header"], dict) and isinstance(message["content"], dict)
        return message if formed else None

    def drain(self) -> None:
        """Discard the output that the student's functions print while they are tested."""
        assert self.client is not None
        for _ in range(MOST_DRAINED):
            if not self.client.iopub_channel.msg_ready():
                break
            self._message(self.client.iopub_channel)

    def look_after(
        self, interrupted: tuple[str, float] | None, busy: Sequence = (), gently: bool = True
    ) -> tuple[str, float] | None:
        """Interrupt a cell that exceeds a limit, and return (reason, time of the interrupt) or None.

        interrupted: the return value of the previous call. busy: sockets with waiting messages; while there
        are any, limits are checked less often. gently: whether the cell may be interrupted; a test may not,
        because it would call the function again. Raises Stopped if the cell does not stop or cannot be
        interrupted, or if the kernel has died.
        """
        now = time.monotonic()
        if not busy or now > self.looked + 0.2:
            self.looked = now
            if self.process.poll() is not None:
                raise Stopped("the kernel ended")
            broken = self.watch.broken_limit()
            if broken and not interrupted:
                reason, interruptible, timed_out = broken
                if not (gently and interruptible):
                    raise Stopped(reason, timed_out)
                with contextlib.suppress(OSError):
                    os.kill(self.pid, signal.SIGINT)
                return reason, now
        if interrupted and now > interrupted[1] + GRACE:
            raise Stopped(interrupted[0], timed_out=True)
        return interrupted

    def seconds(self) -> float:
        """Return the CPU time that the kernel has used, in seconds."""
        return self.tree.usage().seconds if self.tree else 0.0

    def close(self) -> None:
        """Shut down the kernel and everything that it started."""
        self.provisioner.end()
        self.process.wait()
        if self.client:
            self.client.stop_channels()
            self.context.destroy(linger=0)
        for one in (self.listener, self.connection):
            if one:
                one.close()
        shutil.rmtree(self.exchange, ignore_errors=True)


def write_files(files: Mapping[str, bytes], folder: str | Path) -> None:
    """Write `files`, {name: bytes}, into a folder, readable by every user who can enter it."""
    for name, data in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        for place in (path, *path.parents[: len(Path(name).parts) - 1]):
            place.chmod(0o755)
