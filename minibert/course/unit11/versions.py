"""Right and wrong versions of `remove_neurons`, which the student's test must tell apart.

Neurons of a feed-forward part are removed together with their rows and columns, as in structured pruning.
Axes: D hidden, F neurons, of which K are kept.
"""

from functools import partial

import numpy as np

from ..checks.edits import edited
from ..checks.student_tests import Version

Parts = tuple[np.ndarray, np.ndarray, np.ndarray]


def remove_neurons(up: np.ndarray, bias: np.ndarray, down: np.ndarray, kept: np.ndarray) -> Parts:
    """Return the two matrices (K, D) and (D, K) and the bias (K,) of the neurons that are kept."""
    places = np.flatnonzero(kept)
    return up[places], bias[places], down[:, places]


def by_mask(up: np.ndarray, bias: np.ndarray, down: np.ndarray, kept: np.ndarray) -> Parts:
    return np.compress(kept, up, axis=0), bias[kept], np.compress(kept, down, axis=1)


def by_deleting(up: np.ndarray, bias: np.ndarray, down: np.ndarray, kept: np.ndarray) -> Parts:
    gone = np.flatnonzero(~np.asarray(kept))
    return np.delete(up, gone, 0), np.delete(bias, gone), np.delete(down, gone, 1)


def one_by_one(up: np.ndarray, bias: np.ndarray, down: np.ndarray, kept: np.ndarray) -> Parts:
    rows = [n for n, keep in enumerate(kept) if keep]
    smaller = np.zeros((len(rows), up.shape[1])), np.zeros(len(rows)), np.zeros((down.shape[0], len(rows)))
    for place, n in enumerate(rows):
        smaller[0][place], smaller[1][place], smaller[2][:, place] = up[n], bias[n], down[:, n]
    return smaller


def zeroed(up: np.ndarray, bias: np.ndarray, down: np.ndarray, kept: np.ndarray) -> Parts:
    return up * kept[:, None], bias * kept, down * kept


def in_place(up: np.ndarray, bias: np.ndarray, down: np.ndarray, kept: np.ndarray) -> Parts:
    """Return the right arrays, but set the removed numbers of the arguments to 0."""
    result = remove_neurons(up, bias, down, kept)
    gone = ~np.asarray(kept)
    up[gone], bias[gone], down[:, gone] = 0, 0, 0
    return result


RIGHT = (
    Version("one that chooses by the mask itself", by_mask),
    Version("one that deletes the others", by_deleting),
    Version("one that copies neuron by neuron", one_by_one),
)
slip = partial(edited, remove_neurons)
WRONG = (
    Version("sets the weights to 0 and removes nothing", zeroed),
    Version(
        "removes the neurons that should be kept",
        slip("np.flatnonzero(kept) => np.flatnonzero(~np.asarray(kept))"),
    ),
    Version("leaves `bias` as it is", slip("bias[places] => bias")),
    Version("leaves `down` as it is", slip("down[:, places] => down")),
    Version("takes the bias of the first neurons", slip("bias[places] => bias[: len(places)]")),
    Version("takes the first columns of `down`", slip("down[:, places] => down[:, : len(places)]")),
    Version(
        "keeps as many neurons, but the first ones", slip("np.flatnonzero(kept) => np.arange(np.sum(kept))")
    ),
)
MORE = (
    Version("takes the first rows of `up`", slip("up[places] => up[: len(places)]")),
    Version("sets the bias to 0", slip("bias[places] => 0 * bias[places]")),
    Version("puts the columns of `down` in reverse order", slip("down[:, places] => down[:, places[::-1]]")),
    Version(
        "enlarges `down` by F / K, as dropout would",
        slip("down[:, places] => down[:, places] * len(kept) / max(len(places), 1)"),
    ),
    Version("puts the neurons in reverse order", slip("flatnonzero(kept) => flatnonzero(kept)[::-1]")),
    Version("reads the mask from its end", slip("flatnonzero(kept) => flatnonzero(np.asarray(kept)[::-1])")),
    Version("also removes the last of the kept neurons", slip("flatnonzero(kept) => flatnonzero(kept)[:-1]")),
    Version("changes its inputs in place", in_place),
    Version("returns `down` transposed", slip("down[:, places] => down[:, places].T")),
)
