"""Known mistakes in `attention`. If two give the same result on an input, the check reports the first.

Axes: T queries, S keys, K head size.
"""

from minibert.reference import attention

from ..checks.edits import edits, pairs_of_edits

PIECES = """
$scale = / math.sqrt(q.shape[-1])
$lowest = np.finfo(scores.dtype).min
$hide = np.where(visible, scores, $lowest)
$best = (scores == scores.max(-1, keepdims=True)).astype(float)
$shares = probs = probs / probs.sum(-1, keepdims=True)
"""

ATTENTION = (
    *edits(
        attention,
        PIECES
        + """
you do not divide the scores by sqrt(K). K is the last axis of q.
    $scale =>
you divide the scores by K instead of sqrt(K). A sum of K products has the standard deviation sqrt(K).
    $scale => / q.shape[-1]
you multiply the scores by sqrt(K). Divide by it.
    $scale => * math.sqrt(q.shape[-1])
you divide by the square root of S, the number of keys. Divide by sqrt(K): K is the last axis of q.
    $scale => / math.sqrt(k.shape[-2])
you divide by the square root of T, the number of queries. Divide by sqrt(K): K is the last axis of q.
    $scale => / math.sqrt(q.shape[-2])
you divide by sqrt(K) after the softmax. Scale the scores first, then apply the softmax.
    $scale =>
    softmax(scores) => softmax(scores) / math.sqrt(q.shape[-1])
the score of a masked key is not low enough: here the scores of the visible keys are even lower. Use -1e9 or
np.finfo(scores.dtype).min.
    $lowest => {-1e4 | -10.0}
your softmax runs over the queries. The probabilities of each query should sum to 1 over the keys, the
last axis.
    softmax(scores) => softmax(scores, -2)
your softmax runs over the whole matrix of scores. The probabilities of each query should sum to 1 over the
keys, the last axis.
    probs = softmax(scores) => e = np.exp(scores - scores.max())\\nprobs = e / e.sum((-2, -1), keepdims=True)
each query takes only its best key, which is an argmax. A softmax takes a weighted average over all
visible keys.
    softmax(scores) => $best
the softmax is missing: you take the average with the raw scores.
    softmax(scores) => scores
you divide the scores by their sum, without the exponential. Use your softmax.
    softmax(scores) => scores / scores.sum(-1, keepdims=True)
you average the keys. Use the keys for the scores only, and average the values v.
    probs @ v => probs @ k
you return (probs, context). Return (context, probs).
    return result[::-1]
you return only the context. Return (context, probs).
    return result[0]
you return the scores. Return the probabilities after the softmax.
    context, probs => context, scores
you use `visible` the wrong way round. True means that the query may attend to the key; the masked keys are
~visible.
    np.where(visible => np.where(~visible
you ignore `visible`: masked keys get some probability too.
    $hide => scores
a masked key gets the score 0. But exp(0) = 1, so it still has a weight. Give it a very large negative score.
    $lowest => 0
you add True and False (1 and 0) to the scores. A masked key needs a very large negative score.
    $hide => scores + visible
you set the probabilities of masked keys to 0 after the softmax, so a row no longer sums to 1. Mask the scores
before the softmax.
    $hide => scores
    softmax(scores) => softmax(scores) * (True if visible is None else visible)
masking after the softmax and dividing by the new sum is right on paper. But here a masked key has taken all
the probability, so you get 0 / 0. Mask the scores before the softmax.
    $hide => scores
    softmax(scores) => softmax(scores) * (True if visible is None else visible)\\n$shares
exp of a large score is inf, and exp of a very low score is 0, so a row becomes inf / inf or 0 / 0. Use your
softmax, which subtracts the maximum.
    softmax(scores) => np.exp(scores)\\n$shares
the shapes of q and k do not match in q @ k. Swap only the last two axes of k: k.swapaxes(-2, -1). (`k.T`
reverses all axes, including the batch axis.)
    k.swapaxes(-2, -1) => k
queries and keys are swapped. The scores should have one row per query: q @ k.swapaxes(-2, -1).
    q @ k.swapaxes(-2, -1) => k @ q.swapaxes(-2, -1)
""",
    ),
    *pairs_of_edits(
        attention,
        PIECES
        + """
the scores are not divided by sqrt(K)
    $scale =>
the scores are divided by K instead of sqrt(K)
    $scale => / q.shape[-1]
the scores are divided by sqrt(S) instead of sqrt(K)
    $scale => / math.sqrt(k.shape[-2])
the softmax runs over the queries instead of the keys
    softmax(scores) => softmax(scores, -2)
an argmax is used instead of the softmax
    softmax(scores) => $best
the maximum is not subtracted before exp: use your softmax
    softmax(scores) => np.exp(scores)\\n$shares
you ignore `visible`
    $hide => scores
you use `visible` the wrong way round
    np.where(visible => np.where(~visible
a masked key gets the score 0, but exp(0) is 1
    $lowest => 0
you average the keys instead of the values
    probs @ v => probs @ k
the two results are in the wrong order
    context, probs => probs, context
""",
    ),
)
