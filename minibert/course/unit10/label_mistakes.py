"""Known mistakes about `replaced_token_labels`, what ELECTRA's discriminator reads and is asked, and inputs.

Clark et al. (2020, arXiv 2003.10555), section 2. Axes: B batch, T tokens.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.edits import edits, pairs_of_edits

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


def replaced_token_labels(
    original: np.ndarray, sampled: np.ndarray, chosen: np.ndarray, real: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ids that the discriminator reads, and its labels, (B, T) each."""
    seen = np.where(chosen, sampled, original)
    labels = (seen != original).astype(int)
    return seen, np.where(real, labels, IGNORE)


LABELS = edits(
    replaced_token_labels,
    """
    $replaced = seen != original
    $judged = np.where(real, labels, IGNORE)
    every masked token counts as replaced in your labels. Where the generator has sampled the right token,
    nothing was replaced: compare what is seen with the original.
        $replaced => chosen
    padding has the label 0 in your answer: then the discriminator is asked about it. Its label is -100.
        $judged => labels
    only the masked tokens have a label in your answer, as in BERT. ELECTRA's point is that every token has
    one: 0 where nothing was replaced.
        where(real => where(chosen
    the labels are the wrong way round: 1 means replaced, 0 means original.
        $replaced => seen == original
    you give the discriminator the generator's token everywhere. Only masked tokens are
    replaced: the others stay as they were.
        np.where(chosen, sampled, original) => sampled
    the discriminator reads the original text in your answer, and has nothing to find. It reads the
    generator's tokens where the text was masked.
        np.where(chosen, sampled, original) => original
    the first result is right, but the labels are those of the original text. Compare what is seen with it.
        $replaced => 0 * original
    you compare `sampled` with the original everywhere. Where nothing was masked, `sampled` means nothing:
    compare what the discriminator sees.
        $replaced => sampled != original
    a masked token that the generator hits has the label -100 in your answer. It counts as original: 0.
        where(real => where(real & ~(chosen & (seen == original))
    the masked tokens have the label -100 in your answer, and all others 0. Every token has a label, the
    masked ones too.
        where(real => where(real & ~chosen
    these are the labels of the generator, the original tokens. The discriminator only says replaced,
    1, or original, 0.
        $judged => np.where(chosen, original, IGNORE)
    the two results have changed places: first what the discriminator sees, then its labels.
        return result[::-1]
    padding has the label -1 in your answer. What is not asked has the label -100.
        IGNORE => -1
    padding has the label 1 in your answer: then the discriminator is asked about it. Its label is -100.
        IGNORE => 1
    token 0 is left out of the labels. It is a token like the others: `real` says what padding is.
        where(real => where(real & (original > 0)
    the padding is changed to 0 in what the discriminator sees. It stays as it is.
        seen, np => np.where(real, seen, 0), np
    the discriminator sees -100 where a token was not masked. There it reads the original.
        seen, np => np.where(chosen, sampled, IGNORE), np
    the generator's tokens are where the text was not masked. It is the other way round.
        where(chosen, sampled, original) => where(chosen, original, sampled)
    """,
) + pairs_of_edits(
    replaced_token_labels,
    """
    every masked token counts as replaced, the right ones too
        seen != original => chosen
    the labels are the wrong way round
        seen != original => seen == original
    padding has a label
        np.where(real, labels, IGNORE) => labels
    only masked tokens have a label
        np.where(real, labels, IGNORE) => np.where(chosen, labels, IGNORE)
    the generator's token is everywhere
        np.where(chosen, sampled, original) => sampled
    """,
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
