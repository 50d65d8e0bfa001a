"""A reader for UTF-8 text, with errors that name the file, the line (or the JSON path) and the rule."""

import codecs
import io
import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from ..spelling import did_you_mean

LONGEST = 300  # maximum length of a rule in a message, because a broken file may be one huge cell
# The first bytes of files that are not UTF-8, with advice.
OTHER_FORMATS = {
    b"\x1f\x8b": "gzip; unpack it first: gunzip FILE",
    b"PK\x03\x04": "a zip archive or an Excel file; unpack it, or save it as CSV in UTF-8",
    b"\xff\xfe": "UTF-16; save it as UTF-8",
    b"\xfe\xff": "UTF-16; save it as UTF-8",
}
NUL = "a NUL character (byte 0x00), as in UTF-16 or binary files; save the text as UTF-8"
HALF_PAIR = "contains half of a surrogate pair, which is not a character"
half_of_a_pair = re.compile("[\ud800-\udfff]").search  # possible in JSON and in Python, but not in UTF-8
Error = TypeVar("Error", bound="CorpusError")


class CorpusError(ValueError):
    """An error in a file's format, such as `train.conll:17: 3 columns, but the lines before have 2`."""

    @classmethod
    def at(cls: type[Error], path: str | Path, rule: str, line: int | None = None) -> Error:
        """Return the error for a file that breaks a rule, with a line number (from 1) if it is known.

        The middle of a long rule is omitted, because its end lists the allowed values.

        >>> message = str(CorpusError.at("train.tsv", f"label {'x' * 9999!r} is not one of 0, 1", 7))
        >>> len(message), message[-18:]
        (316, 'is not one of 0, 1')
        """
        if len(rule) > LONGEST:
            rule = f"{rule[: LONGEST // 2]} … {rule[-(LONGEST // 2) :]}"
        return cls(f"{path}:{line}: {rule}" if line else f"{path}: {rule}")


def check_characters(text: str, name: str) -> None:
    """Raise ValueError, with the text and its name, if it contains half of a surrogate pair."""
    if half_of_a_pair(text):
        rule = "contains half of a surrogate pair, or a byte that is not UTF-8"
        raise ValueError(f"{name} {rule}: {text!r:.60}")


def read_text(path: str | Path) -> str:
    """Return the text of a UTF-8 file with \\n line ends, without a byte order mark.

    Raises CorpusError if the file is missing, unreadable, empty, blank, not UTF-8, or a folder.
    """
    return "".join(stream_text(path))


def stream_text(path: str | Path, size: int = 1 << 20) -> Iterator[str]:
    """Yield the text of a file in parts of at most `size` bytes, so that it may be larger than memory.

    Raises CorpusError like `read_text`, but only when it reaches the error; a blank file is detected at its
    end.
    """
    return decoded(path, bytes_of(path, size))


def bytes_of(path: str | Path, size: int = 1 << 20) -> Iterator[bytes]:
    """Yield the bytes of a file, at most `size` at a time.

    Raises CorpusError if the file is missing, unreadable or a folder.
    """
    path = Path(path)
    if path.is_dir():
        raise CorpusError.at(path, "this is a folder, but a file is needed")
    try:
        with open(path, "rb") as file:
            yield from iter(lambda: file.read(size), b"")
    except FileNotFoundError:
        others = [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
        raise CorpusError.at(path, f"no such file{did_you_mean(path.name, others)}") from None
    except OSError as error:
        raise CorpusError.at(path, f"cannot be read: {error.strerror}") from None


def decoded(path: str | Path, chunks: Iterable[bytes]) -> Iterator[str]:
    """Decode bytes to text, chunk by chunk; `path` is used in messages."""
    ends = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")(), translate=True)
    read = lines = 0  # numbers of bytes and line ends before this chunk
    rule, first = "the file is empty", b""
    for chunk in itertools.chain(chunks, [b""]):  # the empty chunk at the end detects a truncated character
        first = first or chunk[:4]
        try:
            text = ends.decode(chunk, final=not chunk)  # type: ignore[arg-type]  # the stub says str
        except UnicodeDecodeError as error:  # error.object has undecoded earlier bytes before this chunk
            place = read + len(chunk) - len(error.object) + error.start
            byte = f"not UTF-8: byte 0x{error.object[error.start]:02x} (byte {place + 1} of the file)"
            byte += next(
                (f"; it is {what}" for start, what in OTHER_FORMATS.items() if first.startswith(start)), ""
            )
            raise CorpusError.at(path, byte, lines + error.object.count(b"\n", 0, error.start) + 1) from None
        if (nul := chunk.find(b"\0")) >= 0:
            raise CorpusError.at(path, NUL, lines + chunk.count(b"\n", 0, nul) + 1)
        read, lines = read + len(chunk), lines + chunk.count(b"\n")
        if rule and text:
            rule = "the file has only blank lines" if text.isspace() else ""
        yield text
    if rule:
        raise CorpusError.at(path, rule)
