"""The views of lesson 8: each cell of the lesson calls one of them."""

from .english import doubts, find, frames, guess_name, scores, spelling
from .generated import faults, guess_lazy, teach
from .layers import features, outputs
from .questions import quiz
from .words import guess_pieces, strays, tags, tokens

__all__ = [
    "doubts",
    "faults",
    "features",
    "find",
    "frames",
    "guess_lazy",
    "guess_name",
    "guess_pieces",
    "outputs",
    "quiz",
    "scores",
    "spelling",
    "strays",
    "tags",
    "teach",
    "tokens",
]
