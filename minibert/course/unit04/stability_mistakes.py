"""Students' common mistakes in `mlm_loss` and `nsp_loss` with large logits: exp overflows, or log(0).

A stable log-softmax subtracts the largest logit of each position (Blanchard, Higham and Higham 2021, arXiv
1909.03469). Each mistake here is correct only for logits of some magnitudes.
"""

from ..checks.edits import edits
from .loss_mistakes import cross_entropy

STABILITY = edits(
    cross_entropy,
    """
    $max = logits.max(-1, keepdims=True)
    $log_probs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))

    the loss is nan, because np.exp overflows for large logits. First subtract the largest logit of each
    position, which does not change the probabilities.
        $log_probs => np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))
    the loss is inf, because exp overflows or a probability is rounded to 0. First subtract the largest logit
    of each position, and compute log p directly, without p.
        losses.mean() => -np.log(np.exp(-losses)).mean()
    you subtract the same number everywhere, which may be too much for some positions. Subtract each
    position's own largest logit.
        $max => logits.max()
    $limit = {0 | 10 | 20 | 30 | 50 | 80 | 88 | 100 | 200 | 300 | 500 | 600 | 700 | 709 | 710 | 999 | 1000}
    you subtract the largest logit only if it is large. If it is very negative, each exp is rounded to 0.
    Always subtract it, which does not change the probabilities.
        $max => np.where($max > $limit, $max, 0)
        or
        $max => ($max if logits.max() > $limit else 0)
    you subtract the mean of the logits. A logit far above the mean still overflows. Subtract the largest
    logit instead.
        $max => logits.mean(-1, keepdims=True)
    you subtract the smallest logit, so exp still overflows for the largest. Subtract the largest logit
    instead.
        $max => logits.min(-1, keepdims=True)
    you subtract the largest absolute value, which is too much for negative logits. Subtract the largest
    logit, with its sign.
        $max => np.abs(logits).max(-1, keepdims=True)
    you subtract a maximum over several positions. Subtract each position's own largest logit.
        $max => logits.max(0, keepdims=True)
    $bound = {20 | 30 | 50 | 88 | 100 | 300 | 500 | 700 | 709 | 745 | 1000 | 1e4 | 1e5}
    your loss at a position has an upper bound. Remove it: the less likely the label, the larger the loss must
    be.
        losses.mean() => np.minimum(losses, $bound).mean()
    you clip the logits, so larger differences do not count. Subtract the largest logit of each position
    instead, because exp of a very negative number is simply 0.
        logits - $max => np.clip(logits, -(bound := $bound), bound)
    $eps = {1e-15 | 1e-12 | 1e-10 | 1e-9 | 1e-8 | 1e-7 | 1e-6}
    you add a small number to p or limit it, so the loss of very unlikely words is too small. Compute log p
    directly, without p.
        losses.mean() => -np.log(np.exp(-losses) + $eps).mean()
        or
        losses.mean() => -np.log(np.maximum(np.exp(-losses), $eps)).mean()
    """,
)
# With two classes, or a bound far from 0, these mistakes only limit the loss, which STABILITY reports.
CUT_OFF = edits(
    cross_entropy,
    """
    $shifted = logits - logits.max(-1, keepdims=True)

    you clip the logits, so larger differences do not count. Subtract the largest logit of each position
    instead, because exp of a very negative number is simply 0.
        $shifted => np.maximum($shifted, -{20 | 30 | 50 | 88 | 100 | 300 | 500 | 700 | 709 | 745 | 1000})
    """,
)
