"""Pretraining a BERT on documents, and its evaluation on held-out documents.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: masked language model plus next sentence prediction.
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from ..config import ModelConfig
from ..data.batch import IGNORE, Specials, visible_all
from ..data.encoded import Documents
from ..model import Encoder, FastEncoder, Model
from ..model.checkpoints.pretrained import Pretrained
from ..model.growth import add_layers
from ..model.transfer import tensor_cores, to_torch
from ..objectives import Sum, WholeWordMLM
from ..objectives.base import Objective
from .feed import Shards
from .log import write_log
from .loop import train
from .phases import MakeObjective, Phase
from .recipes import start_from_sinusoids, with_pairs
from .storage import write_json, write_with_retries

SETTINGS = "training.json"  # in the folder of a finished model: the settings that it was trained with


def bert_objective(tokenizer: Any, max_length: int, rate: float = 0.15) -> Sum:
    """Build BERT's objective, Sum(NSP, MLM), with whole-word masking as in BERT's second release."""
    return with_pairs(WholeWordMLM(tokenizer.specials, tokenizer.vocab, max_length, rate=rate))


def encode_documents(documents: Iterable[Sequence[str]], tokenizer: Any) -> list[list[list[int]]]:
    """Encode documents (lists of sentences) as token ids, one list of ids for each sentence."""
    return [[encoding.ids for encoding in tokenizer.encode_batch(document)] for document in documents]


def new_model(config: ModelConfig, objective: Objective, seed: int) -> Model:
    """Build a model that an objective can train; the seed alone determines all of its weights."""
    torch.manual_seed(seed)
    return objective.model(FastEncoder(config))


def pretrain(
    docs: list | Documents,
    tokenizer: Any,
    model_config: ModelConfig,
    phases: Iterable[Phase | tuple],
    device: torch.device | str,
    *,
    make_objective: MakeObjective = bert_objective,
    grow: Callable[[Encoder, int, int], None] = add_layers,
    start: Callable[[Encoder], None] = start_from_sinusoids,
    checkpoint: str | Path | None = None,
    label: str = "pretrain",
    **options: Any,
) -> tuple[Model, list[dict]]:
    """Train a new model on encoded documents, with BERT's objective or another one, and return (model, log).

    docs: a list in memory, or Documents, which are read shard by shard. phases: Phases, or pairs
    (TrainConfig, maximum sequence length), trained one after the other. make_objective: a function that
    builds an Objective from (tokenizer, maximum sequence length). grow: a function (encoder, number of
    layers, seed) that adds layers. start: a function that changes the new encoder in place. checkpoint: a
    folder with a subfolder for each phase; a phase that was completed earlier is loaded from there. options:
    passed to `train`.
    """
    plan, layers = [Phase(*phase) for phase in phases], model_config.num_hidden_layers
    config = model_config.replace(vocab_size=len(tokenizer), num_hidden_layers=plan[0].layers or layers)
    seed = plan[0].config.seed
    model, log = new_model(config, make_objective(tokenizer, plan[0].max_length), seed), []
    start(model.encoder)  # on the CPU, so that no weight depends on the device
    model.to(device)
    before = 0  # steps of all earlier phases
    for number, phase in enumerate(plan, 1):
        grow(model.encoder, phase.layers or layers, seed + number)
        objective = (phase.make_objective or make_objective)(tokenizer, phase.max_length)
        folder = Path(checkpoint) / f"phase-{number}" if checkpoint else None
        rows = (
            Shards(objective.build, docs) if isinstance(docs, Documents) else partial(objective.build, docs)
        )
        phase_log = train(
            model,
            objective,
            rows,
            phase.config,
            checkpoint=folder,
            whole=checkpoint,
            label=f"{label}, up to {phase.max_length} tokens",
            **options,
        )
        log += [{**entry, "step": entry["step"] + before} for entry in phase_log]
        before += phase.config.steps
    return model, log


def tell_replaced(folder: Path | None, say: Callable[[str], object]) -> None:
    """Print a message with `say` if a folder contains a finished model, which the new one will replace."""
    if folder and (folder / "config.json").is_file():
        say(f"{folder} contains a finished model, which the new model will replace")


def forget(checkpoint: str | Path) -> None:
    """Delete the checkpoint folder of `train` or `pretrain` once the model is saved elsewhere."""
    shutil.rmtree(checkpoint, ignore_errors=True)


@torch.no_grad()
def evaluate_pretraining(
    model: Model, tokenizer: Any, docs: list, max_length: int, seed: int = 0, batch_size: int = 64
) -> dict[str, float]:
    """Evaluate masked token and next sentence prediction on held-out documents; accuracies are 0 to 100.

    docs: encoded documents. The result also contains the mean loss of a masked token, in nats, and two
    baselines that need no model: the accuracies of always predicting the most frequent token of these
    documents, and of always predicting the more frequent class.
    """
    objective = bert_objective(tokenizer, max_length)
    rng = np.random.default_rng([seed, 2])
    rows, sequence_labels = objective.build(docs, rng)
    assert sequence_labels is not None  # BERT's objective is about pairs
    device = next(model.parameters()).device
    right, masked, pairs, loss = [], [], [], 0.0
    for start in range(0, len(rows), batch_size):
        batch = objective.collate(
            rows[start : start + batch_size], sequence_labels[start : start + batch_size]
        )
        inputs, labels = objective.corrupt(batch, rng)
        counted = labels["tokens"] != IGNORE  # (B, T)
        inputs |= {
            "input_ids": np.where(counted, tokenizer.specials.mask, batch.input_ids),
            "counted": np.flatnonzero(counted),
        }
        with tensor_cores(device):
            outputs = model.eval()(**to_torch(inputs, device))
        tokens = labels["tokens"][counted]  # (N,)
        right.append(outputs["tokens"].argmax(-1).cpu().numpy() == tokens)
        loss += F.cross_entropy(
            outputs["tokens"].float(), torch.from_numpy(tokens).to(device), reduction="sum"
        ).item()
        masked.append(tokens)
        pairs.append(outputs["pair"].argmax(-1).cpu().numpy() == labels["pair"])
    truth = np.concatenate(masked)
    return {
        "mlm": 100 * np.concatenate(right).mean(),
        "mlm_loss": loss / len(truth),
        "mlm_frequency": 100 * np.bincount(truth).max() / len(truth),
        "nsp": 100 * np.concatenate(pairs).mean(),
        "nsp_chance": 100 * max(np.mean(sequence_labels), 1 - np.mean(sequence_labels)),
        "hidden_tokens": len(truth),
        "pairs": len(sequence_labels),
    }


def model_answers(model: Model, specials: Specials) -> Callable[[Any], list[tuple[float, float]]]:
    """Return a function that predicts the masked tokens of a document with a model.

    It maps a HiddenRow, a masked document of the generated language, to a pair for each masked token: (1 if
    the most likely token is correct, else 0; probability of the correct token).
    """

    @torch.no_grad()
    def answer(row):
        device = next(model.parameters()).device
        ids = torch.from_numpy(np.where(row.hidden, specials.mask, row.ids))[None]
        visible = torch.from_numpy(visible_all(np.ones((1, len(row.ids)), bool)))
        inputs = (x.to(device) for x in (ids, visible, torch.zeros_like(ids)))
        logits = model(*inputs, counted=torch.from_numpy(row.hidden)[None].to(device))[
            "tokens"
        ].cpu()  # (N, V)
        truth = torch.from_numpy(row.ids[row.hidden])  # (N,)
        shares = logits.float().log_softmax(-1)[torch.arange(len(truth)), truth].exp()
        return list(zip((logits.argmax(-1) == truth).float().tolist(), shares.tolist(), strict=True))

    return answer


def keep_pretrained(
    made: Pretrained,
    log: list[dict[str, Any]],
    held_out: list,
    max_length: int,
    folder: Path | None,
    about: dict[str, Any],
    progress: bool,
) -> None:
    """Save a pretrained model, print its scores on held-out documents, and delete its checkpoints.

    about: the settings that are saved with the model.
    """
    if folder:
        write_with_retries(lambda: made.save(folder))
        write_log(folder / "log.jsonl", log)
        write_json(folder / SETTINGS, about)
    if progress:
        scores = evaluate_pretraining(made.model, made.tokenizer, held_out, max_length)
        print(
            f"Held out: masked words {scores['mlm']:.1f}% (most frequent token "
            f"{scores['mlm_frequency']:.1f}%), next sentence {scores['nsp']:.1f}% (larger class "
            f"{scores['nsp_chance']:.1f}%)." + f" Model: {folder}" * bool(folder)
        )
    if folder:
        forget(folder / "training")  # last, so that a run stopped before this can still resume
