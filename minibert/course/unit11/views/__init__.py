"""The views of lesson 11: each cell of the lesson calls one of them."""

from .bits import fewer_bits, guess_bits
from .chart import chart
from .controls import controls
from .heads import guess_zeros, remove_heads
from .layers import guess_layers, keep_layers, teach
from .papers import published, two_numbers
from .questions import quiz
from .replacing import replacing
from .sizes import guess_half_the_layers, shrink, where_it_is
from .teacher import temperature, what_is_compared

__all__ = [
    "chart",
    "controls",
    "fewer_bits",
    "guess_bits",
    "guess_half_the_layers",
    "guess_layers",
    "guess_zeros",
    "keep_layers",
    "published",
    "quiz",
    "remove_heads",
    "replacing",
    "shrink",
    "teach",
    "temperature",
    "two_numbers",
    "what_is_compared",
    "where_it_is",
]
