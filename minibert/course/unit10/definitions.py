"""Define parts of the variants of BERT in unit 10, in NumPy.

ALBERT's parameters (Lan et al., 2020, arXiv 1909.11942, section 3.1 and table 1); the attention mask of
Transformer-XL's memory (Dai et al., 2019, arXiv 1901.02860, sections 3.1 and 3.2), which XLNet also uses;
stacking (Gong et al., 2019, ICML, Efficient training of BERT by progressively stacking, algorithm 1; for the
optimizer's state: Shen et al., 2022, arXiv 2203.06211); SpanBERT's output layer (Joshi et al., 2020, arXiv
1907.10529, section 3.2); the labels of ELECTRA's discriminator (Clark et al., 2020, arXiv 2003.10555, section
2). Axes: B batch, T tokens, D hidden, V vocabulary.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from minibert.data.batch import IGNORE
from minibert.data.masking import run_edges
from minibert.reference.encoder import gelu, layer_norm, linear, sub


def factorised_parameters(config: Mapping[str, int], shared: bool) -> dict[str, int]:
    """Count the parameters of an encoder and its pooler, in four parts that add up to the total.

    config: a dict of sizes with Hugging Face's names: vocab_size V, embedding_size E, hidden_size D,
    num_hidden_layers L, intermediate_size F, max_position_embeddings, type_vocab_size; other keys are
    ignored. All embeddings and their LayerNorm have the width E; if E is not D, a linear layer projects them.
    shared: whether all L layers share their parameters. Returns a dict with the keys "embeddings",
    "projection", "layers" and "pooler". Raises ValueError for a size below 1.

    >>> base = dict(vocab_size=30000, embedding_size=128, hidden_size=768, num_hidden_layers=12,
    ...             intermediate_size=3072, max_position_embeddings=512, type_vocab_size=2)
    >>> sum(factorised_parameters(base, shared=True).values())       # ALBERT-base, 12M in the paper
    11683584
    >>> sum(factorised_parameters(base | dict(vocab_size=30522, embedding_size=768), False).values())   # BERT
    109482240
    """
    names = (
        "vocab_size",
        "embedding_size",
        "hidden_size",
        "num_hidden_layers",
        "intermediate_size",
        "max_position_embeddings",
        "type_vocab_size",
    )
    for name in names:
        if config[name] < 1:
            raise ValueError(f"{name}={config[name]} must be at least 1")
    V, E, D, L, F, positions, segments = (config[name] for name in names)
    attention, feed_forward, norms = 4 * (D * D + D), D * F + F + F * D + D, 2 * 2 * D
    return {
        "embeddings": (V + positions + segments) * E + 2 * E,
        "projection": E * D + D if E != D else 0,  # paper's code: also where E is D
        "layers": (1 if shared else L) * (attention + feed_forward + norms),
        "pooler": D * D + D,
    }


def memory_visible(length: int, segment: int, memory: int = 0) -> np.ndarray:
    """Return the attention mask (T, T) of one layer with a memory of earlier segments.

    Each token attends to its segment up to itself, and to the memory. length: T, the number of tokens in the
    text, which is cut into segments of `segment` tokens. memory: how many hidden states before the segment
    are kept; 0 means none. Raises ValueError if length or segment is below 1 or memory is negative.

    >>> memory_visible(5, segment=2, memory=1).astype(int).tolist()
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 1, 1]]
    """
    for name, value, least in (("length", length, 1), ("segment", segment, 1), ("memory", memory, 0)):
        if value < least:
            raise ValueError(f"{name}={value} must be at least {least}")
    place = np.arange(length)
    first = place // segment * segment - memory  # (T,): the first position that it attends to
    return (place <= place[:, None]) & (place >= first[:, None])  # (T, T)


def receptive_field(visible: np.ndarray, layers: int) -> np.ndarray:
    """Return which tokens the output at each position depends on after `layers` layers, (T, T) bool.

    visible: (T, T) bool, which positions each position attends to in one layer, as from `memory_visible`.
    Those positions have attended to other positions in the layer below, so each layer extends the reach:
    with a memory as long as a segment, L layers reach about L segments back. Raises ValueError if `layers` is
    negative.

    >>> field = receptive_field(memory_visible(9, segment=2, memory=2), layers=3)
    >>> np.flatnonzero(field[8]).tolist()           # without a memory it would see itself alone
    [2, 3, 4, 5, 6, 7, 8]
    """
    if layers < 0:
        raise ValueError(f"layers={layers} must be at least 0")
    field = np.eye(len(visible), dtype=bool)
    for _ in range(layers):
        field = visible @ field  # of bools: is there a position in between that depends on it?
    return field


LAYER = "layers."  # names of the layers' arrays begin with this, then the layer's number from 0 and a dot


def stack_layers(
    weights: Mapping[str, np.ndarray], state: Mapping[str, Any]
) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Return the weights and optimizer state of a model with 2L layers, built from a model with L layers.

    Layer L + i is a copy of layer i, both in the weights and in Adam's two moments; everything else, such as
    the embeddings and the number of steps, stays the same. weights: a dict that maps names to arrays; the
    names in layer i begin with "layers.i.". state: a dict with "step", an int, and "m" and "v", dicts that
    map the names of the weights to arrays. Returns new dicts with new arrays. Raises ValueError if there is
    no layer.

    >>> weights = {"words": np.array([1.0]), "layers.0.out": np.array([2.0])}
    >>> state = {"step": 9, "m": {name: x / 10 for name, x in weights.items()},
    ...          "v": {name: x / 100 for name, x in weights.items()}}
    >>> deeper, memory = stack_layers(weights, state)
    >>> [(name, float(x[0])) for name, x in deeper.items()]
    [('words', 1.0), ('layers.0.out', 2.0), ('layers.1.out', 2.0)]
    >>> memory["step"], float(memory["m"]["layers.1.out"][0])
    (9, 0.2)
    """
    numbers = [number_of(name) for name in weights if name.startswith(LAYER)]
    if not numbers:
        raise ValueError(f"no name begins with {LAYER!r}, so there is no layer to stack: {sorted(weights)}")
    L = 1 + max(numbers)
    return doubled(weights, L), {
        "step": state["step"],
        "m": doubled(state["m"], L),
        "v": doubled(state["v"], L),
    }


def number_of(name: str) -> int:
    """Return the index of the layer that an array belongs to, given the array's name.

    >>> number_of("layers.11.attention.out")
    11
    """
    return int(name.split(".")[1])


def doubled(arrays: Mapping[str, np.ndarray], L: int) -> dict[str, np.ndarray]:
    """Return copies of the named arrays, plus a second copy of the arrays of each layer i, as layer L + i."""
    result = {name: array.copy() for name, array in arrays.items()}
    for name, array in arrays.items():
        if name.startswith(LAYER):
            _, number, rest = name.split(".", 2)
            result[f"{LAYER}{int(number) + L}.{rest}"] = array.copy()
    return result


def boundary_head(
    hidden: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    p: Mapping[str, np.ndarray],
    counted: np.ndarray | None = None,
    eps: float = 1e-12,
) -> np.ndarray:
    """Return vocabulary logits (..., V) for each token, computed from the tokens on both sides of its span.

    The input for a token is [left; right; place], (..., 3D): the hidden states before and after its span, and
    an embedding of its place within the span. It passes through two layers (linear, GELU, LayerNorm each),
    then the word embeddings. hidden (B, T, D); left, right (B, T): the positions on both sides of each
    token's span, as returned by `run_edges`. counted: as in `token_head`.
    """
    B, T, _ = hidden.shape
    rows = np.arange(B)[:, None]  # (B, 1)
    place = np.arange(T) - left  # (B, T), 1 for the first token of a span
    around = [hidden[rows, left], hidden[rows, right], p["place.weight"][place]]
    x = np.concatenate(around, axis=-1)  # (B, T, 3D)
    x = x if counted is None else x[counted]  # (N, 3D)
    for layer in ("first", "second"):
        x = layer_norm(gelu(linear(x, sub(p, layer))), sub(p, f"{layer}_norm"), eps)
    return linear(x, sub(p, "decoder"))


def span_boundary_inputs(hidden: np.ndarray, chosen: np.ndarray, place_embeddings: np.ndarray) -> np.ndarray:
    """Return the inputs of `boundary_head` for the N masked tokens: [left; right; place], (N, 3D).

    A span is a run of adjacent masked tokens. left and right: the hidden states of the tokens immediately
    before and after it; place: the embedding of the token's place within the span, counted from 1. hidden:
    (B, T, D); chosen: (B, T) bool, True for masked tokens; place_embeddings: (P, D), with an unused row 0.
    The rows of the result are in the order of the sequences, and from left to right in each. Raises
    ValueError if a span touches the edge of a sequence. Joshi et al. (2020, arXiv 1907.10529), section 3.2.

    >>> hidden = np.array([[[1.0], [2.0], [3.0], [4.0]]])
    >>> span_boundary_inputs(hidden, np.array([[False, True, True, False]]), np.array([[0.0], [.5], [.6]]))
    array([[1. , 4. , 0.5],
           [1. , 4. , 0.6]])
    """
    rows, positions = np.nonzero(chosen)  # (N,) each
    left, right = (edge[chosen] for edge in run_edges(chosen))  # (N,) each
    around = [hidden[rows, left], hidden[rows, right], place_embeddings[positions - left]]
    return np.concatenate(around, axis=-1)  # (N, 3D)


def replaced_token_labels(original: np.ndarray, seen: np.ndarray, real: np.ndarray) -> np.ndarray:
    """Return labels for ELECTRA's discriminator, (B, T) int64: 1 = replaced, 0 = original, IGNORE = padding.

    original, seen: (B, T) ids before and after the generator; real: (B, T) bool, False = padding. A token
    that the generator predicted correctly counts as original.

    >>> original, seen = np.array([[7, 8, 0]]), np.array([[7, 9, 0]])
    >>> replaced_token_labels(original, seen, real=original > 0).tolist()
    [[0, 1, -100]]
    """
    return np.where(real, (seen != original).astype(np.int64), IGNORE)
