"""Functions that list the files in a folder or a zip without unpacking it, and refuse harmful files.

They refuse paths that lead out of the folder, absolute paths, links, encrypted files and files that are far
too large. If two files have the same path, the last one counts. All other files are kept.
"""

import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

FILE_LIMIT = 256 * 2**20  # bytes; large enough for a notebook with 100 MB of outputs
ENTRIES = 100_000  # files in one archive
LITTER = re.compile(r"(^|/)(__MACOSX|\.DS_Store|\._[^/]*|\.ipynb_checkpoints|Thumbs\.db)(/|$)")


@dataclass(frozen=True)
class HandedInFile:
    """A file: the name that the student chose, the file or zip that holds it, and a key to sort files by."""

    name: str
    place: Path
    member: str = ""  # path in the zip `place`
    order: tuple[Any, ...] = (0,)

    def read(self) -> bytes:
        """Return the file's bytes.

        Raises ValueError if they exceed the limit, regardless of the size that the archive states.
        """
        if not self.member:
            return self.place.read_bytes()
        with zipfile.ZipFile(self.place) as archive, archive.open(self.member) as file:
            data = file.read(FILE_LIMIT + 1)
        if len(data) > FILE_LIMIT:
            raise ValueError(f"{self.member}: larger than {FILE_LIMIT >> 20} MB")
        return data


def entries_of(path: str | Path) -> tuple[dict[str, HandedInFile], list[str]]:
    """Return ({path inside: file}, refused) for a folder, a zip or a folder in a zip.

    `refused` has a sentence about each refused file. Raises ValueError if there is no such folder or zip.
    """
    path = Path(path)
    whole = next((place for place in (path, *path.parents) if place.is_file()), path)  # may be a zip
    if not whole.exists():
        raise ValueError(f"{path}: there is no such folder or zip")
    entries, refused = entries_of_folder(path) if path.is_dir() else entries_of_zip(whole)
    inner = "".join(f"{part}/" for part in path.relative_to(whole).parts)
    return {
        name.removeprefix(inner): file
        for name, file in entries.items()
        if name.startswith(inner) and not LITTER.search(name)
    }, refused


def entries_of_folder(folder: Path) -> tuple[dict[str, HandedInFile], list[str]]:
    """Return ({path in the folder: file}, sentences about refused files), without following links."""
    entries, refused = {}, []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if any(
            part.is_symlink() for part in (path, *list(path.parents)[: len(PurePosixPath(name).parts) - 1])
        ):
            refused.append(f"{printable(name)}: a link, not followed")
        elif path.is_file() and path.stat().st_size > FILE_LIMIT:
            refused.append(f"{printable(name)}: larger than {FILE_LIMIT >> 20} MB")
        elif path.is_file():
            entries[name] = HandedInFile(path.name, path)
    return entries, refused


def entries_of_zip(path: Path) -> tuple[dict[str, HandedInFile], list[str]]:
    """Return ({path in the zip: file}, sentences about refused files).

    Raises ValueError if the file is not a zip or contains too many files.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except zipfile.BadZipFile:
        raise ValueError(f"{path} is neither a folder nor a zip") from None
    if len(members) > ENTRIES:
        raise ValueError(f"{path} contains {len(members)} files, but at most {ENTRIES} are allowed")
    entries, refused = {}, []
    for member in members:
        if member.is_dir():
            continue
        name = PurePosixPath(member.filename.replace("\\", "/")).as_posix()  # "./ada//a" is "ada/a"
        reason = reason_refused(member)
        if name in entries and not reason:
            refused.append(f"{printable(name)}: this file occurs twice; the last one counts")
        if reason:
            refused.append(f"{printable(member.filename)}: {reason}")
        else:
            entries[name] = HandedInFile(PurePosixPath(name).name, path, member.filename, member.date_time)
    return entries, refused


def reason_refused(member: zipfile.ZipInfo) -> str:
    """Return why a member of a zip is refused, or an empty string if it is accepted."""
    name = member.filename.replace("\\", "/")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "an absolute path"
    if ".." in name.split("/"):
        return "a path that leads out of the folder"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "a link, not followed"
    if member.flag_bits & 1:
        return "encrypted"
    return f"larger than {FILE_LIMIT >> 20} MB" if member.file_size > FILE_LIMIT else ""


def printable(name: str) -> str:
    """Escape the characters in a name that would control a terminal, such as ESC or a newline."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
