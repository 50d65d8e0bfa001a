"""The views of lesson 4: each cell of the lesson calls one of them."""

from .masked import chosen, guess_cheapest, neighbours, odd_word, paddings, walk, with_mine
from .pairs import bags, guess_bags, guess_exchanged, my_pair, orders, short_documents, two_segments
from .questions import quiz

__all__ = [
    "bags",
    "chosen",
    "guess_bags",
    "guess_cheapest",
    "guess_exchanged",
    "my_pair",
    "neighbours",
    "odd_word",
    "orders",
    "paddings",
    "quiz",
    "short_documents",
    "two_segments",
    "walk",
    "with_mine",
]
