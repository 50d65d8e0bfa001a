"""Exchange messages over a socket: values, never code.

A message is a line of JSON, followed by the bytes of its arrays. Reading one creates only plain numbers,
strings, lists, tuples, sets, dicts, arrays and tensors; nothing is unpickled, evaluated or imported. Every
size is checked before memory is allocated, because the other side may send anything.
"""

import json
import socket
import struct
from collections.abc import Callable
from typing import Any

from .decode import MessageDecoder
from .encode import MOST_BYTES, MOST_TEXT, MessageEncoder, WireError

__all__ = ["Disconnected", "WireError", "receive", "send"]

HEAD = struct.Struct("<II")
SMALL = 2**16  # arrays up to this many bytes are sent in one call; there may be thousands


class Disconnected(Exception):
    """The error raised when the other side has closed the connection."""


def send(connection: socket.socket, value: Any, describe: Callable[[Any], Any] | None = None) -> None:
    """Send a value.

    describe(object): returns the description to send for an object that is not data. Raises WireError for a
    value that cannot be sent, and Disconnected if the connection is closed.
    """
    encoder = MessageEncoder(describe)
    tree = encoder.encode(value)
    text = json.dumps([tree, [len(part) for part in encoder.parts]], separators=(",", ":")).encode()
    if len(text) > MOST_TEXT:
        raise WireError(f"the value is too large: {len(text):,} bytes of text, at most {MOST_TEXT:,}")
    try:
        connection.sendall(
            b"".join(
                [HEAD.pack(len(text), encoder.size), text, *(encoder.parts if encoder.size < SMALL else ())]
            )
        )
        for part in encoder.parts if encoder.size >= SMALL else ():
            connection.sendall(part)
    except OSError:
        raise Disconnected from None


def receive(
    connection: socket.socket,
    restore: Callable[[Any], Any] | None = None,
    generator_type: Callable[[str], type] | None = None,
) -> Any:
    """Receive the next value.

    restore(description): returns the object with that description. generator_type(name): returns the subclass
    of Generator with that name; by default, random generators become plain ones. Raises WireError for an
    unreadable message, and Disconnected if the connection is closed.
    """
    text_size, size = HEAD.unpack(_exactly(connection, HEAD.size))
    if text_size > MOST_TEXT or size > MOST_BYTES:
        raise Disconnected  # the rest of the message cannot be skipped, so the connection is lost
    if size < SMALL:
        both = _exactly(connection, text_size + size)
        text, body = both[:text_size], both[text_size:]
    else:
        text, body = _exactly(connection, text_size), _exactly(connection, size)
    try:
        tree, sizes = json.loads(text)
        parts, start = [], 0
        for length in sizes:
            parts.append(memoryview(body)[start : start + length])
            start += length
        return MessageDecoder(parts, restore, generator_type).decode(tree)
    except WireError:
        raise
    except (
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        AttributeError,
        OverflowError,
        RecursionError,
        MemoryError,
    ) as error:
        raise WireError(f"the data could not be decoded ({type(error).__name__})") from None


def _exactly(connection: socket.socket, size: int) -> bytearray:
    data = bytearray(size)
    view, done = memoryview(data), 0
    while done < size:
        try:
            got = connection.recv_into(view[done:])
        except OSError:
            raise Disconnected from None
        if not got:
            raise Disconnected
        done += got
    return data
