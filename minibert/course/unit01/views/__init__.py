"""Everything that lesson 1 shows; each view is one call in the notebook."""

from .counting import coverage, expected_shares, guess_side, sample
from .english import fill_mask, guess_masked, how_good, left_only, my_text
from .masks import draws, spelling, units
from .negation import with_not
from .questions import kinds, quiz
from .rate import guess_rate
from .small_model import against_the_small_model

__all__ = [
    "against_the_small_model",
    "coverage",
    "draws",
    "expected_shares",
    "fill_mask",
    "guess_masked",
    "guess_rate",
    "guess_side",
    "how_good",
    "kinds",
    "left_only",
    "my_text",
    "quiz",
    "sample",
    "spelling",
    "units",
    "with_not",
]
