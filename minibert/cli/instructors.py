"""The commands of instructors. A command imports what it needs when it runs: `--help` loads no nbgrader."""

import sys
from pathlib import Path
from typing import Literal

from ..readers.writing import check_file, check_folder
from ..training.config import at_least
from . import ROOT


def build(*names: str, check: bool = False, time: bool = False) -> int:
    """Make the notebooks from their sources, and the exercises from the solutions.

    In Python: minibert.grading.author.build.main(check, names, root), and with --time
    minibert.grading.author.timing.time_notebooks(root, names).

    Args:
        names: units, by number or name (default: all)
        check: change nothing; fail on a stale or unfit notebook
        time: afterwards run them all, on two cores, and write into each header how long it takes: 15 minutes
    """
    from ..grading.author import build

    if check and time:
        raise ValueError("--time changes the headers, --check changes nothing: give one of them")
    status = build.main(check, names, ROOT)
    if status or not time:
        return status
    from ..course.models.class_model import class_model
    from ..grading.author.timing import time_notebooks

    class_model()  # made now, so that no lesson's time includes it
    problems = time_notebooks(ROOT, names)
    for problem in problems:
        print(problem, file=sys.stderr)
    return build.main(False, names, ROOT) or int(bool(problems))


def grade(
    assignment: str,
    /,
    *,
    source: Path | None = None,
    form: Literal["moodle", "canvas", "blackboard", "brightspace", "nbgrader", "folders"] | None = None,
    jobs: int | None = None,
    sandbox: Literal["bwrap", "docker", "podman", "limits", "none"] | None = None,
    time: int | None = None,
    memory: int | None = None,
    out: str | Path | None = None,
    scheduler: str | None = None,
    watch: bool = False,
    course: Path | None = None,
) -> int:
    """Grade a class in parallel, each submission in a sandbox; an interrupted run resumes.

    In Python: minibert.grading.class_run.grade_class.grade_class(root, assignment, policy, source, jobs).

    Args:
        assignment: name of a folder in solutions/, such as 02_attention
        source: folder, or zip of Moodle, Canvas, Blackboard or Brightspace (default: nbgrader's submitted/)
        form: form of the names in it (default: recognised from the names)
        jobs: submissions graded at the same time (default: cores)
        sandbox: what keeps a submission from harm; limits and none let it read your files (default: bwrap, or
            the environment's MINIBERT_SANDBOX)
        time: seconds of processor time of one exercise, its tests included; it may sleep half as long, and on
            the clock take five minutes, or five times as long (default: 60)
        memory: megabytes of one submission (default: 4096)
        out: folder for the tables and the journal (default: grades/ASSIGNMENT)
        scheduler: a Dask scheduler, such as tcp://host:8786, whose workers grade
        watch: open the class's page, which follows the run; also of a run in another terminal
        course: folder with nbgrader_config.py (default: this one, or the clone)
    """
    at_least(1, jobs=jobs)
    from ..grading.class_run.grade_class import BusyError, grade_class
    from ..grading.report.class_page import PAGE, show
    from ..grading.report.sanitize import printable
    from ..grading.sandbox.availability import chosen_sandbox, require_sandbox
    from ..grading.sandbox.limits import Policy
    from ..training.threads import cores

    root = course_folder(course)
    folder = Path(root, "grades", assignment) if out is None else check_folder(out)
    policy = Policy(sandbox=sandbox or chosen_sandbox()).limited(time, memory)
    require_sandbox(policy.sandbox)
    try:
        found = grade_class(
            root, assignment, policy, source, jobs or cores(), out, scheduler, form=form or "", watch=watch
        )
    except BusyError as error:
        if not watch:
            raise
        print(error, file=sys.stderr)
        show(folder / PAGE)
        return 0
    except ValueError as error:  # it may name a file of a student's
        raise ValueError(printable(str(error))) from None
    print(found.text)
    return int(any(result["status"] != "graded" for result in found.results.values()) or bool(found.refused))


def course_folder(course: Path | None) -> Path:
    """Return the course: by default this folder, if it is one, or else the clone."""
    return course or (Path.cwd() if Path("nbgrader_config.py").exists() else ROOT)


def mark(
    assignment: str,
    /,
    *,
    port: int = 0,
    source: Path | None = None,
    out: Path | None = None,
    course: Path | None = None,
) -> int:
    """Mark text answers in the browser: one question, all answers, a rubric, keys 1 to 9.

    In Python: minibert.grading.class_run.mark.main(assignment, root).

    Args:
        assignment: name or number, such as 02_attention or 02
        port: of this machine; 0 for a free one
        source: the submissions (default: those of the last run)
        out: folder of the tables and the journal (default: grades/ASSIGNMENT)
        course: folder with nbgrader_config.py (default: this one, or the clone)
    """
    at_least(0, port=port)
    from ..grading.class_run import mark

    return mark.main(assignment, course_folder(course), port, out, source)


def regrade(
    student: str,
    exercise: str,
    /,
    *,
    reason: str,
    points: float | None = None,
    lower: bool = False,
    time: int | None = None,
    memory: int | None = None,
    source: Path | None = None,
    out: Path | None = None,
    course: Path | None = None,
) -> None:
    """Grade one exercise of one student again; no points are lost, and a log is kept.

    In Python: minibert.grading.class_run.regrade.regrade(root, Request(student, exercise, reason)).

    Args:
        student: as in grades.csv
        exercise: such as 02.3 (the third of unit 02), or 02.softmax
        reason: for the log; if points are given, the student reads it, too
        points: give these by hand, without running the tests
        lower: the points may be fewer than now
        time: seconds of processor time of an exercise (default: as the class)
        memory: megabytes of the submission (default: as the class)
        source: the submissions (default: those of the last run)
        out: folder of the tables and the journal (default: grades/ASSIGNMENT)
        course: folder with nbgrader_config.py (default: this one, or the clone)
    """
    from ..grading.author.exercises import assignment_named
    from ..grading.class_run.grade_class import last_run
    from ..grading.class_run.regrade import regrade
    from ..grading.class_run.regrade_request import Request, sentence
    from ..grading.sandbox.availability import require_sandbox

    root = course_folder(course)
    request = Request(student, exercise, reason, points, lower, time, memory)
    if points is None:
        name = assignment_named(root, exercise.partition(".")[0])
        require_sandbox(last_run(out or Path(root, "grades", name))[1].sandbox)
    print(sentence(regrade(root, request, out, source)))


def similar(
    assignment: str,
    /,
    *,
    source: Path | None = None,
    out: str | Path | None = None,
    course: Path | None = None,
) -> None:
    """Find answers of a class that are more alike than independent ones: a table and a page.

    In Python: minibert.grading.integrity.similar.similar(root, assignment, source, out).

    Args:
        assignment: name of a folder in solutions/, such as 02_attention
        source: folder or zip, as for `grade` (default: nbgrader's submitted/)
        out: folder for similarity.csv and similarity.html (default: grades/ASSIGNMENT)
        course: folder with nbgrader_config.py (default: this one, or the clone)
    """
    from ..grading.integrity.similar import similar

    root = course_folder(course)
    folder = Path(root, "grades", assignment) if out is None else check_folder(out)
    matches, same = similar(root, assignment, source, folder)
    for one in same:
        if one.students:
            print(
                f"{one.exercise}: {len(one.students)} of {one.answers} answers equal the solution, "
                f"{len(one.word_for_word)} of them word for word"
            )
    print(
        f"{len(matches)} pairs of answers are more alike than independent ones; a person has to judge: "
        f"{folder / 'similarity.html'}"
    )


def export_autograder(
    assignment: str,
    /,
    *,
    platform: Literal["gradescope", "github"],
    out: Path | None = None,
    course: Path | None = None,
) -> None:
    """Make a zip that grades one submission at a time on Gradescope or GitHub Classroom.

    In Python: minibert.grading.export.autograder.export(root, assignment, platform, out).

    Args:
        assignment: name of a folder in solutions/, such as 02_attention
        platform: gradescope: an autograder to upload; github: files for the template repository, without
            hidden tests, which a student could read there
        out: the zip (default: ASSIGNMENT-PLATFORM.zip)
        course: folder with nbgrader_config.py (default: this one, or the clone)
    """
    from ..grading.export import autograder

    if out is not None:
        check_file(out)
    path = autograder.export(course_folder(course), assignment, platform, out)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB\n{autograder.READ_ME[platform]}", end="")


COMMANDS = (build, grade, mark, regrade, similar, export_autograder)
