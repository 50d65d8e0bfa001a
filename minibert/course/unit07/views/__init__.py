"""The views of lesson 7: each cell of the lesson calls one of them."""

from .english import add_sentence, ask, exact_and_f1, guess_traps, how_good, label, mark, ribbons
from .live import guess_misled, silence, teach
from .questions import quiz
from .spans import guess_two_ends, long_passage, plan

__all__ = [
    "add_sentence",
    "ask",
    "exact_and_f1",
    "guess_misled",
    "guess_traps",
    "guess_two_ends",
    "how_good",
    "label",
    "long_passage",
    "mark",
    "plan",
    "quiz",
    "ribbons",
    "silence",
    "teach",
]
