"""Exact match and F1 of a predicted answer, computed as in SQuAD's official script.

Rajpurkar et al. (2016, arXiv 1606.05250), section 6.1. The scripts of versions 1.1 and 2.0 differ if an
answer is empty after normalisation; this module follows version 2.0.
"""

import re
import string
from collections import Counter
from collections.abc import Iterable


def normalize_answer(text: str) -> str:
    """Normalise an answer as SQuAD's script does: lowercase, no punctuation, no articles, no extra spaces.

    >>> normalize_answer("The  Cat's!")
    'cats'
    """
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def exact_match_and_f1(answer: str, gold: Iterable[str]) -> tuple[float, float]:
    """Return an answer's exact match and word F1 with the closest reference answer, 0 to 1.

    >>> exact_match_and_f1("in Marlow town", ["Marlow town", "Ashby"])
    (0.0, 0.8)
    """

    def score(reference):
        predicted, wanted = normalize_answer(answer), normalize_answer(reference)
        a, b = predicted.split(), wanted.split()
        common = sum((Counter(a) & Counter(b)).values())
        f1 = 2 * common / (len(a) + len(b)) if a and b else float(a == b)
        return float(predicted == wanted), f1

    scores = [score(reference) for reference in gold]
    return max(exact for exact, _ in scores), max(f1 for _, f1 in scores)
