"""Students' common mistakes in `span_loss`: in its two softmaxes over positions and in the mean.

Devlin et al. (2019, arXiv 1810.04805), section 4.2. Axes: B sequences, T positions.
"""

import numpy as np

from ..checks.edits import edits, pairs_of_edits


def one_end(logits: np.ndarray, places: np.ndarray) -> float:
    """Return the mean loss for start or end positions, given logits (B, T) and positions (B,)."""
    shifted = logits - logits.max(-1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    losses = -logs[np.arange(len(places)), places]  # (B,)
    return losses.mean()


def both_ends(
    start_logits: np.ndarray, end_logits: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> float:
    """Return the mean of the losses for start and end positions, as `span_loss` should."""
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

    you return the sum of the two losses. Return their mean.
        $mean => start + end
    you read the same columns in every row. Pair each row with its own column.
        $own => [:, places]
    you add up the losses of the batch. Take their mean.
        .mean() => .sum()
    you use only the loss of the start. Return the mean of both losses.
        $mean => start
    you use only the loss of the end. Return the mean of both losses.
        $mean => end
    you swapped `starts` and `ends`. Use `starts` with the start scores, and `ends` with the end scores.
        return right(start_logits, end_logits, ends, starts)
    you read both losses at `starts`. Read the loss of the end scores at `ends`.
        return right(start_logits, end_logits, starts, starts)
    the softmax is missing, so you average the scores themselves. Convert them to log-probabilities first.
        -logs[ => -logits[
    you average probabilities. Take minus the logarithm of each.
        -logs[ => -np.exp(logs)[
    the sign is wrong. The loss is minus the logarithm of a probability, so it is never negative.
        return -result
    your softmax runs over the sequences of the batch. It should run over the positions of each sequence.
        -1, keepdims =>> 0, keepdims
    your softmax runs over the whole batch. Take a separate softmax for each sequence.
        (-1, keepdims=True) =>> ()
    you take one softmax over all scores. Take one over the start scores, and another over the end scores.
        (start_logits, starts), => (both := np.concatenate([start_logits, end_logits], 1), starts),
        (end_logits, ends) => (both, ends + start_logits.shape[1])
    you use a sigmoid, which scores each position separately. The positions compete with each other, so use a
    softmax.
        $losses => np.logaddexp(0, logits) - logits * (np.arange(logits.shape[1]) == places[:, None])
    your logarithm has base 2. Use the natural logarithm.
        return result / np.log(2)
    your logarithm has base 10. Use the natural logarithm.
        return result / np.log(10)
    you leave out sequences without an answer. Include them: they begin and end at 0, the position of [CLS].
        $losses => $losses[places > 0]
    np.exp overflows for large scores. First subtract each row's maximum, which does not change the
    probabilities.
        $logs => np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))
        or
        logits - $max => logits
    a very small probability becomes 0, and its logarithm is infinite. Compute the logarithm directly, without
    the probability.
        -logs[ => -np.log(np.exp(logs))[
    $small = {1e-5 | 1e-6 | 1e-7 | 1e-8 | 1e-9 | 1e-10 | 1e-11 | 1e-12 | 1e-13 | 1e-14 | 1e-15 | 1e-16}
    you add a small number inside the logarithm, which changes large losses. Compute the logarithm directly,
    without the probability.
        -logs[ => -np.log(np.maximum(np.exp(logs), $small))[
        or
        -logs[ => -np.log(np.exp(logs) + $small)[
    you subtract the maximum of the whole batch, which may be too much for a row. Subtract each row's own
    maximum.
        $max => logits.max()
    you subtract each row's smallest score, so that exp still overflows. Subtract the largest score.
        $max => logits.min(-1, keepdims=True)
    you divide the loss by the number of positions. Take the mean only over the sequences.
        return result / start_logits.shape[1]
    you return the larger of the two losses. Return their mean.
        $mean => max(start, end)
    you return e to the power of the loss. Return the loss itself.
        return np.exp(result)
    you use the squared difference between 1 and the probability. Use minus the logarithm of the probability.
        losses.mean() => ((1 - np.exp(-losses)) ** 2).mean()
    you use 1 minus the probability. Use minus the logarithm of the probability.
        losses.mean() => (1 - np.exp(-losses)).mean()
    you read the position before the correct one. Positions count from 0, like indices.
        return right(start_logits, end_logits, starts - 1, ends - 1)
    you read the position after the correct one. Positions count from 0, like indices.
        return right(start_logits, end_logits, starts + 1, ends + 1)
    you return a loss for each sequence. Return a single number, the mean over the batch.
        losses.mean() => losses
    you return a pair of losses. Return a single number, the mean of the two.
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
    np.exp overflows for large scores, because you do not subtract each row's maximum first
        $logs => np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))
    you leave out sequences without an answer, although their position 0 should count like any other
        places]  # => places][places > 0]  #
    """,
    one_end,
)
