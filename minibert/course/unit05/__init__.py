"""Check the exercises of unit 05: learning rates, the training step, packing, batching and cost.

Devlin et al. (2019, arXiv 1810.04805), section 3.1 and appendix A.2; Smith (2018, arXiv 1803.09820), section
4; Liu et al. (2019, arXiv 1907.11692), section 4.2. Only the training step needs PyTorch, which is imported
when a step runs.
"""

import numpy as np

from minibert import reference
from minibert.data import bucketing, formats
from minibert.training import schedule

from ..checks.exercise import Exercise
from ..checks.planted_bugs import planted
from ..checks.regimes import REGIMES
from ..checks.student_tests import student_test
from . import bug_hunt, definitions, step_mistakes, step_rehearsal, versions
from .adamw_mistakes import ADAMW
from .bucket_invariants import BUCKET_CRASHES, BUCKETS, LENGTHS
from .cost_mistakes import COSTS, PRETRAINING_COST
from .hints import HINTS
from .learning_rate_mistakes import LEARNING_RATE
from .one_cycle_mistakes import ONE_CYCLE, ONE_CYCLE_INVARIANTS, one_cycle_cases
from .packing_mistakes import PACKING, PACKING_INVARIANTS, packing_cases
from .rate_invariants import RATES


def rate_cases(rng: np.random.Generator) -> list[tuple]:
    """Return inputs (step, steps, peak, warmup) that reveal wrong schedules, including edge cases."""
    steps, warmup, peak = (
        int(rng.integers(40, 60)),
        int(rng.integers(6, 12)),
        float(rng.integers(11, 29)) / 1e4,
    )
    places = (2, warmup + 9, 0, warmup - 1, warmup, steps - 1, steps // 2)
    return [
        *((step, steps, peak, warmup) for step in places),
        (0, 7, 0.5, 0),
        (3, 7, 0.5, 0),
        (6, 7, 0.5, 0),  # no warm-up
        (0, 5, 2.0, 5),
        (4, 5, 2.0, 5),
        (1, 4, 1.0, 1),
        (0, 1, 3.0, 1),  # all steps are warm-up
        (1, 6, 3, 4),
        (5, 6, 3, 4),
        (0, 20_000, 0.5, 9_000),
        (19_999, 20_000, 0.5, 130),
        *((step, 30, peak, 7) for step in (0, 3, 9) for peak in (1e-7, 1e6)),
    ]


learning_rate = Exercise(
    "learning_rate",
    ("step", "steps", "peak", "warmup"),
    rate_cases,
    schedule.learning_rate,
    examples=tuple(((step, 6, 1.0, 2), rate) for step, rate in enumerate((0.5, 1, 1, 0.75, 0.5, 0.25))),
    hints=HINTS["learning_rate"],
    mistakes=LEARNING_RATE,
    invariants=RATES,
    free=("peak",),
)

one_cycle_rate = Exercise(
    "one_cycle_rate",
    ("step", "steps", "peak"),
    one_cycle_cases,
    schedule.one_cycle_rate,
    examples=tuple(
        ((step, 30, 1.0), rate)
        for step, rate in ((0, 0.01), (1, 0.505), (2, 1), (11, 0.750025), (20, 0.250075), (29, 0.0001))
    ),
    hints=HINTS["one_cycle_rate"],
    mistakes=ONE_CYCLE,
    invariants=ONE_CYCLE_INVARIANTS,
    free=("peak",),
)

training_step = Exercise(
    "training_step",
    ("batches", "rates", "clip"),
    step_rehearsal.cases,
    step_mistakes.right_rehearsal,
    hints=HINTS["training_step"],
    mistakes=step_mistakes.TRAINING_STEP,
    left_out=tuple(REGIMES),
)  # its model is in float64 only, so the regimes would skip every right result anyway

rehearsal = step_rehearsal.rehearsal  # for the notebook

pack_sentences = Exercise(
    "pack_sentences",
    ("docs", "room", "sep", "cross"),
    packing_cases,
    formats.pack_sentences,
    examples=tuple(
        (([[[5, 6], [7]], [[8, 9], [4]]], room, 3, cross), packed)
        for room, cross, packed in (
            (6, True, [[5, 6, 7, 3, 8, 9], [4]]),
            (6, False, [[5, 6, 7], [8, 9, 4]]),
            (5, True, [[5, 6, 7], [8, 9, 4]]),
            (5, False, [[5, 6, 7], [8, 9, 4]]),
        )
    ),
    whole=True,
    hints=HINTS["pack_sentences"],
    mistakes=PACKING,
    invariants=PACKING_INVARIANTS,
    implementations=(formats.full_sentences, formats.doc_sentences),
)

bucket_by_length = Exercise(
    "bucket_by_length",
    ("lengths", "batch_size", "pool", "rng"),
    lambda rng: [
        (LENGTHS[:50].tolist(), 8, 3, rng),
        (LENGTHS[:64].copy(), 8, 2, rng),
        ([4, 2, 3], 5, 1, rng),
    ],
    hints=HINTS["bucket_by_length"],
    mistakes=BUCKET_CRASHES,
    invariants=BUCKETS,
    implementations=(bucketing.bucket_by_length,),
)


def cost_cases(rng: np.random.Generator) -> list[tuple]:
    """Return test inputs with unrelated sizes, so that no two known mistakes give the same number."""

    def drawn(size):
        phases = [
            tuple(int(rng.integers(low, 2 * low)) for low in (900, 30, 100 * (i + 1))) for i in range(size)
        ]
        return (
            float(rng.integers(3, 90)) * 1e6,
            phases,
            int(rng.integers(3, 40)),
            float(rng.integers(20, 300)) * 1e12,
            float(rng.integers(20, 80)) / 100,
        )

    return [
        drawn(2),
        drawn(1),
        drawn(3),
        (110e6, [(900_000, 256, 128), (100_000, 256, 512)], 16, 45e12, 0.3),
        drawn(45),
        (3.0, [(2, 3, 4), (2, 3, 4), (5, 6, 7)], 2, 1e-7, 1.0),
        (3e6, [(2, 3, 4), (5, 6, 7)], 2, -1e9, 0.3),
        (3e6, [(2, 3, 4), (2, 3, 4), (5, 6, 7)], 2, 1e9, 0.3),
    ]


pretraining_cost = Exercise(
    "pretraining_cost",
    ("parameters", "phases", "chips", "peak", "utilisation"),
    cost_cases,
    definitions.pretraining_cost,
    hints=HINTS["pretraining_cost"],
    mistakes=PRETRAINING_COST,
    invariants=COSTS,
    free=("parameters", "peak"),
)

test_learning_rate = student_test(
    "test_learning_rate", ("learning_rate",), versions, HINTS["test_learning_rate"]
)

adamw_step = planted(
    "adamw_step",
    ("weights", "gradients", "memory", "rate", "clip", "decay"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    hints=HINTS["adamw_step"],
    mistakes=ADAMW,
)
