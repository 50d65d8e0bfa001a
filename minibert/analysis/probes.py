"""Probes, small classifiers on frozen hidden states, with controls for how much the probe itself can learn.

Hewitt and Liang (2019, arXiv 1909.03368): control tasks. Hewitt and Manning (2019, NAACL): trees from
distances. Elazar et al. (2021, arXiv 2006.00995): remove the information that a probe uses, here with the
method of Belrose et al. (2023, arXiv 2306.03819). Axes: N tokens, D hidden, R rank, T words of a sentence.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize
from scipy.stats import spearmanr
from sklearn.linear_model import Ridge

from .definitions import SMALLEST, control_selectivity

NOMINAL = ("NOUN", "PROPN", "PRON")  # tags of the heads of noun phrases
MODIFIERS = ("det", "amod", "nummod", "compound", "nmod:poss", "advmod", "flat")  # relations in noun phrases


def control_labels(words: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw a random label for each of V words, and return an array (V,) that is indexed by `words`.

    words (N,): the index of each token's word, 0 to V - 1; labels (N,): the real task's labels, whose
    frequencies the random labels share. Hewitt and Liang, section 2.
    """
    names, counts = np.unique(labels, return_counts=True)
    return rng.choice(names, size=int(np.max(words)) + 1, p=counts / counts.sum())


def probe_layers(
    layers: np.ndarray, words: np.ndarray, labels: np.ndarray, trained: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return (accuracy, control accuracy, selectivity) of a linear probe for each layer: (L, N, D) -> (L, 3).

    All layers get the same control task. trained (N,) bool: the training tokens, which should form complete
    sentences. For comparison, also probe a model with random weights.
    """
    behaviour = control_labels(words, labels, rng)
    return np.array([control_selectivity(x.astype(float), words, labels, behaviour, trained) for x in layers])


def base_chunks(parents: Sequence[int], relations: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the base noun phrases of a dependency tree as a tag B, I or O for each word: (T,).

    A base noun phrase is a noun, proper noun or pronoun, with the adjacent words whose head is already in the
    phrase and whose relation is one of MODIFIERS. Of nested phrases, only the outermost counts. parents: see
    `depths`; relations, tags: as in Universal Dependencies.

    >>> base_chunks([1, 2, -1, 2], ["det", "nsubj", "root", "obj"], ["DET", "NOUN", "VERB", "PRON"])
    ['B', 'I', 'O', 'B']
    """
    chunks = ["O"] * len(parents)
    for head in depths(parents).argsort(kind="stable"):
        if tags[head] not in NOMINAL or chunks[head] != "O":
            continue
        inside = {head}
        for step in (-1, 1):
            word = head + step
            while 0 <= word < len(parents) and parents[word] in inside and relations[word] in MODIFIERS:
                inside.add(word)
                word += step
        for word in inside:
            chunks[word] = "B" if word == min(inside) else "I"
    return chunks


def depths(parents: Sequence[int]) -> np.ndarray:
    """Return the number of edges from each word of a dependency tree to the root: (T,).

    parents: the index of each word's head, from 0, or -1 for the root. Raises ValueError if there is a cycle.

    >>> depths([1, 2, -1]).tolist()
    [2, 1, 0]
    """
    result = []
    for word in range(len(parents)):
        steps, head = 0, parents[word]
        while head >= 0:
            steps, head = steps + 1, parents[head]
            if steps > len(parents):
                raise ValueError(f"the heads above word {word} form a cycle: {list(parents)}")
        result.append(steps)
    return np.array(result)


def tree_distances(parents: Sequence[int]) -> np.ndarray:
    """Return the number of edges between each pair of words in a dependency tree: (T, T).

    parents: see `depths`.

    >>> tree_distances([1, 2, -1]).tolist()
    [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    """
    depth = depths(parents)
    above = np.eye(len(parents), dtype=bool)  # [t, s]: s is t or an ancestor of t
    for word in depth.argsort(kind="stable"):
        if parents[word] >= 0:
            above[word] |= above[parents[word]]
    meeting = (above.astype(int) @ above.T) - 1  # number of common ancestors without the root
    return depth[:, None] + depth - 2 * meeting


def depth_correlation(x: np.ndarray, depth: np.ndarray, trained: np.ndarray) -> float:
    """Measure how well a linear map orders words by depth: Spearman's correlation on the held-out tokens.

    x (N, D): the vectors of the tokens; depth (N,): see `depths`; trained (N,) bool: the training tokens,
    which should form complete sentences. Raises ValueError if fewer than two tokens are held out.
    """
    trained = np.asarray(trained, bool)
    if (~trained).sum() < 2:
        raise ValueError(f"a correlation needs at least two held-out tokens, but got {(~trained).sum()}")
    found = Ridge().fit(x[trained], depth[trained]).predict(x[~trained])
    return float(spearmanr(found, depth[~trained]).statistic)


def structural_probe(
    sentences: Sequence[np.ndarray],
    trees: Sequence[Sequence[int]],
    rank: int,
    rng: np.random.Generator,
    steps: int = 200,
) -> np.ndarray:
    """Learn a matrix B (D, R) such that |B (h_i - h_j)|^2 approximates the tree distance of words i and j.

    Hewitt and Manning, section 2. sentences: an array (T, D) of word vectors h for each sentence; trees: the
    parents in each sentence, see `depths`; rank: R. All sentences have the same weight.
    """
    # paper: the loss is the mean absolute error; here it is squared, so that L-BFGS finds the minimum
    S, T, D = len(sentences), max(map(len, sentences)), sentences[0].shape[1]
    x, wanted, weight = np.zeros((S, T, D)), np.zeros((S, T, T)), np.zeros((S, T, T))
    for s, (vectors, parents) in enumerate(zip(sentences, trees)):
        n = len(parents)
        x[s, :n], wanted[s, :n, :n], weight[s, :n, :n] = vectors, tree_distances(parents), 1 / (S * n * n)

    def loss(flat):
        z = x @ flat.reshape(D, rank)  # (S, T, R)
        error = squared_distances(z) - wanted  # (S, T, T)
        pull = weight * error
        gradient = 8 * (pull.sum(axis=-1, keepdims=True) * z - pull @ z)  # gradient of each z, (S, T, R)
        return (pull * error).sum(), np.tensordot(x, gradient, axes=([0, 1], [0, 1])).ravel()

    start = rng.normal(size=D * rank) / D
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps}).x.reshape(D, rank)


def squared_distances(z: np.ndarray) -> np.ndarray:
    """Return the squared distances of all pairs of rows: (..., T, R) -> (..., T, T)."""
    sizes = (z**2).sum(axis=-1)
    return sizes[..., :, None] + sizes[..., None, :] - 2 * z @ np.swapaxes(z, -1, -2)


def spanning_edges(distances: np.ndarray) -> set[tuple[int, int]]:
    """Find the edges (i, j), i < j, of the minimum spanning tree of distances (T, T) by Prim's algorithm."""
    inside, edges = [0], set()
    while len(inside) < len(distances):
        outside = [word for word in range(len(distances)) if word not in inside]
        block = distances[np.ix_(inside, outside)]
        i, j = np.unravel_index(block.argmin(), block.shape)
        edges.add((min(inside[i], outside[j]), max(inside[i], outside[j])))
        inside.append(outside[j])
    return edges


def edges_found(distances: np.ndarray, parents: Sequence[int]) -> np.ndarray:
    """Return whether the minimum spanning tree of distances has each edge of the true tree: (T - 1,) bool.

    The mean of the result is UUAS, the undirected unlabelled attachment score (Hewitt and Manning, section
    3). parents: the true tree, see `depths`.

    >>> edges_found(np.abs(np.subtract.outer(range(3), range(3))), [1, -1, 0]).tolist()     # the chain
    [True, False]
    """
    edges = spanning_edges(distances)
    return np.array(
        [(min(word, head), max(word, head)) in edges for word, head in enumerate(parents) if head >= 0],
        dtype=bool,
    )


def erasing_projection(x: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return a projection P (D, D) such that a linear probe cannot read the labels from x @ P.

    A linear probe is no better than a constant if and only if the mean vectors of all labels are equal
    (Belrose et al.), so the projection removes the directions in which the means differ. x (N, D); labels
    (N,). On other data, some information may remain.
    """
    # paper: LEACE also weights the directions, so that x changes as little as possible
    means = np.stack([x[labels == one].mean(axis=0) for one in np.unique(labels)])  # (C, D)
    _, sizes, v = np.linalg.svd(means - means.mean(axis=0), full_matrices=False)
    removed = v[sizes > SMALLEST * sizes[0]]  # (C - 1, D)
    return np.eye(x.shape[1]) - removed.T @ removed


def random_projection(D: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return a projection (D, D) that removes `count` random directions, like `erasing_projection`."""
    removed = np.linalg.qr(rng.normal(size=(D, count)))[0]
    return np.eye(D) - removed @ removed.T
