"""Students' common mistakes in `softmax`; the first one that explains a wrong answer is reported."""

from minibert.reference import softmax

from ..checks.edits import edits, pairs_of_edits

SOFTMAX = (
    *edits(
        softmax,
        """
        $max = x.max(axis=axis, keepdims=True)
        $sum = e.sum(axis=axis, keepdims=True)

        your softmax ignores `axis` and always runs over the last axis. Use `axis` for both the maximum and
        the sum.
            axis=axis =>> axis=-1
        your softmax always runs over the first axis. Use `axis` for both the maximum and the sum.
            axis=axis =>> axis=0
        the sum ignores `axis` and always runs over the last axis. Sum along `axis`; the maximum is correct.
            $sum => e.sum(axis=-1, keepdims=True)
        the sum always runs over the first axis. Sum along `axis`; the maximum is correct.
            $sum => e.sum(axis=0, keepdims=True)
        the maximum ignores `axis` and always runs over the last axis. Take it along `axis`, so that it
        cancels.
            $max => x.max(axis=-1, keepdims=True)
        you divide by the sum of the whole array. Sum along `axis`, so that each row along it sums to 1.
            axis=axis =>> axis=None
        you return the exponentials. Divide them by their sum.
            return np.exp(x)
        you return the exponentials of x - max. Divide them by their sum.
            / $sum =>
        you divide x itself by its sum. Take the exponential first.
            np.exp(x - $max) => x
        you return 1 for the largest score and 0 for all others. Divide exponentials by their sum instead.
            return (x == $max).astype(float)
        you return the logarithm of the softmax. Return the softmax itself.
            return np.log(result)
        you return the sigmoid of each single score. Divide each exponential by the sum over all scores along
        the axis.
            return 1 / (1 + np.exp(-x))
        the order is reversed: the largest score gets the smallest result. Change the sign in the exponent.
            return right(-x, axis)
        you subtract the maximum only if scores are large, but for very low scores all exponentials are 0.
        Always subtract it.
            x - $max => x - np.where({$max | x.max()} > {700 | 500 | 100 | 50 | 0}, $max, 0)
            or
            x - $max => x - np.where(abs($max) > {700 | 500 | 100}, $max, 0)
        exp overflows for large ones: the exponential of 1000 is infinite. Subtract the maximum along `axis`
        first; it cancels in the fraction.
            x - $max => x
        you subtract the maximum of the whole array, so a row far below it becomes 0 / 0. Subtract each row's
        own maximum.
            $max => x.max()
            or
            $max => (x.max() if x.max() > {700 | 500 | 100 | 50 | 0} else 0)
        you subtract the minimum, which makes the overflow worse. Subtract the maximum, so that no exponent is
        above 0.
            $max => x.min(axis=axis, keepdims=True)
        you clip the scores, which changes the result. Subtract the maximum instead: it cancels in
        the fraction.
            x - $max => np.clip(x, -700, 700)
        you replace nan by 0, which only hides the overflow. Subtract the maximum along `axis` first.
            return np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True))
        you take powers of 2. Take powers of e, with np.exp.
            np.exp( => np.exp2(
        you subtract the mean, which does not prevent overflow. Subtract the maximum, so that no exponent is
        above 0.
            $max => x.mean(axis=axis, keepdims=True)
        the maximum or the sum has lost its axis and does not line up with x. Add keepdims=True.
            , keepdims=True =>>
            or
            $max => x.max(axis=axis)
            or
            $sum => e.sum(axis=axis)
        """,
    ),
    *pairs_of_edits(
        softmax,
        """
        $max = x.max(axis=axis, keepdims=True)
        $sum = e.sum(axis=axis, keepdims=True)

        the sum always runs over the last axis instead of `axis`
            $sum => e.sum(axis=-1, keepdims=True)
        the sum always runs over the first axis instead of `axis`
            $sum => e.sum(axis=0, keepdims=True)
        the sum runs over the whole array instead of `axis`
            $sum => e.sum()
        the maximum is not subtracted, so exp overflows for large scores
            x - $max => x
        the maximum is taken over the whole array, but each row needs its own maximum
            x - $max => x - x.max()
        the sign in the exponent is wrong
            e = np.exp( => x = -x\\ne = np.exp(
        """,
    ),
)
