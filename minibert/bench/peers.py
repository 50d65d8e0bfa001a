"""Who runs: this package, Hugging Face's BertForPreTraining, and a trunk of torch.nn.TransformerEncoder, from
the same weights.

Each has `loss(inputs)` and trains by the same step: clipping, AdamW in one fused call, a schedule of the
rate; what `Trainer` of `transformers` does by default, but for its logging. Decay, epsilon and warm-up are
BERT's, for all alike.
"""
import copy
import tempfile
import warnings

import torch
from torch import nn
from torch.nn import functional as F

from ..model import Encoder, save_pretrained
from ..model.goal import token_loss
from ..training import TrainConfig, choose_precision
from ..training.optimizers import make_optimizer
from ..training.pretraining import new_model

SETTINGS = TrainConfig(steps=1)                             # rate, decay and clipping of every contestant
WITHOUT = "transformers is not installed: pip install 'minibert[dev]'"
WARMUP = 10                                                 # steps; then the rate stays


class Peer:
    """Something that trains: a module, and how it reads Inputs. precision: of the products, by autocast."""

    def __init__(self, module, precision):
        self.module, self.precision = module, precision
        self.device = next(module.parameters()).device
        self.optimizer = make_optimizer(module, SETTINGS)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimizer,
                                                          lambda step: min(1, (step + 1) / WARMUP))

    def loss(self, inputs):
        """The pretraining loss, a scalar."""
        raise NotImplementedError

    def predict(self, inputs):
        """Logits at the predicted positions (N, V)."""
        raise NotImplementedError

    def step(self, inputs):
        """One optimiser step; the loss, which nobody waits for."""
        with torch.autocast(self.device.type, self.precision, enabled=self.precision != torch.float32):
            loss = self.loss(inputs)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), SETTINGS.clip)
        self.optimizer.step()
        self.schedule.step()
        return loss.detach()

    @torch.no_grad()
    def infer(self, inputs):
        """`predict` in this precision."""
        with torch.autocast(self.device.type, self.precision, enabled=self.precision != torch.float32):
            return self.predict(inputs)

    def to(self, device):
        """One like it, on a device; its optimiser begins there."""
        return type(self)(self.module.to(device), self.precision)

    def at(self, precision):
        """The same module and optimiser in another precision: two of a large model would not fit."""
        other = copy.copy(self)
        other.precision = precision
        return other


class Ours(Peer):
    """A Model of this package with the heads of BERT's pretraining."""

    def loss(self, inputs):
        outputs = self.module(**inputs.model)
        return token_loss(outputs["tokens"],
                          inputs.labels["tokens"]) + F.cross_entropy(outputs["pair"].float(),
                                                                                       inputs.labels["pair"])

    def predict(self, inputs):
        return self.module(**inputs.model)["tokens"]


class HuggingFace(Peer):
    """BertForPreTraining as it stands: logits and loss at every position."""

    def call(self, inputs, **labels):
        return self.module(input_ids=inputs.model["input_ids"], token_type_ids=inputs.model["token_type_ids"],
                           attention_mask=inputs.real.long(), **labels)

    def loss(self, inputs):
        return self.call(inputs, labels=inputs.labels["tokens"],
                         next_sentence_label=inputs.labels["pair"]).loss

    def predict(self, inputs):
        return self.call(inputs).prediction_logits[inputs.model["counted"]]


class TorchTrunk(nn.Module):
    """PyTorch's own encoder in the place of ours, with our embeddings before it."""

    def __init__(self, encoder):
        super().__init__()
        c = self.config = encoder.config
        self.embeddings = encoder.embeddings
        layer = nn.TransformerEncoderLayer(c.hidden_size, c.num_attention_heads, c.intermediate_size,
                                           c.hidden_dropout_prob, "gelu",
                                           c.layer_norm_eps, batch_first=True)
        warnings.filterwarnings("ignore", "The PyTorch API of nested tensors",
                                UserWarning)     # it uses them for padding
        self.layers = nn.TransformerEncoder(layer, c.num_hidden_layers)
        for theirs, ours in zip(self.layers.layers, encoder.layers):
            a = ours.attention
            parts = {"self_attn.out_proj": a.out, "linear1": ours.feed_forward.up,
                     "linear2": ours.feed_forward.down,
                     "norm1": ours.attention_norm, "norm2": ours.feed_forward_norm}
            state = {f"{name}.{key}": value for name, part in parts.items()
                     for key, value in part.state_dict().items()}
            for key in ("weight", "bias"):
                state[f"self_attn.in_proj_{key}"] = torch.cat([getattr(x, key)
                                                               for x in (a.query, a.key, a.value)])
            theirs.load_state_dict(state)

    def forward(self, input_ids, visible, token_type_ids):
        x = self.embeddings(input_ids, token_type_ids)                          # (B, T, D)
        return {"hidden": self.layers(x, src_key_padding_mask=~visible.any(1))}


def ours(config, objective, precision=None, seed=0):
    """Our contestant with fresh weights, ready to train. precision: None measures, as our loop does."""
    model = new_model(config, objective, seed).train()
    return Ours(model, precision or choose_precision(model))


def with_torch_trunk(peer, precision):
    """PyTorch's trunk with the weights of one of ours."""
    model = copy.deepcopy(peer.module)
    model.encoder = TorchTrunk(model.encoder)
    return Ours(model.train(), precision)


def hugging_face(peer, precision):
    """Hugging Face's model with the weights of one of ours. Raises ModuleNotFoundError where `transformers`
    is missing.
    """
    import transformers
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    assert isinstance(peer.module.encoder, Encoder)
    with tempfile.TemporaryDirectory() as folder:
        save_pretrained(peer.module, folder)
        return HuggingFace(transformers.BertForPreTraining.from_pretrained(folder).train(), precision)
