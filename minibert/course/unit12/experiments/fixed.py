"""Train a small model in which some attention heads have fixed patterns.

Raganato et al. (2020, arXiv 2002.10260) fix all but one head in each encoder layer of a translation model.
Here, the model is a masked language model with five heads. Axes: B sequences, H heads, T tokens, K head size,
D hidden.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from minibert.analysis.patterns import FIXED, fixed_pattern
from minibert.config import ModelConfig
from minibert.course.unit10.experiments import material
from minibert.course.unit10.experiments.shared import RECIPE, held_out_scores, mlm, trained
from minibert.model import Encoder
from minibert.model.attention import MultiHeadAttention, attention, merge_heads, split_heads

# name -> the patterns of the first heads; the other heads are learned
WAYS: dict[str, tuple[str, ...]] = {"all learned": (), "one learned": FIXED[1:], "all fixed": FIXED}
SMALL = dataclasses.replace(RECIPE, hidden_size=80, steps=1200)
SCORED_AT = (150, 300, 600, 1200)


class FixedHeads(MultiHeadAttention):
    """Multi-head attention in which the first heads have fixed patterns.

    patterns: items of FIXED, one for each fixed head.
    """

    def __init__(self, config: ModelConfig, patterns: Sequence[str]):
        super().__init__(config)
        self.patterns = tuple(patterns)

    def forward(
        self,
        x: Tensor,
        visible: Tensor | None = None,
        gate: Tensor | None = None,
        memory: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return the output and attention weights as in `MultiHeadAttention`, but with some heads fixed.

        Queries and keys matter only for the learned heads.
        """
        q, k, v = (
            split_heads(project(x), self.num_heads) for project in (self.query, self.key, self.value)
        )  # (B, H, T, K)
        seen = None if visible is None else visible[:, None]
        context, probs = attention(q, k, v, seen, self.dropout)
        if self.patterns:
            fixed = fixed_probs(self.patterns, x.shape[1], visible).to(x.dtype)  # (1 or B, F, T, T)
            probs = torch.cat([fixed.expand(len(x), -1, -1, -1), probs[:, len(self.patterns) :]], dim=1)
            context = self.dropout(probs) @ v
        if gate is not None:
            context = context * gate[:, None, None]
        return self.out(merge_heads(context)), probs


def fixed_probs(patterns: Sequence[str], T: int, visible: Tensor | None) -> Tensor:
    """Return the attention weights of F fixed heads, (1 or B, F, T, T).

    Rows sum to 1, and masked tokens get 0. If a token's pattern covers only padding, it attends to itself.
    """
    looks = torch.from_numpy(np.stack([fixed_pattern(name, T) for name in patterns]))[None]  # (1, F, T, T)
    if visible is not None:
        looks = looks * visible[:, None]
    looks = torch.where(looks.sum(-1, keepdim=True) > 0, looks, torch.eye(T, dtype=looks.dtype))
    return looks / looks.sum(-1, keepdim=True)


def fixed_encoder(config: ModelConfig, patterns: Sequence[str], seed: int) -> Encoder:
    """Return an encoder with one fixed head for each of `patterns` in every layer."""
    torch.manual_seed(seed)
    encoder = Encoder(config)
    for layer in encoder.layers:
        new = FixedHeads(config, patterns)
        new.load_state_dict(cast(MultiHeadAttention, layer.attention).state_dict())
        layer.attention = new
    return encoder


def fixed_run(way: str, seed: int, recipe: Any = SMALL, at: Sequence[int] = SCORED_AT) -> dict[str, Any]:
    """Train a masked language model in which some heads have fixed patterns, and return its accuracy.

    way: a key of WAYS. at: the numbers of steps after which to score the model. Returns these as "steps", and
    the accuracies in percent on held-out masked tokens as "words".
    """
    shared = material(dataclasses.replace(RECIPE, documents=recipe.documents))
    objective = mlm(recipe, shared.tokenizer)
    config = recipe.config(shared.tokenizer, num_attention_heads=len(FIXED))
    model: nn.Module = objective.model(fixed_encoder(config, WAYS[way], seed))
    words: list[float] = []

    def score(step: int) -> None:
        if step in at:
            words.append(held_out_scores(model, recipe, shared)["words"])

    trained(model, objective, shared.docs, recipe.training(seed), score)
    return {"steps": list(at), "words": words}
