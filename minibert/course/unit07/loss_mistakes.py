"""Known mistakes in `span_loss`: the two softmaxes over the positions, and the mean of the losses.

Devlin et al. (2019, arXiv 1810.04805), section 4.2. Axes: B sequences, T positions.
"""

import numpy as np

from ..checks.edits import edits, pairs_of_edits


def one_end(logits: np.ndarray, places: np.ndarray) -> float:
    """Return the mean loss of one end, from its logits (B, T) and the right places (B,)."""
    shifted = logits - logits.max(-1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    losses = -logs[np.arange(len(places)), places]  # (B,)
    return losses.mean()


def both_ends(
    start_logits: np.ndarray, end_logits: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> float:
    """Compute `span_loss` in the few lines that a student writes."""
    start, end = one_end(start_logits, starts), one_end(end_logits, ends)
    return (start + end) / 2


LOSS = edits(
    both_ends,
    """
    $mean = (start + end) / 2
    $max = logits.max(-1, keepdims=True)
    $logs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    $own = [np.arange(len(places)), places]
    $losses = -logs[np.arange(len(places)), places]

    you return start + end. Return their mean, half of the sum.
        $mean => start + end
    `logs[:, places]` takes all places from every row. Index the rows too, so that each row gets its own
    place: logs[np.arange(B), places].
        $own => [:, places]
    you add up the losses of the batch. Take their mean.
        .mean() => .sum()
    you use only the loss of the start. The end has a loss too: return the mean of both.
        $mean => start
    you use only the loss of the end. The start has a loss too: return the mean of both.
        $mean => end
    you mixed up starts and ends. The start scores belong to `starts`.
        return right(start_logits, end_logits, ends, starts)
    you read both losses at `starts`. The end scores belong to `ends`.
        return right(start_logits, end_logits, starts, starts)
    the softmax is missing: you average the scores themselves. Turn them into log-probabilities first.
        -logs[ => -logits[
    the logarithm is missing: you average probabilities. The loss is minus their logarithm.
        -logs[ => -np.exp(logs)[
    the sign is wrong. The loss is minus the logarithm, so it is never negative.
        return -result
    your softmax runs over the sequences of the batch. It should run over the
    positions of a sequence, the last axis.
        -1, keepdims =>> 0, keepdims
    your softmax runs over the whole batch. Each sequence needs its own softmax.
        (-1, keepdims=True) =>> ()
    you use one softmax over all starts and ends together. Use two, one for each end.
        (start_logits, starts), => (both := np.concatenate([start_logits, end_logits], 1), starts),
        (end_logits, ends) => (both, ends + start_logits.shape[1])
    you use a sigmoid, which decides about each position separately. Here the positions of a
    sequence compete: use a softmax.
        $losses => np.logaddexp(0, logits) - logits * (np.arange(logits.shape[1]) == places[:, None])
    your logarithm has base 2. Use np.log.
        return result / np.log(2)
    your logarithm has base 10. Use np.log.
        return result / np.log(10)
    you leave out sequences without an answer (0). Their right start and end is [CLS], position 0,
    and they count like all others.
        $losses => $losses[places > 0]
    exp overflows for large scores. Subtract each row's maximum first, which
    does not change the probabilities.
        $logs => np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))
        or
        logits - $max => logits
    a very small probability becomes 0, and its logarithm -inf. Take the logarithm of the sum, not of the
    quotient: score - log(sum of exp).
        -logs[ => -np.log(np.exp(logs))[
    $small = {1e-5 | 1e-6 | 1e-7 | 1e-8 | 1e-9 | 1e-10 | 1e-11 | 1e-12 | 1e-13 | 1e-14 | 1e-15 | 1e-16}
    you add a small number inside the logarithm, which changes large losses. Take the logarithm of the sum,
    not of the quotient: score - log(sum of exp).
        -logs[ => -np.log(np.maximum(np.exp(logs), $small))[
        or
        -logs[ => -np.log(np.exp(logs) + $small)[
    you subtract the maximum of the whole batch. In a row far below it every exp is
    0. Use each row's own maximum.
        $max => logits.max()
    you subtract the row's smallest score, so exp still overflows. Subtract the largest.
        $max => logits.min(-1, keepdims=True)
    you divide the loss by the number of positions. It is a mean over the sequences only.
        return result / start_logits.shape[1]
    you return the larger of the two losses. Take their mean.
        $mean => max(start, end)
    you return e to the power of the loss. Return the loss itself.
        return np.exp(result)
    you use squared distances from the probability 1. The loss is minus the logarithm.
        losses.mean() => ((1 - np.exp(-losses)) ** 2).mean()
    you use 1 minus the probability. The loss is minus its logarithm.
        losses.mean() => (1 - np.exp(-losses)).mean()
    you read the position before the right one. Positions count from 0, like indices.
        return right(start_logits, end_logits, starts - 1, ends - 1)
    you read the position after the right one. Positions count from 0, like indices.
        return right(start_logits, end_logits, starts + 1, ends + 1)
    you return a loss for each sequence. Return one number: the mean over the batch.
        losses.mean() => losses
    you return a pair of losses. Return one number: the mean of the two.
        $mean => (start, end)
    """,
    one_end,
) + pairs_of_edits(
    both_ends,
    """
    $logs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))

    you add up start and end instead of averaging them
        (start + end) / 2 => start + end
    you add up the sequences instead of averaging them
        .mean() => .sum()
    exp overflows for large scores: subtract each row's maximum first
        $logs => np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))
    you leave out sequences without an answer (0)
        places]  # => places][places > 0]  #
    """,
    one_end,
)
