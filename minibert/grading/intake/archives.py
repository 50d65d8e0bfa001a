"""The files in a folder or a zip, each by its path, none unpacked; what could do harm is refused by name.

Refused are a path that leaves the folder, an absolute one, a link, an encrypted file, and one far too large:
the rest goes on.
"""
import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

FILE_LIMIT = 256 * 2**20    # bytes; a notebook with outputs of 100 MB is still read
ENTRIES = 100_000           # files in one archive
LITTER = re.compile(r"(^|/)(__MACOSX|\.DS_Store|\._[^/]*|\.ipynb_checkpoints|Thumbs\.db)(/|$)")


@dataclass(frozen=True)
class Handed:
    """One file: its name as the student chose it, where it lies, and what orders several of one name."""

    name: str
    place: Path
    member: str = ""    # in the zip `place`
    order: tuple = (0,)

    def read(self):
        """Its bytes. Raises ValueError where it is larger than its archive said."""
        if not self.member:
            return self.place.read_bytes()
        with zipfile.ZipFile(self.place) as archive, archive.open(self.member) as file:
            data = file.read(FILE_LIMIT + 1)
        if len(data) > FILE_LIMIT:
            raise ValueError(f"{self.member}: larger than {FILE_LIMIT >> 20} MB")
        return data


def entries_of(path):
    """({path in it: file}, refused) of a folder or a zip; raises ValueError where there is none."""
    path = Path(path)
    if not path.exists():
        raise ValueError(f"{path}: there is no such folder or zip")
    entries, refused = entries_of_folder(path) if path.is_dir() else entries_of_zip(path)
    return {name: file for name, file in entries.items() if not LITTER.search(name)}, refused


def entries_of_folder(folder):
    """({path in the folder: file}, refused) without following a link."""
    entries, refused = {}, []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if any(part.is_symlink()
               for part in (path, *list(path.parents)[:len(PurePosixPath(name).parts) - 1])):
            refused.append(f"{name}: a link, not followed")
        elif path.is_file() and path.stat().st_size > FILE_LIMIT:
            refused.append(f"{name}: larger than {FILE_LIMIT >> 20} MB")
        elif path.is_file():
            entries[name] = Handed(path.name, path)
    return entries, refused


def entries_of_zip(path):
    """({path in the zip: file}, refused); raises ValueError where it is no zip, or has too many files."""
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
        reason = harm(member)
        if reason:
            refused.append(f"{member.filename}: {reason}")
        else:
            name = member.filename.replace("\\", "/")
            entries[name] = Handed(PurePosixPath(name).name, path, member.filename, (*member.date_time,))
    return entries, refused


def harm(member):
    """Why a member of a zip is refused; empty where it is not."""
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
