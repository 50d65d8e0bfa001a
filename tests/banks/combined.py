"""Wrong answers beyond the banks: two mutants of our solution at once, and mistakes of the banks that show in
one regime of inputs only, such as tiny numbers, ties or views.

Such an answer may also be right. What decides is up to 10,000 inputs, those of the check with their arguments
changed, on which all right answers of the bank agree with the reference: others are outside the exercise.
The changes are drawn here, not taken from `minibert.course.checks.regimes`: a check is not measured by its
own inputs.
"""

import ast
import copy
import functools
import signal
from textwrap import dedent, indent

import numpy as np

from minibert.course.checks.compare import agree
from minibert.course.checks.known_mistakes import result

from . import found, kills, trial
from .mutants import mutants

INPUTS = 10_000
SECONDS = 20  # of processor time for them: some answers are slow
IN_A_REGIME = """
def wrong():
{wrong}
    return {name}


def right():
{right}
    return {name}


wrong, right = wrong(), right()


def {name}({signature}):
    return (wrong if in_regime([{parameters}]) else right)({parameters})
"""


def parts(value):
    """The arrays, lists, texts and numbers among arguments, those inside lists and dicts, too."""
    yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    for one in inner:
        yield from parts(one)


def arrays(args):
    return [x for x in parts(args) if isinstance(x, np.ndarray)]


def sizes(args):
    return [
        *(n for x in arrays(args) for n in x.shape),
        *(len(x) for arg in args for x in parts(arg) if isinstance(x, (list, tuple, str))),
    ]


def floats(args):
    return [x for x in arrays(args) if x.dtype.kind == "f" and x.size]


def numbers(args):
    return [
        *(x.ravel() for x in floats(args)),
        *(np.array([x]) for arg in args for x in parts(arg) if isinstance(x, float)),
    ]


REGIMES = {  # of a list of arguments
    "tiny": lambda args: any(0 < abs(x).max() < 1e-6 for x in numbers(args)),
    "huge": lambda args: any(abs(x).max() > 1e5 for x in numbers(args)),
    "size 1": lambda args: 1 in sizes(args),
    "empty": lambda args: 0 in sizes(args),
    "long": lambda args: max(sizes(args), default=0) > 40,
    "ties": lambda args: any(len(np.unique(x)) < x.size for x in floats(args)),
    "all equal": lambda args: any(len(np.unique(x)) == 1 < x.size for x in floats(args)),
    "all below 0": lambda args: any(x.max() < 0 for x in numbers(args)),
    "a view": lambda args: any(not x.flags.c_contiguous for x in arrays(args)),
    "float32": lambda args: any(x.dtype == np.float32 for x in arrays(args)),
    "whole numbers": lambda args: any((x == x.round()).all() for x in numbers(args)),
    "repeated": lambda args: any(
        len(x) > len({repr(one) for one in x})
        for arg in args
        for x in parts(arg)
        if isinstance(x, (list, tuple, str))
    ),
}


def pairs(source, count, rng):
    """Name -> source of some answers in which two pieces of `source` are changed."""
    firsts, found = mutants(source), {}
    for _ in range(10 * count):
        if len(found) == count:
            break
        first = list(firsts)[rng.integers(len(firsts))]
        seconds = {
            name: changed
            for name, changed in mutants(firsts[first]).items()
            if changed not in firsts.values() and changed != source
        }
        if seconds:
            second = list(seconds)[rng.integers(len(seconds))]
            found[f"{first} and {second}"] = seconds[second]
    return found


def regimes(unit, name, count, rng):
    """(name, source, regime) of some answers of the bank that are wrong in one regime only."""
    check, bank = unit.checks[name], unit.bank[name]
    right = unit.cells[unit.asked[name][0]].source
    function = next(
        node for node in ast.parse(right).body if isinstance(node, ast.FunctionDef) and node.name == name
    )
    both = [(wrong, regime) for wrong in bank.wrong for regime in REGIMES]
    for number in rng.permutation(len(both))[:count]:
        wrong, regime = both[number]
        yield (
            f"{wrong}, {regime}",
            IN_A_REGIME.format(
                name=name,
                wrong=indent(dedent(bank.wrong[wrong][0]), "    "),
                right=indent(right, "    "),
                signature=ast.unparse(function.args),
                parameters=", ".join(check.parameters),
            ),
            regime,
        )


def changed_array(x, rng):
    """An array like x in another regime."""
    if x.dtype.kind != "f":
        return [x[:1], x[::-1], np.repeat(x, 2, -1)[..., ::2], x[..., :1]][rng.integers(4)] if x.ndim else x
    axis = int(rng.integers(max(1, x.ndim)))
    return [
        lambda: x * 10.0 ** rng.integers(-8, 7),
        lambda: x.round(),
        lambda: x - abs(x).max() - 1,
        lambda: np.full_like(x, x.ravel()[0]),
        lambda: np.flip(x, axis),
        lambda: x.astype(np.float32),
        lambda: np.take(x, [0], axis),
        lambda: np.repeat(x, 2, -1)[..., ::2],
        lambda: np.sort(x, axis),
        lambda: np.concatenate([x, x], axis),
    ][rng.integers(10)]()


def changed_list(x, rng):
    """A list, tuple or text like x in another regime."""
    order = rng.permutation(len(x))
    return [
        x[:0],
        x[:1],
        x + x,
        x[::-1],
        x[:1] * len(x),
        x[:-1],
        type(x)(x[i] for i in order) if not isinstance(x, str) else "".join(x[i] for i in order),
        x * 9,
    ][rng.integers(8)]


def changed_value(value, rng):
    """A value like `value` in another regime; the same one, where there is none."""
    if isinstance(value, np.ndarray) and value.size:
        return changed_array(value, rng)
    if isinstance(value, dict) and value:
        key = list(value)[rng.integers(len(value))]
        return value | {key: changed_value(value[key], rng)}
    if isinstance(value, (list, tuple, str)) and value:
        return changed_list(value, rng)
    if isinstance(value, float):
        return float(rng.choice([0.0, 1.0, -value, value * 10.0 ** rng.integers(-8, 7)]))
    if isinstance(value, int) and not isinstance(value, bool):
        return int(rng.choice([0, 1, 2, value - 1, value + 1]))
    return value


def changed(args, rng, options=()):
    """The arguments with one of them in another regime; a text among the `options` stays."""
    args = list(copy.deepcopy(args))
    place = int(rng.integers(len(args)))
    if not isinstance(args[place], str) or args[place] not in options:
        args[place] = changed_value(args[place], rng)
    return tuple(args)


def options(cases):
    """The texts that several cases have as an argument: one of a few choices, such as "likelihood"."""
    given = [arg for case in cases for arg in case if isinstance(arg, str)]
    return {text for text in given if given.count(text) > 1}


def inputs(unit, name, rng):
    """Yield (arguments, right result) for ever: those of the check, changed up to twice."""
    check = unit.checks[name]
    rights = [unit.answer(name, source) for source in unit.bank[name].right.values()]
    while True:
        cases = check.cases(rng)
        for case in cases:
            for _ in range(int(rng.integers(3))):
                case = changed(case, rng, options(cases))
            wanted = result(check.reference, case)
            if wanted is not None and all(right_on(right, case, wanted, check.atol) for right in rights):
                yield case, wanted


def right_on(answer, case, wanted, atol):
    """True if `answer` gives the result `wanted`."""
    got = result(answer, case)
    return got is not None and agree(got, wanted, atol)


def differs(unit, name, function, rng):
    """The first input on which `function` is wrong, of INPUTS, or of what SECONDS allow; or None."""
    check = unit.checks[name]
    signal.signal(signal.SIGPROF, kills.too_long)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        for (case, wanted), _ in zip(inputs(unit, name, rng), range(INPUTS)):
            if not right_on(function, case, wanted, check.atol):
                return case
    except kills.TooLong:
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def exercises():
    """(assignment, exercise) of all with one right result for each input."""
    return [
        (assignment, name)
        for assignment, module in found().items()
        for unit in [trial.unit(module)]
        for name, check in unit.checks.items()
        if check.reference and check.parameters and not name.startswith("test_") and unit.handed(name) == name
    ]


def answers(assignment, name, count, seed=0):
    """(name, source, regime or None) of `count` combined answers of each kind, or of as many as there are."""
    unit, rng = trial.unit(found()[assignment]), np.random.default_rng(seed)
    solution = unit.cells[unit.asked[name][0]].source
    both = [(called, source, None) for called, source in pairs(solution, count, rng).items()]
    return both + list(regimes(unit, name, count, rng))


started = functools.cache(kills.started)  # once: a cell may train a model, and `failed` restores the names


def missed(assignment, name, answers, seed=0):
    """(name of an answer, an input on which it is wrong) of those that keep all points and are wrong."""
    unit, rng = trial.unit(found()[assignment]), np.random.default_rng(seed)
    names, cells = started(assignment)
    for called, source, regime in answers:
        names["in_regime"] = regime = REGIMES.get(regime)
        if not kills.failed(source, cells[name][1], names):
            case = differs(unit, name, unit.answer(name, source, in_regime=regime), rng)
            if case is not None:
                yield called, case
