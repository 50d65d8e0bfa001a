"""Known mistakes about `softmax`. Where two give the same result on an input, the first one is named."""

from minibert.reference import softmax

from ..checks.edits import edits, pairs_of_edits

SOFTMAX = (
    *edits(
        softmax,
        """
        $max = x.max(axis=axis, keepdims=True)
        $sum = e.sum(axis=axis, keepdims=True)

        your softmax ignores `axis`: it always runs over the last axis. Pass `axis=axis` to both max and sum.
            axis=axis =>> axis=-1
        your softmax runs over the first axis, whatever `axis` says. Pass `axis=axis` to both max and sum.
            axis=axis =>> axis=0
        the sum ignores `axis`: it always runs over the last axis, while the maximum runs over the right one.
            $sum => e.sum(axis=-1, keepdims=True)
        the sum always runs over the first axis, while the maximum runs over the right one. Pass `axis=axis`.
            $sum => e.sum(axis=0, keepdims=True)
        the maximum ignores `axis`: it always runs over the last axis, so it does not cancel in the fraction.
            $max => x.max(axis=-1, keepdims=True)
        you divide by the sum of the whole array, so only everything together sums to 1. Sum along `axis`.
            axis=axis =>> axis=None
        these are the exponentials, not yet divided by their sum.
            return np.exp(x)
        these are the exponentials of x - max, not yet divided by their sum.
            / $sum =>
        you divide x itself by its sum. The exponential is missing.
            np.exp(x - $max) => x
        this is 1 for the largest score and 0 elsewhere: an argmax. Softmax is its soft form, exponentials
        over their sum.
            return (x == $max).astype(float)
        this is the logarithm of the softmax.
            return np.log(result)
        this is the sigmoid of each score alone. A softmax shares 1 among all scores along the axis.
            return 1 / (1 + np.exp(-x))
        the order is reversed: the largest score gets the smallest result. Check the sign in the exponent.
            return right(-x, axis)
        the maximum is subtracted only where scores are large. Very low scores need it too: exp of -1000 is 0,
        and a row of zeros becomes 0 / 0. Subtract it always.
            x - $max => x - np.where({$max | x.max()} > {700 | 500 | 100 | 50 | 0}, $max, 0)
        right for small scores, but exp overflows for large ones: exp(1000) is inf, and inf / inf is nan.
        Subtract the maximum along `axis` first; it cancels in the fraction.
            x - $max => x
        you subtract the maximum of the whole array, so a row far below it becomes 0 / 0. Each row needs its
        own maximum: x.max(axis=axis, keepdims=True).
            $max => x.max()
        you subtract the minimum, which makes the overflow worse. Subtract the maximum: no exponent is above
        0.
            $max => x.min(axis=axis, keepdims=True)
        the scores are clipped. Subtract the maximum instead: it cancels in the fraction, and clipping changes
        the result.
            x - $max => np.clip(x, -700, 700)
        nan is replaced by 0, which hides the overflow and is no share. Subtract the maximum along `axis`
        first.
            return np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True))
        these are powers of 2. Take powers of e: np.exp.
            np.exp( => np.exp2(
        you subtract the mean, which does not stop the overflow. Subtract the maximum: no exponent is above 0.
            $max => x.mean(axis=axis, keepdims=True)
        the maximum or the sum has lost its axis, so it does not line up with x. Add keepdims=True.
            , keepdims=True =>>
        """,
    ),
    *pairs_of_edits(
        softmax,
        """
        $max = x.max(axis=axis, keepdims=True)
        $sum = e.sum(axis=axis, keepdims=True)

        the sum always runs over the last axis; it should run along `axis`
            $sum => e.sum(axis=-1, keepdims=True)
        the sum always runs over the first axis; it should run along `axis`
            $sum => e.sum(axis=0, keepdims=True)
        the sum runs over the whole array; it should run along `axis`
            $sum => e.sum()
        the maximum is not subtracted, so exp overflows for large scores
            x - $max => x
        the maximum is that of the whole array; each row needs its own
            x - $max => x - x.max()
        the sign in the exponent is flipped
            e = np.exp( => x = -x\\ne = np.exp(
        """,
    ),
)
