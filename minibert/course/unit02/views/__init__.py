"""Everything that lesson 2 shows; each view is one call in the notebook."""

from .encoder_layer import (
    depth,
    guess_order,
    guess_without_residual,
    large_scores,
    layer_plan,
    neurons,
    positions,
)
from .english import guess_jobs, guess_same_word, job, same_word, what_matters, with_mine
from .questions import quiz
from .sizes import gradients, guess_heads, sizes, translator
from .toy import context_of_bank, everyone, heads, look_up, products, steps

__all__ = [
    "context_of_bank",
    "depth",
    "everyone",
    "gradients",
    "guess_heads",
    "guess_jobs",
    "guess_order",
    "guess_same_word",
    "guess_without_residual",
    "heads",
    "job",
    "large_scores",
    "layer_plan",
    "look_up",
    "neurons",
    "positions",
    "products",
    "quiz",
    "same_word",
    "sizes",
    "steps",
    "translator",
    "what_matters",
    "with_mine",
]
