"""Test inputs for `replacing_rate` and `theseus_step`, which replace modules at random, and common mistakes.

Xu et al. (2020, arXiv 2002.02925), sections 3.1 and 3.3. Axes: N tokens, D hidden, K layers of a module.
"""

import copy
import itertools
from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits
from ..checks.guard import many
from .definitions import run_part


def rate_cases(rng: np.random.Generator) -> list[tuple]:
    """Return steps, one or an array of them, before, at and after the end of the growth."""
    steps = int(rng.integers(20, 60))
    return [
        (0, 10, 0.5),
        (5, 10, 0.5),
        (10, 10, 0.5),
        (23, 10, 0.5),
        (int(rng.integers(1, steps)), steps, 0.3),
        (np.arange(0, 9), 7, 0.25),
        (np.array([steps + 3, 2, steps - 1, 0]), steps, float(rng.uniform(0.1, 0.8))),
        (np.array([1]), 4, 0.0),
        (3, 4, 1.0),
        (1, 1, 0.2),
        (7, 8, 0.0),
    ]


def rate_allowed(step: int | np.ndarray, steps: int, start: float) -> bool:
    return bool(np.all(np.asarray(step) >= 0)) and steps >= 1 and 0 <= start <= 1


def replacing_rate(step: int | np.ndarray, steps: int, start: float) -> float | np.ndarray:
    rate = start + (1 - start) * step / steps
    return np.minimum(1.0, rate)


RATE = (
    *edits(
        replacing_rate,
        """
        $rate = start + (1 - start) * step / steps
        $limited = np.minimum(1.0, rate)

        the rate goes past 1. From step `steps` on it stays 1.
            $limited => rate
        the rate never grows. It starts at `start` and grows to 1.
            $rate => start + 0 * step
        the rate starts at 0. It starts at `start`.
            $rate => step / steps
        the rate grows from `start` by 1 in `steps` steps, so it reaches 1 too early. It has only 1 - start to
        grow.
            $rate => start + step / steps
        the rate ends at `start`. It grows from `start` to 1.
            $rate => start * step / steps
            or
            $rate => start * step / steps
            $limited => np.minimum(start, rate)
        the rate falls. It grows from `start` to 1, because the new modules should take over.
            $rate => 1 - (1 - start) * step / steps
            or
            $rate => 1 - (1 - start) * step / steps
            $limited => np.maximum(start, rate)
        the rate stays at `start` until the end, then it is 1. It grows a little in every step.
            / steps => // steps
        the rate reaches 1 one step too early. It is 1 at step `steps`; steps count from 0.
            step / steps => step / max(steps - 1, 1)
            or
            step / steps => (step + 1) / steps
        the rate reaches 1 one step too late. It is `start` at step 0 and 1 at step `steps`.
            step / steps => step / (steps + 1)
            or
            step / steps => np.maximum(step - 1, 0) / steps
        after `steps` steps the rate is 0. It stays 1.
            $limited => np.where(step > steps, 0.0, rate)
        after `steps` steps the rate is `start` again. It stays 1.
            $limited => np.where(step > steps, start, rate)
        the rate starts again after `steps` steps. It stays 1.
            step / steps => (step % steps) / steps
        the growth is not linear. Each step adds the same amount.
            step / steps => (step / steps) ** {2 | 3 | 0.5}
            or
            $rate => start ** np.maximum(1 - step / steps, 0)
            or
            step / steps => (1 - np.cos(np.pi * np.minimum(step / steps, 1))) / 2
        this is the probability of keeping the old module. Return that of using the new one.
            $limited => 1 - np.minimum(1.0, rate)
        Python's `min` and `if` cannot compare an array with 1. Use `np.minimum`.
            $limited => min(1.0, rate)
            or
            $limited => min(rate, 1.0)
        your rate is never below 1: use the minimum, not the maximum.
            np.minimum => np.maximum
        only the share of the steps is limited to 1, and `start` is added to it. Only 1 - start is left to
        grow.
            $limited => start + np.minimum(1.0, step / steps)
        """,
    ),
    *pairs_of_edits(
        replacing_rate,
        """
        the rate goes past 1
            np.minimum(1.0, rate) => rate
        1 - start is missing, which is left to grow
            (1 - start) * step => step
        the rate reaches 1 one step too early
            step / steps => (step + 1) / steps
        `start` is not added
            start + (1 => (1
        """,
    ),
)


def both_ends(f: Callable, rng: np.random.Generator) -> bool:
    return bool(
        np.isclose(f(0, 8, 0.4), 0.4) and np.isclose(f(8, 8, 0.4), 1) and np.isclose(f(80, 8, 0.4), 1)
    )


def same_gain(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the rate grows by the same amount in each step."""
    rates = np.array([f(step, 10, 0.2) for step in range(11)], float)
    return bool(close(np.diff(rates), np.full(10, 0.08)))


def step_cases(rng: np.random.Generator) -> list[tuple]:
    """Return hidden states, old and new modules, rates, and generators."""

    def drawn(N: int, D: int, M: int, rate: float, old: int = 2, new: int = 1) -> tuple:
        modules = (rng.normal(size=(M, K, D, D)) for K in (old, new))
        return rng.normal(size=(N, D)), *modules, rate, np.random.default_rng(int(rng.integers(2**30)))

    return [
        drawn(2, 3, 4, 0.5),
        drawn(4, 3, 6, 0.4),
        drawn(3, 2, 8, 0.6),
        drawn(3, 4, 6, 0.8),
        drawn(3, 4, 6, 0.2),
        drawn(2, 3, 5, 0.0),
        drawn(2, 3, 5, 1.0),
        drawn(5, 2, 4, 0.5, 3, 4),
        drawn(1, 4, 1, 0.5),
        *(drawn(2, 3, 5, 0.5) for _ in range(3)),
    ]


FIXED = step_cases(np.random.default_rng(0))[0][:-1]  # arguments before `rng`


def step_allowed(hidden: np.ndarray, old: list, new: list, rate: float, rng: np.random.Generator) -> bool:
    """Return whether there are as many modules of both kinds, and all fit together."""
    D = hidden.shape[-1]
    return len(old) == len(new) and all(part.shape[1:] == (D, D) for part in (*old, *new)) and 0 <= rate <= 1


def plain(
    hidden: np.ndarray, old: np.ndarray, new: np.ndarray, rate: float, rng: np.random.Generator
) -> np.ndarray:
    for teacher, student in zip(old, new):
        draw = rng.random()
        used = student if draw < rate else teacher
        hidden = run_part(hidden, used)
    return hidden


THESEUS = (
    *edits(
        plain,
        r"""
        $loop = for teacher, student in zip(old, new):
        $used = student if draw < rate else teacher
        $run = hidden = run_part(hidden, used)
        $draw = draw = rng.random()

        one draw decides for all modules. Draw a number for each of them.
            $draw => pass
            $loop => $draw\n$loop
        you draw for each token. One number decides for the whole batch: draw one for each module.
            $draw => draw = rng.random(len(hidden))[:, None]
            $run => hidden = np.where(draw < rate, run_part(hidden, student), run_part(hidden, teacher))
            used = $used => pass
        you draw for each number of the hidden states. Draw one number for each module.
            $draw => draw = rng.random(hidden.shape)
            $run => hidden = np.where(draw < rate, run_part(hidden, student), run_part(hidden, teacher))
            used = $used => pass
        the two kinds are swapped. A number below the rate uses the new module.
            $used => teacher if draw < rate else student
            or
            draw < rate => draw > rate
        you use the new module with the probability 1 - rate.
            draw < rate => draw < 1 - rate
        a number above 1 - rate uses the new module. Use it if the number is below the rate.
            draw < rate => draw > 1 - rate
            or
            draw < rate => rng.binomial(1, rate)
            $draw => pass
        you compare with 0.5. Compare with the rate.
            draw < rate => draw < 0.5
        you use only old modules.
            $used => teacher
        you use only new modules.
            $used => student
        you mix both modules, weighted by the rate. Each time one of the two runs alone.
            $run => hidden = rate * run_part(hidden, student) + (1 - rate) * run_part(hidden, teacher)
        you run both modules where the new one is drawn. It replaces the old one.
            $used => teacher
            $run => $run\nhidden = run_part(hidden, student) if draw < rate else hidden
            or
            $used => teacher
            $run => hidden = run_part(hidden, student) if draw < rate else hidden\n$run
        from the first new module on, you use only new ones. Draw for each module again.
            $loop => gone = False\n$loop
            $used => student if gone or draw < rate else teacher
            $run => gone = gone or draw < rate\n$run
        each module gets the first hidden states. It should get the output of the module before it.
            $loop => first = hidden\n$loop
            $run => hidden = run_part(first, used)
        you add the input of a module to its output. `run_part` does that for each layer.
            $run => hidden = hidden + run_part(hidden, used)
        you use the numbers for other modules. The first one you draw decides for the first module, and so on.
            $draw => pass
            $loop => draws = iter({rng.random(len(old))[::-1] | np.roll(rng.random(len(old)), 1)})\n$loop
            if draw < rate => if next(draws) < rate
            or
            $draw => pass
            $loop => draws = iter({np.sort(rng.random(len(old))) | np.roll(rng.random(len(old)), -1)})\n$loop
            if draw < rate => if next(draws) < rate
        the modules run from the last to the first. Run the first one first.
            zip(old, new) => zip(old[::-1], new[::-1])
        you draw two numbers for each module. Draw one.
            $draw => rng.random()\n$draw
        you draw one number too many before the loop. The first one is for the first module.
            $loop => rng.random()\n$loop
        you draw from a generator of your own. Use the argument `rng`.
            $loop => rng = np.random.default_rng({0 | 42})\n$loop
        you draw for each layer of a module. Draw one number for each module.
            $draw => draw = [rng.random() for _ in teacher][0]
            or
            $draw => draw = [rng.random() for _ in teacher][-1]
        you replace a fixed number of modules. Draw for each of them.
            $loop => chosen = iter(rng.permutation(len(old)) < round(rate * len(old)))\n$loop
            $used => student if next(chosen) else teacher
            $draw => pass
        the lowest modules are always replaced first. Draw for each of them.
            $loop => for place, (teacher, student) in enumerate(zip(old, new)):
            $used => student if place < rate * len(old) else teacher
            or
            $loop => for place, (teacher, student) in enumerate(zip(old, new)):
            $used => student if place < round(rate * len(old)) else teacher
        you leave out a module if the new one is drawn. Run the new one.
            $run => hidden = hidden if draw < rate else run_part(hidden, used)
        you leave out a module if the old one is drawn. Run the old one.
            $run => hidden = run_part(hidden, used) if draw < rate else hidden
        you return the result of each module. Return that of the last one.
            return hidden => return [hidden for _ in old]
        the last module is missing. Run all of them.
            zip(old, new) => zip(old[:-1], new[:-1])
        """,
    ),
    *pairs_of_edits(
        plain,
        r"""
        $loop = for teacher, student in zip(old, new):

        one draw decides for all modules
            draw = rng.random()\nused => used
            $loop => draw = rng.random()\n$loop
        the two kinds are swapped
            student if draw < rate else teacher => teacher if draw < rate else student
        each module gets the first hidden states, not the output of the one before
            $loop => first = hidden\n$loop
            run_part(hidden => run_part(first
        """,
    ),
)


def outcomes(hidden: np.ndarray, old: np.ndarray, new: np.ndarray) -> dict[tuple[bool, ...], np.ndarray]:
    """Return the result for each choice of modules, by whether each of them is new."""
    found = {}
    for chosen in itertools.product((False, True), repeat=len(old)):
        result = hidden
        for m, is_new in enumerate(chosen):
            result = run_part(result, (new if is_new else old)[m])
        found[chosen] = result
    return found


def extremes(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether rate 0 uses only old modules, and rate 1 only new ones."""
    hidden, old, new, _, one = step_cases(rng)[0]
    ends = outcomes(hidden, old, new)
    wanted = ((0.0, (False,) * len(old)), (1.0, (True,) * len(old)))
    return all(close(f(hidden, old, new, rate, one), ends[chosen]) for rate, chosen in wanted)


def each_by_itself(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return whether f draws for each module, or a message about what it does instead."""
    hidden, old, new, rate, one = step_cases(rng)[0]
    known = outcomes(hidden, old, new)
    seen = []
    for result in many(f, [(hidden, old, new, rate, one)] * 40):
        fitting = [chosen for chosen, value in known.items() if close(result, value)]
        if not fitting:
            return (
                "your result is none of those that old and new modules can give. The output of each module "
                "is the input of the next, and one of the two modules runs on the whole batch."
            )
        seen.append(fitting[0])
    if len(set(seen)) == 1:
        return "two calls with the same `rng` give the same result. Draw new numbers from `rng` itself."
    if all(len(set(chosen)) == 1 for chosen in seen):
        return "either all modules are new or none is. Draw a number for each of them."
    if len(set(map(sum, seen))) == 1:
        return "you always replace the same number of modules. Draw a number for each of them."
    return True


def one_number_each(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return whether f draws one number from `rng` for each module, or a message."""
    hidden, old, new, rate, one = step_cases(rng)[0]
    again = copy.deepcopy(one)
    again.random(len(old))
    f(hidden, old, new, rate, one)
    return one.random() == again.random() or (
        "you draw more or fewer numbers from `rng`, or others. Draw one with `rng.random()` for each module."
    )
