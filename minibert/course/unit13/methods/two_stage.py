"""Add a first stage of training before the task: on a related task with more labels or on unlabelled text.

Phang et al. (2018, arXiv 1811.01088), STILTs: fine-tune on an intermediate task, such as MNLI, then on the
target task, such as RTE, with a new output layer. Gururangan et al. (2020, arXiv 2004.10964): continue
pretraining on text like the task's, or on the task's own text. Both may lower the score; `gain` tests this
over multiple seeds.
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
    """Continue pretraining a copy of a model on masked words of `texts`; return the copy and its log.

    model: its head "tokens" is trained further, or a new head is created if there is none. The copy contains
    only this head and the encoder. options: passed on to `train`. Raises ValueError if there are no texts.
    """
    if not texts:
        raise ValueError("there are no texts to pretrain on")
    objective = WholeWordMLM(tokenizer.specials, tokenizer.vocab, max_length)
    copied = copy.deepcopy(model)
    encoder: Any = FastEncoder.of(copied.encoder)
    student = objective.model(encoder)
    if "tokens" in copied.heads:
        student = student.with_part("heads", type(copied.heads)({"tokens": copied.heads["tokens"]}))
    docs = [[encoding.ids] for encoding in tokenizer.encode_batch(list(texts))]
    return student, train(student, objective, lambda rng: objective.build(docs, rng), config, **options)


def gain(direct: Sequence[float] | np.ndarray, staged: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """Return the mean gain from training in two stages instead of one, and its p-value.

    direct, staged: the scores of at least two runs (with different seeds) with one and with two stages. The
    test is SciPy's two-sided Welch t-test. Raises ValueError for fewer scores.
    """
    from scipy.stats import ttest_ind

    if min(len(direct), len(staged)) < 2:
        raise ValueError(
            f"got {len(direct)} direct and {len(staged)} staged scores, but at least 2 of each are needed"
        )
    difference = float(np.mean(staged) - np.mean(direct))
    return difference, float(ttest_ind(staged, direct, equal_var=False).pvalue)
