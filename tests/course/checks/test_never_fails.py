"""A student's test that can never fail is told so, and why; one that can is left alone."""

from textwrap import indent

import pytest
from banks import run

from minibert.course import unit02
from minibert.course.checks.exercise import CheckFailed
from minibert.course.checks.never_fails import REASONS, told

EMPTY = {
    "none": [
        "softmax(np.eye(2))",
        "print(softmax(np.eye(2)).sum(-1) == 1)",
        "good = np.allclose(softmax(np.eye(2)).sum(), 2)\nif not good:\n    print('wrong')",
        "pass",
    ],
    "tuple": [
        "assert (softmax(np.eye(2)).sum() == 7, 'sum')",
        "for i in range(3):\n    assert (i == 7, 'i')",
        "assert (softmax(np.eye(2)).sum() == 7,)",
    ],
    "constant": [
        "assert 'the sum is 1'",
        "assert True, 'sum'",
        "assert softmax(np.eye(2)).sum() == 7 or 1",
        "assert f'{softmax}'",
    ],
    "uncalled": ["assert softmax(np.eye(2)).any", "y = softmax(np.eye(2))\nassert (y == 7).all, 'y'"],
    "itself": [
        "y = softmax(np.eye(2))\nassert y.sum() == y.sum()",
        "assert np.allclose(softmax(np.eye(2)), softmax(np.eye(2)))",
        "y = softmax(np.eye(2))\nassert (y == y).all()",
    ],
    "swallowed": [
        "try:\n    assert softmax(np.eye(2)).sum() == 7\nexcept AssertionError:\n    print('no')",
        "try:\n    assert softmax(np.eye(2)).sum() == 7\nexcept:\n    pass",
        "try:\n    raise ValueError\nexcept (ValueError, Exception) as error:\n    print(error)",
        "import contextlib\nwith contextlib.suppress(Exception):\n    assert softmax is None",
    ],
    "unused": [
        "def sums():\n    assert softmax(np.eye(2)).sum() == 7",
        "def a():\n    def b():\n        assert softmax is None",
    ],
    "unreachable": [
        "return\nassert softmax(np.eye(2)).sum() == 7",
        "for x in []:\n    assert softmax(x) == 7",
        "if False:\n    assert softmax is None",
        "while 0:\n    assert softmax is None",
    ],
}
CAN = [
    "assert np.allclose(softmax(np.eye(2)).sum(-1), 1), 'sum'",
    "np.testing.assert_allclose(softmax(np.eye(2)).sum(-1), 1)",
    "if not np.allclose(softmax(np.eye(2)).sum(-1), 1):\n    raise ValueError('sum')",
    "try:\n    y = softmax(np.eye(2))\nexcept ValueError:\n    raise AssertionError('it raises')",
    "def sums(y):\n    assert np.allclose(y.sum(-1), 1)\nsums(softmax(np.eye(2)))",
    "try:\n    y = softmax(np.eye(2))\nexcept Exception:\n    assert False, 'it raises'\n"
    "assert (y >= 0).all()",
]


def written(body):
    """The decorated test with this body, as a notebook defines it."""
    names = {}
    run(
        "import numpy as np\nfrom minibert.course.checks.student_tests import by_name\n\n\n@by_name\n"
        f"def test_softmax(softmax):\n{indent(body, '    ')}\n",
        names,
    )
    return names["test_softmax"]


@pytest.mark.parametrize(
    "reason, body", [(reason, body) for reason, bodies in EMPTY.items() for body in bodies]
)
@pytest.mark.filterwarnings("ignore:assertion is always true")
@pytest.mark.parametrize("hidden", [False, True])
def test_a_test_that_can_never_fail_is_named_as_exactly_that(reason, body, hidden):
    with pytest.raises(CheckFailed) as failed:
        unit02.test_softmax(written(body), hidden=hidden)
    assert "catches 0 of 7 wrong versions. It does not catch the one that" in str(failed.value)
    assert told([reason]) in str(failed.value) and REASONS[reason][1:] in str(failed.value)


@pytest.mark.parametrize("body", CAN)
def test_an_assert_that_can_fail_is_not_blamed(body):
    assert written(body)(None) == []


@pytest.mark.filterwarnings("ignore:assertion is always true")
def test_one_assert_that_can_never_fail_is_named_beside_others_that_can():
    body = f"{CAN[0]}\n{EMPTY['tuple'][0]}"
    with pytest.raises(CheckFailed, match="catches 2 of 7 .* An `assert` with parentheses"):
        unit02.test_softmax(written(body))


@pytest.mark.parametrize("said", [None, "tuple", 3, ["os.remove", 7, None], [["tuple"]]])
def test_what_else_comes_from_the_students_side_is_not_repeated(said):
    assert told(said) == ""


def test_a_test_without_a_source_is_not_judged_by_it():
    names = {}
    exec("from minibert.course.checks.student_tests import by_name\n@by_name\ndef test(f):\n    pass", names)
    assert names["test"](None) == []
