"""The trusted side: a process that runs the instructor's cells, and tests that see the student's names as
stand-ins.

    python -m minibert.grading.run.trusted_main SOCKET_NUMBER

Started once; for each notebook it forks, so that NumPy, the checks and what the assignment imports are loaded
already. It is a plain process with IPython's shell, no kernel: nothing but the grader talks to it.
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

import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from minibert.checks.engine.exercise import UNTOUCHED  # with all that it imports, before forking

from ..sandbox import limits
from ..wire import protocol as bridge
from ..wire import stand_ins as answering

HIDDEN = "### BEGIN HIDDEN TESTS"


class Cells:
    """Runs cells in one namespace, in which names that only the student has stand for hers."""

    def __init__(self, shell, session):
        self.shell, self.session = shell, session

    def run(self, source):
        """{outputs: as a notebook keeps them, gone: whether the student's process ended meanwhile} of one
        cell.
        """
        self._bind(source)
        values = []
        self.shell.display_trap.hook = values.append
        with warnings.catch_warnings(), capture_output() as captured:
            warnings.simplefilter("ignore")
            result = self.shell.run_cell(source, store_history=False)
        outputs = stream(captured.stdout) + stream(captured.stderr)      # as stdout: a warning is no failure
        outputs += [{"output_type": "display_data", "data": shown.data, "metadata": shown.metadata or {}}
                    for shown in captured.outputs]
        for value in values[-1:]:
            data, metadata = self.shell.display_formatter.format(value) if value is not None else ({}, {})
            if data:
                outputs.append({"output_type": "execute_result", "data": data, "metadata": metadata,
                                "execution_count": None})
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            outputs.append(failure(error, source))
        self._leave(source)
        return {"outputs": outputs, "gone": self.session.gone}

    def _bind(self, source):
        """Give the cell stand-ins of those names it uses that no cell of the instructor's defines."""
        names = self.shell.user_ns
        for name in self.session.bound:
            names.pop(name, None)           # she may have defined it anew since
        try:
            tree = ast.parse(self.shell.transform_cell(source))
        except SyntaxError:
            return
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        self.session.bound = set()  # but what the cell makes itself under such a name stays: it is the test's
        for name in sorted(used - set(names) - set(dir(builtins))):
            try:
                there, thing = self.session.find(name)
            except Exception:               # the cell fails at this name, and says so
                continue
            if there:
                names[name] = thing
                if name not in made(tree):
                    self.session.bound.add(name)


    def _leave(self, source):
        """Forget the functions of this cell that call the student's: they are hers to run, and stand-ins for
        them will do.
        """
        with contextlib.suppress(SyntaxError):
            for node in ast.parse(self.shell.transform_cell(source)).body:
                if isinstance(node, ast.FunctionDef):
                    known = (set(self.shell.user_ns) - self.session.bound) | set(dir(builtins)) | made(node)
                    known |= {argument.arg for argument in ast.walk(node) if isinstance(argument, ast.arg)}
                    if {name.id for name in ast.walk(node) if isinstance(name, ast.Name)} - known:
                        self.shell.user_ns.pop(node.name, None)


def made(tree):
    """The names that a cell assigns, defines or imports itself."""
    nodes = [*ast.walk(tree)]
    names = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    names |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    imports = [alias for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))
               for alias in node.names]
    return names | {(alias.asname or alias.name).partition(".")[0] for alias in imports}


def stream(text):
    return [{"output_type": "stream", "name": "stdout", "text": text}] if text else []


def said(error):
    return str(error)[:4000]


def failure(error, source):
    """The output of a failed cell: what the error says, her own lines on the way there, none of ours that are
    hidden.
    """
    name, lines = type(error).__name__, list(getattr(error, "lines", ()))
    if HIDDEN in source and hasattr(error, "raised_in"):  # hers: whatever she says there could tell the input
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
    text = said(error) if name == "CheckFailed" else f"{name}: {said(error)}"
    return {"output_type": "error", "ename": name, "evalue": said(error), "traceback": [*lines, text]}


def new_shell():
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    shell = InteractiveShell.instance(config=config)
    shell.kernel = "none, but what is shown is kept as in a notebook"
    shell.showtraceback = shell.showsyntaxerror = lambda *args, **kwargs: None
    return shell


def serve(jobs, connection, shell, order):
    """One notebook: run the cells that the grader sends, until it hangs up."""
    session = answering.Session(connection)
    session.bound = set()
    os.chdir(order["folder"])
    limits.hold(limits.Policy(**order["policy"]), alone=False)
    random.seed(order["policy"]["seed"])
    np.random.seed(order["policy"]["seed"])
    cells = Cells(shell, session)
    while True:
        try:
            text = json.dumps(cells.run(bridge.receive(jobs)), default=str)
            bridge.send(jobs, text)
        except bridge.BridgeError as error:         # an output that is too large
            bridge.send(jobs, json.dumps({"outputs": [failure(error, "")], "gone": session.gone}))
        except bridge.Gone:
            os._exit(0)


def main():
    """Fork once for each order that comes, with the sockets that come with it."""
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)           # nobody waits for them
    signal.signal(signal.SIGINT, signal.SIG_IGN)            # Ctrl-C is the grader's, which then hangs up
    sys.stdin = io.StringIO()
    del sys.path[0]
    UNTOUCHED.needed = False                                # no code of a student's runs here
    shell = new_shell()
    while True:
        text, sockets, *_ = socket.recv_fds(control, 65536, 2)
        if not text:
            return
        order = json.loads(text)
        for module in order["modules"]:
            try:
                importlib.import_module(module)
            except Exception:                               # the cell that imports it says why
                continue
        child = os.fork()
        if not child:
            control.close()
            serve(socket.socket(fileno=sockets[0]), socket.socket(fileno=sockets[1]), shell, order)
        for number in sockets:
            os.close(number)
        control.send(str(child).encode())


if __name__ == "__main__":
    main()
