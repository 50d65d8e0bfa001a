"""Lesson 9's three models trained well: equal in size and text, each with the recipe that suits it best.

Devlin et al. (2019, arXiv 1810.04805), section 5.1, compare models that differ in one thing; that is fair
only where each is trained as well as it can be. `benchmarks/elmo_gpt_bert.py` finds the recipes, trains and
scores the models, and leaves one of each here.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from minibert.model import Model
from minibert.model.checkpoints import few_bits
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.pretraining import encode_documents

from .training import Budget, lives, new_model, pretraining_text

FOLDER = Path(__file__).parent
VOCAB = FOLDER / "vocab.txt"
BITS = 8  # of a number in the files

# What all three share: more text than lesson 9 reads live, in batches four times as large.
SHARED = Budget(
    documents=32000,
    batch_size=32,
    steps=3000,
    optimizer="muon",
    embedding_share=2.0,
    weight_decay=0.15,
    pages=1100,
    tests=200,
)
# What suits each best or within a point of it, by its accuracy on masked words of a dev set. Muon trains
# linear layers: an LSTM's matrices stay with Adam.
RECIPES: dict[str, dict[str, float]] = {
    "ELMo": {"peak_rate": 3.2e-2},
    "GPT": {"peak_rate": 4e-3},
    "BERT": {"peak_rate": 4e-3, "mask_rate": 0.3},
}


def trained_budget(name: str, **changes: Any) -> Budget:
    """Return how a model is trained: SHARED with its recipe, and with other changes.

    name: a model of `elmo_gpt_bert`; "BERT with NSP" has BERT's recipe.
    """
    return replace(SHARED, **{**RECIPES[name.removesuffix(" with NSP")], **changes})


def trained_text() -> tuple[FastWordPiece, list[list[list[int]]]]:
    """Return the tokenizer of the live models and the text that they read: documents of sentences of ids."""
    tokenizer, _ = pretraining_text(Budget())
    return tokenizer, encode_documents(lives(SHARED.documents), tokenizer)


def save_trained(
    name: str, model: Model, tokenizer: FastWordPiece, card: dict[str, Any], folder: Path = FOLDER
) -> None:
    """Write a model's weights, with its card in the header, and the vocabulary beside them."""
    few_bits.save(folder / f"{name}.safetensors", dict(model.named_parameters()), BITS, card)
    (folder / VOCAB.name).write_text("\n".join(tokenizer.vocab) + "\n", encoding="utf-8", newline="\n")


def load_trained(name: str, folder: Path = FOLDER) -> tuple[Model, FastWordPiece, dict[str, Any]]:
    """Return (model in evaluation mode, tokenizer, card): "ELMo", "GPT" or "BERT".

    The card says of which language, by which recipe and with which scores. Raises ValueError, naming the
    file, for one that is damaged or holds another model.
    """
    path = folder / f"{name}.safetensors"
    tensors, card = few_bits.load(path)
    tokenizer = FastWordPiece.load(folder / VOCAB.name)
    model = new_model(name, trained_budget(name), tokenizer, seed=0)
    own = dict(model.named_parameters())
    if {key: x.shape for key, x in tensors.items()} != {key: x.shape for key, x in own.items()}:
        raise ValueError(f"{path}: holds other weights than those of {name} with {len(tokenizer)} tokens")
    model.load_state_dict(tensors, strict=False)  # a tied matrix is there once
    return model.eval(), tokenizer, card
