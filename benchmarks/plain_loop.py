"""Fine-tuning like the example scripts of Hugging Face: a `transformers` model and shuffled batches.

Each batch is padded to its longest sequence, and products are in bfloat16. Encoding, loss, decoding and
scores are those of this package, so that only the training differs.
"""

import time

import numpy as np
import torch
import transformers
from torch import nn

from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.registry import REGISTRY
from minibert.training.config import TrainConfig
from minibert.training.micro_batch import loss_of_batch
from minibert.training.optimizers import make_optimizer

MODELS = {
    "qa": transformers.BertForQuestionAnswering,
    "ner": transformers.BertForTokenClassification,
    "sst2": transformers.BertForSequenceClassification,
}


class Theirs(nn.Module):
    """A `transformers` model with the inputs and outputs of our models."""

    def __init__(self, module, name):
        super().__init__()
        self.module, self.name = module, name

    def forward(self, input_ids, visible, token_type_ids):
        out = self.module(
            input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=visible.any(1).long()
        )
        span = "start_logits" in out
        return {self.name: torch.stack([out.start_logits, out.end_logits], -1) if span else out.logits}


def finetune_plainly(
    name, folder, tokenizer, examples, *, epochs, batch_size, peak_rate, seed, max_length, device
):
    """Fine-tune the weights in a folder with a plain loop; return (Finetuned, seconds of its steps)."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.manual_seed(seed)
    task = REGISTRY[name].task.fit(tokenizer, max_length, examples)
    # A question has two classes, start and end.
    classes = getattr(task, "tags", None) or getattr(task, "labels", "se")
    model = Theirs(MODELS[name].from_pretrained(folder, num_labels=len(classes)), task.name).to(device)
    rows, labels, _ = task.encode(examples)
    starts = range(0, len(rows), batch_size)
    steps = epochs * len(starts)
    config = TrainConfig(steps=steps, batch_size=batch_size, peak_rate=peak_rate)
    optimizer = make_optimizer(model, config)
    schedule = transformers.get_linear_schedule_with_warmup(optimizer, round(config.warmup * steps), steps)
    rng, began = np.random.default_rng(seed), time.perf_counter()
    model.train()
    for _ in range(epochs):
        order = rng.permutation(len(rows))
        for start in starts:
            some = order[start : start + batch_size]
            batch = task.collate([rows[i] for i in some], [labels[i] for i in some])
            with torch.autocast(torch.device(device).type, torch.bfloat16):
                loss, _ = loss_of_batch(task, model, batch, rng)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), config.clip)
            optimizer.step()
            schedule.step()
    return Finetuned(name, task, model), time.perf_counter() - began
