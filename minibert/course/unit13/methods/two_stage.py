"""Another training stage before the task: a related task with more labels, or the task's own text.

Phang et al. (2018, arXiv 1811.01088), STILTs: fine-tune on an intermediate task, such as MNLI, then on the
target, such as RTE, with a new output layer: two calls of `finetune` on one encoder. Gururangan et al. (2020,
arXiv 2004.10964): pretrain further on text like the task's, or on the task's own. Both may hurt; `gain` says
so, over seeds.
"""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from minibert.model import FastEncoder, Model
from minibert.objectives.whole_word import WholeWordMLM
from minibert.tokenizer import WordPiece
from minibert.training.config import TrainConfig
from minibert.training.loop import train


def further_pretrained(
    model: Model,
    tokenizer: WordPiece,
    texts: Sequence[str],
    config: TrainConfig,
    max_length: int,
    **options: Any,
) -> tuple[Model, list[dict[str, Any]]]:
    """Train a copy of a pretrained model on masked words of `texts`, without labels. Returns (Model, log).

    model: its head "tokens" goes on from where it is; without one, a fresh head is made. Only this head and
    the encoder come back. options: of `train`. Raises ValueError for no texts.
    """
    if not texts:
        raise ValueError("0 texts to pretrain on")
    objective = WholeWordMLM(tokenizer.specials, tokenizer.vocab, max_length)
    copied = copy.deepcopy(model)
    encoder: Any = FastEncoder.of(copied.encoder)
    student = objective.model(encoder)
    if "tokens" in copied.heads:
        student = student.with_part("heads", type(copied.heads)({"tokens": copied.heads["tokens"]}))
    docs = [[encoding.ids] for encoding in tokenizer.encode_batch(list(texts))]
    return student, train(student, objective, lambda rng: objective.build(docs, rng), config, **options)


def gain(direct: Sequence[float] | np.ndarray, staged: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """Return (mean gain of two stages over one, p-value) from the scores of several seeds each.

    direct, staged: the scores, at least two each, of different runs. Welch's t-test, two-sided, by SciPy.
    Raises ValueError for fewer scores.
    """
    from scipy.stats import ttest_ind

    if min(len(direct), len(staged)) < 2:
        raise ValueError(f"{len(direct)} and {len(staged)} scores: at least 2 seeds each")
    difference = float(np.mean(staged) - np.mean(direct))
    return difference, float(ttest_ind(staged, direct, equal_var=False).pvalue)
