"""Denoising: generate the original text, token by token, from a corrupted one.

Lewis et al. (2020, arXiv 1910.13461), section 2.2 (BART). In `mlm` every masked token is marked; here tokens
may be missing, added or moved, so a decoder generates the whole text.
"""

from collections.abc import Callable, Collection

import numpy as np
from torch import nn

from ..data.batch import IGNORE, Batch, Specials, collate, visible_all, visible_causal
from ..data.noising import sentence_permutation, text_infilling
from ..model.decoder import Decoder, EncoderDecoder, TiedOutputHead
from ..model.goal import Arrays, Tensors, token_loss
from ..model.heads import Backbone, Model
from .base import Objective

Noise = Callable[[np.ndarray, np.random.Generator], np.ndarray]  # (ids (N,), rng) -> ids


def bart_noise(specials: Specials, stop_ids: Collection[int], rate: float = 0.3) -> Noise:
    """Return the noise of BART's large model (section 5.1): sentence permutation, then text infilling.

    stop_ids: ids that end a sentence. rate: the fraction of tokens to infill.
    """

    def noise(ids, rng):
        return text_infilling(sentence_permutation(ids, stop_ids, rng), rate, specials.mask, rng)

    return noise


class Denoise(Objective):
    """The denoising objective: restore a text that was corrupted by the function `noise`, see `bart_noise`.

    The decoder starts with [CLS] and learns to end with [SEP]. Both texts have a single segment.
    """

    name = "denoise"

    def __init__(self, specials: Specials, vocab_size: int, max_length: int, noise: Noise):
        super().__init__(specials, vocab_size, max_length)
        self.noise = noise

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        edges = np.isin(batch.input_ids, (self.specials.cls, self.specials.sep))  # (B, T)
        room = self.max_length - 2  # truncates texts that became longer through inserted masks
        noisy = [
            (self.noise(ids[inside], rng)[:room], None)
            for ids, inside in zip(batch.input_ids, batch.real & ~edges)
        ]
        source = collate(noisy, self.specials)  # (B, S)
        before, after = batch.real[:, :-1], batch.real[:, 1:]  # (B, T - 1): decoder inputs and outputs
        inputs = {
            "input_ids": source.input_ids,
            "token_type_ids": source.token_type_ids,
            "visible": visible_all(source.real),
            "target_ids": batch.input_ids[:, :-1],
            "target_visible": visible_causal(before),
            "source_visible": np.repeat(source.real[:, None, :], before.shape[1], axis=1),
        }
        return inputs, {"tokens": np.where(after, batch.input_ids[:, 1:], IGNORE)}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"tokens": TiedOutputHead(encoder.config, encoder.embeddings.word)}

    def model(self, encoder: Backbone) -> Model:
        """Build a Model from the encoder and a decoder of the same size."""
        return EncoderDecoder(encoder, Decoder(encoder.config), self.heads(encoder))

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {"denoise": token_loss(outputs["tokens"], labels["tokens"])}
