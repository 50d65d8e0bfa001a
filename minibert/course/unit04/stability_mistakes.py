"""Known mistakes about the size of logits, for `mlm_loss` and `nsp_loss`: exp overflows, or a log of 0.

log_softmax of any logits needs each position's own largest logit subtracted (Blanchard, Higham and Higham
2021, arXiv 1909.03469); each mistake here does something else, and is right for logits of one size only.
"""

from ..checks.edits import edits
from .loss_mistakes import cross_entropy

STABILITY = edits(
    cross_entropy,
    """
    $max = logits.max(-1, keepdims=True)
    $log_probs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))

    nan: np.exp overflows for large logits. First subtract the largest logit of each position,
    `logits - logits.max(axis=-1, keepdims=True)`: that changes no probability.
        $log_probs => np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))
    inf: the exp of a large number is inf, and the log of a probability that was rounded to 0 is -inf.
    Subtract each position's own largest logit first, and make no probabilities:
    log p = logit - log(sum of exp(logits)).
        losses.mean() => -np.log(np.exp(-losses)).mean()
    one number is subtracted everywhere. Where all logits of a position are far below it, each exp is rounded
    to 0. Each position has a largest logit of its own: max(axis=-1, keepdims=True).
        $max => logits.max()
    $limit = {0 | 10 | 20 | 30 | 50 | 80 | 88 | 100 | 200 | 300 | 500 | 600 | 700 | 709 | 710 | 999 | 1000}
    the largest logit is subtracted only where it is large. Logits may be very negative too, and then each exp
    is rounded to 0: subtract it always; that changes no probability.
        $max => np.where($max > $limit, $max, 0)
        or
        $max => ($max if logits.max() > $limit else 0)
    the mean of the logits is subtracted. One logit can be far above it, and its exp overflows: subtract the
    largest.
        $max => logits.mean(-1, keepdims=True)
    the smallest logit is subtracted, which makes the largest even larger. Subtract the largest.
        $max => logits.min(-1, keepdims=True)
    the largest absolute value is subtracted. For negative logits that is too much, and each exp is rounded to
    0: subtract the largest logit, with its sign.
        $max => np.abs(logits).max(-1, keepdims=True)
    the maximum of other positions is subtracted. Each position has a largest logit of its own, over the last
    axis: max(axis=-1, keepdims=True).
        $max => logits.max(0, keepdims=True)
    $bound = {20 | 30 | 50 | 88 | 100 | 300 | 500 | 700 | 709 | 745 | 1000 | 1e4 | 1e5}
    the loss of a position has a largest value in your answer. It has none: the less likely the label, the
    larger the loss.
        losses.mean() => np.minimum(losses, $bound).mean()
    the logits are cut off at a bound, so that larger differences do not count. Nothing has to be cut once
    each position's largest logit is subtracted, for exp of a very negative number is simply 0.
        logits - $max => np.clip(logits, -(bound := $bound), bound)
    $eps = {1e-15 | 1e-12 | 1e-10 | 1e-9 | 1e-8 | 1e-7 | 1e-6}
    a small number added to p, or a floor under it, hides very unlikely words: their loss stops growing.
    Without probabilities there is nothing to hide: log p = logit - log(sum of exp(logits)).
        losses.mean() => -np.log(np.exp(-losses) + $eps).mean()
        or
        losses.mean() => -np.log(np.maximum(np.exp(-losses), $eps)).mean()
    """,
)
# with two classes, or a bound far from 0, it is the largest value of a loss that STABILITY names
CUT_OFF = edits(
    cross_entropy,
    """
    $shifted = logits - logits.max(-1, keepdims=True)

    the logits are cut off at a bound, so that larger differences do not count. Nothing has to be cut once
    each position's largest logit is subtracted, for exp of a very negative number is simply 0.
        $shifted => np.maximum($shifted, -{20 | 30 | 50 | 88 | 100 | 300 | 500 | 700 | 709 | 745 | 1000})
    """,
)
