"""Values, never code, cross between a student's process and the one that judges her: what is sent, and how it is read.

A message is a line of JSON and the bytes of its arrays. Reading one makes plain numbers, text, lists, tuples, sets,
dicts, arrays and tensors; nothing is unpickled, evaluated or imported because a message says so. Every size is checked
before memory is taken, since the other side may lie about anything.
"""
import json
import math
import struct
import sys
from collections import Counter, OrderedDict, defaultdict

import numpy as np

MOST_TEXT = 8 * 2 ** 20         # bytes of JSON in one message
MOST_BYTES = 256 * 2 ** 20      # bytes of its arrays
MOST_ITEMS = 1_000_000          # numbers, texts and containers in one value
DEEPEST = 100                   # containers in containers
HEAD = struct.Struct("<II")
BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")


class BridgeError(ValueError):
    """A value that cannot cross, or a message that is none; the text says why."""


class Gone(Exception):
    """The other side is not there any more."""


def send(connection, value, keep=None):
    """Send `value` over a socket. keep(thing): what to write for a thing that is not data. Raises BridgeError, Gone."""
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
    """The next value from a socket. thing(fields): what stands for a thing that is not data. Raises BridgeError, Gone.

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
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError, MemoryError) as error:
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


def is_tensor(value):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor) and value.layout == torch.strided


class Packer:
    """Values to a tree that JSON can write; arrays go to `parts`. Subclasses of data are sent as the data they hold."""

    def __init__(self, keep=None):
        self.keep, self.parts, self.size, self.items = keep, [], 0, 0

    def pack(self, value, depth=0):
        self.items += 1
        if self.items > MOST_ITEMS or depth > DEEPEST:
            raise BridgeError(f"it is too large: more than {MOST_ITEMS:,} items, or lists in lists {DEEPEST} deep")
        if value is None or value is True or value is False or type(value) is str:
            return value
        for kinds, write in WRITERS:
            if issubclass(type(value), kinds):         # what `__class__` says does not count
                return write(self, value, depth)
        if is_tensor(value):
            return self._tensor(value)
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.dtype):
            return ["D", str(value).removeprefix("torch.")]
        return self._thing(value)

    def _thing(self, value):
        if self.keep is None:
            raise BridgeError(f"a {type(value).__name__} cannot cross")
        return ["o", self.keep(value)]

    def _int(self, value, depth):
        value = int(value)
        return value if -2 ** 63 <= value < 2 ** 63 else ["i", hex(value)]

    def _float(self, value, depth):
        return float.__float__(value)

    def _dict(self, value, depth):
        return ["d", *[self.pack(x, depth + 1) for pair in value.items() for x in pair]]

    def _bytes(self, value, depth):
        return ["b", self._part(bytes(value))]

    def _array(self, value, depth):
        if value.dtype.kind not in "biufcUS":
            if value.dtype == object and value.size <= MOST_ITEMS:
                return ["O", list(value.shape), *[self.pack(item, depth + 1) for item in value.ravel().tolist()]]
            return self._thing(value)
        if value.nbytes > MOST_BYTES:
            raise BridgeError(f"it is too large: an array of shape {value.shape}")
        tag = "n" if isinstance(value, np.generic) else "a"
        return [tag, value.dtype.newbyteorder("=").str, list(value.shape), self._part(plain(value).tobytes())]

    def _tensor(self, value):
        import torch

        value = value.detach().cpu().contiguous()
        if value.numel() * value.element_size() > MOST_BYTES:
            raise BridgeError(f"it is too large: a tensor of shape {tuple(value.shape)}")
        name = str(value.dtype).removeprefix("torch.")
        data = value.flatten().view(torch.uint8).numpy().tobytes() if value.numel() else b""
        return ["T", name, list(value.shape), self._part(data)]

    def _generator(self, value, depth):
        bits, kind = value.bit_generator, type(value)
        own = None if kind is np.random.Generator else f"{kind.__module__}:{kind.__qualname__}"
        return ["g", type(bits).__name__, self.pack(bits.state, depth + 1), own]

    def _part(self, data):
        self.size += len(data)
        if self.size > MOST_BYTES:
            raise BridgeError(f"it is too large: more than {MOST_BYTES:,} bytes of arrays")
        self.parts.append(data)
        return len(self.parts) - 1


def plain(array):
    """The numbers of an array as an ndarray and nothing else, in this machine's byte order."""
    array = np.ndarray.view(array, np.ndarray) if isinstance(array, np.ndarray) else np.asarray(array)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def sequence(tag):
    def write(packer, value, depth):
        if len(value) > MOST_ITEMS:
            raise BridgeError(f"it is too large: {len(value):,} items, at most {MOST_ITEMS:,}")
        return [tag, *[packer.pack(item, depth + 1) for item in value]]
    return write


WRITERS = (   # bool and None were written before; what is not listed here is no data
    (np.generic, Packer._array), (int, Packer._int), (float, Packer._float),
    (complex, lambda self, value, depth: ["c", value.real, value.imag]), (str, lambda self, value, depth: str.__str__(value)),
    (list, sequence("l")), (tuple, sequence("t")), (set, sequence("s")),
    (frozenset, sequence("z")), (range, lambda self, value, depth: ["r", value.start, value.stop, value.step]),
    ((bytes, bytearray), Packer._bytes), (slice, lambda self, v, depth: ["S", *[self.pack(x) for x in (v.start, v.stop, v.step)]]),
    (type(Ellipsis), lambda self, value, depth: ["e"]),
    (np.ndarray, Packer._array), (np.dtype, lambda self, value, depth: ["y", value.str]), (np.random.Generator, Packer._generator),
    ((dict, OrderedDict, Counter, defaultdict), Packer._dict),
)


class Unpacker:
    """The tree of a message to plain values. Anything not understood raises."""

    def __init__(self, parts, thing=None, kinds=None):
        self.parts, self.thing, self.kinds, self.items = parts, thing, kinds, 0

    def unpack(self, tree, depth=0):
        self.items += 1
        if self.items > MOST_ITEMS or depth > DEEPEST:
            raise BridgeError("it is too large")
        if tree is None or isinstance(tree, (bool, int, float, str)):
            return tree
        if not isinstance(tree, list) or not tree or tree[0] not in READERS:
            raise BridgeError("not readable as data")
        return READERS[tree[0]](self, tree[1:], depth + 1)

    def all(self, trees, depth):
        return [self.unpack(tree, depth) for tree in trees]

    def dict(self, trees, depth):
        flat = self.all(trees, depth)
        return dict(zip(flat[::2], flat[1::2], strict=True))

    def array(self, fields, depth):
        dtype, shape = self._dtype(fields[0]), self._shape(fields[1])
        data = self._part(fields[2], math.prod(shape) * dtype.itemsize)
        return np.frombuffer(data, dtype).reshape(shape).copy()

    def objects(self, fields, depth):
        shape, items = self._shape(fields[0]), self.all(fields[1:], depth)
        if math.prod(shape) != len(items):
            raise BridgeError("not readable as an array")
        array = np.empty(len(items), object)
        for place, item in enumerate(items):
            array[place] = item
        return array.reshape(shape)

    def tensor(self, fields, depth):
        import torch

        dtype, shape = getattr(torch, str(fields[0]), None), self._shape(fields[1])
        if not isinstance(dtype, torch.dtype):
            raise BridgeError("not readable as a tensor")
        count = math.prod(shape)
        data = self._part(fields[2], count * torch.empty((), dtype=dtype).element_size())
        flat = torch.frombuffer(bytearray(data), dtype=dtype) if count else torch.empty(0, dtype=dtype)
        return flat.reshape(shape)

    def generator(self, fields, depth):
        name, state = fields[0], self.unpack(fields[1], depth)
        if name not in BIT_GENERATORS:
            raise BridgeError("not readable as a generator")
        bits = getattr(np.random, name)(0)
        bits.state = state
        return (self.kinds(fields[2]) if self.kinds and fields[2] else np.random.Generator)(bits)

    def other(self, fields, depth):
        if self.thing is None:
            raise BridgeError("not readable as data")
        return self.thing(fields[0])

    def torch_dtype(self, fields, depth):
        import torch

        dtype = getattr(torch, str(fields[0]), None)
        if not isinstance(dtype, torch.dtype):
            raise BridgeError("not readable as a dtype")
        return dtype

    def _dtype(self, name):
        dtype = np.dtype(str(name))
        if dtype.kind not in "biufcUS" or dtype.hasobject:
            raise BridgeError("not readable as an array")
        return dtype

    def _shape(self, shape):
        if not all(type(n) is int and 0 <= n < 2 ** 40 for n in shape) or len(shape) > 32:
            raise BridgeError("not readable as a shape")
        return tuple(shape)

    def _part(self, index, size):
        data = self.parts[index]
        if len(data) != size:
            raise BridgeError("an array of another size than it says")
        return data


def _number(text):
    if not isinstance(text, str) or len(text) > 10_000:
        raise BridgeError("not readable as a number")
    return int(text, 16)


READERS = {
    "l": Unpacker.all, "t": lambda u, x, d: tuple(u.all(x, d)), "s": lambda u, x, d: set(u.all(x, d)),
    "z": lambda u, x, d: frozenset(u.all(x, d)), "d": Unpacker.dict, "i": lambda u, x, d: _number(x[0]),
    "c": lambda u, x, d: complex(x[0], x[1]), "b": lambda u, x, d: bytes(u.parts[x[0]]), "a": Unpacker.array,
    "n": lambda u, x, d: u.array(x, d)[()], "O": Unpacker.objects, "T": Unpacker.tensor, "g": Unpacker.generator,
    "r": lambda u, x, d: range(*x), "S": lambda u, x, d: slice(*u.all(x, d)), "e": lambda u, x, d: Ellipsis,
    "y": lambda u, x, d: u._dtype(x[0]), "D": Unpacker.torch_dtype, "o": Unpacker.other,
}
