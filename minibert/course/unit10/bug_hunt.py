"""ELECTRA's loss with three planted bugs, what each of them breaks, and other changes that are known.

Clark et al. (2020, arXiv 2003.10555), section 2: the generator's loss on the masked tokens plus `WEIGHT`
times the discriminator's on all. Axes: B batch, T tokens, V vocabulary, D hidden.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE
from minibert.reference import mlm_loss

from ..checks.compare import close
from ..checks.exercise import Invariant, Mistake

MASK, WEIGHT = 4, 50  # the id of [MASK]; the paper's lambda, section 2
V, D = 9, 3  # of the inputs on which the invariants are tried
# One sign a token: . real, m masked and missed by the generator, h masked and hit, o padding
SHAPE = ("..m.h.m", ".m.h.oo")


def discriminate(ids: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """The discriminator's logits (B, T) for ids (B, T), the larger the likelier that a token was replaced."""
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
    """Build the loss with some pieces replaced."""

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
    """Build electra_loss with the bugs `left`.

    1: the generator is asked for all tokens; 2: the discriminator for the masked ones only; 3: it reads
    [MASK].
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
    """Arguments of a call; [MASK] is no token of the text, nor sampled, and no id stands twice."""
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


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng),
        inputs(rng, (".m.",), 7, 2),
        inputs(rng, ("o.hm..", "m.ooo.", "..h..m"), 12, 4),
        inputs(rng, ("mm.", "h.o"), 8, 5, np.float32),
        inputs(rng, ("h..o", "...."), 6, 2),
    ]


def flat(weights: dict[str, np.ndarray], score: float) -> dict[str, np.ndarray]:
    """Weights of a discriminator that gives every token the same score."""
    return {"words": np.full_like(weights["words"], score), "out": np.full_like(weights["out"], 1 / D)}


def generator_is_asked_at_masks(f: Callable, rng: np.random.Generator) -> bool:
    original, chosen, sampled, real, logits, weights = inputs(rng)
    other = np.where(chosen[..., None], logits, rng.normal(size=logits.shape))
    return close(
        f(original, chosen, sampled, real, logits, weights),
        f(original, chosen, sampled, real, other, weights),
    )


def every_token_is_judged(f: Callable, rng: np.random.Generator) -> bool:
    """True if the score of each token that was not masked counts."""
    original, chosen, sampled, real, logits, weights = inputs(rng, ("..h.h.", ".h...."), 14)
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
    """True if, where the generator hits every token, a high score is wrong everywhere."""
    original, chosen, _, real, logits, weights = inputs(rng)
    return close(
        f(original, chosen, original.copy(), real, np.zeros_like(logits), flat(weights, 1.5)),
        np.log(logits.shape[-1]) + WEIGHT * np.logaddexp(0, 1.5),
    )


def replaced_ones_want_a_high_score(f: Callable, rng: np.random.Generator) -> bool:
    """True if, where all tokens are masked and missed, a high score is right everywhere."""
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
        "the generator's logits at tokens that were not masked change nothing", generator_is_asked_at_masks
    ),
    Invariant(
        "the discriminator is asked about every token, also about those that were not masked",
        every_token_is_judged,
    ),
    Invariant("the embedding of [MASK] changes nothing: the discriminator never sees it", mask_is_not_read),
)
KEPT = (
    Invariant(f"two models that know nothing have the loss ln V + {WEIGHT} ln 2", knows_nothing),
    Invariant("a token that the generator hits counts as original", hits_count_as_original),
    Invariant("a replaced token asks for a high score of the discriminator", replaced_ones_want_a_high_score),
    Invariant("what stands in the padding changes nothing", padding_does_not_matter),
)
ELECTRA = (
    Mistake(
        "the weight of the discriminator's loss is missing.",
        loss(combine=lambda generator, discriminator: generator + discriminator),
    ),
    Mistake(
        "the weight stands before the generator's loss. It belongs to the discriminator's.",
        loss(combine=lambda generator, discriminator: WEIGHT * generator + discriminator),
    ),
    Mistake(
        "only the discriminator's loss is there. The generator is trained too.",
        loss(combine=lambda generator, discriminator: WEIGHT * discriminator),
    ),
    Mistake("only the generator's loss is there.", loss(combine=lambda generator, discriminator: generator)),
    Mistake(
        "the discriminator's loss is subtracted, as in a GAN. In ELECTRA both losses get smaller: add.",
        loss(combine=lambda generator, discriminator: generator - WEIGHT * discriminator),
    ),
    Mistake(
        "the discriminator reads the original text, in which nothing is replaced.",
        loss(reads=lambda original, chosen, sampled: original),
    ),
    Mistake(
        "the discriminator reads the generator's tokens also where nothing was masked.",
        loss(reads=lambda original, chosen, sampled: sampled),
    ),
    Mistake(
        "every masked token counts as replaced. Where the generator hits, nothing was.",
        loss(labels=lambda seen, original, chosen: chosen),
    ),
    Mistake(
        "the labels are the wrong way round.", loss(labels=lambda seen, original, chosen: seen == original)
    ),
    Mistake(
        "the discriminator is asked about padding, too.",
        loss(judged_at=lambda real, chosen: np.ones_like(real)),
    ),
    Mistake(
        "the discriminator is asked only about tokens that were not masked.",
        loss(judged_at=lambda real, chosen: real & ~chosen),
    ),
    Mistake("the discriminator's loss is a sum. Take the mean over the tokens.", loss(mean=np.sum)),
)
