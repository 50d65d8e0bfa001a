"""Grade a class of 300, and measure time, memory and undeserved points; write grading.md.

    PYTHONPATH=. python benchmarks/grading.py [--jobs 2] [--beside CHECKOUT] [--plain 10]

Three fifths of the class answer correctly, in different ways. A fifth has a wrong answer in one or several
exercises. Some hand in the exercise as it was. The others have one hostile answer each, which may cost points
only in its own exercise. `--beside`
grades the same class with another checkout, such as the last release. Plain nbgrader grades a sample of the
honest students in one process; its time for the class is extrapolated.
"""

import argparse
import ast
import contextlib
import os
import platform
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

import nbformat
import places
import psutil
from nbgrader.api import Gradebook

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
os.environ.setdefault("OMP_NUM_THREADS", "1")

from banks import bank_of, exercises  # noqa: E402

from minibert.grading.author.temporary_course import course  # noqa: E402
from minibert.grading.notebook import field as mark  # noqa: E402
from minibert.grading.notebook import fill, marked, read, text  # noqa: E402

EVERY = 0.5  # seconds between two measurements of memory
SHARES = {"honest": 180, "partly wrong": 60, "blank": 20, "hostile": 40}  # in a class of 300
HOSTILE = {  # text in the body of the function NAME, or below it, instead of the answer
    "loops": "    while True:\n        pass",
    "loops on": "    while True:\n        try:\n            while True:\n                pass\n"
    "        except BaseException:\n            pass",
    "sleeps": "    import time\n    time.sleep(10 ** 6)",
    "exits": "    import os\n    os._exit(0)",
    "exits below the function": "    return None\n\n\nimport os\nos._exit(0)",
    "kills itself": "    import os, signal\n    os.kill(os.getpid(), signal.SIGKILL)",
    "is no Python": "    return (",
    "takes all memory": "    return [bytearray(10 ** 8) for _ in range(10 ** 6)]",
    "forks": "    import os\n    while True:\n        os.fork()",
    "prints 150 MB": "    return None\n\n\nfor _ in range(150):\n    print('x' * 10 ** 6)",
    "prints for ever in a thread": "    return None\n\n\nimport threading\n"
    "def talk():\n    while True:\n        print('x' * 10 ** 5)\n"
    "threading.Thread(target=talk, daemon=True).start()",
    "recurses": "    return NAME(NOTHING)",
    "patches NumPy": "    return None\n\n\nimport numpy\n"
    "numpy.allclose = numpy.isclose = lambda *a, **k: True",
    "calls the package": "    from minibert import reference\n    return reference.NAME(ARGUMENTS)",
    "copies the package's code": "    import inspect, sys\n    from minibert import reference\n"
    "    names = dict(vars(sys.modules[reference.NAME.__module__]))\n"
    "    exec(inspect.getsource(reference.NAME), names)\n"
    "    return names['NAME'](ARGUMENTS)",
}


@dataclass(frozen=True)
class Student:
    """One submission; the exercises in `lost` must lose points, and those in `most` must get none."""

    kind: str
    data: bytes
    lost: frozenset = field(default_factory=frozenset)
    most: frozenset = field(default_factory=frozenset)


class Class:
    """The submissions of a class for one unit: `students` by name."""

    def __init__(self, unit, count):
        self.assignment = next(ROOT.glob(f"solutions/{unit}_*")).name
        self.solution, self.exercise = (
            read(ROOT / kind / self.assignment / f"{self.assignment}.ipynb")
            for kind in ("solutions", "exercises")
        )
        self.right = {
            name: cell.source for name, cell in marked(self.solution).items() if mark(cell, "solution")
        }
        self.bank, self.cells = bank_of(f"unit{unit}"), exercises(self.solution)
        self.points = {
            name: mark(cell, "points")
            for name, cell in marked(self.solution).items()
            if mark(cell, "grade") and not mark(cell, "solution")
        }
        made = {
            "honest": self.honest,
            "partly wrong": self.partly_wrong,
            "blank": self.blank,
            "hostile": self.hostile,
        }
        self.students = {
            f"{kind.replace(' ', '-')}-{number:03d}": made[kind](number)
            for kind, share in SHARES.items()
            for number in range(round(count * share / sum(SHARES.values())))
        }

    def notebook(self, number, answers):
        """Return a notebook with the given answers, which a comment with `number` makes unique."""
        sources = {**self.right, **{self.cells[function][0]: source for function, source in answers.items()}}
        return text(
            fill(
                self.exercise,
                {name: f"{dedent(source).strip()}\n# {number}" for name, source in sources.items()},
            )
        ).encode()

    def honest(self, number):
        answers = {
            function: list(bank.right.values())[number % len(bank.right)]
            for function, bank in self.bank.items()
            if number % 3
        }
        return Student("honest", self.notebook(number, answers))

    def partly_wrong(self, number):
        chosen = [function for place, function in enumerate(self.bank) if (number + place) % 4 == 0]
        answers = {}
        for function in chosen:
            wrong = list(self.bank[function].wrong.values())
            answers[function] = wrong[number % len(wrong)][0]
        return Student("partly wrong", self.notebook(number, answers), frozenset(chosen))

    def blank(self, number):
        """Return the exercise with a comment, so that no two submissions are equal and graded as one."""
        notebook = nbformat.from_dict(self.exercise)
        notebook.cells.append(nbformat.v4.new_code_cell(f"# {number}", id=f"own-{number}"))
        every = frozenset(self.bank)
        return Student("blank", text(notebook).encode(), every, every)

    def hostile(self, number):
        """Return a submission with one hostile answer; its kind and exercise depend on `number`."""
        functions = [name for name in self.cells if not name.startswith("test_")][:-1]
        # every fourth kind, so that a small class also has several sorts
        function, kind = functions[number % len(functions)], list(HOSTILE)[4 * number % len(HOSTILE)]
        arguments = next(
            node
            for node in ast.parse(self.right[self.cells[function][0]]).body
            if isinstance(node, ast.FunctionDef) and node.name == function
        ).args
        parameters, body = [argument.arg for argument in arguments.args], HOSTILE[kind]
        for word, meant in (
            ("NAME", function),
            ("ARGUMENTS", ", ".join(parameters)),
            ("NOTHING", ", ".join(["None"] * len(parameters))),
        ):
            body = body.replace(word, meant)
        source = f"def {function}({ast.unparse(arguments)}):\n{body}"
        return Student(
            kind, self.notebook(number, {function: source}), frozenset([function]), frozenset([function])
        )

    def problems(self, scores):
        """Yield (student, exercise, problem) for each undeserved score.

        scores: (student, name of a cell) -> points.
        """
        for name, student in self.students.items():
            for function, (_, *tests) in self.cells.items():
                got = [scores.get((name, test)) for test in tests]
                points = None if None in got else sum(got)
                full = sum(self.points[test] for test in tests)
                if points is None:
                    yield name, function, "no points"
                elif function not in student.lost and points < full:
                    yield name, function, f"{full - points:g} lost undeservedly"
                elif function in student.most and points > 0 or function in student.lost and points == full:
                    yield name, function, f"{points:g} for nothing ({student.kind})"


class Usage(threading.Thread):
    """The peak memory in bytes and the CPU time of a process and its descendants.

    Each shared page is counted once. What a process computes after its last measurement is missing.
    """

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.process, self.most, self.over = psutil.Process(pid), 0, threading.Event()
        self.times = {}  # process -> CPU seconds at the last measurement

    def run(self):
        while not self.over.wait(EVERY):
            processes = [self.process, *children(self.process)]
            self.most = max(self.most, sum(map(proportional, processes)))
            for process in processes:
                with contextlib.suppress(psutil.Error):
                    self.times[process] = sum(process.cpu_times()[:2])

    @property
    def seconds(self):
        return sum(self.times.values())


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


def ours(made, jobs, checkout, folder):
    """Return (CPU seconds, peak bytes, problems) of `minibert grade` with the package in `checkout`."""
    for name in ("solutions", "nbgrader_config.py"):
        (folder / name).symlink_to(checkout / name)
    for name, student in made.students.items():
        place = folder / "submitted" / name / made.assignment
        place.mkdir(parents=True)
        (place / f"{made.assignment}.ipynb").write_bytes(student.data)
    command = [sys.executable, "-m", "minibert", "grade", made.assignment, "--jobs", str(jobs)]
    running = subprocess.Popen(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": str(checkout)}, stdout=subprocess.DEVNULL
    )
    usage = Usage(running.pid)
    usage.start()
    running.wait()
    usage.over.set()
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "minibert") as gradebook:
        scores = {
            (sent.student.id, grade.name): grade.auto_score
            for sent in gradebook.assignment_submissions(made.assignment)
            for notebook in sent.notebooks
            for grade in notebook.grades
        }
    return usage.seconds, usage.most, list(made.problems(scores))


def plain(made, count):
    """Return (CPU seconds, number of students) for nbgrader's own Execute on honest students."""
    some = [student.data for student in made.students.values() if student.kind == "honest"][:count]
    with course(ROOT, [made.assignment]) as temporary:
        temporary.generate(made.assignment)
        del temporary.config.Autograde
        for number, data in enumerate(some):
            place = temporary.folder / "submitted" / f"student{number}" / made.assignment
            place.mkdir(parents=True)
            (place / f"{made.assignment}.ipynb").write_bytes(data)
        began = cpu_seconds()
        for number in range(len(some)):
            temporary.autograde(made.assignment, f"student{number}")
        return cpu_seconds() - began, len(some)


def cpu_seconds():
    """Return the CPU time of this process and the children that it has waited for."""
    return sum(os.times()[:4])


def report(args, made, found, sample):
    count, (seconds, graded) = len(made.students), sample
    kinds = ", ".join(
        f"{sum(name.startswith(kind.replace(' ', '-')) for name in made.students)} {kind}" for kind in SHARES
    )
    lines = [
        "# Grading a class",
        "",
        f"Made by `benchmarks/grading.py`: {count} submissions of unit {args.unit} ({kinds}). Python "
        f"{platform.python_version()}, {os.cpu_count()} cores. The time is CPU time, so other "
        "programs on the machine hardly matter.",
        "",
        "| | CPU time | peak memory | points lost undeservedly | points for nothing | no points |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, (wall, memory, problems) in found.items():
        sums = [
            sum(float(said.split()[0]) for *_, said in problems if word in said)
            for word in ("undeservedly", "nothing")
        ]
        unscored = sum(said == "no points" for *_, said in problems)
        lines.append(
            f"| {name} | {wall:.0f} s | {memory / 2**20:,.0f} MiB | {sums[0]:g} | {sums[1]:g} | {unscored} |"
        )
    lines += [
        f"| plain `nbgrader autograde`, one process | {seconds * count / graded:.0f} s, extrapolated "
        f"from {graded} honest ones | not measured | | | |",
        "",
    ]
    lines += [
        "`minibert grade` runs each submission in a sandbox and writes the gradebook, feedback and tables; "
        "its time includes the start of the command. Every endless loop takes at least 60 s of it. Plain "
        "nbgrader runs the kernel with the grader's rights and writes no feedback.",
        "",
    ]
    for name, (*_, problems) in found.items():
        said = [f"- {who}, {function}: {said}" for who, function, said in problems]
        lines += (
            [f"{name}, undeserved points:", "", *said, ""]
            if said
            else [f"{name}: all students get the points they deserve.", ""]
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--submissions", type=int, default=300)
    parser.add_argument("--plain", type=int, default=10, help="number of students that plain nbgrader grades")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--unit", default="02")
    parser.add_argument("--beside", type=Path, help="another checkout that grades the same class")
    args = parser.parse_args()
    made, found = Class(args.unit, args.submissions), {}
    versions = {
        f"`minibert grade --jobs {args.jobs}`": ROOT,
        **({"the other version": args.beside.resolve()} if args.beside else {}),
    }
    for name, checkout in versions.items():
        with tempfile.TemporaryDirectory() as folder:
            found[name] = ours(made, args.jobs, checkout, Path(folder))
    said = report(args, made, found, plain(made, args.plain))
    places.report("grading").write_text(said)
    print(said)


if __name__ == "__main__":
    main()
