"""The commands for students.

Commands import their dependencies only when they run, so that `--help` does not load PyTorch.
"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ..places import CLONE, ROOT
from ..readers.writing import check_folder
from ..spelling import nearest


def tour(*, out: str | Path = "tour", seed: int = 0, device: str | None = None) -> None:
    """Pretrain and fine-tune a small BERT on the generated language, grade exercises, and write a report.

    Example: `minibert tour --out my-tour`

    In Python: minibert.course.tour.tour.

    Args:
        out: folder for the report
        seed: seed for the data, the weights and the order of examples
        device: cpu, cuda, one of several GPUs such as cuda:1, or mps (default: the best one available)
    """
    from ..course import tour
    from ..training.config import at_least

    at_least(0, seed=seed)
    tour.tour(check_folder(out), tour.TourConfig(seed=seed), ROOT, device)


def course(folder: Path, /, *, update: bool = False, take: list[Path] | None = None) -> None:
    """Make your own copy of the course, with lessons and exercises.

    Example: `minibert course my_course`

    In Python: minibert.course.folder.lay_out(folder, root), and with --update minibert.course.folder.update,
    with --take minibert.course.folder.take(folder, notebooks, root).

    Args:
        folder: a new or empty folder, or an earlier copy, whose missing notebooks are written again
        update: bring an earlier copy up to date, and keep your answers
        take: notebooks of exercises outside the copy; put your answers in them into the copy
    """
    from ..course import folder as copies

    if update and take:
        raise ValueError("--update and --take change the copy in different ways; give only one of them")
    if take:
        lines = copies.take(folder, take, ROOT)
        tracked = [path for path in take if path.resolve().is_relative_to(CLONE / "exercises")]
        if tracked and ROOT == CLONE and (CLONE / ".git").exists():
            names = " ".join(map(str, tracked))
            lines.append(
                "Nothing was deleted. When you need nothing more from there, and before the next `git pull`, "
                f"run: git checkout -- {names}"
            )
        lines.append(copies.to_hand_in(folder))
    elif update:
        lines = copies.update(folder, ROOT)
        lines = [*lines, copies.to_hand_in(folder)] if lines else [f"{folder} is up to date."]
    else:
        lines = copies.lay_out(folder, ROOT) or [f"The course is in {folder}."]
    print("\n".join(lines))
    if not take:
        point_to_work_outside(folder)


def lab(
    unit: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *options: Annotated[str, Parameter(allow_leading_hyphen=True)],
    exercise: bool = False,
    in_class: bool = False,
    folder: Path | None = None,
) -> int:
    """Open a lesson or an exercise of your copy of the course in JupyterLab.

    The copy is the folder you are in, or else `my_course`, which is made the first time.

    Example: `minibert lab 02 --exercise`

    In Python: minibert.course.lab.lab(folder, notebook, options).

    Args:
        unit: number or name of a unit, such as 02 (default: the first)
        options: additional options for JupyterLab, such as --no-browser
        exercise: open the unit's exercise
        in_class: open the unit's 45-minute lesson for a class
        folder: your copy of the course
    """
    from ..course import folder as copies
    from ..course.lab import lab

    if exercise and in_class:
        raise ValueError("--exercise and --in-class name different notebooks; give only one of them")
    if unit is not None and unit.startswith("-"):
        options, unit = (unit, *options), None
    for option in options:
        if close := nearest(option, ["--exercise", "--in-class", "--folder"], 0.75):
            raise ValueError(f"unknown option {option}; did you mean {close}?")
    notebook = copies.notebook_of(ROOT, unit, exercise, in_class)
    mine = my_copy(folder)
    if not copies.is_copy(mine):
        print(f"Your copy of the course is in {mine}. Corrections: `minibert course {mine} --update`.")
    point_to_work_outside(mine)
    copies.lay_out(mine, ROOT)
    return lab(mine, notebook, options)


def doctor(notebook: str | None = None, /, *, device: str | None = None) -> int:
    """Check whether this machine is ready for the course, or whether a notebook is ready to hand in.

    Example: `minibert doctor 02`

    In Python: minibert.grading.intake.doctor.doctor, and for --device minibert.training.device_check.report.

    Args:
        notebook: exercise to check and run, given by its file or by the number of its unit in your copy of
            the course (default: check the machine)
        device: check that this device (cpu, cuda or mps) computes the same values as the CPU, in ten seconds
    """
    if not device:
        from ..grading.intake import doctor

        point_to_work_outside(my_copy(None))
        path = notebook and exercise_file(notebook)
        if path and not path.exists():
            raise ValueError(why_missing(path))
        return doctor.main(path, wrong_on)
    if notebook:
        raise ValueError(f"--device checks a device, not {notebook}; give only one of them")
    from ..training.device import choose_device
    from ..training.device_check import report

    return int(bool(report(choose_device(device))))


def wrong_on(kind: str) -> list[str]:
    """Check a kind of device, such as "cuda", and return one line for each problem found."""
    from ..training.device import of_kind
    from ..training.device_check import report

    return report(of_kind(kind), say=lambda line: None)


def progress(folder: Path | None = None, /) -> None:
    """Show how many exercises you have solved in each unit, and your points, after running changed notebooks.

    Example: `minibert progress`

    In Python: minibert.grading.intake.progress.progress(folder).

    Args:
        folder: your copy of the course (default: the one you are in, or my_course)
    """
    from ..grading.intake.progress import printed, progress

    mine = my_copy(folder)
    point_to_work_outside(mine)
    print(printed(progress(mine)))


def exercise_file(notebook: str) -> Path:
    """Return the path of an exercise that is given by its file, or by a unit's number or name."""
    from ..course import folder as copies

    if notebook.endswith(".ipynb") or Path(notebook).exists():
        return Path(notebook)
    return my_copy(None) / copies.notebook_of(ROOT, notebook, exercise=True)


def why_missing(path: Path) -> str:
    """Return a message for a student whose exercise is not found, with the command or name that helps."""
    from ..course import folder as copies

    others = ", ".join(other.name for other in sorted(path.parent.glob("*.ipynb")))
    if others:
        return f"there is no {shown(path)}. Is it {others}? Rename it back"
    mine = copies.find(path.parent) or my_copy(None)
    return f"there is no {shown(path)}; `minibert course {shown(mine)}` writes your copy of the course"


def point_to_work_outside(mine: Path) -> None:
    """Print which exercises the student wrote outside the copy, and the command that copies them into it."""
    from ..course import folder as copies

    found = copies.work_outside(mine, CLONE) if ROOT == CLONE else {}
    for path, answers in found.items():
        print(f"{shown(path)} has answers that are not in your copy of the course: {', '.join(answers)}")
    if found:
        print(
            f"Work in your copy, {shown(mine)}; all commands look there. This brings your answers over, and "
            f"deletes nothing:\n    minibert course {shown(mine)} --take {' '.join(map(shown, found))}\n"
        )


def shown(path: Path) -> str:
    """Return a path as a string, relative to the current folder if it is inside it."""
    path = path.resolve()
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def my_copy(folder: Path | None) -> Path:
    """Return the given folder, or else the copy of the course that you are in, or else `my_course`."""
    from ..course import folder as copies

    return folder or copies.find(Path.cwd()) or (CLONE if ROOT == CLONE else Path.cwd()) / "my_course"


COMMANDS = (course, lab, doctor, progress, tour)
