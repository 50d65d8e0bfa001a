"""Other changes to `pretraining_loss` than its three bugs: the right loss with one of its pieces replaced.

Axes: B batch, T tokens, P predicted positions of a sequence, D hidden.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.exercise import Mistake
from .loss_mistakes import right_mlm_loss, right_nsp_loss


def gathered(hidden: np.ndarray, places: np.ndarray) -> np.ndarray:
    return hidden[np.arange(len(places))[:, None], places]  # (B, P, D)


def both(
    pooled: Callable = lambda hidden, places: hidden[:, 0],
    at: Callable = lambda places, T: places,
    total: Callable = lambda mlm, nsp, labels: mlm + nsp,
    asked: Callable = lambda labels, places: labels,
    answer: Callable = lambda nsp_labels: nsp_labels,
    bias: Callable = lambda weights, name: weights[name],
) -> Callable:
    """Build a pretraining_loss with some of its pieces replaced."""

    def wrong(hidden, places, labels, nsp_labels, weights):
        states = gathered(hidden, at(places, hidden.shape[1]))  # (B, P, D)
        mlm = right_mlm_loss(
            states @ weights["word.weight"].T + bias(weights, "word.bias"), asked(labels, places)
        )
        first = pooled(hidden, places)  # (B, D)
        nsp = right_nsp_loss(first @ weights["nsp.weight"].T + bias(weights, "nsp.bias"), answer(nsp_labels))
        return total(mlm, nsp, labels)

    return wrong


def pools(hint: str, *functions: Callable) -> list[Mistake]:
    """Build a Mistake for each function that takes other states than those of [CLS]."""
    return [Mistake(hint, both(pooled=function)) for function in functions]


PRETRAINING_LOSS = (
    *pools(
        "NSP reads the state of [CLS], as it is: the first of each sequence.",
        lambda hidden, places: hidden.max(1),
        lambda hidden, places: hidden.sum(1),
        lambda hidden, places: np.tanh(hidden[:, 0]),
        lambda hidden, places: 0 * hidden[:, 0],
    ),
    *pools(
        "NSP reads the last state of each sequence. [CLS] is the first.", lambda hidden, places: hidden[:, -1]
    ),
    *pools(
        "NSP reads the second state of each sequence. [CLS] is the first.",
        lambda hidden, places: hidden[:, 1],
    ),
    *pools(
        "NSP reads the [CLS] of the first sequence for all sequences. Each has its own.",
        lambda hidden, places: hidden[:1, 0].repeat(len(hidden), 0),
    ),
    *pools(
        "NSP reads a state at an asked place. It reads that of [CLS].",
        lambda hidden, places: gathered(hidden, places)[:, 0],
        lambda hidden, places: gathered(hidden, places).mean(1),
    ),
    *(
        Mistake("the two losses are added, each with the weight 1.", both(total=total))
        for total in (
            lambda mlm, nsp, labels: (mlm + nsp) / 2,
            lambda mlm, nsp, labels: mlm + nsp / 2,
            lambda mlm, nsp, labels: mlm / 2 + nsp,
            lambda mlm, nsp, labels: mlm * nsp,
            lambda mlm, nsp, labels: mlm - nsp,
            lambda mlm, nsp, labels: mlm + len(labels) * nsp,
            lambda mlm, nsp, labels: mlm * (labels != IGNORE).mean() + nsp,
        )
    ),
    Mistake("only the loss of exercise 1 is there.", both(total=lambda mlm, nsp, labels: mlm)),
    Mistake("only the loss of exercise 4 is there.", both(total=lambda mlm, nsp, labels: nsp)),
    *(
        Mistake(
            f"{name} is missing.",
            both(bias=lambda weights, which, name=name: 0 if which == name else weights[which]),
        )
        for name in ("word.bias", "nsp.bias")
    ),
    Mistake("every class has the first one's bias.", both(bias=lambda weights, name: weights[name][0])),
    Mistake(
        "slots that are not used count, as if the token with id 0 were asked for.",
        both(asked=lambda labels, places: np.where(labels == IGNORE, 0, labels)),
    ),
    Mistake(
        "a slot at place 0 is left out. Only the label -100 means that a slot is not used.",
        both(asked=lambda labels, places: np.where(places == 0, IGNORE, labels)),
    ),
    Mistake(
        "labels that are 0 are left out. Only -100 means that a slot is not used.",
        both(asked=lambda labels, places: np.where(labels == 0, IGNORE, labels)),
    ),
    Mistake(
        "only the first slot of each sequence counts.",
        both(asked=lambda labels, places: np.where(np.arange(labels.shape[1]) == 0, labels, IGNORE)),
    ),
    *(
        Mistake(
            "the states are taken one place off. Places count from 0.",
            both(at=lambda places, T, by=by: (places + by) % T),
        )
        for by in (1, -1)
    ),
    Mistake(
        "the states are taken one place off. Places count from 0.",
        both(at=lambda places, T: np.minimum(places + 1, T - 1)),
    ),
    Mistake(
        "the places are sorted, and no longer belong to their labels.",
        both(at=lambda places, T: np.sort(places)),
    ),
    Mistake(
        "0 and 1 are exchanged in NSP: 0 means that B follows A.",
        both(answer=lambda nsp_labels: 1 - nsp_labels),
    ),
)
