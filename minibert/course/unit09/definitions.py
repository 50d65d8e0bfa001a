"""Define ELMo's encoder and GPT's output layer in NumPy.

Peters et al. (2018, arXiv 1802.05365), sections 3.1 to 3.4: an LSTM language model in each direction, and the
weighted sum of their layers; the cell is from Hochreiter and Schmidhuber (1997). The keys of the parameters
`p` are those of the `state_dict()` in `minibert.model.bilstm`. GPT is from Radford et al. (2018, Improving
language understanding by generative pre-training), section 3.1. Axes: B batch, T tokens, D hidden, L layers.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from minibert.analysis.layers import scalar_mix
from minibert.config import ModelConfig
from minibert.reference.encoder import linear, sub


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + exp(-x)), computed without overflow."""
    from scipy.special import (
        expit,
    )  # imported here because SciPy takes longer to load than all of `reference`

    return expit(x)


def lstm(x: np.ndarray, p: Mapping[str, np.ndarray]) -> np.ndarray:
    """Run one LSTM layer from left to right and return its states (B, T, D); state t depends on x[:, :t + 1].

    x: (B, T, D). p: `weight_ih_l0`, `weight_hh_l0` (4D, D) and `bias_ih_l0`, `bias_hh_l0` (4D,), with the
    rows in PyTorch's order: input gate, forget gate, candidate, output gate.
    """
    state = cell = np.zeros_like(x[:, 0])  # (B, D)
    states = []
    for t in range(x.shape[1]):
        gates = (
            x[:, t] @ p["weight_ih_l0"].T
            + p["bias_ih_l0"]  # (B, 4D)
            + state @ p["weight_hh_l0"].T
            + p["bias_hh_l0"]
        )
        write, keep, candidate, show = np.split(gates, 4, axis=-1)  # (B, D) each
        cell = sigmoid(keep) * cell + sigmoid(write) * np.tanh(candidate)
        state = sigmoid(show) * np.tanh(cell)
        states.append(state)
    return np.stack(states, 1)  # (B, T, D)


def reading_order(real: np.ndarray, backward: bool) -> np.ndarray:
    """Return the positions (B, T) in the order in which an LSTM reads them, with padding last.

    real: (B, T) bool, False for padding, which comes last so that it cannot affect other tokens. backward:
    whether the LSTM reads from right to left.

    >>> reading_order(np.array([[True, True, True, False]]), backward=True).tolist()
    [[2, 1, 0, 3]]
    """
    T = real.shape[1]
    place = np.arange(T)
    return np.where(real, -place if backward else place, T).argsort(1, kind="stable")


def take(x: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return x (B, T, D) with its tokens rearranged in the order of the indices `order` (B, T)."""
    return np.take_along_axis(x, order[..., None], 1)


def read(x: np.ndarray, order: np.ndarray, layers: Iterable[Mapping[str, np.ndarray]]) -> list[np.ndarray]:
    """Run all LSTM layers of one direction; return L arrays (B, T, D) with tokens in the order of the text.

    x: (B, T, D); order: (B, T), as returned by `reading_order`; layers: the parameters of each of L layers.
    """
    back = order.argsort(1)
    x, outputs = take(x, order), []
    for i, p in enumerate(layers):
        states = lstm(x, p)
        x = states if i == 0 else x + states  # a residual connection from the second layer on
        outputs.append(take(x, back))
    return outputs


def bi_lstm(
    input_ids: np.ndarray,
    visible: np.ndarray,
    token_type_ids: np.ndarray,
    p: Mapping[str, np.ndarray],
    config: ModelConfig,
) -> dict[str, Any]:
    """Encode token ids (B, T) in both directions; return the layers' outputs and their weighted sum.

    visible: (B, T, T) bool, used only to find padding. token_type_ids: ignored, because ELMo has no segments.
    Returns a dict: "forward" and "backward", the last layer's output in each direction, and "hidden", the
    weighted sum, each (B, T, D); and "layers", L + 1 arrays (B, T, 2D), the embeddings first. The results
    equal those of `minibert.model.bilstm.BiLSTM.forward`.
    """
    x = p["embeddings.word.weight"][input_ids]  # (B, T, D)
    real = np.any(visible, axis=1)  # (B, T)
    forward, backward = (
        read(
            x,
            reading_order(real, name == "backward"),
            [sub(p, f"{name}_layers.{i}") for i in range(config.num_hidden_layers)],
        )
        for name in ("forward", "backward")
    )
    layers = [np.concatenate(pair, -1) for pair in [(x, x), *zip(forward, backward)]]
    hidden = linear(scalar_mix(layers, sub(p, "mix")), sub(p, "join"))
    return {"forward": forward[-1], "backward": backward[-1], "hidden": hidden, "layers": layers}


def next_token_head(
    hidden: np.ndarray, p: Mapping[str, np.ndarray], counted: np.ndarray | None = None
) -> np.ndarray:
    """Return logits (..., V) for hidden states (..., D): their products with the word embeddings.

    This is GPT's head: `decoder.weight` (V, D), without a bias. counted: as in `token_head`.
    """
    return (hidden if counted is None else hidden[counted]) @ p["decoder.weight"].T
