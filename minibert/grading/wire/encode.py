"""Turn values into a JSON tree and the bytes of their arrays; `decode.py` does the reverse."""

import functools
import sys
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

MOST_TEXT = 8 * 2**20  # bytes of JSON in one message
MOST_BYTES = 256 * 2**20  # bytes of the arrays in one message
MOST_ITEMS = 1_000_000  # numbers, strings and containers in one value
SHARED = ("a", "T", "g")  # tags of mutable types other than containers
PLAIN = {int, float, str, bool, type(None)}  # types that JSON writes directly (integers up to 64 bits)
STACK_FROM = 4  # from this many on, arrays of one shape, or NumPy numbers, are sent as one array
DEEPEST = 100  # levels of nested containers


class WireError(ValueError):
    """The error for a value that cannot be sent or a message that cannot be read; its text explains why."""


def is_tensor(value: Any) -> bool:
    """Return True for a dense PyTorch tensor, without importing PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor) and value.layout == torch.strided


class MessageEncoder:
    """Encodes values as a JSON tree, and collects the bytes of arrays in `parts`.

    Instances of subclasses of data types are sent as plain data. describe(object): returns a description to
    send for an object that is not data. skip_call_state: whether to leave out the state of random generators
    made for a single call.
    """

    def __init__(self, describe: Callable[[Any], Any] | None = None, skip_call_state: bool = False) -> None:
        self.describe, self.skip_call_state = describe, skip_call_state
        self.parts: list[bytes] = []
        self.size, self.items = 0, 0
        self.seen: dict[int, tuple[int, Any]] = {}

    def encode(self, value: Any, depth: int = 0) -> Any:
        """Convert a value to a JSON tree, or raise WireError if it cannot be sent."""
        self.items += 1
        if self.items > MOST_ITEMS or depth > DEEPEST:
            raise WireError(
                f"the value is too large: more than {MOST_ITEMS:,} items, or more than {DEEPEST} "
                "levels of nesting"
            )
        if value is None or value is True or value is False or type(value) is str:
            return value
        if id(value) in self.seen:
            return ["&", self.seen[id(value)][0]]
        kind: Any = type(value)  # not `__class__`, which the student's code can fake
        write = writer(kind)
        if write:
            return self._remember(value, write(self, value, depth))
        if is_tensor(value):
            return self._remember(value, self._tensor(value))
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.dtype):
            return ["D", str(value).removeprefix("torch.")]
        return self._object(value)

    def count(self, items: int) -> None:
        """Add `items` to the number of encoded items, and raise WireError if there are too many."""
        self.items += items
        if self.items > MOST_ITEMS:
            raise WireError(f"the value is too large: more than {MOST_ITEMS:,} items")

    def add_part(self, data: bytes) -> int:
        """Append the bytes of an array to `parts` and return their index."""
        self.size += len(data)
        if self.size > MOST_BYTES:
            raise WireError(f"the value is too large: more than {MOST_BYTES:,} bytes of arrays")
        self.parts.append(data)
        return len(self.parts) - 1

    def _remember(self, value, tree):
        """Return `tree`, and remember an array or generator so that it is sent only once."""
        if type(tree) is list and tree[0] in SHARED:
            self.seen[id(value)] = len(self.seen), value  # kept, so that no other value gets the same id
        return tree

    def _object(self, value):
        if self.describe is None:
            raise WireError(f"a value of type {type(value).__name__} cannot be sent")
        return ["o", self.describe(value)]

    def _int(self, value, depth):
        value = int(value)
        return value if -(2**63) <= value < 2**63 else ["i", hex(value)]

    def _float(self, value, depth):
        return float.__float__(value)

    def _dict(self, value, depth):
        return ["d", *[self.encode(x, depth + 1) for pair in value.items() for x in pair]]

    def _bytes(self, value, depth):
        return ["b", self.add_part(bytes(value))]

    def _array(self, value, depth):
        if value.dtype.kind not in "biufcUS":
            if value.dtype == object and value.size <= MOST_ITEMS:
                return [
                    "O",
                    list(value.shape),
                    *[self.encode(item, depth + 1) for item in value.ravel().tolist()],
                ]
            return self._object(value)
        if value.nbytes > MOST_BYTES:
            raise WireError(f"the value is too large: an array of shape {value.shape}")
        tag = "n" if isinstance(value, np.generic) else "a"
        part = self.add_part(native_array(value).tobytes())
        return [tag, value.dtype.newbyteorder("=").str, list(value.shape), part]

    def _tensor(self, value):
        import torch

        value = value.detach().cpu().contiguous()
        if value.numel() * value.element_size() > MOST_BYTES:
            raise WireError(f"the value is too large: a tensor of shape {tuple(value.shape)}")
        name = str(value.dtype).removeprefix("torch.")
        flat = value.flatten().as_strided((value.numel(),), (1,))  # an axis of size 1 may have any stride
        data = flat.view(torch.uint8).numpy().tobytes() if value.numel() else b""
        return ["T", name, list(value.shape), self.add_part(data)]

    def _generator(self, value, depth):
        if self.skip_call_state and getattr(type(value), "for_one_call", False):
            return ["g"]
        bits, kind = value.bit_generator, type(value)
        own = None if kind is np.random.Generator else f"{kind.__module__}:{kind.__qualname__}"
        state = bits.state
        if type(bits) is np.random.PCG64:  # NumPy's default, sent thousands of times
            numbers = (*state["state"].values(), state["has_uint32"], state["uinteger"])
            return ["g", "PCG64", ["P", *[f"{int(number):x}" for number in numbers]], own]
        return ["g", type(bits).__name__, self.encode(state, depth + 1), own]


def native_array(array: Any) -> np.ndarray:
    """Return the numbers of an array as a plain ndarray in this machine's byte order."""
    array = np.ndarray.view(array, np.ndarray) if isinstance(array, np.ndarray) else np.asarray(array)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def sequence_writer(tag: str) -> Callable:
    """Return the function that encodes lists, tuples or sets with a given tag."""

    def write(encoder, value, depth):
        if len(value) > MOST_ITEMS:
            raise WireError(f"the value is too large: {len(value):,} items, at most {MOST_ITEMS:,}")
        kinds = set(map(type, value))
        if kinds <= PLAIN and (
            int not in kinds or kinds == {int} and -(2**63) <= min(value) <= max(value) < 2**63
        ):
            encoder.count(len(value))
            return [tag, *value]
        stackable = type(value) is list and len(kinds) == 1 and len(value) >= STACK_FROM
        return (stacked(encoder, value) if stackable else None) or [
            tag,
            *[encoder.encode(item, depth + 1) for item in value],
        ]

    return write


def stacked(encoder: MessageEncoder, value: list) -> list | None:
    """Encode a list of arrays or NumPy numbers as one array, or return None if shapes or dtypes differ."""
    first = value[0]
    if (
        not (type(first) is np.ndarray and first.ndim or isinstance(first, np.generic))
        or first.dtype.kind not in "biufc"
    ):
        return None
    if isinstance(first, np.ndarray):
        if len({id(array) for array in value} - encoder.seen.keys()) < len(value) or any(
            array.shape != first.shape or array.dtype != first.dtype for array in value
        ):
            return None
        for array in value:
            encoder.seen[id(array)] = len(encoder.seen), array
    encoder.count(len(value))
    if first.nbytes * len(value) > MOST_BYTES:
        raise WireError(f"the value is too large: {len(value)} arrays of shape {first.shape}")
    block = native_array(np.stack(value))
    return ["k", block.dtype.str, list(block.shape), encoder.add_part(block.tobytes())]


WRITERS: tuple[tuple[Any, Callable], ...] = (  # `encode` handles bool and None; other types are not data
    (np.generic, MessageEncoder._array),
    (int, MessageEncoder._int),
    (float, MessageEncoder._float),
    (complex, lambda self, value, depth: ["c", value.real, value.imag]),
    (Fraction, lambda self, value, depth: float(value)),
    (str, lambda self, value, depth: str.__str__(value)),
    (list, sequence_writer("l")),
    (tuple, sequence_writer("t")),
    (set, sequence_writer("s")),
    (frozenset, sequence_writer("z")),
    (range, lambda self, value, depth: ["r", value.start, value.stop, value.step]),
    ((bytes, bytearray), MessageEncoder._bytes),
    (slice, lambda self, v, depth: ["S", *[self.encode(x) for x in (v.start, v.stop, v.step)]]),
    (type(Ellipsis), lambda self, value, depth: ["e"]),
    (np.ndarray, MessageEncoder._array),
    (np.dtype, lambda self, value, depth: ["y", value.str]),
    (np.random.Generator, MessageEncoder._generator),
    ((dict, OrderedDict, Counter, defaultdict), MessageEncoder._dict),
)


@functools.lru_cache(maxsize=256)
def writer(kind: type) -> Callable | None:
    """Return the function that encodes values of a type, or None if such values are not data."""
    return next((write for kinds, write in WRITERS if issubclass(kind, kinds)), None)
