"""`minibert grade` against plain `nbgrader autograde` on a class: time and memory; writes
benchmarks/grading.md.

    PYTHONPATH=. python benchmarks/grading.py [--submissions 200] [--plain 10] [--jobs 2]

Half of the class answers rightly, the others take their answers from the bank of wrong ones. Plain nbgrader
grades a sample, in one process (NbGraderAPI, which is its quickest way); its time for the class is
extrapolated from that.
"""
import argparse
import itertools
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
os.environ.setdefault("OMP_NUM_THREADS", "1")

from banks import bank_of  # noqa: E402

from minibert.grading.author.temporary_course import course  # noqa: E402
from minibert.grading.notebook import field, fill, marked, read, text  # noqa: E402

EVERY = 0.5     # seconds between two looks at the memory


def submissions(unit, count):
    """(assignment, count notebooks as bytes): every second one right, no two of them equal."""
    assignment = next(ROOT.glob(f"solutions/{unit}_*")).name
    solution, exercise = (read(ROOT / kind / assignment / f"{assignment}.ipynb")
                          for kind in ("solutions", "exercises"))
    right = {name: cell.source for name, cell in marked(solution).items() if field(cell, "solution")}
    bank = bank_of(f"unit{unit}")
    cells = {function: next(name for name, source in right.items() if f"def {function}(" in source)
             for function in bank}
    made = []
    for number in range(count):
        wrong = {cells[function]: next(itertools.islice(itertools.cycle(bank[function].wrong.values()),
                                                        number, None))[0]
                 for function in cells} if number % 2 else {}
        answers = {name: f"{source}\n# {number}" for name, source in {**right, **wrong}.items()}
        made.append(text(fill(exercise, answers)).encode())
    return assignment, made


class Memory(threading.Thread):
    """The largest memory of a process with all below it, each shared page counted once, in bytes."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.process, self.most, self.over = psutil.Process(pid), 0, threading.Event()

    def run(self):
        while not self.over.wait(EVERY):
            self.most = max(self.most, sum(map(proportional, [self.process, *children(self.process)])))


def children(process):
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


def proportional(process):
    try:
        return process.memory_full_info().pss
    except (psutil.Error, AttributeError):
        return 0


def measured(work):
    """(seconds, peak bytes) of work(); work may return the Popen to be watched and waited for."""
    began = time.monotonic()
    running = work()
    memory = Memory(running.pid if running else os.getpid())
    memory.start()
    if running and running.wait() != 0:
        raise SystemExit("grading failed")
    memory.over.set()
    return time.monotonic() - began, memory.most


def ours(assignment, notebooks, jobs, folder):
    """`minibert grade` in a course of its own, as a command."""
    for name in ("solutions", "nbgrader_config.py"):
        (folder / name).symlink_to(ROOT / name)
    for number, data in enumerate(notebooks):
        place = folder / "submitted" / f"student{number:03d}" / assignment
        place.mkdir(parents=True)
        (place / f"{assignment}.ipynb").write_bytes(data)
    command = [sys.executable, "-m", "minibert", "grade", assignment, "--jobs", str(jobs)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return measured(lambda: subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL))


def plain(assignment, notebooks):
    """nbgrader with its own Execute, all of it in this process but for the kernels."""
    with course(ROOT, [assignment]) as temporary:
        temporary.generate(assignment)
        del temporary.config.Autograde.autograde_preprocessors
        for number, data in enumerate(notebooks):
            place = temporary.folder / "submitted" / f"student{number}" / assignment
            place.mkdir(parents=True)
            (place / f"{assignment}.ipynb").write_bytes(data)

        def work():
            for number in range(len(notebooks)):
                temporary.autograde(assignment, f"student{number}")
        return measured(work)


def report(args, count, found, sample):
    wall, memory = found
    lines = [
        "# A class graded", "",
        f"Made by `benchmarks/grading.py`: {count} submissions of unit {args.unit}, half of them right, the "
        f"others from "
        f"the bank of wrong answers. Python {platform.python_version()}, {os.cpu_count()} cores; load at "
        f"first: {args.load:.1f}. A "
        "shared machine lengthens the times.", "",
        "| | time for the class | peak memory |", "| --- | --- | --- |",
        f"| `minibert grade --jobs {args.jobs}` | {wall:.0f} s | {memory / 2 ** 20:,.0f} MiB |",
        f"| plain `nbgrader autograde`, one process | {sample[0] * count / args.plain:.0f} s, extrapolated "
        f"from {args.plain} "
        "| not measured |", "",
        "Ours: two processes for each submission, in a sandbox, with gradebook, feedback and tables; the "
        "start of the command is "
        "in it. Plain: the kernel runs with the grader's rights, and no feedback is written.", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--plain", type=int, default=10, help="how many of them plain nbgrader grades")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--unit", default="02")
    args = parser.parse_args()
    args.load, args.plain = os.getloadavg()[0], min(args.plain, args.submissions)
    assignment, notebooks = submissions(args.unit, args.submissions)
    with tempfile.TemporaryDirectory() as folder:
        found = ours(assignment, notebooks, args.jobs, Path(folder))
    sample = plain(assignment, notebooks[:args.plain])
    said = report(args, len(notebooks), found, sample)
    (ROOT / "benchmarks" / "grading.md").write_text(said)
    print(said)


if __name__ == "__main__":
    main()
