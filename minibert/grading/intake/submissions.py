"""Read a class's submissions from nbgrader's `submitted/`, a folder, or a learning platform's zip.

The top-level names determine the archive's naming scheme and each file's owner. Nothing is unpacked: a
submission is read when it is graded.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath

from ..bounded import within
from .archives import READ, HandedInFile, entries_of
from .platforms import CLASSROOM, NBGRADER, PLATFORMS, Form, TopName, form_named, form_of
from .records import HandedIn, Owner, Submission
from .students import full_name, ids_of
from .top_names import TIMESTAMP, files_by_owner, stop_at_folder_around, tops_of

NOTEBOOKS = 5  # notebooks of one student that are considered
CONTROL = (TIMESTAMP, "submission_secret.txt", "user_info.json")
AGAIN = re.compile(r"-(\d+)(?=\.[^.]+$)")  # in Canvas, name-1.ipynb is a file that was handed in again


def read_submissions(
    path: str | Path,
    assignment: str,
    form: str = "",
    others: Collection[str] = (),
    zone: str = "UTC",
    known_ids: Collection[str] = (),
) -> HandedIn:
    """Return the submissions of an assignment in a folder, a zip, or a folder in a zip (`class.zip/inner`).

    form: the scheme by which files are named, a key of `platforms.FORMS`; by default, it is recognised from
    the top-level names. others: assignments whose folders are skipped. zone: time zone of the times in names.
    known_ids: ids of the students in the gradebook. Raises ValueError if the scheme is unclear, if two names
    would be treated as one student, or if there is nothing for this assignment.
    """
    entries, refused = entries_of(path)
    if form:
        chosen = form_named(form)
    else:
        stop_at_folder_around(path, entries, assignment)
        chosen = form_of(tops_of(entries), assignment)
    found, strange = files_by_owner(chosen, entries, assignment, set(others) - {assignment}, known_ids)
    ids = ids_of(list(found))
    read = [submission_of(ids[owner], owner, chosen, pairs, clock(zone)) for owner, pairs in found.items()]
    submissions = sorted(
        (newest_files(submission, assignment, chosen) for submission in read),
        key=lambda submission: submission.student,
    )
    if not submissions and not refused and not strange:
        raise ValueError(f"{path} contains no submission of {assignment}")
    said = (
        f"{path}: read as {chosen.title} ({chosen.times}); {len(submissions)} "
        f"{'student' if len(submissions) == 1 else 'students'}"
    )
    return HandedIn(submissions, refused + strange, said)


def clock(zone: str) -> Callable[[datetime], datetime]:
    """Return a function that converts a time on a platform's clock to naive UTC.

    Raises ValueError for an unknown zone.
    """
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        there = timezone.utc if zone == "UTC" else ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            f"c.Exchange.timezone: unknown time zone {zone!r}; use a name such as 'Europe/Berlin'"
        ) from None
    return lambda time: time.replace(tzinfo=there).astimezone(timezone.utc).replace(tzinfo=None)


def submission_of(
    student: str,
    owner: Owner,
    form: Form,
    pairs: Sequence[tuple[TopName, HandedInFile]],
    utc: Callable[[datetime], datetime],
) -> Submission:
    """Return the Submission with one student's files and the time of the newest file."""
    newest = max((known for known, _ in pairs), key=lambda known: (known.time or datetime.min, known.order))
    files = tuple(file for _, file in pairs)
    written = [file for file in files if file.name == TIMESTAMP] if form == NBGRADER else []
    time = utc(newest.time) if newest.time else read_time(written[0]) if written else None
    return Submission(
        student,
        files,
        full_name(owner.name) if owner.number or form == CLASSROOM else "",
        form.name if form in (*PLATFORMS, CLASSROOM) else "",
        owner.number,
        time,
        newest.late,
        feedback=newest.feedback,
    )


def newest_files(submission: Submission, assignment: str, form: Form) -> Submission:
    """Keep only the newest notebooks of a submission, and note what happened to its other files.

    The times of attempts and Canvas's numbers show which are newest. Files without either are all kept;
    grading decides whether they differ. In nbgrader's scheme, only the file with the assignment's name
    counts. If there are too many, those whose name contains the assignment's name are kept.
    """
    files = [file for file in submission.files if file.name not in CONTROL]
    newest: dict[str, HandedInFile] = {}
    for file in sorted(files, key=lambda file: (file.order[0], times_before(file.name), file.order)):
        name = AGAIN.sub("", file.name) if file.order[1] else file.name
        before = newest.get(name)
        if before and not any(before.order[place] and file.order[place] for place in (0, 1)):
            name = file.member or str(file.place)
            file = replace(file, name=name)
        newest[name] = file
    if all(file.order[0] for file in files):  # only the last attempt counts
        last = max((file.order[0] for file in files), default="")
        newest = {name: file for name, file in newest.items() if file.order[0] == last}
    notebooks = [file for file in newest.values() if file.name.endswith(".ipynb")]
    if form == NBGRADER and f"{assignment}.ipynb" in newest:
        notebooks = [newest[f"{assignment}.ipynb"]]
    graded = sorted(notebooks or list(newest.values()), key=lambda file: assignment in file.name)
    opened = sorted({PurePosixPath(file.member or file.place.name).name for file in graded if file.inner})
    notes = [f"The zip {name[:80]} was opened." for name in opened]
    if len(files) > len(newest):
        notes.append("The exercise was handed in more than once; the newest version counts.")
    others = sorted(file.name for file in newest.values() if file not in graded)
    if others:
        notes.append(f"Only the notebook is graded; these files are not used: {', '.join(others)[:200]}.")
    return replace(submission, files=tuple(graded[-NOTEBOOKS:]), notes=tuple(notes))


def times_before(name: str) -> int:
    """Return how often a file was handed in before, from the number that Canvas adds to its name."""
    found = AGAIN.search(name)
    return int(found[1][:9]) if found else 0


def read_time(file: HandedInFile) -> datetime | None:
    """Return the time in nbgrader's timestamp.txt as naive UTC, or None if it cannot be read."""
    from nbgrader.utils import parse_utc

    try:
        return parse_utc(within(READ, file.read)[:100].decode().strip())
    except (ValueError, OverflowError, UnicodeDecodeError):
        return None
