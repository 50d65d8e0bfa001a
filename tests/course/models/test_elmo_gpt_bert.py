"""Lesson 9's kept models are those of today's recipe and language, and a file gives back what was saved."""

import json
from dataclasses import asdict

import pytest
import torch

from minibert.course.models import elmo_gpt_bert as twins
from minibert.course.models.elmo_gpt_bert import training as elmo_gpt_bert
from minibert.generated.fingerprint import fingerprint
from minibert.tokenizer.fast import FastWordPiece

WORDS = FastWordPiece(
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefgh", *(f"##{c}" for c in "abcdefgh")]
)
NAMES = tuple(twins.RECIPES)


def fresh(name, seed=3):
    return elmo_gpt_bert.new_model(name, twins.trained_budget(name), WORDS, seed)


def test_the_three_differ_in_their_recipes_alone():
    budgets = [asdict(twins.trained_budget(name)) for name in NAMES]
    free = {key for recipe in twins.RECIPES.values() for key in recipe}
    assert (
        len(
            {
                json.dumps({key: value for key, value in budget.items() if key not in free})
                for budget in budgets
            }
        )
        == 1
    )
    assert twins.trained_budget("BERT with NSP") == twins.trained_budget("BERT")
    assert twins.trained_budget("BERT", steps=5).steps == 5


def test_a_recipe_reaches_what_trains():
    budget = twins.trained_budget("BERT", mask_rate=0.45, peak_rate=1e-4, weight_decay=0.2)
    config = budget.training(4)
    assert (config.optimizer, config.peak_rate, config.weight_decay, config.seed) == ("muon", 1e-4, 0.2, 4)
    assert config.embedding_share == budget.embedding_share and config.batch_size == budget.batch_size
    assert elmo_gpt_bert.objective_of("BERT", budget, WORDS).rate == 0.45
    assert elmo_gpt_bert.objective_of("BERT with NSP", budget, WORDS).objectives[1].rate == 0.45


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_twin_answers_almost_as_before(name, tmp_path):
    model = fresh(name).eval()
    twins.save_trained(name, model, WORDS, {"seed": 3}, tmp_path)
    again, tokenizer, card = twins.load_trained(name, tmp_path)
    assert card == {"seed": 3} and tokenizer.vocab == WORDS.vocab and not again.training
    ids = torch.tensor([[2, 5, 9, 13, 3]])
    inputs = ids, torch.ones(1, 5, 5, dtype=torch.bool), torch.zeros_like(ids)
    for head, logits in model(*inputs).items():
        assert torch.allclose(again(*inputs)[head], logits, atol=0.05 * logits.abs().max().item())
        assert not torch.allclose(
            fresh(name, 4).eval()(*inputs)[head], logits, atol=0.05 * logits.abs().max().item()
        )


def test_a_file_of_another_model_is_refused_by_name(tmp_path):
    twins.save_trained("GPT", fresh("GPT"), WORDS, {}, tmp_path)
    (tmp_path / "GPT.safetensors").rename(tmp_path / "ELMo.safetensors")
    with pytest.raises(
        ValueError, match=r"ELMo.safetensors: the weights do not fit ELMo with a vocabulary of 21"
    ):
        twins.load_trained("ELMo", tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_twins_are_of_today_s_recipe_and_language(name):
    _, _, card = twins.load_trained(name)
    assert card["recipe"] == asdict(twins.trained_budget(name)), (
        "another recipe: python benchmarks/elmo_gpt_bert.py makes the twins anew"
    )
    assert card["language"] == fingerprint(), (
        "another language: python benchmarks/elmo_gpt_bert.py makes the twins anew"
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_twins_predict_as_well_as_their_cards_say(name):
    model, tokenizer, card = twins.load_trained(name)
    few = elmo_gpt_bert.masked_words(twins.trained_budget(name, pages=200, tests=30), tokenizer)
    often = torch.full((len(tokenizer),), -7.0)  # ELMo's product, as if all were equally frequent
    found = elmo_gpt_bert.scored(few, elmo_gpt_bert.answers_of(name, model, tokenizer, often))
    assert 100 * found["all"].accuracy == pytest.approx(card["scores"]["all"], abs=8)


def test_a_later_sentence_tells_bert_alone():
    right = {}
    for name in NAMES:
        model, tokenizer, _ = twins.load_trained(name)
        few = elmo_gpt_bert.masked_words(twins.trained_budget(name, pages=600, tests=100), tokenizer)
        often = torch.full((len(tokenizer),), -7.0)
        found = elmo_gpt_bert.scored(few, elmo_gpt_bert.answers_of(name, model, tokenizer, often))
        right[name] = found["right"].accuracy
    assert right["BERT"] > 0.5 > 0.3 > max(right["GPT"], right["ELMo"])


def test_what_is_kept_is_small():
    assert sum(path.stat().st_size for path in twins.FOLDER.iterdir() if path.is_file()) < 1_500_000
