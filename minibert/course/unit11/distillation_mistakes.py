"""Students' common mistakes in `distillation_loss`, soft targets with a temperature, written in PyTorch.

Hinton et al. (2015, arXiv 1503.02531), section 2. The notebook wraps the function, so that the check gets
arrays: use_distillation_loss(student, teacher, temperature) -> (loss, gradient of the student's logits,
gradient of the teacher's logits). PyTorch is imported only when a mistake is tried. Axes: N examples, C
classes.
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


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return logits (N, C) and temperatures: some so far apart that probabilities are 0 in a computer."""

    def logits(*shape: int, size: float = 2.0, dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray]:
        return rng.normal(size=shape).astype(dtype) * size, rng.normal(size=shape).astype(dtype) * size

    return [
        (*logits(3, 4), 2.0),
        (*logits(5, 2), 1.0),
        (*logits(2, 6), 0.5),
        (*logits(1, 5), 4.0),
        (*logits(4, 3, dtype=np.float32), 3.0),
        (*logits(4, 3), 10),
        (np.array([[0.0, 2000.0], [900.0, 1.0]]), np.array([[3000.0, 0.0], [950.0, 0.0]]), 1.5),
        (*logits(3, 2, size=2000.0), 1.5),
        (*logits(4, 1), 2.0),
        (*logits(7, 3, size=5.0), float(rng.uniform(1.5, 6))),
    ]


def allowed(student: np.ndarray, teacher: np.ndarray, temperature: float) -> bool:
    """Return whether there are as many logits of both models, and the temperature is not extreme."""
    return student.shape == teacher.shape and 0.01 <= temperature <= 1000


def distillation_loss(student: torch.Tensor, teacher: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the loss of soft targets, through which no gradient reaches the teacher."""
    from torch.nn import functional as F

    p = F.log_softmax(teacher.detach() / temperature, dim=1)
    q = F.log_softmax(student / temperature, dim=1)
    loss = (p.exp() * (p - q)).sum(dim=1).mean()
    return temperature**2 * loss


def used(
    function: Callable, student: np.ndarray, teacher: np.ndarray, temperature: float
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the loss that `function` computes from tensors, and both gradients, as the notebook does."""
    import torch

    logits = [torch.from_numpy(x.copy()).requires_grad_() for x in (student, teacher)]
    loss = function(*(x.view_as(x) for x in logits), temperature)
    loss.backward()
    return loss.item(), *((torch.zeros_like(x) if x.grad is None else x.grad).numpy() for x in logits)


TABLE = """
    $p = p = F.log_softmax(teacher.detach() / temperature, dim=1)
    $q = q = F.log_softmax(student / temperature, dim=1)
    $kl = (p.exp() * (p - q)).sum(dim=1)
    $loss = $kl.mean()

    a gradient flows into the teacher. Use `teacher.detach()`: only the student is trained.
        teacher.detach() => teacher
        or
        teacher.detach() => teacher.clone()
    you detach the student instead of the teacher. The student is the one that is trained.
        student / => student.detach() /
        teacher.detach() => teacher
    the loss is not multiplied by T². Without it, the gradient shrinks as T grows.
        temperature**2 * => 1 *
    you multiply the loss by T. Multiply it by T²: the logits are divided by T in both models.
        temperature**2 * => temperature *
    you divide the loss by T². Multiply by it: dividing the logits by T has already made the gradient smaller.
        temperature**2 * loss => loss / temperature**2
    you multiply the loss by T² twice. Multiply by it only once.
        temperature**2 => temperature**4
    the teacher's logits are not divided by the temperature. Divide those of both models.
        teacher.detach() / temperature => teacher.detach()
    the student's logits are not divided by the temperature. Divide those of both models.
        student / temperature => student
    the temperature is not used in the softmax. Divide the logits of both models by it.
        teacher.detach() / temperature => teacher.detach()
        student / temperature => student
    the temperature is not used at all. Divide all logits by it, and multiply the loss by its square.
        teacher.detach() / temperature => teacher.detach()
        student / temperature => student
        temperature**2 * => 1 *
    you multiply the logits by the temperature. Divide by it: a high temperature makes the targets softer.
        teacher.detach() / => teacher.detach() *
        student / => student *
    you divide the probabilities by the temperature. Divide the logits, before the softmax.
        $p => p = (F.softmax(teacher.detach(), dim=1) / temperature).log()
        $q => q = (F.softmax(student, dim=1) / temperature).log()
    the divergence is in the wrong direction. It is KL(teacher ‖ student): the teacher's probabilities are the
    weights.
        $kl => (q.exp() * (q - p)).sum(dim=1)
        or
        $loss => F.kl_div(p, q.exp(), reduction="batchmean")
    the sign is wrong, so the loss is negative. Subtract the student's logarithms from the teacher's.
        (p - q) => (q - p)
    this is the cross-entropy. Its gradient is right, but KL also subtracts the teacher's entropy, so that the
    loss is 0 if both agree.
        (p - q) => -q
    the targets are logarithms. `kl_div` needs the teacher's probabilities, or `log_target=True`.
        $loss => F.kl_div(q, p, reduction="batchmean")
    the first argument of `kl_div` must be logarithms of probabilities, such as those of `log_softmax`.
        $loss => F.kl_div(q.exp(), p.exp(), reduction="batchmean")
    you weight by logarithms. Weight the differences by the teacher's probabilities.
        $kl => (p * (p - q)).sum(dim=1)
    the softmax is over the examples. Each row is one example, so its probabilities must add up to 1: take
    the last axis.
        / temperature, dim=1 =>> / temperature, dim=0
    the teacher's softmax is over the examples. Take the last axis for both models.
        $p => p = F.log_softmax(teacher.detach() / temperature, dim=0)
    the student's softmax is over the examples. Take the last axis for both models.
        $q => q = F.log_softmax(student / temperature, dim=0)
    the softmax is over all numbers of the batch together. Take the last axis.
        $p => p = F.log_softmax(teacher.detach().flatten() / temperature, dim=0).view_as(teacher)
        $q => q = F.log_softmax(student.flatten() / temperature, dim=0).view_as(student)
    you take the mean over all N C numbers. Add up the classes, and take the mean over the N examples.
        $loss => (p.exp() * (p - q)).mean()
    you add up the examples. Take their mean, so that the loss does not depend on the size of the batch.
        .mean() => .sum()
    you divide by the number of classes. Add up the classes, and divide by the number of examples.
        $loss => $kl.sum() / student.shape[1]
    your loss is nan or infinite if a probability is 0 in a computer. Use `log_softmax`, not the logarithm
    of `softmax`.
        $p => p = F.softmax(teacher.detach() / temperature, dim=1).log()
        or
        $q => q = F.softmax(student / temperature, dim=1).log()
        or
        $p => p = F.softmax(teacher.detach() / temperature, dim=1).log()
        $q => q = F.softmax(student / temperature, dim=1).log()
    you add a small number before the logarithm, which changes the loss where a probability is almost 0. Use
    `log_softmax`.
        $p => p = (F.softmax(teacher.detach() / temperature, dim=1) + {1e-12 | 1e-9 | 1e-8}).log()
        $q => q = (F.softmax(student / temperature, dim=1) + {1e-12 | 1e-9 | 1e-8}).log()
        or
        $q => q = (F.softmax(student / temperature, dim=1) + {1e-12 | 1e-9 | 1e-8}).log()
    you compare the logits. Compare the probabilities, with KL.
        $loss => ((student - teacher.detach()) ** 2).mean()
        or
        $loss => ((student - teacher.detach()) ** 2).mean() / temperature**2
    you compare the probabilities by their squared differences. Use KL.
        $loss => ((p.exp() - q.exp()) ** 2).sum(dim=1).mean()
        or
        $loss => ((p.exp() - q.exp()) ** 2).mean()
    the loss is half as large as it should be. There is no factor of 1/2.
        temperature**2 * => 0.5 * temperature**2 *
    you use logarithms to base 2. Use natural ones, as `log_softmax` does.
        return temperature**2 * loss => return temperature**2 * loss / 0.6931471805599453
    you use both directions of KL. Use only KL(teacher ‖ student).
        p.exp() * (p - q) => (p.exp() - q.exp()) * (p - q)
        or
        p.exp() * (p - q) => (p.exp() - q.exp()) / 2 * (p - q)
    you also add a loss for the teacher's best class. Use only its soft targets.
        temperature**2 * loss => temperature**2 * loss + F.cross_entropy(student, teacher.argmax(1))
    you use only the teacher's best class, as a hard label. Use all its probabilities as targets.
        $loss => F.nll_loss(q, teacher.argmax(dim=1))
    you return a number, through which no gradient can flow. Return the tensor.
        return temperature**2 * loss => return temperature**2 * loss.item()
    you return one loss per example. Return their mean, a single number.
        .mean() =>
    no gradient flows at all. Only the teacher must be without one: do not put `torch.no_grad` around
    everything, and detach only the teacher.
        student / temperature => student.detach() / temperature
    """

PAIRS = """
    the loss is not multiplied by T²
        temperature**2 * => 1 *
    a gradient flows into the teacher, which should be detached
        teacher.detach() => teacher
    the divergence is in the wrong direction, although the teacher's probabilities should be the weights
        (p.exp() * (p - q)).sum(dim=1) => (q.exp() * (q - p)).sum(dim=1)
    the softmax is over the examples, not over the classes
        / temperature, dim=1 =>> / temperature, dim=0
    this is the cross-entropy, without the teacher's entropy
        (p - q) => -q
    the examples are added up, although the loss is their mean
        .mean() => .sum()
    the teacher's logits are not divided by the temperature
        teacher.detach() / temperature => teacher.detach()
    """
DISTILLATION = tuple(
    Mistake(one.hint, functools.partial(used, one.function))
    for one in (*edits(distillation_loss, TABLE), *pairs_of_edits(distillation_loss, PAIRS))
)


def shifted(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether adding a constant to all logits of an example changes nothing."""
    student, teacher = rng.normal(size=(2, 3, 4))
    moved = f(student + rng.normal(size=(3, 1)), teacher + rng.normal(size=(3, 1)), 2.0)
    return close(tuple(moved), tuple(f(student, teacher, 2.0)))


def nothing_to_learn(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the loss and the gradient are 0 if both models have the same logits."""
    logits = rng.normal(size=(3, 4))
    return all(close(x, np.zeros(np.shape(x))) for x in f(logits, logits.copy(), 3.0))


def teacher_is_left_alone(f: Callable, rng: np.random.Generator) -> bool:
    return close(f(*rng.normal(size=(2, 3, 4)), 2.0)[2], np.zeros((3, 4)))


def as_large_at_every_temperature(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the student's gradient has a limit as the temperature grows, as T² makes sure."""
    student, teacher = rng.normal(size=(2, 3, 4))
    sizes = [abs(np.asarray(f(student, teacher, T)[1])).sum() for T in (200.0, 800.0)]
    return 0.9 < sizes[1] / sizes[0] < 1.1
