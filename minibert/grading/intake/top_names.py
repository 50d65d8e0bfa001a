"""Find the owner of each file in an archive from its top-level name alone."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from .archives import HandedInFile, opened, printable
from .platforms import (
    BLACKBOARD,
    CLASSROOM,
    FOLDERS,
    KINDS,
    NBGRADER,
    PLATFORMS,
    Form,
    TopName,
    users_of_blackboard,
)
from .records import Owner

Entries = dict[str, HandedInFile]  # path in the archive -> file
Found = dict[Owner, list[tuple[TopName, HandedInFile]]]
FROM_PLATFORMS = (*PLATFORMS, CLASSROOM)
TIMESTAMP = "timestamp.txt"  # nbgrader's file, in the folder of the assignment


def tops_of(entries: Entries) -> dict[str, bool]:
    """Return {top-level name: whether it is a folder}, without hidden files."""
    tops: dict[str, bool] = {}
    for path in entries:
        top, slash, _ = path.partition("/")
        if slash or not top.startswith("."):
            tops[top] = tops.get(top, False) or bool(slash)
    return tops


def stop_at_folder_around(path: str | Path, entries: Entries, assignment: str) -> None:
    """Raise ValueError if the archive's only folder may be one student's or the whole class's.

    Its contents cannot decide this, because a student may name folders after classmates.
    """
    (top, is_folder), *more = tops_of(entries).items() or [("", False)]
    if more or not is_folder or any(form.read(top, True) for form in PLATFORMS):
        return
    inner = tops_of({name.partition("/")[2]: file for name, file in entries.items()})
    own = [
        name
        for name, is_folder in inner.items()
        if not is_folder
        and not any(form.read(name, False) for form in FROM_PLATFORMS)
        and PurePosixPath(name).suffix.lower() in KINDS
    ]
    around = (
        not own
        and assignment not in inner
        and any(
            is_folder or any(form.read(name, False) for form in FROM_PLATFORMS)
            for name, is_folder in inner.items()
        )
    )
    if around:
        raise ValueError(
            f"{path} contains only the folder {top!r}. If it contains the class, use "
            f"{Path(path, top)} instead; if it belongs to one student, add --form folders"
        )


def files_by_owner(
    form: Form, entries: Entries, assignment: str, others: Collection[str], known_ids: Collection[str] = ()
) -> tuple[Found, list[str]]:
    """Group files by owner, and return ({owner: [(TopName, file), ...]}, refused).

    refused: sentences about names that do not follow the scheme `form`, and about files in a student's zip.
    known_ids: ids of students, which show where a user name begins.
    """
    told = {top: form.read(top, is_folder) for top, is_folder in tops_of(entries).items()}
    strange = [
        f"{printable(top)}: left out, because the archive was read as {form.title}"
        for top, known in told.items()
        if known is None and form != NBGRADER
    ]
    users = (
        users_of_blackboard([known.name for known in told.values() if known], assignment, known_ids)
        if (form == BLACKBOARD and any(told.values()))
        else {}
    )
    found: Found = {}
    taken = set()
    for top, inside in by_top(entries).items():
        known = told.get(top)
        if known is None:
            continue
        inside, refused = with_zips_opened(inside)
        strange += [f"{printable(top)}: {sentence}" for sentence in refused]
        if form in (NBGRADER, FOLDERS):
            inside = of_assignment(form, inside, assignment, others)
        owner = Owner(users.get(known.name, known.name), known.number, top if form == FOLDERS else "")
        for rest, file in inside.items():
            if rest or known.file or form == FOLDERS:  # otherwise it is Blackboard's own note on an attempt
                name = PurePosixPath(rest).name or known.file or file.name
                name = rest if (top, name) in taken else name  # two files of one name in different folders
                taken.add((top, name))
                file = replace(file, name=name, order=order(known, file))
                found.setdefault(owner, []).append((known, file))
    return found, strange


def by_top(entries: Entries) -> dict[str, Entries]:
    """Return {top-level name: {path inside it: file}}; the path inside a file is empty."""
    found: dict[str, Entries] = {}
    for name, file in sorted(entries.items()):
        top, _, rest = name.partition("/")
        found.setdefault(top, {})[rest] = file
    return found


def with_zips_opened(inside: Entries) -> tuple[Entries, list[str]]:
    """Return (a student's files with each zip replaced by its contents, sentences about refused files)."""
    found: Entries = {}
    refused = []
    for rest, file in inside.items():
        files, sentences = opened(file) if file.is_zip() else ({}, [])
        if not any(name.lower().endswith(KINDS) for name in files) and not file.name.lower().endswith(".zip"):
            files = {}  # such as an Office file
        refused += sentences
        # a single zip is opened in place, so that an assignment's folder in it is found
        around = PurePosixPath(rest).parent if len(inside) == 1 else PurePosixPath(rest)
        found |= {(around / name).as_posix(): one for name, one in files.items()} or {rest: file}
    return found, refused


def of_assignment(form: Form, inside: Entries, assignment: str, others: Collection[str]) -> Entries:
    """Return a student's files for this assignment.

    These are the files in and (except in nbgrader's scheme) next to the assignment's folder. If there is no
    such folder, they are all files outside other assignments' folders.
    """
    ours = {
        rest: file
        for rest, file in inside.items()
        if rest.startswith(f"{assignment}/")
        and (PurePosixPath(rest).name != TIMESTAMP or rest == f"{assignment}/{TIMESTAMP}")
    }
    if form == NBGRADER:
        return ours
    beside = {rest: file for rest, file in inside.items() if "/" not in rest}
    return (
        {**beside, **ours}
        if ours
        else {
            rest: file for rest, file in inside.items() if "/" not in rest or rest.split("/")[0] not in others
        }
    )


def order(known: TopName, file: HandedInFile) -> tuple[Any, ...]:
    """Return a key that sorts a student's files by attempt, then by their order in the platform's archive."""
    return (known.time.isoformat() if known.time else "", known.order, *file.order)
