"""A Jupyter kernel provisioner: the kernel of any kernelspec, started in the sandbox that a policy names."""
import contextlib
import json
import os
import signal
import subprocess
from importlib.metadata import EntryPoint
from pathlib import Path

from jupyter_client.launcher import launch_kernel
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner
from traitlets import Dict, Unicode

from . import seccomp as calls
from .containment import (
    CONTAINERS,
    SOCKETS,
    USERS,
    SandboxError,
    bubblewrap,
    chosen,
    container,
    environment,
    require,
    root,
)
from .limits import Policy


class Sandbox(LocalProvisioner):
    """A Jupyter kernel provisioner: the kernel of a kernelspec, in the sandbox that `policy` names.

    policy: the fields of `limits.Policy`, all of them optional. exchange: a folder that the kernel may read;
    the connection file lies in it. `first` is the number of the sandbox's first process, once launched.
    """

    policy = Dict().tag(config=True)
    exchange = Unicode().tag(config=True)
    first = None

    async def pre_launch(self, **kwargs):
        self.limits = Policy(**{"sandbox": chosen(), **self.policy})
        require(self.limits.sandbox)
        manager = self.parent
        manager.transport, manager.connection_file = "ipc", os.path.join(self.exchange, "kernel.json")
        inside = SOCKETS if self.limits.sandbox == "bwrap" else self.exchange
        manager.ip = f"{inside}/k"
        kwargs = await super().pre_launch(**kwargs)
        kwargs.update(cwd="/", start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL, env={**environment(self.limits),
                      "HOME": self.exchange})
        command, way = kwargs["cmd"], self.limits.sandbox
        if way == "bwrap":
            user = next(users) if root() else os.getuid()
            for path in (self.exchange, *Path(self.exchange).iterdir()):
                os.chown(path, user, -1)  # nobody else on this machine may read the key or talk to the kernel
            kwargs["info"], write = os.pipe()
            rules = filter_file()
            kwargs.update(cmd=bubblewrap(command, self.exchange, self.limits, user, write, rules), env={},
                          pass_fds=(write,) if rules is None else (write, rules))
        elif way in CONTAINERS:
            kwargs.update(cmd=container(way, command, self.exchange, self.limits), env=dict(os.environ))
        return kwargs

    async def launch_kernel(self, cmd, **kwargs):
        info = kwargs.pop("info", None)
        self.process = launch_kernel(cmd, **self._scrub_kwargs(kwargs))
        self.pid = self.pgid = self.process.pid
        if info is not None:
            for number in kwargs["pass_fds"]:
                os.close(number)
            with open(info) as file:
                told = file.read()
            if not told:
                raise SandboxError(
                    "bubblewrap did not start; run the command again to see whether it does now")
            self.first = json.loads(told)["child-pid"]
        return self.connection_info

    async def kill(self, restart=False):
        self.end()

    def end(self):
        """End the kernel with all that it started, at once."""
        # its program only talks to a service, which holds the processes
        if self.limits.sandbox in CONTAINERS:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run([self.limits.sandbox, "kill", Path(self.exchange).name], capture_output=True,
                               timeout=60)
        if self.process:
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def place(self):
        """Where this process finds the kernel's sockets (`ip` of a client): inside bubblewrap, through its
        own root.
        """
        return f"/proc/{self.first}/root{SOCKETS}/k" if self.first else f"{self.exchange}/k"


def filter_file():
    """A file descriptor from which bubblewrap can read the filter of system calls; None where there is
    none.
    """
    rules = calls.seccomp()
    if rules is None:
        return None
    read, write = os.pipe()
    os.write(write, rules)          # a few hundred bytes: they fit into the pipe
    os.close(write)
    return read


def counted(first):
    """Numbers of users, another for each sandbox: limits of processes count by user."""
    while True:
        yield USERS[first % len(USERS)]
        first += 1


users = counted(os.getpid() * 97)


def entry_point(name):
    """What `pyproject.toml` says of the provisioner."""
    return EntryPoint(name, f"{__name__}:{Sandbox.__name__}", KernelProvisionerFactory.GROUP_NAME)
