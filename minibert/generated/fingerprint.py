"""Compute a fingerprint of the generated language, which is stored with every number computed from it."""

from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from .files import FILE_KINDS, write_files
from .sentences.plans import KINDS
from .writer.documents import World

DIGITS = 12
DOCUMENTS, EXAMPLES = 20, 3  # sample sizes: documents of each kind, and examples of each file


def fingerprint() -> str:
    """Return 12 hex digits that identify the generated language, with its documents and labelled files.

    They are the start of the SHA-256 of a fixed sample. Results stored with other digits are out of date.
    """
    digest = sha256()
    for text in (*_sample_of_documents(), *_sample_of_files()):
        digest.update(text + b"\0")
    return digest.hexdigest()[:DIGITS]


def _sample_of_documents() -> list[bytes]:
    found: dict[str, list[bytes]] = {kind: [] for kind in KINDS}
    documents = World(seed=0).documents(count=10_000, seed=0)
    while any(len(texts) < DOCUMENTS for texts in found.values()):
        document = next(documents)
        found[document.kind].append(document.text.encode())
    return [text for texts in found.values() for text in texts[:DOCUMENTS]]


def _sample_of_files() -> list[bytes]:
    """Write a small file of each kind, and return all file names and contents as bytes."""
    with TemporaryDirectory() as folder:
        write_files(World(seed=0), EXAMPLES, seed=0, split="train", kinds=FILE_KINDS, folder=folder)
        paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        return [
            part
            for path in paths
            for part in (path.relative_to(folder).as_posix().encode(), path.read_bytes())
        ]
