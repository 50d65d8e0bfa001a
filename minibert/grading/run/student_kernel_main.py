"""Run the student's Jupyter kernel, which also answers the tests' requests about student functions.

    python -m minibert.grading.run.student_kernel_main OPTIONS -f CONNECTION_FILE

OPTIONS is a JSON object with `socket` (on which the grader listens), `folder` (to work in) and `policy`.
"""

import json
import os
import socket
import sys
from typing import Any

from ..sandbox import limits, other_user
from ..wire.student_server import Server

MOST_PRINTED = 2  # as a multiple of a cell's output limit; the excess tells the grader to cut


def connect(path: str) -> socket.socket:
    """Return a socket that is connected to the grader's socket at `path`."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    return connection


def main() -> None:
    """Run the kernel, with the server in its event loop, until the kernel shuts down."""
    options = json.loads(sys.argv.pop(1))
    del sys.path[0]  # the folder of `-m`; the submission's files are searched last
    policy = limits.Policy(**options["policy"])
    connection = connect(options["socket"])
    os.chdir(options["folder"])
    sys.path.append(options["folder"])
    if policy.sandbox == "limits":
        other_user.change_user(os.path.dirname(options["socket"]))
    if policy.sandbox != "none":
        limits.set_limits(policy, alone=policy.sandbox == "bwrap")
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # the debugger loads slowly and is not needed
    import pdb

    sys.breakpointhook = pdb.set_trace = lambda *_, **__: None  # nobody is there to debug
    from ipykernel.kernelapp import IPKernelApp
    from tornado.ioloop import IOLoop

    from .bounded_output import BoundedStream

    BoundedStream.most = MOST_PRINTED * policy.output_bytes
    app: Any = IPKernelApp.instance(outstream_class=f"{BoundedStream.__module__}.{BoundedStream.__name__}")
    app.initialize(
        [
            *sys.argv[1:],
            "--InteractiveShellApp.ignore_cwd=True",
            "--HistoryManager.enabled=False",
            "--IPKernelApp.log_level=ERROR",
        ]
    )
    server = Server(connection, app.shell.user_ns)
    IOLoop.current().add_handler(connection.fileno(), server.answer, IOLoop.READ)
    app.start()


if __name__ == "__main__":
    main()
