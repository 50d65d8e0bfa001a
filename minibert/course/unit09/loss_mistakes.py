"""Known mistakes in `bilm_loss`, ELMo's loss.

Peters et al. (2018, arXiv 1802.05365), section 3.1: the mean of the losses of two language models, each of
which sees one side. Axes: B batch, T tokens, V vocabulary.
"""

import numpy as np

from minibert.data.batch import IGNORE
from minibert.data.masking import shifted

from ..checks.edits import edits, pairs_of_edits
from ..checks.records import Mistake


def surprises(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return -log p of each label that is not IGNORE, (N,)."""
    logits, labels = logits[labels != IGNORE], labels[labels != IGNORE]
    logits = logits - logits.max(-1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))  # (N, V)
    return -logs[np.arange(len(labels)), labels]


def bilm_loss(forward: np.ndarray, backward: np.ndarray, ids: np.ndarray, counted: np.ndarray) -> float:
    """Return the mean of the losses of the two directions, in nats."""
    tokens = np.where(counted, ids, IGNORE)
    after, before = shifted(tokens, 1), shifted(tokens, -1)
    ahead, back = surprises(forward, after), surprises(backward, before)
    return (ahead.mean() + back.mean()) / 2


def row_by_row(forward: np.ndarray, backward: np.ndarray, ids: np.ndarray, counted: np.ndarray) -> float:
    """Return the mean over sequences and directions of their mean losses."""
    tokens = np.where(counted, ids, IGNORE)
    rows = [
        surprises(logits[b : b + 1], shifted(tokens[b : b + 1], by))
        for b in range(len(ids))
        for logits, by in ((forward, 1), (backward, -1))
    ]
    return float(np.mean([row.mean() for row in rows if len(row)]))


BILM = (
    *edits(
        bilm_loss,
        """
        $tokens = np.where(counted, ids, IGNORE)
        $moved = shifted(tokens, 1), shifted(tokens, -1)
        $loss = (ahead.mean() + back.mean()) / 2
        $past = slice(-by, None) if by > 0 else slice(None, -by)

        your forward logits predict the token at their own position, which they have just read. At t they
        should predict the token at t + 1.
            shifted(tokens, 1) => tokens
        your backward logits predict the token at their own position, which they have just read. At t they
        should predict the token at t - 1.
            shifted(tokens, -1) => tokens
        both directions predict the token at their own position, which they have just read. Forward logits
        should predict the token at t + 1, backward logits the token at t - 1.
            $moved => tokens, tokens
        you swapped the two directions. Forward logits predict the next token,
        backward logits the previous one.
            $moved => shifted(tokens, -1), shifted(tokens, 1)
        your backward logits predict the next token, which they have already read, because they come from the
        right. At t they should predict the token at t - 1.
            shifted(tokens, -1) => shifted(tokens, 1)
        your forward logits predict the previous token, which they have already read. At t they
        should predict the token at t + 1.
            shifted(tokens, 1) => shifted(tokens, -1)
        `counted` refers to the predicted token, but you use it for the predicting position.
        Move it together with the ids.
            $tokens => ids
            forward, after => forward, np.where(counted, after, IGNORE)
            backward, before => backward, np.where(counted, before, IGNORE)
        you do not use `counted`, so you also count [CLS], [SEP] and padding as predictions.
            $tokens => ids
        your labels wrap around: the first token comes after the last, as with np.roll. There is no such token
        to predict, so put -100 there.
            moved[:, $past] = IGNORE => pass
        the label after the end of the sequence is 0, which is a token. There is nothing
        to predict, so put -100 there.
            moved[:, $past] = IGNORE => moved[:, $past] = 0
        [:-1] and [1:] cut off whole sequences of the batch. The tokens are along the
        second axis: [:, :-1] and [:, 1:].
            forward, after => forward[:-1], tokens[1:]
            backward, before => backward[1:], tokens[:-1]
        you add up the two means. Take their mean: divide by 2.
            $loss => ahead.mean() + back.mean()
        you take one mean over all predictions together. Take the mean of each
        direction, then the mean of the two.
            $loss => np.concatenate([ahead, back]).mean()
        you use only the forward direction. Return the mean of both losses.
            $loss => ahead.mean()
        you use only the backward direction. Return the mean of both losses.
            $loss => back.mean()
        you return sums. Take means, so that the length of the text does not matter.
            $loss => ahead.sum() + back.sum()
        the sign is wrong. A loss is the mean of -log p, which is never below 0.
            return -result
        you add the logits of both directions before the softmax, although they predict different tokens.
        Compute a loss for each direction.
            $loss => surprises(forward + backward, tokens).mean()
        you return the larger of the two losses. Take their mean.
            $loss => max(ahead.mean(), back.mean())
        you take the geometric mean of the two losses. Take half of their sum.
            $loss => np.sqrt(ahead.mean() * back.mean())
        you leave out token 0. It is a token like the others: only `counted` decides.
            where(counted, => where(counted & (ids > 0),
        a token counts in your answer only if its neighbour does too. `counted`
        refers only to the predicted token.
            where(counted, => where(counted & np.roll(counted, 1, 1),
        you move the labels by two positions. Forward logits predict the token at t + 1,
        backward logits the token at t - 1.
            $moved => shifted(tokens, 2), shifted(tokens, -2)
        you reverse the text for the backward labels, but the logits are in the order of the text. Only
        move the labels by one position.
            shifted(tokens, -1) => shifted(tokens[:, ::-1], 1)
        your logarithm has base 2. Use the natural logarithm.
            return result / np.log(2)
        you return e to the power of the loss. Return the loss itself.
            return np.exp(result)
        np.exp overflows for large logits, or returns 0, which has no logarithm. Use the imported `mlm_loss`.
            logits - logits.max(-1, keepdims=True) => logits
            logs = logits - np.log(np.exp(logits).sum => logs = np.log(np.exp(logits) / np.exp(logits).sum
        you divide by the number of all positions. Take the mean over the predictions.
            return result * counted.mean()
        """,
        shifted,
        surprises,
    ),
    Mistake(
        "you take a mean over the sequences of their means. Take the mean of each "
        "direction over all positions.",
        row_by_row,
    ),
    *pairs_of_edits(
        bilm_loss,
        """
        $moved = moved[:, slice(-by, None) if by > 0 else slice(None, -by)]

        forward logits predict the token at their own position, which they have just read
            shifted(tokens, 1) => tokens
        backward logits predict the token at their own position, which they have just read
            shifted(tokens, -1) => tokens
        `counted` is used for the predicting position
            np.where(counted, ids, IGNORE) => ids
            forward, after => forward, np.where(counted, after, IGNORE)
            backward, before => backward, np.where(counted, before, IGNORE)
        `counted` is not used
            np.where(counted, ids, IGNORE) => ids
        the labels wrap around, the first token after the last
            $moved = IGNORE => pass
        the sum of both means is not divided by 2
            (ahead.mean() + back.mean()) / 2 => ahead.mean() + back.mean()
        """,
        shifted,
        surprises,
    )[1:],
)
