"""The tree of a message to plain values: the receiving half of `bridge.py`, which trusts nothing that it
reads.
"""
import math

import numpy as np

from .encode import DEEPEST, MOST_ITEMS, PLAIN, SHARED, BridgeError

BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")


class Unseeded(np.random.SeedSequence):
    """The seed of generators whose state is set at once: the usual one takes longer than all the rest of
    reading them.
    """

    def generate_state(self, n_words, dtype=np.uint32):
        return np.ones(n_words, dtype)


UNSEEDED = Unseeded(0)


class Unpacker:
    """The tree of a message to plain values. Anything not understood raises."""

    def __init__(self, parts, thing=None, kinds=None):
        self.parts, self.thing, self.kinds, self.items, self.seen = parts, thing, kinds, 0, []

    def unpack(self, tree, depth=0):
        self.items += 1
        if self.items > MOST_ITEMS or depth > DEEPEST:
            raise BridgeError("it is too large")
        if tree is None or isinstance(tree, (bool, int, float, str)):
            return tree
        if not isinstance(tree, list) or not tree or tree[0] not in READERS:
            raise BridgeError("not readable as data")
        made = READERS[tree[0]](self, tree[1:], depth + 1)
        if tree[0] in SHARED:
            self.seen.append(made)
        return made

    def all(self, trees, depth):
        if set(map(type, trees)) <= PLAIN:
            self.count(len(trees))
            return trees
        return [self.unpack(tree, depth) for tree in trees]

    def count(self, items):
        self.items += items
        if self.items > MOST_ITEMS:
            raise BridgeError("it is too large")

    def alike(self, fields, depth):
        """A list of arrays that were sent as one, or of numbers of NumPy."""
        block = self.array(fields, depth)
        self.count(len(block))
        made = list(block)
        if block.ndim > 1:
            self.seen += made
        return made

    def dict(self, trees, depth):
        flat = self.all(trees, depth)
        return dict(zip(flat[::2], flat[1::2], strict=True))

    def array(self, fields, depth):
        dtype, shape = self._dtype(fields[0]), self._shape(fields[1])
        data = self._part(fields[2], math.prod(shape) * dtype.itemsize)
        return np.frombuffer(data, dtype).reshape(shape).copy()

    def again(self, fields, depth):
        if type(fields[0]) is not int or not 0 <= fields[0] < len(self.seen):
            raise BridgeError("not readable as data")
        return self.seen[fields[0]]

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
        bits = getattr(np.random, name)(UNSEEDED)
        bits.state = state
        return (self.kinds(fields[2]) if self.kinds and fields[2] else np.random.Generator)(bits)

    def pcg64(self, fields, depth):
        state, inc, has, uinteger = map(_number, fields)
        return {"bit_generator": "PCG64", "state": {"state": state, "inc": inc}, "has_uint32": has,
                "uinteger": uinteger}

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
    "c": lambda u, x, d: complex(x[0], x[1]), "b": lambda u, x, d: bytes(u.parts[x[0]]), "a":
    Unpacker.array, "k": Unpacker.alike,
    "n": lambda u, x, d: u.array(x,
                                 d)[()], "O": Unpacker.objects, "T": Unpacker.tensor, "g": Unpacker.generator,
    "r": lambda u, x, d: range(*x), "S": lambda u, x, d: slice(*u.all(x, d)), "e": lambda u, x, d: Ellipsis,
    "&": Unpacker.again, "P": Unpacker.pcg64, "y": lambda u, x, d: u._dtype(x[0]), "D":
    Unpacker.torch_dtype, "o": Unpacker.other,
}
