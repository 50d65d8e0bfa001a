"""Where a submission's kernel runs: inside bubblewrap, in a container, under limits alone, or as it is.

Inside bubblewrap there is a system that cannot be written to, one small folder in memory, no network, no
other process, no notebook, no gradebook, and nothing of the course but its package. `provisioner.py` starts
the kernels.
"""
import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import minibert

from .limits import MB

ENVIRONMENT = "MINIBERT_SANDBOX"
CONTAINERS = ("docker", "podman")
WORK, SOCKETS = "/assignment", "/run/kernel"        # inside: where cells run, where the kernel listens
USERS = range(20_000, 60_000)                       # what root turns into: numbers that few people have
PLAIN_ETC = ("ld.so.cache", "localtime", "fonts", "ssl/certs")


class SandboxError(RuntimeError):
    """The sandbox that was asked for is not to be had here; the message says what to do."""


@functools.cache
def missing(way="bwrap"):
    """Why this way of running submissions is not to be had here, and what to do; an empty string where it
    is.
    """
    choices = (f"Or choose another way, with --sandbox or the environment variable {ENVIRONMENT}: docker or "
               f"podman where "
               "one is installed; limits (submissions run as you do, under limits of time and memory); none "
               "(as you do). "
               "The last two are for answers that you trust.")
    if way in CONTAINERS:
        return "" if shutil.which(way) else f"{way} is not installed. Install it. {choices}"
    if way in ("limits", "none"):
        return "" if hasattr(
            os, "fork") else "Grading needs Linux or macOS; on Windows, use WSL 2 or a container."
    if not shutil.which("bwrap"):
        return ("Submissions run in a sandbox, and bubblewrap is not installed. Install it: `apt install "
                "bubblewrap`, `dnf "
                f"install bubblewrap`; it exists for Linux only. {choices}")
    try:
        tried = subprocess.run([*isolated(), "--ro-bind", "/", "/", "--proc", "/proc", *become(USERS[0]),
                                "true"],
                               capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"Submissions run in a sandbox, and bubblewrap does not start: {error}. {choices}"
    if tried.returncode == 0:
        return ""
    return (f"Submissions run in a sandbox, and bubblewrap may not make one here ({tried.stderr.strip()}). "
            f"Allow user "
            "namespaces (`sysctl kernel.unprivileged_userns_clone=1`, on Ubuntu 24.04 also `sysctl "
            "kernel.apparmor_restrict_unprivileged_userns=0`; in Docker, `--security-opt seccomp=unconfined "
            f"--security-opt systempaths=unconfined`). {choices}")


def chosen(default="bwrap"):
    """The way that the environment variable names, or `default`."""
    return os.environ.get(ENVIRONMENT) or default


def require(way):
    """Raises SandboxError where this way is not to be had."""
    reason = missing(way)
    if reason:
        raise SandboxError(reason)


def root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


def isolated():
    """bwrap with namespaces of its own. As root, no user namespace: the submission becomes another user
    instead.
    """
    command = [shutil.which("bwrap"), "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
               "--die-with-parent",
               "--new-session", "--unshare-cgroup-try", "--hostname", "sandbox", "--cap-drop", "ALL"]
    if not root():
        return [*command, "--unshare-user"]
    return [*command, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]


def bubblewrap(command, exchange, policy, user, info=None, filter=None):
    """The command line that runs `command` inside bubblewrap.

    exchange: a folder that is shown, to read. user: what root turns into. info: a file descriptor to which
    bubblewrap writes the number of its first process. filter: one from which it reads `calls.seccomp()`.
    """
    size, line = str(policy.scratch_mb * MB), [*isolated(), "--clearenv"]
    line += ["--info-fd", str(info)] if info is not None else []
    line += ["--seccomp", str(filter)] if filter is not None else []
    line += ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib64"):
        place = Path("/", name)
        if place.is_symlink():
            line += ["--symlink", os.readlink(place), str(place)]
        elif place.exists():
            line += ["--ro-bind", str(place), str(place)]
    for name in PLAIN_ETC:
        line += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    line += ["--proc", "/proc", "--dev", "/dev"]
    for place in ("/dev/shm", "/tmp", "/home", SOCKETS, WORK):
        line += ["--perms", "1777", "--size", size, "--tmpfs", place]
    for place in shown():
        line += [*parents(place), "--ro-bind", str(place), str(place)]
    line += [*parents(Path(exchange)), "--ro-bind", str(exchange), str(
        exchange), "--remount-ro", "/dev", "--remount-ro", "/"]
    for name, value in environment(policy).items():
        line += ["--setenv", name, value]
    return [*line, "--chdir", "/", "--", *become(user), *command]


def parents(place):
    """bwrap makes missing parents for its own user alone; another user must be able to pass through them."""
    made = [parent for parent in reversed(place.parents)
            if parent not in (Path("/"), Path("/tmp"), Path("/home"))]
    return [word for parent in made if not str(parent).startswith("/usr")
            for word in ("--perms", "0755", "--dir", str(parent))]


def become(user):
    """Turn from root into `user` for good: no groups, no capabilities, none to be had. Others stay who they
    are.
    """
    if not root():
        return []
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs",
            "--inh-caps=-all",
            "--bounding-set=-all"]


def shown():
    """What a kernel needs to see: this environment, the Python below it, and the course's package (never its
    notebooks).
    """
    package = Path(minibert.__file__).resolve().parent
    places = {Path(sys.prefix), Path(sys.base_prefix), Path(os.path.realpath(sys.executable)).parent.parent,
              package}
    return sorted(place for place in places
                  if not any(other in place.parents for other in places | {Path("/usr")})
                  and place != Path("/usr"))


def environment(policy):
    """The environment variables of a kernel: nothing of the grader's own."""
    names = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TZ") if name in os.environ}
    return {**names, "PATH": f"{sys.prefix}/bin:/usr/bin:/bin", "HOME": "/home",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(Path(minibert.__file__).resolve().parent.parent),
            "PYTHONHASHSEED": str(policy.seed),
            "PYDEVD_DISABLE_FILE_VALIDATION": "1", **threads(policy)}


def threads(policy):
    return {f"{name}_NUM_THREADS": str(policy.threads) for name in ("OMP", "MKL", "OPENBLAS")}


def folder(policy, exchange):
    """Where the cells work: a folder of its own in memory, or one on disk where there is no sandbox."""
    return WORK if policy.sandbox not in ("limits", "none") else str(Path(exchange, "work"))


def container(program, command, exchange, policy):
    """The command line of docker or podman: `policy.image` has the course installed; `exchange` is shared."""
    tmpfs = f"size={policy.scratch_mb}m,mode=1777"
    line = [program, "run", "--rm", "--init", "--name", Path(exchange).name, "--network", "none",
            "--read-only",
            "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", str(policy.processes),
            "--memory", f"{policy.memory_mb}m", "--memory-swap", f"{policy.memory_mb}m", "--cpus",
            str(policy.threads),
            "--user", f"{os.getuid()}:{os.getgid()}", "--workdir", "/",
            "--tmpfs", f"/tmp:{tmpfs}", "--tmpfs", f"{WORK}:{tmpfs}", "--tmpfs", f"/home:{tmpfs}",
            "--volume", f"{exchange}:{exchange}"]
    named = {name: value for name, value in environment(policy).items() if name not in ("PATH", "PYTHONPATH")}
    for name, value in named.items():
        line += ["--env", f"{name}={value}"]
    return [*line, policy.image, "python", *command[1:]]
