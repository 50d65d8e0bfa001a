"""Known mistakes in `attention`. If two of them explain a wrong answer, the check reports the first.

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
you do not divide the scores by sqrt(K). Divide by it; K is the size of the last axis of q.
    $scale =>
you divide the scores by K. Divide by sqrt(K), the standard deviation of a sum of K products.
    $scale => / q.shape[-1]
you multiply the scores by sqrt(K). Divide them by it.
    $scale => * math.sqrt(q.shape[-1])
you divide by the square root of S, the number of keys. Divide by sqrt(K), where K is the size of the last
axis of q.
    $scale => / math.sqrt(k.shape[-2])
you divide by the square root of T, the number of queries. Divide by sqrt(K), where K is the size of the last
axis of q.
    $scale => / math.sqrt(q.shape[-2])
you divide by sqrt(K) after the softmax. Scale the scores first, then apply the softmax.
    $scale =>
    softmax(scores) => softmax(scores) / math.sqrt(q.shape[-1])
the score of a masked key is not low enough: a visible key may have an even lower score. Use -1e9 or
np.finfo(scores.dtype).min.
    $lowest => {-1e4 | -10.0}
your softmax runs over the queries. The probabilities of each query should sum to 1 over the keys, the
last axis.
    softmax(scores) => softmax(scores, -2)
your softmax runs over the whole matrix of scores. The probabilities of each query should sum to 1 over the
keys, the last axis.
    probs = softmax(scores) => e = np.exp(scores - scores.max())\\nprobs = e / e.sum((-2, -1), keepdims=True)
each query takes only the key with the highest score, which is an argmax. Use your softmax instead, to weight
all visible keys.
    softmax(scores) => $best
the softmax is missing: you use the raw scores as weights. Apply your softmax to them first.
    softmax(scores) => scores
you divide the scores by their sum, without the exponential. Use your softmax.
    softmax(scores) => scores / scores.sum(-1, keepdims=True)
you average the keys. Use the keys only for the scores, and average the values v.
    probs @ v => probs @ k
you return (probs, context). Return (context, probs).
    return result[::-1]
you return only the context. Return (context, probs).
    return result[0]
you return the scores as the second result. Return the probabilities, after the softmax.
    context, probs => context, scores
you use `visible` the wrong way round. Mask the keys where it is False; where it is True, the query may attend
to the key.
    np.where(visible => np.where(~visible
you ignore `visible`, so masked keys get some probability too. Give them a very large negative score.
    $hide => scores
a masked key gets the score 0, and still has a weight, because exp(0) = 1. Give it a very large negative
score.
    $lowest => 0
you add True and False (1 and 0) to the scores. Give masked keys a very large negative score instead.
    $hide => scores + visible
you set the probabilities of masked keys to 0 after the softmax, so a row no longer sums to 1. Mask the scores
before the softmax.
    $hide => scores
    softmax(scores) => softmax(scores) * (True if visible is None else visible)
you mask after the softmax and divide by the new sum. If a masked key has taken all the probability, this is
0 / 0. Mask the scores before the softmax.
    $hide => scores
    softmax(scores) => softmax(scores) * (True if visible is None else visible)\\n$shares
exp of a large score is inf, and exp of a very low score is 0, so a row becomes inf / inf or 0 / 0. Use your
softmax, which subtracts the maximum.
    softmax(scores) => np.exp(scores)\\n$shares
the shapes of q and k do not match in q @ k. Swap only the last two axes of k, with k.swapaxes(-2, -1). (`k.T`
reverses all axes, even the batch axis.)
    k.swapaxes(-2, -1) => k
queries and keys are swapped in the product. Use q @ k.swapaxes(-2, -1), which has one row per query.
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
you use an argmax instead of the softmax
    softmax(scores) => $best
you do not subtract the maximum before exp
    softmax(scores) => np.exp(scores)\\n$shares
you ignore `visible`
    $hide => scores
you use `visible` the wrong way round
    np.where(visible => np.where(~visible
a masked key gets the score 0, but exp(0) is 1
    $lowest => 0
you average the keys instead of the values
    probs @ v => probs @ k
you return (probs, context) instead of (context, probs)
    context, probs => probs, context
""",
    ),
)
