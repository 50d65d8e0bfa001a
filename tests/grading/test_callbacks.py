"""Functions of ours that her code calls over the wire: data, errors, changes in place, and nothing else."""

import contextlib
import os
import socket
import threading

import numpy as np
import pytest

from minibert.grading.wire import protocol
from minibert.grading.wire.callbacks import OfferedFunctions, remote
from minibert.grading.wire.in_place_changes import read_only_changes
from minibert.grading.wire.link import CurrentRequest, Link
from minibert.grading.wire.proxies import Session
from minibert.grading.wire.student_server import Server


@pytest.fixture
def session():
    """A session whose other end is served by a thread, as a student's kernel would; `names` are hers."""
    ours, theirs = socket.socketpair()
    server = Server(theirs, {})

    def serve():
        with contextlib.suppress(protocol.Disconnected):
            while True:
                server.link.serving = CurrentRequest()
                number, request = protocol.receive(theirs, server._restore)
                server.link.serving.number = number
                protocol.send(theirs, (number, server._reply(request)), server._describe)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    made = Session(ours)
    made.names, made.pid = server.names, os.getpid()
    yield made
    ours.close()
    thread.join()
    theirs.close()


def ask(session, hers, *args, **kwargs):
    """What her function `hers` returns for arguments, asked over the wire."""
    session.names["hers"] = hers
    return session.find("hers")[1](*args, **kwargs)


def test_a_function_of_ours_runs_on_our_side(session):
    seen = []

    def ours(x, axis=0):
        seen.append(threading.get_ident())
        return x.sum(axis)

    assert ask(session, lambda f: f(np.eye(3), axis=1) + 1, ours).tolist() == [2, 2, 2]
    assert seen == [threading.get_ident()]


def test_what_ours_changes_in_place_is_changed_there(session):
    def ours(x, items, rng):
        x += 1
        items.append(7)
        return rng.random()

    def hers(f):
        x, items, rng, same = np.zeros(2), [], np.random.default_rng(0), np.random.default_rng(0)
        drawn = f(x[::1], items, rng=rng)
        return x, items, drawn == same.random(), rng.random() == same.random()

    x, items, *same = ask(session, hers, ours)
    assert x.tolist() == [1, 1] and items == [7] and same == [True, True]


def test_an_array_that_may_not_be_written_to_raises_as_it_would_here(session):
    def ours(x):
        x[...] = 3

    def hers(f):
        x = np.zeros(2)
        x.flags.writeable = False
        try:
            f(x)
        except ValueError as error:
            return str(error)

    assert ask(session, hers, ours) == "assignment destination is read-only"
    assert not read_only_changes((np.zeros(2),), (np.ones(2),))


def test_an_error_of_ours_has_its_kind_and_text_and_no_place(session):
    class Private(KeyError):
        pass

    def by_logarithm(x):
        raise Private("no key")

    def hers(f):
        try:
            f(1)
        except KeyError as error:
            import traceback

            return type(error).__name__, str(error), "".join(traceback.format_exception(error))

    name, text, trace = ask(session, hers, by_logarithm)
    assert name == "KeyError" and "no key" in text
    assert "by_logarithm" not in trace and "Private" not in trace


def test_a_token_dies_with_its_request(session):
    kept = []
    ask(session, lambda f: kept.append(f), lambda x: x)
    assert ask(session, lambda: pytest.raises(RuntimeError, kept[0], 1) and "dead") == "dead"
    token = OfferedFunctions().token(len)
    assert OfferedFunctions().reply({"function": token, "args": ([1], {})})["error"][0] == "KeyError"


def test_tokens_are_new_and_say_nothing(session):
    def tokens(*functions):
        held = [str([str(cell.cell_contents) for cell in f.__closure__]) for f in functions]
        return held, [f.__qualname__ for f in functions]

    def by_logarithm():
        pass

    first, names = ask(session, tokens, by_logarithm, by_logarithm)
    again, _ = ask(session, tokens, by_logarithm, by_logarithm)
    assert names == ["remote.<locals>.version"] * 2 and "logarithm" not in str(first)
    offered = OfferedFunctions()
    made = {offered.token(by_logarithm) for _ in range(100)}
    assert len(made) == 100 and {len(token) for token in made} == {16} and first != again


@pytest.mark.parametrize(
    "given",
    [object(), lambda: 0, [object()], {"x": threading.Lock()}],
    ids=["object", "function", "in a list", "in a dictionary"],
)
def test_ours_gets_data_only(session, given):
    def hers(f):
        try:
            return f(given)
        except ValueError as error:
            return str(error)

    assert "cannot be sent" in ask(session, hers, lambda x: "reached")
    given = 1
    assert "cannot be sent" in ask(session, hers, lambda x: object())  # and gives data only


def test_a_forged_object_of_hers_cannot_be_asked_meanwhile(session):
    def hers(f):
        cells = dict(zip(f.__code__.co_freevars, (cell.cell_contents for cell in f.__closure__)))
        connection = cells["link"].connection
        protocol.send(
            connection,
            (cells["mine"].number, {"function": cells["token"], "args": ([[1, 2].append], {})}),
            lambda append: [0, type(append).__name__, True, append.__name__],
        )
        return protocol.receive(connection)[1]["error"][1]

    said = "a function passed in by a check accepts only numbers, strings, lists, dicts and arrays"
    assert ask(session, hers, lambda x: x(3)) == said


def test_a_lent_function_stands_under_her_name_while_she_is_asked(session):
    session.names["softmax"] = "hers"
    session.names["answer"] = lambda: session.names["softmax"](np.ones(2))
    answer = session.find("answer")[1]
    with answer.lend({"softmax": lambda x: x + 1}):
        assert answer().tolist() == [2, 2]
    assert session.names["softmax"] == "hers"


def test_without_a_request_nothing_is_asked():
    ours, theirs = socket.socketpair()
    with ours, theirs, pytest.raises(RuntimeError, match="only while its check runs"):
        remote(Link(theirs), "00")(1)


def test_a_value_that_comes_after_an_interrupt_is_no_request():
    ours, theirs = socket.socketpair()
    server = Server(theirs, {"x": 3})
    protocol.send(ours, (1, {"value": 4, "args": None}))
    server.answer()  # answers nothing
    protocol.send(ours, (2, {"op": "name", "name": "x", "args": ((), {})}))
    server.answer()
    number, reply = protocol.receive(ours)
    assert number == 2 and reply["value"] == (True, 3)
    ours.close()
    theirs.close()
