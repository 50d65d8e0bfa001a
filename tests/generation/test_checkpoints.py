"""A decoder that starts from an encoder has its weights, and only the cross-attention is new."""

import pytest
import torch

from minibert.config import preset
from minibert.generation.checkpoints import COPIED, decoder_from
from minibert.model import BiLSTM, Decoder, Encoder, EncoderDecoder, TiedOutputHead

CONFIG = preset("class", vocab_size=13, hidden_size=16, num_attention_heads=2, intermediate_size=24)


def encoder():
    torch.manual_seed(0)
    network = Encoder(CONFIG)
    for parameter in network.parameters():  # so that no bias or LayerNorm is at its initial value
        torch.nn.init.normal_(parameter, std=0.3)
    return network.eval()


@pytest.mark.parametrize("shared", [False, True])
def test_layers_are_copies_or_the_same_modules(shared):
    network = encoder()
    decoder = decoder_from(network, shared)
    for new, old in zip(decoder.layers, network.layers):
        for name in COPIED:
            assert (getattr(new, name) is getattr(old, name)) == shared
            pairs = zip(getattr(new, name).parameters(), getattr(old, name).parameters())
            assert all(torch.equal(one, two) for one, two in pairs)
    assert {name for name, _ in network.layers[0].named_children()} == {*COPIED, "dropout"}


def test_the_decoder_reads_words_like_the_encoder():
    network, ids = encoder(), torch.tensor([[3, 1, 4, 1, 5]])
    decoder = decoder_from(network)
    words = network.embeddings.word(ids) + decoder.position.weight[:5]
    expected = network.embeddings(ids, torch.zeros_like(ids))
    torch.testing.assert_close(decoder.norm(words), expected)


def test_the_cross_attention_is_new_and_training_copies_leaves_the_encoder():
    network = encoder()
    decoder = decoder_from(network).eval()
    assert decoder.layers[0].cross_attention.query.weight.std() < 0.1  # 0.05; the others have 0.3
    assert decoder.state_dict().keys() == Decoder(CONFIG).state_dict().keys()
    model = EncoderDecoder(network, decoder, {"tokens": TiedOutputHead(CONFIG, network.embeddings.word)})
    ids, square = torch.tensor([[3, 1, 4]]), torch.ones(1, 3, 3, dtype=torch.bool)
    logits = model(ids, square, torch.zeros_like(ids), ids, square.tril(), square)["tokens"]
    logits.square().mean().backward()
    assert all(p.grad is not None for p in decoder.layers.parameters())
    assert decoder.layers[0].attention.query.weight is not network.layers[0].attention.query.weight


def test_an_lstm_is_refused():
    with pytest.raises(ValueError, match="BiLSTM has no layers"):
        decoder_from(BiLSTM(CONFIG))
