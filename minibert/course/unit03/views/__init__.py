"""Everything that lesson 3 shows; each view is one call in the notebook."""

from .languages import guess_language, languages, sampled
from .questions import quiz
from .reading import cut, guess_emoji, guess_mothership, hard_cases, my_text, read, two_texts
from .sequences import embedding, guess_change, padding, sequence, with_mine
from .training import guess_ratio, merges, orders, prices, scores, sizes, words_or_letters

__all__ = [
    "cut",
    "embedding",
    "guess_change",
    "guess_emoji",
    "guess_language",
    "guess_mothership",
    "guess_ratio",
    "hard_cases",
    "languages",
    "merges",
    "my_text",
    "orders",
    "padding",
    "prices",
    "quiz",
    "read",
    "sampled",
    "scores",
    "sequence",
    "sizes",
    "two_texts",
    "with_mine",
    "words_or_letters",
]
