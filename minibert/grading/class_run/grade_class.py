"""`minibert grade ASSIGNMENT`: grades a class in parallel; thanks to a journal, no work is lost or repeated.

Each result is a file of its own, named by the hash of all that it depends on: bundle, submission and policy.
Interrupted or killed, the next run goes on where this one stopped; a changed test, answer or limit gives
another hash, and so a new grade.
"""
import hashlib
import json
import sys
import warnings
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from ..author.assignment_bundle import Bundle, make_bundle
from ..intake.repair import assemble
from ..intake.submissions import Submission, read_submissions
from ..report.class_summary import summary
from ..report.flag_table import write_flags
from ..report.grade_tables import rows, write_tables
from ..report.gradebook import define, open_course, open_gradebook, write, write_result
from ..sandbox.availability import SandboxError, chosen_sandbox, require_sandbox
from ..sandbox.limits import Policy
from .grade_submission import ungraded
from .worker_processes import Executor, Job, grade_all, open_kernels

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

DIED = "Grading it ended the grader, twice."


@dataclass(frozen=True)
class ClassResult:
    """What grading a class gave.

    results: student -> dictionary, see `grade_submission`. graded: how many were graded now, not found in the
    journal. rows: the table. text: the summary. refused: sentences about files that were not taken.
    """

    results: dict[str, dict[str, Any]]
    graded: int
    rows: list[dict[str, Any]]
    text: str
    refused: list[str]


def grade_class(root: str | Path, assignment: str, policy: Policy, source: str | Path | None = None,
                jobs: int = 1, out: str | Path | None = None, scheduler: str | None = None,
                executor: Executor = open_kernels) -> ClassResult:
    """Grade all submissions of an assignment, and write gradebook, feedback, tables and summary.

    root: the course's folder. source: a folder or zip, default: nbgrader's `submitted/`. out: folder for the
    journal and the tables, default: `grades/ASSIGNMENT`. scheduler: address of a Dask scheduler, which then
    does the work instead of `jobs` processes here. Raises ValueError for an unknown assignment, or a source
    without submissions of it.
    """
    root, out = Path(root).resolve(), Path(out or Path(root, "grades", assignment))
    directory = open_course(root)
    known = make_bundle(root, assignment)
    place = source or directory.format_path(directory.submitted_directory, "", "")
    submissions, refused = read_submissions(place, assignment)
    bundle = bytes(known)
    results: dict[str, dict[str, Any]] = {}
    done = 0
    with open_gradebook(directory) as gradebook, warnings.catch_warnings():
        warnings.simplefilter("ignore")     # SQLAlchemy about nbgrader's own session
        define(gradebook, known)
        submissions = recognised(submissions, gradebook)
        # closing: if this is interrupted, the workers end instead of waiting for more
        with closing(graded(submissions, bundle, policy, out / "journal", jobs, scheduler,
                            executor)) as found:
            for student, result, new in found:
                results[student] = result
                done += new
        for submission in submissions:      # in their order, whichever was ready first
            write_result(gradebook, known, submission, results[submission.student], directory)
        table = rows(gradebook, known, submissions, results)
    write_tables(table, known, out)
    write_flags(results, out)
    text = summary(table, results, refused)
    write(out / "summary.txt", text.encode())
    return ClassResult({submission.student: results[submission.student] for submission in submissions}, done,
                       table, text, refused)


def recognised(submissions: Sequence[Submission], gradebook: "Gradebook") -> list[Submission]:
    """The submissions under the ids that the gradebook has for these students.

    A student is recognised by the LMS's number, or by a name that only one student has.
    """
    numbers = {student.lms_user_id: student.id for student in gradebook.students if student.lms_user_id}
    names = [(f"{student.first_name or ''} {student.last_name or ''}".strip().casefold(), student.id)
             for student in gradebook.students]
    count = Counter(name for name, _ in names)
    ids = {name: identity for name, identity in names if name and count[name] == 1}
    sent = Counter(submission.full_name.casefold() for submission in submissions)

    def whose(submission):
        full = submission.full_name.casefold()
        by_number = numbers.get(submission.lms_id) if submission.lms == "canvas" else None
        return by_number or (ids.get(full) if sent[full] == 1 else None) or submission.student
    return [replace(submission, student=whose(submission)) for submission in submissions]


def graded(submissions: Iterable[Submission], bundle: bytes, policy: Policy, journal: Path, jobs: int,
           scheduler: str | None,
           executor: Executor) -> Generator[tuple[str, dict[str, Any], int], None, None]:
    """Yield (student, result, 1 if it was graded now, else 0); results in the journal come first."""
    known = Bundle.from_bytes(bundle)
    waiting: dict[Path, list[Submission]] = {}
    for submission in submissions:
        try:
            data = submission.load()
        except (ValueError, OSError) as error:      # a damaged or lying archive
            yield submission.student, ungraded_result(known, f"The file could not be read: {error}"), 1
            continue
        path = journal / f"{journal_name(bundle, data, policy)}.json"
        result = journal_entry(path)
        if result:
            yield submission.student, result, 0
        else:
            waiting.setdefault(path, []).append(submission)
    if not waiting:
        return
    work = [(path, same[0].load) for path, same in waiting.items()]
    with closing(grade_jobs(work, jobs, bundle, policy, executor, scheduler)) as found:
        for path, made in with_progress_bar(found, len(work)):
            if made is None:
                result = ungraded_result(known, DIED)
            else:
                result = json.loads(made)
                write(path, made)
            for submission in waiting[path]:        # equal bytes are graded once
                yield submission.student, result, 1


def grade_jobs(work: Iterable[Job], jobs: int, bundle: bytes, policy: Policy, executor: Executor,
               scheduler: str | None) -> Generator[tuple[Any, bytes | None], None, None]:
    """(key, result or None) as they come, from processes here or from a cluster."""
    if scheduler:
        from .dask_cluster import grade_on

        return grade_on(scheduler, work, bundle, policy)
    return grade_all(work, jobs, bundle, policy, executor)


def journal_name(bundle: bytes, data: bytes, policy: Policy) -> str:
    """The name of a result in the journal; it changes with anything that the result depends on."""
    digest = hashlib.sha256(hashlib.sha256(bundle).digest() + hashlib.sha256(data).digest())
    digest.update(json.dumps(asdict(policy), sort_keys=True).encode())
    return digest.hexdigest()


def journal_entry(path: Path) -> dict[str, Any] | None:
    """The result in the journal; None without one, or if another try may succeed."""
    try:
        result = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return None if result.get("again") else result


def ungraded_result(bundle: Bundle, reason: str) -> dict[str, Any]:
    """The result of a submission that could not even be read, or that ended its graders."""
    return json.loads(ungraded(bundle, assemble(bundle, {}, {}), reason, [], again=True))


def with_progress_bar(results: Iterable[tuple[Any, bytes | None]],
                      total: int) -> Iterator[tuple[Any, bytes | None]]:
    """The results, with a progress bar on a terminal: done, not graded, time left."""
    failed = 0
    with tqdm(total=total, desc="grading", unit="submission", disable=None) as shown:
        for path, data in results:
            failed += data is None or json.loads(data)["status"] != "graded"
            shown.set_postfix(failed=failed, refresh=False)
            shown.update()
            yield path, data


def main(assignment: str, root: str | Path, jobs: int, source: str | Path | None = None,
         sandbox: str | None = None, out: str | Path | None = None, scheduler: str | None = None) -> int:
    """The command: grades and prints the summary; returns the exit status.

    It is 1 if a submission could not be graded and needs a person, 2 without the sandbox.
    """
    policy = Policy(sandbox=sandbox or chosen_sandbox())
    try:
        require_sandbox(policy.sandbox)
    except SandboxError as error:
        print(error, file=sys.stderr)
        return 2
    found = grade_class(root, assignment, policy, source, jobs, out, scheduler)
    print(found.text)
    return int(any(result["status"] != "graded" for result in found.results.values()) or bool(found.refused))
