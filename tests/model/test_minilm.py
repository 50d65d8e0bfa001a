"""Published weights: all-MiniLM-L6-v2 (arXiv 2002.10957) loads, equals `transformers`, and knows meaning."""

import pytest
import torch

from minibert.data.batch import collate, visible_all
from minibert.model.checkpoints.published import load_model
from minibert.tokenizer.fast import FastWordPiece

SENTENCES = [
    "A man is playing a guitar on the stage.",
    "Someone makes music with a stringed instrument.",
    "The stock market fell sharply on Monday, analysts said; unaffordable housing didn't help.",
]


@torch.no_grad()
def hidden_states(model, tokenizer, sentences):
    """(B, T, D) and real (B, T)."""
    batch = collate([(tokenizer.encode(sentence).ids, None) for sentence in sentences], tokenizer.specials)
    arrays = map(torch.from_numpy, (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
    return model.encoder(*arrays)["hidden"], torch.from_numpy(batch.real)


@pytest.mark.slow
def test_published_weights_equal_transformers(english_encoder):
    from transformers import AutoTokenizer, BertModel

    model, tokenizer = load_model(english_encoder), FastWordPiece.load(english_encoder / "vocab.txt")
    assert len(model.encoder.layers) == 6 and model.encoder.config.hidden_size == 384
    theirs = AutoTokenizer.from_pretrained(english_encoder)(SENTENCES, padding=True, return_tensors="pt")
    theirs = {name: theirs[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
    hidden, real = hidden_states(model, tokenizer, SENTENCES)
    with torch.no_grad():
        expected = BertModel.from_pretrained(english_encoder).eval()(**theirs).last_hidden_state
    assert torch.equal(real, theirs["attention_mask"].bool())
    assert (hidden - expected)[real].abs().max() < 1e-5


@pytest.mark.slow
def test_published_sentence_vectors_know_a_paraphrase(english_encoder):
    tokenizer = FastWordPiece.load(english_encoder / "vocab.txt")
    hidden, real = hidden_states(load_model(english_encoder), tokenizer, SENTENCES)
    vectors = (hidden * real[..., None]).sum(1) / real.sum(1, keepdim=True)  # (B, D), the mean token
    vectors = torch.nn.functional.normalize(vectors, dim=-1)
    music, paraphrase, market = vectors
    assert music @ paraphrase > 0.4 and music @ market < 0.2


@pytest.mark.slow
def test_both_files_of_the_published_tokenizer_are_one(english_encoder, tmp_path):
    from transformers import AutoTokenizer

    AutoTokenizer.from_pretrained(english_encoder).save_pretrained(tmp_path)
    one, other = map(FastWordPiece.load, (english_encoder / "vocab.txt", tmp_path / "tokenizer.json"))
    assert one.vocab == other.vocab and one.lower_case == other.lower_case
    assert one.encode_batch(SENTENCES) == other.encode_batch(SENTENCES)
