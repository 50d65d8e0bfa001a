"""How the English weights are made: the rows of the parts, the scores, n-grams, and the page."""

import json
import re
from typing import NamedTuple

import numpy as np
import pytest
import torch
from conftest import ROOT
from tiny import CONFIG, SPECIALS, documents

from minibert.data.batch import IGNORE
from minibert.english.everyday import everyday
from minibert.model import FastEncoder, Model, TokenHead


class FakeTokenizer(NamedTuple):
    """What the scores ask of a tokenizer."""

    specials: object

    def __len__(self):
        return CONFIG.vocab_size


@pytest.fixture
def english(script):
    return script("english")


def test_the_second_part_reads_fewer_wrong_pairs_and_single_sentences(english):
    objective = english.FewerWrong(SPECIALS, CONFIG.vocab_size, 24)
    rows, labels = objective.build(documents(count=60), np.random.default_rng(0))
    count = {label: labels.count(label) for label in (0, 1, IGNORE)}
    assert count[1] == pytest.approx(count[0] / 3, rel=0.3) and count[IGNORE] == round(count[0] * 2 / 3)
    assert all((second is None) == (label == IGNORE) for (_, second), label in zip(rows, labels))


@pytest.mark.parametrize(
    "labels, expected", [([0, 1, 1], (1 + 6) / 3), ([0, 1, IGNORE], (1 + 3) / 2), ([IGNORE] * 3, 0)]
)
def test_wrong_pairs_count_as_much_as_right_ones_and_single_sentences_nothing(english, labels, expected):
    logits = torch.zeros(3, 2)
    objective = english.FewerWrong(SPECIALS, CONFIG.vocab_size, 24)
    loss = objective.loss({"pair": logits}, {"pair": torch.tensor(labels)})["nsp"]
    assert loss.item() == pytest.approx(expected * np.log(2))


def test_a_model_that_always_says_one_token_is_right_where_it_stands(english):
    torch.manual_seed(0)
    encoder = FastEncoder(CONFIG)
    model = Model(encoder, {"tokens": TokenHead(CONFIG, encoder.embeddings.word)})
    with torch.no_grad():
        model.heads["tokens"].decoder.bias[7] = 1e3
    english.LENGTH = 20
    text = [[[7, 8, 8, 8]] * 40]
    tokenizer = FakeTokenizer(SPECIALS)
    assert 20 < english.one_at_a_time(model, tokenizer, text) < 30
    assert 20 < english.as_bert_counts(model, tokenizer, text) < 30


def test_who_says_what_he_reads_is_right_where_a_token_stays_in_sight(english):
    """A tenth of 15% stay, so a model that repeats its input has 10%; with the text in sight it had 100."""

    class Repeats(torch.nn.Linear):
        def forward(self, ids, visible, types, counted):
            return {"tokens": torch.nn.functional.one_hot(ids[counted], CONFIG.vocab_size)}

    english.LENGTH = 20
    text = [[[7, 8, 9, 10]] * 40]
    assert 8 < english.as_bert_counts(Repeats(1, 1), FakeTokenizer(SPECIALS), text) < 12
    assert english.one_at_a_time(Repeats(1, 1), FakeTokenizer(SPECIALS), text) == 0


def test_the_third_part_reads_lines_of_everyday_life_as_rows_of_their_own(english):
    lines = [[place] * 3 for place in range(100)]
    rows, labels = english.with_lines([((1, 2), (3,))], [0], lines, 60, np.random.default_rng(0))
    assert rows[0] == ((1, 2), (3,)) and labels == [0] + [IGNORE] * 60
    assert all(second is None for _, second in rows[1:])
    assert len({first[0] for first, _ in rows[1:]}) == 60


def test_in_the_fourth_part_most_rows_are_full_of_one_text(english):
    docs = [[[number] * 10 for _ in range(30)] for number in range(5, 13)]
    part = english.MostlyFull(SPECIALS, 20, 62)
    rows, labels = part.build(docs, np.random.default_rng(0))
    full = [first for (first, second), label in zip(rows, labels) if label == IGNORE and len(first) == 60]
    assert sorted(first[0] for first in full) == sorted([6, 7, 9, 10, 12] * 5)  # not 5, 8, 11
    assert set(labels) == {0, 1, IGNORE}
    loss = part.loss({"pair": torch.zeros(4, 2)}, {"pair": torch.tensor([0, IGNORE, IGNORE, IGNORE])})["nsp"]
    assert loss.item() == pytest.approx(np.log(2) / 4)


def fives(text):
    """Every five words in a row; a gap is None."""
    words = [None if word == "[mask]" else word for word in re.findall(r"\[mask\]|[a-z']+", text.lower())]
    return [tuple(words[start : start + 5]) for start in range(len(words) - 4)]


def test_no_line_to_train_on_has_five_words_in_a_row_of_a_sentence_to_test_with(script, english):
    asked = {five for text, _ in [*everyday(), *english.fresh()] for five in fives(text)}
    assert len(english.fresh()) == 60
    near = ["Yesterday I went to the farm to get some eggs.", "I wrote her a long story."]
    lines = [*script("english_text").everyday_lines(), *near]
    shared = [
        line
        for line in lines
        for five in fives(line)
        if asked & {five, *((*five[:gap], None, *five[gap + 1 :]) for gap in range(5))}
    ]
    assert set(shared) == set(near)  # one of the forty, one of the sixty


def test_a_run_goes_on_from_what_was_packed(english):
    """With zeros in place of a published encoder: what was added comes back, and is added once."""
    encoder = FastEncoder(CONFIG)
    encoder.load_state_dict({name: torch.zeros_like(x) for name, x in encoder.state_dict().items()})
    word = encoder.embeddings.word
    model = Model(encoder, {"tokens": TokenHead(CONFIG, word)})
    english.parametrize.register_parametrization(word, "weight", english.LowRank(*word.weight.shape, 2))
    heads = {name: torch.full_like(x, 5) for name, x in english.untied(model.heads).items()}
    name, weight = list(model.encoder.named_parameters())[-1]
    factors = model.encoder.embeddings.word.parametrizations.weight[0]
    adapter = english.Adapter(
        {
            "embeddings.word.weight.a": torch.ones_like(factors.a),
            "embeddings.word.weight.b": torch.ones_like(factors.b),
            name: torch.ones_like(weight),
        },
        heads,
        "",
        {},
    )
    english.start_from(model, adapter)
    assert all((x == 5).all() for x in english.untied(model.heads).values())
    assert (model.encoder.embeddings.word.weight == 2).all() and (weight == 1).all()


def test_what_ships_may_lie_between_beginning_and_end(english):
    model = torch.nn.Linear(2, 1)
    start = {name: torch.full_like(p, 10) for name, p in model.named_parameters()}
    for share, expected in ((1.0, 20), (0.7, 17), (0.0, 10)):
        for p in model.parameters():
            torch.nn.init.constant_(p, 20)
        english.average(model, start, share)
        assert all(torch.allclose(p, torch.full_like(p, expected)) for p in model.parameters())


def test_an_n_gram_says_what_followed_most_often(script):
    module = script("english_baselines")
    train = np.array([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 9, 2, 2, 2, 2, 2])
    held = np.array([1, 2, 3, 4, 7, 1, 2, 3, 4, 0])
    assert module.predictions(train, held, [1]).tolist() == [2] * 6
    assert module.predictions(train, held, range(1, 6))[[0, 5]].tolist() == [5, 5]


def test_the_page_tells_of_all_runs_there_are(script, tmp_path, monkeypatch):
    module = script("english_table")
    monkeypatch.setitem(module.all_tasks.__globals__, "kept_results", lambda: {"tasks": []})
    scores = {
        kind: {"mlm": 40 + place, "nsp": 90.0} for place, kind in enumerate([*module.KINDS, "all together"])
    }
    card = {
        "scores": scores,
        "everyday": 31,
        "tokens": 2_500_000,
        "hours": 1.5,
        "one at a time": dict.fromkeys(module.KINDS, 44.4),
        "as BERT counts": {"books": 46.0, "wikipedia": 45.0, "web": 43.0},
        "fresh": 41,
        "command": "python english.py --steps 0 0 9",
        "commit": "b2",
        "before": {
            "tokens": 1_000_000,
            "hours": 0.5,
            "before": None,
            "command": "python english.py",
            "commit": "a1",
        },
    }
    more = {
        **card,
        "tokens": 7_000_000,
        "before": None,
        "command": "python english.py --trial frozen",
        "scores": {**scores, "books": {"mlm": 38, "nsp": 90.0}},
    }
    for name, made in (("frozen", more), ("mlm", card)):
        (tmp_path / f"{name}.json").write_text(
            json.dumps({"card": made, "everyday": [("A [MASK].", ["cat", "dog"], True)]})
        )
    (tmp_path / "baselines.json").write_text(json.dumps({kind: {"5-gram": 18.0} for kind in module.KINDS}))
    (tmp_path / "mlm.curve.jsonl").write_text(
        json.dumps({"part": 1, "step": 225, "scores": scores, "everyday": 12, "fresh": 13}) + "\n"
    )
    settings = script("english_tasks").settings("qa", "lora")
    (tmp_path / "tasks.jsonl").write_text(
        "".join(
            json.dumps({**settings, "seed": seed, "scores": {"SQuAD": {"F1": f1}}}) + "\n"
            for seed, f1 in enumerate((60.0, 62.0))
        )
    )
    page = module.page(module.gathered(tmp_path, {**module.kept_results(), "runs": {}}))
    assert "- frozen: `python english.py --trial frozen` (commit b2), on cpu" in page
    assert "frozen has read 2.0 times as much" in page and "-2.0 points in books, +0.0 points in wiki" in page
    assert "by `python english.py` (commit a1), then `python english.py --steps 0 0 9` (commit b2)." in page
    assert "| what ships | 40.0 | 41.0 | 42.0 | 90.0 | 31 of 40 | 41 of 60 | 3.5 | 2.0 |" in page
    assert page.index("| what ships |") < page.index("| frozen | 38.0") < page.index("| 5-gram | 18.0 |")
    assert "| 12 of 40 | 13 of 60 |" in page and "44.4% in books" in page and "43.0% in web" in page
    assert "| qa | SQuAD | F1 | 61.0 ± 1.4 (2 seeds) |  |" in page and "| ✓ | A [MASK]. | cat, dog |" in page


def test_the_page_is_what_is_kept_of_the_runs(script):
    table = script("english_table")
    assert table.page(table.kept_results()) == table.OUT.read_text(encoding="utf-8")


def test_runs_of_these_settings_come_beside_those_that_are_kept(script, tmp_path):
    tasks = script("english_tasks")
    new = {**tasks.settings("ner", "full"), "seed": 7, "scores": {}}
    (tmp_path / "tasks.jsonl").write_text(
        "".join(json.dumps(run) + "\n" for run in (new, {**new, "seed": 8, "batch_size": 3}))
    )
    found = tasks.all_tasks(tmp_path)
    assert new in found and len(found) == len(tasks.kept_results()["tasks"]) + 1


def test_lesson_1_says_how_much_was_masked_in_training(script):
    lesson = (ROOT / "lessons/01_self_supervision.nb.py").read_text()
    assert f"The English model's last training masked {script('english').RATE:.0%}," in lesson


def test_what_lesson_5_says_of_a_small_bert_on_a_gpu_was_measured(script):
    runs = json.loads((ROOT / "benchmarks/results/english.json").read_text())["runs"]
    scratch, ships = runs["scratch"]["card"], runs["mlm"]["card"]
    lesson = " ".join((ROOT / "lessons/05_pretraining.nb.py").read_text().replace("\n# ", " ").split())
    assert "H100" in scratch["device"]
    said = (
        f"After {scratch['tokens'] / 1e6:.0f} million tokens of books, Wikipedia and web pages, which "
        f"took {60 * scratch['hours']:.0f} minutes, it predicted {scratch['as BERT counts']['books']}%"
    )
    read = script("english_table").spent(ships, "tokens")
    known = f"read another {read / 1e6:.0f} million tokens: {ships['as BERT counts']['books']}%"
    assert said in lesson and known in lesson
