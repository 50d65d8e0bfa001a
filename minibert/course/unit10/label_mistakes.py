"""Test inputs for `replaced_token_labels`, the labels of ELECTRA's discriminator, and common mistakes.

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
    """Return random arguments for rows of tokens described by the strings in `shape`.

    Each character is a token: m masked; h masked and sampled correctly; o padding; . any other token.
    """
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
    """Return the ids that the discriminator reads and the labels that it should predict, (B, T) each."""
    seen = np.where(chosen, sampled, original)
    labels = (seen != original).astype(int)
    return seen, np.where(real, labels, IGNORE)


LABELS = edits(
    replaced_token_labels,
    """
    $replaced = seen != original
    $judged = np.where(real, labels, IGNORE)
    you label every masked token as replaced. If the generator samples the original token, it is not replaced.
        $replaced => chosen
    padding has the label 0 in your answer, so that the discriminator is trained on it. Use the label -100.
        $judged => labels
    only the masked tokens have a label in your answer, as in BERT. In ELECTRA, all tokens except padding have
    one.
        where(real => where(chosen
    your labels are inverted. 1 means replaced, and 0 means original.
        $replaced => seen == original
    you give the discriminator the generator's token everywhere. Use it only for masked tokens, and keep the
    original for the others.
        np.where(chosen, sampled, original) => sampled
    the discriminator reads the original text in your answer. It should read the generator's tokens at the
    masked positions.
        np.where(chosen, sampled, original) => original
    all your labels are 0, original. Compare what the discriminator sees with the original text.
        $replaced => 0 * original
    you compare `sampled` with the original everywhere. Compare what the discriminator sees instead.
        $replaced => sampled != original
    you label a masked token that the generator predicted correctly with -100. It counts as original, so use
    0.
        where(real => where(real & ~(chosen & (seen == original))
    masked tokens have the label -100 in your answer. Label every token that is not padding, including the
    masked ones.
        where(real => where(real & ~chosen
    you return the generator's labels, the original tokens. Return the discriminator's labels: 1 for replaced,
    0 for original.
        $judged => np.where(chosen, original, IGNORE)
    your two results are swapped. Return what the discriminator sees first, then its labels.
        return result[::-1]
    padding has the label -1 in your answer. Use -100, which the loss ignores.
        IGNORE => -1
    padding has the label 1 in your answer, so that the discriminator is trained on it. Use the label -100.
        IGNORE => 1
    token 0 has no label in your answer. Treat it like the others: `real` says which positions are padding.
        where(real => where(real & (original > 0)
    you change the padding to 0 in what the discriminator sees. Leave the padding unchanged.
        seen, np => np.where(real, seen, 0), np
    the discriminator sees -100 at positions that were not masked. Keep the original tokens there.
        seen, np => np.where(chosen, sampled, IGNORE), np
    you put the generator's tokens at the positions that were not masked. Put them at the masked positions.
        where(chosen, sampled, original) => where(chosen, original, sampled)
    """,
) + pairs_of_edits(
    replaced_token_labels,
    """
    every masked token is labelled as replaced, even if the generator sampled the original token
        seen != original => chosen
    the labels are inverted, although 1 should mean replaced
        seen != original => seen == original
    padding has a label other than -100, so that the discriminator is trained on it
        np.where(real, labels, IGNORE) => labels
    only masked tokens have a label, not every token that is not padding
        np.where(real, labels, IGNORE) => np.where(chosen, labels, IGNORE)
    the discriminator sees the generator's tokens everywhere, not only at masked positions
        np.where(chosen, sampled, original) => sampled
    """,
)


def hits_are_original(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f counts no token as replaced if the generator predicts every token correctly."""
    original = rng.integers(9, size=(2, 5))
    seen, labels = f(original, original.copy(), rng.random((2, 5)) < 0.5, np.ones((2, 5), bool))
    return np.array_equal(seen, original) and not np.any(labels)


def nothing_masked(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f lets the discriminator read the original text if nothing is masked."""
    original = rng.integers(9, size=(2, 5))
    seen, labels = f(original, rng.integers(9, size=(2, 5)), np.zeros((2, 5), bool), np.ones((2, 5), bool))
    return np.array_equal(seen, original) and not np.any(labels)
