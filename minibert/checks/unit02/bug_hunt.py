"""A GPT layer with its three planted bugs, and what each of them breaks.

Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.3: norms before the
sublayers. Unlike the encoder layer it sees earlier tokens only. Axes: B batch, T tokens, D hidden, F
feed-forward.
"""
from collections.abc import Callable

import numpy as np

from minibert import reference
from minibert.reference.encoder import sub

from ..engine.compare import close
from ..engine.exercise import Invariant
from .random_weights import layer_weights, rows

B, T, D, F, HEADS = 2, 5, 12, 20, 3     # of the inputs on which the invariants are tried


def version(left: frozenset[int]) -> Callable:
    """Build the layer with the bugs `left`.

    1: it looks one token ahead; 2: it adds x again in place of h; 3: it uses the first norm twice.
    """
    def gpt_layer(x, weights, num_heads):
        def norm(x, name):
            return reference.layer_norm(x, sub(weights, name))

        seen = np.tril(np.ones((x.shape[1], x.shape[1]), bool), 1 if 1 in left else 0)         # (T, T)
        seen = np.broadcast_to(seen, (len(x), *seen.shape))                                     # (B, T, T)
        attended = reference.multi_head_attention(norm(x, "attention_norm"), sub(weights, "attention"),
                                                  num_heads, seen)[0]
        h = x + attended                                                                        # (B, T, D)
        fed = reference.feed_forward(norm(h, "attention_norm" if 3 in left else "feed_forward_norm"),
                                     sub(weights, "feed_forward"))
        return (x if 2 in left else h) + fed
    return gpt_layer


def cases(rng: np.random.Generator) -> list[tuple]:
    return [(rows(rng, B, T, D), layer_weights(rng, D, F), HEADS),
            (rows(rng, 1, 4, 6), layer_weights(rng, 6, 8), 2),
            (rows(rng, 2, 3, 8, dtype=np.float32), layer_weights(rng, 8, 12, np.float32), 4)]


def looks_to_the_left(f: Callable, rng: np.random.Generator) -> bool:
    x, weights = rows(rng, B, T, D), layer_weights(rng, D, F)
    other = x.copy()
    other[:, 3:] = rows(rng, B, T - 3, D)
    return close(f(x, weights, HEADS)[:, :3], f(other, weights, HEADS)[:, :3])


def attention_comes_through(f: Callable, rng: np.random.Generator) -> bool:
    """True if the output still depends on attention when the feed-forward part gives zeros."""
    x, weights = rows(rng, B, T, D), layer_weights(rng, D, F)
    weights |= {name: np.zeros_like(w) for name, w in weights.items() if name.startswith("feed_forward.down")}
    moved = weights | {"attention.out.bias": weights["attention.out.bias"] + 1}
    return close(f(x, moved, HEADS), f(x, weights, HEADS) + 1)


def every_weight_counts(f: Callable, rng: np.random.Generator) -> bool:
    x, weights = rows(rng, B, T, D), layer_weights(rng, D, F)
    before = f(x, weights, HEADS)
    return all(not np.allclose(f(x, weights | {name: weight + rows(rng, *weight.shape)}, HEADS), before)
               for name, weight in weights.items() if name != "attention.key.bias")


def rows_do_not_meet(f: Callable, rng: np.random.Generator) -> bool:
    x, weights = rows(rng, B, T, D), layer_weights(rng, D, F)
    return close(f(x, weights, HEADS)[1:], f(x[1:], weights, HEADS))


BROKEN = (
    Invariant("a token's output does not depend on later tokens", looks_to_the_left),
    Invariant("when the feed-forward part gives zeros, attention's output is still added to x",
              attention_comes_through),
    Invariant("every weight plays a part (but for the key bias, which shifts all scores of a query alike)",
              every_weight_counts),
)
KEPT = (
    Invariant("the shape stays", lambda f, rng: f(*cases(rng)[1]).shape == (1, 4, 6)),
    Invariant("the rows of a batch do not see each other", rows_do_not_meet),
)
