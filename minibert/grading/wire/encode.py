"""Values to a tree that JSON can write, and the bytes of their arrays: the sending half of `bridge.py`."""
import functools
import sys
from collections import Counter, OrderedDict, defaultdict

import numpy as np

MOST_TEXT = 8 * 2 ** 20         # bytes of JSON in one message
MOST_BYTES = 256 * 2 ** 20      # bytes of its arrays
MOST_ITEMS = 1_000_000          # numbers, texts and containers in one value
SHARED = ("a", "T", "g")        # tags of what can be changed in place, but for containers
PLAIN = {int, float, str, bool, type(None)}      # what JSON writes as it is, integers up to 64 bits
ALIKE = 4  # so many arrays, or numbers of NumPy, of one kind in a list are sent as one array
DEEPEST = 100                   # containers in containers


class BridgeError(ValueError):
    """A value that cannot cross, or a message that is none; the text says why."""


def is_tensor(value):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor) and value.layout == torch.strided


class Packer:
    """Values to a tree that JSON can write; arrays go to `parts`. Subclasses of data are sent as the data
    they hold.

    lasting: leave out the state of generators that are made for a single call.
    """

    def __init__(self, keep=None, lasting=False):
        self.keep, self.lasting, self.parts, self.size, self.items, self.seen = keep, lasting, [], 0, 0, {}

    def pack(self, value, depth=0):
        self.items += 1
        if self.items > MOST_ITEMS or depth > DEEPEST:
            raise BridgeError(
                f"it is too large: more than {MOST_ITEMS:,} items, or lists in lists {DEEPEST} deep")
        if value is None or value is True or value is False or type(value) is str:
            return value
        if id(value) in self.seen:
            return ["&", self.seen[id(value)][0]]
        write = writer(type(value))                    # what `__class__` says does not count
        if write:
            return self._noted(value, write(self, value, depth))
        if is_tensor(value):
            return self._noted(value, self._tensor(value))
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.dtype):
            return ["D", str(value).removeprefix("torch.")]
        return self._thing(value)

    def count(self, items):
        """Add to the number of items. Raises BridgeError for too many."""
        self.items += items
        if self.items > MOST_ITEMS:
            raise BridgeError(f"it is too large: more than {MOST_ITEMS:,} items")

    def _noted(self, value, tree):
        """The tree; an array or generator that stands in several places is written once, and is one object
        there too.
        """
        if type(tree) is list and tree[0] in SHARED:
            self.seen[id(value)] = len(self.seen), value        # kept, so that no other value gets its id
        return tree

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
                return ["O", list(value.shape),
                        *[self.pack(item, depth + 1) for item in value.ravel().tolist()]]
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
        if self.lasting and getattr(type(value), "for_one_call", False):
            return ["g"]
        bits, kind = value.bit_generator, type(value)
        own = None if kind is np.random.Generator else f"{kind.__module__}:{kind.__qualname__}"
        state = bits.state
        if type(bits) is np.random.PCG64:              # NumPy's usual one, sent by the thousand
            numbers = (*state["state"].values(), state["has_uint32"], state["uinteger"])
            return ["g", "PCG64", ["P", *[f"{int(number):x}" for number in numbers]], own]
        return ["g", type(bits).__name__, self.pack(state, depth + 1), own]

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
        kinds = set(map(type, value))
        if kinds <= PLAIN and (int not in kinds or kinds == {int}
                               and -2 ** 63 <= min(value) <= max(value) < 2 ** 63):
            packer.count(len(value))
            return [tag, *value]
        block = alike(packer,
                      value) if len(kinds) == 1 and len(value) >= ALIKE and type(value) is list else None
        return block or [tag, *[packer.pack(item, depth + 1) for item in value]]
    return write


def alike(packer, value):
    """A list of arrays of one shape and dtype, or of numbers of one dtype, as a single array; None where it
    is none.
    """
    first = value[0]
    if not (type(first) is np.ndarray and first.ndim
            or isinstance(first, np.generic)) or first.dtype.kind not in "biufc":
        return None
    if isinstance(first, np.ndarray):
        if len({id(array) for array in value} - packer.seen.keys()) < len(value) or any(
                array.shape != first.shape or array.dtype != first.dtype for array in value):
            return None
        for array in value:
            packer.seen[id(array)] = len(packer.seen), array
    packer.count(len(value))
    if first.nbytes * len(value) > MOST_BYTES:
        raise BridgeError(f"it is too large: {len(value)} arrays of shape {first.shape}")
    block = plain(np.stack(value))
    return ["k", block.dtype.str, list(block.shape), packer._part(block.tobytes())]


WRITERS = (   # bool and None were written before; what is not listed here is no data
    (np.generic, Packer._array), (int, Packer._int), (float, Packer._float),
    (complex, lambda self, value, depth: ["c", value.real, value.imag]),
    (str, lambda self, value, depth: str.__str__(value)),
    (list, sequence("l")), (tuple, sequence("t")), (set, sequence("s")),
    (frozenset, sequence("z")),
    (range, lambda self, value, depth: ["r", value.start, value.stop, value.step]),
    ((bytes, bytearray), Packer._bytes),
    (slice, lambda self, v, depth: ["S", *[self.pack(x) for x in (v.start, v.stop, v.step)]]),
    (type(Ellipsis), lambda self, value, depth: ["e"]),
    (np.ndarray, Packer._array), (np.dtype, lambda self, value, depth: ["y", value.str]),
    (np.random.Generator, Packer._generator),
    ((dict, OrderedDict, Counter, defaultdict), Packer._dict),
)


@functools.lru_cache(maxsize=256)
def writer(kind):
    """The method that writes values of a type, or None where they are no data."""
    return next((write for kinds, write in WRITERS if issubclass(kind, kinds)), None)
