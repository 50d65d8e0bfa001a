"""Pack files into a reproducible zip, and write the zips of feedback for learning platforms."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..intake.records import Submission
from .gradebook import write

DATE = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same files always give the same bytes


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a zip of the files {name: contents}, with the scripts among them executable."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            about = zipfile.ZipInfo(name, DATE)
            about.compress_type = zipfile.ZIP_DEFLATED
            about.external_attr = (0o755 if data.startswith(b"#!") else 0o644) << 16
            archive.writestr(about, data)
    return made.getvalue()


def write_feedback(
    submissions: Sequence[Submission], page: Callable[[str], Path], name: str, folder: Path
) -> None:
    """Write PLATFORM-feedback.zip for each platform that takes the feedback of a whole class.

    page: a function that returns the path of a student's feedback page. name: the page's name in the zip,
    without ".html".
    """
    packed: dict[str, dict[str, bytes]] = {}
    for submission in submissions:
        path = page(submission.student)
        if submission.feedback and path.exists():
            files = packed.setdefault(submission.lms, {})
            files[f"{submission.feedback}{name}.html"] = path.read_bytes()
    for platform, files in packed.items():
        write(folder / f"{platform}-feedback.zip", zipped(files))
