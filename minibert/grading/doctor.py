"""`minibert doctor`: is this machine ready, and is a notebook fit to hand in; one screen of plain words."""
import platform
import re
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from .notebook import OURS, field, grade_id, read

SET_UP = "Run `make setup` in the course folder (or `python scripts/setup_env.py`)."
OLDEST, NEWEST = (3, 10), (3, 13)
WIDGET_EXTENSION = Path("share", "jupyter", "labextensions", "@jupyter-widgets", "jupyterlab-manager")
STUBS = re.compile(r"^\s*(# YOUR CODE HERE\s*\n\s*raise NotImplementedError\(\)|\*Your answer here\.\*)", re.M)
CELL_SECONDS = 300  # a cell of an exercise that needs longer has an endless loop


@dataclass(frozen=True)
class Finding:
    """One thing looked at: whether it is fine, what was seen, and what to do where it is not."""

    fine: bool
    seen: str
    advice: str = ""


def doctor(notebook=None):
    """Findings about this machine, or about one notebook that is to be handed in."""
    if notebook is not None:
        return look_over(notebook)
    return [python(), packages(), kernel(), widgets(), device(), cache()]


def main(notebook=None):
    """The command `minibert doctor [NOTEBOOK]`: prints the findings; returns the exit status."""
    findings = doctor(notebook)
    for finding in findings:
        print(f"{'ok ' if finding.fine else 'NO '} {finding.seen}")
        if finding.advice:
            print(f"      {finding.advice}")
    wrong = sum(not finding.fine for finding in findings)
    if wrong:
        print(f"\n{wrong} {'thing' if wrong == 1 else 'things'} to mend.")
    else:
        print("\nFit to hand in." if notebook is not None else "\nReady. Start with `minibert lab 01`.")
    return int(wrong > 0)


# The machine

def python():
    seen = f"Python {platform.python_version()} ({sys.executable})"
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        return Finding(True, seen)
    ages = "{}.{} to {}.{}".format(*OLDEST, *NEWEST)
    return Finding(False, seen, f"The course runs on Python {ages}. Install one, then run `make setup`.")


def packages():
    """Every package that the lessons need, in a version that they can work with."""
    from packaging.requirements import Requirement

    seen, wrong = [], []
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
            wrong.append(f"{wanted.name} {version} does not fit {wanted.specifier}")
    if wrong:
        return Finding(False, "packages: " + ", ".join(wrong), SET_UP)
    return Finding(True, "packages: " + ", ".join(seen))


def kernel():
    """The kernel `python3`, which every notebook asks for, starts and is this environment."""
    import nbformat

    probe = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import sys, minibert; print(sys.prefix)")])
    try:
        run(probe, tempfile.gettempdir())
        error = first_error(probe)
    except Exception as failure:  # no kernel, no permission, a port in use: each its own kind
        return Finding(False, f"the kernel `python3` does not start: {failure}", SET_UP)
    if error:
        return Finding(False, f"the kernel `python3` cannot import minibert: {error[1]}", SET_UP)
    prefix = probe.cells[0].outputs[0].text.strip()
    if Path(prefix) != Path(sys.prefix):
        return Finding(False, f"the kernel `python3` is another environment: {prefix}",
                       f"Install it here: {sys.executable} -m ipykernel install --sys-prefix")
    return Finding(True, "kernel `python3` starts and finds the course")


def widgets():
    places = [Path(sys.prefix), Path(sys.base_prefix), Path.home() / ".local"]
    try:
        version = metadata.version("ipywidgets")
    except metadata.PackageNotFoundError:
        return Finding(False, "widgets: ipywidgets is missing", SET_UP)
    if any((place / WIDGET_EXTENSION / "package.json").exists() for place in places):
        return Finding(True, f"widgets: ipywidgets {version}, with its part for JupyterLab")
    return Finding(False, f"widgets: ipywidgets {version}, without its part for JupyterLab",
                   f"{sys.executable} -m pip install --force-reinstall jupyterlab_widgets")


def device():
    """What PyTorch would train on."""
    try:
        import torch
    except ImportError as error:
        return Finding(False, f"device: PyTorch cannot be loaded ({error})", SET_UP)
    if torch.cuda.is_available():
        what = f"cuda ({torch.cuda.get_device_name(0)})"
    else:
        what = "mps (Apple GPU)" if torch.backends.mps.is_available() else "cpu; every lesson is made for that"
    return Finding(True, f"device: {what}, torch {torch.__version__}")


def cache():
    """The folder for checkpoints and downloads can be written."""
    from platformdirs import user_cache_dir

    folder = Path(user_cache_dir("minibert"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free / 2**30
    except OSError as error:
        return Finding(False, f"cache: {folder} cannot be written ({error.strerror})",
                       "Free some space there, or mend its permissions.")
    return Finding(True, f"cache: {folder}, {free:.0f} GiB free")


# A notebook

def look_over(path):
    """Findings about a notebook that is to be handed in; its file is only read."""
    path = Path(path)
    try:
        notebook = read(path)
    except ValueError as error:
        return [Finding(False, str(error), "Give the path of your .ipynb file.")]
    names = [grade_id(cell) for cell in notebook.cells if grade_id(cell)]
    if not names:
        return [Finding(False, f"{path.name} is no exercise: none of its cells is graded",
                        "Hand in the notebook from exercises/, not a lesson.")]
    released = notebook.metadata.get(OURS, {})
    return [named(path, released), complete(names, released), single(names), unchanged(notebook), answered(notebook),
            runs(notebook, path.resolve().parent)]


def named(path, released):
    name = released.get("name", path.stem)
    if path.stem == name:
        return Finding(True, f"file name {path.name}")
    return Finding(False, f"file name {path.name}", f"Only {name}.ipynb is collected: rename it back.")


def complete(names, released):
    if "cells" not in released:
        return Finding(True, "cells: cannot tell whether one is missing, as this notebook does not list them")
    missing = [name for name in released["cells"] if name not in names]
    if missing:
        return Finding(False, f"cells deleted: {', '.join(missing)}",
                       "Fetch the exercise anew and copy your answers into it, or restore the cells with Edit > Undo.")
    return Finding(True, f"all {len(released['cells'])} cells of the exercise are there")


def single(names):
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        return Finding(False, f"cells that occur twice: {', '.join(twice)}",
                       "Delete the copies: only one of each is graded.")
    return Finding(True, "no cell occurs twice")


def unchanged(notebook):
    """Locked cells read as released: grading puts the original back, so a change there would be lost."""
    from nbgrader.utils import compute_checksum, is_locked

    changed = [grade_id(cell) for cell in notebook.cells if grade_id(cell)
               and (field(cell, "cell_type", cell.cell_type) != cell.cell_type
                    or is_locked(cell) and field(cell, "checksum") not in (None, compute_checksum(cell)))]
    if changed:
        return Finding(False, f"cells that must stay as they were: {', '.join(changed)}",
                       "Grading puts the original back. Move your own code into an answer cell or a new one.")
    return Finding(True, "the given cells are as they were")


def answered(notebook):
    from nbgrader.utils import compute_checksum

    answers = [cell for cell in notebook.cells if field(cell, "solution")]
    open_ones = [grade_id(cell) for cell in answers if STUBS.search(cell.source) or not cell.source.strip()
                 or field(cell, "checksum") == compute_checksum(cell)]
    if open_ones:
        return Finding(False, f"answers missing: {', '.join(open_ones)}",
                       "You may hand in all the same; they give no points.")
    return Finding(True, f"all {len(answers)} answers are written")


def runs(notebook, folder):
    """The notebook runs from top to bottom in a fresh kernel."""
    try:
        run(notebook, folder)
    except Exception as failure:  # a dead kernel, a timeout
        return Finding(False, f"does not run: {str(failure).splitlines()[0]}", SET_UP)
    error = first_error(notebook)
    if error:
        return Finding(False, f"stops at {error[0]}: {error[1]}",
                       "To see it in JupyterLab: Run > Restart Kernel and Run All Cells.")
    noisy = [grade_id(cell) for cell in notebook.cells if field(cell, "grade")
             and any(output.get("name") == "stderr" for output in cell.get("outputs", ()))]
    if noisy:
        return Finding(False, f"runs, but these checks print a warning: {', '.join(noisy)}",
                       "nbgrader takes a warning for a failure. Mend what it says.")
    return Finding(True, "runs from top to bottom")


def run(notebook, folder):
    """Execute in place up to the first error, in a fresh kernel that works in `folder`."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    client = NotebookClient(notebook, kernel_name="python3", timeout=CELL_SECONDS,
                            resources={"metadata": {"path": str(folder)}},
                            extra_arguments=["--IPKernelApp.log_level=ERROR"])
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    try:
        client.execute()
    except CellExecutionError:
        pass  # the error stands in the cell's outputs


def first_error(notebook):
    """(which cell, what it says) of the first error in the outputs, None without one."""
    from .grade import message

    for number, cell in enumerate(notebook.cells, 1):
        if any(output.output_type == "error" for output in cell.get("outputs", ())):
            name = f" ({grade_id(cell)})" if grade_id(cell) else ""
            return f"cell {number}{name}", message(cell)
    return None
