"""Students' common mistakes in `exact_match_and_f1`: normalisation, counts, the best reference.

Rajpurkar et al. (2016, arXiv 1606.05250), section 6.1.
"""

import string
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from minibert.tasks.answers import exact_match_and_f1, normalize_answer

from ..checks.edits import edits, pairs_of_edits


def by_words(answer: str, gold: Sequence[str]) -> tuple[float, float]:
    """Return the best (exact match, F1) of an answer over all references, computed with lists of words."""

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
        your scores depend on punctuation. Remove it everywhere.
            $clean => text.lower()
        your scores depend on articles. Remove the words "a", "an" and "the".
            $whole => text
        you do not normalise the texts. Convert them to lower case, then remove punctuation, then articles.
            $clean => text
            $whole => text
        you replace punctuation with a space, so that one word becomes two. Remove it instead: "Cat's" becomes
        "cats".
            $clean => "".join(" " if c in string.punctuation else c for c in text.lower())
        you remove punctuation only at the ends of words. Remove it everywhere: "Cat's" becomes "cats".
            $clean => " ".join(word.strip(string.punctuation) for word in text.lower().split())
        you remove articles inside other words, so that "theatre" becomes "atre". Remove them only as whole
        words.
            $whole => re.sub("{the|an|a | a|an|the | an|a|the}", {"" | " "}, text)
        you remove only "the". Also remove the articles "a" and "an".
            (a|an|the) => (the)
        you remove articles before punctuation, so "the" in quotes or before a comma stays. Remove articles
        last.
            text.lower() => " ".join(w for w in text.lower().split() if w not in ("a", "an", "the"))
            $whole => text
        you remove articles before you convert to lower case, so "The" stays. Convert first.
            text.lower() => text
            $whole => $whole.lower()
        you count a word that occurs twice only once. Count every occurrence.
            $common => len({*a} & {*b})
            $f1 => 2 * common / (len({*a}) + len({*b}))
        you count each common word once, but the lengths count every occurrence. Count every occurrence in
        both.
            $common => len({*a} & {*b})
        you count every occurrence in the answer, even if the reference has fewer. Use the smaller count of
        each word.
            $common => sum(word in b for word in a)
        you count every occurrence in the reference, even if the answer has fewer. Use the smaller count of
        each word.
            $common => sum(word in a for word in b)
        you return precision, the share of the answer's words that are correct. Return F1, which combines
        precision with recall.
            $f1 => common / len(a)
        you return recall, the share of the reference's words that were found. Return F1, which combines
        recall with precision.
            $f1 => common / len(b)
        you return the arithmetic mean of precision and recall. Return their harmonic mean.
            $f1 => (common / len(a) + common / len(b)) / 2
        the factor 2 is missing from F1, so a perfect answer gets only one half.
            $f1 => common / (len(a) + len(b))
        you return the Jaccard index, the common words divided by all distinct words. Return the harmonic mean
        of precision and recall.
            $f1 => common / (len(a) + len(b) - common)
        you compare characters, not words. Split each text into words first.
            predicted.split(), wanted.split() => list(predicted), list(wanted)
        you use only the first reference. Take the best score over all references.
            $best => scores[0]
        you use only the last reference. Take the best score over all references.
            $best => scores[-1]
        you take the mean over the references. Take the best score, because each reference is a correct
        answer.
            max( =>> fmean(
        you take the worst score over the references. Take the best one.
            max( =>> min(
        your exact match accepts a text that is part of the other. The two normalised texts must be equal.
            $same => predicted in wanted or wanted in predicted
        your exact match compares the original texts. Normalise both texts first.
            $same => answer == reference
        your exact match ignores the order of the words. Compare the two lists of words.
            $same => sorted(a) == sorted(b)
            or
            $same => {*predicted} == {*wanted} and len(predicted) == len(wanted)
        your exact match compares sets of words. Compare lists, with order and repetitions.
            $same => {*a} == {*b}
        your exact match comes from the reference with the best F1. Take the best value of each score
        separately.
            $best => max(scores, key=lambda pair: pair[1])
        you take both scores from the same reference. Take the best value of each score separately.
            $best => max(scores, key=lambda pair: pair[0])
        you join all references into one long text. Compare the answer with each reference separately, and
        take the best score.
            return right(answer, [" ".join(gold)])
        if both texts are empty after normalising, your F1 is 0. Return 1, because they are equal: this is how
        "no answer" is scored.
            $empty => 0.0
        if only one text is empty after normalising, your F1 is 1. Return 0, because the texts differ.
            $empty => 1.0
        you divide by 0 if the texts have no common word. F1 is 0 in this case, or 1 if both are empty.
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

        your scores depend on punctuation. Remove it everywhere.
            if c not in string.punctuation =>
        you remove too many characters, or too few. Remove those of string.punctuation.
            c not in string.punctuation => {c.isspace() | c == " "} or c.isalnum()
            or
            c not in string.punctuation => c.isspace() or c.isalnum() or c == "_"
            or
            c not in string.punctuation => c not in {".,!?" | ".,!?;:" | ".,!?'\""}
        you split at every single space, but not at tabs or line breaks. Split at any white space.
            text.split() => text.split(" ")
        a word that consists only of punctuation leaves an empty word. Remove punctuation first, then split.
            text = $clean => found = [$bare for word in text.lower().split()]
            text.split() => found
        you remove an article only at the beginning of the text. Remove "a", "an" and "the" everywhere.
            $words => text.split()[text.split()[:1] in (["a"], ["an"], ["the"]) :]
        you normalise only the answer. Normalise the references too.
            words(reference) => reference.lower().split()
        """,
    ),
    *pairs_of_edits(
        exact_match_and_f1,
        r"""
        the scores depend on punctuation, which should be removed
            if c not in string.punctuation =>
        the scores depend on articles, which should be removed
            re.sub(r"\b(a|an|the)\b", " ", text) => text
        each common word counts only once, although every occurrence should count
            sum((Counter(a) & Counter(b)).values()) => len({*a} & {*b})
        only the first reference is used, not the best of all references
            max(exact for exact, _ in scores), max(f1 for _, f1 in scores) => scores[0]
        you take the mean over the references, not the best score
            max( =>> fmean(
        F1 is 0 for two empty texts, but it should be 1
            float(a == b) => 0.0
        """,
        normalize_answer,
        fmean=fmean,
    ),
)
