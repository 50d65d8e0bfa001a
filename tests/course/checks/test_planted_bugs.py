"""Planted bugs: each breaks its own invariant, whichever others are left, and earns its own points."""

import copy
import functools

import numpy as np
import pytest
from banks import found, load, trial

from minibert.course import unit02, unit13
from minibert.course.checks.bug_evidence import changed, leaves, subsets, unfixed
from minibert.course.checks.exercise import CheckFailed, Invariant, Mistake
from minibert.course.checks.planted_bugs import NOTHING_ELSE, Planted, holds, planted
from minibert.course.checks.tampering import UNTOUCHED

UNITS = tuple(map(trial.unit, found().values()))
PLANTED = [
    pytest.param(unit, check, id=check.name)
    for unit in UNITS
    for check in unit.checks.values()
    if isinstance(check, Planted)
]


def version(left):
    """2 x + 1 for any x; bug 1 forgets the factor, bug 2 the one."""

    def line(x):
        return (1 if 1 in left else 2) * x + (0 if 2 in left else 1)

    return line


BROKEN = (
    Invariant("doubles the distance of two numbers", lambda f, rng: f(7.0) - f(3.0) == 8),
    Invariant("gives an odd number", lambda f, rng: f(4.0) % 2 == 1),
)
LINE = planted(
    "line",
    ("x",),
    lambda rng: [(float(rng.integers(3, 9)),)],
    version,
    BROKEN,
    (Invariant("grows", lambda f, rng: f(2.0) > f(1.0)),),
)


def given(unit, name):
    """The names that the answer to exercise `name` finds in the notebook."""
    return unit.answer(name).__globals__


def passes(check, answer, **options):
    try:
        check(answer, **options)
    except CheckFailed:
        return False
    return True


@pytest.mark.parametrize("left", subsets(2), ids=str)
def test_each_bug_that_is_mended_gives_its_point(left):
    assert [passes(LINE.bug(number), version(left)) for number in (1, 2)] == [1 not in left, 2 not in left]
    assert passes(LINE, version(left)) == (not left)


@pytest.mark.parametrize(
    "left, single, together", [(set(), [2.0, 2.0], 2.0), ({1}, [0.0, 2.0], 1.0), ({1, 2}, [0.0, 0.0], 0.0)]
)
def test_with_points_a_mended_bug_earns_its_share_and_one_that_is_left_nothing(left, single, together):
    assert [LINE.bug(number)(version(left), points=2) for number in (1, 2)] == single
    assert LINE(version(left), seed=3, hidden=True, points=2) == together


def test_shares_of_points_are_cut_to_tenths(capsys):
    assert LINE(version({2}), points=1.5) == 0.7
    assert "line: this does not hold yet: gives an odd number." in capsys.readouterr().out


def test_checks_of_bugs_are_made_once_and_not_at_each_call():
    before = len(UNTOUCHED.exercises)
    for _ in range(3):
        LINE(version(set()))
        LINE.bug(2)(version({1}), points=1)
    assert len(UNTOUCHED.exercises) == before


def test_only_bugs_that_were_planted_can_be_asked_for():
    with pytest.raises(ValueError, match="there is no bug 3; line has bugs 1 to 2"):
        LINE.bug(3)


def test_the_check_of_a_bug_refuses_our_own_version():
    with pytest.raises(CheckFailed, match="package's own implementation"):
        LINE.bug(1)(lambda x: LINE.version(frozenset())(x))


def test_an_examination_shows_what_holds_and_what_does_not(capsys):
    LINE.examine(version({2}))
    assert capsys.readouterr().out.splitlines() == [
        "line, examined:",
        "  holds:    doubles the distance of two numbers",
        "  BROKEN:   gives an odd number",
        "  holds:    grows",
        f"  holds:    {NOTHING_ELSE}",
    ]


def test_what_raises_does_not_hold_and_what_is_not_written_says_so(capsys):
    LINE.examine(lambda x: x / 0)
    assert capsys.readouterr().out.count("BROKEN") == 4

    def stub(x):
        raise NotImplementedError()

    with pytest.raises(CheckFailed, match="stub: not written yet"):
        LINE.examine(stub)


def test_an_examination_lends_earlier_answers_that_fail(capsys):
    unit = trial.unit("unit02")
    wrong = {"layer_norm": lambda x, gamma, beta: x, "softmax": lambda x, axis=-1: x}
    broken = load(
        unit.cells["broken_gpt_layer"].source, "broken_gpt_layer", **given(unit, "gpt_layer") | wrong
    )
    unit02.gpt_layer.examine(broken)
    said = capsys.readouterr().out
    assert "broken_gpt_layer, examined with our softmax and layer_norm:" in said
    assert said.count("BROKEN") == 3 and said.count("holds") == 3


@pytest.mark.parametrize("unit, check", PLANTED)
def test_an_invariant_breaks_by_its_own_bug_and_by_no_other(unit, check):
    for left in subsets(check.bugs):
        for number, invariant in enumerate(check.invariants, 1):
            for seed in range(3):
                held = holds(invariant, check.version(left), seed)
                assert held == (number not in left), (left, invariant.sentence)


@pytest.mark.parametrize("unit, check", PLANTED)
def test_versions_with_different_bugs_differ_on_the_inputs_of_the_check(unit, check):
    for left in subsets(check.bugs):
        results = check.results(check.version(left), 5)
        assert unfixed(check, results, sorted(left), 5) == left
        assert leaves(check, left, results, 5) and not leaves(check, left ^ {1}, results, 5)


@pytest.mark.parametrize("unit, check", PLANTED)
def test_the_function_in_the_notebook_has_all_bugs(unit, check):
    broken = given(unit, check.name)[f"broken_{check.name}"]
    assert leaves(check, frozenset(range(1, check.bugs + 1)), check.results(broken, 1), 1)


@pytest.mark.parametrize("unit, check", PLANTED)
def test_some_inputs_show_a_mended_bug_whatever_another_does(unit, check):
    bugs = range(1, check.bugs + 1)
    for seed in (0, 7):
        shown = {n: changed(check, frozenset({n}), seed) for n in bugs}
        assert [(n, m) for n in bugs for m in bugs if n != m and (shown[n] & ~shown[m]).sum() < 2] == []


@pytest.mark.every(3)
@pytest.mark.parametrize("unit, check", PLANTED)
def test_an_answer_loses_the_bugs_that_it_leaves_or_half_mends_and_no_other(unit, check):
    for answer, (_, _, *loses) in unit.bank[check.name].wrong.items():
        if loses:
            function = unit.wrong(check.name, answer)
            left = [n for n in range(1, check.bugs + 1) if not passes(check.bug(n), function, hidden=True)]
            assert len(left) == loses[0], answer


@pytest.mark.parametrize("unit, check", PLANTED)
def test_a_trivial_function_earns_nothing_and_a_right_result_in_numpy_scalars_everything(unit, check):
    constant = check.reference(*check.cases(np.random.default_rng(0))[0])
    solution = unit.answer(check.name)
    same_parameters = functools.wraps(solution)
    for trivial in (
        lambda *case: copy.deepcopy(constant),
        lambda *case: filled(check.reference(*case), 0),
        lambda *case: (case[0],) * len(constant) if isinstance(constant, tuple) else case[0],
    ):
        for n in range(1, check.bugs + 1):
            assert not passes(check.bug(n), same_parameters(trivial))
    check(same_parameters(lambda *case: in_scalars(solution(*case))))


def filled(value, number):
    """The value with each number replaced."""
    if isinstance(value, dict):
        return {key: filled(part, number) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(filled(part, number) for part in value)
    return np.full_like(value, number) if isinstance(value, np.ndarray) else number


def in_scalars(value):
    """The value with each number as a NumPy scalar."""
    if isinstance(value, dict):
        return {key: in_scalars(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(in_scalars, value))
    return np.array([value])[0] if isinstance(value, (int, float)) else value


def test_a_part_that_is_right_is_not_called_wrong(capsys):
    report = unit13.fair_report.version(frozenset())

    def mean_of_validation(validation, test):
        mean = validation[np.arange(len(test)), validation.argmax(1)].mean()
        return report(validation, test) | {"mean": mean}

    assert "spread" not in message(unit13.fair_report.bug(2), mean_of_validation).split("nor spread")[-1]
    unit13.fair_report.examine(mean_of_validation)
    assert f"holds:    {NOTHING_ELSE}" in capsys.readouterr().out
    unit13.fair_report.examine(lambda *case: mean_of_validation(*case) | {"best": 0.0})
    assert "for 'best', expected" in capsys.readouterr().out


@pytest.mark.every(3)
@pytest.mark.parametrize("unit, check", PLANTED)
def test_whatever_a_wrong_answer_leaves_or_changes_shows_in_its_examination(unit, check, capsys):
    for answer, (_, hint, *_) in unit.bank[check.name].wrong.items():
        if "changes its inputs" not in hint and "own implementation" not in hint:
            check.examine(unit.wrong(check.name, answer))
            assert "BROKEN" in capsys.readouterr().out, answer


def counted(x):
    """2 x + 1, which also counts down for large x: an invariant sees it, and no input of the check."""
    return 2 * x + 1 if x < 1000 else -x


TALL = planted(
    "line",
    ("x",),
    LINE.cases,
    version,
    BROKEN,
    (
        Invariant("grows", lambda f, rng: f(2000.0) > f(1.0)),
        Invariant("gives 1 for 0", lambda f, rng: f(0.0) == 1),
    ),
)
WIDE = planted(
    "line",
    ("x",),
    LINE.cases,
    version,
    (Invariant("doubles the distance of two numbers", lambda f, rng: f(7000.0) - f(3.0) == 13994), BROKEN[1]),
)


@pytest.mark.parametrize("check, lost", [(TALL, [1, 2]), (WIDE, [1])])
def test_every_property_that_an_examination_states_costs_points(check, lost, capsys):
    check.examine(counted)
    assert "BROKEN" in capsys.readouterr().out
    assert [number for number in (1, 2) if not passes(check.bug(number), counted)] == lost


def test_an_error_on_some_inputs_costs_only_the_bugs_that_explain_it():
    def pair(left):
        return lambda x: ((1 if 1 in left else 2) * x, x + (0 if 2 in left else 1))

    check = planted(
        "line",
        ("x",),
        lambda rng: [(x,) for x in rng.uniform(-9, 9, 40)],
        pair,
        (
            Invariant("the first number is twice x", lambda f, rng: f(-3.0)[0] == -6),
            Invariant("the second number is x + 1", lambda f, rng: f(4.0)[1] == 5),
        ),
    )

    def positive(x):
        if x < -1:
            raise ValueError("x must not be negative")
        return 2 * x, x

    def never(x):
        raise ValueError("never")

    assert [passes(check.bug(number), positive, hidden=True) for number in (1, 2)] == [True, False]
    for number in (1, 2):
        with pytest.raises(ValueError, match="never"):
            check.bug(number)(never)


def message(check, answer, **options):
    with pytest.raises(CheckFailed) as failed:
        check(answer, **options)
    return str(failed.value)


@pytest.mark.parametrize(
    "answer, said",
    [
        (
            version({1, 2}),
            "this does not hold yet: doubles the distance of two numbers. Use `examine` on your",
        ),
        (lambda x: x + 3, "this does not hold yet: doubles the distance of two"),
        (lambda x: 2 * x + 3, "another mistake, which costs the points of this bug: its result is wrong."),
        (lambda x: [2 * x + 1], "you must fix this before the check can continue: it returns a list; it"),
        (lambda x: 2 * x + 5, "another mistake, which costs the points of this bug: it is five."),
        (lambda x: x + 5, "doubles the distance of two numbers. It is added to x."),
    ],
)
@pytest.mark.parametrize("hidden", [False, True])
def test_a_partly_mended_function_hears_what_is_wrong_with_it(answer, said, hidden):
    mistakes = (
        Mistake("it is five.", lambda x: 2 * x + 5),
        Mistake("it is added to x.", lambda x: x + 5),
    )
    check = planted("line", ("x",), LINE.cases, version, BROKEN, mistakes=mistakes)
    assert said in message(check.bug(1), answer, hidden=hidden)


def test_an_examination_says_where_something_else_differs_though_each_invariant_holds(capsys):
    LINE.examine(lambda x: 2 * x + 3)
    said = capsys.readouterr().out
    assert said.count("BROKEN") == 1 and "With x = " in said and f"BROKEN:   {NOTHING_ELSE}" in said
    assert "its result is wrong" in message(LINE.bug(2), lambda x: 2 * x + 3)
