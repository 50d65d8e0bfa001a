"""Read UTF-8 text; `CorpusError` names the file, the line (or the place in its JSON) and the rule.

Every reader of data files opens them here, so that a missing, empty or wrongly encoded file is refused in the
same words everywhere.
"""

import codecs
import io
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

LONGEST = 300  # characters of a message's rule: a broken file may put all of itself into one cell
Error = TypeVar("Error", bound="CorpusError")


class CorpusError(ValueError):
    """A file breaks a rule of its format: `train.conll:17: 3 columns, but the lines before have 2`."""

    @classmethod
    def at(cls: type[Error], path: str | Path, rule: str, line: int | None = None) -> Error:
        """Return the error for a file that breaks a rule, at a line (counted from 1) where one is known.

        The middle of a long rule is left out: its end says what is allowed.

        >>> message = str(CorpusError.at("train.tsv", f"label {'x' * 9999!r} is not one of 0, 1", 7))
        >>> len(message), message[-18:]
        (316, 'is not one of 0, 1')
        """
        if len(rule) > LONGEST:
            rule = f"{rule[: LONGEST // 2]} … {rule[-(LONGEST // 2) :]}"
        return cls(f"{path}:{line}: {rule}" if line else f"{path}: {rule}")


def read_text(path: str | Path) -> str:
    """Return the text of a UTF-8 file with \\n line ends, without a byte order mark.

    Raises CorpusError for a file that is missing, a folder, unreadable, empty or blank, or not UTF-8.
    """
    return "".join(stream_text(path))


def stream_text(path: str | Path, size: int = 1 << 20) -> Iterator[str]:
    """Yield the text of a file as `read_text` returns it, in parts of at most `size` bytes.

    So a file may be larger than memory. Raises what `read_text` does, when it reaches the place; a blank file
    is refused only at its end.
    """
    return decoded(path, bytes_of(path, size))


def bytes_of(path: str | Path, size: int = 1 << 20) -> Iterator[bytes]:
    """Yield the bytes of a file, at most `size` at a time.

    Raises CorpusError for a file that is missing, a folder, or unreadable.
    """
    path = Path(path)
    if path.is_dir():
        raise CorpusError.at(path, "a folder, where a file is needed")
    try:
        with open(path, "rb") as file:
            yield from iter(lambda: file.read(size), b"")
    except FileNotFoundError:
        raise CorpusError.at(path, "no such file") from None
    except OSError as error:
        raise CorpusError.at(path, f"cannot be read: {error.strerror}") from None


def decoded(path: str | Path, chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield bytes as text, chunk by chunk; `path` is for the messages."""
    ends = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")(), translate=True)
    read = lines = 0  # bytes, and line ends, before this chunk
    rule = "the file is empty"
    for chunk in itertools.chain(chunks, [b""]):  # the last, empty one finds a character that is cut off
        try:
            text = ends.decode(chunk, final=not chunk)  # type: ignore[arg-type]  # the stub says str
        except UnicodeDecodeError as error:  # its object: the chunk, after what was left of the one before
            place = read + len(chunk) - len(error.object) + error.start
            byte = f"not UTF-8: byte 0x{error.object[error.start]:02x} (byte {place + 1} of the file)"
            raise CorpusError.at(path, byte, lines + error.object.count(b"\n", 0, error.start) + 1) from None
        read, lines = read + len(chunk), lines + chunk.count(b"\n")
        if rule and text:
            rule = "the file holds nothing but blank lines" if text.isspace() else ""
        yield text
    if rule:
        raise CorpusError.at(path, rule)
