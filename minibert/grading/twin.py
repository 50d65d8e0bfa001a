"""One notebook executed by two processes: a kernel in a sandbox runs the student's cells, a trusted process the tests.

What the tests ask of her functions goes from one to the other as data (`bridge.py`). So nothing that her code does to
Python, NumPy or the notebook reaches the tests: it changes what she answers, and nothing else. A kernel that dies, or a
cell that does not end, costs that cell: the others are run again in a new kernel, without it.
"""
import ast
import contextlib
import copy
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import nbformat
import zmq
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning import KernelProvisionerFactory

from . import answering, bridge, sandbox
from .limits import LINUX, Policy, Tree, Watch
from .notebook import field, grade_id
from .outputs import Outputs, stopped

PROVISIONER = "minibert-sandbox"
STARTS = 60.0           # seconds on the clock within which a kernel answers
GRACE = 3.0             # seconds between an interrupt and the end
MOST_KERNELS = 6        # of one notebook
LARGEST_MESSAGE = 16 * 2 ** 20


@dataclass(frozen=True)
class Executed:
    """A notebook with its outputs, and what happened on the way.

    problems: sentences (a kernel that died, a limit that was broken, output that was cut). hints: (name of a graded
    cell, what its failure says). timed_out: True where a limit of time ended something.
    """

    notebook: nbformat.NotebookNode
    problems: tuple = ()
    cpu_seconds: float = 0.0
    timed_out: bool = False
    hints: tuple = ()


class Stopped(Exception):
    """The student's kernel is gone; the text says why. `late`: for want of time."""

    def __init__(self, reason, late=False):
        super().__init__(reason)
        self.late = late


def execute(notebook, policy=None, files=None, trusted=None):
    """Execute one notebook, which is left as it is; returns an Executed. See `Kernels.execute`."""
    with Kernels(policy, ahead=0) as kernels:
        return kernels.execute(notebook, files, trusted)


class Kernels:
    """Kernels for many notebooks, one after the other: a context manager that starts `ahead` of them in advance.

    Raises SandboxError where the policy's sandbox is not to be had here.
    """

    def __init__(self, policy=None, ahead=1):
        self.policy, self.ahead = policy or Policy(sandbox=sandbox.chosen()), ahead
        sandbox.require(self.policy.sandbox)
        self.waiting, self.judge = deque(), None

    def __enter__(self):
        self._fill()
        self.judge = Judge(self.policy)
        return self

    def __exit__(self, *error):
        while self.waiting:
            self.waiting.popleft().close()
        self.judge.close()

    def _fill(self):
        while len(self.waiting) < self.ahead:
            self.waiting.append(Student(self.policy))

    def take(self):
        """A kernel that nobody has used; another is started meanwhile."""
        student = self.waiting.popleft() if self.waiting else Student(self.policy)
        self._fill()
        return student

    def execute(self, notebook, files=None, trusted=None):
        """Execute a notebook (an nbformat node; a copy is made) and return an Executed.

        files: {name: bytes} for the working folder. trusted: names of the cells that the trusted process runs alone;
        default: the graded cells with tests. Cells that are locked and not graded run in both; all others are hers.
        """
        with Run(self, copy.deepcopy(notebook), files or {}, trusted) as run:
            return run.all()


class Run:
    """One notebook on its way through two processes."""

    def __init__(self, kernels, notebook, files, trusted):
        self.kernels, self.notebook, self.policy = kernels, notebook, kernels.policy
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        tests = {grade_id(cell) for cell in self.cells if field(cell, "grade") and not field(cell, "solution")}
        self.trusted = tests if trusted is None else set(trusted)
        self.files, self.problems, self.hints, self.skipped = files, [], [], set()
        self.late, self.started, self.spent, self.began = False, 0, 0.0, time.monotonic()

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="minibert-")
        lay_out(self.files, self.folder)
        self.student = None
        return self

    def __exit__(self, *error):
        self._close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _close(self):
        if self.student:
            self.spent += self.student.seconds() + self.child.seconds()
            self.student.close()
            self.child.close()
            self.student = None

    def all(self):
        for cell in self.cells:
            cell.outputs, cell.execution_count = [], None
        for number, cell in enumerate(self.cells):
            self._cell(number, cell)
        self._close()
        return Executed(self.notebook, tuple(self.problems), round(self.spent, 3), self.late, tuple(self.hints))

    def _cell(self, number, cell):
        """Run one cell; where the kernel ends with it, say so in the cell and go on without."""
        try:
            if self.student is None:
                self._start(number)
            self.student.watch.start_cell()
            cell.outputs = self._run(number, cell)
            cell.execution_count = number + 1
        except Stopped as end:
            self._stopped(number, cell, end)
        if grade_id(cell) in self.trusted:
            self.hints += [(grade_id(cell), output.evalue or "\n".join(output.traceback).removesuffix(": "))
                           for output in cell.outputs if output.output_type == "error"]

    def _run(self, number, cell, again=False):
        """Outputs of a cell in the processes that it belongs to."""
        if grade_id(cell) in self.trusted:
            outputs = self.child.run(cell.source, self.student)
        else:
            outputs = self.student.run(cell.source)
            if setup(cell):
                self.child.run(cell.source, self.student)
        if outputs.interrupted:
            self.skipped.add(number)
            self._note(number, outputs.interrupted, late=True)
        if outputs.cut and not again:
            self._note(number, "its output was cut", late=False)
        return outputs.list

    def _note(self, number, problem, late):
        self.late |= late
        self.problems.append(f"cell {grade_id(self.cells[number]) or number + 1}: {problem}")

    def _start(self, until):
        """A new kernel and a new child of the trusted process; the cells before `until` are run again, but for bad ones."""
        if self.started >= MOST_KERNELS:
            raise Stopped(f"the kernel ended {self.started} times before")
        self.started += 1
        student = self.kernels.take()
        try:
            student.begin(self.files, left(self.policy, self.spent, time.monotonic() - self.began))
            self.child = self.kernels.judge.child(student, self.folder, modules(self.cells))
        except BaseException:
            student.close()
            raise
        self.student = student
        for number, cell in enumerate(self.cells[:until]):
            if grade_id(cell) not in self.trusted and number not in self.skipped:
                student.watch.start_cell()
                try:
                    self._run(number, cell, again=True)
                except Stopped as end:
                    self.skipped.add(number)
                    self._close()
                    self._note(number, f"run again, {end}", end.late)
                    return self._start(until)

    def _stopped(self, number, cell, end):
        self.skipped.add(number)
        self._close()
        self._note(number, str(end), end.late)
        cell.outputs.append(stopped("OutOfTime" if end.late else "KernelEnded", str(end)))


def lay_out(files, folder):
    """Write `files`, {name: bytes}, into a folder, for everyone to read."""
    for name, data in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        for place in (path, *path.relative_to(folder).parents):
            Path(folder, place).chmod(0o755)


def setup(cell):
    """True for a cell of the instructor's that is no test: what it defines, tests use too."""
    return bool(field(cell, "locked")) and not field(cell, "grade") and not field(cell, "solution")


def left(policy, spent, passed):
    """What a further kernel of the same notebook may still use."""
    return replace(policy, cpu_seconds=max(1, int(policy.cpu_seconds - spent)),
                   wall_seconds=max(1, int(policy.wall_seconds - passed)))


def modules(cells):
    """The modules that the instructor's set-up cells import, to be loaded before the trusted process forks."""
    found = []
    for cell in filter(setup, cells):
        with contextlib.suppress(SyntaxError):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.Import):
                    found += [name.name for name in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
    return found


class Spec(KernelSpecManager):
    """Knows one kernel: ours, in the sandbox."""

    def __init__(self, policy, exchange):
        super().__init__()
        options = json.dumps({"socket": f"{exchange}/bridge", "policy": asdict(policy),
                              "folder": sandbox.folder(policy, exchange)})
        self.spec = KernelSpec(
            argv=[sys.executable, "-m", "minibert.grading.inside", options, "-f", "{connection_file}"], language="python",
            display_name="student", metadata={"kernel_provisioner": {"provisioner_name": PROVISIONER, "config": {
                "policy": asdict(policy), "exchange": str(exchange)}}})

    def get_kernel_spec(self, kernel_name):
        return self.spec


class Manager(KernelManager):
    """Talks to the kernel through its clients alone: no socket of its own that would connect again and again."""

    def _connect_control_socket(self):
        pass


class Student:
    """A student's kernel: started, connected, watched, ended."""

    def __init__(self, policy):
        self.policy, self.connection, self.client, self.tree = policy, None, None, None
        self.exchange = Path(tempfile.mkdtemp(prefix="minibert-"))
        self.exchange.chmod(0o755)
        for name in ("given", "work"):
            Path(self.exchange, name).mkdir()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.exchange / "bridge"))
        os.chmod(self.exchange / "bridge", 0o666)
        self.listener.listen(1)
        known = KernelProvisionerFactory.instance().provisioners
        known.setdefault(PROVISIONER, sandbox.entry_point(PROVISIONER))     # an environment older than this file
        self.manager = Manager(kernel_name="student", kernel_spec_manager=Spec(policy, self.exchange))
        self.manager.start_kernel()
        self.process = self.manager.provisioner.process

    def begin(self, files, policy):
        """Wait until the kernel answers, give it `files`, and watch it from now on. Raises SandboxError."""
        self.connection = self._accept()
        peer = self.connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12) if LINUX else b""
        self.pid = int.from_bytes(peer[:4], sys.byteorder)
        self.tree = Tree(self.process.pid)
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
        """Connect to the kernel's channels once and for all, and take no message that is too large for an honest one."""
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
            ready = zmq.select([self.client.shell_channel.socket, self.client.iopub_channel.socket], [], [], 0.1)[0]
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
            return channel.get_msg(timeout=0)
        except Exception:       # forged by her code: whatever it is, it is no message
            return None

    def drain(self):
        """Throw away what her functions print while they are tested."""
        while self.client.iopub_channel.msg_ready() and self._message(self.client.iopub_channel):
            pass

    def look_after(self, interrupted, busy=()):
        """Interrupt what breaks a limit, end what does not stop. Returns (reason, when) of the interrupt, or None."""
        now = time.monotonic()
        if not busy or now > self.looked + 0.2:
            self.looked = now
            if self.process.poll() is not None:
                raise Stopped("the kernel ended")
            broken = self.watch.broken()
            if broken and not interrupted:
                reason, gently = broken
                if not gently:
                    raise Stopped(reason, late="MB" not in reason and "processes" not in reason)
                with contextlib.suppress(OSError):
                    os.kill(self.pid, signal.SIGINT)
                return reason, now
        if interrupted and now > interrupted[1] + GRACE:
            raise Stopped(interrupted[0], late=True)
        return interrupted

    looked = 0.0

    def seconds(self):
        return self.tree.used().seconds if self.tree else 0.0

    def close(self):
        """End the kernel with all that it started."""
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.client:
            self.client.stop_channels()
            self.context.destroy(linger=0)
        for one in (self.listener, self.connection):
            if one:
                one.close()
        shutil.rmtree(self.exchange, ignore_errors=True)


class Judge:
    """The trusted process: started once, forks a child for each notebook."""

    def __init__(self, policy):
        self.policy = policy
        self.control, theirs = socket.socketpair()
        environment = {**os.environ, **sandbox.threads(policy), "PYTHONPATH": sandbox.environment(policy)["PYTHONPATH"]}
        self.process = subprocess.Popen([sys.executable, "-m", "minibert.grading.trusted", str(theirs.fileno())],
                                        pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environment, cwd="/")
        theirs.close()

    def child(self, student, folder, modules):
        """A new child that is connected to a student's kernel and works in `folder`."""
        ours, theirs = socket.socketpair()
        order = {"folder": str(folder), "modules": modules, "policy": asdict(self.policy)}
        socket.send_fds(self.control, [json.dumps(order).encode()], [theirs.fileno(), student.connection.fileno()])
        theirs.close()
        pid = self.control.recv(64)
        if not pid:
            raise RuntimeError("the trusted process ended; its reason stands above")
        return Child(ours, int(pid))

    def close(self):
        self.control.close()
        self.process.wait()


class Child:
    """One notebook's child of the trusted process."""

    def __init__(self, jobs, pid):
        self.jobs, self.pid, self.tree = jobs, pid, Tree(pid)

    def run(self, source, student):
        """Outputs of an instructor's cell. Raises Stopped where the student's kernel ends meanwhile."""
        began, interrupted = self.seconds(), None
        bridge.send(self.jobs, source)
        while not zmq.select([self.jobs], [], [], 0.1)[0]:
            interrupted = student.look_after(interrupted)
            if self.seconds() - began > student.policy.cell_seconds:
                self.close()
                raise Stopped("the test of it did not end", late=True)
            student.drain()
        student.drain()
        try:
            result = json.loads(bridge.receive(self.jobs))
        except (bridge.Gone, bridge.BridgeError):
            raise Stopped("the test of it took more memory than there is") from None
        if result["error"] and result["error"][0] == answering.AnswerGone.__name__ or student.process.poll() is not None:
            raise Stopped("the kernel ended")
        outputs = Outputs(student.policy.output_bytes)
        outputs.list = [nbformat.from_dict(output) for output in result["outputs"]]
        if interrupted:
            outputs.late(interrupted[0])
        return outputs

    def seconds(self):
        return self.tree.used().seconds

    def close(self):
        self.jobs.close()
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
