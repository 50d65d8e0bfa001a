"""Known mistakes in `exact_match_and_f1`: the normalisation, the counts, the best over several references.

Rajpurkar et al. (2016, arXiv 1606.05250), section 6.1.
"""

import string
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from minibert.tasks.answers import exact_match_and_f1, normalize_answer

from ..checks.edits import edits, pairs_of_edits


def by_words(answer: str, gold: Sequence[str]) -> tuple[float, float]:
    """Compute `exact_match_and_f1` with lists of words instead of regular expressions."""

    def words(text):
        text = "".join(c for c in text.lower() if c not in string.punctuation)
        return [word for word in text.split() if word not in ("a", "an", "the")]

    exact, f1 = [], []
    for reference in gold:
        a, b = words(answer), words(reference)
        common = sum((Counter(a) & Counter(b)).values())
        exact.append(float(a == b))
        f1.append(2 * common / (len(a) + len(b)) if a and b else float(a == b))
    return max(exact), max(f1)


SCORES = (
    *edits(
        exact_match_and_f1,
        r"""
        $clean = "".join(c for c in text.lower() if c not in string.punctuation)
        $whole = re.sub(r"\b(a|an|the)\b", " ", text)
        $common = sum((Counter(a) & Counter(b)).values())
        $f1 = 2 * common / (len(a) + len(b))
        $same = predicted == wanted
        $empty = float(a == b)
        $best = max(exact for exact, _ in scores), max(f1 for _, f1 in scores)

        your scores depend on capital letters. Convert both texts to lower case first.
            text.lower() => text
        your scores depend on punctuation. Drop every character of string.punctuation.
            $clean => text.lower()
        your scores depend on articles. Drop the words a, an and the.
            $whole => text
        you do not normalise the texts. Convert them to lower case, then drop punctuation and articles.
            $clean => text
            $whole => text
        you replace punctuation with a space, so one word turns into two. Drop it: Cat's becomes cats.
            $clean => "".join(" " if c in string.punctuation else c for c in text.lower())
        you drop punctuation only at the ends of words. Drop it everywhere: Cat's becomes cats.
            $clean => " ".join(word.strip(string.punctuation) for word in text.lower().split())
        you cut articles out of other words: theatre becomes atre, and a man becomes mn. Compare whole words.
            $whole => re.sub("{the|an|a | a|an|the | an|a|the}", {"" | " "}, text)
        you drop only "the". The words a and an are articles too.
            (a|an|the) => (the)
        you drop articles before punctuation, so "the" in quotes or before a comma stays. First lower case,
        then punctuation, then articles.
            text.lower() => " ".join(w for w in text.lower().split() if w not in ("a", "an", "the"))
            $whole => text
        you drop articles before converting to lower case, so "The" stays. Convert first.
            text.lower() => text
            $whole => $whole.lower()
        a word that occurs twice counts only once in your answer. Compare counts, not sets.
            $common => len({*a} & {*b})
            $f1 => 2 * common / (len({*a}) + len({*b}))
        you count common words as a set, but the lengths count every occurrence. Count the
        occurrences of common words too.
            $common => len({*a} & {*b})
        you count every occurrence of a word in the answer, even if the reference has
        fewer. Take the smaller number.
            $common => sum(word in b for word in a)
        you count every occurrence of a word in the reference, even if the answer has
        fewer. Take the smaller number.
            $common => sum(word in a for word in b)
        you return precision, the share of the answer's words that are right. F1 needs recall too.
            $f1 => common / len(a)
        you return recall, the share of the reference's words that were found. F1 needs precision too.
            $f1 => common / len(b)
        you return the arithmetic mean of precision and recall. F1 is their harmonic
        mean, 2 * common / (words + words).
            $f1 => (common / len(a) + common / len(b)) / 2
        the factor 2 is missing: F1 is 2 * common / (words of the answer + words of the reference).
            $f1 => common / (len(a) + len(b))
        you divide the overlap by all different words (Jaccard). F1 is 2 * common / (words + words).
            $f1 => common / (len(a) + len(b) - common)
        you compare characters, not words. Split the text.
            predicted.split(), wanted.split() => list(predicted), list(wanted)
        you use only the first reference. Take the best over all of them.
            $best => scores[0]
        you use only the last reference. Take the best over all of them.
            $best => scores[-1]
        you take the mean over the references. Take the best: each of them is a right answer.
            max( =>> fmean(
        you take the worst over the references. Take the best.
            max( =>> min(
        your exact match accepts a part of the text. The two texts must be equal.
            $same => predicted in wanted or wanted in predicted
        your exact match compares the texts as they are. Normalise both first.
            $same => answer == reference
        your exact match ignores the order of the words. Both lists must be the same, word by word.
            $same => sorted(a) == sorted(b)
            or
            $same => {*predicted} == {*wanted} and len(predicted) == len(wanted)
        your exact match compares sets of words. Both lists must be the same, word by word.
            $same => {*a} == {*b}
        your exact match is that of the reference with the best F1. Take the best of each score separately.
            $best => max(scores, key=lambda pair: pair[1])
        both of your scores come from the same reference. Take the best of each score separately.
            $best => max(scores, key=lambda pair: pair[0])
        you join all references into one long text. Compare the answer with each, and take the best.
            return right(answer, [" ".join(gold)])
        if nothing is left of both texts, they are equal and F1 is 1. This is how "no answer" is scored.
            $empty => 0.0
        if nothing is left of only one of the texts, F1 should be 0.
            $empty => 1.0
        you divide by 0 if no word is common or no word is left. Then F1 should be
        0, or 1 if both texts are empty.
            $f1 if a and b else $empty => 2 * (p := common / len(a)) * (r := common / len(b)) / (p + r)
        you return percentages. Return numbers from 0 to 1.
            return 100 * result[0], 100 * result[1]
        your two results are swapped. The order is (exact match, F1).
            return result[::-1]
        you return only F1. Return (exact match, F1).
            return result[1]
        """,
        normalize_answer,
        fmean=fmean,
    ),
    *edits(
        by_words,
        r"""
        $clean = "".join(c for c in text.lower() if c not in string.punctuation)
        $bare = "".join(c for c in word if c not in string.punctuation)
        $words = [word for word in text.split() if word not in ("a", "an", "the")]

        you drop other characters than those of string.punctuation. Drop exactly these.
            c not in string.punctuation => c.isspace() or c.isalnum()
            or
            c not in string.punctuation => c.isspace() or c.isalnum() or c == "_"
            or
            c not in string.punctuation => c not in {".,!?" | ".,!?;:" | ".,!?'\""}
        text.split(" ") splits at every single space, but not at other white space. Use text.split().
            text.split() => text.split(" ")
        a word that is only punctuation leaves an empty word behind. Drop the punctuation first, then split.
            text = $clean => found = [$bare for word in text.lower().split()]
            text.split() => found
        you drop an article only at the beginning. Drop a, an and the wherever they occur.
            $words => text.split()[text.split()[:1] in (["a"], ["an"], ["the"]) :]
        you normalise only the answer. Do the same with the references.
            words(reference) => reference.lower().split()
        """,
    ),
    *pairs_of_edits(
        exact_match_and_f1,
        r"""
        the scores depend on punctuation
            if c not in string.punctuation =>
        the scores depend on articles
            re.sub(r"\b(a|an|the)\b", " ", text) => text
        common words are a set, not counts
            sum((Counter(a) & Counter(b)).values()) => len({*a} & {*b})
        only the first reference is used
            max(exact for exact, _ in scores), max(f1 for _, f1 in scores) => scores[0]
        the scores are means over the references, not the best
            max( =>> fmean(
        F1 is 0 for two empty texts, not 1
            float(a == b) => 0.0
        """,
        normalize_answer,
        fmean=fmean,
    ),
)
