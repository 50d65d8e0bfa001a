"""`minibert grade ASSIGNMENT`: a class, in parallel, with a journal, so that nothing is graded twice and
nothing is lost.

Each result is a file of its own, named by the hash of all that went into it: bundle, submission and policy.
Interrupted or killed, the next run goes on where this one stopped; a changed test, answer or limit gives
another hash, and so a new grade.
"""
import hashlib
import json
import sys
import warnings
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tqdm import tqdm

from ..intake.repair import assemble
from ..intake.submissions import read_submissions
from ..report.grade_tables import rows, write_tables
from ..report.gradebook import define, merge, open_course, open_gradebook, write
from ..report.summary import summary
from .bundle import Bundle, make_bundle
from .mark import ungraded
from .workers import grade_all, kernels

DIED = "Grading it ended the grader, twice."


@dataclass(frozen=True)
class ClassResult:
    """results: student -> dictionary, as `marking.mark` says. graded: how many were graded now, not found in
    the journal. rows: the table. text: the summary. refused: sentences about files that were not taken."""

    results: dict
    graded: int
    rows: list
    text: str
    refused: list


def grade_class(root, assignment, policy, source=None, jobs=1, out=None, scheduler=None, executor=kernels):
    """Grade all submissions of an assignment; returns a ClassResult.

    root: the course's folder. source: a folder or zip, default: nbgrader's `submitted/`. out: folder for the
    journal and the tables, default: `grades/ASSIGNMENT`. scheduler: address of a Dask scheduler, which then
    does the work instead of `jobs` processes here. Raises ValueError for an unknown assignment, or a source
    that holds none of it.
    """
    root, out = Path(root).resolve(), Path(out or Path(root, "grades", assignment))
    directory = open_course(root)
    known = make_bundle(root, assignment)
    place = source or directory.format_path(directory.submitted_directory, "", "")
    submissions, refused = read_submissions(place, assignment)
    bundle = bytes(known)
    results, done = {}, 0
    with open_gradebook(directory) as gradebook, warnings.catch_warnings():
        warnings.simplefilter("ignore")     # SQLAlchemy about nbgrader's own session
        define(gradebook, known)
        submissions = recognised(submissions, gradebook)
        # closed: interrupted here, the workers end, rather than wait for what nobody sends
        with closing(graded(submissions, bundle, policy, out / "journal", jobs, scheduler,
                            executor)) as found:
            for student, result, new in found:
                results[student] = result
                done += new
        for submission in submissions:      # in their order, whoever was ready first
            merge(gradebook, known, submission, results[submission.student], directory)
        table = rows(gradebook, known, submissions, results)
    write_tables(table, known, out)
    text = summary(table, results, refused)
    write(out / "summary.txt", text.encode())
    return ClassResult({submission.student: results[submission.student] for submission in submissions}, done,
                       table, text, refused)


def recognised(submissions, gradebook):
    """The submissions, each under the id that the gradebook has for its person: by the LMS's number, or by a
    name of one.
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


def graded(submissions, bundle, policy, journal, jobs, scheduler, executor):
    """Yield (student, result, whether it was graded now) of each submission; results found in the journal
    come first.
    """
    known, waiting = Bundle.of(bundle), {}
    for submission in submissions:
        try:
            data = submission.load()
        except (ValueError, OSError) as error:      # a damaged or lying archive
            yield submission.student, refusal(known, f"The file could not be read: {error}"), 1
            continue
        path = journal / f"{key(bundle, data, policy)}.json"
        result = recorded(path)
        if result:
            yield submission.student, result, 0
        else:
            waiting.setdefault(path, []).append(submission)
    if not waiting:
        return
    work = {path: ones[0].load for path, ones in waiting.items()}
    with closing(spread(work.items(), jobs, bundle, policy, executor, scheduler)) as found:
        for path, data in bar(found, len(work)):
            if data is None:
                result = refusal(known, DIED)
            else:
                result = json.loads(data)
                write(path, data)
            for submission in waiting[path]:        # equal bytes are graded once
                yield submission.student, result, 1


def spread(work, jobs, bundle, policy, executor, scheduler):
    """Results as they come, from processes here or from a cluster."""
    if scheduler:
        from .cluster import grade_on

        return grade_on(scheduler, work, bundle, policy)
    return grade_all(work, jobs, bundle, policy, executor)


def key(bundle, data, policy):
    """The name of a result: it changes with anything that went into it."""
    digest = hashlib.sha256(hashlib.sha256(bundle).digest() + hashlib.sha256(data).digest())
    digest.update(json.dumps(asdict(policy), sort_keys=True).encode())
    return digest.hexdigest()


def recorded(path):
    """The result in the journal; None where there is none, or where another try may do better."""
    try:
        result = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return None if result.get("again") else result


def refusal(bundle, reason):
    """The result of a submission that never came to be graded."""
    return json.loads(ungraded(bundle, assemble(bundle, {}, {}), reason, [], again=True))


def bar(results, total):
    """The results, with a progress bar on a terminal: done, not graded, time left."""
    failed = 0
    with tqdm(total=total, desc="grading", unit="submission", disable=None) as shown:
        for path, data in results:
            failed += data is None or json.loads(data)["status"] != "graded"
            shown.set_postfix(failed=failed, refresh=False)
            shown.update()
            yield path, data


def main(assignment, root, jobs, source=None, sandbox=None, out=None, scheduler=None):
    """The command: grades, prints the summary; returns 1 where a submission needs a person because it could
    not be graded.
    """
    from ..sandbox.containment import SandboxError, chosen, require
    from .two_processes import Policy

    policy = Policy(sandbox=sandbox or chosen())
    try:
        require(policy.sandbox)
    except SandboxError as error:
        print(error, file=sys.stderr)
        return 2
    found = grade_class(root, assignment, policy, source, jobs, out, scheduler)
    print(found.text)
    return int(any(result["status"] != "graded" for result in found.results.values()) or bool(found.refused))
