"""Derive each student's id from the name, and report names that clash.

Two names also clash if they differ only in case or in Unicode composition, which many file systems ignore.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .records import Owner, Submission

if TYPE_CHECKING:
    from nbgrader.api import Gradebook, Student

ID_LIMIT = 100  # characters of an id made from a name
BY_NUMBER = "canvas"  # these platforms number persons; Moodle numbers participants in one assignment
BY_NAME = ("moodle", "brightspace", "classroom")  # their exports contain the persons' names


def ids_of(owners: Sequence[Owner]) -> dict[Owner, str]:
    """Return a dict that maps each owner to an id, which can be used as a folder name.

    A platform's number distinguishes students with the same name. Raises ValueError with both names if two
    owners would get the same id.
    """
    numbered = {owner.number: owner for owner in owners if owner.number}
    for owner in owners:
        if owner.number and numbered[owner.number].name != owner.name:
            raise ValueError(
                f"number {owner.number} has two names: {both(owner.name, numbered[owner.number].name)}"
            )
    count = Counter(folded(student_id(owner.name)) for owner in owners)
    ids: dict[Owner, str] = {}
    taken: dict[str, Owner] = {}
    for owner in owners:
        ids[owner] = student_id(owner.name)
        if count[folded(ids[owner])] > 1 and owner.number:
            ids[owner] += f"-{owner.number}"
        other = taken.setdefault(folded(ids[owner]), owner)
        if other != owner:
            raise ValueError(one_student(str(other), str(owner), ids[owner]))
    return ids


def one_student(first: str, second: str, identity: str) -> str:
    return f"{both(first, second)} would both be matched to the student {identity!r}; rename one of them"


def both(first: str, second: str) -> str:
    """Return two names in quotes, with escapes if they would otherwise look identical."""
    alike = unicodedata.normalize("NFKC", first) == unicodedata.normalize("NFKC", second)
    return " and ".join(map(ascii if alike else repr, (first, second)))


def student_id(name: str) -> str:
    """Return an id that can be used as a folder name: "Zoë van Dam" -> "Zoë-van-Dam".

    Symbols, such as emoji, are replaced by a hash of the name, so that "🙂" and "🎉" remain two students.
    """
    name = unicodedata.normalize("NFC", name)
    kept = re.sub(r"[^\w.@-]+", "-", name).strip("-.")[:ID_LIMIT]
    if kept and not any(map(is_symbol, name)):
        return kept
    return f"{kept or 'unnamed'}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"


def is_symbol(letter: str) -> bool:
    """Return whether a character is a symbol, such as an emoji, or unknown to this version of Python."""
    return unicodedata.category(letter) in ("So", "Cn", "Co")


def folded(identity: str) -> str:
    """Return an id with its case and Unicode composition normalised, for comparison."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", identity).casefold())


def full_name(name: str) -> str:
    """Return a person's name without characters that could be read as markup or a formula."""
    kept = "".join(
        c
        for c in unicodedata.normalize("NFC", name)
        if c.isalnum() or c in " .'-," or unicodedata.combining(c) or is_symbol(c)
    )
    return kept.strip(" -.,'")[:ID_LIMIT]


def recognised(submissions: Sequence[Submission], gradebook: "Gradebook") -> list[Submission]:
    """Return the submissions with the ids that the gradebook has for their students.

    A student is recognised by Canvas's number or by a unique name. If students share a name, the id in the
    gradebook (`Ada-Lovelace-7`) or the folder's name (`Ada Lovelace-7`) decides. Raises ValueError if any
    doubt remains.
    """
    students = list(gradebook.students)
    numbers = {student.lms_user_id: student for student in students if student.lms_user_id}
    count = Counter(name_of(student) for student in students)
    names = {name_of(student): student for student in students if count[name_of(student)] == 1}
    ids = {spelt: student for student in students for spelt in (folded(student.id), student.id)}
    sent = Counter(submission.full_name.casefold() for submission in submissions)
    found = []
    for submission in submissions:
        full, known = submission.full_name.casefold(), None
        if submission.lms == BY_NUMBER:
            known = numbers.get(submission.lms_id)
        if known is None and full and sent[full] == 1:
            known = names.get(full)
        stop_at_namesakes(submission, known, [student for student in students if name_of(student) == full])
        found.append(replace(submission, student=known_or_new(submission, known, ids)))
    stop_if_shared(found, submissions)
    return found


def stop_at_namesakes(
    submission: Submission, known: "Student | None", namesakes: Sequence["Student"]
) -> None:
    """Raise ValueError if multiple students have a submission's name and nothing else distinguishes them."""
    if known or submission.lms not in BY_NAME or not submission.full_name:
        return
    ids = [str(student.id) for student in namesakes]
    if ids and submission.student not in ids:
        known_ids = " or ".join(map(repr, ids))
        raise ValueError(
            f"{submission.full_name!r}, number {submission.lms_id}, could be {known_ids} or a new student; "
            f"in the archive, change this name to the right id, or to a name that is not in the gradebook"
        )


def known_or_new(submission: Submission, known: "Student | None", ids: Mapping[str, "Student"]) -> str:
    """Return the id of a submission's student, recognised or new.

    Raises ValueError if the id belongs to a student with another name.
    """
    candidate = known or ids.get(submission.student) or ids.get(folded(submission.student))
    if candidate is None:
        return submission.student
    if (
        submission.lms == BY_NUMBER and candidate.lms_user_id and candidate.lms_user_id != submission.lms_id
    ):  # another student with the same name
        return f"{submission.student}-{submission.lms_id}"
    called = name_of(candidate)
    full = submission.full_name.casefold()
    named = full == called or full.startswith(called) and student_id(submission.full_name) == candidate.id
    if submission.lms in BY_NAME and called and not named:
        theirs = f"{candidate.first_name or ''} {candidate.last_name or ''}".strip()
        raise ValueError(
            f"{submission.full_name!r} would be matched to the student {candidate.id!r}, whom the "
            f"gradebook calls {theirs!r}; rename one of them"
        )
    return str(candidate.id)


def name_of(student: "Student") -> str:
    """Return a student's full name in the gradebook, case-folded for comparison."""
    return f"{student.first_name or ''} {student.last_name or ''}".strip().casefold()


def stop_if_shared(found: Sequence[Submission], sent: Sequence[Submission]) -> None:
    """Raise ValueError if two of the submissions in `found` belong to the same student."""
    taken: dict[str, int] = {}
    for place, submission in enumerate(found):
        other = taken.setdefault(folded(submission.student), place)
        if other != place:
            first, second = (sent[at].full_name or sent[at].student for at in (other, place))
            raise ValueError(one_student(first, second, submission.student))
