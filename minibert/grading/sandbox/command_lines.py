"""Build the command lines that run a submission's kernel in bubblewrap, docker or podman.

Inside bubblewrap, the kernel sees a read-only system and one small folder in memory, but no network, no other
processes, no notebooks and no gradebook. Of the course's package, it sees only what it needs
(`package_copy.py`).
"""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from .limits import MB, Policy
from .other_user import is_root
from .package_copy import copies_inside

WORK, SOCKETS = "/assignment", "/run/kernel"  # in the sandbox: where cells run, where the kernel listens
IN_MEMORY = ("/dev/shm", "/tmp", "/home", SOCKETS, WORK)  # the folders in which files can be written
PLAIN_ETC = ("ld.so.cache", "localtime", "fonts", "ssl/certs")


def isolation_options() -> list[str]:
    """Return the options that make bubblewrap isolate all namespaces.

    Root gets no user namespace; its submissions run as another user instead (see `become_user`).
    """
    command = [
        shutil.which("bwrap") or "bwrap",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--die-with-parent",
        "--new-session",
        "--unshare-cgroup-try",
        "--hostname",
        "sandbox",
        "--cap-drop",
        "ALL",
    ]
    if not is_root():
        return [*command, "--unshare-user"]
    return [*command, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]


def bubblewrap(
    command: Sequence[str],
    exchange: str | Path,
    policy: Policy,
    user: int,
    info: int | None = None,
    rules: int | None = None,
) -> list[str]:
    """Return the command line that runs `command` inside bubblewrap.

    exchange: a folder that the command may read; it contains the copy of the package. user: the user id that
    root switches to. info: a file descriptor to which bubblewrap writes the id of its first process. rules: a
    file descriptor from which bubblewrap reads the result of `seccomp.filter_program()`.
    """
    size, line = str(policy.scratch_mb * MB), [*isolation_options(), "--clearenv"]
    line += ["--info-fd", str(info)] if info is not None else []
    line += ["--seccomp", str(rules)] if rules is not None else []
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
    for folder in IN_MEMORY:
        line += ["--perms", "1777", "--size", size, "--tmpfs", folder]
    visible = visible_folders()
    for place in visible:
        line += [*create_parents(place), "--ro-bind", str(place), str(place)]
    for place in copies_inside([*visible, Path("/usr")]):
        line += ["--perms", "0755", "--tmpfs", str(place), "--remount-ro", str(place)]
    line += [
        *create_parents(Path(exchange)),
        "--ro-bind",
        str(exchange),
        str(exchange),
        "--remount-ro",
        "/dev",
        "--remount-ro",
        "/",
    ]
    for name, value in environment(policy, exchange).items():
        line += ["--setenv", name, value]
    return [*line, "--chdir", "/", "--", *become_user(user), *command]


def create_parents(place: Path) -> list[str]:
    """Return bubblewrap options that create a path's parent folders so that every user can enter them."""
    parents = [
        parent for parent in reversed(place.parents) if parent not in (Path("/"), Path("/tmp"), Path("/home"))
    ]
    return [
        word
        for parent in parents
        if not str(parent).startswith("/usr")
        for word in ("--perms", "0755", "--dir", str(parent))
    ]


def become_user(user: int) -> list[str]:
    """Return the command prefix that switches from root to `user`, or [] if this process is not root."""
    if not is_root():
        return []
    return [
        "setpriv",
        f"--reuid={user}",
        f"--regid={user}",
        "--clear-groups",
        "--no-new-privs",
        "--inh-caps=-all",
        "--bounding-set=-all",
    ]


def visible_folders() -> list[Path]:
    """Return the folders that a kernel must see: the virtual environment and the Python installation."""
    places = {Path(sys.prefix), Path(sys.base_prefix), Path(os.path.realpath(sys.executable)).parent.parent}
    return sorted(
        place
        for place in places
        if not any(other in place.parents for other in places | {Path("/usr")}) and place != Path("/usr")
    )


def package_folder(exchange: str | Path) -> Path:
    """Return the folder inside `exchange` that contains a kernel's copy of the package."""
    return Path(exchange, "package")


def environment(policy: Policy, exchange: str | Path) -> dict[str, str]:
    """Return a kernel's environment variables; only language and time zone are copied from the grader's."""
    names = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TZ") if name in os.environ}
    return {
        **names,
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "HOME": "/home",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(package_folder(exchange)),
        "PYTHONHASHSEED": str(policy.seed),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        **thread_counts(policy),
    }


def thread_counts(policy: Policy) -> dict[str, str]:
    """Return the environment variables that set the number of threads of NumPy and PyTorch."""
    return {f"{name}_NUM_THREADS": str(policy.threads) for name in ("OMP", "MKL", "OPENBLAS")}


def working_folder(policy: Policy, exchange: str | Path) -> str:
    """Return the folder in which cells run: in memory inside a sandbox, otherwise on disk in `exchange`."""
    return WORK if policy.sandbox not in ("limits", "none") else str(Path(exchange, "work"))


def container(program: str, command: Sequence[str], exchange: str | Path, policy: Policy) -> list[str]:
    """Return the command line that runs `command` in a docker or podman container.

    The image `policy.image` must contain the libraries; the folder `exchange` is shared with the container.
    """
    tmpfs = f"size={policy.scratch_mb}m,mode=1777"
    line = [
        program,
        "run",
        "--rm",
        "--init",
        "--name",
        Path(exchange).name,
        "--network",
        "none",
        "--read-only",
        "--cap-drop",
        "ALL",
        "--security-opt",
        "no-new-privileges",
        "--pids-limit",
        str(policy.processes),
        "--memory",
        f"{policy.memory_mb}m",
        "--memory-swap",
        f"{policy.memory_mb}m",
        "--cpus",
        str(policy.threads),
        "--user",
        f"{os.getuid()}:{os.getgid()}",
        "--workdir",
        "/",
        "--tmpfs",
        f"/tmp:{tmpfs}",
        "--tmpfs",
        f"{WORK}:{tmpfs}",
        "--tmpfs",
        f"/home:{tmpfs}",
        "--volume",
        f"{exchange}:{exchange}",
    ]
    for name, value in environment(policy, exchange).items():
        if name != "PATH":  # the image sets its own PATH
            line += ["--env", f"{name}={value}"]
    return [*line, policy.image, "python", *command[1:]]
