"""List the files in a folder or a zip without unpacking it, and refuse harmful ones.

These are refused: paths that lead out of the folder, absolute paths, links, encrypted files and files that
are far too large. If two files have the same path, the last one counts. A zip that a student handed in is
listed by the same rules, but a zip inside it is not opened.
"""

import io
import re
import stat
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from ..bounded import LimitError, Limits, within

READ = Limits(seconds=5, output=320 * 2**20)  # of reading one student's files
ZIP = b"PK\x03\x04"  # how a zip begins
FILE_LIMIT = 256 * 2**20  # bytes; large enough for a notebook with 100 MB of outputs
ENTRIES = 100_000  # files in one archive
DIRECTORY_ENTRY = b"PK\x01\x02"  # signature of an entry in a zip's table of contents
UTF8_FLAG = 0x800  # flag: the file name is UTF-8
LITTER = re.compile(r"(^|/)(__MACOSX|\.DS_Store|\._[^/]*|\.ipynb_checkpoints|Thumbs\.db)(/|$)")


@dataclass(frozen=True)
class HandedInFile:
    """A file that was handed in: its name, the file or zip that contains it, and a key to sort files by."""

    name: str
    place: Path
    member: str = ""  # path in the zip `place`
    order: tuple[Any, ...] = (0,)
    inner: str = ""  # path in the zip that the file `member` or `place` is

    def read(self) -> bytes:
        """Return the file's bytes.

        Raises ValueError if they exceed the limit, regardless of the size that the archive states.
        """
        data = member_of(self.place, self.member) if self.member else self.place.read_bytes()
        return member_of(io.BytesIO(data), self.inner) if self.inner else data

    def is_zip(self) -> bool:
        """Return whether the file is a zip, by its name or its first bytes, as some students rename a zip."""
        if self.name.lower().endswith(".zip"):
            return True
        try:
            if not self.member:
                with self.place.open("rb") as file:
                    return file.read(len(ZIP)) == ZIP
            with zipfile.ZipFile(self.place) as opened, opened.open(self.member) as member:
                return member.read(len(ZIP)) == ZIP
        except Exception:  # grading reports a file that cannot be read
            return False


def member_of(archive: Path | io.BytesIO, member: str) -> bytes:
    """Return the bytes of one file in a zip.

    Raises ValueError if the zip is damaged, or if the file is larger than the limit.
    """
    try:
        with zipfile.ZipFile(archive) as opened, opened.open(member) as file:
            data = file.read(FILE_LIMIT + 1)
    except Exception as error:  # each compression method raises its own errors for damaged data
        raise ValueError(f"{member}: {error}") from None
    if len(data) > FILE_LIMIT:
        raise ValueError(f"{member}: larger than {FILE_LIMIT >> 20} MB")
    return data


def entries_of(path: str | Path) -> tuple[dict[str, HandedInFile], list[str]]:
    """List the files in a folder, a zip or a folder in a zip, and return ({path: file}, refused).

    `refused` contains a sentence about each refused file. Raises ValueError if there is no such folder or
    zip.
    """
    path = Path(path)
    whole = next((place for place in (path, *path.parents) if place.is_file()), path)  # may be a zip
    if not whole.exists():
        raise ValueError(f"{path}: no such folder or zip file")
    entries, refused = entries_of_folder(path) if path.is_dir() else entries_of_zip(whole)
    inner = "".join(f"{part}/" for part in path.relative_to(whole).parts)
    return {
        name.removeprefix(inner): file
        for name, file in entries.items()
        if name.startswith(inner) and not LITTER.search(name)
    }, refused


def entries_of_folder(folder: Path) -> tuple[dict[str, HandedInFile], list[str]]:
    """List the files in a folder, and return ({path: file}, sentences about refused files)."""
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
    """List the files in a zip, and return ({path: file}, sentences about refused files).

    Raises ValueError if the file is not a zip or contains too many files.
    """
    try:
        members, refused = members_of(path)
    except ValueError as error:
        raise ValueError(f"{path} {error}") from None
    return {
        name: HandedInFile(PurePosixPath(name).name, path, member.filename, member.date_time)
        for name, member in members.items()
    }, refused


def opened(file: HandedInFile) -> tuple[dict[str, HandedInFile], list[str]]:
    """List the files in a zip from a student, and return ({path: file}, sentences about refused files).

    The dict is empty if the file is not a zip, or if no file in it is accepted.
    """
    try:
        return within(READ, opened_here, file)
    except LimitError:  # grading reports a file that cannot be read
        return {}, []


def opened_here(file: HandedInFile) -> tuple[dict[str, HandedInFile], list[str]]:
    """List the files in a zip from a student in this process; see `opened`."""
    data = file.read()
    if data.count(DIRECTORY_ENTRY) > ENTRIES:  # checked before millions of files are listed
        return {}, [f"{printable(file.name)}: contains more than {ENTRIES} files"]
    members, refused = members_of(io.BytesIO(data))
    return {
        name: replace(file, name=PurePosixPath(name).name, inner=member.filename)
        for name, member in members.items()
        if not LITTER.search(name)
    }, [f"{printable(file.name)}/{sentence}" for sentence in refused]


def members_of(path: Path | io.BytesIO) -> tuple[dict[str, zipfile.ZipInfo], list[str]]:
    """List the entries of a zip, and return ({path: entry}, sentences about refused entries).

    Raises ValueError if the file is not a readable zip, or if it contains too many files.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            listed = archive.infolist()
    except zipfile.BadZipFile:
        raise ValueError("is neither a folder nor a zip file") from None
    except Exception as error:  # a damaged table of contents raises many kinds of errors
        raise ValueError(f"is a zip that cannot be read ({error})") from None
    if len(listed) > ENTRIES:
        raise ValueError(f"contains {len(listed)} files, but at most {ENTRIES} are allowed")
    members: dict[str, zipfile.ZipInfo] = {}
    refused = []
    for member in listed:
        if member.is_dir():
            continue
        written = name_of(member).replace("\\", "/")
        name = PurePosixPath(written).as_posix()  # "./ada//a" is "ada/a"
        reason = reason_refused(member, written)
        if name in members and not reason:
            refused.append(f"{printable(name)}: this file occurs twice; the last one counts")
        if reason:
            refused.append(f"{printable(written)}: {reason}")
        else:
            members[name] = member
    return members, refused


def name_of(member: zipfile.ZipInfo) -> str:
    """Return the path of a file in a zip.

    A name without the UTF-8 flag should be in code page 437, but many programs write UTF-8 without the flag,
    so it is read as UTF-8 if it is valid UTF-8.
    """
    if member.flag_bits & UTF8_FLAG:
        return member.filename
    try:
        return member.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return member.filename


def reason_refused(member: zipfile.ZipInfo, name: str) -> str:
    """Return why an entry of a zip, with the path `name`, is refused, or an empty string if it is not."""
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
    """Escape characters that would control a terminal, such as ESC or a newline."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
