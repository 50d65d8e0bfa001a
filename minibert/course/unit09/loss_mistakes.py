"""Known mistakes about `bilm_loss`, ELMo's loss.

Peters et al. (2018, arXiv 1802.05365), section 3.1: two language models that see one side each, and the mean
of their losses. Axes: B batch, T tokens, V vocabulary.
"""

import numpy as np

from minibert.data.batch import IGNORE
from minibert.data.masking import shifted

from ..checks.edits import edits, pairs_of_edits
from ..checks.records import Mistake


def surprises(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return -log p of each label that is predicted, (N,)."""
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
    """Return the mean of the means of each row and direction."""
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

        forward logits are asked for the token at their own place, which they have just read: nothing to
        predict. At t they predict the token at t + 1.
            shifted(tokens, 1) => tokens
        backward logits are asked for the token at their own place, which they have just read: nothing to
        predict. At t they predict the token at t - 1.
            shifted(tokens, -1) => tokens
        both directions are asked for the token at their own place, which they have just read. Forward
        predicts t + 1, backward t - 1.
            $moved => tokens, tokens
        the two directions are exchanged: forward logits predict the next token, backward ones the token
        before.
            $moved => shifted(tokens, -1), shifted(tokens, 1)
        backward logits are asked for the next token, which they have already read: they come from the right.
        At t they predict the token at t - 1.
            shifted(tokens, -1) => shifted(tokens, 1)
        forward logits are asked for the token before, which they have already read. At t they predict the
        token at t + 1.
            shifted(tokens, 1) => shifted(tokens, -1)
        `counted` is about the token that is predicted. You took it as the place that predicts: move it
        together with the ids.
            $tokens => ids
            forward, after => forward, np.where(counted, after, IGNORE)
            backward, before => backward, np.where(counted, before, IGNORE)
        `counted` is not used: [CLS], [SEP] and padding are predicted too.
            $tokens => ids
        the row wraps around: after its last token comes its first again, as with np.roll. There is no such
        token to predict; put -100 there.
            moved[:, $past] = IGNORE => pass
        where the row has ended, the label is 0, which is a token. There is nothing to predict; put -100
        there.
            moved[:, $past] = IGNORE => moved[:, $past] = 0
        [:-1] and [1:] cut off whole rows of the batch. Tokens lie along the second axis: [:, :-1] and [:,
        1:].
            forward, after => forward[:-1], tokens[1:]
            backward, before => backward[1:], tokens[:-1]
        these are both means added up. Take their mean: divide by 2.
            $loss => ahead.mean() + back.mean()
        this is one mean over all predictions together. Take the mean of each direction, and then the mean of
        the two.
            $loss => np.concatenate([ahead, back]).mean()
        only the forward direction is there.
            $loss => ahead.mean()
        only the backward direction is there.
            $loss => back.mean()
        these are sums. Take means, so that the length of the text does not matter.
            $loss => ahead.sum() + back.sum()
        the sign is flipped. A loss is the mean of -log p, never below 0.
            return -result
        you add the logits of both directions before the softmax: then they answer together, about different
        tokens. Each direction has its own loss.
            $loss => surprises(forward + backward, tokens).mean()
        this is the larger of the two directions. Take their mean.
            $loss => max(ahead.mean(), back.mean())
        this is the geometric mean of the two directions. Take half of their sum.
            $loss => np.sqrt(ahead.mean() * back.mean())
        token 0 is left out. It is a token like the others: `counted` alone decides.
            where(counted, => where(counted & (ids > 0),
        a token counts only if its neighbour does, too. `counted` is about the predicted token alone.
            where(counted, => where(counted & np.roll(counted, 1, 1),
        the labels are moved by two places. Forward predicts t + 1, backward t - 1.
            $moved => shifted(tokens, 2), shifted(tokens, -2)
        the backward labels are those of the text read from its end, but the logits are in the order of the
        text. Only move the labels by one place.
            shifted(tokens, -1) => shifted(tokens[:, ::-1], 1)
        the logarithm is that of base 2. Loss is counted in nats.
            return result / np.log(2)
        this is e to the power of the loss. Return the loss itself.
            return np.exp(result)
        np.exp overflows for large logits, or gives 0, which has no logarithm. Take the `mlm_loss` that is
        imported.
            logits - logits.max(-1, keepdims=True) => logits
            logs = logits - np.log(np.exp(logits).sum => logs = np.log(np.exp(logits) / np.exp(logits).sum
        you divide by the number of all places. The mean is over the predictions.
            return result * counted.mean()
        """,
        shifted,
        surprises,
    ),
    Mistake(
        "this is a mean over the rows of their means. Take the mean of each direction over all places.",
        row_by_row,
    ),
    *pairs_of_edits(
        bilm_loss,
        """
        $moved = moved[:, slice(-by, None) if by > 0 else slice(None, -by)]

        forward: they are asked for the token at their own place, which they have just read
            shifted(tokens, 1) => tokens
        backward: they are asked for the token at their own place, which they have just read
            shifted(tokens, -1) => tokens
        `counted` is taken as the place that predicts
            np.where(counted, ids, IGNORE) => ids
            forward, after => forward, np.where(counted, after, IGNORE)
            backward, before => backward, np.where(counted, before, IGNORE)
        `counted` is not used
            np.where(counted, ids, IGNORE) => ids
        the row wraps around, its first token after its last
            $moved = IGNORE => pass
        the sum of both means is not divided by 2
            (ahead.mean() + back.mean()) / 2 => ahead.mean() + back.mean()
        """,
        shifted,
        surprises,
    )[1:],
)
