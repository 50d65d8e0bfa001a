"""Known mistakes in `replaced_token_labels` (ELECTRA's discriminator and its labels), and the test inputs.

Clark et al. (2020, arXiv 2003.10555), section 2. Axes: B batch, T tokens.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.edits import edits, pairs_of_edits

# One sign per token: . not masked, m masked and mispredicted, h masked and predicted correctly, o padding
SHAPES = (
    ("..m.h.", ".h..mo"),
    ("m.hoo.m", "o.m.h.m", ".......", "hhhm..."),
    ("hm",),
    (".m.oo", "ooh.m"),
    ("hhh.",),
    ("mm..m", "m.hoo"),
)


def inputs(rng: np.random.Generator, shape: tuple[str, ...], V: int = 6) -> tuple:
    """Return (original, sampled, chosen, real) of this shape; `sampled` has the right token only at an h."""
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
    every masked token counts as replaced in your labels. If the generator sampled the right token, nothing
    was replaced: compare what the discriminator sees with the original.
        $replaced => chosen
    padding has the label 0 in your answer, so the discriminator is trained on it. Its label is -100.
        $judged => labels
    only the masked tokens have a label in your answer, as in BERT. The point of ELECTRA is that every token
    has one: 0 if it was not replaced.
        where(real => where(chosen
    the labels are the wrong way round. 1 means replaced, 0 means original.
        $replaced => seen == original
    you give the discriminator the generator's token everywhere. Only masked tokens are replaced:
    the others stay as they are.
        np.where(chosen, sampled, original) => sampled
    the discriminator reads the original text in your answer, so there is nothing to detect. It reads the
    generator's tokens at the masked positions.
        np.where(chosen, sampled, original) => original
    the first result is right, but all your labels say original. Compare what the discriminator
    sees with the original text.
        $replaced => 0 * original
    you compare `sampled` with the original everywhere. At positions that were not masked, `sampled` is not
    used: compare what the discriminator sees.
        $replaced => sampled != original
    a masked token that the generator predicted correctly has the label -100 in your
    answer. It counts as original: 0.
        where(real => where(real & ~(chosen & (seen == original))
    the masked tokens have the label -100 in your answer, and all others have 0. Every token that is not
    padding has a label, the masked ones too.
        where(real => where(real & ~chosen
    these are the generator's labels, the original tokens. The discriminator's labels are only 1 for
    replaced and 0 for original.
        $judged => np.where(chosen, original, IGNORE)
    the two results are swapped. What the discriminator sees comes first, then its labels.
        return result[::-1]
    padding has the label -1 in your answer. A position that the loss ignores has the label -100.
        IGNORE => -1
    padding has the label 1 in your answer, so the discriminator is trained on it. Its label is -100.
        IGNORE => 1
    token 0 has no label in your answer. It is a token like the others: `real` says
    which positions are padding.
        where(real => where(real & (original > 0)
    you change the padding to 0 in what the discriminator sees. Leave it as it is.
        seen, np => np.where(real, seen, 0), np
    the discriminator sees -100 at positions that were not masked. There it reads the original.
        seen, np => np.where(chosen, sampled, IGNORE), np
    the generator's tokens are at the positions that were not masked. Put them at the masked positions.
        where(chosen, sampled, original) => where(chosen, original, sampled)
    """,
) + pairs_of_edits(
    replaced_token_labels,
    """
    every masked token counts as replaced, even if it was predicted correctly
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
    """Return whether nothing counts as replaced if the generator predicts every token correctly."""
    original = rng.integers(9, size=(2, 5))
    seen, labels = f(original, original.copy(), rng.random((2, 5)) < 0.5, np.ones((2, 5), bool))
    return np.array_equal(seen, original) and not np.any(labels)


def nothing_masked(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the discriminator sees the original if nothing is masked, whatever was sampled."""
    original = rng.integers(9, size=(2, 5))
    seen, labels = f(original, rng.integers(9, size=(2, 5)), np.zeros((2, 5), bool), np.ones((2, 5), bool))
    return np.array_equal(seen, original) and not np.any(labels)
