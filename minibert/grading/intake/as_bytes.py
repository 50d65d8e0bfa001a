"""Pack a submission's files into a single bytes object, for storage or another process."""

import json
from collections.abc import Mapping, Sequence


def to_bytes(files: Mapping[str, bytes], notes: Sequence[str] = ()) -> bytes:
    """Pack files ({name: bytes}) and notes for the feedback into a single bytes object."""
    head = {"files": [[name, len(data)] for name, data in files.items()], "notes": list(notes)}
    return json.dumps(head).encode() + b"\n" + b"".join(files.values())


def from_bytes(data: bytes) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Unpack the result of `to_bytes` and return (files, notes)."""
    line, _, rest = data.partition(b"\n")
    head, files, start = json.loads(line), {}, 0
    for name, size in head["files"]:
        files[name] = rest[start : start + size]
        start += size
    return files, tuple(head["notes"])
