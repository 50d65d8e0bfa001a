"""Grade a class in parallel, and show the results as they arrive (`minibert grade`).

Each result is saved, so an interrupted run resumes where it stopped, with the same tables in the end.
"""

import json
import secrets
import warnings
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from ..author.assignment_bundle import Bundle, make_bundle
from ..intake.records import HandedIn, Submission
from ..intake.students import recognised
from ..intake.submissions import read_submissions
from ..report.class_page import PAGE, show
from ..report.class_report import ClassReport
from ..report.gradebook import define, open_course, open_gradebook, register, write
from ..report.zeros import LEAST, few_zeros, most_are_zero
from ..sandbox.limits import Policy
from .journal import journal_entry, journal_name, ungraded_result, unreadable
from .other_assignment import with_name
from .progress import Progress
from .worker_processes import Executor, Job, grade_all, open_kernels

if TYPE_CHECKING:
    from nbgrader.coursedir import CourseDirectory

DIED = "The grader stopped twice while grading it."
RUN = "last_run.json"


class BusyError(ValueError):
    """The error raised if another process is grading the class. The message names its progress page."""


@dataclass(frozen=True)
class ClassResult:
    """The result of grading a class.

    results: a dict that maps students to results, as described in `grade_submission`. graded: how many
    submissions were graded now rather than found in the journal. rows: the rows of the grade table. text: the
    summary. refused: messages about files that were refused. stopped: whether nothing was written because
    most submissions would get 0 points.
    """

    results: dict[str, Mapping[str, Any]]
    graded: int
    rows: Sequence[Mapping[str, Any]]
    text: str
    refused: list[str]
    stopped: bool = False


def grade_class(
    root: str | Path,
    assignment: str,
    policy: Policy,
    source: str | Path | None = None,
    jobs: int = 1,
    out: str | Path | None = None,
    scheduler: str | None = None,
    executor: Executor = open_kernels,
    form: str = "",
    watch: bool = False,
    accept_zeros: bool = False,
    provisional: bool = False,
) -> ClassResult:
    """Grade all submissions of an assignment, and update gradebook, feedback, tables and page after each.

    If the tests give most submissions 0 points, the archive, the tests or the grader is usually wrong. So the
    gradebook and the tables are written only once this has been ruled out.

    root: the course's folder. source: a folder or zip; by default, nbgrader's `submitted/`. out: the folder
    for the journal and the tables; by default, `grades/ASSIGNMENT`. scheduler: the address of a Dask
    scheduler, which then does the work instead of `jobs` local processes. form: the naming scheme of the
    source's files, see `intake.platforms`; by default, it is detected. watch: open the class's page, which
    shows the progress. accept_zeros: write everything even if most submissions get 0 points. provisional: put
    the points so far into the tables for upload while text answers are still unmarked. Raises ValueError for
    an unknown assignment, a source without submissions for it, or names that do not distinguish the students,
    and BusyError if another process is grading into the same folder.
    """
    done = 0
    with opened_class(root, assignment, source, out, form, print, held=not accept_zeros) as report:
        report.provisional = provisional
        policy = replace(policy, hidden_seed=hidden_seed(report.out / "journal"))

        def release() -> None:
            report.release()
            remember(report.out, source, policy, form)

        if accept_zeros or len(report.submissions) < LEAST:
            release()
        report.write("running")
        if watch:
            show(report.out / PAGE)
        try:
            # `closing` ends the workers on an interrupt; otherwise they would wait for more work
            with closing(
                graded(
                    report.submissions,
                    bytes(report.bundle),
                    policy,
                    report.out / "journal",
                    jobs,
                    scheduler,
                    executor,
                    root,
                )
            ) as found:
                for student, result, new in found:
                    report.add(student, result)
                    if report.held and few_zeros(report.results, len(report.submissions)):
                        release()
                    done += new
                    if new:  # saved results all arrive within seconds
                        report.write("running")
        except BaseException:
            report.write("stopped")
            raise
        if report.held and not most_are_zero(report.results):
            release()
        text = report.finish()
    return ClassResult(
        {submission.student: report.results[submission.student] for submission in report.submissions},
        done,
        report.table,
        text,
        report.refused,
        report.held,
    )


@contextmanager
def opened_class(
    root: str | Path,
    assignment: str,
    source: str | Path | None = None,
    out: str | Path | None = None,
    form: str = "",
    say: Callable[[str], object] = str,
    held: bool = False,
) -> Iterator[ClassReport]:
    """Yield a ClassReport that has no results yet, and lock its folder while it is in use."""
    root, out = Path(root).resolve(), Path(out or Path(root, "grades", assignment))
    with ExitStack() as stack:
        stack.enter_context(alone(out))  # first, because the bundle takes seconds
        directory, known = open_course(root), make_bundle(root, assignment)
        gradebook = stack.enter_context(open_gradebook(directory))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")  # SQLAlchemy warns about nbgrader's own session
        ids = {str(student.id) for student in gradebook.students}
        submissions, refused, said = handed_in(directory, assignment, source, form, ids)
        say(said)
        define(gradebook, known)
        submissions = recognised(submissions, gradebook)
        register(gradebook, submissions)
        yield ClassReport(gradebook, directory, known, submissions, refused, out, held)


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Lock the folder so that no other process grades into it; raise BusyError if one already does."""
    out.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(out / "lock", blocking=False):  # the system releases the lock when the process ends
            yield
    except Timeout:
        raise BusyError(f"another process is grading into {out}; {out / PAGE} shows its progress") from None


def remember(out: Path, source: str | Path | None, policy: Policy, form: str = "") -> None:
    """Save what a regrade needs: where the submissions are, how their files are named, and the limits."""
    record = {"source": source and str(Path(source).resolve()), "policy": asdict(policy), "form": form}
    write(out / RUN, json.dumps(record, sort_keys=True, indent=1).encode())


def last_run(out: Path) -> tuple[str | None, Policy, str]:
    """Return (folder or zip of the submissions, limits, naming scheme of their files) of the last run."""
    try:
        record = json.loads((out / RUN).read_bytes())
        return record["source"], Policy(**record["policy"]), record["form"]
    except (OSError, ValueError, TypeError, KeyError):
        raise ValueError(
            f"{out} contains no results from this version; run `minibert grade {out.name}` first"
        ) from None


def hidden_seed(journal: Path) -> int:
    """Return the random seed of this class's hidden tests, drawn by the first run and kept for later ones."""
    path = journal / "hidden_seed.txt"
    if not path.exists():
        write(path, f"{secrets.randbelow(2**53) + 1}\n".encode())
    try:
        return int(path.read_text())
    except ValueError:
        raise ValueError(f"{path} must contain one whole number; delete the file to draw a new one") from None


def handed_in(
    directory: "CourseDirectory",
    assignment: str,
    source: str | Path | None,
    form: str,
    known_ids: Collection[str] = (),
) -> HandedIn:
    """Read a class's submissions from `source` or, by default, from nbgrader's `submitted/`."""
    place = source or directory.format_path(directory.submitted_directory, "", "")
    others = {path.name for path in Path(directory.root, "solutions").glob("*/")}
    zone = directory.config.get("Exchange", {}).get("timezone", "UTC")
    form = form or ("" if source else "nbgrader")
    return read_submissions(place, assignment, form, others, zone, known_ids)


def graded(
    submissions: Sequence[Submission],
    bundle: bytes,
    policy: Policy,
    journal: Path,
    jobs: int,
    scheduler: str | None,
    executor: Executor,
    root: str | Path,
) -> Generator[tuple[str, dict[str, Any], int], None, None]:
    """Yield (student, result, 1 if newly graded or 0 if saved earlier), saved results first."""
    known = Bundle.from_bytes(bundle)
    waiting: dict[Path, list[Submission]] = {}
    progress = Progress(len(submissions))
    for submission in submissions:
        try:
            data = submission.load()
        except (ValueError, OSError) as error:  # the archive is damaged, or its sizes are wrong
            result = unreadable(known, error)
            progress.add(result["status"])
            yield submission.student, result, 1
            continue
        path = journal / f"{journal_name(bundle, data, policy)}.json"
        if kept := journal_entry(path):
            progress.add(kept["status"])
            yield submission.student, kept, 0
        else:
            waiting.setdefault(path, []).append(submission)
    if not waiting:
        return
    work = [(path, same[0].load) for path, same in waiting.items()]
    with progress, closing(grade_jobs(work, jobs, bundle, policy, executor, scheduler)) as found:
        progress.start()
        for path, made in found:
            result = (
                ungraded_result(known, DIED) if made is None else with_name(json.loads(made), known, root)
            )
            write(path, json.dumps(result, sort_keys=True).encode())
            progress.add(result["status"], len(waiting[path]))
            for submission in waiting[path]:  # identical submissions are graded only once
                yield submission.student, result, 1


def grade_jobs(
    work: Iterable[Job], jobs: int, bundle: bytes, policy: Policy, executor: Executor, scheduler: str | None
) -> Generator[tuple[Any, bytes | None], None, None]:
    """Yield (key, result or None) for each job as it finishes, in local processes or on a cluster."""
    if scheduler:
        from .dask_cluster import grade_on

        return grade_on(scheduler, work, bundle, policy)
    return grade_all(work, jobs, bundle, policy, executor)
