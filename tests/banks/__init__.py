"""Banks of answers that test the checks, one module per unit: `BANK = {exercise: Bank(right=..., wrong=...)}`.

An answer is the source of a cell: the function asked for, with its helpers and imports where it needs any.
"""
from dataclasses import dataclass
from textwrap import dedent

import numpy as np


@dataclass(frozen=True)
class Bank:
    """Answers to one exercise. right: name -> source. wrong: name -> (source, a piece of the hint it must trigger)."""

    right: dict
    wrong: dict


def load(source, name, **names):
    """The function `name` that `source` defines, in a module-like place of its own with np and `names` at hand."""
    place = {"np": np, "__name__": "answer", **names}
    exec(compile(dedent(source), "<answer>", "exec"), place)
    return place[name]
