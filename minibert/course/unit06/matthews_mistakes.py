"""Students' common mistakes in `matthews_correlation`.

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

    you return 0 if all answers are wrong or all are correct. Return -1 or +1 in these cases.
        if below => if below and tp + tn and fp + fn
    you return 0 if one of the four counts is 0. Return it only if one of the four sums is 0.
        if below => if tp and tn and fp and fn
    if the correlation is undefined, you return 1 for equal lists. Return 0 here too, because there is nothing
    to tell apart.
        $undefined => if below else 0.0 if fp + fn else 1.0
    you return the absolute value. Keep the sign: answers that are worse than chance have a negative
    correlation.
        return abs(result)
    you return the accuracy, which does not show how often the rare label is found. Follow the formula for
    Matthews' correlation.
        return (np.asarray(gold) == predicted).mean()
    you return F1, which looks at label 1 only. Follow the formula for Matthews' correlation, which treats
    both labels the same.
        $right => 2 * tp / (2 * tp + fp + fn)
    you return the share of correct answers minus the share of wrong ones. Follow the formula for Matthews'
    correlation.
        return 2 * (np.asarray(gold) == predicted).mean() - 1
    you return Cohen's kappa, which is a similar score. Divide by the square root
    of the product of the four sums.
        $right => 2 * $above / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))
    you return informedness, which asks only how many ones and zeros are found. Matthews' correlation also
    asks how many predictions are right.
        $right => tp / (tp + fn) + tn / (tn + fp) - 1
    you return markedness, which asks only how many predictions are right. Matthews' correlation also asks how
    many ones and zeros are found.
        $right => tp / (tp + fp) + tn / (tn + fn) - 1
    you return the balanced accuracy, the mean of the shares of ones and of zeros that are found. Follow the
    formula for Matthews' correlation.
        $right => (tp / (tp + fn) + tn / (tn + fp)) / 2
    you return the geometric mean of the shares of ones and of zeros that are found. Follow the formula for
    Matthews' correlation.
        $right => math.sqrt(tp / (tp + fn) * tn / (tn + fp))
    your denominator gives Yule's Q, another score. Take the square root of the product of the four sums.
        $root => np.float64(tp * tn + fp * fn)
    you add the four sums in the denominator. Multiply them.
        $root => math.sqrt(2 * (tp + tn + fp + fn))
    your denominator is a fourth root. Take the square root of the product.
        $root => below**0.25
    you add 1 to the denominator. Leave it as it is, and handle 0 / 0 separately.
        $root => ($root + 1)
    you round the result. Return it as it is.
        return round(result, 1)
        or
        return round(result, 2)
        or
        return round(result, 3)
    the square root is missing from the denominator. Take the square root of the product of the four sums.
        $root => below
    you take the square root of the whole fraction. Take it only of the denominator.
        $right => np.sqrt($above / below)
    your numerator has a plus sign. Subtract the product of the wrong answers from that of the right ones.
        $above => (tp * tn + fp * fn)
    you multiply the wrong counts in the numerator. Pair the two counts of right answers, and the two of wrong
    ones.
        $above => (tp * fp - tn * fn)
    your numerator has only the product of the right answers. Subtract that of the wrong ones.
        $above => tp * tn
    your result has the wrong sign. Perfect answers must give +1.
        return -result
    you replace negative values by 0. Keep them: answers that are worse than chance have a negative
    correlation.
        return max(0.0, result)
    you return the square of the correlation. Return the correlation itself.
        return result**2
    you return a percentage. Return a number from -1 to 1.
        return 100 * result
    your result ranges from 0 to 1. Return a number from -1 to 1.
        return (result + 1) / 2
    one sum in the denominator is wrong. They count the predicted ones, the true ones, and both kinds of
    zeros.
        $right => $above / np.sqrt(float((tp + fp) * (tp + fn) * (tn + fp) * (tp + tn)))
    your denominator has only two of the four sums. Multiply all of them.
        $root => math.sqrt((tp + fp) * (tp + fn))
    your result is nan, from 0 / 0, if all gold labels or all answers are the same. Return 0.0 in this case.
        $right $undefined => float(np.divide($above, np.sqrt(float(below))))
    your function divides by 0 if all gold labels or all answers are the same. Return 0.0 in this case.
        $right $undefined => $right
        or
        $undefined => if np.std({gold | predicted}) else 0.0
    if the correlation is undefined, you return 1. Return 0: these answers show no skill.
        $undefined => if below else 1.0
    if the correlation is undefined, you return -1. Return 0: these answers show no skill.
        $undefined => if below else -1.0
    if all gold labels or all answers are the same, you return the accuracy. Return 0.0 in this case.
        $undefined => if below else (gold == predicted).mean()
    the product in the denominator overflows a 64-bit integer. Convert the counts to Python numbers first.
        int( =>> np.int64(
        $root => np.sqrt(np.float64(below))
    """,
)
