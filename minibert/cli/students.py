"""The commands for students.

Commands import their dependencies only when they run, so that `--help` does not load PyTorch.
"""

import subprocess
import sys
from pathlib import Path

from ..readers.writing import check_folder
from . import ROOT


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


def lab(unit: str | None = None, /) -> int:
    """Open JupyterLab at a lesson.

    Example: `minibert lab 02`

    In Python: subprocess.call([sys.executable, "-m", "jupyterlab", lesson]).

    Args:
        unit: number or name of a unit, such as 02 (default: the first unit)
    """
    from ..grading.notebook import is_in_class

    lessons = sorted((ROOT / "lessons").glob("*.ipynb"), key=lambda path: (is_in_class(path), path.stem))
    chosen = [
        path for path in lessons if unit is None or path.stem.startswith(unit.zfill(2)) or unit in path.stem
    ]
    if not chosen:
        raise ValueError(f"no lesson {unit!r}; the lessons are {', '.join(path.stem for path in lessons)}")
    return subprocess.call([sys.executable, "-m", "jupyterlab", str(chosen[0])], cwd=ROOT)


def doctor(notebook: Path | None = None, /, *, device: str | None = None) -> int:
    """Check whether this machine is ready for the course, or whether a notebook is ready to hand in.

    Example: `minibert doctor exercises/02_attention/02_attention.ipynb`

    In Python: minibert.grading.intake.doctor.doctor, and with a device minibert.training.device_check.report.

    Args:
        notebook: exercise notebook to check and run (default: check the machine)
        device: check that this device (cpu, cuda or mps) computes the same values as the CPU, in ten seconds
    """
    if not device:
        from ..grading.intake import doctor

        return doctor.main(notebook, wrong_on)
    if notebook:
        raise ValueError(f"--device checks a device, not {notebook}; give only one of them")
    from ..training.device import choose_device
    from ..training.device_check import report

    return int(bool(report(choose_device(device))))


def wrong_on(kind: str) -> list[str]:
    """Check a device of this kind, and return one line for each problem found."""
    from ..training.device import of_kind
    from ..training.device_check import report

    return report(of_kind(kind), say=lambda line: None)


COMMANDS = (tour, lab, doctor)
