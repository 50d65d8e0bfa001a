"""The student's kernel as the grader holds it: started in its sandbox, connected, watched, interrupted,
ended.
"""
import contextlib
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

import zmq
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import KernelProvisionerFactory

from ..sandbox import containment as sandbox
from ..sandbox import provisioner
from ..sandbox.limits import Tree, Watch, peer
from ..wire import protocol as bridge
from .outputs import Outputs

PROVISIONER = "minibert-sandbox"
STARTS = 60.0           # seconds on the clock within which a kernel answers
GRACE = 3.0             # seconds between an interrupt and the end
MOST_DRAINED = 1_000    # messages thrown away at a time: a thread may print for ever
LARGEST_MESSAGE = 16 * 2 ** 20


class Stopped(Exception):
    """The student's kernel is gone; the text says why. `late`: for want of time."""

    def __init__(self, reason, late=False):
        super().__init__(reason)
        self.late = late


class Spec(KernelSpecManager):
    """Knows one kernel: ours, in the sandbox."""

    def __init__(self, policy, exchange):
        super().__init__()
        options = json.dumps({"socket": f"{exchange}/bridge", "policy": asdict(policy),
                              "folder": sandbox.folder(policy, exchange)})
        self.spec = KernelSpec(
            argv=[sys.executable, "-m", "minibert.grading.run.student_main", options, "-f",
                  "{connection_file}"], language="python",
            display_name="student",
            metadata={"kernel_provisioner": {"provisioner_name": PROVISIONER, "config": {
                "policy": asdict(policy), "exchange": str(exchange)}}})

    def get_kernel_spec(self, kernel_name):
        return self.spec


class Manager(KernelManager):
    """Talks to the kernel through its clients alone: no socket of its own that would connect again and
    again.
    """

    def _connect_control_socket(self):
        pass


class Student:
    """A student's kernel: started, connected, watched, ended."""

    def __init__(self, policy):
        self.policy, self.connection, self.client, self.tree, self.looked = policy, None, None, None, 0.0
        self.exchange = Path(tempfile.mkdtemp(prefix="minibert-"))      # for this user's eyes alone
        for name in ("given", "work"):
            Path(self.exchange, name).mkdir()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.exchange / "bridge"))
        self.listener.listen(1)
        known = KernelProvisionerFactory.instance().provisioners
        # an environment older than this file
        known.setdefault(PROVISIONER, provisioner.entry_point(PROVISIONER))
        self.manager = Manager(kernel_name="student", kernel_spec_manager=Spec(policy, self.exchange))
        self.manager.start_kernel()
        self.process = self.manager.provisioner.process

    def begin(self, files, policy):
        """Wait until the kernel answers, give it `files`, and watch it from now on. Raises SandboxError."""
        self.connection = self._accept()
        self.pid = peer(self.connection) or self.process.pid
        self.tree = Tree(self.pid if policy.sandbox in sandbox.CONTAINERS else self.process.pid)
        lay_out(files, self.exchange / "given")
        self.connection.settimeout(STARTS)
        try:
            request = {"op": "begin", "args": ([str(self.exchange / "given"), policy.seed], {})}
            bridge.send(self.connection, (0, request))
            _, reply = bridge.receive(self.connection)
        except (bridge.Gone, bridge.BridgeError):
            raise sandbox.SandboxError("the kernel did not start") from None
        if "error" in reply:
            raise sandbox.SandboxError(f"the kernel did not start: {': '.join(reply['error'][:2])}")
        self.connection.settimeout(None)
        self.watch = Watch(policy, self.tree)
        self._connect()

    def _accept(self):
        until = time.monotonic() + STARTS
        self.listener.settimeout(0.2)
        while time.monotonic() < until and self.process.poll() is None:
            with contextlib.suppress(TimeoutError):
                return self.listener.accept()[0]
        raise sandbox.SandboxError("the kernel did not start")

    def _connect(self):
        """Connect to the kernel's channels once and for all, and take no message that is too large for an
        honest one.
        """
        self.context = zmq.Context()
        self.context.setsockopt(zmq.RECONNECT_IVL, -1)
        self.context.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE)
        self.context.setsockopt(zmq.LINGER, 0)
        self.client = self.manager.client(context=self.context, ip=self.manager.provisioner.place())
        self.client.start_channels(stdin=False, hb=False, control=False)
        try:
            self.client.wait_for_ready(timeout=STARTS)
        except RuntimeError:
            raise sandbox.SandboxError("the kernel did not start") from None

    def run(self, source):
        """Outputs of one cell. Raises Stopped where the kernel ends, or has to be ended."""
        sent = self.client.execute(source, allow_stdin=False, stop_on_error=False)
        outputs, interrupted = Outputs(self.policy.output_bytes), None
        replied = idle = False
        while not (replied and idle):
            ready = zmq.select([self.client.shell_channel.socket, self.client.iopub_channel.socket], [], [],
                               0.1)[0]
            for channel in (self.client.shell_channel, self.client.iopub_channel):
                if channel.socket in ready:
                    message = self._message(channel)
                    if message is None or message["parent_header"].get("msg_id") != sent:
                        continue
                    if channel is self.client.shell_channel:
                        replied = time.monotonic()
                    elif message["msg_type"] == "status":
                        idle |= message["content"].get("execution_state") == "idle"
                    else:
                        outputs.add(message)
            if replied and time.monotonic() > replied + 1:
                break                                   # so much was printed that the end was lost
            interrupted = self.look_after(interrupted, ready)
        if interrupted:
            outputs.late(interrupted[0])
        return outputs

    def _message(self, channel):
        try:
            message = channel.get_msg(timeout=0)
        except Exception:       # forged by her code: whatever it is, it is no message
            return None
        formed = isinstance(message["parent_header"], dict) and isinstance(message["content"], dict)
        return message if formed else None

    def drain(self):
        """Throw away what her functions print while they are tested."""
        for _ in range(MOST_DRAINED):
            if not self.client.iopub_channel.msg_ready():
                break
            self._message(self.client.iopub_channel)

    def look_after(self, interrupted, busy=()):
        """Interrupt what breaks a limit, end what does not stop. Returns (reason, when) of the interrupt, or
        None.
        """
        now = time.monotonic()
        if not busy or now > self.looked + 0.2:
            self.looked = now
            if self.process.poll() is not None:
                raise Stopped("the kernel ended")
            broken = self.watch.broken()
            if broken and not interrupted:
                reason, gently, late = broken
                if not gently:
                    raise Stopped(reason, late)
                with contextlib.suppress(OSError):
                    os.kill(self.pid, signal.SIGINT)
                return reason, now
        if interrupted and now > interrupted[1] + GRACE:
            raise Stopped(interrupted[0], late=True)
        return interrupted

    def seconds(self):
        return self.tree.used().seconds if self.tree else 0.0

    def close(self):
        """End the kernel with all that it started."""
        self.manager.provisioner.end()
        self.process.wait()
        if self.client:
            self.client.stop_channels()
            self.context.destroy(linger=0)
        for one in (self.listener, self.connection):
            if one:
                one.close()
        shutil.rmtree(self.exchange, ignore_errors=True)


def lay_out(files, folder):
    """Write `files`, {name: bytes}, into a folder, readable for whoever may look into it."""
    for name, data in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        for place in (path, *path.parents[:len(Path(name).parts) - 1]):
            place.chmod(0o755)
