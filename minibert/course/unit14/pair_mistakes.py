"""Students' common mistakes in `in_batch_loss`, training with the other answers of a batch, in PyTorch.

Henderson et al. (2017, arXiv 1705.00652), section 4.4; Reimers and Gurevych (2019, arXiv 1908.10084), section
3. The notebook wraps the function, so that the check gets arrays: use_in_batch_loss(queries, answers,
temperature) -> (loss, gradient of the queries, gradient of the answers). PyTorch is imported only when a
mistake is tried. Axes: B pairs, D hidden.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..checks.compare import close
from ..checks.edits import edits, pairs_of_edits
from ..checks.exercise import Mistake

if TYPE_CHECKING:
    import torch

SHORTEST = 1e-3  # of the vectors; PyTorch's functions treat those below 1e-8 as zeros


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return vectors (B, D) and temperatures; some probabilities are 0 in a computer."""

    def pairs(B: int, D: int, dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray]:
        sizes = np.exp(rng.uniform(-1, 2, (2, B, 1)))
        q, a = (rng.normal(size=(2, B, D)) * sizes).astype(dtype)
        return q, a

    return [
        (*pairs(3, 4), 1.0),
        (*pairs(4, 6), 0.5),
        (*pairs(5, 3), 0.1),
        (*pairs(6, 5), 0.05),
        (*pairs(2, 7), 2),
        (*pairs(4, 3, np.float32), 0.3),
        (*pairs(1, 4), 0.2),
        (*pairs(3, 1), 0.7),
        (1000 * np.eye(4)[:3], 1000 * np.array([[0.1, 1, 1, 0], [1, 0, 2, 0.5], [1, 1, -1, 3]]), 0.0002),
        (*pairs(8, 4), float(rng.uniform(0.05, 1.5))),
    ]


def allowed(queries: np.ndarray, answers: np.ndarray, temperature: float) -> bool:
    """Return whether there is an answer for each query, and no vector is as good as 0."""
    lengths = np.linalg.norm(np.concatenate([queries, answers]), axis=1)
    return queries.shape == answers.shape and bool((lengths >= SHORTEST).all()) and temperature > 0


def in_batch_loss(queries: torch.Tensor, answers: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the cross-entropy of choosing each query's own answer by its cosine similarity."""
    import torch
    from torch.nn import functional as F

    q = F.normalize(queries, dim=1)
    a = F.normalize(answers, dim=1)
    scores = q @ a.T / temperature
    own = torch.arange(len(scores))
    return F.cross_entropy(scores, own)


def used(
    function: Callable, queries: np.ndarray, answers: np.ndarray, temperature: float
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the loss that `function` computes from tensors, and both gradients, as the notebook does."""
    import torch

    vectors = [torch.from_numpy(x.copy()).requires_grad_() for x in (queries, answers)]
    loss = function(*(x.view_as(x) for x in vectors), temperature)
    loss.backward()
    return loss.item(), *((torch.zeros_like(x) if x.grad is None else x.grad).numpy() for x in vectors)


TABLE = """
    $q = q = F.normalize(queries, dim=1)
    $a = a = F.normalize(answers, dim=1)
    $scores = q @ a.T / temperature
    $loss = F.cross_entropy(scores, own)
    $eye = torch.eye(len(own), dtype=torch.bool)

    you compare the vectors by their product, so long ones win. Divide each vector by its length first.
        $q => q = queries
        $a => a = answers
    the queries are not divided by their lengths. Divide the vectors of both sides.
        $q => q = queries
    the answers are not divided by their lengths. Divide the vectors of both sides.
        $a => a = answers
    you divide by the squared length. Divide each vector by its length, the root of the sum of its squares.
        $q => q = queries / (queries ** 2).sum(1, keepdim=True)
        $a => a = answers / (answers ** 2).sum(1, keepdim=True)
    you normalise each column over the batch. A vector is a row: take its length along the last axis.
        $q => q = F.normalize(queries, dim=0)
        $a => a = F.normalize(answers, dim=0)
    you divide by the length of the whole array. Each vector has its own length.
        $q => q = queries / queries.norm()
        $a => a = answers / answers.norm()
    the choice is the wrong way round: each answer chooses its query. Each query (row) chooses among all
    answers (columns).
        $scores => a @ q.T / temperature
        or
        $loss => F.cross_entropy(scores.T, own)
    you use both directions. Only the queries choose among the answers here.
        $loss => (F.cross_entropy(scores, own) + F.cross_entropy(scores.T, own)) / 2
        or
        $loss => F.cross_entropy(scores, own) + F.cross_entropy(scores.T, own)
    you multiply by the temperature. Divide by it: a small temperature makes differences large.
        / temperature => * temperature
    the temperature is not used. Divide the similarities by it.
        / temperature =>
    you divide by the temperature twice. Divide the similarities once.
        / temperature => / temperature**2
        or
        $loss => F.cross_entropy(scores, own) / temperature
    the loss is multiplied by the temperature. Only divide the similarities by it.
        $loss => F.cross_entropy(scores, own) * temperature
        or
        $loss => F.cross_entropy(scores, own) * temperature**2
    all queries should choose the first answer in your loss. The answer to query i is in row i.
        own = torch.arange(len(scores)) => own = torch.zeros(len(scores), dtype=torch.long)
    each query should choose the next answer in your loss. The answer to query i is in row i.
        own = torch.arange(len(scores)) => own = (torch.arange(len(scores)) + 1) % len(scores)
    the order is reversed in your labels. The answer to query i is in row i.
        own = torch.arange(len(scores)) => own = torch.arange(len(scores)).flip(0)
    no gradient reaches the answers. Both texts go through the same encoder, so train it on both.
        $a => a = F.normalize(answers.detach(), dim=1)
    no gradient reaches the queries. Both texts go through the same encoder, so train it on both.
        $q => q = F.normalize(queries.detach(), dim=1)
    the lengths are detached. They depend on the vectors, too, so let the gradient flow through them.
        $q => q = queries / queries.norm(dim=1, keepdim=True).detach()
        $a => a = answers / answers.norm(dim=1, keepdim=True).detach()
    you return a number, through which no gradient can flow. Return the tensor.
        return $loss => return $loss.item()
    no gradient flows at all. Do not detach the result, and do not compute it with `torch.no_grad`.
        return $loss => return $loss.detach()
    you add up the queries. Take the mean of their losses.
        $loss => F.cross_entropy(scores, own, reduction="sum")
    you return one loss per query. Return their mean, a single number.
        $loss => F.cross_entropy(scores, own, reduction="none")
    you take the mean over all B B scores. Take it over the B queries.
        $loss => -scores.log_softmax(1).diagonal().sum() / scores.numel()
    this is the mean probability of the wrong answers. Take the negative logarithm of the right one's.
        $loss => 1 - scores.softmax(1).diagonal().mean()
    the sign is wrong. The loss is the negative logarithm of the probability.
        $loss => -F.cross_entropy(scores, own)
    you take the logarithm of the mean probability. Take the mean of the logarithms.
        $loss => -scores.softmax(1).diagonal().mean().log()
    the softmax is computed twice: `cross_entropy` contains it. Give it the scores.
        $loss => F.cross_entropy(scores.softmax(1), own)
    your loss is nan or infinite if a probability is 0 in a computer. Use `cross_entropy` or `log_softmax`.
        $loss => -scores.softmax(1).diagonal().log().mean()
        or
        $loss => -(scores.exp().diagonal() / scores.exp().sum(1)).log().mean()
        or
        $loss => (scores.exp().sum(1).log() - scores.diagonal()).mean()
    you add a small number before the logarithm, which changes the loss where a probability is almost 0. Use
    `cross_entropy`.
        $loss => -(scores.softmax(1).diagonal() + {1e-12 | 1e-9 | 1e-8}).log().mean()
    the right answer is missing among those to choose from. Each query chooses among all B answers.
        $loss => (scores - 1e9 * torch.eye(len(own))).logsumexp(1).mean() - scores.diagonal().mean()
        or
        $loss => (scores.masked_fill($eye, {-1e9 | float("-inf")}).logsumexp(1) - scores.diagonal()).mean()
    you only pull pairs together. Without the other answers as negatives, all vectors could become the same.
        $loss => (1 - q @ a.T).diagonal().mean()
        or
        $loss => -scores.diagonal().mean()
    each pair is a yes or no question in your loss. Let each query choose one of all answers: use a softmax.
        $loss => F.binary_cross_entropy_with_logits(scores, torch.eye(len(own), dtype=scores.dtype))
    you compare the similarities with 1 and 0. Let each query choose one of all answers.
        $loss => ((q @ a.T - torch.eye(len(own))) ** 2).mean()
        or
        $loss => ((scores - torch.eye(len(own))) ** 2).mean()
    the queries choose among the queries. Compare them with the answers.
        $scores => q @ q.T / temperature
    a distance counts as a similarity. Near vectors need a high score, so use the cosine.
        $scores => torch.cdist(q, a) / temperature
    you use the Euclidean distance. Use the cosine similarity.
        $scores => -torch.cdist(queries, answers) / temperature
        or
        $scores => -torch.cdist(q, a) / temperature
    you use logarithms to base 2. Use natural ones, as `cross_entropy` does.
        $loss => F.cross_entropy(scores, own) / 0.6931471805599453
    you shift the similarities from -1 ... 1 to 0 ... 1, which halves their differences. Use the cosine
    itself.
        $scores => (q @ a.T + 1) / 2 / temperature
    you take absolute values. A cosine of -1 means that two texts are as different as possible.
        $scores => (q @ a.T).abs() / temperature
    negative similarities become 0. Keep them.
        $scores => (q @ a.T).clamp(min=0) / temperature
    """

PAIRS = """
    the queries are not divided by their lengths
        q = F.normalize(queries, dim=1) => q = queries
    the temperature multiplies the similarities, although it should divide them
        / temperature => * temperature
    each answer chooses its query, although the queries should choose
        F.cross_entropy(scores, own) => F.cross_entropy(scores.T, own)
    the queries are added up, although the loss is their mean
        (scores, own) => (scores, own, reduction="sum")
    """
LOSS = tuple(
    Mistake(one.hint, functools.partial(used, one.function))
    for one in (*edits(in_batch_loss, TABLE), *pairs_of_edits(in_batch_loss, PAIRS))
)


def length_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether longer vectors give the same loss."""
    queries, answers = rng.normal(size=(2, 4, 3))
    longer = [x * rng.uniform(0.5, 4, (4, 1)) for x in (queries, answers)]
    return close(f(*longer, 0.5)[0], f(queries, answers, 0.5)[0])


def chance(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the loss is ln B if all vectors are the same."""
    same = np.tile(rng.normal(size=3), (5, 1))
    return close(float(f(same, same.copy(), 0.3)[0]), float(np.log(5)))


def order_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    queries, answers = rng.normal(size=(2, 5, 3))
    order = rng.permutation(5)
    return close(f(queries[order], answers[order], 0.4)[0], f(queries, answers, 0.4)[0])


def both_sides_learn(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether a gradient reaches each vector of both sides."""
    gradients = f(*rng.normal(size=(2, 4, 3)), 0.5)[1:]
    return all(bool(np.asarray(x).any(1).all()) for x in gradients)
