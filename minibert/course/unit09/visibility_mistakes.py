"""Known mistakes about `causal_visible`, GPT's attention mask.

Radford et al. (2018), section 3.1. Axes: B batch, T tokens.
"""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake, pairs


def as_keys(real: np.ndarray) -> np.ndarray:
    return real[:, None, :]


def as_queries(real: np.ndarray) -> np.ndarray:
    return real[:, :, None]


def visible(last: int = 0, who: Callable = as_keys, turned: bool = False) -> Callable:
    """Build a causal visibility with some pieces replaced.

    last: how far to the right a token sees; who(real): what the padding hides.
    """

    def wrong(real):
        T = real.shape[1]
        left = np.tril(np.ones((T, T), bool), last)
        return (left.T if turned else left) & who(real)

    return wrong


def unseen_padding(real: np.ndarray) -> np.ndarray:
    return np.ones_like(real)[:, None, :]


VISIBLE = (
    Mistake(
        "this is the wrong way round: each token sees those on its right. Rows are queries: query t sees "
        "keys s <= t.",
        visible(turned=True),
    ),
    Mistake("a token does not see itself. It may: what it predicts is the next one.", visible(-1)),
    Mistake(
        "a token sees one place too far: the very token that it is to predict. Its last key is itself.",
        visible(1),
    ),
    Mistake(
        "padding is not hidden: `real` says which keys there are to look at.", visible(who=unseen_padding)
    ),
    Mistake(
        "you use `real` for the queries, which are the rows. Padding is hidden as a key: use `real[:, "
        "None, :]`.",
        visible(who=as_queries),
    ),
    Mistake(
        "you also empty the rows of padding. These queries see the real keys on their left like any "
        "other; nobody reads what they find.",
        visible(who=lambda real: as_keys(real) & as_queries(real)),
    ),
    Mistake(
        "every token sees every real one: that is BERT's visibility. Here the right side is hidden.",
        lambda real: np.repeat(as_keys(real), real.shape[1], axis=1),
    ),
    Mistake(
        "you hide one of the last places for each padding token. Padding may stand anywhere: `real` says "
        "where.",
        visible(who=lambda real: as_keys(np.arange(real.shape[1]) < real.sum(1, keepdims=True))),
    ),
    Mistake(
        "all rows get the padding of the first. Each row has its own.",
        visible(who=lambda real: np.broadcast_to(real[:1, None, :], (len(real), 1, real.shape[1]))),
    ),
    Mistake(
        "a token sees itself even where it is padding. Padding is never seen, not even by itself.",
        lambda real: visible()(real) | np.eye(real.shape[1], dtype=bool),
    ),
    Mistake(
        "everything after the first padding is hidden. Padding may stand anywhere: `real` says where.",
        visible(who=lambda real: as_keys(np.cumprod(real, 1).astype(bool))),
    ),
    Mistake(
        "once a token has come, padding behind it is seen. Padding is hidden wherever it stands.",
        visible(who=lambda real: as_keys(np.maximum.accumulate(real, 1))),
    ),
    *(
        Mistake(
            "the rows of padding see everything. They look at the real tokens on their left like any other "
            "row.",
            lambda real, more=more: visible()(real) | (~as_queries(real) & more(real)),
        )
        for more in (unseen_padding, as_keys)
    ),
    Mistake(
        "one of the two conditions is enough in your answer. Both must hold: the key is real, and not later.",
        lambda real: visible(who=unseen_padding)(real) | as_keys(real),
    ),
    Mistake(
        "this is True where a token may not look. Turn it round: True means visible.",
        lambda real: ~visible()(real),
    ),
    Mistake(
        "a token sees only one place. It sees itself and everything on its left.",
        lambda real: np.eye(real.shape[1], dtype=bool) & as_keys(real),
    ),
    Mistake(
        "a token sees only one place, the one before. It sees itself and everything on its left.",
        lambda real: np.eye(real.shape[1], k=-1, dtype=bool) & as_keys(real),
    ),
    Mistake(
        "the last two axes have changed places. Rows are queries, columns are keys: visible[b, t, s].",
        lambda real: visible()(real).swapaxes(1, 2),
    ),
    *pairs(
        visible,
        (dict(last=-1), "a token does not see itself"),
        (dict(last=1), "a token sees the one after it"),
        (dict(who=unseen_padding), "padding is not hidden"),
        (dict(who=as_queries), "`real` is used for the queries, not for the keys"),
    ),
)
