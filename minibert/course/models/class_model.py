"""Load the lessons' own BERT, pretrained on the generated language and stored in the user's cache.

`minibert tour` puts a good model into the cache. If the cache is empty, a lesson trains a smaller one in
about half a minute.
"""

import shutil
import string
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs
import torch

from minibert.config import preset
from minibert.data.batch import SPECIAL_TOKENS
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.registry import entry_of
from minibert.generated import World
from minibert.model import Encoder, Model
from minibert.model.checkpoints.files import check_vocab, find_folder
from minibert.model.checkpoints.pretrained import Pretrained, fill_masks, with_pooler
from minibert.model.checkpoints.published import load_model, save_model
from minibert.model.checkpoints.tokenizer_files import SETTINGS, VOCAB
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.config import TrainConfig
from minibert.training.phases import Phase, divide
from minibert.training.pretraining import bert_objective, encode_documents, pretrain

__all__ = ["WORLD_SEED", "cache_folder", "class_model", "fill_masks", "keep", "load_bert", "untrained_model"]

WORLD_SEED = 7
# The quick model is trained on short sequences from biographies ("lives") in many small steps. In half a
# minute, it learns what kind of word fits.
QUICK_DOCUMENTS, QUICK_LAYERS, QUICK_LENGTH = 7000, 2, 32
QUICK_TRAINING = TrainConfig(steps=800, batch_size=24, peak_rate=2e-3, optimizer="muon")
# Last step and number of layers of each phase; the first phase has one layer, because that is faster.
QUICK_ENDS, QUICK_GROWTH = (500, 800), (1, 2)
MASK_RATE = 0.3  # twice the paper's rate, so that a short run learns more from each sequence


def cache_folder() -> Path:
    """Return the folder in the user's cache for the lessons' own model."""
    return Path(platformdirs.user_cache_dir("minibert")) / "class_model"


def keep(folder: str | Path) -> None:
    """Copy the folder of a pretrained model into the user's cache, replacing the lessons' previous model."""
    target = cache_folder()
    partial = target.with_name("class_model.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for name in ("config.json", "model.safetensors", VOCAB, SETTINGS):
        if name != SETTINGS or (Path(folder) / name).is_file():  # earlier versions did not write this file
            shutil.copy(Path(folder) / name, partial / name)
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)


def load_bert(folder: str | Path) -> tuple[Model, FastWordPiece]:
    """Load a BERT with MLM and NSP heads from a folder or the Hugging Face Hub; return (Model, tokenizer).

    A head stays untrained if the folder has no weights for it. Raises ValueError for a damaged folder.
    """
    folder = find_folder(folder)
    tokenizer = FastWordPiece.load(folder / VOCAB)
    model = load_model(folder, bert_objective(tokenizer, max_length=64).heads)
    check_vocab(folder, tokenizer, model.encoder.config)
    return model, tokenizer


def class_model() -> tuple[Model, FastWordPiece]:
    """Return the lessons' own model as (Model, tokenizer).

    If there is none in the user's cache, print a message and train a small one on the CPU. The model stays on
    the CPU, where lessons run.
    """
    if cache_folder().is_dir():
        return load_bert(cache_folder())
    print(
        "There is no pretrained model in the cache (`make tour` makes a good one). "
        "Training a small one now, which takes about 30 seconds ..."
    )
    documents = [
        document.sentences
        for document in World(WORLD_SEED).documents(QUICK_DOCUMENTS, seed=1, split="pretrain")
        if document.kind == "life"
    ]
    words = count_words(sentence for document in documents for sentence in document)
    tokenizer = FastWordPiece(train_wordpiece(words, preset("class").vocab_size))
    phases = [
        Phase(part, QUICK_LENGTH, layers)
        for part, layers in zip(divide(QUICK_TRAINING, QUICK_ENDS), QUICK_GROWTH)
        if part
    ]
    model, _ = pretrain(
        encode_documents(documents, tokenizer),
        tokenizer,
        preset("class", num_hidden_layers=QUICK_LAYERS),
        phases,
        "cpu",
        make_objective=partial(bert_objective, rate=MASK_RATE),
        progress=False,
    )
    made = cache_folder().with_name("quick")
    save_model(model, made, tokenizer)
    keep(made)
    shutil.rmtree(made)
    return model, tokenizer


def tour() -> Pretrained:
    """Return the lessons' own model and its tokenizer as one object, as `minibert.load("tour")` does."""
    return with_pooler(*class_model(), "tour")


def untrained_model(name: str, **settings: Any) -> Finetuned:
    """Return a small untrained model for a task, for use when no fine-tuned one is available.

    Its tokens are single characters, and its sequences have up to 512 tokens. name: the name of a task for
    `finetune`, such as "qa" or "ner". settings: the task's options, such as `tags` for "ner". Raises
    ValueError for an unknown task.

    Example: minibert.load("english-qa", instead=untrained_model("qa"))
    """
    entry = entry_of(name)
    signs = [c for c in string.printable if not c.isspace() and not c.isupper()]
    tokenizer = FastWordPiece([*SPECIAL_TOKENS, *signs, *(f"##{c}" for c in signs)])
    task = entry.task(tokenizer, 512, **settings)
    with torch.random.fork_rng(devices=[]):  # so that a lesson's own random numbers do not change
        torch.manual_seed(0)
        encoder = Encoder(preset("class", vocab_size=len(tokenizer), max_position_embeddings=512))
        return Finetuned(name, task, Model(encoder, task.heads(encoder)).eval())
