"""Every kind of `hostile.py` gets the points that it may have: none by force, and none lost next to it."""

import contextlib
import os
import socket

import pytest
from hostile import HIDDEN, KINDS, PORT, SECRET, SETUP, SQUARE, SQUARE_TEST, VISIBLE
from test_execute_notebook import notebook

from minibert.grading.notebook import marked
from minibert.grading.run.execute_notebook import execute_in
from minibert.grading.run.kernel_pool import KernelPool
from minibert.grading.sandbox import availability
from minibert.grading.sandbox.limits import Policy

POLICY = Policy(exercise_seconds=2, idle_seconds=4, memory_mb=1000, processes=60, scratch_mb=20)
TESTS = ("double-visible", "double-hidden", "square-visible")


def submission(kind):
    """The notebook of a Kind, as it comes to be executed."""
    cells = [
        ("read setup", SETUP),
        ("solution double", kind.double),
        (None, kind.later),
        ("tests double-visible 1", VISIBLE),
        ("tests double-hidden 1", HIDDEN),
        ("solution square", SQUARE),
        ("tests square-visible 1", SQUARE_TEST),
    ]
    made = notebook(*[(mark, source) for mark, source in cells if source])
    for name in TESTS if kind.tag else ():
        marked(made)[name].metadata["tags"] = [kind.tag]
    return made


def points(notebook):
    """What nbgrader makes of the outputs of the three tests."""
    from nbgrader.utils import determine_grade

    cells = marked(notebook)
    return tuple(determine_grade(cells[name])[0] for name in TESTS)


@contextlib.contextmanager
def tempted():
    """What a sandbox has to hide: a secret in the environment, and a service that listens on this machine."""
    os.environ[SECRET] = "x"
    with socket.socket() as service:
        service.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        service.bind(("127.0.0.1", PORT))
        service.listen(100)
        yield
    del os.environ[SECRET]


@pytest.fixture(scope="module")
def kernels():
    if availability.reason_unavailable():
        pytest.skip(availability.reason_unavailable())
    with tempted(), KernelPool(POLICY) as kernels:
        yield kernels


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.takes_turns("kind", every=3)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_force_wins_a_point_or_loses_one(kind, kernels):
    executed = execute_in(kernels, submission(kind))
    assert points(executed.notebook) == kind.points, (executed.problems, executed.hints)


def test_there_are_many_kinds_with_names_of_their_own():
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 40
