"""Start a Jupyter kernel in the sandbox named in a policy."""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import traitlets
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.launcher import launch_kernel
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

from . import seccomp
from .availability import CONTAINERS, SandboxError, chosen_sandbox, require_sandbox
from .command_lines import SOCKETS, bubblewrap, container, environment
from .limits import Policy
from .other_user import USERS, is_root


class Sandbox(LocalProvisioner):
    """A kernel provisioner that starts kernels in the sandbox named in `policy`.

    policy: fields of `limits.Policy`, all optional. exchange: a folder that the kernel may read, which
    contains the connection file. After the launch, `first` is the id of the sandbox's first process.
    """

    policy: traitlets.Dict = traitlets.Dict().tag(config=True)
    exchange = traitlets.Unicode().tag(config=True)
    first: int | None = None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Replace the kernel's command with one that runs it in the sandbox.

        Raises SandboxError if this machine cannot provide the sandbox.
        """
        self.limits = Policy(**{"sandbox": chosen_sandbox(), **self.policy})
        require_sandbox(self.limits.sandbox)
        manager: Any = self.parent
        manager.transport, manager.connection_file = "ipc", os.path.join(self.exchange, "kernel.json")
        inside = SOCKETS if self.limits.sandbox == "bwrap" else self.exchange
        manager.ip = f"{inside}/k"
        kwargs = await super().pre_launch(**kwargs)
        kwargs.update(
            cwd="/",
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**environment(self.limits, self.exchange), "HOME": self.exchange},
        )
        command, sandbox = kwargs["cmd"], self.limits.sandbox
        if sandbox == "bwrap":
            user = next(users) if is_root() else os.getuid()
            folder = Path(self.exchange)
            for path in (folder, *folder.iterdir()):
                os.chown(path, user, -1)  # no other user may read the key or talk to the kernel
            kwargs["info"], write = os.pipe()
            rules = filter_file()
            kwargs.update(
                cmd=bubblewrap(command, self.exchange, self.limits, user, write, rules),
                env={},
                pass_fds=(write,) if rules is None else (write, rules),
            )
        elif sandbox in CONTAINERS:
            kwargs.update(cmd=container(sandbox, command, self.exchange, self.limits), env=dict(os.environ))
        return kwargs

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start the kernel, and read the id of the sandbox's first process from bubblewrap.

        Raises SandboxError if bubblewrap does not start.
        """
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
                    "bubblewrap did not start; run the command again to see whether it starts now"
                )
            self.first = json.loads(told)["child-pid"]
        return self.connection_info

    async def kill(self, restart: bool = False) -> None:
        """Kill the kernel at the request of jupyter_client."""
        self.end()

    def end(self) -> None:
        """Kill the kernel and all processes that it started."""
        if self.limits.sandbox in CONTAINERS:  # with a service, our process is only a client
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(
                    [self.limits.sandbox, "kill", Path(self.exchange).name], capture_output=True, timeout=60
                )
        if self.process:
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def socket_path(self) -> str:
        """Return the path of the kernel's sockets as seen from this process, for a client's `ip`.

        With bubblewrap, it is below the sandbox's root folder.
        """
        return f"/proc/{self.first}/root{SOCKETS}/k" if self.first else f"{self.exchange}/k"


def filter_file() -> int | None:
    """Return a file descriptor from which bubblewrap can read the system call filter, or None without one."""
    rules = seccomp.filter_program()
    if rules is None:
        return None
    read, write = os.pipe()
    os.write(write, rules)  # a few hundred bytes, which fit into the pipe's buffer
    os.close(write)
    return read


def user_numbers(first: int) -> Iterator[int]:
    """Yield user ids in turn, so that each sandbox gets its own, because process limits apply per user."""
    while True:
        yield USERS[first % len(USERS)]
        first += 1


users = user_numbers(os.getpid() * 97)


def entry_point(name: str) -> EntryPoint:
    """Return the entry point under which `pyproject.toml` registers the provisioner."""
    return EntryPoint(name, f"{__name__}:{Sandbox.__name__}", KernelProvisionerFactory.GROUP_NAME)
