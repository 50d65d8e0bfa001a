"""Approaches to using an encoder: layers that are read, weights that are trained, learning rates, folders."""

import json

import numpy as np
import pytest
import torch
from tiny import CONFIG, B, D, T, ragged

from minibert.cli import main as cli
from minibert.data.batch import SPECIAL_TOKENS, row_size, visible_all
from minibert.finetuning.approaches import NAMES
from minibert.finetuning.features import LAYERS, FeatureTagger, feature_heads
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.frozen import CachedEncoder, frozen
from minibert.finetuning.layers import parameter_groups, rate_groups
from minibert.finetuning.run import finetune
from minibert.model import (
    BiLSTM,
    ClassifierHead,
    Encoder,
    FastEncoder,
    Model,
    TokenClassifierHead,
)
from minibert.model.checkpoints.published import save_model
from minibert.model.heads import TokenHead
from minibert.model.low_rank import trained
from minibert.model.variants.albert import AlbertEncoder, FactorisedConfig
from minibert.readers.conll import Sentence
from minibert.tasks.choice import MultipleChoice
from minibert.tasks.tagging import Tagging
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.checkpoint import Checkpoints, load_model
from minibert.training.config import TrainConfig
from minibert.training.optimizers import make_optimizer, set_rate

DEEP = CONFIG.replace(num_hidden_layers=5, hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1)
NAMES_OF_PEOPLE = ["Mira", "Otto", "Ada", "Lev"]
PLACES = ["Ashby", "Marlow", "Derby"]
SENTENCES = [
    Sentence(f"{a} left {b} today .".split(), ["B-PER", "O", "B-LOC", "O", "O"], 1)
    for a in NAMES_OF_PEOPLE
    for b in PLACES
]


@pytest.fixture(scope="module")
def tokenizer():
    words = {word.lower() for s in SENTENCES for word in s.words}
    return FastWordPiece([*SPECIAL_TOKENS, *sorted(words)])


def encoder(tokenizer, **changes):
    torch.manual_seed(3)
    return FastEncoder(DEEP.replace(vocab_size=len(tokenizer), **changes)).eval()


def inputs():
    ids, real, types = (torch.from_numpy(x) for x in ragged())
    return {
        "input_ids": ids,
        "visible": torch.from_numpy(visible_all(real.numpy())),
        "token_type_ids": types,
    }, real


def tuned(tokenizer, approach="full", trunk=None, **options):
    options = {"steps": 30, "batch_size": 4, "peak_rate": 5e-3, "progress": False, **options}
    trunk = trunk or encoder(tokenizer)
    return finetune("ner", trunk, tokenizer, SENTENCES, approach=approach, precision=torch.float32, **options)


# Which layers.


@pytest.mark.parametrize(
    "approach, places",
    [
        ("embeddings", [0]),
        ("second-to-last", [4]),
        ("last", [5]),
        ("sum-last-four", [2, 3, 4, 5]),
        ("concat-last-four", [2, 3, 4, 5]),
        ("sum-all", [1, 2, 3, 4, 5]),
    ],
)
def test_an_approach_reads_its_layers_and_no_others(approach, places):
    head = FeatureTagger(DEEP, 7, approach).eval()
    torch.manual_seed(0)
    layers = [torch.randn(B, T, D, requires_grad=True) for _ in range(6)]
    given, _ = inputs()
    head(layers, given["visible"]).sum().backward()
    assert [
        i for i, layer in enumerate(layers) if layer.grad is not None and layer.grad.abs().sum() > 0
    ] == places
    assert head.lstm.input_size == (D * 4 if "concat" in approach else D)
    assert head.lstm.num_layers == 2
    assert head.lstm.bidirectional


def test_a_weighted_sum_is_elmo_s_mix_and_a_concatenation_keeps_the_order():
    layers = [torch.full((1, 2, D), float(i)) for i in range(6)]
    visible = torch.ones(1, 2, 2, dtype=torch.bool)
    seen = {}
    for approach in ("sum-last-four", "concat-last-four"):
        head = FeatureTagger(DEEP, 7, approach).eval()
        head.lstm.register_forward_pre_hook(
            lambda module, args, approach=approach: seen.update({approach: args[0].data[0]})
        )
        if head.mix:
            with torch.no_grad():
                head.mix.weights.copy_(torch.tensor([0.0, 0.0, 0.0, 3.0]).log_softmax(0))
                head.mix.gamma.fill_(2.0)
        head(layers, visible)
    shares = np.exp([0, 0, 0, 3]) / np.exp([0, 0, 0, 3]).sum()
    assert seen["sum-last-four"].tolist() == pytest.approx([2 * shares @ [2, 3, 4, 5]] * D, rel=1e-5)
    assert seen["concat-last-four"].tolist() == [float(i) for i in (2, 3, 4, 5) for _ in range(D)]


@pytest.mark.parametrize("approach", LAYERS)
def test_padding_moves_nothing_and_both_sides_are_seen(approach):
    given, real = inputs()
    torch.manual_seed(0)
    head, trunk = FeatureTagger(DEEP, 7, approach).eval(), Encoder(DEEP).eval()
    layers = trunk(**given)["layers"]
    logits = head(layers, given["visible"])
    assert logits.shape == (B, T, 7)
    for row, length in enumerate(real.sum(1).tolist()):
        alone = head(
            [layer[row : row + 1, :length] for layer in layers],
            given["visible"][row : row + 1, :length, :length],
        )
        torch.testing.assert_close(logits[row, :length], alone[0], rtol=1e-5, atol=1e-6)
    for changed, looked_at in ((0, 5), (6, 2)):  # the BiLSTM itself brings what stands on either side
        moved = [layer.clone() for layer in layers]
        for layer in moved:
            layer[0, changed] += 1
        assert (head(moved, given["visible"])[0, looked_at] - logits[0, looked_at]).abs().max() > 1e-6


def test_a_trunk_with_too_few_layers_is_named():
    with pytest.raises(ValueError, match="approach 'sum-last-four' needs 4 outputs of the encoder"):
        FeatureTagger(CONFIG, 7, "sum-last-four")


def test_a_head_for_whole_rows_is_named():
    with pytest.raises(
        ValueError, match="approach 'last' is only for tasks .* use 'full', 'lora' or 'frozen'"
    ):
        feature_heads({"label": ClassifierHead(CONFIG, 2)}, CONFIG, "last")


# What is kept.


@pytest.mark.parametrize("places", [None, *LAYERS.values()], ids=["frozen", *LAYERS])
def test_what_is_remembered_equals_what_the_trunk_says_in_any_batch(places):
    given, real = inputs()
    torch.manual_seed(0)
    trunk = Encoder(DEEP).train()
    memory = CachedEncoder(trunk, places)
    memory.learn(**given)
    wanted = trunk.eval()(**given)
    trunk.forward = None  # from here on only what is kept can answer
    for rows in ([0, 1, 2], [2, 1], [1]):
        width = int(real[rows].sum(1).max())
        part = {
            "input_ids": given["input_ids"][rows, :width],
            "visible": given["visible"][rows, :width, :width],
            "token_type_ids": given["token_type_ids"][rows, :width],
        }
        out, inside = memory(**part), real[rows, :width]
        kept = range(6)[places] if places else []
        assert [i for i, layer in enumerate(out["layers"]) if layer is not None and i in kept] == list(kept)
        for i in kept:
            torch.testing.assert_close(
                out["layers"][i][inside], wanted["layers"][i][rows, :width][inside], rtol=0, atol=0
            )
        if not places:
            torch.testing.assert_close(
                out["hidden"][inside], wanted["hidden"][rows, :width][inside], rtol=0, atol=0
            )


def test_rows_with_other_segments_are_other_rows_and_an_unknown_row_is_computed():
    given, real = inputs()
    torch.manual_seed(0)
    trunk = Encoder(DEEP).eval()
    memory = CachedEncoder(trunk)
    memory.learn(**given)
    other = {**given, "token_type_ids": torch.where(real, 1 - given["token_type_ids"], 0)}
    torch.testing.assert_close(memory(**other)["hidden"], trunk(**other)["hidden"])
    assert len(memory.rows) == B and not memory(**other)["hidden"].requires_grad


def test_the_trunk_returns_to_its_model_also_after_an_error(tokenizer):
    task, trunk = Tagging.fit(tokenizer, 16, SENTENCES), encoder(tokenizer)
    model = Model(trunk, task.heads(trunk))
    rows, _, _ = task.encode(SENTENCES)
    with pytest.raises(KeyboardInterrupt), frozen(model, task, rows):
        assert isinstance(model.encoder, CachedEncoder) and len(model.encoder.rows) == len(SENTENCES)
        assert [name for name, _ in model.named_parameters()] == [
            "heads.tags.classifier.weight",
            "heads.tags.classifier.bias",
        ]
        raise KeyboardInterrupt
    assert model.encoder is trunk


@pytest.mark.parametrize("approach", NAMES)
def test_only_full_fine_tuning_changes_the_trunk(tokenizer, approach):
    trunk = encoder(tokenizer)
    before = {name: value.clone() for name, value in trunk.state_dict().items()}
    result, log = tuned(tokenizer, approach, trunk, steps=3)
    same = all(torch.equal(value, before[name]) for name, value in trunk.state_dict().items())
    assert same == (approach != "full") and len(log) == 3
    assert (result.model.encoder is trunk) == (approach != "lora")


def test_adapters_are_all_that_is_trained_and_are_saved_inside_the_weights(tokenizer, tmp_path):
    trunk = encoder(tokenizer)
    result, _ = tuned(tokenizer, "lora", trunk, steps=3)
    adapted = result.model.encoder
    assert adapted.embeddings.word.weight.data_ptr() == trunk.embeddings.word.weight.data_ptr()  # shared
    own = {id(p) for p in trained(adapted).values()}
    assert {id(p) for p in adapted.parameters() if p.requires_grad} == own
    result.save(tmp_path)
    assert Finetuned.load(tmp_path).model.encoder.state_dict().keys() == trunk.state_dict().keys()


def test_adapters_of_lower_layers_can_have_lower_learning_rates(tokenizer):
    result, log = tuned(tokenizer, "lora", steps=1, layer_decay=0.1, encoder_rate=1e-3, warmup=0.0)
    moved = [
        layer.feed_forward.up.parametrizations.weight[0].b.abs().max().item()
        for layer in result.model.encoder.layers
    ]
    assert 0 < moved[0] < 0.2 * moved[-1]


def test_muon_leaves_weights_alone_that_are_computed_from_adapters(tokenizer):
    trunk = encoder(tokenizer)
    before = trunk.layers[0].feed_forward.up.weight.clone()
    result, log = tuned(tokenizer, "lora", trunk, steps=3, optimizer="muon")
    assert len(log) == 3 and torch.equal(trunk.layers[0].feed_forward.up.weight, before)
    assert not torch.equal(result.model.encoder.layers[0].feed_forward.up.weight, before)


def stopped(tokenizer, folder, approach, **options):
    """Fine-tune 5 of 12 steps; then the process is as good as dead."""
    step, calls = Tagging.step, iter(range(5))

    def dying(self, *arguments):
        if next(calls, None) is None:
            raise RuntimeError("killed")
        return step(self, *arguments)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(RuntimeError, match="killed"):
        patch.setattr(Tagging, "step", dying)
        tuned(tokenizer, approach, steps=12, checkpoint=folder, save_every=2, **options)


@pytest.mark.parametrize("approach", ["full", "lora", "frozen", "concat-last-four"])
def test_a_run_that_was_killed_ends_with_the_weights_of_one_never_stopped(tokenizer, tmp_path, approach):
    stopped(tokenizer, tmp_path, approach)
    assert [path.name for path in Checkpoints(tmp_path, TrainConfig(12)).all()] == [
        "step-00000004",
        "step-00000002",
    ]
    again, log = tuned(tokenizer, approach, steps=12, checkpoint=tmp_path)
    whole, expected = tuned(tokenizer, approach, steps=12)
    assert [entry["loss"] for entry in log] == [entry["loss"] for entry in expected] and len(log) == 12
    assert all(
        torch.equal(value, whole.model.state_dict()[name]) for name, value in again.model.state_dict().items()
    )


@pytest.mark.parametrize(
    "first, then, changed",
    [
        ({"approach": "last"}, {"approach": "second-to-last"}, "way"),
        ({"approach": "full"}, {"approach": "full", "max_length": 7}, "max_length"),
        ({"approach": "full"}, {"approach": "full", "settings": {"document_context": True}}, "settings"),
        ({"approach": "full", "layer_decay": 0.9}, {"approach": "full", "layer_decay": 0.8}, "groups"),
        ({"approach": "full", "layer_decay": 0.9}, {"approach": "full"}, "groups"),
    ],
)
def test_a_run_does_not_go_on_with_another_approach(tokenizer, tmp_path, first, then, changed):
    stopped(tokenizer, tmp_path, **first)
    with pytest.raises(
        ValueError, match=f"step-00000004: made with a different {changed}; use the same settings as before"
    ):
        tuned(tokenizer, steps=12, checkpoint=tmp_path, **then)


def test_the_best_checkpoint_of_a_head_is_loaded_beside_the_trunk_that_stayed(tokenizer, tmp_path):
    scores, kept = iter([3, 2]), []

    def score(model):
        kept.append({name: value.clone() for name, value in model.state_dict().items()})
        return next(scores)

    result, _ = tuned(tokenizer, "last", steps=6, checkpoint=tmp_path, score=score, save_every=3)
    trunk = {name: value.clone() for name, value in result.model.encoder.state_dict().items()}
    load_model(Checkpoints(tmp_path, TrainConfig(6)).best(), result.model)
    state = result.model.state_dict()
    assert all(torch.equal(state[name], value) for name, value in kept[0].items()) and len(kept) == 2
    assert all(torch.equal(state[f"encoder.{name}"], value) for name, value in trunk.items())
    other = Model(encoder(tokenizer), {"tags": TokenClassifierHead(DEEP, 5)})
    with pytest.raises(
        ValueError, match=r"model.safetensors: from another model; \d+ tensors cannot be loaded"
    ):
        load_model(Checkpoints(tmp_path, TrainConfig(6)).best(), other)


def test_rows_of_several_options_are_read_together_where_they_are_of_like_length(tokenizer):
    class Watched(MultipleChoice):
        def collate(self, rows, labels=None):
            seen.append([row_size(row) for row in rows])
            return super().collate(rows, labels)

    seen, task, trunk = [], Watched(tokenizer, 16), encoder(tokenizer)
    rows = [(([6] * n, [7]), ([6], [8])) for n in (3, 1, 9, 2)]
    with frozen(Model(trunk, task.heads(trunk)), task, rows, batch_size=2):
        assert seen == [[4, 5], [6, 12]]


# From a trunk to a folder and back.


@pytest.mark.parametrize("approach", NAMES)
def test_every_approach_learns_a_toy_and_comes_back_from_its_folder(tokenizer, tmp_path, approach):
    result, log = tuned(tokenizer, approach, steps=120)
    answers = result.task.answer(result.model, SENTENCES)
    assert result.task.metric(SENTENCES, answers)["F1"] == 100, (approach, log[-1]["loss"])
    result.save(tmp_path)
    again = Finetuned.load(tmp_path)
    assert again.approach == approach and type(again.model.heads["tags"]) is type(result.model.heads["tags"])
    rows, _, _ = result.task.encode(SENTENCES)
    for mine, theirs in zip(result.task.logits(result.model, rows), again.task.logits(again.model, rows)):
        np.testing.assert_allclose(mine, theirs, atol=1e-6)
    told = json.loads((tmp_path / "config.json").read_text())["architectures"]
    assert told == ["BertModel" if approach in LAYERS else "BertForTokenClassification"]


def test_a_folder_that_does_not_say_its_way_was_fully_fine_tuned(tokenizer, tmp_path):
    tuned(tokenizer, "full", steps=1)[0].save(tmp_path)
    settings = json.loads((tmp_path / "task.json").read_text())
    del settings["way"]
    (tmp_path / "task.json").write_text(json.dumps(settings))
    assert Finetuned.load(tmp_path).approach == "full"


@pytest.mark.parametrize(
    "text, message",
    [
        ('{"task": "ner"', r"task\.json:1: column 15: the JSON is cut off"),
        ("[]", r"task\.json: missing: lower_case, max_length,"),
        ('{"task": "ner", "max_length": 9}', r"task\.json: missing: lower_case, settings$"),
        (
            '{"task": "new", "max_length": 9, "lower_case": true, "settings": {}}',
            r"task\.json: unknown task 'new'; known tasks: qa,",
        ),
    ],
)
def test_a_folder_whose_task_is_damaged_is_named(tmp_path, text, message):
    (tmp_path / "task.json").write_text(text)
    with pytest.raises(ValueError, match=message):
        Finetuned.load(tmp_path)


def test_document_context_is_kept_in_the_folder(tokenizer, tmp_path):
    tuned(tokenizer, "full", steps=1, settings={"document_context": True})[0].save(tmp_path)
    assert Finetuned.load(tmp_path).task.document_context


@pytest.mark.parametrize(
    "options, message",
    [
        ({"approach": "half"}, "unknown approach 'half'; known approaches: full, lora, frozen, embeddings"),
        ({"approach": "frozen", "encoder_rate": 1e-4}, "approach 'frozen' does not train the encoder: use"),
        ({"approach": "last", "layer_decay": 0.9}, "approach 'last' does not train the encoder"),
        ({"approach": "full", "layer_decay": 1.5}, "layer_decay=1.5 must be above 0 and at most 1"),
        ({"approach": "full", "encoder_rate": 0.0}, "encoder_rate=0.0 must be above 0"),
        ({"steps": None}, "neither epochs nor steps was given"),
        ({"steps": 0}, "steps=0 must be at least 1"),
    ],
)
def test_settings_that_do_not_fit_are_named(tokenizer, options, message):
    with pytest.raises(ValueError, match=message):
        tuned(tokenizer, **{"approach": "full", **options})


# Rates.


def rates(model, groups):
    """{parameter name: rate}; fails where one stands in two groups."""
    names = {id(p): name for name, p in model.named_parameters()}
    found = [(names[id(p)], group["lr"]) for group in groups for p in group["params"]]
    assert len(found) == len(dict(found))
    return dict(found)


def test_the_rate_falls_by_xi_from_layer_to_layer_and_the_head_has_its_own():
    trunk = Encoder(DEEP)
    model = Model(trunk, {"tags": TokenClassifierHead(DEEP, 7)})
    found = rates(model, parameter_groups(model, 1e-3, encoder_rate=1e-4, layer_decay=0.5))
    assert found.keys() == {name for name, _ in model.named_parameters()}
    below = [f"encoder.layers.{i}." for i in (4, 3, 2, 1, 0)] + ["encoder.embeddings."]
    for name, rate in found.items():
        depth = next((i for i, part in enumerate(below) if name.startswith(part)), None)
        assert rate == pytest.approx(1e-3 if depth is None else 1e-4 * 0.5**depth), name


def test_a_shared_layer_has_its_top_rate_a_tied_matrix_that_of_the_embeddings_and_a_last_norm_the_trunk_s():
    config = FactorisedConfig(**CONFIG.replace(num_hidden_layers=3).to_dict(), embedding_size=8)
    albert = AlbertEncoder(config)
    model = Model(albert, {"tags": TokenClassifierHead(CONFIG, 7)})
    found = rates(model, parameter_groups(model, 1.0, layer_decay=0.5))
    assert {rate for name, rate in found.items() if ".layers." in name} == {1.0}
    assert found["encoder.embeddings.word.weight"] == 0.125
    trunk = Encoder(CONFIG)
    model = Model(trunk, {"tokens": TokenHead(CONFIG, trunk.embeddings.word)})
    found = rates(model, parameter_groups(model, 1.0, encoder_rate=0.1, layer_decay=0.5))
    assert found["encoder.embeddings.word.weight"] == pytest.approx(0.1 * 0.25)
    assert found["heads.tokens.decoder.bias"] == 1.0


def test_a_parameter_that_is_not_trained_stands_in_no_group_and_equal_rates_need_none():
    model = Model(Encoder(CONFIG), {"tags": TokenClassifierHead(CONFIG, 7)})
    model.encoder.embeddings.word.weight.requires_grad_(False)
    assert "encoder.embeddings.word.weight" not in rates(model, parameter_groups(model, 1.0, layer_decay=0.5))
    assert rate_groups(model, 1.0, None, 1.0) is None and rate_groups(model, 1.0, 1.0, 1.0) is None
    assert len(rate_groups(model, 1.0, 0.5, 1.0)) > 1


def test_a_trunk_without_layers_is_named():
    model = Model(BiLSTM(CONFIG), {"tags": TokenClassifierHead(CONFIG, 7)})
    with pytest.raises(ValueError, match="an encoder of class BiLSTM has no list of layers"):
        parameter_groups(model, 1.0, layer_decay=0.5)


def test_the_optimiser_decays_matrices_alone_and_the_schedule_scales_every_rate():
    model = Model(Encoder(CONFIG), {"tags": TokenClassifierHead(CONFIG, 7)})
    config = TrainConfig(steps=1, peak_rate=1e-3)
    optimizer = make_optimizer(model, config, parameter_groups(model, 1e-3, 1e-4, 0.5))
    before = rates(model, optimizer.param_groups)
    for group in optimizer.param_groups:
        assert all((p.dim() > 1) == (group["weight_decay"] > 0) for p in group["params"])
    set_rate(optimizer, 0.25)
    assert rates(model, optimizer.param_groups) == pytest.approx(
        {name: rate / 4 for name, rate in before.items()}
    )
    assert before["encoder.layers.0.attention.out.weight"] == pytest.approx(5e-5)


def test_muon_takes_no_groups():
    model = Model(Encoder(CONFIG), {"tags": TokenClassifierHead(CONFIG, 7)})
    with pytest.raises(ValueError, match="optimizer='muon' does not support groups with separate learning"):
        make_optimizer(
            model, TrainConfig(steps=1, optimizer="muon"), parameter_groups(model, 1.0, layer_decay=0.5)
        )


# The command.


def test_the_command_knows_the_approaches_and_the_rates(tmp_path, monkeypatch, capsys, tokenizer):
    monkeypatch.chdir(tmp_path)
    save_model(Model(encoder(tokenizer), {}), tmp_path / "bert", tokenizer.vocab)
    text = "\n".join("".join(f"{w} {t}\n" for w, t in zip(s.words, s.tags)) for s in SENTENCES)
    (tmp_path / "a.conll").write_text(text)
    run = (
        "finetune ner --train a.conll --dev a.conll --model bert --epochs 40 --batch-size 4 "
        "--peak-rate 5e-3 --out m "
    ).split()
    assert cli.main([*run, "--approach", "sum-all"]) == 0
    assert "F1 100.0" in capsys.readouterr().out
    assert cli.main("evaluate a.conll --model m".split()) == 0 and "F1 100.0" in capsys.readouterr().out
    assert cli.main([*run, "--encoder-rate", "1e-3", "--layer-decay", "0.9"]) == 0
    assert cli.main([*run, "--approach", "first"]) == 2
    assert "unknown approach 'first'" in capsys.readouterr().err
