"""The bug hunt `fair_report`: a report on multiple runs, with three planted bugs, and common mistakes.

Each bug uses the same scores both to choose and to report: the epoch is chosen on the test set, validation
scores are reported, or the winner is chosen on the test set. Axes: R runs, E evaluations.
"""

from collections.abc import Callable

import numpy as np

from ..checks.compare import close
from ..checks.exercise import Invariant, Mistake


def sample_std(scores: np.ndarray) -> float:
    return scores.std(ddof=1)


def report(
    epoch: Callable = lambda validation, test: validation.argmax(1),
    told: Callable = lambda validation, test: test,
    winner: Callable = lambda validation, test: validation.argmax(),
    mean: Callable = np.mean,
    spread: Callable = sample_std,
    best: Callable = lambda validation, test: test,
) -> Callable:
    """Return a bug-free version of the exercise `fair_report`; each argument overrides one part.

    epoch: chooses an evaluation for each run, (R,), given the validation and test scores (R, E). told,
    winner, best: choose from the validation and test scores (R,) at these evaluations.
    """

    def fair_report(validation, test):
        runs, chosen = np.arange(len(test)), epoch(validation, test)
        by_validation, by_test = validation[runs, chosen], test[runs, chosen]  # (R,)
        shown = told(by_validation, by_test)
        return {
            "mean": mean(shown),
            "spread": spread(shown),
            "best": best(by_validation, by_test)[winner(by_validation, by_test)],
        }

    return fair_report


def version(left: frozenset[int]) -> Callable:
    """Return the exercise `fair_report` with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: each run's evaluation is chosen by test scores. Bug 2: the mean and spread of validation scores are
    reported instead of test scores. Bug 3: the best run is chosen by test scores.
    """
    pieces: dict[str, Callable] = {}
    if 1 in left:
        pieces["epoch"] = lambda validation, test: test.argmax(1)
    if 2 in left:
        pieces["told"] = lambda validation, test: validation
    if 3 in left:
        pieces["winner"] = lambda validation, test: test.argmax()
    made = report(**pieces)

    def fair_report(validation, test):
        return made(validation, test)

    return fair_report


# This pair reveals every known mistake: the best evaluation differs between runs and between the sets.
VALIDATION = (
    (80.0, 84.0, 83.0, 82.0),
    (79.0, 81.0, 88.0, 80.0),
    (70.0, 86.0, 85.0, 91.0),
    (90.0, 77.0, 78.0, 76.0),
)
TEST = (
    (78.0, 80.0, 85.0, 81.0),
    (86.0, 79.0, 82.0, 75.0),
    (71.0, 83.0, 84.0, 77.0),
    (79.0, 74.0, 89.0, 72.0),
)


def inputs(rng: np.random.Generator, R: int, E: int, dtype: type = np.float64) -> tuple:
    """Return random validation and test scores (R, E) with one decimal, like accuracies in percent."""
    return tuple(np.round(rng.uniform(60, 95, (R, E)), 1).astype(dtype) for _ in range(2))


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        (np.array(VALIDATION), np.array(TEST)),
        inputs(rng, 5, 4),
        inputs(rng, 2, 6),
        inputs(rng, 4, 1),
        inputs(rng, 3, 3),
        inputs(rng, 6, 2, np.float32),
    ]


def evaluation_is_chosen_on_validation(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's "best" is the test score at the highest validation score if all runs are equal."""
    row, other = np.sort(rng.uniform(60, 95, (2, 4)), axis=1)
    validation, test = (np.tile(x, (3, 1)) for x in (row[[1, 3, 0, 2]], other[[3, 1, 2, 0]]))
    return close(f(validation, test)["best"], other[1])


def what_is_reported_is_test(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether scaling all validation scores changes neither f's mean nor its spread."""
    validation, test = inputs(rng, 5, 4)
    one, other = f(validation, test), f(validation * 1.5, test)
    return close((one["mean"], one["spread"]), (other["mean"], other["spread"]))


def winner_is_chosen_on_validation(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's "best" is the test score of the run with the best validation score."""
    scores = np.sort(rng.uniform(60, 95, 4))
    validation, test = scores[[0, 2, 3, 1]][:, None], scores[[1, 3, 2, 0]][:, None]
    return close(f(validation, test)["best"], scores[2])


def order_of_runs(f: Callable, rng: np.random.Generator) -> bool:
    validation, test = (rng.permutation(np.linspace(60, 95, 20)).reshape(5, 4) for _ in range(2))
    order = rng.permutation(5)
    return close(f(validation, test), f(validation[order], test[order]))


def where_both_sets_agree(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f uses each run's highest score if test and validation scores are equal."""
    scores, _ = inputs(rng, 5, 4)
    best = scores.max(1)
    return close(
        f(scores, scores.copy()), {"mean": best.mean(), "spread": sample_std(best), "best": best.max()}
    )


BROKEN = (
    Invariant(
        'if all runs are equal, "best" is the test score at the highest validation score',
        evaluation_is_chosen_on_validation,
    ),
    Invariant(
        "multiplying the validation scores by 1.5 changes neither mean nor spread",
        what_is_reported_is_test,
    ),
    Invariant(
        'with one evaluation per run, "best" is the test score of the run with the highest validation score',
        winner_is_chosen_on_validation,
    ),
)
KEPT = (
    Invariant("the order of the runs does not change the report", order_of_runs),
    Invariant(
        "if test and validation scores are equal, the report is that of each run's highest score",
        where_both_sets_agree,
    ),
)
REPORT = (
    Mistake(
        "your spread divides by R. Divide by R - 1, because the runs are a sample.",
        report(spread=np.std),
    ),
    Mistake(
        "you report a variance as the spread. Report the standard deviation.",
        report(spread=lambda scores: scores.var(ddof=1)),
    ),
    Mistake("you report the median of the runs. Report their mean.", report(mean=np.median)),
    Mistake(
        "you report all runs at the evaluation at which they are best on average. Use each "
        "run's own best evaluation.",
        report(epoch=lambda validation, test: np.full(len(test), validation.mean(0).argmax())),
    ),
    Mistake(
        "you report all runs at their last evaluation. Use the evaluation with the highest validation score.",
        report(epoch=lambda validation, test: np.full(len(test), test.shape[1] - 1)),
    ),
    Mistake(
        'you report a validation score as "best". Report the winner\'s test score.',
        report(best=lambda validation, test: validation),
    ),
    Mistake(
        "you choose the run with the lowest validation score as the winner. Choose the run with the highest.",
        report(winner=lambda validation, test: validation.argmin()),
    ),
    Mistake(
        "you report each run at its lowest validation score. Report it at its highest.",
        report(epoch=lambda validation, test: validation.argmin(1)),
    ),
)
