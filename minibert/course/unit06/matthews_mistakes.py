"""Known mistakes about `matthews_correlation`.

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

    you return 0 when nothing was answered rightly, or nothing wrongly; those are -1 and +1.
        if below => if below and tp + tn and fp + fn
    you return 0 when one of the four counts is 0. The fraction is undefined only when one of the four sums
    below it is 0.
        if below => if tp and tn and fp and fn
    where the correlation is not defined, you return 1 for equal lists. Return 0.0 there too: there was
    nothing to tell apart.
        $undefined => if below else 0.0 if fp + fn else 1.0
    this is the size without the sign. Answers that are worse than chance have a negative correlation.
        return abs(result)
    this is the accuracy. It says nothing about how often the rare label is found.
        return (np.asarray(gold) == predicted).mean()
    this is F1. It looks at label 1 only; Matthews treats both alike.
        $right => 2 * tp / (2 * tp + fp + fn)
    this is the share of right answers minus that of wrong ones, not Matthews' correlation.
        return 2 * (np.asarray(gold) == predicted).mean() - 1
    this is Cohen's kappa, a relative. Divide by the square root of the four sums.
        $right => 2 * $above / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))
    this is informedness: the shares of ones and of zeros that are found, less 1. Matthews also looks at how
    many of the answers 1 and 0 are right.
        $right => tp / (tp + fn) + tn / (tn + fp) - 1
    this is markedness: the shares of right answers among those that say 1 and 0, less 1. Matthews also looks
    at how many ones and zeros are found.
        $right => tp / (tp + fp) + tn / (tn + fn) - 1
    this is the balanced accuracy: the mean share of ones and of zeros that are found.
        $right => (tp / (tp + fn) + tn / (tn + fp)) / 2
    this is the geometric mean of the shares of ones and of zeros that are found. Follow the formula.
        $right => math.sqrt(tp / (tp + fn) * tn / (tn + fp))
    below the line you have tp·tn + fp·fn: that is Yule's Q. Matthews has the root of four sums there.
        $root => np.float64(tp * tn + fp * fn)
    below the line the sums are added. Multiply the four sums.
        $root => math.sqrt(2 * (tp + tn + fp + fn))
    below the line is the fourth root. It is the square root of the product.
        $root => below**0.25
    1 is added below the line. Return 0.0 where it is 0 / 0, and leave the rest as it is.
        $root => ($root + 1)
    the result is rounded. Return it as it is.
        return round(result, 1)
        or
        return round(result, 2)
        or
        return round(result, 3)
    the square root is missing below the line.
        $root => below
    the square root is taken of the whole fraction. It belongs below the line only.
        $right => np.sqrt($above / below)
    there is a plus above the line: it is tp·tn − fp·fn.
        $above => (tp * tn + fp * fn)
    above the line, the products are mixed up: it is tp·tn − fp·fn, right ones minus wrong ones.
        $above => (tp * fp - tn * fn)
    only tp·tn is above the line. Take the wrong answers away: tp·tn − fp·fn.
        $above => tp * tn
    the sign is flipped: perfect answers must give +1.
        return -result
    negative values are cut off at 0. Answers that are worse than chance have a negative correlation.
        return max(0.0, result)
    this is the square of the correlation.
        return result**2
    this is in percent. Return a number from -1 to 1.
        return 100 * result
    it runs from 0 to 1 in your answer. Return a number from -1 to 1.
        return (result + 1) / 2
    below the line, one sum is wrong. The four are tp+fp, tp+fn, tn+fp, tn+fn: both labels, in gold and in the
    answers.
        $right => $above / np.sqrt(float((tp + fp) * (tp + fn) * (tn + fp) * (tp + tn)))
    below the line, only two of the four sums are there: tp+fp, tp+fn, tn+fp, tn+fn.
        $root => math.sqrt((tp + fp) * (tp + fn))
    it is 0 / 0 where one side is constant. Return 0.0 there.
        $right $undefined => float(np.divide($above, np.sqrt(float(below))))
    it divides by 0 where one side is constant. Return 0.0 there.
        $right $undefined => $right
    where the correlation is not defined, you return 1. Return 0: such answers show no skill.
        $undefined => if below else 1.0
    where the correlation is not defined, you return -1. Return 0: such answers show no skill.
        $undefined => if below else -1.0
    where one side is constant, you return the accuracy. Return 0.0 there.
        $undefined => if below else (gold == predicted).mean()
    the product below the line is too large for a 64-bit integer, and turns over. Make the counts floats or
    Python ints first: float(...), int(...).
        int( =>> np.int64(
        $root => np.sqrt(np.float64(below))
    """,
)
