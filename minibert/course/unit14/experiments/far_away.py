"""An answer that is thousands of tokens away: how far can each kind of attention read?

A text begins with a global token and up to 15 filler tokens. Then comes the answer, one of 8 tokens that
occur nowhere else, then more filler, and at the end the question. Each layer of a sliding window moves
information by `reach` tokens, so `depth` layers can answer from at most depth * reach tokens away; one global
token is enough to answer from anywhere. There are no position embeddings. The control is the same trained
model, asked after the answer was removed. Axes: B texts, T tokens.
"""

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from minibert.config import ModelConfig
from minibert.model import Encoder
from minibert.model.attention import MultiHeadAttention, merge_heads, split_heads
from minibert.model.encoder import init_weights
from minibert.model.long import long_attention

ANSWERS, FILLERS, MOST_BEFORE = 8, 40, 15
FIRST, QUESTION = ANSWERS + FILLERS, ANSWERS + FILLERS + 1  # ids; answers have the ids 0 to 7
REACH = 32
LONGEST = 2000  # tokens from the question to the answer
DISTANCES = (8, 16, 32, 48, 64, 80, 128, 250, 500, 1000, LONGEST)  # that are tested
STEPS, TEST, RATE = 400, 64, 3e-3
TOKENS, MOST = 8192, 64  # of a batch, and texts of a batch
SIZES: dict[str, Any] = {
    "vocab_size": QUESTION + 1,
    "hidden_size": 32,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 1,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "initializer_range": 0.1,
}


class Kind(NamedTuple):
    """A kind of attention. reach: of its window, or None to attend to all tokens. far: has a global token."""

    layers: int
    reach: int | None = REACH
    far: bool = False


KINDS = {
    "window, 1 layer": Kind(1),
    "window, 2 layers": Kind(2),
    "window and global token, 2 layers": Kind(2, far=True),
    "full attention, 2 layers": Kind(2, reach=None),
}


class FarAttention(MultiHeadAttention):
    """Multi-head attention to a window, and from and to the first token if it is global."""

    def __init__(self, config: ModelConfig, kind: Kind):
        super().__init__(config)
        self.kind = kind

    def forward(self, x: Tensor, *unused: Any) -> tuple[Tensor, Tensor]:
        """Transform x (B, T, D), and return it with an empty tensor, since not all probabilities are made."""
        q, k, v = (
            split_heads(project(x), self.num_heads) for project in (self.query, self.key, self.value)
        )  # (B, H, T, K)
        if self.kind.reach is None:
            context = F.scaled_dot_product_attention(q, k, v)  # as `attention`, but makes no matrix (T, T)
        else:
            context = long_attention(q, k, v, self.kind.reach, [0] if self.kind.far else [])
        return self.out(merge_heads(context)), x.new_empty(0)


class Reader(nn.Module):
    """A small encoder that answers at the last token: one logit for each possible answer."""

    def __init__(self, kind: Kind):
        super().__init__()
        config = ModelConfig(**SIZES, num_hidden_layers=kind.layers)
        self.encoder = Encoder(config)
        for layer in self.encoder.layers:
            layer.attention = FarAttention(config, kind)
        self.head = nn.Linear(config.hidden_size, ANSWERS)
        self.apply(lambda module: init_weights(module, config.initializer_range))

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits (B, 8) of ids (B, T)."""
        nothing = torch.zeros_like(ids)
        hidden = self.encoder(ids, None, nothing, position_ids=nothing)["hidden"]  # (B, T, D)
        return self.head(hidden[:, -1])


def texts(count: int, distance: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, int]:
    """Return ids (B, T), answers (B,), and the answer's position, `distance` tokens before the question."""
    at = 1 + int(rng.integers(MOST_BEFORE + 1))
    ids = ANSWERS + rng.integers(FILLERS, size=(count, at + distance + 1))  # (B, T)
    answers = rng.integers(ANSWERS, size=count)
    ids[:, 0], ids[:, at], ids[:, -1] = FIRST, answers, QUESTION
    return torch.from_numpy(ids), torch.from_numpy(answers), at


def far_run(kind: str, seed: int, steps: int = STEPS, test: int = TEST) -> dict[str, Any]:
    """Train a reader, and return its accuracy in percent at each of DISTANCES, and that of the control.

    kind: a key of KINDS. Distances are drawn with log-uniform probability for each step of training.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 1])
    model = Reader(KINDS[kind])
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for _ in range(steps):
        distance = int(np.exp(rng.uniform(np.log(2), np.log(LONGEST))))
        ids, answers, _ = texts(min(MOST, TOKENS // distance), distance, rng)
        optimizer.zero_grad()
        F.cross_entropy(model(ids), answers).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    held_out = np.random.default_rng([seed, 2])
    found: dict[str, Any] = {"distances": DISTANCES, "accuracy": [], "without answer": []}
    for distance in DISTANCES:
        ids, answers, at = texts(test, distance, held_out)
        removed = ids.clone()
        removed[:, at] = ANSWERS
        for name, asked in (("accuracy", ids), ("without answer", removed)):
            found[name].append(round(accuracy(model, asked, answers), 1))
    return found


@torch.no_grad()
def accuracy(model: nn.Module, ids: Tensor, answers: Tensor) -> float:
    """Return how many answers are right, in percent."""
    chosen = torch.cat([model(some).argmax(-1) for some in ids.split(TOKENS // 1024)])
    return 100 * float((chosen == answers).float().mean())
