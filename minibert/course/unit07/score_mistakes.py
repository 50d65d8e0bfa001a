"""Known mistakes about `exact_match_and_f1`: the normalisation, the counts, the several references.

Rajpurkar et al. (2016, arXiv 1606.05250), section 6.1.
"""

import string
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from minibert.tasks.answers import exact_match_and_f1, normalize_answer

from ..checks.edits import edits, pairs_of_edits


def by_words(answer: str, gold: Sequence[str]) -> tuple[float, float]:
    """Do what `exact_match_and_f1` does, with lists of words in place of regular expressions."""

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

        capitals count. Make both texts lower case first.
            text.lower() => text
        punctuation counts. Drop every character of string.punctuation.
            $clean => text.lower()
        articles count. Drop the words a, an and the.
            $whole => text
        nothing is normalised: lower case, punctuation, articles.
            $clean => text
            $whole => text
        punctuation becomes a space, so that one word turns into two. Drop it: Cat's becomes cats.
            $clean => "".join(" " if c in string.punctuation else c for c in text.lower())
        punctuation is cut off at the ends of words only. Drop it everywhere: Cat's becomes cats.
            $clean => " ".join(word.strip(string.punctuation) for word in text.lower().split())
        articles are cut out of the middle of words: theatre becomes atre, and a man becomes mn. Compare whole
        words.
            $whole => re.sub("{the|an|a | a|an|the | an|a|the}", {"" | " "}, text)
        only "the" is dropped; a and an are articles, too.
            (a|an|the) => (the)
        articles are dropped before the punctuation, so that "the" in quotes or before a comma stays. First
        lower case, then punctuation, then articles.
            text.lower() => " ".join(w for w in text.lower().split() if w not in ("a", "an", "the"))
            $whole => text
        articles are dropped before the text is in lower case, so "The" stays.
            text.lower() => text
            $whole => $whole.lower()
        a word that occurs twice counts once: compare counts, not sets.
            $common => len({*a} & {*b})
            $f1 => 2 * common / (len({*a}) + len({*b}))
        common words are a set, but the lengths count every word. Count common words with their number, too.
            $common => len({*a} & {*b})
        a word of the answer counts each time it occurs, though the reference has it less often. Take the
        smaller number.
            $common => sum(word in b for word in a)
        a word of the reference counts each time it occurs, though the answer has it less often. Take the
        smaller number.
            $common => sum(word in a for word in b)
        this is precision: the share of the answer's words that are right. F1 needs recall, too.
            $f1 => common / len(a)
        this is recall: the share of the reference's words that were found. F1 needs precision, too.
            $f1 => common / len(b)
        this is the plain mean of precision and recall. F1 is the harmonic one: 2 * common / (words + words).
            $f1 => (common / len(a) + common / len(b)) / 2
        the factor 2 is missing: F1 = 2 * common / (words of the answer + words of the reference).
            $f1 => common / (len(a) + len(b))
        this is the overlap divided by all different words (Jaccard). F1 = 2 * common / (words + words).
            $f1 => common / (len(a) + len(b) - common)
        characters are compared, not words: split the text.
            predicted.split(), wanted.split() => list(predicted), list(wanted)
        only the first reference counts. Take the best over all of them.
            $best => scores[0]
        only the last reference counts. Take the best over all of them.
            $best => scores[-1]
        this is the mean over the references. Take the best: any of them is right.
            max( =>> fmean(
        this is the worst over the references. Take the best.
            max( =>> min(
        exact match is given to a part: the two texts must be equal.
            $same => predicted in wanted or wanted in predicted
        exact match compares the texts as they are. Normalise both first.
            $same => answer == reference
        exact match ignores the order of the words. Both lists must be the same, word by word.
            $same => sorted(a) == sorted(b)
            or
            $same => {*predicted} == {*wanted} and len(predicted) == len(wanted)
        exact match compares sets of words. Both lists must be the same, word by word.
            $same => {*a} == {*b}
        exact match is that of the reference with the best F1. Each score takes its own best.
            $best => max(scores, key=lambda pair: pair[1])
        both scores are those of one reference. Each takes its own best.
            $best => max(scores, key=lambda pair: pair[0])
        all references are read as one long text. Compare the answer with each, and take the best.
            return right(answer, [" ".join(gold)])
        where nothing is left of both texts, they are equal: F1 is 1. That is how "no answer" is scored.
            $empty => 0.0
        where nothing is left of one of the texts only, F1 is 0.
            $empty => 1.0
        you divide by 0 where no word is common, or no word is left. Then F1 is 0, or 1 if both texts are
        empty.
            $f1 if a and b else $empty => 2 * (p := common / len(a)) * (r := common / len(b)) / (p + r)
        these are percentages; return numbers from 0 to 1.
            return 100 * result[0], 100 * result[1]
        the order is (exact match, F1).
            return result[::-1]
        F1 alone: return (exact match, F1).
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

        which signs are dropped is not what string.punctuation says: take exactly those.
            c not in string.punctuation => c.isspace() or c.isalnum()
            or
            c not in string.punctuation => c.isspace() or c.isalnum() or c == "_"
            or
            c not in string.punctuation => c not in {".,!?" | ".,!?;:" | ".,!?'\""}
        text.split(" ") cuts at each single blank, and at no other white space. text.split() does what you
        want.
            text.split() => text.split(" ")
        a word of punctuation alone leaves an empty word behind. Drop the punctuation first, then split.
            text = $clean => found = [$bare for word in text.lower().split()]
            text.split() => found
        only an article in front is dropped. Drop a, an and the wherever they occur.
            $words => text.split()[text.split()[:1] in (["a"], ["an"], ["the"]) :]
        only the answer is made comparable. Do the same with the references.
            words(reference) => reference.lower().split()
        """,
    ),
    *pairs_of_edits(
        exact_match_and_f1,
        r"""
        punctuation counts
            if c not in string.punctuation =>
        articles count
            re.sub(r"\b(a|an|the)\b", " ", text) => text
        common words are a set: compare counts
            sum((Counter(a) & Counter(b)).values()) => len({*a} & {*b})
        only the first reference counts
            max(exact for exact, _ in scores), max(f1 for _, f1 in scores) => scores[0]
        this is the mean over the references: take the best
            max( =>> fmean(
        two empty texts are equal, so F1 is 1
            float(a == b) => 0.0
        """,
        normalize_answer,
        fmean=fmean,
    ),
)
