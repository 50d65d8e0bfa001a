"""The views of lesson 14: each cell of the lesson calls one of them."""

from .at_once import decoder_parts, mask_predict_steps
from .bias import two_pronouns
from .chains import chain, two_answers
from .domains import cut_words, domain_models, registers
from .in_class import all_answers, by_kind, counted_words, duel, guess_both, help_desk
from .languages import shared_vocabulary
from .long import far_answer, growth, who_reads_whom
from .modern import rotary, since_bert
from .questions import quiz
from .results import guess_writes, over_sweeps, samples
from .search import ask_the_course, guess_search, three_ways
from .today import family, first_ten, guess_cost
from .vectors import before_and_after

__all__ = [
    "all_answers",
    "ask_the_course",
    "before_and_after",
    "by_kind",
    "chain",
    "counted_words",
    "cut_words",
    "decoder_parts",
    "domain_models",
    "duel",
    "family",
    "far_answer",
    "first_ten",
    "growth",
    "guess_both",
    "guess_cost",
    "guess_search",
    "guess_writes",
    "help_desk",
    "mask_predict_steps",
    "over_sweeps",
    "quiz",
    "registers",
    "rotary",
    "samples",
    "shared_vocabulary",
    "since_bert",
    "three_ways",
    "two_answers",
    "two_pronouns",
    "who_reads_whom",
]
