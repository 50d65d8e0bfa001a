"""The model of the lessons: pretrained on the generated language, kept in the user's cache, made anew when it
is absent.

`minibert tour` leaves a good one there; without it, a lesson trains a smaller one in about half a minute.
"""
import shutil
from functools import partial
from pathlib import Path

import platformdirs

from .config import preset
from .corpora.world import World
from .model import load_pretrained, save_pretrained
from .model.files import check_vocab, find_folder, read_json
from .tokenizer import count_words, train_wordpiece
from .tokenizer.fast import FastWordPiece
from .training import Phase, TrainConfig, bert_objective, choose_device, encode_documents, pretrain
from .training.phases import divide

WORLD_SEED = 7
# The quick model reads lives only, in short rows, many small steps: in half a minute it learns what kind of
# word fits.
QUICK_DOCUMENTS, QUICK_LAYERS, QUICK_LENGTH = 7000, 2, 32
QUICK_TRAINING = TrainConfig(steps=800, batch_size=24, peak_rate=2e-3, optimizer="muon")
# steps at whose end a phase is over, and its layers: one first, which is cheap
QUICK_ENDS, QUICK_GROWTH = (500, 800), (1, 2)
MASK_RATE = 0.3                                 # twice the paper's: a short run learns more from a row


def cache_folder():
    """Where the checkpoint lives: the operating system's cache directory of this user."""
    return Path(platformdirs.user_cache_dir("minibert")) / "class_model"


def keep(folder):
    """Copy a pretrained model folder into the cache, in place of what is there."""
    target = cache_folder()
    partial = target.with_name("class_model.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for name in ("config.json", "model.safetensors", "vocab.txt"):
        shutil.copy(Path(folder) / name, partial / name)
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)


def load_bert(folder):
    """A pretrained folder, or a hub name, as (Model with its MLM and NSP heads, tokenizer).

    Lower case, unless the folder's `tokenizer_config.json` says otherwise. Raises ValueError for a damaged
    folder.
    """
    folder = Path(find_folder(folder))
    said = folder / "tokenizer_config.json"
    lower_case = read_json(said).get("do_lower_case") if said.is_file() else None
    tokenizer = FastWordPiece.load(folder / "vocab.txt", lower_case)
    model = load_pretrained(folder, bert_objective(tokenizer, max_length=64).heads)
    check_vocab(folder, tokenizer, model.encoder.config)
    return model, tokenizer


def class_model():
    """(Model, tokenizer) from the cache, or, when there is none, from a quick pretraining that it
    announces.
    """
    if cache_folder().is_dir():
        return load_bert(cache_folder())
    print("No pretrained model in the cache (`make tour` leaves a good one). Training a small one: about 30 "
          "seconds.")
    documents = [document.sentences
                 for document in World(WORLD_SEED).documents(QUICK_DOCUMENTS, seed=1, split="pretrain")
                 if document.kind == "life"]
    words = count_words(sentence for document in documents for sentence in document)
    tokenizer = FastWordPiece(train_wordpiece(words, preset("class").vocab_size))
    phases = [Phase(part, QUICK_LENGTH, layers)
              for part, layers in zip(divide(QUICK_TRAINING, QUICK_ENDS), QUICK_GROWTH)]
    model, _ = pretrain(encode_documents(documents, tokenizer), tokenizer,
                        preset("class", num_hidden_layers=QUICK_LAYERS),
                        phases, choose_device(), make_objective=partial(bert_objective, rate=MASK_RATE),
                        progress=False)
    made = cache_folder().with_name("quick")
    save_pretrained(model, made, tokenizer.vocab)
    keep(made)
    shutil.rmtree(made)
    return model, tokenizer


def fill_masks(model, tokenizer, text, top=5):
    """The model's guesses for each [MASK] in a text: one list per mask of (piece, probability), the likeliest
    first.

    Raises ValueError for a text without [MASK], or longer than the model reads.
    """
    import torch

    from .batch import pack
    parts = text.split("[MASK]")
    if len(parts) == 1:
        raise ValueError(f"no [MASK] in {text!r}: write it where the model should guess")
    ids = [i for part in parts for i in [*tokenizer.encode(part).ids, tokenizer.specials.mask]][:-1]
    ids, types = (torch.tensor([row]) for row in pack(ids, None, tokenizer.specials))
    with torch.no_grad():
        device = next(model.parameters()).device
        visible = torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool)
        outputs = model.eval()(ids.to(device), visible.to(device), types.to(device),
                               counted=(ids == tokenizer.specials.mask).to(device))
    probs = outputs["tokens"].float().softmax(-1).cpu()                         # (N, V)
    values, indices = probs.topk(top)
    return [[(tokenizer.vocab[i], float(p)) for i, p in zip(row, ps)]
            for row, ps in zip(indices.tolist(), values)]
