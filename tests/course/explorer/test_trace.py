"""The explorer's numbers are those of the model itself, and each is where the header says it is."""

import numpy as np
import pytest
import torch
from little_bert import TOKENIZER, VOCAB, model_with
from tiny import CONFIG

from minibert.course.widgets.explorer.trace import trace
from minibert.model import Model, TokenHead
from minibert.model.variants import RobertaEncoder

FIRST, SECOND = "Mira sings in Ashby.", "A song of the [MASK]."
L, H, K, D, INNER = 2, 4, 8, 32, 48
MODEL = model_with("tokens", "pair")


def arrays(found):
    """The arrays of a trace, by name."""
    header, data = found
    kinds = {"f32": np.float32, "f16": np.float16}
    return {
        name: np.frombuffer(data, kinds[kind], int(np.prod(shape)), offset).reshape(shape)
        for name, (offset, shape, kind) in header["arrays"].items()
    }


@torch.no_grad()
def own_pass(model, header):
    """What the model itself computes from a trace's tokens: the encoder's outputs, the heads' logits."""
    ids = torch.tensor([[TOKENIZER.ids[token] for token in header["tokens"]]])
    visible = torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool)
    types = torch.tensor([header["types"]])
    return model.encoder(ids, visible, types), model(ids, visible, types)


@pytest.mark.parametrize("second", [None, SECOND])
def test_hidden_states_and_attention_are_those_of_the_model(second):
    header, data = trace(MODEL, TOKENIZER, FIRST, second)
    found, (encoded, _) = arrays((header, data)), own_pass(MODEL, header)
    for ours, theirs in zip(found["hidden"], encoded["layers"], strict=True):
        np.testing.assert_allclose(ours, theirs[0], atol=1e-5)
    for ours, theirs in zip(found["probs"], encoded["probs"], strict=True):
        np.testing.assert_allclose(ours, theirs[0], atol=1e-6)


def test_predictions_are_those_of_the_heads():
    header, _ = trace(MODEL, TOKENIZER, FIRST, SECOND, masked=[2])
    _, logits = own_pass(MODEL, header)
    assert header["masked"] == [2, 12] and [header["tokens"][i] for i in (2, 12)] == ["[MASK]", "[MASK]"]
    assert [len(layers) for layers in header["top"]] == [L + 1, L + 1]
    for place, layers in zip(header["masked"], header["top"]):
        values, ids = logits["tokens"][0, place].softmax(-1).topk(5)
        assert [word for word, _ in layers[-1]] == [VOCAB[i] for i in ids]
        np.testing.assert_allclose([p for _, p in layers[-1]], values, rtol=1e-4)
    np.testing.assert_allclose(header["nsp"], logits["pair"][0].softmax(-1), rtol=1e-4)


@torch.no_grad()
def test_each_layer_is_asked_for_its_own_prediction():
    header, data = trace(MODEL, TOKENIZER, SECOND)
    (place,) = header["masked"]
    for hidden, layer in zip(arrays((header, data))["hidden"], header["top"][0], strict=True):
        probs = MODEL.heads["tokens"](torch.tensor(hidden[place])).softmax(-1)
        assert layer[0][0] == VOCAB[probs.argmax()] and layer[0][1] == pytest.approx(float(probs.max()))
    assert len({layer[0][0] for layer in header["top"][0]}) > 1, "layers that agree would not show a mix-up"


@torch.no_grad()
def test_the_token_that_was_there_has_its_probability_at_each_layer():
    header, data = trace(MODEL, TOKENIZER, FIRST, SECOND, masked=[2])
    states = torch.tensor(arrays((header, data))["hidden"][:, 2])
    probs = MODEL.heads["tokens"](states).softmax(-1)[:, TOKENIZER.ids["sings"]]
    was, in_the_text = header["was"]
    np.testing.assert_allclose(was, probs, rtol=1e-4)
    assert in_the_text is None and len(set(was)) == L + 1


def test_every_array_has_its_size_and_its_place():
    header, data = trace(MODEL, TOKENIZER, FIRST, SECOND)
    T = len(header["tokens"])
    assert header["sizes"] == {"layers": L, "heads": H, "hidden": D, "inner": INNER, "tokens": T}
    by_head, square, wide = [L, H, T, K], [L, H, T, T], [L, T, D]
    assert {name: shape for name, (_, shape, _) in header["arrays"].items()} == {
        "token": [T, D],
        "segment": [T, D],
        "position": [T, D],
        "hidden": [L + 1, T, D],
        "query": by_head,
        "key": by_head,
        "value": by_head,
        "scores": square,
        "probs": square,
        "context": by_head,
        "attended": wide,
        "norm1": wide,
        "inner": [L, T, INNER],
        "fed": wide,
        "pooled": [D],
    }
    end = 0
    for offset, shape, kind in header["arrays"].values():
        assert offset == end and offset % 4 == 0, "a browser reads float32 at multiples of 4 bytes only"
        end += int(np.prod(shape)) * {"f32": 4, "f16": 2}[kind]
    assert end == len(data)
    assert [name for name, (*_, kind) in header["arrays"].items() if kind == "f16"] == ["inner"]


def test_numbers_of_four_bytes_stay_aligned_beside_those_of_two():
    model = model_with("tokens", "pair", config=CONFIG.replace(num_hidden_layers=1, intermediate_size=7))
    header, _ = trace(model, TOKENIZER, "song")
    assert header["arrays"]["inner"][1] == [1, 3, 7]
    assert all(offset % 4 == 0 for offset, _, _ in header["arrays"].values())


@torch.no_grad()
def test_the_numbers_follow_from_one_another():
    found = arrays(trace(MODEL, TOKENIZER, FIRST, SECOND))
    layer = MODEL.encoder.layers[1]
    np.testing.assert_allclose(
        found["scores"], found["query"] @ found["key"].swapaxes(2, 3) / K**0.5, atol=1e-5
    )
    np.testing.assert_allclose(found["context"], found["probs"] @ found["value"], atol=1e-5)
    merged = found["context"][1].swapaxes(0, 1).reshape(-1, D)
    np.testing.assert_allclose(found["attended"][1], layer.attention.out(torch.tensor(merged)), atol=1e-5)
    norm1 = layer.attention_norm(torch.tensor(found["hidden"][1] + found["attended"][1]))
    np.testing.assert_allclose(found["norm1"][1], norm1, atol=1e-5)
    np.testing.assert_allclose(found["fed"][1], layer.feed_forward(norm1), atol=1e-5)
    np.testing.assert_allclose(
        layer.feed_forward.down(torch.tensor(found["inner"][1], dtype=torch.float32)),
        found["fed"][1],
        atol=0.02,
    )
    np.testing.assert_allclose(
        found["hidden"][0],
        MODEL.encoder.embeddings.norm(torch.tensor(found["token"] + found["segment"] + found["position"])),
        atol=1e-5,
    )


def test_tokens_know_their_segment_and_which_of_them_are_special():
    header, _ = trace(MODEL, TOKENIZER, "Café.", "Mira.")
    assert header["tokens"] == ["[CLS]", "caf", "##e", ".", "[SEP]", "mira", ".", "[SEP]"]
    assert header["types"] == [0, 0, 0, 0, 0, 1, 1, 1]
    assert [i for i, special in enumerate(header["special"]) if special] == [0, 4, 7] and header["cut"] == 0


def test_a_head_that_is_off_is_one_whose_columns_of_the_output_matrix_are_zero():
    off = arrays(trace(MODEL, TOKENIZER, FIRST, off=[["head", 1, 2]]))
    other = model_with("tokens", "pair")
    with torch.no_grad():
        other.encoder.layers[1].attention.out.weight[:, 2 * K : 3 * K] = 0
    zeroed, on = arrays(trace(other, TOKENIZER, FIRST)), arrays(trace(MODEL, TOKENIZER, FIRST))
    np.testing.assert_allclose(off["hidden"], zeroed["hidden"], atol=1e-5)
    assert not off["context"][1, 2].any() and off["context"][1, 3].any() and off["context"][0, 2].any()
    assert np.abs(off["hidden"][2] - on["hidden"][2]).max() > 0.01
    np.testing.assert_array_equal(off["probs"], on["probs"])


def test_a_layer_that_is_off_changes_nothing_and_has_no_numbers():
    found = arrays(trace(MODEL, TOKENIZER, FIRST, off=[["layer", 0]]))
    np.testing.assert_array_equal(found["hidden"][1], found["hidden"][0])
    np.testing.assert_array_equal(found["norm1"][0], found["hidden"][0])
    for name in ("query", "scores", "probs", "context", "attended", "inner", "fed"):
        assert not found[name][0].any() and found[name][1].any()
    shorter = model_with("tokens", "pair")
    del shorter.encoder.layers[0]
    alone, _ = own_pass(shorter, trace(MODEL, TOKENIZER, FIRST)[0])
    np.testing.assert_allclose(found["hidden"][2], alone["hidden"][0], atol=1e-5)


def test_a_long_text_is_cut_to_what_the_model_reads():
    longest = CONFIG.max_position_embeddings
    header, data = trace(MODEL, TOKENIZER, "song " * 50)
    assert len(header["tokens"]) == longest and header["cut"] == 50 - (longest - 2)
    assert header["tokens"][-1] == "[SEP]"
    header, _ = trace(MODEL, TOKENIZER, "song " * 50, "the sea")
    assert header["cut"] == 52 - (longest - 3) and header["tokens"][-3:] == ["the", "sea", "[SEP]"]
    assert np.isfinite(arrays(trace(MODEL, TOKENIZER, "sea " * 50))["hidden"]).all()


@pytest.mark.parametrize("second", [None, "", "  "])
def test_a_blank_second_sentence_is_none_and_one_sentence_has_no_next(second):
    header, _ = trace(MODEL, TOKENIZER, FIRST, second)
    assert header["tokens"].count("[SEP]") == 1 and set(header["types"]) == {0} and header["nsp"] is None


def test_a_model_without_the_head_for_pairs_says_nothing_about_them():
    header, _ = trace(model_with("tokens"), TOKENIZER, FIRST, SECOND)
    assert header["nsp"] is None and "pooled" not in header["arrays"] and len(header["top"]) == 1


@pytest.mark.parametrize("masked", [[0], [7], [6], [-1], [1.0], ["1"]])
def test_only_words_can_be_masked(masked):
    with pytest.raises(
        ValueError,
        match=rf"masked: {masked[0]!r} is not the position of a word; with these 7 "
        r"tokens, it must be one of \[1, 2, 3, 4, 5\]",
    ):
        trace(MODEL, TOKENIZER, "Mira sings in Ashby", masked=masked)


@pytest.mark.parametrize(
    "part",
    [
        ["layer", 2],
        ["layer", -1],
        ["head", 0, 4],
        ["head", 0],
        ["layer"],
        3,
        "layer",
        ["neuron", 0, 0],
        ["head", 0, [1]],
    ],
)
def test_only_parts_of_the_model_can_be_off(part):
    with pytest.raises(ValueError) as error:
        trace(MODEL, TOKENIZER, FIRST, off=[["layer", 1], part])
    assert str(error.value) == (
        f'off: {part!r} is neither ["layer", layer] nor ["head", layer, head] in a model with '
        "2 layers of 4 heads, counted from 0"
    )


def test_other_models_are_refused():
    with pytest.raises(ValueError, match=r"heads are \['pair'\]; the explorer needs the masked-LM head"):
        trace(model_with("pair"), TOKENIZER, FIRST)
    roberta = RobertaEncoder(CONFIG)
    roberta = Model(roberta, {"tokens": TokenHead(CONFIG, roberta.embeddings.word)})
    with pytest.raises(
        ValueError, match="the encoder is of class RobertaEncoder, but the explorer needs BERT's"
    ):
        trace(roberta, TOKENIZER, FIRST)


def test_a_trace_leaves_the_model_as_it_was():
    model = model_with("tokens", "pair", config=CONFIG.replace(hidden_dropout_prob=0.5)).train()
    before = arrays(trace(model, TOKENIZER, FIRST))["hidden"]
    np.testing.assert_array_equal(arrays(trace(model, TOKENIZER, FIRST))["hidden"], before)
    assert model.training
