"""Small random models with different attention masks, and common mistakes in a test that detects leaks.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: bidirectional conditioning would let each word indirectly
see itself. Axes: T tokens, V vocabulary, D hidden.
"""

from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits

HIDDEN = 4  # the hidden size D of the models
# A visibility, targets and a text (V = 5), chosen so that each known mistake gives a different result. No
# position sees position 4.
MIXED = ("1010000", "0100010", "0011001", "1010010", "1001000", "0100010", "1001011")
MIXED_TARGET, MIXED_IDS = [5, 5, 3, 0, 2, 4, -1], [0, 4, 0, 0, 0, 4, 0]


def random_model(
    visible: np.ndarray,
    layers: int,
    vocab_size: int,
    rng: np.random.Generator,
    hidden: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Return a random model as a dict of arrays, which can be sent to another process.

    visible: (T, T) bool, which positions each position attends to, in every layer. hidden: (T,) bool, the
    positions at which the model reads [MASK], id 0.
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
    """Return the output (T, D) of a model for the token ids (T,).

    At some positions, one or two of the D numbers are always 0, so a test must compare all of them.
    """
    x = model["words"][np.where(model["hidden"], 0, np.asarray(ids, int))]  # (T, D)
    share = model["visible"] / np.maximum(model["visible"].sum(-1, keepdims=True), 1)  # (T, T)
    for weights in model["weights"]:
        x = np.tanh((share[:, :, None] * x).sum(1) @ weights + model["places"])
    x[::2, 0] = 0
    x[::3, 1] = 0
    return x


def following(T: int) -> np.ndarray:
    """Return, for each of T positions, the next position, or -1 for the last one, (T,)."""
    return np.append(np.arange(1, T), -1)


def leaking(rng: np.random.Generator, size: float = 1.0, last: float = 1.0) -> tuple:
    """Return a test input (model, ids, target, vocabulary size) whose model leaks at all positions.

    size: a factor for all changes in the output. last: a factor for changes in the output's last number.
    """
    model = random_model(np.ones((5, 5), bool), 1, 6, rng)
    model["weights"] *= size
    model["places"] *= size  # so that the changes stay large compared with the output
    model["weights"][..., -1] *= last
    return model, rng.integers(6, size=5), np.array([4, 3, 2, 1, 0]), 6


def allowed(model: dict[str, np.ndarray], ids: np.ndarray, target: np.ndarray, vocab_size: int) -> bool:
    """Return whether the model has the words and places of the text, and all targets are in it."""
    fits = len(model["words"]) == vocab_size and len(model["places"]) == len(ids)
    return bool(fits and (ids < vocab_size).all() and (target < len(ids)).all())


def balanced(rng: np.random.Generator) -> tuple:
    """Return a test input whose model leaks, but the sum of an output's numbers never changes."""
    model, *rest = leaking(rng)
    model["weights"][..., :2] = 0
    for part in ("weights", "places"):
        model[part][..., 3] = -model[part][..., 2]
    return model, *rest


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return test inputs (model, ids, target, vocabulary size); some of the models leak, others do not.

    The last model has two layers in which each token sees all others but not itself.
    """

    def case(visible, layers, target, V=7, ids=None):
        ids = rng.integers(V, size=len(target)) if ids is None else ids
        return random_model(visible, layers, V, rng), np.array(ids), np.asarray(target), V

    left, all_seen, others = np.tril(np.ones((6, 6), bool)), np.ones((4, 4), bool), ~np.eye(5, dtype=bool)
    hole = left.copy()
    hole[2, 3] = True  # one position sees a later one
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
        balanced(rng),
        case(all_seen, 1, [1, -1, -1, 0]),
        case(left, 1, [1, -1, 3, -1, 5, -1]),
        case(others, 1, np.arange(5)),
        case(others, 2, np.arange(5)),
    ]


def leakage(model: dict[str, np.ndarray], ids: np.ndarray, target: np.ndarray, vocab_size: int) -> np.ndarray:
    """Return, for each position t, whether the output depends on the token at target[t], (T,) bool.

    The result is False if target[t] is -1.
    """
    before, leaks = run(model, ids), np.zeros(len(ids), bool)
    for t in range(len(ids)):
        if target[t] >= 0:
            watched, changed = t, target[t]
            other = ids.copy()
            other[changed] = (other[changed] + 1) % vocab_size
            leaks[t] = (run(model, other) != before).any(-1)[watched]
    return leaks


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


LEAKS = edits(
    leakage,
    r"""
    $places = watched, changed = t, target[t]
    $new = (other[changed] + 1) % vocab_size
    $moved = (run(model, other) != before)
    $asked = if target[t] >= 0:

    you compare the output at the position that you change. Compare the output at t, where that token is
    predicted.
        $places => watched = changed = target[t]
    you change the token at t. Change the token that is predicted there.
        $places => watched = changed = t
    you swapped the two positions. Change the token that is predicted at t, and compare the output at t.
        $places => watched, changed = target[t], t
    you always change the next token. Change the token that is predicted at t.
        $places => watched, changed = t, min(t + 1, len(ids) - 1)
    you use the target -1 as an index, which selects the last token. It means that nothing is predicted, so
    the result is False.
        $asked => if True:
    your new token is always 0, which may be the old one. Choose a token that always differs from the old one.
        $new => 0
    your new token is always the last one of the vocabulary, which may be the old one. Choose a token that
    always differs from the old one.
        $new => vocab_size - 1
    you compare only the first number of the output at t. Any of its numbers may change, so compare the whole
    row.
        $moved.any(-1) => $moved[:, 0]
    you check whether all numbers of the output change. A single changed number is enough.
        .any(-1) => .all(-1)
    you check the whole output for changes. Compare only its row t.
        $moved.any(-1)[watched] => $moved.any()
    your result is True if the output does not change. Invert it, because a leak changes the output.
        leaks[t] = => leaks[t] = ~
    you change all tokens together, so that any of them may change the output. Change one token at a time.
        ids.copy() => (ids + 1) % vocab_size
        $new => other[changed]
    you keep the changes from earlier positions. Make a new copy of ids for each position, and replace only
    one token.
        other = ids.copy() => pass
        for t in range(len(ids)): => other = ids.copy()\nfor t in range(len(ids)):
    your new token is outside the vocabulary if the old one is the last. Start again at 0 in this case.
        $new => other[changed] + 1
    your new token is always 1, which may be the old one. Choose a token that always differs from the old one.
        $new => 1
    your new token is always the same, and it may be the old one. Choose a token that always differs from the
    old one.
        $new => vocab_size // 2
        or
        $new => 2
        or
        $new => vocab_size - 2
    your new token mirrors the old one, so that they are equal in the middle of the vocabulary. Choose a token
    that always differs from the old one.
        $new => vocab_size - 1 - other[changed]
    your new token is copied from a neighbour, which may have the same token. Choose one that always differs
    from the old one.
        $new => ids[changed - 1]
    you skip positions whose target is 0. Skip only those with target -1.
        $asked => if target[t] > 0:
    you skip targets that are not to the right of t. A target may be on either side, or at t itself.
        $asked => if target[t] > t:
    you ignore small changes of the output. Count any difference as a leak.
        $moved => (abs(run(model, other) - before) > 0.001)
        or
        $moved => (abs(run(model, other) - before) > 0.01)
        or
        $moved => (abs(run(model, other) - before) > 0.1)
        or
        $moved => (abs(run(model, other) - before) > 0.5)
    you check whether the argmax of the output changes. Count any difference in the output as a leak.
        $moved.any(-1) => (run(model, other).argmax(-1) != before.argmax(-1))
    you compare only the last number of the output at t. Any of its numbers may change, so compare the whole
    row.
        $moved.any(-1) => $moved[:, -1]
    you return True where nothing is predicted. Return False there, because nothing can leak.
        return result | (target < 0)
    you store the result for t at the position of its target. Store it at t.
        leaks[t] = => leaks[target[t]] =
    you compare all rows of the output except row t. Compare only row t.
        $moved.any(-1)[watched] => $moved[np.arange(len(ids)) != t].any()
    """,
) + pairs_of_edits(
    leakage,
    """
    the new token is always 0, which may be the old one
        (other[changed] + 1) % vocab_size => 0
    the target -1 is used as an index, although it means that nothing is predicted
        if target[t] >= 0: => if True:
    the token at t is changed, not the one at target[t]
        watched, changed = t, target[t] => watched = changed = t
    only the first number of the output is compared, not the whole row
        (run(model, other) != before).any(-1) => (run(model, other) != before)[:, 0]
    """,
)
