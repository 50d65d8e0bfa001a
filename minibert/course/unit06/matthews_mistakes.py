"""Known mistakes in `matthews_correlation`.

Matthews (1975); Wang et al. (2019, arXiv 1804.07461), section 3.1.
"""

from ..checks.edits import edits
from .definitions import matthews_correlation

MATTHEWS = edits(
    matthews_correlation,
    """
    $above = (tp * tn - fp * fn)
    $root = math.sqrt(below)
    $right = (tp * tn - fp * fn) / math.sqrt(below)
    $undefined = if below else 0.0

    you return 0 if all answers are wrong or all are right. These should be -1 and +1.
        if below => if below and tp + tn and fp + fn
    you return 0 if one of the four counts is 0. The fraction is undefined only if one of the
    four sums in the denominator is 0.
        if below => if tp and tn and fp and fn
    if the correlation is undefined, you return 1 for equal lists. Return 0.0 here too:
    there was nothing to tell apart.
        $undefined => if below else 0.0 if fp + fn else 1.0
    you return the absolute value. Answers that are worse than chance have a negative correlation.
        return abs(result)
    you return the accuracy, which does not show how often the rare label is found.
        return (np.asarray(gold) == predicted).mean()
    you return F1, which looks at label 1 only. Matthews treats both labels the same.
        $right => 2 * tp / (2 * tp + fp + fn)
    you return the share of right answers minus the share of wrong ones. Follow the formula.
        return 2 * (np.asarray(gold) == predicted).mean() - 1
    you return Cohen's kappa, which is a similar score. Divide by the square root
    of the product of the four sums.
        $right => 2 * $above / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))
    you return informedness: the shares of ones and of zeros that are found, minus 1. Matthews also looks at
    how many of the answers 1 and 0 are right.
        $right => tp / (tp + fn) + tn / (tn + fp) - 1
    you return markedness: the shares of the answers 1 and of the answers 0 that are right, minus 1. Matthews
    also looks at how many ones and zeros are found.
        $right => tp / (tp + fp) + tn / (tn + fn) - 1
    you return the balanced accuracy, the mean of the shares of ones and of zeros that
    are found. Follow the formula.
        $right => (tp / (tp + fn) + tn / (tn + fp)) / 2
    you return the geometric mean of the shares of ones and of zeros that are found. Follow the formula.
        $right => math.sqrt(tp / (tp + fn) * tn / (tn + fp))
    your denominator is tp·tn + fp·fn, which gives Yule's Q. Matthews has the root of
    the product of four sums there.
        $root => np.float64(tp * tn + fp * fn)
    you add the sums in the denominator. Multiply the four sums.
        $root => math.sqrt(2 * (tp + tn + fp + fn))
    your denominator is a fourth root. Take the square root of the product.
        $root => below**0.25
    you add 1 to the denominator. Return 0.0 if it is 0 / 0, and leave all other results as they are.
        $root => ($root + 1)
    the result is rounded. Return it as it is.
        return round(result, 1)
        or
        return round(result, 2)
        or
        return round(result, 3)
    the square root is missing from the denominator.
        $root => below
    you take the square root of the whole fraction. Take it of the denominator only.
        $right => np.sqrt($above / below)
    there is a plus in your numerator. It should be tp·tn − fp·fn.
        $above => (tp * tn + fp * fn)
    the products in your numerator are mixed up. It should be tp·tn − fp·fn, right answers minus wrong ones.
        $above => (tp * fp - tn * fn)
    your numerator is only tp·tn. Subtract the wrong answers: tp·tn − fp·fn.
        $above => tp * tn
    the sign is flipped: perfect answers must give +1.
        return -result
    you cut off negative values at 0. Answers that are worse than chance have a negative correlation.
        return max(0.0, result)
    you return the square of the correlation. Return the correlation itself.
        return result**2
    you return a percentage. Return a number from -1 to 1.
        return 100 * result
    your result ranges from 0 to 1. Return a number from -1 to 1.
        return (result + 1) / 2
    one sum in the denominator is wrong. The four sums are tp+fp, tp+fn, tn+fp, tn+fn: both labels, in gold
    and in the answers.
        $right => $above / np.sqrt(float((tp + fp) * (tp + fn) * (tn + fp) * (tp + tn)))
    the denominator has only two of the four sums: tp+fp, tp+fn, tn+fp, tn+fn.
        $root => math.sqrt((tp + fp) * (tp + fn))
    your result is nan if one side is constant, because it is 0 / 0. Return 0.0 in this case.
        $right $undefined => float(np.divide($above, np.sqrt(float(below))))
    your function divides by 0 if one side is constant. Return 0.0 in this case.
        $right $undefined => $right
    if the correlation is undefined, you return 1. Return 0: these answers show no skill.
        $undefined => if below else 1.0
    if the correlation is undefined, you return -1. Return 0: these answers show no skill.
        $undefined => if below else -1.0
    if one side is constant, you return the accuracy. Return 0.0 in this case.
        $undefined => if below else (gold == predicted).mean()
    the product in the denominator overflows a 64-bit integer. Convert the counts to floats or Python ints
    first: float(...), int(...).
        int( =>> np.int64(
        $root => np.sqrt(np.float64(below))
    """,
)
