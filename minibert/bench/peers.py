"""The models to compare: this package's, Hugging Face's BertForPreTraining, and torch.nn.TransformerEncoder.

All start from the same weights and have the same training step: gradient clipping, fused AdamW and a learning
rate schedule, as `Trainer` of `transformers` does by default, without its logging.
"""

from __future__ import annotations

import copy
import tempfile
import warnings
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from ..config import ModelConfig
from ..model import Encoder
from ..model.checkpoints.published import save_model
from ..model.fast import select
from ..model.goal import token_loss
from ..training.config import TrainConfig
from ..training.device import default_precision
from ..training.optimizers import make_optimizer
from ..training.pretraining import new_model
from .material import Inputs

SETTINGS = TrainConfig(steps=1)  # learning rate, weight decay and clipping for all
WITHOUT = "transformers is not installed: pip install 'minibert[dev]'"
WARMUP = 10  # steps; after them, the learning rate is constant


class Peer:
    """A model to compare in the benchmark. precision: the autocast dtype of its matrix products."""

    def __init__(self, module, precision):
        self.module, self.precision = module, precision
        self.device = next(module.parameters()).device
        self.optimizer = make_optimizer(module, SETTINGS)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda step: min(1, (step + 1) / WARMUP)
        )

    def loss(self, inputs: Inputs) -> torch.Tensor:
        raise NotImplementedError

    def predict(self, inputs: Inputs) -> torch.Tensor:
        """Return the logits at the predicted positions, (N, V)."""
        raise NotImplementedError

    def step(self, inputs: Inputs) -> torch.Tensor:
        """Take one optimiser step and return the loss, without waiting for its value."""
        with torch.autocast(self.device.type, self.precision, enabled=self.precision != torch.float32):
            loss = self.loss(inputs)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), SETTINGS.clip)
        self.optimizer.step()
        self.schedule.step()
        return loss.detach()

    @torch.no_grad()
    def infer(self, inputs: Inputs) -> torch.Tensor:
        with torch.autocast(self.device.type, self.precision, enabled=self.precision != torch.float32):
            return self.predict(inputs)

    def to(self, device: torch.device) -> Peer:
        """Return a Peer with the same module on another device, and with a new optimiser."""
        return type(self)(self.module.to(device), self.precision)

    def at(self, precision: torch.dtype) -> Peer:
        """Return a Peer with the same module and optimiser that computes in another precision."""
        other = copy.copy(self)  # shares the module: two copies of a large model would not fit into memory
        other.precision = precision
        return other


class Ours(Peer):
    """This package's model with BERT's pretraining heads."""

    def loss(self, inputs: Inputs) -> torch.Tensor:
        outputs = self.module(**inputs.model)
        tokens = select(inputs.labels["tokens"], inputs.model["counted"])  # (N,)
        pair_loss = F.cross_entropy(outputs["pair"].float(), inputs.labels["pair"])
        return token_loss(outputs["tokens"], tokens) + pair_loss

    def predict(self, inputs: Inputs) -> torch.Tensor:
        return self.module(**inputs.model)["tokens"]


class HuggingFace(Peer):
    """Hugging Face's unchanged BertForPreTraining, which computes logits and loss at every position."""

    def call(self, inputs: Inputs, **labels: Any) -> Any:
        return self.module(
            input_ids=inputs.model["input_ids"],
            token_type_ids=inputs.model["token_type_ids"],
            attention_mask=inputs.real.long(),
            **labels,
        )

    def loss(self, inputs: Inputs) -> torch.Tensor:
        return self.call(
            inputs, labels=inputs.labels["tokens"], next_sentence_label=inputs.labels["pair"]
        ).loss

    def predict(self, inputs: Inputs) -> torch.Tensor:
        return select(self.call(inputs).prediction_logits, inputs.model["counted"])


class TorchEncoder(nn.Module):
    """A model with this package's embeddings, followed by PyTorch's own encoder layers."""

    def __init__(self, encoder):
        super().__init__()
        c = self.config = encoder.config
        self.embeddings = encoder.embeddings
        layer = nn.TransformerEncoderLayer(
            c.hidden_size,
            c.num_attention_heads,
            c.intermediate_size,
            c.hidden_dropout_prob,
            "gelu",
            c.layer_norm_eps,
            batch_first=True,
        )
        # PyTorch uses nested tensors for padding, and warns about them.
        warnings.filterwarnings("ignore", "The PyTorch API of nested tensors", UserWarning)
        self.layers = nn.TransformerEncoder(layer, c.num_hidden_layers)
        for theirs, ours in zip(self.layers.layers, encoder.layers):
            a = ours.attention
            parts = {
                "self_attn.out_proj": a.out,
                "linear1": ours.feed_forward.up,
                "linear2": ours.feed_forward.down,
                "norm1": ours.attention_norm,
                "norm2": ours.feed_forward_norm,
            }
            state = {
                f"{name}.{key}": value
                for name, part in parts.items()
                for key, value in part.state_dict().items()
            }
            for key in ("weight", "bias"):
                projections = [getattr(x, key) for x in (a.query, a.key, a.value)]
                state[f"self_attn.in_proj_{key}"] = torch.cat(projections)
            theirs.load_state_dict(state)

    def forward(
        self, input_ids: torch.Tensor, visible: torch.Tensor, token_type_ids: torch.Tensor
    ) -> dict[str, torch.Tensor]:
        x = self.embeddings(input_ids, token_type_ids)  # (B, T, D)
        return {"hidden": self.layers(x, src_key_padding_mask=~visible.any(1))}


def ours(config: ModelConfig, objective: Any, precision: torch.dtype | None = None, seed: int = 0) -> Ours:
    """Return this package's model as a Peer with new weights, by default in training's default precision."""
    model = new_model(config, objective, seed).train()
    return Ours(model, precision or default_precision(torch.device("cpu")))


def with_torch_encoder(peer: Ours, precision: torch.dtype) -> Ours:
    """Return a copy of this package's model `peer` with PyTorch's own encoder and the same weights."""
    model = copy.deepcopy(peer.module)
    model.encoder = TorchEncoder(model.encoder)
    return Ours(model.train(), precision)


def hugging_face(peer: Ours, precision: torch.dtype) -> HuggingFace:
    """Return Hugging Face's model with the weights of this package's model `peer`.

    Raises ModuleNotFoundError if `transformers` is not installed.
    """
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    assert isinstance(peer.module.encoder, Encoder)
    with tempfile.TemporaryDirectory() as folder:
        save_model(peer.module, folder)
        return HuggingFace(transformers.BertForPreTraining.from_pretrained(folder).train(), precision)
