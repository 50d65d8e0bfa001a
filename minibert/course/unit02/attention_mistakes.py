"""Students' common mistakes in `attention`; the first one that explains a wrong answer is reported.

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
you do not scale the scores. Divide them by the square root of K, the size of the last axis of q.
    $scale =>
you divide the scores by K. Divide them by its square root, the standard deviation of a sum of K products.
    $scale => / q.shape[-1]
you multiply the scores by the square root of K. Divide them by it.
    $scale => * math.sqrt(q.shape[-1])
you divide by the square root of the number of keys. Use the size of the last axis of q instead.
    $scale => / math.sqrt(k.shape[-2])
you divide by the square root of the number of queries. Use the size of the last axis of q instead.
    $scale => / math.sqrt(q.shape[-2])
you scale the probabilities. Scale the scores, before the softmax.
    $scale =>
    softmax(scores) => softmax(scores) / math.sqrt(q.shape[-1])
the score of a masked key is not low enough: a visible key may have an even lower one. Use a very large
negative number.
    $lowest => {-1e4 | -10.0}
    or
    $hide => scores - {10000 | 1000 | 100 | 50 | 10} * ~visible
your softmax runs over the queries. The probabilities of each query should sum to 1 over the keys, the last
axis.
    softmax(scores) => softmax(scores, -2)
your softmax runs over the whole matrix of scores. The probabilities of each query should sum to 1 over the
keys, the last axis.
    probs = softmax(scores) => e = np.exp(scores - scores.max())\\nprobs = e / e.sum((-2, -1), keepdims=True)
each query takes only the key with the highest score. Weight all visible keys instead, with your softmax.
    softmax(scores) => $best
you use the raw scores as weights. Apply your softmax to them first.
    softmax(scores) => scores
you divide the scores by their sum, without the exponential. Use your softmax.
    softmax(scores) => scores / scores.sum(-1, keepdims=True)
you average the keys. They are only for the scores; average the values instead.
    probs @ v => probs @ k
you return (probs, context). Return (context, probs).
    return result[::-1]
you return only the context. Return (context, probs).
    return result[0]
you return the scores as the second result. Return the probabilities, after the softmax.
    context, probs => context, scores
you use `visible` the wrong way round. A query may attend to the keys where it is True.
    np.where(visible => np.where(~visible
you ignore `visible`, so masked keys get some probability too. Give them a very large negative score.
    $hide => scores
    or
    $hide => ($hide if visible.shape == scores.shape else scores)
a masked key gets the score 0, and so it still has a weight. Give it a very large negative score.
    $lowest => 0
you add `visible` to the scores, as 1 and 0. Give masked keys a very large negative score instead.
    $hide => scores + visible
you mask after the softmax, so the probabilities no longer sum to 1. Mask the scores before the softmax.
    $hide => scores
    softmax(scores) => softmax(scores) * (True if visible is None else visible)
you mask after the softmax and divide by the new sum, which may be 0. Mask the scores before the softmax.
    $hide => scores
    softmax(scores) => softmax(scores) * (True if visible is None else visible)\\n$shares
the exponentials overflow for large scores and vanish for very low ones. Use your softmax, which subtracts the
maximum.
    softmax(scores) => np.exp(scores)\\n$shares
the shapes of q and k do not match. Swap the last two axes of k, and leave the others as they are (`k.T`
reverses all of them).
    k.swapaxes(-2, -1) => {k | k.T}
queries and keys are swapped in the product. The scores must have one row per query.
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
