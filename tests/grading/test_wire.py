"""What crosses between two processes arrives as it was; what is no data, or too much of it, does not."""

import json
import socket
import threading
from fractions import Fraction

import numpy as np
import pytest

from minibert.grading.wire import encode, protocol

VALUES = [
    *[
        None,
        True,
        False,
        0,
        -3,
        2**70,
        -(2**200),
        0.1,
        float("inf"),
        1 + 2j,
        np.float32(0.1),
        "text",
        "",
        b"bytes",
    ],
    *[[], [1, [2.5, "x"]], (), (1, (2,)), {}, {"a": [1], 2: (3,)}, {1, 2}, frozenset({3})],
    *[[1, 2**63], [-(2**63) - 1, 0], [2**63, 0.5, "x", None, True]],
    *[range(2, 9, 3), slice(1, None, 2), Ellipsis],
]
ARRAYS = [
    *[
        np.arange(6).reshape(2, 3),
        np.arange(6).reshape(2, 3).T,
        np.zeros((0, 4)),
        np.array(3.0),
        np.arange(3.0)[::-1],
    ],
    *[
        np.array([True, False]),
        np.array(["a", "bcd"]),
        np.array([[1 + 2j]]),
        np.array([1, None, "x"], object),
    ],
    *[
        np.arange(4, dtype=np.uint8),
        np.array([1, 2], dtype=">i4"),
        np.float32([1.5, np.nan]),
        np.float64([np.nan]),
    ],
]


def cross(value, keep=None, thing=None, kinds=None):
    """`value` after a journey over a socket."""
    return sent(protocol.send, (value, keep), thing, kinds)


def sent(send, args, *how):
    """What `receive` makes of what `send` writes."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sender = threading.Thread(target=send, args=(ours, *args))
        sender.start()
        try:
            return protocol.receive(theirs, *how)
        finally:
            sender.join()


def arrives(text, body=b""):
    """What `receive` makes of a message that somebody wrote by hand."""
    return sent(socket.socket.sendall, (protocol.HEAD.pack(len(text), len(body)) + text + body,))


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_plain_values_arrive_equal_and_of_the_same_type(value):
    got = cross(value)
    assert got == value and type(got) is type(value)


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}{array.shape}")
def test_arrays_arrive_with_shape_and_numbers(array):
    got = cross(array)
    assert got.shape == array.shape and got.dtype.kind == array.dtype.kind and got.flags.writeable
    assert got.tolist() == array.tolist() or np.array_equal(got, array, equal_nan=True)


def test_a_fraction_arrives_as_the_number_it_stands_for():
    assert cross([Fraction(18, 25), Fraction(-1, 8)]) == [0.72, -0.125]


def test_what_stands_in_several_places_is_one_object_there_too():
    array, rng = np.arange(3), np.random.default_rng(5)
    (first, a), (second, b), other = cross([(array, rng), (array, rng), array.copy()])
    assert first is second and a is b and first is not other
    assert [a.random(), b.random()] == np.random.default_rng(5).random(2).tolist()
    got = cross([array, np.ones(3, int), np.ones(3, int), array])
    assert got[0] is got[3] and got[1] is not got[2]


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.bool_, np.uint8])
def test_a_list_of_numpy_numbers_stays_one(kind):
    got = cross([[kind(value) for value in (0, 1, 1, 0, 1)]])
    assert got == [[0, 1, 1, 0, 1]] and {type(value) for value in got[0]} == {kind}


def test_arrays_of_one_form_cross_together_and_arrive_as_arrays_of_their_own():
    rows = [np.full((2, 3), number) for number in range(6)]
    encoder = encode.MessageEncoder()
    assert encoder.encode(rows)[0] == "k" and len(encoder.parts) == 1
    got, again = cross([rows, rows[4]])
    assert [row.tolist() for row in got] == [row.tolist() for row in rows] and got[4] is again
    got[1][:] = 7
    assert got[0].max() == 0 and got[2].min() == 2


@pytest.mark.parametrize(
    "odd",
    [np.zeros((3, 2)), np.zeros((2, 3), int), np.float64(0), "x"],
    ids=["shape", "dtype", "number", "text"],
)
def test_arrays_of_several_forms_cross_one_by_one(odd):
    rows = [*np.zeros((5, 2, 3)), odd]
    got = cross(rows)
    assert all(type(a) is type(b) and np.array_equal(a, b) for a, b in zip(got, rows, strict=True))
    assert getattr(got[-1], "dtype", None) == getattr(odd, "dtype", None)


@pytest.mark.parametrize("place", [0, 1, -1, True, "0", None])
def test_a_place_where_nothing_stood_is_refused(place):
    with pytest.raises(protocol.WireError):
        arrives(json.dumps([["l", ["&", place], ["a", "<f8", [0], 0]], [0]]).encode())


@pytest.mark.parametrize(
    "kind", [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64]
)
def test_a_generator_draws_there_what_it_would_have_drawn_here(kind):
    ours = np.random.Generator(kind(7))
    ours.integers(9, size=3, dtype=np.int32)  # half of a 64-bit draw is kept for later
    theirs = cross(ours)
    drawn = [[*rng.integers(9, size=5, dtype=np.int32), *rng.random(4)] for rng in (ours, theirs)]
    assert drawn[0] == drawn[1] and type(theirs) is np.random.Generator


def test_tensors_arrive_with_their_dtype():
    torch = pytest.importorskip("torch")
    strided = torch.arange(4).as_strided((1,), (2,)), torch.arange(6).reshape(2, 3).T
    for tensor in (torch.ones(2, dtype=torch.bfloat16), torch.zeros(0, 3), torch.tensor(True), *strided):
        got = cross(tensor)
        assert got.dtype == tensor.dtype and got.shape == tensor.shape and torch.equal(got, tensor)
    assert cross(torch.float32) is torch.float32
    assert cross(torch.nn.Parameter(torch.ones(2))).requires_grad is False


def test_a_subclass_of_generator_is_made_only_by_who_knows_it():
    class Own(np.random.Generator):
        pass

    rng = Own(np.random.PCG64(1))
    assert type(cross(rng)) is np.random.Generator
    assert type(cross(rng, kinds=lambda name: Own)) is Own


class Liar(np.ndarray):
    def __eq__(self, other):
        return True

    def __array_function__(self, *args, **kwargs):
        return True


def test_subclasses_arrive_as_the_data_they_hold():
    class Number(float):
        def __eq__(self, other):
            return True

    got = cross([np.zeros(3).view(Liar), Number(2.5)])
    assert type(got[0]) is np.ndarray and not np.allclose(got[0], 1)
    assert type(got[1]) is float and got[1] != 3


def test_what_is_no_data_is_kept_or_refused():
    with pytest.raises(protocol.WireError, match="a value of type object cannot be sent"):
        encode.MessageEncoder().encode(object())
    assert cross([object()], keep=lambda thing: 7, thing=lambda fields: ("stands for", fields)) == [
        ("stands for", 7)
    ]


def test_what_is_too_large_is_refused_before_memory_is_taken():
    deep = []
    for _ in range(200):
        deep = [deep]
    for value, said in (
        (np.broadcast_to(0.0, (10**6, 10**6)), "an array of shape"),
        (deep, "levels of nesting"),
        ([0] * (encode.MOST_ITEMS + 1), "items"),
    ):
        with pytest.raises(protocol.WireError, match=said):
            encode.MessageEncoder().encode(value)


FORGED = {
    "no JSON": b"\xff\xff",
    "no pair": b"3",
    "deep": b"[" * 10_000,
    "unknown tag": b'[["exec","1"],[]]',
    "a number of 10^6 digits": b"[" + b"9" * 10**6 + b",[]]",
    "hex of 10^5 digits": b'[["i","0x' + b"f" * 10**5 + b'"],[]]',
    "array without bytes": b'[["a","<f8",[3],0],[]]',
    "array of other size": b'[["a","<f8",[3],0],[8]]',
    "array of objects": b'[["a","O",[1],0],[8]]',
    "negative shape": b'[["a","<f8",[-1],0],[8]]',
    "record dtype": b'[["a","i4,f8",[1],0],[12]]',
    "dict with a list as key": b'[["d",["l"],1],[]]',
    "odd dict": b'[["d",1],[]]',
    "unknown generator": b'[["g","default_rng",["d"]],[]]',
    "a thing": b'[["o",1],[]]',
    "numbers without a list": b'[["k","<i8",[],0],[8]]',
    "10^9 arrays of nothing": b'[["k","<i8",[1000000000,0],0],[0]]',
    "tensor of no dtype": b'[["T","nn",[1],0],[8]]',
    "range of texts": b'[["r","a"],[]]',
}


@pytest.mark.parametrize("text", FORGED.values(), ids=FORGED)
def test_a_forged_message_is_an_error_and_nothing_else(text):
    with pytest.raises(protocol.WireError):
        arrives(text, bytes(8))


def test_a_forged_size_ends_the_connection():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(protocol.HEAD.pack(2**32 - 1, 2**32 - 1))
        with pytest.raises(protocol.Disconnected):
            protocol.receive(theirs)


def test_hanging_up_is_noticed_by_both_sides():
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs:
        with pytest.raises(protocol.Disconnected):
            protocol.receive(theirs)
        with pytest.raises(protocol.Disconnected):
            protocol.send(theirs, json.dumps("x" * 10**6))
