"""Students' common mistakes in `bilm_loss`, ELMo's loss.

Peters et al. (2018, arXiv 1802.05365), section 3.1: the mean of the losses of two language models, each of
which sees one side. Axes: B batch, T tokens, V vocabulary.
"""

import numpy as np

from minibert.data.batch import IGNORE
from minibert.data.masking import shifted

from ..checks.edits import edits, pairs_of_edits
from ..checks.records import Mistake


def surprises(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return -log p for each of the N labels that are not IGNORE, (N,), with p = softmax(logits)."""
    logits, labels = logits[labels != IGNORE], labels[labels != IGNORE]
    logits = logits - logits.max(-1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))  # (N, V)
    return -logs[np.arange(len(labels)), labels]


def bilm_loss(forward: np.ndarray, backward: np.ndarray, ids: np.ndarray, counted: np.ndarray) -> float:
    """Return the mean of the losses of the forward and backward language models, in nats."""
    tokens = np.where(counted, ids, IGNORE)
    after, before = shifted(tokens, 1), shifted(tokens, -1)
    ahead, back = surprises(forward, after), surprises(backward, before)
    return (ahead.mean() + back.mean()) / 2


def row_by_row(forward: np.ndarray, backward: np.ndarray, ids: np.ndarray, counted: np.ndarray) -> float:
    """Return the mean loss of each sequence in each direction, averaged over sequences and directions."""
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

        your forward logits predict the token that they have just read. They should predict the next one.
            shifted(tokens, 1) => tokens
        your backward logits predict the token that they have just read. They should predict the one before
        it.
            shifted(tokens, -1) => tokens
        in both directions, your logits predict the token that they have just read. Forward logits should
        predict the next one, backward logits the one before.
            $moved => tokens, tokens
        you swapped the two directions. Forward logits predict the next token, and backward logits the
        previous one.
            $moved => shifted(tokens, -1), shifted(tokens, 1)
        your backward logits predict the next token, which they have already read from right to left. They
        should predict the previous one.
            shifted(tokens, -1) => shifted(tokens, 1)
        your forward logits predict the previous token, which they have already read. They should predict the
        next one.
            shifted(tokens, 1) => shifted(tokens, -1)
        you use `counted` for the position of the logits, but it is about the predicted token. Shift it
        together with the ids.
            $tokens => ids
            forward, after => forward, np.where(counted, after, IGNORE)
            backward, before => backward, np.where(counted, before, IGNORE)
        you ignore `counted`, so [CLS], [SEP] and padding are also predicted. Give these tokens the label
        -100.
            $tokens => ids
        your labels wrap around: at the end of the text, the first token is predicted. Use the label -100
        there.
            moved[:, $past] = IGNORE => pass
        your label after the end of the sequence is 0, which is a token. Nothing is predicted there, so use
        -100.
            moved[:, $past] = IGNORE => moved[:, $past] = 0
        you leave out whole sequences of the batch. The tokens are along the second axis.
            forward, after => forward[:-1], tokens[1:]
            backward, before => backward[1:], tokens[:-1]
        you add up the two means. Return half of their sum.
            $loss => ahead.mean() + back.mean()
        you take one mean over both directions. Take the mean of each, then the mean of the two.
            $loss => np.concatenate([ahead, back]).mean()
        you use only the forward direction. Return the mean of the forward and the backward loss.
            $loss => ahead.mean()
        you use only the backward direction. Return the mean of the forward and the backward loss.
            $loss => back.mean()
        you add up the losses of the predictions. Take their mean, so that the loss does not depend on the
        length of the text.
            $loss => ahead.sum() + back.sum()
        the sign is wrong. The loss is the mean of -log p, which is never negative.
            return -result
        you add the logits of both directions before the softmax, although they predict different tokens.
        Compute a separate loss for each direction.
            $loss => surprises(forward + backward, tokens).mean()
        you return the larger of the two losses. Return their mean.
            $loss => max(ahead.mean(), back.mean())
        you take the geometric mean of the two losses. Return half of their sum.
            $loss => np.sqrt(ahead.mean() * back.mean())
        you leave out token 0. Include it: only `counted` decides which tokens are predicted.
            where(counted, => where(counted & (ids > 0),
        you count a token only if the previous one is also counted. Use `counted` only for the predicted token
        itself.
            where(counted, => where(counted & np.roll(counted, 1, 1),
        you shift the labels by two positions. Shift them by one.
            $moved => shifted(tokens, 2), shifted(tokens, -2)
        you reverse the text for the backward labels, but the logits are in the order of the text. Only shift
        the labels.
            shifted(tokens, -1) => shifted(tokens[:, ::-1], 1)
        your logarithm has base 2. Use the natural logarithm.
            return result / np.log(2)
        you return e to the power of the loss. Return the loss itself.
            return np.exp(result)
        np.exp overflows for large logits, or becomes 0. Use the imported `mlm_loss`.
            logits - logits.max(-1, keepdims=True) => logits
            logs = logits - np.log(np.exp(logits).sum => logs = np.log(np.exp(logits) / np.exp(logits).sum
        you divide by the number of all positions. Divide by the number of predicted tokens.
            return result * counted.mean()
        """,
        shifted,
        surprises,
    ),
    Mistake(
        "you take the mean for each sequence, then the mean of these means. Take one mean over all "
        "predicted tokens of a direction.",
        row_by_row,
    ),
    *pairs_of_edits(
        bilm_loss,
        """
        $moved = moved[:, slice(-by, None) if by > 0 else slice(None, -by)]

        forward logits predict the token at their own position, not the next one
            shifted(tokens, 1) => tokens
        backward logits predict the token at their own position, not the previous one
            shifted(tokens, -1) => tokens
        `counted` is used for the position of the logits, not for the predicted token
            np.where(counted, ids, IGNORE) => ids
            forward, after => forward, np.where(counted, after, IGNORE)
            backward, before => backward, np.where(counted, before, IGNORE)
        `counted` is not used, so that padding is predicted too
            np.where(counted, ids, IGNORE) => ids
        the labels wrap around, so that the first token follows the last
            $moved = IGNORE => pass
        the sum of the two means is not divided by 2
            (ahead.mean() + back.mean()) / 2 => ahead.mean() + back.mean()
        """,
        shifted,
        surprises,
    )[1:],
)
