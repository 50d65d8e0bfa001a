"""Create the virtual environment of this course in `.venv`.

    python scripts/setup_env.py [--extra dev|course] [--switch]

It uses only the standard library, and syntax that an old Python can parse, so that an unsuitable Python gets
a sentence instead of a traceback. If nothing has changed, a second call returns immediately; after an
interruption, it continues.
"""

import argparse
import contextlib
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "minibert-setup.txt"  # identifies the contents of .venv, or is UNFINISHED
UNFINISHED = "unfinished\n"  # marks an interrupted set-up: a killed pip can leave a half-installed package
LOG = ROOT / ".venv-setup.log"  # outside .venv, which may not exist if the set-up failed
OLDEST, NEWEST = (3, 10), (3, 14)
CPU_INDEX = "https://download.pytorch.org/whl/cpu"  # on Linux, PyPI has only the builds with CUDA
ALIVE = 30  # seconds between two signs of life while pip works
GIB, GIB_CUDA = 3.0, 9.0  # disk space for .venv and for pip's temporary files

REASONS = [  # (pattern in pip's output, explanation); the first match is shown
    (
        r"No space left on device|Errno 28|not enough space",
        "The disk is full. Free some space, then run the same command again.",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED",
        "This network's certificate is not trusted (often because of a company proxy). Set PIP_CERT to the "
        "path of its certificate file.",
    ),
    (
        r"NewConnectionError|NameResolutionError|getaddrinfo|Name or service not known|Network is unreachable"
        r"|name resolution|ConnectTimeout|Read timed out|ProxyError|Connection(Reset|Refused)?Error"
        r"|Failed to establish",
        "The package index cannot be reached. Check your network connection (behind a proxy, set "
        "HTTPS_PROXY), then run the same command again; finished downloads are kept.",
    ),
    (
        r"No matching distribution found for torch|torch.*has no wheels",
        "PyTorch has no build for this machine. It needs 64-bit Linux, 64-bit Windows, or macOS 14 on Apple "
        "silicon.",
    ),
    (
        r"Permission denied|Errno 13|Access is denied",
        "You cannot write to this folder. Clone the course into a folder of your own.",
    ),
    (
        r"ensurepip|No module named venv",
        "This Python cannot create virtual environments. On Debian or Ubuntu: sudo apt install python3-venv",
    ),
]


class SetupError(Exception):
    """Raised if the set-up cannot continue, with a sentence for the user."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Create the virtual environment of this course in .venv.")
    parser.add_argument(
        "--extra",
        choices=["dev", "course"],
        default="dev" if (ROOT / "tests").is_dir() else "course",
        help="course: for lessons and exercises; dev: also for the tests (default in a clone)",
    )
    parser.add_argument(
        "--switch", action="store_true", help="use this Python even if .venv was made with another one"
    )
    arguments = parser.parse_args()
    try:
        set_up(arguments.extra, arguments.switch)
    except SetupError as error:
        print("\nSet-up stopped. " + str(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nSet-up interrupted. Run the same command to continue.", file=sys.stderr)
        return 130
    return 0


def set_up(extra, switch) -> None:
    """Bring .venv up to date with pyproject.toml and constraints.txt. Raises SetupError if that fails."""
    if finished(extra) and not (switch and venv_version() != sys.version_info[:2]):
        return
    check_python()
    cpu_only = cpu_build_reachable()
    check_disk(cuda=sys.platform == "linux" and not cpu_only)
    print("Setting up the environment in .venv (only once): 1 to 5 minutes, mostly downloads.", flush=True)
    start = time.time()
    LOG.write_text("")
    make_venv(switch)
    STAMP.write_text(UNFINISHED)
    try:
        pip("pip")
        if cpu_only:
            # This build is several GB smaller. If it fails, the next pip call installs the one from PyPI.
            with contextlib.suppress(SetupError):
                pip("--no-deps", "--index-url", CPU_INDEX, "torch")
        pip("--editable", f"{ROOT}[{extra}]")
    except SetupError:
        STAMP.unlink()  # pip reported the reason and cleaned up, so the installed packages are complete
        raise
    STAMP.write_text(key(extra))
    LOG.unlink()
    print(f"Ready after {time.time() - start:.0f} s.", flush=True)


def check_python() -> None:
    """Raise SetupError, with the name of a suitable Python, if this one cannot run the course."""
    found = sys.version_info[:2]
    if OLDEST <= found <= NEWEST and sys.maxsize > 2**32:
        return
    bits = "" if sys.maxsize > 2**32 else " (32-bit)"
    text = "This is Python {}{} ({}), but the course needs 64-bit Python {}.{} to {}.{}.".format(
        platform.python_version(), bits, sys.executable, *(OLDEST + NEWEST)
    )
    minors = range(NEWEST[1], OLDEST[1] - 1, -1)
    if os.name == "nt":  # Python's launcher finds each version
        pythons, command = [["py", f"-3.{minor}"] for minor in minors], "py -3.{} scripts\\setup_env.py"
    else:
        pythons, command = [[f"python3.{minor}"] for minor in minors], "PYTHON=python3.{} make setup"
    for minor, python in zip(minors, pythons):
        if shutil.which(python[0]) and subprocess.call(python + ["-c", ""], stderr=subprocess.DEVNULL) == 0:
            raise SetupError(text + f" You have a suitable one: run  {command.format(minor)}  instead.")
    raise SetupError(
        text + f" Install one from https://www.python.org/downloads/ and run  {command.format(12)}"
    )


def cpu_build_reachable() -> bool:
    """Return True on Linux without an NVIDIA driver, if PyTorch's smaller build can be downloaded."""
    if sys.platform != "linux" or shutil.which("nvidia-smi") or os.path.exists("/proc/driver/nvidia"):
        return False
    try:
        with urllib.request.urlopen(CPU_INDEX + "/torch/", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def check_disk(cuda) -> None:
    """Raise SetupError if the disk is too full to create .venv."""
    free = shutil.disk_usage(str(ROOT)).free / 2**30
    if (VENV / "pyvenv.cfg").exists():
        return
    if free < GIB:
        raise SetupError(f"The set-up needs {GIB:.0f} GiB of disk space, but {ROOT} has only {free:.1f} GiB.")
    if cuda and free < GIB_CUDA:
        print(f"PyTorch's CUDA build may need {GIB_CUDA:.0f} GiB; only {free:.1f} GiB are free.", flush=True)


def make_venv(switch) -> None:
    """Create .venv, or recreate it if it is unfinished or has an unsuitable Python."""
    version = venv_version()
    whole = not STAMP.exists() or STAMP.read_text() != UNFINISHED
    if whole and version and OLDEST <= version <= NEWEST and not (switch and version != sys.version_info[:2]):
        return
    if whole:
        print("  creating .venv with Python " + platform.python_version(), flush=True)
    else:
        print("  continuing after an interruption; finished downloads are kept", flush=True)
    run([sys.executable, "-m", "venv", "--clear", str(VENV)])


def pip(*what) -> None:
    run(
        [
            str(venv_python()),
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "--no-input",
            "--retries",
            "2",
            "--progress-bar",
            "off",
            "--constraint",
            str(ROOT / "constraints.txt"),
        ]
        + list(what)
    )


def run(command) -> None:
    """Run a command with its output in the log. Raises SetupError, with the reason, if it fails."""
    environment = dict(os.environ, PYTHONUTF8="1", PYTHONUNBUFFERED="1")
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        env=environment,
        universal_newlines=True,
        encoding="utf-8",
        errors="replace",
    )
    output = []
    ended = threading.Event()
    threading.Thread(target=show_time, args=(ended,), daemon=True).start()
    try:
        with LOG.open("a", encoding="utf-8") as log:
            for line in process.stdout:
                output.append(line)
                log.write(line)
                report(line)
    finally:
        ended.set()
    if process.wait():
        raise SetupError(reason("".join(output)))


def show_time(ended) -> None:
    """Print the time that has passed every ALIVE seconds, until the event `ended` is set."""
    start = time.time()
    while not ended.wait(ALIVE):
        print(f"{line_start()}  still working: {(time.time() - start) / 60:.1f} minutes", flush=True)


def line_start() -> str:
    """Return the characters that clear the current line of a terminal, or an empty string elsewhere."""
    return "\r\x1b[K" if sys.stdout.isatty() else ""


def report(line) -> None:
    """Show a line of pip's output if it shows progress."""
    words = line.split()
    if line.startswith("Collecting") and sys.stdout.isatty():
        print(line_start() + "  getting " + words[1], end="", flush=True)
    elif line.startswith("Installing collected packages"):
        count = line.count(",") + 1
        print("{}  installing {} package{}".format(line_start(), count, "s" if count > 1 else ""), flush=True)


def reason(output) -> str:
    """Explain in one sentence why a command failed, from its output."""
    for pattern, sentence in REASONS:
        if re.search(pattern, output):
            return sentence
    errors = (
        [line for line in output.splitlines() if "error" in line.lower()]
        or output.splitlines()
        or ["no output"]
    )
    return f"{errors[-1].strip()} (see {LOG.name} for the whole output)"


def venv_python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def venv_version() -> "tuple | None":
    """Return (major, minor) of the Python in .venv, or None if it does not run."""
    try:
        text = subprocess.check_output(
            [str(venv_python()), "-c", "import sys; print(*sys.version_info[:2])"], stderr=subprocess.DEVNULL
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return tuple(int(part) for part in text.split())


def key(extra) -> str:
    """Return a text that identifies the environment: the two files, the extra, and the folder.

    The folder is included because environments cannot be moved.
    """
    files = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    text = "{} {} {}".format(hashlib.sha256(b"\0".join(files)).hexdigest(), extra, ROOT)
    return text + "\n"


def finished(extra) -> bool:
    """Return True if .venv is complete and up to date for this extra."""
    return venv_python().exists() and STAMP.exists() and STAMP.read_text() in (key(extra), key("dev"))


if __name__ == "__main__":
    sys.exit(main())
