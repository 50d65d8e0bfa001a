"""Capitalisation prediction: was the token capitalised in the original text?

Sun et al. (2020, arXiv 1907.12412), ERNIE 2.0, one of its word-aware tasks. Like `relation`, but the labels
come from the tokens themselves.
"""

from collections.abc import Sequence

import numpy as np

from ..data.batch import IGNORE, Batch, Specials, visible_all
from ..model.goal import Arrays
from .base import Objective
from .relation import TokenRelation


class Capitalisation(TokenRelation):
    """The capitalisation objective: predict whether each token is capitalised (1) or lowercase (0).

    Only tokens whose capitalised and lowercase forms are both in the vocabulary have a label; the model reads
    the lowercase form. Raises ValueError if the vocabulary has no such token.
    """

    # The paper specifies only what is predicted.
    name = label = "capital"
    build = Objective.build

    def __init__(self, specials: Specials, vocab: Sequence[str], max_length: int):
        super().__init__(specials, len(vocab), max_length)
        ids = {token: i for i, token in enumerate(vocab)}
        self.lower_ids = np.array([ids.get(token.lower(), i) for i, token in enumerate(vocab)])  # (V,)
        self.capital = self.lower_ids != np.arange(len(vocab))  # (V,)
        self.in_both_cases = self.capital | np.isin(np.arange(len(vocab)), self.lower_ids[self.capital])
        if not self.capital.any():
            raise ValueError(
                f"none of the {len(vocab)} tokens is in the vocabulary both capitalised and in lowercase: "
                f"use a cased vocabulary"
            )

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        counted = self.candidates(batch) & self.in_both_cases[batch.input_ids]  # (B, T)
        inputs = {
            "input_ids": self.lower_ids[batch.input_ids],
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
        }
        return inputs, {self.name: np.where(counted, self.capital[batch.input_ids], IGNORE)}
