"""Known mistakes about `attention`. Where two give the same result on an input, the first one is named.

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
equal to attention without dividing the scores by sqrt(K). K is the last axis of q.
    $scale =>
you divide the scores by K instead of sqrt(K). A sum of K products has standard deviation sqrt(K).
    $scale => / q.shape[-1]
you multiply the scores by sqrt(K); divide by it.
    $scale => * math.sqrt(q.shape[-1])
you divide by the square root of the number of keys, S. Divide by sqrt(K): K is the last axis of q.
    $scale => / math.sqrt(k.shape[-2])
you divide by the square root of the number of queries, T. Divide by sqrt(K): K is the last axis of q.
    $scale => / math.sqrt(q.shape[-2])
you divide by sqrt(K) after the softmax. Scale the scores first, then apply the softmax.
    $scale =>
    softmax(scores) => softmax(scores) / math.sqrt(q.shape[-1])
the score of a hidden key is not low enough: here the scores of the visible keys are lower still. Take -1e9 or
np.finfo(scores.dtype).min.
    $lowest => {-1e4 | -10.0}
your softmax runs over the queries. Each query spreads 1 over the keys: the last axis.
    softmax(scores) => softmax(scores, -2)
your softmax runs over the whole matrix of scores. Each query spreads 1 over the keys: the last axis.
    probs = softmax(scores) => e = np.exp(scores - scores.max())\\nprobs = e / e.sum((-2, -1), keepdims=True)
each query takes only its best key: an argmax. The softmax mixes all visible keys.
    softmax(scores) => $best
the softmax is missing: you average with the raw scores.
    softmax(scores) => scores
the scores are divided by their sum, without the exponential. Use your softmax.
    softmax(scores) => scores / scores.sum(-1, keepdims=True)
the averaged vectors are the keys. The scores come from the keys, the average is over the values v.
    probs @ v => probs @ k
you return (probs, context); the order asked for is (context, probs).
    return result[::-1]
you return the context only; return (context, probs).
    return result[0]
you return the scores; return the probabilities after the softmax.
    context, probs => context, scores
`visible` is read the wrong way round. True means that the query may look at the key; the hidden ones are
~visible.
    np.where(visible => np.where(~visible
`visible` is ignored: hidden keys get their share too.
    $hide => scores
a hidden key gets the score 0. But exp(0) = 1, so it still takes part. Give it a very large negative score.
    $lowest => 0
you add True and False (1 and 0) to the scores. A hidden key needs a very large negative score.
    $hide => scores + visible
you set hidden probabilities to 0 after the softmax, so a row no longer sums to 1. Hide the scores before the
softmax.
    $hide => scores
    softmax(scores) => softmax(scores) * (True if visible is None else visible)
hiding after the softmax and dividing again is right on paper. But here a hidden key has taken all the
probability, and 0 / 0 is left. Hide the scores before the softmax.
    $hide => scores
    softmax(scores) => softmax(scores) * (True if visible is None else visible)\\n$shares
exp of a large score is inf, and of a very low one 0, so a row becomes inf / inf or 0 / 0. Use your softmax,
which subtracts the maximum.
    softmax(scores) => np.exp(scores)\\n$shares
q and k do not fit for @. Swap the last two axes of k, and only those: k.swapaxes(-2, -1). (`k.T` reverses all
axes, the batch axis too.)
    k.swapaxes(-2, -1) => k
queries and keys are swapped. The scores have one row per query: q @ k.swapaxes(-2, -1).
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
`visible` is ignored
    $hide => scores
`visible` is read the wrong way round
    np.where(visible => np.where(~visible
a hidden key gets the score 0, and exp(0) is 1
    $lowest => 0
the keys are averaged instead of the values
    probs @ v => probs @ k
the two results are in the wrong order
    context, probs => probs, context
""",
    ),
)
