"""Run the instructor's cells and the tests in a trusted process, with proxies for student objects.

python -m minibert.grading.run.trusted_process_main SOCKET_NUMBER

The process starts once and forks for each notebook, so NumPy, the checks and the assignment's imports are
already loaded, and the unusual inputs that a check tries are computed only once for a class. It has IPython's
shell but is not a kernel: only the grader talks to it.
"""

import ast
import builtins
import contextlib
import importlib
import io
import json
import os
import random
import signal
import socket
import sys
import warnings
from typing import Any

import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from minibert.course.checks import climb, hidden_seeds
from minibert.course.checks.exercise import UNTOUCHED  # loads everything that it imports before forking

from ..sandbox import limits
from ..wire import protocol
from ..wire.proxies import Session
from .cell_names import HIDDEN, assigned_names, parsed, used_names
from .kernel_outputs import of_test

MOST_PRINTED = 200_000  # characters of a test's printed output


class Cells:
    """Runs the instructor's cells in one namespace, with proxies for the student's names."""

    def __init__(self, shell: InteractiveShell, session: Session) -> None:
        self.shell, self.session = shell, session
        self.kept: dict[int, dict[str, Any]] = {}  # cell number -> its saved names and their values

    def do(self, job: dict[str, Any]) -> dict[str, Any]:
        """Carry out a job from the grader: save a cell's names (see `bind`) or run the cell."""
        self.session.secret = HIDDEN in job["source"]
        act = self.bind if job["do"] == "bind" else self.run
        return act(job["source"], job["cell"])

    def bind(self, source: str, number: int) -> dict[str, Any]:
        """Save the current values of the names that a cell uses, because it will run later."""
        names, bound = dict(self.shell.user_ns), self.session.bound
        self._bind(source)
        self.kept[number] = dict(self.shell.user_ns)
        self.shell.user_ns.clear()
        self.shell.user_ns.update(names)
        self.session.bound = bound
        return {"kernel_ended": self.session.ended}

    def run(self, source: str, number: int | None = None) -> dict[str, Any]:
        """Run one cell. Return its `outputs` and whether the student's process has ended (`kernel_ended`)."""
        if number in self.kept:
            self.shell.user_ns.update(self.kept[number])
        else:
            self._bind(source)
        values: list = []
        self.shell.display_trap.hook = values.append
        with warnings.catch_warnings(), capture_output() as captured:
            warnings.simplefilter("ignore")
            result = self.shell.run_cell(source, store_history=False)
        # stderr counts as stdout, because a warning is not a failure
        outputs = stream(captured.stdout[:MOST_PRINTED]) + stream(captured.stderr[:MOST_PRINTED])
        outputs += [
            {"output_type": "display_data", "data": shown.data, "metadata": shown.metadata or {}}
            for shown in captured.outputs
        ]
        for value in values[-1:]:
            formatter: Any = self.shell.display_formatter
            data, metadata = formatter.format(value) if value is not None else ({}, {})
            if data:
                outputs.append(
                    {
                        "output_type": "execute_result",
                        "data": data,
                        "metadata": metadata,
                        "execution_count": None,
                    }
                )
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            outputs.append(failure(error, source))
        self._forget_callers(source)
        return {"outputs": of_test(outputs), "kernel_ended": self.session.ended}

    def _bind(self, source):
        """Define proxies for those names in a cell that no instructor cell defines."""
        names = self.shell.user_ns
        for name in self.session.bound:
            names.pop(name, None)  # the student may have redefined it since
        tree = parsed(source)
        self.session.bound = set()  # a name that the cell itself assigns belongs to the test
        for name in sorted(used_names(tree) - set(names)):
            try:
                there, thing = self.session.find(name)
            except Exception:  # the cell itself will fail at this name
                continue
            if there:
                names[name] = thing
                if name not in assigned_names(tree):
                    self.session.bound.add(name)

    def _forget_callers(self, source):
        """Delete this cell's functions that call student functions; later cells use proxies for them."""
        for node in parsed(source).body:
            if isinstance(node, ast.FunctionDef):
                known = (set(self.shell.user_ns) - self.session.bound) | assigned_names(node)
                known |= {argument.arg for argument in ast.walk(node) if isinstance(argument, ast.arg)}
                if used_names(node) - known:
                    self.shell.user_ns.pop(node.name, None)


def stream(text: str) -> list[dict[str, Any]]:
    """Return a list with the stream output for printed `text`, or an empty list if `text` is empty."""
    return [{"output_type": "stream", "name": "stdout", "text": text}] if text else []


def error_text(error: BaseException) -> str:
    """Return the text of an error, cut to a maximum length."""
    return str(error)[:4000]


def failure(error: BaseException, source: str) -> dict[str, Any]:
    """Return a failed cell's error output: the text and the student's lines, but no lines of hidden tests."""
    name, lines = type(error).__name__, list(getattr(error, "lines", ()))
    if HIDDEN in source and hasattr(error, "raised_in"):  # student code: the text could reveal the input
        name = name if isinstance(getattr(builtins, name, None), type) else "Error"
        return {"output_type": "error", "ename": name, "evalue": "", "traceback": [name]}
    trace = error.__traceback__
    if HIDDEN not in source and not lines and not isinstance(error, SyntaxError):
        while trace and trace.tb_frame.f_code.co_name != "<module>":
            trace = trace.tb_next
        place = trace.tb_lineno - 1 if trace else -1
        rows = source.splitlines()
        if name == "AssertionError" and not str(error) and 0 <= place < len(rows):
            lines = [rows[place]]
    text = error_text(error) if name == "CheckFailed" else f"{name}: {error_text(error)}"
    return {"output_type": "error", "ename": name, "evalue": error_text(error), "traceback": [*lines, text]}


def new_shell() -> InteractiveShell:
    """Return an IPython shell that does not print errors, because `Cells` reports them."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    shell: Any = InteractiveShell.instance(config=config)  # Any, because its methods are replaced below
    shell.kernel = "not a kernel, but this makes IPython show values as in a notebook"
    shell.showtraceback = shell.showsyntaxerror = lambda *args, **kwargs: None
    return shell


def report_inputs(pipe: int) -> None:
    """Write to `pipe` for which checks and seeds this process has computed the inputs, a line for each."""
    with contextlib.suppress(BlockingIOError):  # the pipe is full
        for check, seed in climb.COMPUTED:
            os.write(pipe, f"{id(check)} {seed}\n".encode())  # short, so whole or not at all
    climb.COMPUTED.clear()


def inherit_inputs(pipe: int) -> None:
    """Compute the inputs that earlier children have reported, so that the next ones find them cached."""
    checks = {id(check): check for check in UNTOUCHED.exercises}  # a child has the same ids
    with contextlib.suppress(BlockingIOError):  # the pipe is empty
        for line in os.read(pipe, 65536).decode().splitlines():
            number, seed = map(int, line.split())
            if number in checks:
                climb.beyond(checks[number], seed)
    climb.COMPUTED.clear()


def serve(
    jobs: socket.socket,
    connection: socket.socket,
    shell: InteractiveShell,
    order: dict[str, Any],
    computed: int,
) -> None:
    """Run one notebook's cells, sent by the grader over `jobs`, until the grader disconnects.

    connection: the socket to the student's process. order: a dict with the folder to work in and the Policy.
    computed: the pipe for `report_inputs`.
    """
    session = Session(connection)
    os.chdir(order["folder"])
    limits.set_limits(limits.Policy(**order["policy"]), alone=False)
    hidden_seeds.of_this_run = order["policy"]["hidden_seed"]
    random.seed(order["policy"]["seed"])
    np.random.seed(order["policy"]["seed"])
    cells = Cells(shell, session)
    while True:
        try:
            text = json.dumps(cells.do(protocol.receive(jobs)), default=str)
            protocol.send(jobs, text)
            report_inputs(computed)
        except protocol.WireError as error:  # the output is too large
            protocol.send(jobs, json.dumps({"outputs": [failure(error, "")], "kernel_ended": session.ended}))
        except protocol.Disconnected:
            os._exit(0)


def main() -> None:
    """Fork a child process for each notebook that the grader announces over the socket."""
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children to end
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the grader, which then disconnects
    sys.stdin = io.StringIO()
    del sys.path[0]
    UNTOUCHED.needed = False  # no student code runs here
    shell = new_shell()
    reported, computed = os.pipe()
    os.set_blocking(reported, False)
    os.set_blocking(computed, False)
    while True:
        text, sockets, *_ = socket.recv_fds(control, 65536, 2)
        if not text:
            return
        order = json.loads(text)
        for module in order["modules"]:
            try:
                importlib.import_module(module)
            except Exception:  # the cell that imports it will report the error
                continue
        inherit_inputs(reported)
        child = os.fork()
        if not child:
            control.close()
            os.close(reported)
            jobs, connection = (socket.socket(fileno=number) for number in sockets)
            serve(jobs, connection, shell, order, computed)
        for number in sockets:
            os.close(number)
        control.send(str(child).encode())


if __name__ == "__main__":
    main()
