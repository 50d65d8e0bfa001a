"""Check that this machine is ready, or that a notebook is ready to be handed in (`minibert doctor`)."""

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from ..author.fresh_kernel import run
from ..cell_messages import first_failure
from ..notebook import read
from .exercise_table import DONE, WRITTEN, exercise_rows, printed
from .fit_to_hand_in import Finding, look_over
from .progress import keep

SET_UP = (
    "Run `py -3.12 scripts\\setup_env.py` in the course folder."
    if os.name == "nt"
    else "Run `make setup` in the course folder (or `python3 scripts/setup_env.py`)."
)
WrongOn = Callable[[str], list[str]]
WIDGET_EXTENSION = Path("share", "jupyter", "labextensions", "@jupyter-widgets", "jupyterlab-manager")


def doctor(notebook: str | Path | None = None, wrong_on: WrongOn | None = None) -> list[Finding]:
    """Return findings about this machine, or about one notebook that is to be handed in.

    wrong_on: a function that takes a device type, such as "cuda", and describes wrong values computed on it.
    Without it, values are not checked.
    """
    if notebook is not None:
        return look_over(notebook)
    return [python(), packages(), kernel(), widgets(), device(wrong_on), cache()]


def main(notebook: str | Path | None = None, wrong_on: WrongOn | None = None) -> int:
    """Print the findings of `minibert doctor [NOTEBOOK]` and return the exit status."""
    if notebook is not None:
        print(f"Checking {notebook}")
    findings = doctor(notebook, wrong_on)
    for finding in findings:
        print(f"{'ok ' if finding.fine else 'NO '} {finding.seen}")
        if finding.advice:
            print(f"      {finding.advice}")
    wrong = sum(not finding.fine for finding in findings)
    if notebook is not None and (wrong == 0 or len(findings) > 1):  # an exercise
        print("\nRunning it ...", flush=True)
        exercise = read(notebook)
        rows = exercise_rows(exercise, Path(notebook).resolve().parent)
        keep(notebook, exercise, rows)
        print("\n" + printed(rows))
        unfinished = sum(row.state not in (DONE, WRITTEN) for row in rows)
        if not wrong:
            print(
                "Ready to hand in."
                if not unfinished
                else ("You can hand it in as it is, or keep working on it.")
            )
        else:
            print("Before you hand in, fix everything that is marked NO above.")
        print(f"The file to hand in: {Path(notebook).resolve()}")
        return int(wrong + unfinished > 0)
    if wrong:
        print(f"\n{wrong} {'problem' if wrong == 1 else 'problems'} to fix.")
    elif notebook is None:
        print("\nReady. Start with `minibert lab 01`.")
    return int(wrong > 0)


def python() -> Finding:
    """Check whether this version of Python suits the course."""
    from packaging.specifiers import SpecifierSet

    seen = f"Python {platform.python_version()} ({sys.executable})"
    wanted = metadata.metadata("minibert")["Requires-Python"]
    if platform.python_version() in SpecifierSet(wanted):
        return Finding(True, seen)
    return Finding(
        False, seen, f"The course needs Python {wanted}. Install one that fits, for example 3.12. {SET_UP}"
    )


def packages() -> Finding:
    """Check whether every package that the lessons need is installed in a suitable version."""
    from packaging.requirements import Requirement

    seen: list[str] = []
    wrong: list[str] = []
    for line in metadata.requires("minibert") or ():
        wanted = Requirement(line)
        if wanted.marker and not wanted.marker.evaluate({"extra": "course"}):
            continue
        try:
            version = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{wanted.name} is missing")
            continue
        if wanted.specifier.contains(version, prereleases=True):
            seen.append(f"{wanted.name} {version}")
        else:
            wrong.append(f"{wanted.name} {version} is installed, but the course needs {wanted.specifier}")
    if wrong:
        return Finding(False, "packages: " + ", ".join(wrong), SET_UP)
    return Finding(True, "packages: " + ", ".join(seen))


def kernel() -> Finding:
    """Check whether the kernel `python3`, which every notebook uses, starts and runs in this environment."""
    import nbformat

    probe = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("import sys, minibert; print(sys.prefix)")]
    )
    try:
        run(probe, tempfile.gettempdir())
        error = first_failure(probe)
    except Exception as failure:  # a missing kernel, a permission, a port in use all raise different errors
        return Finding(False, f"the kernel `python3` does not start: {failure}", SET_UP)
    if error:
        return Finding(False, f"the kernel `python3` cannot import minibert: {error[1]}", SET_UP)
    prefix = probe.cells[0].outputs[0].text.strip()
    if Path(prefix) != Path(sys.prefix):
        return Finding(
            False,
            f"the kernel `python3` belongs to another environment: {prefix}",
            f"Install it in this one: {sys.executable} -m ipykernel install --sys-prefix",
        )
    return Finding(True, "kernel `python3` starts and finds the course")


def widgets() -> Finding:
    """Check whether ipywidgets and its JupyterLab extension are installed."""
    places = [Path(sys.prefix), Path(sys.base_prefix), Path.home() / ".local"]
    try:
        version = metadata.version("ipywidgets")
    except metadata.PackageNotFoundError:
        return Finding(False, "widgets: ipywidgets is missing", SET_UP)
    if any((place / WIDGET_EXTENSION / "package.json").exists() for place in places):
        return Finding(True, f"widgets: ipywidgets {version}, with its JupyterLab extension")
    return Finding(
        False,
        f"widgets: ipywidgets {version}, without its JupyterLab extension",
        f"Run `{sys.executable} -m pip install --force-reinstall jupyterlab_widgets`.",
    )


def device(wrong_on: WrongOn | None = None) -> Finding:
    """Check which device PyTorch would train on, and whether it computes the same values as the CPU."""
    try:
        import torch
    except ImportError as error:
        return Finding(False, f"device: PyTorch cannot be loaded ({error})", SET_UP)
    kind = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    what = {
        "cuda": lambda: f"cuda ({torch.cuda.get_device_name(0)})",
        "mps": lambda: "mps (Apple GPU)",
        "cpu": lambda: "cpu; every lesson is designed to run on the CPU",
    }[kind]()
    seen = f"device: {what}, torch {torch.__version__}"
    if kind == "cpu" or wrong_on is None:
        return Finding(True, seen)
    if wrong := wrong_on(kind):
        return Finding(
            False,
            f"{seen}: {'; '.join(wrong)}",
            f"Please report the output of `minibert doctor --device "
            f"{kind}`. Until then, use --device cpu; every lesson is designed to run on the CPU.",
        )
    return Finding(True, f"{seen}; it computes the same values as the CPU")


def cache() -> Finding:
    """Check whether the folder for checkpoints and downloads is writable."""
    from platformdirs import user_cache_dir

    folder = Path(user_cache_dir("minibert"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free / 2**30
    except OSError as error:
        return Finding(
            False,
            f"cache: {folder} is not writable ({error.strerror})",
            "Free some disk space there, or fix the folder's permissions.",
        )
    return Finding(True, f"cache: {folder}, {free:.0f} GiB free")
