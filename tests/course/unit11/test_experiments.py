"""The experiments of lesson 11: each runs on a few reviews, and is as large as it says."""

import dataclasses

import pytest
import torch

from minibert.course.unit11 import experiments as small
from minibert.course.unit11.experiments.shared import original
from minibert.course.unit11.experiments.ways import HALF, HEADS_REMOVED
from minibert.readers.glue import TextExample

QUICK = dataclasses.replace(small.RECIPE, train=8, dev=4, epochs=2, repair=1, batch_size=4, max_length=12)
WORDS = {"negative": ("dull", "awful", "boring"), "positive": ("warm", "lovely", "funny")}


@pytest.fixture(scope="module")
def given(tmp_path_factory, english_encoder):
    """Reviews of made-up words: eight pairs to train on, two for dev, six for the test."""
    reviews = [
        TextExample(f"a {word} film number {number}", None, label, "0", 1)
        for number in range(4)
        for words in zip(*WORDS.values())
        for label, word in zip(WORDS, words)
    ]
    parts = {"train": reviews[:16], "dev": reviews[16:20], "test": reviews[12:]}
    return small.Material(parts, QUICK, tmp_path_factory.mktemp("models"))


def parameters(name, given):
    return sum(p.numel() for p in small.small_model(name, given, 0, "every").model.parameters())


def test_the_original_knows_the_words(given):
    found = small.scores(small.small_model("original", given, 0), given)
    assert found == {"dev": 100, "test": 100, "same": 100}


def test_a_seed_draws_reviews_and_their_order(given):
    drawn = [given.drawn(seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2] and len(drawn[0]) == QUICK.train


def test_parts_of_the_published_data_share_no_review(tmp_path):
    folder = tmp_path / "cls" / "sentence_polarity"
    folder.mkdir(parents=True)
    for part, count in (("train", 10), ("dev", 3)):
        for side in ("pos", "neg"):
            lines = "\n".join(f"{part} {side} {i}" for i in range(count))
            (folder / f"{part}.{side}").write_text(lines)
    found = small.material(tmp_path, tmp_path, QUICK).reviews
    texts = [one.first for part in found.values() for one in part]
    assert {part: len(some) for part, some in found.items()} == {"train": 16, "dev": 4, "test": 6}
    assert len(set(texts)) == 26
    assert all(one.label == ("positive" if "pos" in one.first else "negative") for one in found["train"])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in small.WAYS if name != "original" and "ONNX" not in name])
def test_each_way_runs_makes_the_model_smaller_and_does_not_change_the_original(given, name):
    before = {key: value.clone() for key, value in original().model.state_dict().items()}
    made = small.small_model(name, given, 0, "every")
    assert 0 < made.size < small.SmallModel(original().model).size
    assert small.scores(made, given)["test"] >= 0
    after = original().model.state_dict()
    assert all(torch.equal(before[key], after[key]) for key in before)


@pytest.mark.slow
def test_sizes_are_those_of_the_layers_heads_and_bits(given):
    config, whole = original().config, parameters("original", given)
    D, F = config.hidden_size, config.intermediate_size
    layer = 4 * (D * D + D) + 2 * D * F + D + F + 4 * D
    assert whole - parameters("3 of 6 layers, soft targets", given) == HALF * layer
    head = 4 * D * config.head_size + 3 * config.head_size
    assert whole - parameters("40% of heads, by importance", given) == HEADS_REMOVED * head
    share = (
        small.small_model("int8, one scale per row", given, 0).size / small.SmallModel(original().model).size
    )
    assert share == pytest.approx(0.25, abs=0.01)
