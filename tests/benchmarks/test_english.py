"""How the English weights are made: the rows of the second part, the scores, n-grams, and the page."""
import json
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, documents

from minibert.batch import IGNORE
from minibert.model import FastEncoder, Model, TokenHead


@pytest.fixture
def english(script):
    return script("english")


def test_the_second_part_reads_fewer_wrong_pairs_and_single_sentences(english):
    objective = english.FewerWrong(SPECIALS, CONFIG.vocab_size, 24)
    rows, labels = objective.build(documents(count=60), np.random.default_rng(0))
    count = {label: labels.count(label) for label in (0, 1, IGNORE)}
    assert count[1] == pytest.approx(count[0] / 3, rel=0.3) and count[IGNORE] == round(count[0] * 2 / 3)
    assert all((second is None) == (label == IGNORE) for (_, second), label in zip(rows, labels))


@pytest.mark.parametrize("labels, expected", [([0, 1, 1], (1 + 6) / 3), ([0, 1, IGNORE], (1 + 3) / 2),
                                              ([IGNORE] * 3, 0)])
def test_wrong_pairs_count_as_much_as_right_ones_and_single_sentences_nothing(english, labels, expected):
    logits = torch.zeros(3, 2)
    objective = english.FewerWrong(SPECIALS, CONFIG.vocab_size, 24)
    loss = objective.loss({"pair": logits}, {"pair": torch.tensor(labels)})
    assert loss.item() == pytest.approx(expected * np.log(2))


def test_a_model_that_always_says_one_token_is_right_where_it_stands(english):
    torch.manual_seed(0)
    encoder = FastEncoder(CONFIG)
    model = Model(encoder, {"tokens": TokenHead(CONFIG, encoder.embeddings.word)})
    with torch.no_grad():
        model.heads["tokens"].decoder.bias[7] = 1e3
    english.LENGTH = 20
    text = [[[7, 8, 8, 8]] * 40]
    assert 20 < english.one_at_a_time(model, SimpleNamespace(specials=SPECIALS), text) < 30


def test_an_n_gram_says_what_followed_most_often(script):
    module = script("english_baselines")
    train = np.array([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 9, 2, 2, 2, 2, 2])
    held = np.array([1, 2, 3, 4, 7, 1, 2, 3, 4, 0])
    assert module.predictions(train, held, [1]).tolist() == [2] * 6
    assert module.predictions(train, held, range(1, 6))[[0, 5]].tolist() == [5, 5]


def test_the_page_tells_of_all_runs_there_are(script, tmp_path):
    module = script("english_table")
    scores = {kind: {"mlm": 40 + place, "nsp": 90.0} for place, kind in enumerate(
        [*module.KINDS, "all together"])}
    card = {"scores": scores, "everyday": 31, "tokens": 2_500_000, "hours": 1.5,
            "one at a time": dict.fromkeys(module.KINDS, 44.4)}
    for name in ("frozen", "mlm"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"card": card, "everyday": [
            ("A [MASK].", ["cat", "dog"], True)]}))
    (tmp_path / "baselines.json").write_text(json.dumps({kind: {"5-gram": 18.0} for kind in module.KINDS}))
    (tmp_path / "mlm.curve.jsonl").write_text(json.dumps(
        {"part": 1, "step": 225, "scores": scores, "everyday": 12}) + "\n")
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(
        {"task": "qa", "way": "lora", "seed": seed, "scores": {"SQuAD": {"F1": f1}}}) + "\n"
        for seed, f1 in enumerate((60.0, 62.0))))
    page = module.page(tmp_path)
    assert "| what ships | 40.0 | 41.0 | 42.0 | 90.0 | 31 of 40 | 2.5 | 1.5 |" in page
    assert page.index("| what ships |") < page.index("| frozen | 40.0") < page.index("| 5-gram | 18.0 |")
    assert "| 1 | 225 | 40.0 |" in page and "44.4% in books" in page
    assert "| qa | SQuAD | F1 | 61.0 ± 1.4 (2 seeds) |  |" in page and "| ✓ | A [MASK]. | cat, dog |" in page
