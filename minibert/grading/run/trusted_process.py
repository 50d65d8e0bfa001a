"""The trusted process as the grader holds it: started once, with a child for each notebook that runs its
tests.
"""
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import asdict

import nbformat
import zmq

from ..sandbox import containment as sandbox
from ..sandbox.limits import Tree
from ..wire import protocol as bridge
from .outputs import Outputs
from .student_kernel import Stopped


class Judge:
    """The trusted process: started once, forks a child for each notebook."""

    def __init__(self, policy):
        self.policy = policy
        self.control, theirs = socket.socketpair()
        environment = {**os.environ, **sandbox.threads(policy),
                       "PYTHONPATH": sandbox.environment(policy)["PYTHONPATH"]}
        self.process = subprocess.Popen([sys.executable, "-m", "minibert.grading.run.trusted_main",
                                         str(theirs.fileno())],
                                        pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environment,
                                        cwd="/")
        theirs.close()

    def child(self, student, folder, modules):
        """A new child that is connected to a student's kernel and works in `folder`."""
        ours, theirs = socket.socketpair()
        order = {"folder": str(folder), "modules": modules, "policy": asdict(self.policy)}
        socket.send_fds(self.control, [json.dumps(order).encode()], [theirs.fileno(),
                                                                     student.connection.fileno()])
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
        # gone: a check may have taken its end for an error
        if result["gone"] or student.process.poll() is not None:
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
