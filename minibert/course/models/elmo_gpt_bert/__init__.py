"""Store well-trained versions of lesson 9's three models, equal in size and training text.

Devlin et al. (2019, arXiv 1810.04805), section 5.1, compare models that differ in one aspect. This is fair
only if each model is trained as well as possible. `benchmarks/elmo_gpt_bert.py` finds the recipes, trains and
scores the models, and stores one of each kind here.
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
BITS = 8  # per number in the files

# shared by all three: more text than lesson 9 uses live, and batches four times as large
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
# The best settings for each model, or within one point of the best, by its accuracy on masked words
# of a dev set. Muon trains only linear layers, so an LSTM's matrices are trained with Adam.
RECIPES: dict[str, dict[str, float]] = {
    "ELMo": {"peak_rate": 3.2e-2},
    "GPT": {"peak_rate": 4e-3},
    "BERT": {"peak_rate": 4e-3, "mask_rate": 0.3},
}


def trained_budget(name: str, **changes: Any) -> Budget:
    """Return the data, sizes and number of steps with which a stored model was trained.

    name: a key of `training.MODELS`, or "BERT with NSP", which is trained in the same way as BERT. changes:
    fields of Budget to replace.
    """
    return replace(SHARED, **{**RECIPES[name.removesuffix(" with NSP")], **changes})


def trained_text() -> tuple[FastWordPiece, list[list[list[int]]]]:
    """Return lesson 9's tokenizer, and the training text of the stored models as encoded documents."""
    tokenizer, _ = pretraining_text(Budget())
    return tokenizer, encode_documents(lives(SHARED.documents), tokenizer)


def save_trained(
    name: str, model: Model, tokenizer: FastWordPiece, card: dict[str, Any], folder: Path = FOLDER
) -> None:
    """Write a model's weights and vocabulary to a folder, with `card` in the header of the weights file.

    card: a dict that describes the model, such as its training recipe and its scores.
    """
    few_bits.save(folder / f"{name}.safetensors", dict(model.named_parameters()), BITS, card)
    (folder / VOCAB.name).write_text("\n".join(tokenizer.vocab) + "\n", encoding="utf-8", newline="\n")


def load_trained(name: str, folder: Path = FOLDER) -> tuple[Model, FastWordPiece, dict[str, Any]]:
    """Load a stored model, and return (model in evaluation mode, tokenizer, card).

    name: "ELMo", "GPT" or "BERT". The card describes the training text, the recipe and the scores. Raises
    ValueError, naming the file, if it is damaged or contains another model.
    """
    path = folder / f"{name}.safetensors"
    tensors, card = few_bits.load(path)
    tokenizer = FastWordPiece.load(folder / VOCAB.name)
    model = new_model(name, trained_budget(name), tokenizer, seed=0)
    own = dict(model.named_parameters())
    if {key: x.shape for key, x in tensors.items()} != {key: x.shape for key, x in own.items()}:
        raise ValueError(
            f"{path}: the weights do not fit {name} with a vocabulary of {len(tokenizer)} tokens"
        )
    model.load_state_dict(tensors, strict=False)  # not strict, because a tied matrix is stored only once
    return model.eval(), tokenizer, card
