"""A small course for the tests of grading: a lesson, and an assignment with code and text to write."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from minibert.grading import bounded
from minibert.grading.author.build import build
from minibert.grading.notebook import fill, read, text
from minibert.grading.run.kernel_pool import KernelPool
from minibert.grading.sandbox import availability

ROOT = Path(__file__).resolve().parents[2]
UNIT = "01_small"
LESSON = """# %% [markdown]
# # A lesson
# ![a square](square.svg)

# %%
x = 2

# %%
x ** 2
"""
SOLUTION = '''# %% [markdown] nb="read intro"
# # Square and double
# Fill in both functions.

# %% nb="read imports"
from minibert.course.checks.exercise import CheckFailed


def expect(name, got, wanted):
    if got != wanted:
        raise CheckFailed(f"{name}: got {got}, wanted {wanted}")


# %% [markdown]
# Square a number.

# %% nb="solution square"
def square(x):
    """x times x."""
    ### BEGIN SOLUTION
    result_of_the_square = x * x
    return result_of_the_square
    ### END SOLUTION


# %% nb="tests square-visible 2"
expect("square", square(2), 4)

# %% nb="tests square-hidden 3"
expect("square", square(1), 1)
### BEGIN HIDDEN TESTS
expect("square of a fresh input", square(3), 9)
### END HIDDEN TESTS

# %% nb="solution double"
def double(x):
    """x plus x."""
    ### BEGIN SOLUTION
    result_of_the_double = x + x
    return result_of_the_double
    ### END SOLUTION


# %% nb="tests double-visible 1"
expect("double", double(3), 6)

# %% [markdown] nb="manual why 4"
# Because x + x is 2 * x.
'''


@pytest.fixture(scope="module")
def kernels(request):
    """Sandboxed kernels under the POLICY of the test's module."""
    if reason := availability.reason_unavailable():
        pytest.skip(reason)
    with KernelPool(request.module.POLICY) as kernels:
        yield kernels


@pytest.fixture
def taken(monkeypatch):
    """The kernels that a test has taken from a pool so far."""
    found, take = [], KernelPool.take
    monkeypatch.setattr(KernelPool, "take", lambda pool: found.append(take(pool)) or found[-1])
    return found


@pytest.fixture
def new_helper(monkeypatch):
    """A helper for bounded calls that is forked at the first of them, so that it has the test's patches."""
    monkeypatch.setattr(bounded, "_helper", bounded.Helper())


@pytest.fixture(scope="session")
def built_course(tmp_path_factory):
    """The course, built once; not to be changed."""
    folder = tmp_path_factory.mktemp("course") / "repository"
    (folder / "lessons").mkdir(parents=True)
    (folder / "solutions" / UNIT).mkdir(parents=True)
    (folder / "lessons" / f"{UNIT}.nb.py").write_text(LESSON)
    (folder / "solutions" / UNIT / f"{UNIT}.nb.py").write_text(SOLUTION)
    (folder / "solutions" / UNIT / "numbers.csv").write_text("1,2,3\n")
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    assert build(folder) == []
    return folder


@pytest.fixture(scope="session")
def empty_gradebook(built_course, tmp_path_factory):
    """An empty gradebook of the course: to make one, nbgrader starts a program, which takes seconds."""
    from minibert.grading.report.gradebook import open_course, open_gradebook

    folder = tmp_path_factory.mktemp("gradebook")
    shutil.copy(built_course / "nbgrader_config.py", folder)
    open_gradebook(open_course(folder)).close()
    return folder / "gradebook.db"


@pytest.fixture
def course(built_course, tmp_path):
    """A copy of the course that a test may change."""
    return Path(shutil.copytree(built_course, tmp_path / "repository"))


@pytest.fixture(scope="session")
def exercise(built_course):
    """The released exercise; `fill` leaves it as it is."""
    return read(built_course / "exercises" / UNIT / f"{UNIT}.ipynb")


@pytest.fixture(scope="session")
def right():
    """Right answers for every answer cell."""
    return {
        "square": "def square(x):\n    return x ** 2",
        "double": "def double(x):\n    return 2 * x",
        "why": "They are the same sum.",
    }


@pytest.fixture(scope="session")
def submit(exercise, right):
    """submit(course, student, ...) puts into submitted/ right answers with some replaced, or any bytes."""

    def put(course, student, data=None, timestamp=None, **changed):
        folder = course / "submitted" / student / UNIT
        folder.mkdir(parents=True, exist_ok=True)
        made = text(fill(exercise, {**right, **changed})).encode() if data is None else data
        (folder / f"{UNIT}.ipynb").write_bytes(made)
        if timestamp:
            (folder / "timestamp.txt").write_text(timestamp)

    return put


@pytest.fixture
def hand_in(course, submit, empty_gradebook):
    """hand_in(student, ...) is `submit` for the course, which gets an empty gradebook."""
    shutil.copy(empty_gradebook, course)
    return partial(submit, course)
