"""The interface of a task: the shape of an objective, plus `decode` and `metric`.

Devlin et al. (2019, arXiv 1810.04805), section 3.2: one trunk, one small new output layer for each task.
"""
import numpy as np
import torch

from ..batch import IGNORE, Batch, collate, row_size, visible_all
from ..model.goal import Arrays, Goal, Tensors, to_torch

NAMED = 8           # labels that a message names; a file may have hundreds


def few(names):
    """Names for a message: all of few, of many the first NAMED and their number.

    >>> few(["no", "yes"]), few([str(i) for i in range(39)])
    ('no, yes', '0, 1, 2, 3, 4, 5, 6, 7, … (39 in all)')
    """
    shown = ", ".join(f"{name:.60}" for name in names[:NAMED])
    return f"{shown}, … ({len(names)} in all)" if len(names) > NAMED else shown


class Task(Goal):
    """tokenizer: encodes text; max_length: of a row, special tokens included."""

    name = "?"
    header = ""         # the first line of a predictions file, where it has one

    def __init__(self, tokenizer, max_length):
        self.tokenizer, self.specials, self.max_length = tokenizer, tokenizer.specials, max_length

    @classmethod
    def fit(cls, tokenizer, max_length, examples, **settings):
        """The task for these training examples, from which it takes what it must know beforehand, such as the
        labels.

        settings: further arguments of the constructor.
        """
        return cls(tokenizer, max_length, **settings)

    @property
    def settings(self):
        """The constructor's further arguments, plain values, to make the task again from a folder."""
        return {}

    def encode(self, examples):
        """Examples to (rows, labels, origins): labels for the loss, origins to find the way back to the
        text.
        """
        raise NotImplementedError

    def heads(self, encoder):
        """The new output layers, by the name of their logits."""
        raise NotImplementedError

    def loss(self, outputs, labels):
        """Logits and a label tensor to a scalar."""
        raise NotImplementedError

    def decode(self, examples, origins, logits):
        """Logits of the rows to one answer per example."""
        raise NotImplementedError

    def metric(self, examples, answers):
        """Answers to scores by name, each 0 to 100. A label that training lacked counts as wrong, see
        `notice`.
        """
        raise NotImplementedError

    def unseen(self, examples):
        """The labels of examples that no answer can be, since training lacked them, sorted; here there are
        none.
        """
        return []

    def notice(self, examples):
        """What to tell of labelled examples that are to be scored, without a line's end; "" where there is
        nothing to tell.
        """
        unseen = self.unseen(examples)
        return f"labels not seen in training, counted as wrong: {few(unseen)}" if unseen else ""

    def text(self, examples, answers):
        """The answers as the text of a predictions file, below its `header`."""
        raise NotImplementedError

    def collate(self, rows, labels=None):
        """Rows to a padded Batch; labels of unequal length are padded with IGNORE."""
        batch = collate(rows, self.specials)
        if labels is None:
            return batch
        width = max(len(label) for label in labels)
        padded = np.full((len(labels), width), IGNORE, np.int64)
        for i, label in enumerate(labels):
            padded[i, :len(label)] = label
        return Batch(batch.input_ids, batch.token_type_ids, batch.real, padded)

    def corrupt(self, batch: Batch, rng: np.random.Generator | None = None) -> tuple[Arrays, Arrays]:
        """Return (inputs of the model, labels) of a batch; nothing is masked, and nothing is drawn."""
        inputs = {"input_ids": batch.input_ids, "token_type_ids": batch.token_type_ids,
                  "visible": visible_all(batch.real)}
        return inputs, {} if batch.sequence_labels is None else {self.name: batch.sequence_labels}

    def inputs(self, batch: Batch, device: torch.device | str) -> Tensors:
        """Return a Batch as arguments of the model."""
        return to_torch(self.corrupt(batch)[0], torch.device(device))

    def parts(self, outputs: Tensors, labels: Tensors) -> Tensors:
        """Return the one term of the loss, by the task's name."""
        return {self.name: self.loss(outputs, labels[self.name])}

    def counts(self, labels: Arrays) -> dict[str, int]:
        """Count the labels that the loss is a mean over."""
        return {self.name: int((labels[self.name] != IGNORE).sum())}

    def together(self, one, other):
        """True for neighbours that are read as one text, so that they must be answered together."""
        return False

    def unlabelled(self, examples):
        """The examples without what may not be known of them; here as they are."""
        return examples

    def tune(self, model, examples):
        """Choose on held-out labelled examples what training does not learn, such as a threshold; here
        nothing.
        """

    def answer(self, model, examples, batch_size=32):
        """One answer per example, by a trained model; their labels are not looked at."""
        rows, _, origins = self.encode(self.unlabelled(examples))
        return self.decode(examples, origins, self.logits(model, rows, batch_size))

    @torch.no_grad()
    def logits(self, model, rows, batch_size=32):
        """Logits of each row, float32 arrays: (T, C) with the padding cut off, or (C,) where the head answers
        for the row.

        Rows of like length share a batch.
        """
        model.eval()
        device = next(model.parameters()).device
        by_length = sorted(range(len(rows)), key=lambda i: row_size(rows[i]))
        result = [None] * len(rows)
        for start in range(0, len(rows), batch_size):
            indices = by_length[start:start + batch_size]
            batch = self.collate([rows[i] for i in indices])
            logits = model(**self.inputs(batch,
                                         device))[self.name].float().cpu().numpy()       # (B, T, C) or (B, C)
            for i, row_logits, real in zip(indices, logits, batch.real):
                result[i] = row_logits[:real.sum()] if row_logits.ndim == 2 else row_logits
        return result
