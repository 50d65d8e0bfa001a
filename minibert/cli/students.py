"""The commands of students. A command imports what it needs when it runs: `--help` loads no PyTorch."""

import subprocess
import sys
from pathlib import Path

from ..readers.writing import check_folder
from . import ROOT


def tour(*, out: str | Path = "tour", seed: int = 0, device: str | None = None) -> None:
    """Tell the whole story on the generated language: pretrain, fine-tune, grade, report.

    In Python: minibert.course.tour.tour.

    Args:
        out: folder of the report
        seed: seed of the data, the weights and the order
        device: cpu, cuda, one of several GPUs such as cuda:1, or mps (default: the best one present)
    """
    from ..course import tour
    from ..training.config import at_least

    at_least(0, seed=seed)
    tour.tour(check_folder(out), tour.TourConfig(seed=seed), ROOT, device)


def lab(unit: str | None = None, /) -> int:
    """Open JupyterLab at a lesson.

    In Python: subprocess.call([sys.executable, "-m", "jupyterlab", lesson]).

    Args:
        unit: number or name of a unit, such as 02 (default: the first)
    """
    from ..grading.notebook import is_in_class

    lessons = sorted((ROOT / "lessons").glob("*.ipynb"), key=lambda path: (is_in_class(path), path.stem))
    chosen = [
        path for path in lessons if unit is None or path.stem.startswith(unit.zfill(2)) or unit in path.stem
    ]
    if not chosen:
        raise ValueError(f"no lesson {unit!r}; there are {', '.join(path.stem for path in lessons)}")
    return subprocess.call([sys.executable, "-m", "jupyterlab", str(chosen[0])], cwd=ROOT)


def doctor(notebook: Path | None = None, /, *, device: str | None = None) -> int:
    """Say whether this machine is ready, or whether a notebook is fit to hand in.

    In Python: minibert.grading.intake.doctor.doctor, and with a device minibert.training.device_check.report.

    Args:
        notebook: exercise to check and run (default: check the machine)
        device: compare what cpu, cuda or mps computes with what the processor does, in about ten seconds
    """
    if not device:
        from ..grading.intake import doctor

        return doctor.main(notebook, wrong_on)
    if notebook:
        raise ValueError(f"--device checks a device, not {notebook}: give one of them")
    from ..training.device import choose_device
    from ..training.device_check import report

    return int(bool(report(choose_device(device))))


def wrong_on(kind: str) -> list[str]:
    """Return what a check of a kind of device finds wrong there, a line each."""
    from ..training.device import of_kind
    from ..training.device_check import report

    return report(of_kind(kind), say=lambda line: None)


COMMANDS = (tour, lab, doctor)
