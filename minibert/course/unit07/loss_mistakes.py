"""Known mistakes about `span_loss`: the two softmaxes over the positions, and what is averaged.

Devlin et al. (2019, arXiv 1810.04805), section 4.2. Axes: B sequences, T positions.
"""

import numpy as np

from ..checks.edits import edits, pairs_of_edits


def one_end(logits: np.ndarray, places: np.ndarray) -> float:
    """Return the mean loss of the right places (B,) by their logits (B, T)."""
    shifted = logits - logits.max(-1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    losses = -logs[np.arange(len(places)), places]  # (B,)
    return losses.mean()


def both_ends(
    start_logits: np.ndarray, end_logits: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> float:
    """Do what `span_loss` does, in the few lines that a student writes."""
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

    you return start + end; return their mean: half of the sum.
        $mean => start + end
    `logs[:, places]` takes all places from every row. Give it the rows too, so that each goes with its own
    place: logs[np.arange(B), places].
        $own => [:, places]
    you add up the rows of the batch; take their mean.
        .mean() => .sum()
    only the start counts. The end has a loss of its own; return the mean of both.
        $mean => start
    only the end counts. The start has a loss of its own; return the mean of both.
        $mean => end
    starts and ends are mixed up: the start scores belong to `starts`.
        return right(start_logits, end_logits, ends, starts)
    both ends are read at `starts`. The end scores belong to `ends`.
        return right(start_logits, end_logits, starts, starts)
    the softmax is missing: you average the scores themselves.
        -logs[ => -logits[
    the logarithm is missing: this averages probabilities. The loss is minus their logarithm.
        -logs[ => -np.exp(logs)[
    the sign: the loss is minus the logarithm, so it is never negative.
        return -result
    the softmax runs over the rows of the batch. It runs over the positions of a row: the last axis.
        -1, keepdims =>> 0, keepdims
    the softmax runs over the whole batch. Each row has its own.
        (-1, keepdims=True) =>> ()
    there is one softmax over all starts and ends together. Take two, one for each end.
        (start_logits, starts), => (both := np.concatenate([start_logits, end_logits], 1), starts),
        (end_logits, ends) => (both, ends + start_logits.shape[1])
    a sigmoid asks of each position alone: yes or no? Here the positions of a row compete: take a softmax.
        $losses => np.logaddexp(0, logits) - logits * (np.arange(logits.shape[1]) == places[:, None])
    the logarithm is that of base 2; take np.log.
        return result / np.log(2)
    the logarithm is that of base 10; take np.log.
        return result / np.log(10)
    rows without an answer (0) are left out. For them [CLS], position 0, is the right start and the right
    end: they count like all others.
        $losses => $losses[places > 0]
    exp overflows for large scores. Subtract each row's maximum first; no probability changes.
        $logs => np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))
        or
        logits - $max => logits
    a probability that is very small becomes 0, and its logarithm -inf. Take the logarithm of the sum, not of
    the quotient: score - log(sum of exp).
        -logs[ => -np.log(np.exp(logs))[
    $small = {1e-5 | 1e-6 | 1e-7 | 1e-8 | 1e-9 | 1e-10 | 1e-11 | 1e-12 | 1e-13 | 1e-14 | 1e-15 | 1e-16}
    a small number inside the logarithm changes large losses. Take the logarithm of the sum, not of the
    quotient: score - log(sum of exp).
        -logs[ => -np.log(np.maximum(np.exp(logs), $small))[
        or
        -logs[ => -np.log(np.exp(logs) + $small)[
    you subtract the maximum of the whole batch. In a row far below it every exp is 0: take each row's
    maximum.
        $max => logits.max()
    you subtract the row's smallest score, so that exp overflows all the same. Take the largest.
        $max => logits.min(-1, keepdims=True)
    the loss is divided by the number of positions. It is the mean over the rows alone.
        return result / start_logits.shape[1]
    this is the larger of the two ends. Take their mean.
        $mean => max(start, end)
    this is e to the power of the loss. Return the loss itself.
        return np.exp(result)
    these are squared distances from the probability 1. The loss is minus the logarithm.
        losses.mean() => ((1 - np.exp(-losses)) ** 2).mean()
    this is 1 minus the probability. The loss is minus its logarithm.
        losses.mean() => (1 - np.exp(-losses)).mean()
    you read the place before the right one. Positions count from 0, as indices do.
        return right(start_logits, end_logits, starts - 1, ends - 1)
    you read the place after the right one. Positions count from 0, as indices do.
        return right(start_logits, end_logits, starts + 1, ends + 1)
    this is a loss for each row. Return one number: the mean over the batch.
        losses.mean() => losses
    this is a pair of losses. Return one number: the mean of the two.
        $mean => (start, end)
    """,
    one_end,
) + pairs_of_edits(
    both_ends,
    """
    $logs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))

    start and end are added up, not averaged
        (start + end) / 2 => start + end
    the rows are added up, not averaged
        .mean() => .sum()
    exp overflows for large scores: subtract each row's maximum first
        $logs => np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))
    rows without an answer (0) are left out
        places]  # => places][places > 0]  #
    """,
    one_end,
)
