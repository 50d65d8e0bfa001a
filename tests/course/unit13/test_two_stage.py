"""Two stages: a first task helps a second one, further pretraining leaves the original, gains have a p."""

import numpy as np
import pytest
import torch
from small_task import BAD, EXAMPLES, GOOD, TOKENIZER, small_encoder

from minibert.course.unit13.methods.two_stage import further_pretrained, gain
from minibert.finetuning.run import finetune
from minibert.model import FastEncoder, Model
from minibert.training.config import TrainConfig

QUIET = {"progress": False, "precision": torch.float32}
QUICK = {"batch_size": 8, "peak_rate": 2e-3, **QUIET}


def score(tuned, examples):
    return tuned.task.metric(examples, tuned.task.answer(tuned.model, examples))["accuracy"]


def test_the_first_stage_helps_where_it_teaches_the_same():
    direct, staged = small_encoder(), small_encoder()
    few = [e for e in EXAMPLES if e.first.startswith("it was") and e.first.split()[-1] in (GOOD[0], BAD[0])]
    finetune("sst2", staged, TOKENIZER, EXAMPLES, steps=60, **QUICK)
    scores = [
        score(finetune("sst2", encoder, TOKENIZER, few, steps=6, **QUICK)[0], EXAMPLES)
        for encoder in (direct, staged)
    ]
    assert scores[1] > scores[0]


def test_further_pretraining_lowers_the_loss_on_its_text_and_leaves_the_model_alone():
    model = Model(FastEncoder.of(small_encoder()), {})
    before = {name: p.clone() for name, p in model.state_dict().items()}
    texts = [example.first for example in EXAMPLES]
    config = TrainConfig(steps=60, batch_size=8, peak_rate=3e-3)
    once, log = further_pretrained(model, TOKENIZER, texts, config, 12, **QUIET)
    losses = [entry["loss"] for entry in log]
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.5
    assert all(torch.equal(p, before[name]) for name, p in model.state_dict().items())
    again, more = further_pretrained(once, TOKENIZER, texts, config, 12, **QUIET)
    assert more[0]["loss"] < losses[0] - 0.5  # its head goes on, too
    assert set(again.heads) == {"tokens"}
    assert again.heads["tokens"].decoder.weight is again.encoder.embeddings.word.weight
    with pytest.raises(ValueError, match="there are no texts"):
        further_pretrained(model, TOKENIZER, [], config, 12)


def test_a_gain_has_a_sign_and_a_p_value():
    difference, p = gain([60.0, 61.0, 59.5], [65.0, 66.0, 64.0])
    assert difference == pytest.approx(4.8333, abs=1e-3) and p < 0.01
    assert gain([60.0, 70.0], [66.0, 63.0])[1] > 0.5
    with pytest.raises(ValueError, match="1 direct and 2 staged scores"):
        gain([60.0], [61.0, 62.0])
