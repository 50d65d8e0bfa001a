"""The small fine-tunings of lesson 13: each runs, on a few steps, and differs in what it says it does."""

import dataclasses
import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from minibert.course.unit10.experiments.electra import forward_flops
from minibert.course.unit13 import experiments as small
from minibert.course.unit13.experiments import knowledge, shapes, shared, stages
from minibert.course.unit13.methods.adapters import trained

QUICK = dataclasses.replace(
    small.RECIPE, labelled=16, validation=8, test=8, epochs=1, per_epoch=2, batch_size=8
)


def weights(encoder):
    return [p.detach().clone() for p in encoder.parameters()]


def test_the_same_seeds_give_the_same_run_and_the_encoder_stays():
    before = weights(small.backbone()[0])
    one, two = (small.tune("clause", 3, 4, QUICK) for _ in range(2))
    assert (one.validation, one.test, one.loss) == (two.validation, two.test, two.loss)
    assert len(one.validation) == len(one.test) == QUICK.evaluations
    assert all(map(torch.equal, before, weights(small.backbone()[0])))


@pytest.mark.parametrize("seeds", [(3, 5), (4, 4)])
def test_either_seed_changes_a_run(seeds):
    assert small.tune("clause", *seeds, QUICK).loss != small.tune("clause", 3, 4, QUICK).loss


@pytest.mark.parametrize("name", small.TASKS)
def test_each_task_has_two_labels_equally_often_and_parts_of_their_own(name):
    parts = {part: shared.examples(name, 60, part) for part in shared.PARTS}
    for found in parts.values():
        counts = [sum(one.label == label for one in found) for label in {one.label for one in found}]
        assert len(found) == 60 and len(counts) == 2 and min(counts) >= 20
    texts = {part: [one.first for one in found] for part, found in parts.items()}
    assert len({tuple(found) for found in texts.values()}) == 3


def test_of_two_neighbouring_words_each_is_where_the_other_was():
    made = shared.exchanged(40, 1)
    original = set(shared.sentences_of_lives(120, 1))
    for one in made:
        assert (one.first in original) == (one.label == "no") or one.label == "yes"
    assert sum(one.label == "yes" for one in made) == 20
    assert all(sorted(one.first) in map(sorted, original) for one in made)


def test_an_exam_scores_each_example_once():
    given = small.material("acceptable", QUICK)
    places = [place for batch, _ in given.test.batches for place in batch]
    assert sorted(places) == list(range(QUICK.test))
    run = small.tune("acceptable", 0, 0, QUICK)
    right = int((given.test.answers(run.model) == given.test.gold).sum())
    assert given.test.right(run.model) == run.test[-1] == right


@pytest.mark.parametrize("name", small.REMEDIES)
def test_each_remedy_runs_and_all_but_plain_change_the_run(name):
    plain, run = (small.remedy_run(one, "acceptable", 1, QUICK) for one in ("plain", name))
    assert len(run["test"]) == QUICK.evaluations and np.isfinite(run["loss"])
    assert name in ("plain", "no warm-up") or run["loss"] != plain["loss"]
    assert ("shares" in run) == (name == "weighted layers")


def test_frozen_layers_stay():
    run = shared.tune("clause", 0, 0, QUICK, small.REMEDIES["encoder frozen"])
    assert all(map(torch.equal, weights(small.backbone()[0]), weights(run.encoder)))
    run = shared.tune("clause", 0, 0, QUICK, small.REMEDIES["first layer frozen"])
    pairs = list(zip(small.backbone()[0].layers, run.encoder.layers))
    assert [all(map(torch.equal, weights(a), weights(b))) for a, b in pairs] == [True, False]


def test_adapters_train_less_than_everything_and_their_file_is_smaller():
    found = {name: small.adapter_run(name, "clause", 0, 1e-3, QUICK) for name in small.ADAPTERS}
    for name, one in found.items():
        assert name == "full" or one["parameters"] < 0.2 * found["full"]["parameters"]
        assert one["bytes"] > 4 * one["parameters"]
    run = small.tune("clause", 0, 0, QUICK, small.ADAPTERS["BitFit"])
    assert all(key.endswith("bias") for key in trained(run.encoder))


def test_a_persons_token_has_the_embedding_of_the_facts():
    parts, people = knowledge.sightings(QUICK)
    assert len(people) == sum(map(len, parts.values())) == 32
    assert all(sum(one.strings for one in found) == len(found) / 2 for found in parts.values())
    encoder, tokenizer = small.backbone()
    words = knowledge.WithEntities(encoder.embeddings.word, people)
    ids = torch.tensor([[5, len(tokenizer) + 3, 7]])
    out = words(ids)
    assert torch.equal(out[0, 0], encoder.embeddings.word.weight[5])
    assert torch.allclose(out[0, 1], words.map(people[3]))
    assert torch.equal(words(ids[:, :1]), encoder.embeddings.word(ids[:, :1]))


def test_the_silent_sentence_names_no_instrument():
    parts, _ = knowledge.sightings(QUICK)
    for one in itertools.chain(*parts.values()):
        assert one.told != one.other and one.strings == any(name in one.told for name in knowledge.STRINGS)
        assert not any(name in one.other for name in knowledge.STRINGS)


@pytest.mark.parametrize("way", small.WAYS)
def test_each_way_to_know_runs(way):
    assert len(small.knowledge_run(way, 0, QUICK)["test"]) == QUICK.evaluations


def test_a_first_stage_leaves_another_encoder(monkeypatch):
    model, tokenizer = shared.load_trained("BERT")[:2]
    monkeypatch.setattr(stages, "class_model", lambda: (model, tokenizer))
    monkeypatch.setattr(stages, "after_first", stages.after_first.__wrapped__)
    monkeypatch.setattr(stages, "stage_material", stages.stage_material.__wrapped__)
    direct, staged = (
        small.stage_run(first, "cola", 0, QUICK, QUICK) for first in ("nothing", "sentiment first")
    )
    assert direct["loss"] != staged["loss"]


def test_further_pretraining_leaves_another_encoder():
    plain, read = (small.further_pretraining_run(way, "clause", 0, QUICK, steps=2) for way in stages.READS)
    assert plain["loss"] != read["loss"]


def test_english_adapters_are_trained_on_a_few_examples_of_each_label(monkeypatch):
    encoder, tokenizer = shared.backbone()
    monkeypatch.setattr(stages, "english_encoder", lambda first: encoder)
    monkeypatch.setattr(stages, "shared", lambda: SimpleNamespace(tokenizer=tokenizer, pooler=None))
    seen, finetune = [], stages.finetune

    def watched(name, encoder, tokenizer, examples, **options):
        seen.append((name, examples, options["approach"]))
        return finetune(name, encoder, tokenizer, examples, **options)

    monkeypatch.setattr(stages, "finetune", watched)
    pairs = [
        shared.TextExample("who sang", text, label, str(i), i)
        for i, (text, label) in enumerate(
            [("a man sang", "entailment"), ("it is late", "not_entailment")] * 6
        )
    ]
    before = weights(encoder)
    found = stages.english_run("nothing", 1, pairs, pairs, few=2)
    ((name, chosen, approach),) = seen
    assert (name, approach) == ("qnli", "lora") and 0 <= found["accuracy"] <= 100
    assert sorted(one.label for one in chosen) == ["entailment"] * 2 + ["not_entailment"] * 2
    assert all(map(torch.equal, before, weights(encoder)))
    stages.english_run("nothing", 2, pairs, pairs, few=2)
    assert [one.id for one in seen[1][1]] != [one.id for one in chosen]


def test_a_batch_size_and_a_rate_change_a_run():
    pairs = (8, 1e-3), (4, 1e-3), (8, 2e-3)
    assert len({small.batch_run(*pair, "clause", 1, QUICK)["loss"] for pair in pairs}) == 3


def test_shapes_that_are_compared_cost_as_much_or_have_as_many_parameters():
    recipe, tokenizer = shapes.BRIEFLY, range(1000)
    configs = {name: shapes.config_of(shape, recipe, tokenizer) for name, shape in shapes.SHAPES.items()}

    def cost(name):
        steps = shapes.steps_of(shapes.SHAPES[name], recipe, tokenizer)
        return steps * forward_flops(configs[name], 1024, 307, None)

    def parameters(name):
        return shapes.count(shapes.SHAPES[name].kind(configs[name]).layers)

    costs = [cost(name) for name in shapes.GROUPS["equal compute"]]
    assert max(costs) < 1.02 * min(costs)
    for group, within in (("equal parameters", 1.05), ("heads", 1), ("order of the sublayers", 1)):
        counts = [parameters(name) for name in shapes.GROUPS[group]]
        assert max(counts) <= within * min(counts), group
    assert set(itertools.chain(*shapes.GROUPS.values())) == set(shapes.SHAPES)


def test_a_sandwich_has_attention_at_the_bottom_and_feed_forward_at_the_top():
    shape = dataclasses.replace(shapes.SHAPES["sandwich"], layers=4)
    encoder = shape.kind(shapes.config_of(shape, shapes.BRIEFLY, range(97)))
    assert "".join("s" if hasattr(layer, "attention") else "f" for layer in encoder.layers) == "sssfsfff"
    assert not any(hasattr(layer, "attention") and hasattr(layer, "feed_forward") for layer in encoder.layers)
    assert encoder.layers[0].attention.query.weight.std().item() == pytest.approx(0.05, rel=0.1)


def test_sublayers_one_after_the_other_are_a_layer():
    config = shapes.config_of(shapes.SHAPES["64 x 2"], shapes.BRIEFLY, range(97))
    whole, first, second = (
        kind(config) for kind in (shapes.EncoderLayer, shapes.AttentionSublayer, shapes.FeedForwardSublayer)
    )
    first.load_state_dict(whole.state_dict(), strict=False)
    second.load_state_dict(whole.state_dict(), strict=False)
    x = torch.randn(2, 5, 64)
    assert torch.equal(whole(x)[0], second(first(x)[0])[0])


@pytest.mark.parametrize("name", ["64 x 2", "sandwich"])
def test_a_shape_is_pretrained_and_fine_tuned(name):
    recipe = dataclasses.replace(shapes.BRIEFLY, steps=3, batch_size=8, documents=1500)
    one, two = (small.shape_run(name, seed, recipe, lambda recipe: QUICK) for seed in (1, 2))
    assert one["steps"] == 3 and one["loss"] != two["loss"]
    assert all(0 <= one[task] <= 100 for task in shapes.TUNED_ON)
