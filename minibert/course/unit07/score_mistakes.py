"""Known mistakes about `exact_match_and_f1`: the normalisation, the counts, the several references.

Rajpurkar et al. (2016, arXiv 1606.05250), section 6.1.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from ..checks.exercise import Mistake, pairs

ARTICLES = re.compile(r"\b(a|an|the)\b")


def small(text: str) -> str:
    return text.lower()


def bare(text: str, by: str = "") -> str:
    return "".join(by if c in string.punctuation else c for c in text)


def without_articles(text: str) -> str:
    return ARTICLES.sub(" ", text)


def cut_out(articles: Sequence[str], by: str) -> Callable:
    """Build a step that replaces the articles in the whole text, one after another.

    Where "a" comes before "an", nothing is left of "an".
    """

    def step(text):
        for article in articles:
            text = text.replace(article, by)
        return text

    return step


def counted(a: list[str], b: list[str]) -> int:
    return sum((Counter(a) & Counter(b)).values())


def harmonic(common: int, a: Collection[str], b: Collection[str]) -> float:
    return 2 * common / (len(a) + len(b))


def nothing_left(a: list[str], b: list[str]) -> float:
    return float(a == b)


def score(
    steps: Sequence[Callable[[str], str]] = (small, bare, without_articles),
    common: Callable = counted,
    f1: Callable = harmonic,
    empty: Callable = nothing_left,
    best: Callable = max,
    same: Callable = lambda a, b: a == b,
    words: Callable = str.split,
    out: Callable = lambda exact, f1: (exact, f1),
) -> Callable:
    """Build `exact_match_and_f1` with some of its pieces replaced."""

    def normal(text):
        for step in steps:
            text = step(text)
        return " ".join(text.split())

    def wrong(answer, gold):
        scores = []
        for reference in gold:
            x, y = normal(answer), normal(reference)
            a, b = words(x), words(y)
            scores.append((float(same(x, y)), f1(common(a, b), a, b) if a and b else empty(a, b)))
        return out(best(exact for exact, _ in scores), best(value for _, value in scores))

    return wrong


def listed(words: Callable[[str], list[str]], theirs: Callable | None = None) -> Callable:
    """Build `exact_match_and_f1` with other lists of words; theirs: of the references, if they differ."""

    def wrong(answer, gold):
        scores = []
        for reference in gold:
            a, b = words(answer), (theirs or words)(reference)
            scores.append((float(a == b), harmonic(counted(a, b), a, b) if a and b else float(a == b)))
        return max(exact for exact, _ in scores), max(f1 for _, f1 in scores)

    return wrong


def kept(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in ("a", "an", "the")]


def in_front(text: str) -> list[str]:
    words = bare(small(text)).split()
    return words[1:] if words and not kept(words[:1]) else words


def of_best_f1(answer: str, gold: list[str]) -> tuple[float, float]:
    """Both scores of the reference with the best F1, the first of them."""
    return max((score()(answer, [reference]) for reference in gold), key=lambda pair: pair[1])


def keeping(keep: Callable[[str], bool]) -> Callable:
    """Build `exact_match_and_f1` with another rule about which characters stay."""
    return listed(lambda text: kept("".join(c for c in small(text) if keep(c) or c.isspace()).split()))


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / len(values)


def of_one_reference(answer: str, gold: list[str]) -> tuple[float, float]:
    """Both scores of the reference with the best exact match, the first of them."""
    return max((score()(answer, [reference]) for reference in gold), key=lambda pair: pair[0])


def divided(common: int, a: Collection[str], b: Collection[str]) -> float:
    """F1 by way of precision and recall; it fails where no word is common."""
    precision, recall = common / len(a), common / len(b)
    return 2 * precision * recall / (precision + recall)


def crash(a: list[str], b: list[str]) -> float:
    return divided(0, a, b)


SCORES = (
    Mistake("capitals count. Make both texts lower case first.", score((bare, without_articles))),
    Mistake(
        "punctuation counts. Drop every character of string.punctuation.", score((small, without_articles))
    ),
    Mistake("articles count. Drop the words a, an and the.", score((small, bare))),
    Mistake("nothing is normalised: lower case, punctuation, articles.", score(())),
    Mistake(
        "punctuation becomes a space, so that one word turns into two. Drop it: Cat's becomes cats.",
        score((small, lambda text: bare(text, " "), without_articles)),
    ),
    Mistake(
        "punctuation is cut off at the ends of words only. Drop it everywhere: Cat's becomes cats.",
        score(
            (
                small,
                lambda text: " ".join(word.strip(string.punctuation) for word in text.split()),
                without_articles,
            )
        ),
    ),
    *(
        Mistake(
            "articles are cut out of the middle of words: theatre becomes atre, and a man becomes mn. "
            "Compare whole words.",
            score((small, bare, cut_out(order, by))),
        )
        for order in (("the", "an", "a"), ("a", "an", "the"), ("an", "a", "the"))
        for by in ("", " ")
    ),
    Mistake(
        'only "the" is dropped; a and an are articles, too.',
        score((small, bare, lambda text: re.sub(r"\bthe\b", " ", text))),
    ),
    Mistake(
        'articles are dropped before the punctuation, so that "the" in quotes or before a comma stays. '
        "First lower case, then punctuation, then articles.",
        score(
            (
                small,
                lambda text: " ".join(word for word in text.split() if word not in ("a", "an", "the")),
                bare,
            )
        ),
    ),
    Mistake(
        'articles are dropped before the text is in lower case, so "The" stays.',
        score((bare, without_articles, small)),
    ),
    Mistake(
        "a word that occurs twice counts once: compare counts, not sets.",
        score(common=lambda a, b: len({*a} & {*b}), f1=lambda n, a, b: harmonic(n, {*a}, {*b})),
    ),
    Mistake(
        "common words are a set, but the lengths count every word. Count common words with their number, "
        "too.",
        score(common=lambda a, b: len({*a} & {*b})),
    ),
    Mistake(
        "a word of the answer counts each time it occurs, though the reference has it less often. Take "
        "the smaller number.",
        score(common=lambda a, b: sum(word in b for word in a)),
    ),
    Mistake(
        "a word of the reference counts each time it occurs, though the answer has it less often. Take "
        "the smaller number.",
        score(common=lambda a, b: sum(word in a for word in b)),
    ),
    Mistake(
        "this is precision: the share of the answer's words that are right. F1 needs recall, too.",
        score(f1=lambda n, a, b: n / len(a)),
    ),
    Mistake(
        "this is recall: the share of the reference's words that were found. F1 needs precision, too.",
        score(f1=lambda n, a, b: n / len(b)),
    ),
    Mistake(
        "this is the plain mean of precision and recall. F1 is the harmonic one: 2 * common / (words + "
        "words).",
        score(f1=lambda n, a, b: (n / len(a) + n / len(b)) / 2),
    ),
    Mistake(
        "the factor 2 is missing: F1 = 2 * common / (words of the answer + words of the reference).",
        score(f1=lambda n, a, b: n / (len(a) + len(b))),
    ),
    Mistake(
        "this is the overlap divided by all different words (Jaccard). F1 = 2 * common / (words + words).",
        score(f1=lambda n, a, b: n / (len(a) + len(b) - n)),
    ),
    Mistake("characters are compared, not words: split the text.", score(words=list)),
    Mistake(
        "only the first reference counts. Take the best over all of them.",
        score(best=lambda values: next(iter(values))),
    ),
    Mistake(
        "only the last reference counts. Take the best over all of them.",
        score(best=lambda values: list(values)[-1]),
    ),
    Mistake("this is the mean over the references. Take the best: any of them is right.", score(best=mean)),
    Mistake("this is the worst over the references. Take the best.", score(best=min)),
    Mistake(
        "exact match is given to a part: the two texts must be equal.",
        score(same=lambda a, b: a in b or b in a),
    ),
    Mistake(
        "exact match compares the texts as they are. Normalise both first.",
        lambda answer, gold: (float(answer in gold), score()(answer, gold)[1]),
    ),
    *(
        Mistake(
            "exact match ignores the order of the words. Both lists must be the same, word by word.",
            score(same=same),
        )
        for same in (
            lambda a, b: sorted(a.split()) == sorted(b.split()),
            lambda a, b: {*a} == {*b} and len(a) == len(b),
        )
    ),
    Mistake(
        "exact match compares sets of words. Both lists must be the same, word by word.",
        score(same=lambda a, b: {*a.split()} == {*b.split()}),
    ),
    Mistake(
        "exact match is that of the reference with the best F1. Each score takes its own best.", of_best_f1
    ),
    *(
        Mistake(
            "which signs are dropped is not what string.punctuation says: take exactly those.", keeping(keep)
        )
        for keep in (
            str.isalnum,
            lambda c: c.isalnum() or c == "_",
            lambda c: c not in ".,!?",
            lambda c: c not in ".,!?;:",
            lambda c: c not in ".,!?'\"",
        )
    ),
    Mistake(
        'text.split(" ") cuts at each single blank, and at no other white space. text.split() does '
        "what you "
        "want.",
        listed(lambda text: kept(bare(small(text)).split(" "))),
    ),
    Mistake(
        "a word of punctuation alone leaves an empty word behind. Drop the punctuation first, then split.",
        listed(lambda text: kept(bare(word) for word in small(text).split())),
    ),
    Mistake("only an article in front is dropped. Drop a, an and the wherever they stand.", listed(in_front)),
    Mistake(
        "all references are read as one long text. Compare the answer with each, and take the best.",
        lambda answer, gold: score()(answer, [" ".join(gold)]),
    ),
    Mistake(
        "only the answer is made comparable. Do the same with the references.",
        listed(lambda text: kept(bare(small(text)).split()), lambda text: small(text).split()),
    ),
    Mistake("both scores are those of one reference. Each takes its own best.", of_one_reference),
    Mistake(
        'where nothing is left of both texts, they are equal: F1 is 1. That is how "no answer" is scored.',
        score(empty=lambda a, b: 0.0),
    ),
    Mistake("where nothing is left of one of the texts only, F1 is 0.", score(empty=lambda a, b: 1.0)),
    Mistake(
        "you divide by 0 where no word is common, or no word is left. Then F1 is 0, or 1 if both texts "
        "are empty.",
        score(f1=divided, empty=crash),
    ),
    Mistake("you divide by 0 where no word is common. Then F1 is 0.", score(f1=divided)),
    Mistake(
        "you divide by 0 where no word is left. Then F1 is 1 if both texts are empty, else 0.",
        score(empty=lambda a, b: harmonic(0, a, b)),
    ),
    Mistake(
        "these are percentages; return numbers from 0 to 1.",
        score(out=lambda exact, f1: (100 * exact, 100 * f1)),
    ),
    Mistake("the order is (exact match, F1).", score(out=lambda exact, f1: (f1, exact))),
    Mistake("F1 alone: return (exact match, F1).", score(out=lambda exact, f1: f1)),
    *pairs(
        score,
        (dict(steps=(small, without_articles)), "punctuation counts"),
        (dict(steps=(small, bare)), "articles count"),
        (dict(common=lambda a, b: len({*a} & {*b})), "common words are a set: compare counts"),
        (dict(best=lambda values: next(iter(values))), "only the first reference counts"),
        (dict(best=mean), "this is the mean over the references: take the best"),
        (dict(empty=lambda a, b: 0.0), "two empty texts are equal, so F1 is 1"),
    ),
)
