"""Small random models with different visibility, a test that finds leaks in them, and its known mistakes.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: bidirectional conditioning would let each word see
itself, through others. Axes: T tokens, V vocabulary, D hidden.
"""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake, pairs

HIDDEN = 4  # D of the models
# What sees what, what predicts what, and a text (V = 5), chosen so that each known mistake gives another
# result; nobody sees 4.
MIXED = ("1010000", "0100010", "0011001", "1010010", "1001000", "0100010", "1001011")
MIXED_TARGET, MIXED_IDS = [5, 5, 3, 0, 2, 4, -1], [0, 4, 0, 0, 0, 4, 0]


def random_model(
    visible: np.ndarray,
    layers: int,
    vocab_size: int,
    rng: np.random.Generator,
    hidden: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """A model for `run`, as a dict of arrays: plain data, since answers are graded in another process.

    visible: (T, T) bool, what the output at t is made of, layer by layer. hidden: (T,) bool, positions that
    read [MASK], id 0.
    """
    T = len(visible)
    return {
        "visible": np.array(visible),
        "hidden": np.zeros(T, bool) if hidden is None else np.array(hidden),
        "words": rng.normal(size=(vocab_size, HIDDEN)),
        "places": rng.normal(size=(T, HIDDEN)) / 2,
        "weights": rng.normal(size=(layers, HIDDEN, HIDDEN)) / 2,
    }


def run(model: dict[str, np.ndarray], ids: np.ndarray) -> np.ndarray:
    """The output (T, D) of a model for a sequence of tokens, ids (T,).

    Some numbers of the output are always 0, at some positions the first one, so that a change must be looked
    for in all of them.
    """
    x = model["words"][np.where(model["hidden"], 0, np.asarray(ids, int))]  # (T, D)
    share = model["visible"] / np.maximum(model["visible"].sum(-1, keepdims=True), 1)  # (T, T)
    for weights in model["weights"]:
        x = np.tanh((share[:, :, None] * x).sum(1) @ weights + model["places"])
    x[::2, 0] = 0
    x[::3, 1] = 0
    return x


def following(T: int) -> np.ndarray:
    """The position after each, (T,); -1 after the last."""
    return np.append(np.arange(1, T), -1)


def leaking(rng: np.random.Generator, size: float = 1.0, last: float = 1.0) -> tuple:
    """A model that leaks everywhere. size: of its output's moves; last: 0 if its last number never moves."""
    model = random_model(np.ones((5, 5), bool), 1, 6, rng)
    model["weights"] *= size
    model["places"] *= size  # so that the moves stay large beside the output
    model["weights"][..., -1] *= last
    return model, rng.integers(6, size=5), np.array([4, 3, 2, 1, 0]), 6


def cases(rng: np.random.Generator) -> list[tuple]:
    """Models that are causal or leak.

    The last one is bidirectional, hides each token from itself, and has two layers.
    """

    def case(visible, layers, target, V=7, ids=None):
        ids = rng.integers(V, size=len(target)) if ids is None else ids
        return random_model(visible, layers, V, rng), np.array(ids), np.asarray(target), V

    left, all_seen, others = np.tril(np.ones((6, 6), bool)), np.ones((4, 4), bool), ~np.eye(5, dtype=bool)
    hole = left.copy()
    hole[2, 3] = True  # one place looks ahead
    mixed = np.array([[sign == "1" for sign in row] for row in MIXED])
    bases = [
        case(mixed, 1, MIXED_TARGET, 5, MIXED_IDS),
        case(np.ones((5, 5), bool), 1, [1, 2, 3, 4, 0], 5, range(5)),
    ]
    tight, *asked = case(left, 1, following(6))
    still, *rest = leaking(rng, last=0.0)
    single = {name: x.astype(np.float32) if x.dtype.kind == "f" else x for name, x in still.items()}
    return [
        *bases,
        *((model | {"places": np.full_like(model["places"], 0.5)}, *rest) for model, *rest in bases),
        case(hole, 1, following(6)),
        (tight | {"words": 1e6 * tight["words"]}, *asked),
        case(left, 2, following(6)),
        case(hole, 1, following(6), 5, [0] * 6),
        case(hole, 2, following(6), 5, [4] * 6),
        *(case(hole, 1, following(6), 5, [token] * 6) for token in (1, 2, 3)),
        case(left[:1, :1], 1, [0], 2, [1]),
        (still, *rest),
        (single, *rest),
        leaking(rng, size=1e-4),
        case(all_seen, 1, [1, -1, -1, 0]),
        case(others, 1, np.arange(5)),
        case(others, 2, np.arange(5)),
    ]


def other_token(token: int, V: int) -> int:
    return (token + 1) % V


def any_number(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return (before != after).any(-1)


def finder(
    token: Callable = other_token,
    where: Callable = lambda t, target: (t, target[t]),
    moved: Callable = any_number,
    all_asked: bool = False,
) -> Callable:
    """Build the test with some pieces replaced.

    where(t, target): (the output to watch, the token to change).
    """

    def leakage(model, ids, target, vocab_size):
        before, leaks = run(model, ids), np.zeros(len(ids), bool)
        for t in range(len(ids)):
            if target[t] >= 0 or all_asked:
                watched, changed = where(t, target)
                other = ids.copy()
                other[changed] = token(other[changed], vocab_size)
                leaks[t] = moved(before, run(model, other))[watched]
        return leaks

    return leakage


def causal_is_tight(f: Callable, rng: np.random.Generator) -> bool:
    return not f(
        random_model(np.tril(np.ones((5, 5), bool)), 2, 9, rng), rng.integers(9, size=5), following(5), 9
    ).any()


def copies(f: Callable, rng: np.random.Generator) -> bool:
    return bool(
        f(
            random_model(np.tril(np.ones((5, 5), bool)), 2, 9, rng), rng.integers(9, size=5), np.arange(5), 9
        ).all()
    )


def nothing_asked(f: Callable, rng: np.random.Generator) -> bool:
    return not f(
        random_model(np.ones((5, 5), bool), 2, 9, rng), rng.integers(9, size=5), np.full(5, -1), 9
    ).any()


def all_at_once(
    model: dict[str, np.ndarray], ids: np.ndarray, target: np.ndarray, vocab_size: int
) -> np.ndarray:
    """The test with every token changed at the same time."""
    moved = any_number(run(model, ids), run(model, (ids + 1) % vocab_size))
    return moved & (target >= 0)


def only_where(asked: Callable) -> Callable:
    """Build the test with another rule about where something is predicted: asked(t, target[t])."""
    return lambda model, ids, target, vocab_size: finder()(
        model, ids, np.where([asked(t, place) for t, place in enumerate(target)], target, -1), vocab_size
    )


def neighbours(
    model: dict[str, np.ndarray], ids: np.ndarray, target: np.ndarray, vocab_size: int
) -> np.ndarray:
    """The test with the token before the target's as the new token."""
    before, leaks = run(model, ids), np.zeros(len(ids), bool)
    for t in np.flatnonzero(np.asarray(target) >= 0):
        other = ids.copy()
        other[target[t]] = ids[target[t] - 1]
        leaks[t] = any_number(before, run(model, other))[t]
    return leaks


def misplaced(
    model: dict[str, np.ndarray], ids: np.ndarray, target: np.ndarray, vocab_size: int
) -> np.ndarray:
    leaks = np.zeros(len(ids), bool)
    for t, leak in enumerate(finder()(model, ids, target, vocab_size)):
        if target[t] >= 0:
            leaks[target[t]] = leak
    return leaks


LEAKS = (
    Mistake(
        "you look at the output of the token that you change. Change the token at target[t], and watch "
        "the output at t.",
        finder(where=lambda t, target: (target[t], target[t])),
    ),
    Mistake(
        "you change the token at t. Change the one that t has to predict, at target[t].",
        finder(where=lambda t, target: (t, t)),
    ),
    Mistake(
        "you change the token at t and watch the output at target[t]. It is the other way round.",
        finder(where=lambda t, target: (target[t], t)),
    ),
    Mistake(
        "you take the next token as the one to predict. `target` says which it is: target[t].",
        finder(where=lambda t, target: (t, min(t + 1, len(target) - 1))),
    ),
    Mistake(
        "-1 means that nothing is predicted. As an index it is the last token; leave such places at False.",
        finder(all_asked=True),
    ),
    Mistake(
        "the new token is always 0, which may be the old one: then nothing changes, whatever the model sees.",
        finder(lambda token, V: 0),
    ),
    Mistake(
        "the new token is always the last of the vocabulary, which may be the old one: then nothing changes.",
        finder(lambda token, V: V - 1),
    ),
    Mistake(
        "you look at the first number of the output alone. A leak may show in any of them: compare whole "
        "rows.",
        finder(moved=lambda before, after: before[:, 0] != after[:, 0]),
    ),
    Mistake(
        "you ask whether all numbers of the output move. One that moves is enough.",
        finder(moved=lambda before, after: (before != after).all(-1)),
    ),
    Mistake(
        "you ask whether anything moves in the whole output. Only its row t predicts target[t].",
        finder(moved=lambda before, after: np.full(len(before), (before != after).any())),
    ),
    Mistake(
        "this is the wrong way round: True where the output stays as it is. A leak is where it moves.",
        finder(moved=lambda before, after: ~any_number(before, after)),
    ),
    Mistake(
        "you change all tokens at once. What moves then may have seen any other token: change one at a time.",
        all_at_once,
    ),
    Mistake(
        "the changed tokens stay changed: each place needs a fresh copy of ids, with one token replaced.",
        lambda model, ids, target, vocab_size: growing(model, ids, target, vocab_size),
    ),
    Mistake(
        "`token + 1` runs out of the vocabulary for its last token. Take the remainder: `(token + 1) % "
        "vocab_size`.",
        finder(lambda token, V: token + 1),
    ),
    Mistake(
        "the new token is always 1, which may be the old one: then nothing changes, whatever the model sees.",
        finder(lambda token, V: 1),
    ),
    *(
        Mistake(
            "the new token is always the same, and may be the old one: then nothing changes. Let it depend "
            "on "
            "the old one.",
            finder(lambda token, V, middle=middle: middle(V)),
        )
        for middle in (lambda V: V // 2, lambda V: 2, lambda V: V - 2)
    ),
    Mistake(
        "the new token is the mirror image of the old one: in the middle of the vocabulary they are equal.",
        finder(lambda token, V: V - 1 - token),
    ),
    Mistake(
        "the new token is that of a neighbour, which may be the same. Take one that differs for sure.",
        neighbours,
    ),
    Mistake(
        "place 0 counts as nothing to predict. Only -1 says so.", only_where(lambda t, target: target > 0)
    ),
    Mistake(
        "only targets on the right are tried. A target may stand on either side, or at t itself.",
        only_where(lambda t, target: target > t),
    ),
    *(
        Mistake(
            "a small move counts as none in your answer. Any difference is a leak.",
            finder(moved=lambda before, after, least=least: np.abs(before - after).max(-1) > least),
        )
        for least in (0.001, 0.01, 0.1, 0.5)
    ),
    Mistake(
        "you ask whether the largest number of the output stands elsewhere. Any number that moves is a leak.",
        finder(moved=lambda before, after: before.argmax(-1) != after.argmax(-1)),
    ),
    Mistake(
        "you look at the last number of the output alone. A leak may show in any of them: compare whole "
        "rows.",
        finder(moved=lambda before, after: before[:, -1] != after[:, -1]),
    ),
    Mistake(
        "where nothing is predicted you give True. Nothing can leak there: False.",
        lambda model, ids, target, vocab_size: finder()(model, ids, target, vocab_size) | (target < 0),
    ),
    Mistake("the verdict on the output at t stands at target[t] in your answer. It belongs at t.", misplaced),
    Mistake(
        "you look at the other rows of the output. Only its row t predicts target[t].",
        finder(
            moved=lambda before, after: (
                any_number(before, after)[None] & ~np.eye(len(before), dtype=bool)
            ).any(-1)
        ),
    ),
    *pairs(
        finder,
        (dict(token=lambda token, V: 0), "the new token is always 0, which may be the old one"),
        (dict(all_asked=True), "-1 is taken as the last token"),
        (dict(where=lambda t, target: (t, t)), "the token at t is changed, not the one at target[t]"),
        (
            dict(moved=lambda before, after: before[:, 0] != after[:, 0]),
            "the first number of the output alone is watched",
        ),
    ),
)


def growing(model: dict[str, np.ndarray], ids: np.ndarray, target: np.ndarray, vocab_size: int) -> np.ndarray:
    changed, leaks = ids.copy(), np.zeros(len(ids), bool)
    for t in np.flatnonzero(target >= 0):
        changed[target[t]] = other_token(changed[target[t]], vocab_size)
        leaks[t] = any_number(run(model, ids), run(model, changed))[t]
    return leaks
