"""Values, never code, cross between a student's process and the one that judges her: what is sent, and how it
is read.

A message is a line of JSON and the bytes of its arrays. Reading one makes plain numbers, text, lists, tuples,
sets, dicts, arrays and tensors; nothing is unpickled, evaluated or imported because a message says so. Every
size is checked before memory is taken, since the other side may lie about anything.
"""
import json
import struct

from .decode import Unpacker
from .encode import MOST_BYTES, MOST_TEXT, BridgeError, Packer

__all__ = ["BridgeError", "Gone", "receive", "send"]

HEAD = struct.Struct("<II")


class Gone(Exception):
    """The other side is not there any more."""


def send(connection, value, keep=None):
    """Send `value` over a socket. keep(thing): what to write for a thing that is not data. Raises
    BridgeError, Gone.
    """
    packer = Packer(keep)
    tree = packer.pack(value)
    text = json.dumps([tree, [len(part) for part in packer.parts]], separators=(",", ":")).encode()
    if len(text) > MOST_TEXT:
        raise BridgeError(f"it is too large: {len(text):,} bytes of text, at most {MOST_TEXT:,}")
    try:
        connection.sendall(HEAD.pack(len(text), packer.size) + text)
        for part in packer.parts:
            connection.sendall(part)
    except OSError:
        raise Gone from None


def receive(connection, thing=None, kinds=None):
    """The next value from a socket. thing(fields): what stands for a thing that is not data. Raises
    BridgeError, Gone.

    kinds(name): the subclass of Generator of that name; without it, every generator is a plain one.
    """
    text_size, size = HEAD.unpack(_exactly(connection, HEAD.size))
    if text_size > MOST_TEXT or size > MOST_BYTES:
        raise Gone                                  # what follows cannot be read past: there is no going on
    text, body = _exactly(connection, text_size), _exactly(connection, size)
    try:
        tree, sizes = json.loads(text)
        parts, start = [], 0
        for length in sizes:
            parts.append(memoryview(body)[start:start + length])
            start += length
        return Unpacker(parts, thing, kinds).unpack(tree)
    except BridgeError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError,
            MemoryError) as error:
        raise BridgeError(f"not readable as data ({type(error).__name__})") from None


def _exactly(connection, size):
    data = bytearray(size)
    view, done = memoryview(data), 0
    while done < size:
        try:
            got = connection.recv_into(view[done:])
        except OSError:
            raise Gone from None
        if not got:
            raise Gone
        done += got
    return data
