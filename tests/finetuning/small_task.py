"""A task of short sentences that a tiny encoder learns in seconds; tests of fine-tuning share it."""

import torch
from tiny import CONFIG

from minibert.data.batch import SPECIAL_TOKENS
from minibert.finetuning.run import finetune
from minibert.model import Encoder
from minibert.readers.glue import TextExample
from minibert.tokenizer.fast import FastWordPiece

GOOD, BAD = ("fine", "good", "lovely"), ("awful", "bad", "dull")
FILLERS = ("a", "film", "is", "it", "the", "was")
TOKENIZER = FastWordPiece([*SPECIAL_TOKENS, *sorted((*GOOD, *BAD, *FILLERS))])
EXAMPLES = [
    TextExample(f"{start} {word}", None, label, "0", 1)
    for label, words in (("1", GOOD), ("0", BAD))
    for word in words
    for start in ("it was", "the film is", "a film was", "it is a")
]


def small_encoder(seed=0):
    """A tiny encoder for these sentences, with fresh weights."""
    torch.manual_seed(seed)
    return Encoder(CONFIG.replace(vocab_size=len(TOKENIZER)))


def tuned(encoder, examples=EXAMPLES, peak_rate=5e-3, **options):
    """Fine-tune an encoder on these sentences. Returns the Finetuned."""
    fixed = {"batch_size": 8, "precision": torch.float32, "progress": False}
    return finetune("sst2", encoder, TOKENIZER, examples, peak_rate=peak_rate, **fixed, **options)[0]


def accuracy(model, task, examples=EXAMPLES):
    """How many in a hundred of the examples' labels the model gives."""
    return task.metric(examples, task.answer(model, EXAMPLES))["accuracy"]
