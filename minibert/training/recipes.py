"""Our own recipes, which let a small model learn in minutes what the papers' regime takes days for.

Muon, growing phases, masks that make cross-sentence copying worth learning, and positions that start as
sinusoids. None of this is in the BERT paper: what is there is in `phases`, `optimizers` and `pretraining`.
All was found by trying, on the generated language.
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
from ..objectives import NSP, LookUpMLM, Sum, WholeWordMLM
from ..objectives.base import Objective
from .config import TrainConfig
from .phases import MakeObjective, Phase, divide, stacking_phases, two_lengths

MUON_STEPS = 3  # of Muon's matrix iteration; the default of 5 costs more and, here, gains nothing
# by how much a head's score of its own place is above that of the place beside it, in nats
SHARPNESS = 3.0
SHORTEST = 5  # tokens of a sequence that holds a pair: [CLS] a [SEP] b [SEP]


def muon(matrices: list[Tensor], config: TrainConfig) -> torch.optim.Optimizer:
    """Make Muon, an optimiser for matrices: each step is as long in every direction.

    So directions that rarely show in the gradient are learned too (Jordan et al., 2024,
    kellerjordan.github.io/posts/muon; Liu et al., 2025, arXiv 2502.16982).
    """
    return torch.optim.Muon(
        matrices,
        lr=config.muon_share * config.peak_rate,
        weight_decay=config.weight_decay,
        ns_steps=MUON_STEPS,
    )


def hidden_matrices(model: nn.Module) -> list[Tensor]:
    """Return the weights of all linear layers that train, without those tied to an embedding.

    A layer called `project` brings embeddings to another width (ALBERT, ELECTRA's generator). It belongs to
    the embeddings: Muon's steps would turn their directions faster than the layers above can follow. No step
    can change a weight that is computed from others, as with low-rank adapters: it is left out.
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

    A fifth of the steps reads sequences of `short_length` tokens, as many tokens a step (the paper: most
    steps at 128 tokens, the rest at 512), with a quarter of the layers; then sequences are full; from the
    middle on all layers train. A step of few layers takes little time, and all layers need what they learn
    (Gong et al., 2019, ICML). The learning rate runs over the phases as over one.
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
    """Give phases the TrainConfigs of `divide` and batches of as many tokens; drop empty ones."""
    longest = phases[-1].max_length
    return [
        phase._replace(
            config=dataclasses.replace(part, batch_size=part.batch_size * longest // phase.max_length)
        )
        for part, phase in zip(parts, phases)
        if part
    ]


def looking_up_phases(
    config: TrainConfig, max_length: int, layers: int, look_up: MakeObjective, short_length: int = 32
) -> list[Phase]:
    """Divide a run into three Phases like growing_phases, the middle one for cross-sentence copying.

    look_up: make_objective of the middle phase, `LookUpMLM` on whole documents. A tenth of the steps reads
    short sequences with a third of the layers, to learn grammar first, without which no head knows what to
    look for. Then two thirds of the layers read whole documents. For the last quarter of the steps all layers
    train on the run's own objective again.
    """
    short_length = min(short_length, max_length)
    # rounded down: the last part is never None
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
    """Return (Phases, how the encoder grows between them) by a name of the command line.

    way: "growing"; "two-lengths", the short one a quarter of `max_length`, as in the paper; "stacking", twice
    where the layers can be halved twice, else once; "plain", all steps alike. Raises ValueError for another,
    for layers that cannot be halved, and for sequences so short that a phase's have no room for a pair.
    """
    twice = 1 if layers % 4 else 2
    ways = {
        "growing": lambda: growing_phases(config, max_length, layers),
        "two-lengths": lambda: two_lengths(config, max_length // 4, max_length),
        "stacking": lambda: stacking_phases(config, max_length, layers, twice, (0.1, 0.3)[-twice:]),
        "plain": lambda: [Phase(config, max_length)],
    }
    if way not in ways:
        raise ValueError(f"phases {way!r} must be one of {', '.join(map(repr, ways))}")
    phases = ways[way]()
    shortest = min(phase.max_length for phase in phases)
    if shortest < SHORTEST:
        raise ValueError(
            f"sequences of {shortest} tokens in the phases {way!r} of max_length={max_length}: "
            f"a pair needs {SHORTEST}"
        )
    return phases, stack_layers if way == "stacking" else add_layers


def look_up_objective(
    tokenizer: Any, max_length: int, common: Iterable[int], pairs: bool = False, **options: Any
) -> Objective:
    """Make the objective whose masked words mostly occur elsewhere in the document.

    pairs: BERT's pairs and NSP, too, in place of whole documents; options: of LookUpMLM.
    """
    words = LookUpMLM(tokenizer.specials, tokenizer.vocab, max_length, common, **options)
    return with_pairs(words) if pairs else words


def with_pairs(words: WholeWordMLM) -> Sum:
    """Return the sum of NSP and this objective of masked words, in sequences of pairs."""
    return Sum(NSP(words.specials, words.vocab_size, words.max_length), words)


def frequent_tokens(docs: Iterable, count: int = 200) -> np.ndarray:
    """Return the ids of the most frequent tokens of encoded documents, which tell LookUpMLM nothing."""
    counts = np.bincount([i for doc in docs for sentence in doc for i in sentence])
    return np.argsort(-counts, kind="stable")[:count]


def start_from_sinusoids(encoder: Encoder, size: float = 0.2) -> None:
    """Fill the position table with `size` times the Transformer's sinusoids.

    "n places to the left" is then one linear map for all places (Vaswani et al., 2017, arXiv 1706.03762,
    section 3.5), and beside smaller positions words weigh more at first.  # paper: positions start as noise
    """
    position = encoder.embeddings.position.weight  # (T, D)
    with torch.no_grad():
        position.copy_(size * positional_encoding(*position.shape))


def start_from_neighbours(encoder: Encoder, size: float = 0.1) -> None:
    """Let each head of the first layer look at one neighbour: 1 left, 1 right, 2 left, and so on.

    Trained heads of that kind stand in the lower layers of BERT (Clark et al., 2019, arXiv 1906.04341,
    section 3.1); here they need not be found. The first K columns of a vector tell the position alone, `size`
    times sines and cosines: words and segments begin with 0 there, and have the other columns. A key is its
    position, a query is its position turned by the head's distance, and their product is largest where the
    two agree.
    """
    embeddings, attention = encoder.embeddings, cast(EncoderLayer, encoder.layers[0]).attention
    table, words, mark = embeddings.position.weight, embeddings.word.weight, embeddings.token_type.weight
    T, D = table.shape
    head_size = D // attention.num_heads
    K = min(head_size, D // 4) // 2 * 2  # a sine and a cosine each
    frequencies = 0.75 ** torch.arange(K // 2)  # (K/2,) radians a place
    angles = torch.arange(T)[:, None] * frequencies  # (T, K/2)
    with torch.no_grad():
        words[:, :K] = mark[:, :K] = 0
        table.zero_()
        table[:, 0:K:2], table[:, 1:K:2] = size * angles.sin(), size * angles.cos()
        # the LayerNorm divides by its root
        spread = (words.square().sum(-1).mean().item() + K / 2 * size**2) / D
        steepness = (1 - frequencies.cos()).sum() * size**2 / spread  # of a product of positions
        scale = (SHARPNESS * math.sqrt(head_size) / steepness).sqrt()
        query, key = (
            linear.weight.zero_().view(-1, head_size, D) for linear in (attention.query, attention.key)
        )
        key[:, :K, :K] = scale * torch.eye(K)
        for head in range(len(query)):
            distance = (head // 2 + 1) * (-1, 1)[head % 2]
            query[head, :K, :K] = scale * turn(frequencies * distance)


def turn(angles: Tensor) -> Tensor:
    """Return the matrix (2N, 2N) that turns N pairs of sine and cosine by angles (N,).

    >>> import torch
    >>> (turn(torch.tensor([torch.pi / 2])) @ torch.tensor([0.0, 1.0])).int().tolist()  # sin and cos of 0
    [1, 0]
    """
    return torch.block_diag(
        *(torch.tensor([[c, s], [-s, c]]) for c, s in zip(angles.cos().tolist(), angles.sin().tolist()))
    )
