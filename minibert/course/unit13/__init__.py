"""Check the exercises of unit 13: the cost of runs, adapters, significance and fair reports.

Dodge et al. (2019, arXiv 1909.03004; 2020, arXiv 2002.06305); Houlsby et al. (2019, arXiv 1902.00751); Hu et
al. (2022, arXiv 2106.09685); McNemar (1947); Sun et al. (2019, arXiv 1905.05583). Axes: N runs or examples, E
evaluations of a run, R rank or runs, D hidden, M bottleneck; no two axes of an input have the same size.
"""

import numpy as np

from minibert import reference
from minibert.analysis import significance

from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import (
    adapter_mistakes,
    bug_hunt,
    cost_mistakes,
    definitions,
    maximum_mistakes,
    merge_mistakes,
    significance_mistakes,
    stopping_mistakes,
    versions,
)
from .hints import HINTS

expected_maximum = Exercise(
    "expected_maximum",
    ("scores", "k"),
    maximum_mistakes.cases,
    definitions.expected_maximum,
    examples=(((np.array([90.0, 70.0]), 2), (85, 75)),),
    hints=HINTS["expected_maximum"],
    mistakes=maximum_mistakes.MAXIMUM,
    invariants=(
        Invariant(
            "for three draws of three scores, it matches a full enumeration of the 27 outcomes",
            maximum_mistakes.enumerated,
        ),
        Invariant("the best of one draw has the mean and variance of the scores", maximum_mistakes.one_draw),
        Invariant("the best of many draws is the best score", maximum_mistakes.many_draws),
        Invariant(
            "adding the same number to all scores, however large, does not change the variance",
            maximum_mistakes.far_from_zero,
        ),
    ),
)

successive_stopping = Exercise(
    "successive_stopping",
    ("curves", "t", "f", "p"),
    stopping_mistakes.cases,
    stopping_mistakes.plain,
    allowed=stopping_mistakes.allowed,
    examples=(
        (
            (
                np.array(
                    [
                        [60.0, 80.0, 81.0, 82.0],
                        [70.0, 75.0, 76.0, 90.0],
                        [65.0, 85.0, 80.0, 78.0],
                        [90.0, 95.0, 95.0, 95.0],
                    ]
                ),
                3,
                0.5,
                2,
            ),
            ([2, 0], 0),
        ),
    ),
    whole=True,
    hints=HINTS["successive_stopping"],
    mistakes=stopping_mistakes.STOPPING,
    implementations=(definitions.successive_stopping,),
    invariants=(
        Invariant(
            "what a stopped run would have done later does not change the result",
            stopping_mistakes.stopped_runs_are_not_seen,
        ),
        Invariant(
            "runs t and later do not change the result", stopping_mistakes.runs_behind_t_are_not_started
        ),
        Invariant(
            "if runs have equal scores at the stop, the one with the lower number comes first",
            stopping_mistakes.of_equals_the_lower,
        ),
        Invariant(
            "with p = t no run is stopped, and the best of all at the end is chosen",
            stopping_mistakes.nobody_is_stopped,
        ),
    ),
)

stopping_cost = Exercise(
    "stopping_cost",
    ("t", "f", "p", "s"),
    cost_mistakes.cases,
    definitions.stopping_cost,
    allowed=cost_mistakes.allowed,
    examples=(((20, 0.25, 5, 1000), 8750),),
    hints=HINTS["stopping_cost"],
    mistakes=cost_mistakes.COST,
    invariants=(
        Invariant("if no run is stopped, the cost is that of t full runs", cost_mistakes.never_stopped),
        Invariant(
            "an additional run costs f s steps if it is stopped, and (1 - f) s more if it is continued",
            cost_mistakes.each_run_more,
        ),
    ),
)

Adapter = Exercise(
    "Adapter",
    ("hidden", "bottleneck", "seed", "weights"),
    adapter_mistakes.cases,
    adapter_mistakes.use_adapter,
    allowed=adapter_mistakes.allowed,
    examples=(
        (
            (
                np.array([3.0, 5.0]),
                1,
                0,
                {
                    "down.weight": np.array([[1.0, 0.0]]),
                    "down.bias": np.zeros(1),
                    "up.weight": np.array([[0.0], [10.0]]),
                    "up.bias": np.zeros(2),
                },
            ),
            (
                np.array([3, 34.96]),
                {
                    "down.weight": np.array([[1.0, 0.0]]),
                    "down.bias": np.zeros(1),
                    "up.weight": np.array([[0.0], [10.0]]),
                    "up.bias": np.zeros(2),
                },
            ),
        ),
    ),
    hints=HINTS["Adapter"],
    mistakes=adapter_mistakes.ADAPTER,
    implementations=(definitions.adapter, definitions.adapter_weights),
    invariants=adapter_mistakes.INVARIANTS,
)

lora_merge = Exercise(
    "lora_merge",
    ("weights", "adapters", "alpha"),
    merge_mistakes.cases,
    definitions.lora_merge,
    examples=(
        (
            (
                {"W": np.eye(2)},
                {"W": {"a": np.array([[1.0, 0.0], [0.0, 0.0]]), "b": np.array([[0.0, 0.0], [2.0, 0.0]])}},
                6.0,
            ),
            {"W": np.array([[1, 0], [6, 1]])},
        ),
    ),
    hints=HINTS["lora_merge"],
    mistakes=merge_mistakes.MERGE,
    invariants=(
        Invariant(
            "an adapter whose `b` is 0, as before training, does not change the weights",
            merge_mistakes.nothing_at_first,
        ),
        Invariant(
            "a merged matrix gives the same output as the weight plus the adapter",
            merge_mistakes.same_output,
        ),
    ),
)

is_significant = Exercise(
    "is_significant",
    ("right_a", "right_b", "level", "comparisons"),
    significance_mistakes.cases,
    significance.is_significant,
    allowed=significance_mistakes.allowed,
    examples=(
        ((np.array([True] * 9 + [False] * 2), np.array([False] * 9 + [True] * 2), 0.05, 1), (0.065, False)),
    ),
    hints=HINTS["is_significant"],
    mistakes=significance_mistakes.SIGNIFICANT,
    invariants=(
        Invariant("swapping the two models does not change p", significance_mistakes.either_way),
        Invariant(
            "examples on which both models are right, or both wrong, do not change p",
            significance_mistakes.agreement_says_nothing,
        ),
        Invariant("two models with the same answers have p = 1", significance_mistakes.same_answers),
        Invariant(
            "a result that is significant alone may not be among ten comparisons",
            significance_mistakes.stricter,
        ),
    ),
)

fair_report = planted(
    "fair_report",
    ("validation", "test"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    hints=HINTS["fair_report"],
    mistakes=bug_hunt.REPORT,
)

test_layer_rates = student_test("test_layer_rates", ("layer_rates",), versions, HINTS["test_layer_rates"])
