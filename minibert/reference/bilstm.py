"""ELMo's trunk in NumPy: two LSTM language models, one in each direction, and the weighted sum of their
layers.

Peters et al. (2018, arXiv 1802.05365), sections 3.1 to 3.4; the cell of Hochreiter and Schmidhuber (1997).
Where `encoder` lets every token look at every other at once, an LSTM carries what it has read from token to
token. Parameters `p` are keyed like `state_dict()` of `minibert.model.bilstm`. Axes: B batch, T tokens, D
hidden, L layers.
"""
import numpy as np

from .attention import softmax
from .encoder import linear, sub


def sigmoid(x):
    """1 / (1 + exp(-x)), without overflow."""
    from scipy.special import expit  # loads longer than all the rest of `reference`, which seldom needs it
    return expit(x)


def lstm(x, p):
    """One layer, from left to right: x (B, T, D) -> states (B, T, D), state t made of x up to t.

    p: `weight_ih_l0`, `weight_hh_l0` (4D, D) and `bias_ih_l0`, `bias_hh_l0` (4D,), PyTorch's layout: the rows
    of the input gate, the forget gate, the candidate and the output gate.
    """
    state = cell = np.zeros_like(x[:, 0])                                       # (B, D)
    states = []
    for t in range(x.shape[1]):
        # (B, 4D)
        gates = (x[:, t] @ p["weight_ih_l0"].T + p["bias_ih_l0"] + state @ p["weight_hh_l0"].T
                 + p["bias_hh_l0"])
        write, keep, candidate, show = np.split(gates, 4, axis=-1)              # (B, D) each
        cell = sigmoid(keep) * cell + sigmoid(write) * np.tanh(candidate)
        state = sigmoid(show) * np.tanh(cell)
        states.append(state)
    return np.stack(states, 1)                                                  # (B, T, D)


def reading_order(real, backward):
    """(B, T) int: the positions in the order of reading, real tokens first and padding last, so that it leads
    nowhere.

    >>> reading_order(np.array([[True, True, True, False]]), backward=True).tolist()
    [[2, 1, 0, 3]]
    """
    T = real.shape[1]
    place = np.arange(T)
    return np.where(real, -place if backward else place, T).argsort(1, kind="stable")


def take(x, order):
    """x (B, T, D) with its tokens in another order (B, T)."""
    return np.take_along_axis(x, order[..., None], 1)


def read(x, order, layers):
    """One direction through all its LSTMs (a list of their parameters): L arrays (B, T, D), each in the order
    of the text.
    """
    back = order.argsort(1)
    x, outputs = take(x, order), []
    for i, p in enumerate(layers):
        states = lstm(x, p)
        x = states if i == 0 else x + states  # a residual from the second layer on
        outputs.append(take(x, back))
    return outputs


def scalar_mix(layers, p):
    """gamma * sum over j of softmax(w)_j * layers[j], equation (1): how much of each layer a task takes.

    layers: L + 1 arrays of one shape; p: `weights` (L + 1,), the w, and `gamma` (1,). Returns that shape.
    Raises ValueError for another number of layers.
    """
    if len(layers) != len(p["weights"]):
        raise ValueError(f"{len(layers)} layers, but {len(p['weights'])} weights")
    return p["gamma"] * sum(share * layer for share, layer in zip(softmax(p["weights"]), layers))


def bi_lstm(input_ids, visible, token_type_ids, p, config):
    """Ids (B, T) -> {"forward", "backward", "hidden": (B, T, D), "layers": L + 1 arrays (B, T, 2D)}.

    See `minibert.model.bilstm.BiLSTM.forward`.
    """
    x = p["embeddings.word.weight"][input_ids]                                  # (B, T, D)
    real = visible.any(1)                                                       # (B, T)
    forward, backward = (read(x, reading_order(real, name == "backward"),
                              [sub(p, f"{name}_layers.{i}") for i in range(config.num_hidden_layers)])
                         for name in ("forward", "backward"))
    layers = [np.concatenate(pair, -1) for pair in [(x, x), *zip(forward, backward)]]
    hidden = linear(scalar_mix(layers, sub(p, "mix")), sub(p, "join"))
    return {"forward": forward[-1], "backward": backward[-1], "hidden": hidden, "layers": layers}
