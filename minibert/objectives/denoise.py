"""Denoising: write the original text, word by word, while reading a spoiled one.

Lewis et al. (2020, arXiv 1910.13461), section 2.2 (BART). `mlm` fills places that are marked; here places may
be missing, added or moved, so a decoder writes the whole text.
"""
import numpy as np

from ..batch import IGNORE, collate, visible_all, visible_causal
from ..model.decoder import Decoder, EncoderDecoder, WordHead
from ..reference.noising import sentence_permutation, text_infilling
from .base import Objective, token_loss


def bart_noise(specials, stop_ids, rate=0.3):
    """The noise of BART's large model (section 5.1): all sentences permuted, then `rate` of the tokens
    infilled.

    stop_ids: ids that end a sentence. Returns a function (ids, rng) -> ids.
    """
    def noise(ids, rng):
        return text_infilling(sentence_permutation(ids, stop_ids, rng), rate, specials.mask, rng)
    return noise


class Denoise(Objective):
    """noise: a function (ids (N,), rng) -> ids that spoils a row's text; see `minibert.reference.noising` and
    `bart_noise`.

    The decoder starts from [CLS] and has to end with [SEP], so that it can stop; both texts are one segment.
    """

    name = "denoise"

    def __init__(self, specials, vocab_size, max_length, noise):
        super().__init__(specials, vocab_size, max_length)
        self.noise = noise

    def corrupt(self, batch, rng):
        edges = np.isin(batch.input_ids, (self.specials.cls, self.specials.sep))        # (B, T)
        room = self.max_length - 2  # inserted masks can make a text longer
        spoiled = [(self.noise(ids[inside], rng)[:room], None)
                   for ids, inside in zip(batch.input_ids, batch.real & ~edges)]
        source = collate(spoiled, self.specials)                                # (B, S)
        before, after = batch.real[:, :-1], batch.real[:, 1:]  # (B, T - 1): what is read, what is written
        inputs = {"input_ids": source.input_ids, "token_type_ids": source.token_type_ids,
                  "visible": visible_all(source.real),
                  "target_ids": batch.input_ids[:, :-1], "target_visible": visible_causal(before),
                  "source_visible": np.repeat(source.real[:, None, :], before.shape[1], axis=1)}
        return inputs, {"tokens": np.where(after, batch.input_ids[:, 1:], IGNORE)}

    def heads(self, encoder):
        return {"tokens": WordHead(encoder.config, encoder.embeddings.word)}

    def model(self, encoder):
        """The encoder with a decoder of the same size."""
        return EncoderDecoder(encoder, Decoder(encoder.config), self.heads(encoder))

    def loss(self, outputs, labels):
        return token_loss(outputs["tokens"], labels["tokens"])
