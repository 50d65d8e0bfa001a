"""Choose a sandbox, and check that this machine can provide it."""

import functools
import os
import shutil
import subprocess

from .command_lines import become_user, isolation_options
from .other_user import USERS

ENVIRONMENT = "MINIBERT_SANDBOX"
CONTAINERS = ("docker", "podman")


class SandboxError(OSError):
    """The error raised if this machine cannot provide a sandbox. The message explains how to fix this."""


def chosen_sandbox(default: str = "bwrap") -> str:
    """Return the sandbox named by the environment variable MINIBERT_SANDBOX, or `default` if it is unset."""
    return os.environ.get(ENVIRONMENT) or default


def strongest_sandbox() -> str:
    """Return the chosen sandbox if it works here, otherwise `limits` or, if that does not work, `none`.

    `limits` and `none` do not isolate submissions, so use them only for submissions that you trust.
    """
    return next((name for name in (chosen_sandbox(), "limits") if not reason_unavailable(name)), "none")


def require_sandbox(sandbox: str) -> None:
    """Raise SandboxError if this machine cannot provide the sandbox."""
    reason = reason_unavailable(sandbox)
    if reason:
        raise SandboxError(reason)


@functools.cache
def reason_unavailable(sandbox: str = "bwrap") -> str:
    """Return why this machine cannot provide the sandbox and what to do about it, or "" if it can."""
    choices = (
        "Or choose another sandbox with --sandbox or the environment variable "
        f"{ENVIRONMENT}: docker or podman, if one is installed; limits (submissions run with your "
        "permissions, but with time and memory limits); none (your permissions and no limits). "
        "Use the last two only for submissions that you trust."
    )
    if sandbox in CONTAINERS:
        return "" if shutil.which(sandbox) else f"{sandbox} is not installed. Install it. {choices}"
    if sandbox in ("limits", "none"):
        return (
            ""
            if hasattr(os, "fork")
            else ("Grading needs Linux or macOS. On Windows, use WSL 2 or a container.")
        )
    if not shutil.which("bwrap"):
        return (
            "Submissions run in a sandbox, but bubblewrap is not installed. Install it with `apt install "
            f"bubblewrap` or `dnf install bubblewrap` (Linux only). {choices}"
        )
    try:
        tried = subprocess.run(
            [*isolation_options(), "--ro-bind", "/", "/", "--proc", "/proc", *become_user(USERS[0]), "true"],
            capture_output=True,
            text=True,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"Submissions run in a sandbox, but bubblewrap does not start: {error}. {choices}"
    if tried.returncode == 0:
        return ""
    return (
        "Submissions run in a sandbox, but bubblewrap is not allowed to create one here "
        f"({tried.stderr.strip()}). Allow user namespaces (`sysctl kernel.unprivileged_userns_clone=1`, "
        "on Ubuntu 24.04 also `sysctl kernel.apparmor_restrict_unprivileged_userns=0`; in Docker, "
        "`--security-opt seccomp=unconfined --security-opt systempaths=unconfined`). "
        f"{choices}"
    )
