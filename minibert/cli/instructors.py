"""The commands for instructors.

Commands import their dependencies only when they run, so that `--help` does not load nbgrader.
"""

import sys
from pathlib import Path
from typing import Literal

from ..places import ROOT
from ..readers.writing import check_file, check_folder
from ..training.config import at_least


def build(*names: str, check: bool = False, time: bool = False) -> int:
    """Build the notebooks from their sources, and the exercises from the solutions.

    Example: `minibert build 02`

    In Python: minibert.grading.author.build.main(check, names, root), and with --time
    minibert.grading.author.timing.time_notebooks(root, names).

    Args:
        names: units, by number or name (default: all)
        check: change nothing, but fail if a notebook is out of date or breaks a rule
        time: also run the notebooks on two cores, and write the times into their headers; takes 15 minutes
    """
    from ..grading.author import build

    if check and time:
        raise ValueError("--time changes the headers, but --check changes nothing; give only one of them")
    status = build.main(check, names, ROOT)
    if status or not time:
        return status
    from ..course.models.class_model import class_model
    from ..grading.author.timing import time_notebooks

    class_model()  # train it now, so that its training is not included in the time of a lesson
    problems = time_notebooks(ROOT, names)
    for problem in problems:
        print(problem, file=sys.stderr)
    return build.main(False, names, ROOT) or int(bool(problems))


def release(*units: str, out: Path = Path("students.zip")) -> None:
    """Make a zip of the course for students, without solutions or hidden tests.

    Example: `minibert release 01 02`

    In Python: minibert.grading.export.hand_out.hand_out(root, out, units).

    Args:
        units: numbers or names of the units to hand out (default: all)
        out: zip to write
    """
    from ..grading.export.hand_out import hand_out

    assignments = hand_out(ROOT, check_file(out), units)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB, with {', '.join(assignments)}")


def slides(unit: str, /, *, pdf: bool = False, out: Path = Path()) -> None:
    """Make slides for a 90-minute lecture from a lesson, in one HTML file that any browser shows.

    The slides show the lesson's figures, questions and main sentences. Press S for the speaker view, which
    has the whole text. The first time, the lesson runs, which takes a minute or two.

    Example: `minibert slides 02 --pdf`

    In Python: minibert.course.rendered.slides.slides(path).

    Args:
        unit: number or name of a unit, such as 02
        pdf: also print the slides to a PDF, for which Chrome or Chromium is needed
        out: folder for the slides (default: the current folder)
    """
    from ..course.folder import notebook_of
    from ..course.rendered.slides import print_pdf, slides
    from ..readers.writing import write_text

    check_folder(out)
    lesson = ROOT / notebook_of(ROOT, unit)
    out.mkdir(parents=True, exist_ok=True)
    page = out / f"{lesson.stem}.html"
    write_text(page, slides(lesson))
    print(f"{page}: {page.stat().st_size / 1e6:.1f} MB")
    if pdf:
        print(print_pdf(page))


def grade(
    assignment: str,
    /,
    *,
    source: Path | None = None,
    form: Literal["moodle", "canvas", "blackboard", "brightspace", "classroom", "nbgrader", "folders"]
    | None = None,
    jobs: int | None = None,
    sandbox: Literal["bwrap", "docker", "podman", "limits", "none"] | None = None,
    time: int | None = None,
    memory: int | None = None,
    out: str | Path | None = None,
    scheduler: str | None = None,
    watch: bool = False,
    accept_zeros: bool = False,
    provisional: bool = False,
    course: Path | None = None,
) -> int:
    """Grade a class in parallel, with each submission in a sandbox; an interrupted run resumes.

    Example: `minibert grade 02 --source moodle.zip --watch`

    In Python: minibert.grading.class_run.grade_class.grade_class(root, assignment, policy, source, jobs).

    Args:
        assignment: name or number, such as 02_attention or 02
        source: folder, or zip from Moodle, Canvas, Blackboard, Brightspace or Google Classroom
            (default: nbgrader's submitted/)
        form: platform from which the source comes (default: recognised from the file names)
        jobs: number of submissions graded at the same time (default: number of cores)
        sandbox: program that isolates the submissions; with limits or none, they can read your files
            (default: bwrap, or the value of the environment variable MINIBERT_SANDBOX)
        time: seconds of CPU time for each exercise, including its tests; waiting is limited to half as
            long, and the whole exercise to five minutes or five times as long (default: 60)
        memory: megabytes of memory per submission (default: 4096)
        out: folder for the tables and the journal (default: grades/ASSIGNMENT)
        scheduler: address of a Dask scheduler whose workers grade, such as tcp://host:8786
        watch: open the class's page, which shows the progress; works for a run in another terminal, too
        accept_zeros: write grades even if the tests give more than half of the class 0 points
        provisional: write the points so far into the upload tables, even if text answers are not marked yet
        course: folder with nbgrader_config.py (default: the current folder if it has one, or the repository)
    """
    at_least(1, jobs=jobs)
    from ..grading.author.exercises import assignment_named
    from ..grading.class_run.grade_class import BusyError, grade_class
    from ..grading.report.class_page import PAGE, show
    from ..grading.report.sanitize import printable
    from ..grading.sandbox.availability import chosen_sandbox, require_sandbox
    from ..grading.sandbox.limits import Policy
    from ..training.threads import cores

    root = course_folder(course)
    assignment = assignment_named(root, assignment)
    folder = Path(root, "grades", assignment) if out is None else check_folder(out)
    policy = Policy(sandbox=sandbox or chosen_sandbox()).limited(time, memory)
    require_sandbox(policy.sandbox)
    try:
        found = grade_class(
            root,
            assignment,
            policy,
            source,
            jobs or cores(),
            out,
            scheduler,
            form=form or "",
            watch=watch,
            accept_zeros=accept_zeros,
            provisional=provisional,
        )
    except BusyError as error:
        if not watch:
            raise
        print(error, file=sys.stderr)
        show(folder / PAGE)
        return 0
    except ValueError as error:  # the message may contain the name of a student's file
        raise ValueError(printable(str(error))) from None
    print(f"{found.text}\n\nThe class's page, with links to all feedback: {folder / PAGE}")
    ungraded = any(result["status"] != "graded" for result in found.results.values())
    return int(ungraded or bool(found.refused) or found.stopped)


def course_folder(course: Path | None) -> Path:
    """Return the given folder, or else the current folder if it contains a course, or else the repository."""
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
    """Mark written answers in the browser, one question at a time, with all answers and a mark scheme.

    Example: `minibert mark 02`

    In Python: minibert.grading.class_run.mark.main(assignment, root).

    Args:
        assignment: name or number, such as 02_attention or 02
        port: port of the page on this machine; 0 chooses a free one
        source: folder or zip of the submissions (default: that of the last run)
        out: folder of the tables and the journal (default: grades/ASSIGNMENT)
        course: folder with nbgrader_config.py (default: the current folder if it has one, or the repository)
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
    """Grade one exercise of one student again, without taking points away, and record the change in a log.

    Example: `minibert regrade ada 02.1 --reason "her letter of May 3"`

    In Python: minibert.grading.class_run.regrade.regrade(root, Request(student, exercise, reason)).

    Args:
        student: name of the student, as in grades.csv
        exercise: exercise, such as 02.3 (the third of unit 02) or 02.softmax; with --points 0, also
            a unit, such as 02, for a submission that cannot be read
        reason: reason for the log; if you give points, the student reads it, too
        points: points to give by hand, without running the tests
        lower: allow the new points to be lower than the old ones
        time: seconds of CPU time per exercise (default: as for the class)
        memory: megabytes of memory for the submission (default: as for the class)
        source: folder or zip of the submissions (default: that of the last run)
        out: folder of the tables and the journal (default: grades/ASSIGNMENT)
        course: folder with nbgrader_config.py (default: the current folder if it has one, or the repository)
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
    """Find answers that are more similar than independent answers would be, and write a table and a page.

    Example: `minibert similar 02 --source moodle.zip`

    In Python: minibert.grading.integrity.similar.similar(root, assignment, source, out).

    Args:
        assignment: name or number, such as 02_attention or 02
        source: folder or zip, as for `grade` (default: nbgrader's submitted/)
        out: folder for similarity.csv and similarity.html (default: grades/ASSIGNMENT)
        course: folder with nbgrader_config.py (default: the current folder if it has one, or the repository)
    """
    from ..grading.author.exercises import assignment_named
    from ..grading.integrity.similar import similar

    root = course_folder(course)
    assignment = assignment_named(root, assignment)
    folder = Path(root, "grades", assignment) if out is None else check_folder(out)
    matches, same = similar(root, assignment, source, folder)
    for one in same:
        if one.students:
            print(
                f"{one.exercise}: {len(one.students)} of {one.answers} answers equal the solution, "
                f"{len(one.word_for_word)} of them word for word"
            )
    print(
        f"Pairs of answers that are more similar than independent answers usually are: {len(matches)}. "
        f"A person must judge them: "
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
    """Pack the grading into a zip for Gradescope or GitHub Classroom, which grade one submission at a time.

    Example: `minibert export-autograder 02 --platform gradescope`

    In Python: minibert.grading.export.autograder.export(root, assignment, platform, out).

    Args:
        assignment: name or number, such as 02_attention or 02
        platform: gradescope, for an autograder to upload, or github, for files for the template repository,
            without the hidden tests, because students could read them there
        out: zip to write (default: ASSIGNMENT-PLATFORM.zip)
        course: folder with nbgrader_config.py (default: the current folder if it has one, or the repository)
    """
    from ..grading.author.exercises import assignment_named
    from ..grading.export import autograder

    if out is not None:
        check_file(out)
    root = course_folder(course)
    path = autograder.export(root, assignment_named(root, assignment), platform, out)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB\n{autograder.READ_ME[platform]}", end="")


COMMANDS = (release, slides, grade, mark, regrade, similar, export_autograder, build)
