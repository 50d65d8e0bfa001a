"""Distillation: a small student learns from the probabilities that a large teacher gives to all classes.

Hinton et al. (2015, arXiv 1503.02531), section 2: soft targets, with a temperature. `hidden_states` adds
losses on what is inside the two models. Axes: B sequences, T tokens, C classes, D hidden, L layers.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ...data.batch import IGNORE, Batch
from ...model import Model
from ...model.goal import Arrays, Goal, Tensors
from ...model.heads import Backbone
from ...reference.losses import check_temperature


def soften(scores: Tensor, temperature: float) -> Tensor:
    """Return softmax(scores / temperature) over the last axis, as `reference.losses.soften` does."""
    check_temperature(temperature)
    return (scores / temperature).softmax(-1)


def distillation_loss(student: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """Return T^2 times the mean KL divergence of the student's softened probabilities from the teacher's.

    student, teacher: logits (..., C). The result is a scalar in nats, 0 if all probabilities agree; no
    gradient flows into the teacher. See `reference.losses.distillation_loss` for T^2.
    """
    check_temperature(temperature)
    log_student, log_teacher = (
        (scores.float() / temperature).log_softmax(-1) for scores in (student, teacher.detach())
    )  # (..., C)
    return temperature**2 * (log_teacher.exp() * (log_teacher - log_student)).sum(-1).mean()


class Distillation(Goal):
    """A task, or another goal, whose labels a student learns together with a teacher's soft targets.

    The loss is (1 - share) times that of `goal` plus share times `distillation_loss` (Hinton et al., section
    2). teacher: a Model with the same logits, which is not changed. The student may be any encoder, such as a
    BiLSTM. Raises ValueError if share is not in 0 to 1, or for a temperature that is not above 0.
    """

    extra: tuple[str, ...] = ()  # names of further terms of the loss, see `inside`
    options: Mapping[str, Any] = {}  # further arguments of both encoders

    def __init__(self, goal: Goal, teacher: Model, temperature: float = 2.0, share: float = 0.5) -> None:
        check_temperature(temperature)
        if not 0 <= share <= 1:
            raise ValueError(f"share={share} must be between 0 and 1")
        self.goal, self.teacher, self.temperature, self.share = goal, teacher.eval(), temperature, share
        self.name, self.specials, self.max_length = goal.name, goal.specials, goal.max_length
        self.of = next(iter(goal.terms.values()))  # the name of the labels, and of the logits

    @property
    def terms(self) -> dict[str, str]:
        return {**self.goal.terms, **dict.fromkeys(("soft", *self.extra), self.of)}

    @property
    def weights(self) -> Mapping[str, float]:  # type: ignore[override]  # depends on the share
        hard = {name: (1 - self.share) * self.goal.weights.get(name, 1) for name in self.goal.terms}
        return {**hard, "soft": self.share}

    def collate(self, rows: list, labels: Any = None, length: int | None = None) -> Batch:
        return self.goal.collate(rows, labels, length)

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        return self.goal.corrupt(batch, rng)

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return self.goal.heads(encoder)

    def step(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        """Run the student and, without gradient, the teacher; return the terms of the loss."""
        with torch.no_grad():
            taught = self.teacher(**inputs, **self.options)
        found = model(**inputs, **self.options)
        inside = dict(zip(self.extra, self.inside(found, taught, inputs)))
        return {**self.goal.loss(found, labels), "soft": self.soft(found, taught, labels), **inside}

    def soft(self, found: Tensors, taught: Tensors, labels: Tensors) -> Tensor:
        """Return the loss of the student's logits `found` against the teacher's, `taught`."""
        student, teacher = (self.counted(logits[self.of], labels[self.of]) for logits in (found, taught))
        if student.shape[-1] == 1:
            raise ValueError("one logit has no probabilities: use LogitDistillation for a regression")
        return distillation_loss(student, teacher, self.temperature)

    def inside(self, found: Any, taught: Any, inputs: Tensors) -> tuple[Tensor, ...]:
        """Return the `extra` terms of the loss, which compare what is inside the models; here none."""
        return ()

    def counted(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return the logits (N, C) of counted labels, or (B, 2, T) for the start and end of an answer."""
        if logits.dim() < 3:
            return logits
        return logits[labels != IGNORE] if labels.shape == logits.shape[:2] else logits.transpose(1, 2)


class LogitDistillation(Distillation):
    """Distillation by the squared difference of the logits, without a temperature.

    Tang et al. (2019, arXiv 1903.12136), section 3.2, distil a BERT into a BiLSTM in this way.
    """

    def soft(self, found: Tensors, taught: Tensors, labels: Tensors) -> Tensor:
        """Return the mean squared difference of the logits; a scalar."""
        student, teacher = (self.counted(logits[self.of], labels[self.of]) for logits in (found, taught))
        return F.mse_loss(student.float(), teacher.float())
