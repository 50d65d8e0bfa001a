"""The views of lesson 6: each cell of the lesson calls one of them."""

from .english import guess_roundabout, my_review, teach, with_mine, without_each
from .pretraining import labels, settings, task_by_task, too_sure
from .published import guess_leads, leads, swag
from .questions import quiz
from .scores import correlations, filters, guess_useless
from .sequences import guess_one_half, one_sequence, options, plan

__all__ = [
    "correlations",
    "filters",
    "guess_leads",
    "guess_one_half",
    "guess_roundabout",
    "guess_useless",
    "labels",
    "leads",
    "my_review",
    "one_sequence",
    "options",
    "plan",
    "quiz",
    "settings",
    "swag",
    "task_by_task",
    "teach",
    "too_sure",
    "with_mine",
    "without_each",
]
