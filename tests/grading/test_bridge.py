"""What crosses between two processes arrives as it was; what is no data, or too much of it, does not."""
import json
import socket
import threading

import numpy as np
import pytest

from minibert.grading import bridge, pack

VALUES = [
    None, True, False, 0, -3, 2 ** 70, -2 ** 200, 0.1, float("inf"), 1 + 2j, "text", "", b"bytes", [], [1, [2.5, "x"]], (),
    (1, (2,)), {}, {"a": [1], 2: (3,)}, {1, 2}, frozenset({3}), range(2, 9, 3), slice(1, None, 2), Ellipsis,
]
ARRAYS = [
    np.arange(6).reshape(2, 3), np.zeros((0, 4)), np.float32([1.5, np.nan]), np.array(3.0), np.array([True, False]),
    np.array(["a", "bcd"]), np.array([[1 + 2j]]), np.arange(4, dtype=np.uint8), np.arange(3.0)[::-1], np.arange(6).reshape(2, 3).T,
    np.array([1, 2], dtype=">i4"), np.array([1, None, "x"], object),
]


def cross(value, keep=None, thing=None, kinds=None):
    """`value` after a journey over a socket."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sender = threading.Thread(target=bridge.send, args=(ours, value, keep))
        sender.start()
        try:
            return bridge.receive(theirs, thing, kinds)
        finally:
            sender.join()


def arrives(text, body=b""):
    """What `receive` makes of a message that somebody wrote by hand."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sender = threading.Thread(target=ours.sendall, args=(bridge.HEAD.pack(len(text), len(body)) + text + body,))
        sender.start()
        try:
            return bridge.receive(theirs)
        finally:
            sender.join()


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_plain_values_arrive_equal_and_of_the_same_type(value):
    got = cross(value)
    assert got == value and type(got) is type(value)


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}{array.shape}")
def test_arrays_arrive_with_shape_and_numbers(array):
    got = cross(array)
    assert got.shape == array.shape and got.dtype.kind == array.dtype.kind and got.flags.writeable
    assert got.tolist() == array.tolist() or np.array_equal(got, array, equal_nan=True)


def test_numpy_scalars_stay_scalars():
    got = cross(np.float32(0.1))
    assert type(got) is np.float32 and got == np.float32(0.1)


def test_nan_arrives():
    assert np.isnan(cross(float("nan")))


def test_tensors_arrive_with_their_dtype():
    torch = pytest.importorskip("torch")
    for tensor in (torch.arange(6.0).reshape(2, 3), torch.ones(2, dtype=torch.bfloat16), torch.zeros(0, 3), torch.tensor(True),
                   torch.arange(6).reshape(2, 3).T):
        got = cross(tensor)
        assert got.dtype == tensor.dtype and got.shape == tensor.shape and torch.equal(got, tensor)
    assert cross(torch.float32) is torch.float32
    assert cross(torch.nn.Parameter(torch.ones(2))).requires_grad is False


def test_a_generator_goes_on_where_it_stood():
    rng = np.random.default_rng(5)
    rng.random(3)
    got = cross(rng)
    assert got.random() == rng.random() and type(got) is np.random.Generator


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
    with pytest.raises(bridge.BridgeError, match="a object cannot cross"):
        pack.Packer().pack(object())
    assert cross([object()], keep=lambda thing: 7, thing=lambda fields: ("stands for", fields)) == [("stands for", 7)]


def test_what_is_too_large_is_refused_before_memory_is_taken():
    deep = []
    for _ in range(200):
        deep = [deep]
    for value, said in ((np.broadcast_to(0.0, (10 ** 6, 10 ** 6)), "an array of shape"), (deep, "lists in lists"),
                        ([0] * (pack.MOST_ITEMS + 1), "items")):
        with pytest.raises(bridge.BridgeError, match=said):
            pack.Packer().pack(value)


FORGED = {
    "no JSON": b"\xff\xff", "no pair": b"3", "deep": b"[" * 10_000, "unknown tag": b'[["exec","1"],[]]',
    "a number of 10^6 digits": b"[" + b"9" * 10 ** 6 + b",[]]", "hex of 10^5 digits": b'[["i","0x' + b"f" * 10 ** 5 + b'"],[]]',
    "array without bytes": b'[["a","<f8",[3],0],[]]', "array of other size": b'[["a","<f8",[3],0],[8]]',
    "array of objects": b'[["a","O",[1],0],[8]]', "negative shape": b'[["a","<f8",[-1],0],[8]]',
    "record dtype": b'[["a","i4,f8",[1],0],[12]]', "dict with a list as key": b'[["d",["l"],1],[]]',
    "odd dict": b'[["d",1],[]]', "unknown generator": b'[["g","default_rng",["d"]],[]]', "a thing": b'[["o",1],[]]',
    "tensor of no dtype": b'[["T","nn",[1],0],[8]]', "range of texts": b'[["r","a"],[]]',
}


@pytest.mark.parametrize("text", FORGED.values(), ids=FORGED)
def test_a_forged_message_is_an_error_and_nothing_else(text):
    with pytest.raises(bridge.BridgeError):
        arrives(text, bytes(8))


def test_a_forged_size_ends_the_connection():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(bridge.HEAD.pack(2 ** 32 - 1, 2 ** 32 - 1))
        with pytest.raises(bridge.Gone):
            bridge.receive(theirs)


def test_hanging_up_is_noticed_by_both_sides():
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs:
        with pytest.raises(bridge.Gone):
            bridge.receive(theirs)
        with pytest.raises(bridge.Gone):
            bridge.send(theirs, json.dumps("x" * 10 ** 6))
