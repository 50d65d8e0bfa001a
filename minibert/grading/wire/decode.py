"""Turn a message made by `encode.py` into plain values, without trusting anything in it.

A message is a tree of JSON values and the bytes of its arrays.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .encode import DEEPEST, MOST_ITEMS, PLAIN, SHARED, WireError

BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")


class Unseeded(np.random.SeedSequence):
    """A dummy seed for generators whose state is replaced at once; real seeds take long to compute."""

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> np.ndarray:
        """Return an array of ones, which are never used."""
        return np.ones(n_words, dtype)


UNSEEDED = Unseeded(0)


class MessageDecoder:
    """Decodes a message's JSON tree, and raises an error for anything unknown.

    parts: the bytes of the message's arrays. restore, generator_type: see `protocol.receive`.
    """

    def __init__(
        self,
        parts: Sequence[bytes | memoryview],
        restore: Callable[[Any], Any] | None = None,
        generator_type: Callable[[str], type] | None = None,
    ) -> None:
        self.parts, self.restore, self.generator_type = parts, restore, generator_type
        self.items = 0
        self.seen: list = []

    def decode(self, tree: Any, depth: int = 0) -> Any:
        """Convert a tree of JSON values to the value that it describes."""
        self.items += 1
        if self.items > MOST_ITEMS or depth > DEEPEST:
            raise WireError("the value is too large")
        if tree is None or isinstance(tree, (bool, int, float, str)):
            return tree
        if not isinstance(tree, list) or not tree or tree[0] not in READERS:
            raise WireError("the data could not be decoded")
        made = READERS[tree[0]](self, tree[1:], depth + 1)
        if tree[0] in SHARED:
            self.seen.append(made)
        return made

    def _all(self, trees, depth):
        if set(map(type, trees)) <= PLAIN:
            self._count(len(trees))
            return trees
        return [self.decode(tree, depth) for tree in trees]

    def _count(self, items):
        self.items += items
        if self.items > MOST_ITEMS:
            raise WireError("the value is too large")

    def _stacked(self, fields, depth):
        """Return a list of arrays, or of NumPy numbers, that were sent as one array."""
        block = self._array(fields, depth)
        self._count(len(block))
        made = list(block)
        if block.ndim > 1:
            self.seen += made
        return made

    def _dict(self, trees, depth):
        flat = self._all(trees, depth)
        return dict(zip(flat[::2], flat[1::2], strict=True))

    def _array(self, fields, depth):
        dtype, shape = self._dtype(fields[0]), self._shape(fields[1])
        data = self._part(fields[2], math.prod(shape) * dtype.itemsize)
        return np.frombuffer(data, dtype).reshape(shape).copy()

    def _seen_before(self, fields, depth):
        if type(fields[0]) is not int or not 0 <= fields[0] < len(self.seen):
            raise WireError("the data could not be decoded")
        return self.seen[fields[0]]

    def _object_array(self, fields, depth):
        shape, items = self._shape(fields[0]), self._all(fields[1:], depth)
        if math.prod(shape) != len(items):
            raise WireError("an array could not be decoded")
        array = np.empty(len(items), object)
        for place, item in enumerate(items):
            array[place] = item
        return array.reshape(shape)

    def _tensor(self, fields, depth):
        import torch

        dtype, shape = getattr(torch, str(fields[0]), None), self._shape(fields[1])
        if not isinstance(dtype, torch.dtype):
            raise WireError("a tensor could not be decoded")
        count = math.prod(shape)
        data = self._part(fields[2], count * torch.empty((), dtype=dtype).element_size())
        flat = torch.frombuffer(bytearray(data), dtype=dtype) if count else torch.empty(0, dtype=dtype)
        return flat.reshape(shape)

    def _generator(self, fields, depth):
        name, state = fields[0], self.decode(fields[1], depth)
        if name not in BIT_GENERATORS:
            raise WireError("a random generator could not be decoded")
        bits = getattr(np.random, name)(UNSEEDED)
        bits.state = state
        named = self.generator_type and fields[2]
        return (self.generator_type(fields[2]) if named else np.random.Generator)(bits)

    def _pcg64(self, fields, depth):
        state, inc, has, uinteger = map(_number, fields)
        return {
            "bit_generator": "PCG64",
            "state": {"state": state, "inc": inc},
            "has_uint32": has,
            "uinteger": uinteger,
        }

    def _object(self, fields, depth):
        if self.restore is None:
            raise WireError("the data could not be decoded")
        return self.restore(fields[0])

    def _torch_dtype(self, fields, depth):
        import torch

        dtype = getattr(torch, str(fields[0]), None)
        if not isinstance(dtype, torch.dtype):
            raise WireError("a dtype could not be decoded")
        return dtype

    def _dtype(self, name):
        dtype = np.dtype(str(name))
        if dtype.kind not in "biufcUS" or dtype.hasobject:
            raise WireError("an array could not be decoded")
        return dtype

    def _shape(self, shape):
        if not all(type(n) is int and 0 <= n < 2**40 for n in shape) or len(shape) > 32:
            raise WireError("a shape could not be decoded")
        return tuple(shape)

    def _part(self, index, size):
        data = self.parts[index]
        if len(data) != size:
            raise WireError("an array's data does not have the stated size")
        return data


def _number(text):
    if not isinstance(text, str) or len(text) > 10_000:
        raise WireError("a number could not be decoded")
    return int(text, 16)


READERS: dict[str, Callable] = {
    "l": MessageDecoder._all,
    "t": lambda decoder, x, depth: tuple(decoder._all(x, depth)),
    "s": lambda decoder, x, depth: set(decoder._all(x, depth)),
    "z": lambda decoder, x, depth: frozenset(decoder._all(x, depth)),
    "d": MessageDecoder._dict,
    "i": lambda decoder, x, depth: _number(x[0]),
    "c": lambda decoder, x, depth: complex(x[0], x[1]),
    "b": lambda decoder, x, depth: bytes(decoder.parts[x[0]]),
    "a": MessageDecoder._array,
    "k": MessageDecoder._stacked,
    "n": lambda decoder, x, depth: decoder._array(x, depth)[()],
    "O": MessageDecoder._object_array,
    "T": MessageDecoder._tensor,
    "g": MessageDecoder._generator,
    "r": lambda decoder, x, depth: range(*x),
    "S": lambda decoder, x, depth: slice(*decoder._all(x, depth)),
    "e": lambda decoder, x, depth: Ellipsis,
    "&": MessageDecoder._seen_before,
    "P": MessageDecoder._pcg64,
    "y": lambda decoder, x, depth: decoder._dtype(x[0]),
    "D": MessageDecoder._torch_dtype,
    "o": MessageDecoder._object,
}
