"""Our own training recipes, with which a small model learns in minutes instead of days.

They are Muon, growing phases, masking that rewards cross-sentence copying, and position embeddings
initialised as sinusoids. The BERT paper has none of them; all were found by experiments on the generated
language.
"""

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from ..model import Encoder, positional_encoding
from ..model.encoder import EncoderLayer
from ..model.growth import add_layers, stack_layers
from ..objectives import NSP, RepeatedWordMLM, Sum, WholeWordMLM
from ..objectives.base import Objective
from ..spelling import did_you_mean
from .config import TrainConfig
from .phases import MakeObjective, Phase, divide, stacking_phases, two_lengths

MUON_STEPS = 3  # iterations of Muon's matrix step; the default of 5 costs more and gains nothing here
# Difference, in nats, between a head's score for its target position and for the position next to it.
SHARPNESS = 3.0
SHORTEST = 5  # tokens in the shortest sequence with a pair: [CLS] a [SEP] b [SEP]


def muon(matrices: list[Tensor], config: TrainConfig) -> torch.optim.Optimizer:
    """Make a Muon optimiser for matrices; its steps have the same size in every direction.

    Thus it also trains directions that rarely appear in the gradient (Jordan et al., 2024,
    kellerjordan.github.io/posts/muon; Liu et al., 2025, arXiv 2502.16982).
    """
    return torch.optim.Muon(
        matrices,
        lr=config.muon_share * config.peak_rate,
        weight_decay=config.weight_decay,
        ns_steps=MUON_STEPS,
    )


def hidden_matrices(model: nn.Module) -> list[Tensor]:
    """Return the weights of all trainable linear layers, except those tied to an embedding.

    A layer named `project`, which changes the width of embeddings (ALBERT, ELECTRA's generator), is excluded:
    Muon would change the embeddings faster than the layers above can follow. So is a weight that is computed
    from others, as with low-rank adapters, because an optimiser cannot change it.
    """
    embeddings = {id(module.weight) for module in model.modules() if isinstance(module, nn.Embedding)}
    return [
        module.weight
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear)
        and id(module.weight) not in embeddings
        and name.rpartition(".")[2] != "project"
        and module.weight.requires_grad
        and module.weight.is_leaf
    ]


def growing_phases(config: TrainConfig, max_length: int, layers: int, short_length: int = 32) -> list[Phase]:
    """Divide a run into three Phases: short sequences and few layers, then full sequences, then all layers.

    The first fifth of the steps uses sequences of `short_length` tokens, with the same number of tokens per
    step, and a quarter of the layers. The second phase uses full sequences and half of the layers; all layers
    train from the middle of the run onwards. Steps with few layers are fast, and the deeper encoder builds on
    what these layers learned (Gong et al., 2019, ICML).
    """
    short_length = min(short_length, max_length)
    parts = divide(config, [round(share * config.steps) for share in (0.2, 0.5, 1)])
    return of_equal_tokens(
        parts,
        [
            Phase(config, short_length, -(-layers // 4)),
            Phase(config, max_length, -(-layers // 2)),
            Phase(config, max_length, layers),
        ],
    )


def of_equal_tokens(parts: Sequence[TrainConfig | None], phases: Sequence[Phase]) -> list[Phase]:
    """Set batch sizes so that a batch has the same number of tokens in every phase; omit empty parts."""
    longest = phases[-1].max_length
    return [
        phase._replace(
            config=dataclasses.replace(part, batch_size=part.batch_size * longest // phase.max_length)
        )
        for part, phase in zip(parts, phases)
        if part
    ]


def copying_phases(
    config: TrainConfig, max_length: int, layers: int, look_up: MakeObjective, short_length: int = 32
) -> list[Phase]:
    """Divide a run into three Phases; the second one trains the model to copy words from other sentences.

    look_up: makes the objective of the second phase, for example one that masks repeated words. The first
    tenth of the steps trains a third of the layers on short sequences, to learn the grammar that heads need
    before they can find a word elsewhere. Then two thirds of the layers train on whole documents. In the last
    quarter of the steps all layers train on the run's own objective again.
    """
    short_length = min(short_length, max_length)
    # Rounding down ensures that the last part is never None.
    parts = divide(config, [int(share * config.steps) for share in (0.1, 0.75, 1)])
    return of_equal_tokens(
        parts,
        [
            Phase(config, short_length, -(-layers // 3)),
            Phase(config, max_length, -(-2 * layers // 3), look_up),
            Phase(config, max_length, layers),
        ],
    )


def phases_of(
    way: str, config: TrainConfig, max_length: int, layers: int
) -> tuple[list[Phase], Callable[[Encoder, int, int], None]]:
    """Return (Phases, function that adds layers between them) for a name given on the command line.

    way: "growing"; "two-lengths", with a short length of a quarter of `max_length`, as in the paper;
    "stacking", which doubles the layers twice if their number is divisible by 4, else once; or "plain", a
    single phase. Raises ValueError for any other name, for an odd number of layers with "stacking", and if
    the sequences of a phase are too short for a pair.
    """
    twice = 1 if layers % 4 else 2
    ways = {
        "growing": lambda: growing_phases(config, max_length, layers),
        "two-lengths": lambda: two_lengths(config, max_length // 4, max_length),
        "stacking": lambda: stacking_phases(config, max_length, layers, twice, (0.1, 0.3)[-twice:]),
        "plain": lambda: [Phase(config, max_length)],
    }
    if way not in ways:
        raise ValueError(
            f"phases {way!r} must be one of {', '.join(map(repr, ways))}{did_you_mean(way, ways)}"
        )
    phases = ways[way]()
    shortest = min(phase.max_length for phase in phases)
    if shortest < SHORTEST:
        raise ValueError(
            f"phases={way!r} with max_length={max_length} has sequences of {shortest} tokens, but a pair "
            f"needs at least {SHORTEST}"
        )
    return phases, stack_layers if way == "stacking" else add_layers


def look_up_objective(
    tokenizer: Any, max_length: int, common: Iterable[int], pairs: bool = False, **options: Any
) -> Objective:
    """Build an objective that mostly masks words that occur elsewhere in the same document.

    pairs: True to use BERT's segment pairs instead of whole documents. options: passed to RepeatedWordMLM.
    """
    words = RepeatedWordMLM(tokenizer.specials, tokenizer.vocab, max_length, common, **options)
    return with_pairs(words) if pairs else words


def with_pairs(words: WholeWordMLM) -> Sum:
    """Combine next sentence prediction with a word masking objective on the same segment pairs."""
    return Sum(NSP(words.specials, words.vocab_size, words.max_length), words)


def frequent_tokens(docs: Iterable, count: int = 200) -> np.ndarray:
    """Return the ids of the most frequent tokens in encoded documents."""
    counts = np.bincount([i for doc in docs for sentence in doc for i in sentence])
    return np.argsort(-counts, kind="stable")[:count]


def start_from_sinusoids(encoder: Encoder, size: float = 0.2) -> None:
    """Fill the position embeddings with `size` times the Transformer's sinusoids.

    A shift by n positions is then the same linear map at every position (Vaswani et al., 2017, arXiv
    1706.03762, section 3.5), and small position embeddings give words more weight at first.
    """
    # paper: position embeddings are initialised at random
    position = encoder.embeddings.position.weight  # (T, D)
    with torch.no_grad():
        position.copy_(size * positional_encoding(*position.shape))


def start_from_neighbours(encoder: Encoder, size: float = 0.1) -> None:
    """Initialise each head of layer 1 to attend to one nearby position: 1 left, 1 right, 2 left, and so on.

    Trained BERT models have such heads in their lower layers (Clark et al., 2019, arXiv 1906.04341, section
    3.1); here the encoder has them from the start. The first K columns of an embedding encode only the
    position, as `size` times sines and cosines; the embeddings of words and segments are 0 in these columns
    and use the other ones. A key encodes its position, a query encodes its position rotated by the head's
    distance, and their product is largest if both positions agree.
    """
    embeddings, attention = encoder.embeddings, cast(EncoderLayer, encoder.layers[0]).attention
    table, words, mark = embeddings.position.weight, embeddings.word.weight, embeddings.token_type.weight
    T, D = table.shape
    head_size = D // attention.num_heads
    K = min(head_size, D // 4) // 2 * 2  # even: columns are pairs of a sine and a cosine
    frequencies = 0.75 ** torch.arange(K // 2)  # (K/2,) radians per position
    angles = torch.arange(T)[:, None] * frequencies  # (T, K/2)
    with torch.no_grad():
        words[:, :K] = mark[:, :K] = 0
        table.zero_()
        table[:, 0:K:2], table[:, 1:K:2] = size * angles.sin(), size * angles.cos()
        # LayerNorm divides by the square root of this.
        spread = (words.square().sum(-1).mean().item() + K / 2 * size**2) / D
        steepness = (
            (1 - frequencies.cos()).sum() * size**2 / spread
        )  # decrease of the product from distance 0 to 1
        scale = (SHARPNESS * math.sqrt(head_size) / steepness).sqrt()
        query, key = (
            linear.weight.zero_().view(-1, head_size, D) for linear in (attention.query, attention.key)
        )
        key[:, :K, :K] = scale * torch.eye(K)
        for head in range(len(query)):
            distance = (head // 2 + 1) * (-1, 1)[head % 2]
            query[head, :K, :K] = scale * turn(frequencies * distance)


def turn(angles: Tensor) -> Tensor:
    """Return the matrix (2N, 2N) that rotates N pairs of sine and cosine by angles (N,).

    >>> import torch
    >>> (turn(torch.tensor([torch.pi / 2])) @ torch.tensor([0.0, 1.0])).int().tolist()  # sin and cos of 0
    [1, 0]
    """
    return torch.block_diag(
        *(torch.tensor([[c, s], [-s, c]]) for c, s in zip(angles.cos().tolist(), angles.sin().tolist()))
    )
