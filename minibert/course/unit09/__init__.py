"""Check the exercises of unit 09, ELMo, GPT and BERT: attention masks, ELMo's loss and weighted sum, leaks.

Peters et al. (2018, arXiv 1802.05365), sections 3.1 and 3.2; Radford et al. (2018), section 3.1; Devlin et
al. (2019, arXiv 1810.04805), section 3.1. Axes: B batch, T tokens, V vocabulary, D hidden, L layers; their
sizes differ in every input.
"""

from collections.abc import Callable

import numpy as np

from minibert.analysis import layers
from minibert.data import masking
from minibert.data.batch import visible_causal

from ..checks.compare import as_array, close
from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from . import bug_hunt, leaks, loss_mistakes, mix_mistakes, visibility_mistakes
from .hints import HINTS


def rows(rng: np.random.Generator, *shape: int, dtype: type = np.float64) -> np.ndarray:
    """Return an array of the given shape with random numbers from the standard normal distribution."""
    return rng.normal(size=shape).astype(dtype)


def visible_cases(rng: np.random.Generator) -> list[tuple]:
    right = np.arange(5) < np.array([5, 3])[:, None]  # (B, T): padding at the end
    anywhere = rng.random((3, 6)) < 0.6
    anywhere[:, 2:4] = [[True, False], [False, True], [True, True]]  # padding anywhere
    return [
        (np.ones((1, 4), bool),),
        (right,),
        (anywhere,),
        (np.ones((2, 1), bool),),
        (np.arange(7)[None] > 1,),
        (np.array([[True, False, True, True], [False] * 4]),),
        (np.array([[False]]),),
    ]


def later_tokens_do_not_matter(f: Callable, rng: np.random.Generator) -> bool | str:
    real = np.arange(6) < np.array([6, 4])[:, None]
    shorter = f(real[:, :3])
    return (
        bool(np.array_equal(f(real)[:, :3, :3], shorter))
        or "a later token changes what earlier tokens may see. Only earlier tokens and padding matter."
    )


causal_visible = Exercise(
    "causal_visible",
    ("real",),
    visible_cases,
    visible_causal,
    hints=HINTS["causal_visible"],
    mistakes=visibility_mistakes.VISIBLE,
    invariants=(
        Invariant("no token sees a later one", lambda f, rng: not np.triu(f(np.ones((2, 5), bool)), 1).any()),
        Invariant("what a token may see does not change if more text follows", later_tokens_do_not_matter),
    ),
)


def bilm_cases(rng: np.random.Generator) -> list[tuple]:
    """Return inputs for `bilm_loss`, some without [CLS], so that only backward logits predict token 0."""

    def case(B, T, V, counted, dtype=np.float64):
        return (
            rows(rng, B, T, V, dtype=dtype),
            rows(rng, B, T, V, dtype=dtype),
            rng.integers(V, size=(B, T)),
            counted,
        )

    framed = np.array([[False, True, True, True, False], [False, True, False, False, False]])
    open_ended = np.array(
        [
            [True, True, False, True, True, True],
            [True, False, True, True, False, False],
            [True, True, True, False, False, False],
        ]
    )
    forward, backward, *tokens = case(3, 6, 4, open_ended)
    return [
        case(2, 5, 7, framed),
        case(3, 6, 4, open_ended),
        (forward * 1e3, backward * 1e3, *tokens),
        case(1, 2, 6, np.ones((1, 2), bool)),
        case(1, 4, 9, np.ones((1, 4), bool), np.float32),
        case(3, 6, 4, open_ended, np.float32),
        case(1, 7, 3, np.arange(7)[None] % 3 != 1),
        (np.full((2, 5, 7), 1e3), np.full((2, 5, 7), -1e3), *case(2, 5, 7, framed)[2:]),
    ]


def others_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether logits that do not predict a counted token have no effect on the loss f."""
    forward, backward, ids, counted = bilm_cases(rng)[0]
    silent = forward.copy(), backward.copy()
    silent[0][:, -1], silent[1][:, 0] = 9, 9  # there is no token after the end or before the start
    silent[0][:, 3, 2] += 5  # at place 3, which predicts [SEP] or padding
    return close(f(forward, backward, ids, counted), as_array(f(*silent, ids, counted)))


def one_side_each(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the loss f stays the same if the text is reversed and the directions are swapped."""
    forward, backward, ids, counted = bilm_cases(rng)[1]
    turned = (
        x[:, ::-1].copy() for x in (backward, forward, ids, counted)
    )  # PyTorch does not accept negative strides
    return close(f(forward, backward, ids, counted), as_array(f(*turned)))


bilm_loss = Exercise(
    "bilm_loss",
    ("forward", "backward", "ids", "counted"),
    bilm_cases,
    loss_mistakes.bilm_loss,
    hints=HINTS["bilm_loss"],
    mistakes=loss_mistakes.BILM,
    implementations=(masking.shifted,),
    invariants=(
        Invariant(
            "an untrained model, whose logits are all equal, has the loss ln V",
            lambda f, rng: close(
                f(np.zeros((2, 5, 7)), np.zeros((2, 5, 7)), *bilm_cases(rng)[0][2:]), np.log(7)
            ),
        ),
        Invariant("logits that do not predict a counted token do not matter", others_do_not_matter),
        Invariant(
            "reversing the text and swapping the two directions does not change the loss", one_side_each
        ),
    ),
)


def mix_cases(rng: np.random.Generator) -> list[tuple]:
    def case(layers, *shape, dtype=np.float64):
        return (
            [rows(rng, *shape, dtype=dtype) for _ in range(layers)],
            rows(rng, layers, dtype=dtype),
            float(rng.uniform(1.5, 3)),
        )

    return [
        case(3, 2, 4, 5),
        case(4, 1, 3, 6, dtype=np.float32),
        case(2, 3, 2, 7),
        case(1, 2, 3, 4),
        (*case(3, 2, 4, 5)[:1], np.array([800.0, 801.0, 799.0]), 0.5),  # exp(800) overflows
        (*case(2, 1, 2, 3)[:1], np.array([-0.5, -2.5]), -1.5),
        (*case(3, 1, 1, 1)[:2], 0.0),
        case(4, 2, 2, 3),
        (3 * case(1, 2, 3, 4)[0], np.array([800.0, 801.0, 799.0]), 0.5),
    ]


scalar_mix = Exercise(
    "scalar_mix",
    ("layers", "weights", "gamma"),
    mix_cases,
    mix_mistakes.scalar_mix,
    hints=HINTS["scalar_mix"],
    mistakes=mix_mistakes.MIX,
    implementations=(layers.scalar_mix,),
    invariants=(
        Invariant(
            "with equal weights and gamma 1 the result is the mean of the layers",
            lambda f, rng: close(
                f([np.full((1, 2, 3), value) for value in (1.0, 2.0, 6.0)], np.full(3, 0.7), 1.0),
                np.full((1, 2, 3), 3.0),
            ),
        ),
        Invariant(
            "adding the same number to all weights changes nothing",
            lambda f, rng: close(
                f([np.ones((1, 2, 3)), np.zeros((1, 2, 3))], np.array([0.3, 0.9]), 2.0),
                f([np.ones((1, 2, 3)), np.zeros((1, 2, 3))], np.array([5.3, 5.9]), 2.0),
            ),
        ),
    ),
)

leakage = Exercise(
    "leakage",
    ("model", "ids", "target", "vocab_size"),
    leaks.cases,
    leaks.leakage,
    allowed=leaks.allowed,
    hints=HINTS["leakage"],
    mistakes=leaks.LEAKS,
    left_out=(
        "tiny",
        "small",
        "huge",
        "whole",
        "equal",
        "negative",
    ),  # the outputs hardly move, or only by rounding
    invariants=(
        Invariant("a causal model that predicts the next token does not leak", leaks.causal_is_tight),
        Invariant(
            "a causal model that predicts the token that it has just read leaks everywhere", leaks.copies
        ),
        Invariant("if nothing is predicted, nothing leaks", leaks.nothing_asked),
    ),
)

two_readers = planted(
    "two_readers",
    ("x", "real", "weights"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    implementations=(bug_hunt.read,),
    hints=HINTS["two_readers"],
)
