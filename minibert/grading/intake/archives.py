"""Lists the files in a folder or a zip without unpacking them, and refuses those that could do harm.

Refused are a path that leaves the folder, an absolute path, a link, an encrypted file, a second file of one
path, and a file that is far too large; the other files are kept.
"""

import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

FILE_LIMIT = 256 * 2**20  # bytes; a notebook with outputs of 100 MB is still read
ENTRIES = 100_000  # files in one archive
LITTER = re.compile(r"(^|/)(__MACOSX|\.DS_Store|\._[^/]*|\.ipynb_checkpoints|Thumbs\.db)(/|$)")


@dataclass(frozen=True)
class HandedInFile:
    """One file: its name as the student chose it, its place, and a key that orders files of one name."""

    name: str
    place: Path
    member: str = ""  # in the zip `place`
    order: tuple[Any, ...] = (0,)

    def read(self) -> bytes:
        """Its bytes; raises ValueError if it is larger than the limit, whatever its archive said."""
        if not self.member:
            return self.place.read_bytes()
        with zipfile.ZipFile(self.place) as archive, archive.open(self.member) as file:
            data = file.read(FILE_LIMIT + 1)
        if len(data) > FILE_LIMIT:
            raise ValueError(f"{self.member}: larger than {FILE_LIMIT >> 20} MB")
        return data


def entries_of(path: str | Path) -> tuple[dict[str, HandedInFile], list[str]]:
    """({path in it: file}, refused) of a folder, a zip or a folder in a zip; raises ValueError without one.

    refused: sentences about files that are not taken.
    """
    path = Path(path)
    whole = next((place for place in (path, *path.parents) if place.is_file()), path)  # the zip of an inner
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
    """({path in the folder: file}, refused); links are not followed."""
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
    """({path in the zip: file}, refused); raises ValueError if it is no zip, or has too many files."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except zipfile.BadZipFile:
        raise ValueError(f"{path}: neither a folder nor a zip") from None
    if len(members) > ENTRIES:
        raise ValueError(f"{path}: {len(members)} files; a class has at most {ENTRIES}")
    entries, refused = {}, []
    for member in members:
        if member.is_dir():
            continue
        name = PurePosixPath(member.filename.replace("\\", "/")).as_posix()  # "./ada//a" is "ada/a"
        reason = reason_refused(member)
        if name in entries and not reason:
            refused.append(f"{printable(name)}: there twice; the last one counts")
        if reason:
            refused.append(f"{printable(member.filename)}: {reason}")
        else:
            entries[name] = HandedInFile(PurePosixPath(name).name, path, member.filename, member.date_time)
    return entries, refused


def reason_refused(member: zipfile.ZipInfo) -> str:
    """Why a member of a zip is refused; empty if it is not."""
    name = member.filename.replace("\\", "/")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "an absolute path"
    if ".." in name.split("/"):
        return "a path that leaves the folder"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "a link, not followed"
    if member.flag_bits & 1:
        return "encrypted"
    return f"larger than {FILE_LIMIT >> 20} MB" if member.file_size > FILE_LIMIT else ""


def printable(name: str) -> str:
    """The name with escapes for what a terminal would obey, such as ESC or a new line."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
