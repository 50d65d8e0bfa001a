"""Known mistakes about `replaced_token_labels`, what ELECTRA's discriminator reads and is asked, and inputs.

Clark et al. (2020, arXiv 2003.10555), section 2. Axes: B batch, T tokens.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.exercise import Mistake, pairs

# One sign a token: . real, m masked and missed by the generator, h masked and hit, o padding
SHAPES = (
    ("..m.h.", ".h..mo"),
    ("m.hoo.m", "o.m.h.m", ".......", "hhhm..."),
    ("hm",),
    (".m.oo", "ooh.m"),
    ("hhh.",),
    ("mm..m", "m.hoo"),
)


def inputs(rng: np.random.Generator, shape: tuple[str, ...], V: int = 6) -> tuple:
    """(original, sampled, chosen, real) of this shape; elsewhere `sampled` has other tokens."""
    signs = np.array([list(row) for row in shape])  # (B, T)
    original = rng.integers(V, size=signs.shape)
    others = (original + rng.integers(1, V, size=signs.shape)) % V
    chosen = (signs == "m") | (signs == "h")
    return original, np.where(signs == "h", original, others), chosen, signs != "o"


def cases(rng: np.random.Generator) -> list[tuple]:
    return [inputs(rng, shape) for shape in SHAPES] + [inputs(rng, ("h.m..o", "..mmho"), 30_000)]


def what_is_seen(
    original: np.ndarray, sampled: np.ndarray, chosen: np.ndarray, real: np.ndarray
) -> np.ndarray:
    return np.where(chosen, sampled, original)


def is_replaced(
    seen: np.ndarray, original: np.ndarray, sampled: np.ndarray, chosen: np.ndarray
) -> np.ndarray:
    return seen != original


def labelled(
    seen: Callable = what_is_seen,
    replaced: Callable = is_replaced,
    judged: Callable = lambda real, chosen: real,
    ignored: int = IGNORE,
) -> Callable:
    """Build the function with some pieces replaced."""

    def replaced_token_labels(original, sampled, chosen, real):
        tokens = seen(original, sampled, chosen, real)
        return tokens, np.where(
            judged(real, chosen), np.asarray(replaced(tokens, original, sampled, chosen)).astype(int), ignored
        )

    return replaced_token_labels


def mlm_labels(original: np.ndarray, sampled: np.ndarray, chosen: np.ndarray, real: np.ndarray) -> tuple:
    return np.where(chosen, sampled, original), np.where(chosen, original, IGNORE)


LABELS = (
    Mistake(
        "every masked token counts as replaced in your labels. Where the generator has sampled the right "
        "token, nothing was replaced: compare what is seen with the original.",
        labelled(replaced=lambda seen, original, sampled, chosen: chosen),
    ),
    Mistake(
        "padding has the label 0 in your answer: then the discriminator is asked about it. Its label is "
        "-100.",
        labelled(judged=lambda real, chosen: np.ones_like(real)),
    ),
    Mistake(
        "only the masked tokens have a label in your answer, as in BERT. ELECTRA's point is that every "
        "token has one: 0 where nothing was replaced.",
        labelled(judged=lambda real, chosen: chosen),
    ),
    Mistake(
        "the labels are the wrong way round: 1 means replaced, 0 means original.",
        labelled(replaced=lambda seen, original, sampled, chosen: seen == original),
    ),
    Mistake(
        "the generator's token stands everywhere in what you give the discriminator. Only masked tokens "
        "are replaced: the others stay as they were.",
        labelled(seen=lambda original, sampled, chosen, real: sampled),
    ),
    Mistake(
        "the discriminator reads the original text in your answer, and has nothing to find. It reads the "
        "generator's tokens where the text was masked.",
        labelled(seen=lambda original, sampled, chosen, real: original),
    ),
    Mistake(
        "what is seen is right, and the labels are of the original text. Compare what is seen.",
        labelled(replaced=lambda seen, original, sampled, chosen: np.zeros_like(original)),
    ),
    Mistake(
        "you compare `sampled` with the original everywhere. Where nothing was masked, `sampled` means "
        "nothing: compare what the discriminator sees.",
        labelled(replaced=lambda seen, original, sampled, chosen: sampled != original),
    ),
    Mistake(
        "a masked token that the generator hits has the label -100 in your answer. It counts as original: 0.",
        lambda original, sampled, chosen, real: (
            np.where(chosen, sampled, original),
            np.where(real & ~(chosen & (sampled == original)), np.where(chosen, 1, 0), IGNORE),
        ),
    ),
    Mistake(
        "the masked tokens have the label -100 in your answer, and all others 0. Every token has a "
        "label, the masked ones too.",
        labelled(judged=lambda real, chosen: real & ~chosen),
    ),
    Mistake(
        "these are the labels of the generator, the tokens that stood there. The discriminator only says "
        "replaced, 1, or original, 0.",
        mlm_labels,
    ),
    Mistake(
        "the two results have changed places: first what the discriminator sees, then its labels.",
        lambda *case: labelled()(*case)[::-1],
    ),
    Mistake(
        "padding has the label -1 in your answer. What is not asked has the label -100.", labelled(ignored=-1)
    ),
    Mistake(
        "padding has the label 1 in your answer: then the discriminator is asked about it. Its label is "
        "-100.",
        labelled(ignored=1),
    ),
    Mistake(
        "token 0 is left out of the labels. It is a token like the others: `real` says what padding is.",
        lambda original, sampled, chosen, real: labelled()(original, sampled, chosen, real & (original > 0)),
    ),
    Mistake(
        "the padding is changed to 0 in what the discriminator sees. It stays as it is.",
        labelled(
            seen=lambda original, sampled, chosen, real: np.where(
                real, np.where(chosen, sampled, original), 0
            )
        ),
    ),
    Mistake(
        "-100 stands in what the discriminator sees, where a token was not masked. There it reads the "
        "original.",
        lambda original, sampled, chosen, real: (
            np.where(chosen, sampled, IGNORE),
            labelled()(original, sampled, chosen, real)[1],
        ),
    ),
    Mistake(
        "the generator's tokens stand where the text was not masked. It is the other way round.",
        labelled(seen=lambda original, sampled, chosen, real: np.where(chosen, original, sampled)),
    ),
    *pairs(
        labelled,
        (
            dict(replaced=lambda seen, original, sampled, chosen: chosen),
            "every masked token counts as replaced, the right ones too",
        ),
        (
            dict(replaced=lambda seen, original, sampled, chosen: seen == original),
            "the labels are the wrong way round",
        ),
        (dict(judged=lambda real, chosen: np.ones_like(real)), "padding has a label"),
        (dict(judged=lambda real, chosen: chosen), "only masked tokens have a label"),
        (
            dict(seen=lambda original, sampled, chosen, real: sampled),
            "the generator's token stands everywhere",
        ),
    ),
)


def hits_are_original(f: Callable, rng: np.random.Generator) -> bool:
    """True if nothing is replaced where the generator hits every token."""
    original = rng.integers(9, size=(2, 5))
    seen, labels = f(original, original.copy(), rng.random((2, 5)) < 0.5, np.ones((2, 5), bool))
    return np.array_equal(seen, original) and not np.any(labels)


def nothing_masked(f: Callable, rng: np.random.Generator) -> bool:
    """True if the text is seen as it is where nothing is masked, whatever the generator says."""
    original = rng.integers(9, size=(2, 5))
    seen, labels = f(original, rng.integers(9, size=(2, 5)), np.zeros((2, 5), bool), np.ones((2, 5), bool))
    return np.array_equal(seen, original) and not np.any(labels)
