"""What is wrong with a file, in one line: the file, the line (or the place in its JSON), the rule.

Every reader of real files opens them through `read_text`, so that each refuses a missing, empty or wrongly
encoded file in the same words.
"""
import codecs
import io
import itertools
import os
from contextlib import contextmanager
from pathlib import Path

LONGEST = 300       # characters of a message's rule: a broken file may put all of itself into one cell


class CorpusError(ValueError):
    """A file that cannot be read as what it should be: `train.conll:17: 3 columns, but the lines before have
    2`.
    """

    @classmethod
    def at(cls, path, rule, line=None):
        """The error for a file that breaks a rule, at a line counted from 1 where one can be named.

        A rule that quotes more than a reader wants is cut in its middle; its end says what is allowed.

        >>> message = str(CorpusError.at("train.tsv", f"label {'x' * 9999!r} is not one of 0, 1", 7))
        >>> len(message), message[-18:]
        (316, 'is not one of 0, 1')
        """
        if len(rule) > LONGEST:
            rule = f"{rule[:LONGEST // 2]} … {rule[-(LONGEST // 2):]}"
        return cls(f"{path}:{line}: {rule}" if line else f"{path}: {rule}")


def plural(count, noun):
    """A number and what it counts.

    >>> plural(1, "column"), plural(2, "column")
    ('1 column', '2 columns')
    """
    return f"{count:,} {noun}" + "s" * (count != 1)


def read_text(path):
    """The text of a UTF-8 file with \\n line ends, without a byte order mark.

    Raises CorpusError for a file that is missing, a folder, unreadable, empty or blank, or not UTF-8.
    """
    return "".join(stream_text(path))


def stream_text(path, size=1 << 20):
    """The same text in parts of at most `size` bytes of the file, so that a file may be larger than memory.

    Raises what `read_text` does, when it comes to the place; that a file is blank is known only at its end.
    """
    return decoded(path, bytes_of(path, size))


def bytes_of(path, size=1 << 20):
    """The bytes of a file, at most `size` at a time. Raises CorpusError for a file that is missing, a folder,
    or unreadable.
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


def decoded(path, chunks):
    """Bytes as text, part by part; `path` is for the messages."""
    ends = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")(), translate=True)
    read = lines = 0                                # bytes, and line ends, before this chunk
    rule = "the file is empty"
    for chunk in itertools.chain(chunks, [b""]):    # the last, empty one finds a character that is cut off
        try:
            text = ends.decode(chunk, final=not chunk)
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


def write_text(path, text):
    """Write a UTF-8 file that is whole or not there: a neighbour is written first, then takes the name."""
    with writing(path) as file:
        file.write(text)


@contextmanager
def writing(path):
    """Such a file, open to be written piece by piece; after an error there is what was there before."""
    path = Path(path)
    partial = path.with_name(path.name + ".partial")
    try:
        with naming(path), open(partial, "w", encoding="utf-8", newline="\n") as file:
            yield file
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def naming(path):
    """In this context, an OSError that names no file names this one: a write to a full disk does not know
    where it writes.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def open_text(path):
    """Such a file, open to be read piece by piece; a bad byte is met when it is reached, as
    UnicodeDecodeError.

    Raises CorpusError for a file that is missing, a folder, unreadable or empty.
    """
    path = Path(path)
    if path.is_dir() or not path.is_file() or not path.stat().st_size:
        read_text(path)  # a pipe is read, the others are refused in its words
    try:
        return open(path, encoding="utf-8-sig")
    except OSError as error:
        raise CorpusError.at(path, f"cannot be read: {error.strerror}") from None
