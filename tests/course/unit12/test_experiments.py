"""Lesson 12's models and measures on a tiny model: shapes, what must hold, and the rule of the findings."""

import numpy as np
import pytest
import torch

from minibert.analysis.heads import gate_without, scores_without_head
from minibert.analysis.patterns import CLASSES, FIXED
from minibert.config import preset
from minibert.course.unit12.experiments import findings, fixed, labelled, measures, models, treebank
from minibert.data.batch import SPECIAL_TOKENS
from minibert.model import Encoder, Model, TokenHead
from minibert.readers.conll import Sentence
from minibert.readers.conllu import Tree
from minibert.tokenizer.fast import FastWordPiece

LETTERS = "abcdefghijklmnopqrstuvwxyz.,'\"?!0123456789-:"
VOCAB = [*SPECIAL_TOKENS, "the", "bank", *LETTERS, *(f"##{sign}" for sign in LETTERS)]
TEXTS = [
    ["the bank is a bank.", "the cat sat on a mat, alone."],
    ["a man went to the bank.", "he had no money."],
] * 8
L, H = 2, 4


def subject(seed=0, std=0.3):
    torch.manual_seed(seed)
    sizes = {"num_hidden_layers": L, "num_attention_heads": H, "hidden_size": 32, "intermediate_size": 64}
    more = {"vocab_size": len(VOCAB), "max_position_embeddings": 512, "initializer_range": std}
    encoder = Encoder(preset("class", **sizes, **more))
    model = Model(encoder, {"tokens": TokenHead(encoder.config, encoder.embeddings.word)})
    return models.Subject("tiny", model.eval().requires_grad_(False), FastWordPiece(VOCAB), TEXTS)


@pytest.fixture(scope="module")
def tiny():
    return subject()


def test_a_pass_has_what_the_encoder_computes(tiny):
    one = models.look(tiny, "the bank", "a cat")
    T = len(one.tokens)
    assert one.tokens[:3] == ["[CLS]", "the", "bank"]
    assert one.special.sum() == 3 and one.segments.sum() == T - 4
    assert [x.shape for x in (one.hidden, one.probs, one.values)] == [
        (L + 1, T, 32),
        (L, H, T, T),
        (L, H, T, 8),
    ]
    assert np.allclose(one.probs.sum(-1), 1, atol=1e-5)
    context = np.concatenate(list(one.probs[0] @ one.values[0]), axis=-1)  # (T, D)
    out = tiny.attentions[0].out
    attended = context @ out.weight.numpy().T + out.bias.numpy()
    layer = tiny.encoder.layers[0]
    x = layer.attention_norm(torch.from_numpy(one.hidden[0] + attended))
    assert np.allclose(layer.feed_forward_norm(x + layer.feed_forward(x)).numpy(), one.hidden[1], atol=1e-4)


def test_words_are_the_means_of_their_tokens_and_too_long_texts_are_cut(tiny):
    one = models.look_at_words(tiny, ["the", "cat"])
    assert one.words.tolist() == [-1, 0, 1, 1, 1, -1]
    assert np.allclose(models.word_vectors(one)[:, 1], one.hidden[:, 2:5].mean(axis=1), atol=1e-5)
    assert (
        len(models.look(tiny, "the " * 300).tokens)
        == len(models.look(tiny, "a", "the " * 300).tokens)
        == models.LONGEST
    )


def test_value_weighted_attention_is_what_each_token_adds(tiny):
    one = models.look(tiny, "the bank")
    head, out = one.probs[1, 2], tiny.attentions[1].out.weight.numpy()[:, 16:24]
    assert np.allclose(
        models.value_weighted(tiny, one)[1, 2, 0, 1],
        np.linalg.norm(head[0, 1] * one.values[1, 2, 1] @ out.T),
        atol=1e-5,
    )
    views = measures.attention_views(tiny, one)
    assert np.allclose(views["effective"], views["raw"], atol=1e-4)  # shorter than a head has numbers
    assert np.allclose(views["value-weighted"].sum(-1), 1, atol=1e-5)


def test_a_gate_removes_heads_and_padding_does_not_change_a_loss(tiny):
    asked = models.masked(tiny, [text for pair in TEXTS[:2] for text in pair], np.random.default_rng(0))
    evaluate = models.gated(tiny, asked)
    whole = evaluate(np.ones((L, H)))
    assert not np.allclose(scores_without_head(evaluate, L, H), whole)
    alone = models.Masked(
        *(x[:1] for x in asked[:2]), asked.visible[:1], *(x[asked.where[:, 0] == 0] for x in asked[3:])
    )
    assert np.allclose(models.gated(tiny, alone)(np.ones((L, H))), whole[:1], atol=1e-4)


def test_one_head_left_gives_the_answers_to_each_masked_token(tiny):
    asked = models.masked(tiny, TEXTS[0], np.random.default_rng(0))
    guesses = models.masked_logits(tiny, models.gated_hidden(tiny, asked)(np.ones((L, H))), asked).argmax(-1)
    asked = asked._replace(right=guesses)  # so that all heads are right, and others not
    whole, alone = (models.answering(tiny, asked)(gate) for gate in (np.ones((L, H)), np.eye(L, H)))
    assert whole.all() and not alone.all() and whole.shape == alone.shape == (len(asked.where),)
    whole, alone = measures.with_each_head_alone(tiny, TEXTS[0], np.random.default_rng(0))
    assert alone.shape == (L, H, len(whole)) and whole.dtype == alone.dtype == bool


@pytest.mark.parametrize("removed", [[], [(0, 1)], [(1, 0), (1, 3)], [(0, 0), (1, 2)]])
def test_what_is_computed_once_for_all_gates_is_what_the_encoder_computes(tiny, removed):
    asked = models.masked(tiny, TEXTS[0] + TEXTS[1], np.random.default_rng(0))
    gate = gate_without(L, H, removed)
    wanted = tiny.encoder(asked.ids, asked.visible, asked.segments, torch.from_numpy(gate).float())["hidden"]
    assert torch.allclose(models.gated_hidden(tiny, asked)(gate), wanted, atol=1e-5)


def test_importance_is_the_size_of_the_losss_derivative_for_a_gate(tiny):
    texts, step = TEXTS[0], 1e-2
    evaluate = models.gated(tiny, models.masked(tiny, texts, np.random.default_rng(0)))
    slopes = np.zeros((L, H))
    for place in np.ndindex(L, H):
        up, down = np.ones((L, H)), np.ones((L, H))
        up[place], down[place] = 1 + step, 1 - step
        slopes[place] = np.abs(evaluate(up) - evaluate(down)).mean()
    found = measures.importance(tiny, texts)
    assert np.allclose(found, slopes / np.linalg.norm(slopes, axis=1, keepdims=True), atol=0.02)


def test_measures_have_a_value_for_each_unit(tiny):
    passes = measures.pair_passes(tiny, 4)
    assert len(passes) == 4 and set(measures.patterns(passes).ravel()) <= set(CLASSES)
    for values in (
        measures.simple_heads(passes),
        measures.sep_share(passes),
        measures.entropy_drop(passes),
        measures.between_within_ratio(passes),
    ):
        assert values.shape == (4,) and np.isfinite(values).all()
    assert measures.special_token_shares(tiny, passes).shape == (4, L, 2)
    assert measures.gradient_ratio(tiny, 3).shape == (3, L)
    assert set(measures.targets(passes)) >= {
        "[CLS]",
        "[SEP]",
    }
    assert measures.effective_by_length(tiny, (6, 30), 2).shape == (2, 2)
    layers, ids, sentence = measures.all_tokens(tiny, 24)
    assert layers.shape[1] == len(ids) == len(sentence)
    assert measures.identifiable_share(layers, sentence).shape == (measures.PARTS,)
    assert measures.cone(layers, sentence).shape == (measures.PARTS, L + 1)
    assert measures.sentence_similarity(layers, sentence).shape == (measures.PARTS, L + 1)
    assert measures.word_similarity(layers, ids).shape[1] == L + 1
    assert len(measures.word_variance(layers[-1], ids)) > 3


def test_identical_vectors_of_a_word_are_as_similar_as_can_be():
    ids = np.repeat([3, 4], 5)
    layers = np.eye(2)[ids - 3][None].repeat(2, axis=0)
    assert np.allclose(measures.word_similarity(layers, ids), 1 - 4 / 9)


def test_sentences_of_one_vector_each_are_as_alike_as_can_be():
    sentence = np.repeat(np.arange(2 * measures.PARTS), 3)  # two sentences a part
    layers = np.eye(2)[sentence // measures.PARTS % 2][None]
    assert np.allclose(measures.sentence_similarity(layers, sentence), 1 - 6 / 15)


def test_random_directions_give_the_contributions_of_the_whole_jacobian(tiny):
    text, rng = TEXTS[0][0], np.random.default_rng(0)
    specials, pieces = tiny.tokenizer.specials, tiny.tokenizer.encode(text).ids[: measures.LONG_ENOUGH]
    ids = torch.tensor([[specials.cls, *pieces, specials.sep]])
    start = tiny.encoder.embeddings(ids, torch.zeros_like(ids))[0]
    whole = torch.autograd.functional.jacobian(lambda x: tiny.encoder.layers[0](x[None])[0][0], start).numpy()
    few = [measures.jacobian(tiny, text, 1, rng) for _ in range(6)]
    assert np.allclose(
        np.mean([measures.own_share([one]) for one in few]), measures.own_share([whole]), atol=0.03
    )
    assert measures.contributions([whole], 3).shape == (4,) and len(measures.near_over_far([whole])) == 1


def test_labels_of_the_generated_language_fit_their_vectors(tiny, monkeypatch):
    monkeypatch.setattr(labelled, "FOLDS", 2)
    found = labelled.probed(tiny, 20)
    assert {found.vectors.shape[1]} == {len(labels) for labels in found[1:]}
    assert labelled.tag_scores(found).shape == (2, L + 1, 3)
    assert labelled.depth_scores(found).shape == (2, L + 1)
    train, test = labelled.used(tiny, "train", 40), labelled.used(tiny, "test", 30)
    right, frequent = labelled.senses_right(train, test)
    assert len(right) == len(frequent) <= 30
    assert set(labelled.used(tiny, "train", 5, "bank").words) == {"bank"}
    followed = labelled.coreference(tiny, 8)
    assert followed.accuracy.shape == (L, H) and len(followed.head_right) == len(followed.offset_right) > 0
    assert set(map(len, labelled.loss_without_tags(tiny, found).values())) == {40}


def test_the_best_head_is_chosen_on_one_half_and_scored_on_the_other():
    right_first = np.zeros((1, 2, 1), bool)
    right_first[0, 0] = True
    other = ~right_first
    found = labelled.chosen_on_half([right_first, other], [np.array([[3, 1]]), np.array([[3, 2]])])
    assert found.best == (0, 0) and not found.head_right.any()
    assert found.offset == -2 and not found.offset_right.any()


def test_a_word_of_several_tokens_has_no_probability_of_its_own(tiny):
    probs = models.mask_probs(tiny, "the [MASK] .", ["bank", "cat"])
    assert 0 < probs["bank"] < 1 and probs["cat"] is None
    with pytest.raises(ValueError, match=r"exactly one \[MASK\], but contains 2"):
        models.mask_probs(tiny, "[MASK] [MASK]", ["bank"])


def test_random_weights_have_the_shape_of_the_other_model_and_follow_their_seed(tiny):
    a, b, again = (models.random_weights(tiny, seed) for seed in (1, 2, 1))
    first = [one.encoder.layers[0].attention.query.weight for one in (a, b, again)]
    assert torch.equal(first[0], first[2]) and not torch.equal(first[0], first[1])
    assert a.sizes == tiny.sizes and a.documents is tiny.documents


def test_lesson_9s_models_give_vectors_for_each_token():
    for name in ("ELMo", "GPT", "BERT"):
        layers, ids, sentence = models.twin_vectors(name, 2)
        assert layers.shape[:2] == (3, len(ids)) and set(sentence) == {0, 1}


# fixed heads


def test_fixed_heads_look_where_their_pattern_says_and_never_at_padding():
    visible = torch.tensor([[[True, True, True, False]] * 4])
    probs = fixed.fixed_probs(("previous", "next", "right"), 4, visible)[0]
    assert probs[0, 1].tolist() == [1, 0, 0, 0] and probs[1, 1].tolist() == [0, 0, 1, 0]
    assert probs[1, 2].tolist() == [0, 0, 1, 0]  # its neighbour is padding: itself
    assert (probs.sum(-1) == 1).all() and not probs[:, :3, 3].any()


@pytest.mark.parametrize("way", fixed.WAYS)
def test_learned_heads_stay_as_they_were_and_fixed_ones_do_not_read_queries(way):
    config = preset(
        "class",
        vocab_size=50,
        num_hidden_layers=1,
        num_attention_heads=len(FIXED),
        hidden_size=20,
        intermediate_size=40,
    )
    patterns, ids = fixed.WAYS[way], torch.arange(5, 12)[None]
    encoder = fixed.fixed_encoder(config, patterns, 0).eval()
    probs = encoder(ids, None, torch.zeros_like(ids))["probs"][0][0]
    with torch.no_grad():
        encoder.layers[0].attention.query.weight.mul_(5)
    changed = encoder(ids, None, torch.zeros_like(ids))["probs"][0][0]
    moved = [not torch.equal(a, b) for a, b in zip(probs, changed)]
    assert moved == [False] * len(patterns) + [True] * (len(FIXED) - len(patterns))
    assert torch.allclose(
        fixed.fixed_encoder(config, (), 0)(ids, None, torch.zeros_like(ids))["hidden"],
        plain(config)(ids, None, torch.zeros_like(ids))["hidden"],
    )


def plain(config):
    torch.manual_seed(0)
    return Encoder(config)


# findings


def test_an_interval_holds_the_value_and_shrinks_with_more_units():
    rng = np.random.default_rng(0)
    few, many = (findings.interval(np.arange(n) % 2, np.random.default_rng(1)) for n in (10, 1000))
    assert few.low <= few.value <= few.high and many.high - many.low < few.high - few.low
    assert findings.interval(np.array([1.0, 5.0]), rng, lambda x: float(np.max(x))).value == 5


@pytest.mark.parametrize(
    "above, low, high, wanted",
    [
        (True, 0.6, 0.7, True),
        (True, 0.3, 0.4, False),
        (True, 0.4, 0.6, None),
        (False, 0.3, 0.4, True),
        (False, 0.6, 0.7, False),
    ],
)
def test_a_claim_is_shown_where_the_whole_interval_is_on_its_side(above, low, high, wanted):
    claim = findings.Claim("c", "p", "m", above, 0.5)
    assert findings.shows(claim, findings.Interval(0.5, low, high)) is wanted


@pytest.mark.parametrize(
    "shown, wanted",
    [
        ((True, True, True), "artefact"),
        ((True, True, False), "yes, in both"),
        ((True, False, False), "yes, not in the small one"),
        ((True, None, None), "yes; small one unclear"),
        ((True, True, True, True), "partly an artefact"),
        ((True, None, True, True), "partly an artefact"),
        ((True, False, True), "no: random weights show it, too"),
        ((None, True, False), "unclear"),
        ((False, True, False), "no, only in the small one"),
        ((False, True, True), "no"),
        ((False, False, False), "no"),
    ],
)
def test_the_rule_of_what_carried_over(shown, wanted):
    assert findings.carried_over(*shown) == wanted


def test_a_row_says_the_limit_the_values_and_the_verdict():
    claim = findings.Claim("Heads rest", "Clark et al., 3.2", "attention", True, 0.5, "{:.0%}")
    cells = findings.row(
        claim, [findings.of_seeds([0.6, 0.7]), findings.Interval(0.5, 0.4, 0.6), findings.of_seeds([0.1])]
    )
    assert cells == (
        "Heads rest (Clark et al., 3.2)",
        "attention > 50%",
        "✓ 65% (60% to 70%)",
        "? 50% (40% to 60%)",
        "✗ 10% (10% to 10%)",
        "yes; small one unclear",
    )


def test_one_interval_is_beyond_another_only_on_the_claims_side():
    more, less = findings.Interval(0.7, 0.6, 0.8), findings.Interval(0.5, 0.4, 0.55)
    above, below = (findings.Claim("c", "p", "m", side, 0.3) for side in (True, False))
    assert findings.beyond(above, more, less) and not findings.beyond(above, less, more)
    assert findings.beyond(below, less, more) and not findings.beyond(below, more, less)
    assert not findings.beyond(above, more, findings.Interval(0.5, 0.4, 0.65))


# treebanks

TREE = Tree(
    "the cat , a man ran .".split(),
    ["DET", "NOUN", "PUNCT", "DET", "NOUN", "VERB", "PUNCT"],
    [1, 5, 1, 4, 1, -1, 5],
    ["det", "nsubj:pass", "punct", "det", "appos", "root", "punct"],
)


def test_punctuation_is_left_out_of_trees_and_the_others_keep_their_heads():
    kept, parents = treebank.without_punctuation(TREE)
    assert kept.tolist() == [0, 1, 3, 4, 5] and parents == [1, 4, 3, 1, -1]


def test_each_probe_has_a_value_and_a_control_for_each_layer(tiny):
    found = treebank.treebank_probes(tiny, [TREE] * 10, np.random.default_rng(0))
    for key in ("tags", "chunks", "roles"):
        assert found[key].shape == (2, 3) and (found[key][0] == 100).all(), key  # one sentence, ten times
    assert found["edges"].shape == found["chain"].shape == found["depth"].shape == (3,)
    assert found["chain"].tolist() == [50] * 3  # the-cat and a-man, not cat-man and cat-ran


def test_only_words_of_entities_are_asked_for_their_type(tiny, monkeypatch):
    text = [Sentence("the man ran".split(), ["O", "B-PER", "O"], 1)] * 5 + [
        Sentence("a cat ran".split(), ["O", "B-ANIMAL", "O"], 1)
    ] * 5
    read = treebank.Read(tiny, [one.words for one in text], np.random.default_rng(0))
    assert read.learned.sum() == 8 and read.trained.sum() == 24
    found = treebank.entity_probe(tiny, text, np.random.default_rng(0))
    assert found[0].tolist() == [100] * 3
    monkeypatch.setattr(treebank.Read, "probe", lambda self, labels: labels)
    assert treebank.entity_probe(tiny, text[:1], np.random.default_rng(0)) == [None, "PER", None]


def test_sentences_that_are_too_long_or_have_no_entity_are_left_out():
    some = [
        Sentence(words, tags, 1)
        for words, tags in ((["a"], ["O"]), (["Ada"], ["B-PER"]), (["Ada"] * 26, ["B-PER"] * 26))
    ]
    assert treebank.with_names(some, 9) == some[1:2]


@pytest.mark.parametrize("count", [3, 7])
def test_the_generated_language_has_names_of_several_types(count):
    found = treebank.generated_names(count)
    assert len(found) == count and len({tag[2:] for one in found for tag in one.tags}) > 2
