"""The weights that ship: small, with a card, and as good as their cards say."""

import pytest
import torch

import minibert
from minibert.english.adapter import Adapter
from minibert.english.everyday import everyday
from minibert.english.model import BASE, PRETRAINING, TASKS, WEIGHTS

NAMES = (PRETRAINING, *TASKS.values())


@pytest.fixture(scope="module")
def english(english_encoder):
    return minibert.load("english")


def test_all_of_them_take_at_most_eight_megabytes():
    assert {path.name for path in WEIGHTS.iterdir()} == set(NAMES)
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) <= 8e6


@pytest.mark.parametrize("name", NAMES)
def test_each_has_a_card_and_belongs_to_the_published_encoder(name):
    adapter = Adapter.load(WEIGHTS / name)
    assert adapter.base == BASE
    assert {"base", "text", "licence", "command", "commit", "scores", "seed"} <= adapter.card.keys()


def test_it_fills_as_many_everyday_sentences_as_its_card_says(english):
    right = sum(
        any(word in gap.words for word, _ in english.fill_mask(gap.text, top=5)[0]) for gap in everyday()
    )
    assert right == Adapter.load(WEIGHTS / PRETRAINING).card["everyday"]


@pytest.mark.parametrize(
    "text",
    ["", "[MASK]", "\0\x07[MASK]\x1b", "母はミルクを[MASK]。 🙂", "[MASK] " * 3, "word " * 100 + "[MASK]"],
)
def test_any_text_gets_probabilities_or_a_reason(english, text):
    if "[MASK]" not in text:
        with pytest.raises(ValueError, match="no .MASK. in ''"):
            english.fill_mask(text)
        return
    found = english.fill_mask(text)
    assert len(found) == text.count("[MASK]")
    for words in found:
        shares = torch.tensor([share for _, share in words])
        assert len(words) == 5 and (shares > 0).all() and shares.sum() <= 1


def test_a_text_of_ten_thousand_words_is_refused_with_the_limit(english):
    with pytest.raises(ValueError, match="512"):
        english.fill_mask("word " * 10_000 + "[MASK]")


@pytest.mark.slow
def test_tasks_read_ten_thousand_words(english_encoder):
    words = "word " * 5_000 + "The lighthouse was built by Thomas Bell in Leeds. " + "word " * 5_000
    answer = minibert.predict("english-qa", question="Who built the lighthouse?", context=words)
    assert "Bell" in str(answer)
    assert "Thomas Bell" in [found.text for found in minibert.predict("english-ner", words)]
    assert str(minibert.predict("english-sentiment", "wonderful " + words)) in ("negative", "positive")
