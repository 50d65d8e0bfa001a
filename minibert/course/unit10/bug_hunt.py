"""The bug hunt `electra_loss`: ELECTRA's loss with three planted bugs, and other common mistakes.

Clark et al. (2020, arXiv 2003.10555), section 2: the generator's loss at the masked tokens plus `WEIGHT`
times the discriminator's loss at all tokens. Axes: B batch, T tokens, V vocabulary, D hidden.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE
from minibert.reference import mlm_loss

from ..checks.compare import close
from ..checks.exercise import Invariant, Mistake

MASK, WEIGHT = 4, 50  # the id of [MASK]; the paper's lambda, section 2
V, D = 9, 3  # the sizes of the inputs on which the invariants are tested
# One sign per token: . not masked, m masked and mispredicted, h masked and predicted correctly, o padding
SHAPE = ("..m.h.m", ".m.h.oo")
FULL = ("m.h.m", "h..m.")


def discriminate(ids: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """Return the discriminator's logits (B, T) for ids (B, T). A high logit marks a token as replaced."""
    return weights["words"][ids] @ weights["out"]


def from_scores(judged: np.ndarray, replaced: np.ndarray) -> np.ndarray:
    return np.logaddexp(0, judged) - replaced * judged


def loss(
    asked: Callable = lambda real, chosen: chosen,
    judged_at: Callable = lambda real, chosen: real,
    reads: Callable = lambda original, chosen, sampled: np.where(chosen, sampled, original),
    labels: Callable = lambda seen, original, chosen: seen != original,
    combine: Callable = lambda generator, discriminator: generator + WEIGHT * discriminator,
    surprise: Callable = from_scores,
    mean: Callable = np.mean,
) -> Callable:
    """Return a bug-free version of the exercise `electra_loss`; each argument overrides one part."""

    def electra_loss(original, chosen, sampled, real, logits, weights):
        seen = np.where(chosen, sampled, original)
        generator = mlm_loss(logits, np.where(asked(real, chosen), original, IGNORE))
        judged = discriminate(reads(original, chosen, sampled), weights)
        each = surprise(judged, labels(seen, original, chosen))
        return combine(generator, mean(each[judged_at(real, chosen)]))

    return electra_loss


def masked(original: np.ndarray, chosen: np.ndarray, sampled: np.ndarray) -> np.ndarray:
    return np.where(chosen, MASK, original)


def version(left: frozenset[int]) -> Callable:
    """Return the exercise `electra_loss` with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: the generator is trained on all tokens. Bug 2: the discriminator is trained only on the masked
    tokens. Bug 3: the discriminator reads [MASK].
    """
    pieces: dict[str, Callable] = {}
    if 1 in left:
        pieces["asked"] = lambda real, chosen: real
    if 2 in left:
        pieces["judged_at"] = lambda real, chosen: chosen
    if 3 in left:
        pieces["reads"] = masked
    made = loss(**pieces)

    def electra_loss(original, chosen, sampled, real, logits, weights):
        return made(original, chosen, sampled, real, logits, weights)

    return electra_loss


def inputs(
    rng: np.random.Generator, shape: tuple[str, ...] = SHAPE, V: int = V, D: int = D, dtype: type = np.float64
) -> tuple:
    """Return random arguments for `electra_loss`, with a character of `shape` for each token (see SHAPE).

    All ids differ, and [MASK] is neither in the text nor sampled.
    """
    signs = np.array([list(row) for row in shape])  # (B, T)
    ids = np.delete(np.arange(max(V, signs.size + 1)), MASK)
    original = rng.permutation(ids)[: signs.size].reshape(signs.shape)
    sampled = np.where(signs == "h", original, np.roll(original, 1, axis=1))  # a neighbour's token: a miss
    chosen = (signs == "m") | (signs == "h")
    V = len(ids) + 1
    return (
        original,
        chosen,
        sampled,
        signs != "o",
        rng.normal(size=(*signs.shape, V)).astype(dtype),
        {"words": rng.normal(size=(V, D)).astype(dtype), "out": rng.normal(size=D).astype(dtype)},
    )


def sure(rng: np.random.Generator, shape: tuple[str, ...]) -> tuple:
    """Return arguments for which the discriminator's loss is almost 0 at every token.

    So it does not matter over which tokens the loss is averaged.
    """
    original, chosen, sampled, real, logits, weights = inputs(rng, shape, 30)
    ids = np.arange(len(weights["words"]))
    new = rng.permutation(np.setdiff1d(ids, [MASK, *original.ravel()]))[: original.size]
    sampled = np.where(sampled == original, original, new.reshape(original.shape))
    scores = np.where(np.isin(ids, original), -20, 20)
    scores[MASK] = 1
    words = np.outer(scores, weights["out"]) / (weights["out"] ** 2).sum()
    return original, chosen, sampled, real, logits, weights | {"words": words}


def equal_scores(rng: np.random.Generator, shape: tuple[str, ...]) -> tuple:
    """Return arguments for which the discriminator gives every token the same score.

    So it does not matter which tokens it reads.
    """
    *others, weights = inputs(rng, shape)
    return *others, flat(weights, rng.uniform(0.5, 2))


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng),
        inputs(rng, (".m.",), 7, 2),
        inputs(rng, ("o.hm..", "m.ooo.", "..h..m"), 12, 4),
        inputs(rng, ("mm.", "h.o"), 8, 5, np.float32),
        inputs(rng, ("h..o", "...."), 6, 2),
        *(make(rng, shape) for make in (sure, equal_scores) for shape in (SHAPE, FULL)),
    ]


def allowed(
    original: np.ndarray,
    chosen: np.ndarray,
    sampled: np.ndarray,
    real: np.ndarray,
    logits: np.ndarray,
    weights: dict[str, np.ndarray],
) -> bool:
    """Return whether no score is so large that a loss computed from probabilities would be inexact."""
    return bool(abs(weights["words"] @ weights["out"]).max() < 21)


def flat(weights: dict[str, np.ndarray], score: float) -> dict[str, np.ndarray]:
    """Return a copy of `weights` with which the discriminator gives every token the same `score`."""
    return {"words": np.full_like(weights["words"], score), "out": np.full_like(weights["out"], 1 / D)}


def generator_is_asked_at_masks(f: Callable, rng: np.random.Generator) -> bool:
    original, chosen, sampled, real, logits, weights = inputs(rng)
    other = np.where(chosen[..., None], logits, rng.normal(size=logits.shape))
    return close(
        f(original, chosen, sampled, real, logits, weights),
        f(original, chosen, sampled, real, other, weights),
    )


def every_token_is_judged(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the loss f depends on the discriminator's score for each unmasked token."""
    original, chosen, sampled, real, logits, weights = inputs(rng, ("..h.h.", ".h...."), 14)
    sampled = original  # so it does not matter which of them the discriminator reads
    before = f(original, chosen, sampled, real, logits, weights)
    for token in original[~chosen]:
        words = weights["words"].copy()
        words[token] += 2 * weights["out"] / (weights["out"] ** 2).sum()
        if close(f(original, chosen, sampled, real, logits, weights | {"words": words}), before):
            return False
    return True


def mask_is_not_read(f: Callable, rng: np.random.Generator) -> bool:
    *others, weights = inputs(rng)
    words = weights["words"].copy()
    words[MASK] += 2 * weights["out"] / (weights["out"] ** 2).sum()
    return close(f(*others, weights), f(*others, weights | {"words": words}))


def knows_nothing(f: Callable, rng: np.random.Generator) -> bool:
    original, chosen, sampled, real, logits, weights = inputs(rng)
    return close(
        f(original, chosen, sampled, real, np.zeros_like(logits), flat(weights, 0.0)),
        np.log(logits.shape[-1]) + WEIGHT * np.log(2),
    )


def hits_count_as_original(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether high scores increase the loss f if the generator predicts every token correctly."""
    original, chosen, _, real, logits, weights = inputs(rng)
    return close(
        f(original, chosen, original.copy(), real, np.zeros_like(logits), flat(weights, 1.5)),
        np.log(logits.shape[-1]) + WEIGHT * np.logaddexp(0, 1.5),
    )


def replaced_ones_want_a_high_score(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether high scores decrease the loss f if all tokens are masked and predicted wrongly."""
    original, _, sampled, _, logits, weights = inputs(rng, ("mmmm",))
    all_of_them = np.ones((1, 4), bool)
    return close(
        f(original, all_of_them, sampled, all_of_them, np.zeros_like(logits), flat(weights, 1.5)),
        np.log(logits.shape[-1]) + WEIGHT * np.logaddexp(0, -1.5),
    )


def padding_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    original, chosen, sampled, real, logits, weights = inputs(rng)
    other = np.where(real, original, 0)
    return close(
        f(original, chosen, sampled, real, logits, weights),
        f(other, chosen, np.where(real, sampled, 5), real, np.where(real[..., None], logits, 7.0), weights),
    )


BROKEN = (
    Invariant(
        "the generator's logits at tokens that were not masked do not change the loss",
        generator_is_asked_at_masks,
    ),
    Invariant(
        "the discriminator's loss is taken over every token, including those that were not masked",
        every_token_is_judged,
    ),
    Invariant(
        "the embedding of [MASK] does not change the loss: the discriminator never sees it", mask_is_not_read
    ),
)
KEPT = (
    Invariant(f"if both models know nothing, the loss is ln V + {WEIGHT} ln 2", knows_nothing),
    Invariant("a token that the generator predicts correctly counts as original", hits_count_as_original),
    Invariant("a replaced token should get a high score", replaced_ones_want_a_high_score),
    Invariant("the padding does not change the loss", padding_does_not_matter),
)
ELECTRA = (
    Mistake(
        "the weight of the discriminator's loss is missing. Multiply that loss by it.",
        loss(combine=lambda generator, discriminator: generator + discriminator),
    ),
    Mistake(
        "you multiply the generator's loss by the weight. Multiply the discriminator's loss by it.",
        loss(combine=lambda generator, discriminator: WEIGHT * generator + discriminator),
    ),
    Mistake(
        "your result is only the discriminator's loss. Add the generator's loss, because it is trained too.",
        loss(combine=lambda generator, discriminator: WEIGHT * discriminator),
    ),
    Mistake(
        "your result is only the generator's loss. Add the weighted loss of the discriminator.",
        loss(combine=lambda generator, discriminator: generator),
    ),
    Mistake(
        "you subtract the discriminator's loss, as in a GAN. Add it, because ELECTRA minimises both losses.",
        loss(combine=lambda generator, discriminator: generator - WEIGHT * discriminator),
    ),
    Mistake(
        "the discriminator reads the original text, in which nothing is replaced. It should read the sampled "
        "tokens at the masked positions.",
        loss(reads=lambda original, chosen, sampled: original),
    ),
    Mistake(
        "the discriminator reads the generator's tokens even at positions that were not masked. It should "
        "read the original tokens there.",
        loss(reads=lambda original, chosen, sampled: sampled),
    ),
    Mistake(
        "you label every masked token as replaced. If the generator samples the original token, it is not "
        "replaced.",
        loss(labels=lambda seen, original, chosen: chosen),
    ),
    Mistake(
        "your labels are inverted. 1 means replaced, and 0 means original.",
        loss(labels=lambda seen, original, chosen: seen == original),
    ),
    Mistake(
        "you include padding in the discriminator's mean. Leave the padding out.",
        loss(judged_at=lambda real, chosen: np.ones_like(real)),
    ),
    Mistake(
        "you leave out the masked tokens in the discriminator's mean. Take the mean over all "
        "tokens that are not padding.",
        loss(judged_at=lambda real, chosen: real & ~chosen),
    ),
    Mistake("you add up the discriminator's loss over the tokens. Take the mean.", loss(mean=np.sum)),
)
