"""One contract for every objective, and for each of its checks an objective that breaks it.

To add an objective, add a Case to CASES; `benchmarks/objectives.py` prints the table of all cases and checks.
"""

import dataclasses

import numpy as np
import pytest
import torch
from contract import CHECKS, Case, does_not_see_what_it_predicts
from small import LENGTH, VOCAB, V
from tiny import SPECIALS
from torch import nn

from minibert.data.batch import visible_all
from minibert.data.noising import document_rotation
from minibert.model import Encoder
from minibert.objectives import (
    CLM,
    MLM,
    NSP,
    PLM,
    RTD,
    SOP,
    BiLM,
    Capitalisation,
    Denoise,
    EntityMLM,
    NgramMLM,
    RepeatedWordMLM,
    SentenceDistance,
    SentenceReordering,
    SentenceStructure,
    SpanBoundary,
    SpanMLM,
    StaticMasks,
    Sum,
    TokenRelation,
    WholeWordMLM,
    WordStructure,
    bart_noise,
)

CASED = [f"X{i - 48}" if i > 52 else f"x{i}" for i in range(V)]  # 5 to 48 and their capitals


class TwoWays(nn.Module):
    """The smallest trunk of two directions: one encoder that sees the left, one that sees the right."""

    def __init__(self, config):
        super().__init__()
        self.config, self.left, self.right = config, Encoder(config), Encoder(config)
        self.embeddings = self.right.embeddings = self.left.embeddings

    def forward(self, input_ids, visible, token_type_ids):
        forward, backward = (
            trunk(input_ids, cut(visible), token_type_ids)["hidden"]
            for trunk, cut in ((self.left, torch.tril), (self.right, torch.triu))
        )
        return {"hidden": forward + backward, "forward": forward, "backward": backward}


def of(kind, vocab=V, **options):
    """() -> an objective. vocab: its size, or for some kinds its pieces."""
    return lambda: kind(SPECIALS, vocab, LENGTH, **options)


def total(*makes):
    return lambda: Sum(*(make() for make in makes))


def electra(model, inputs):
    """Both networks of RTD, each on the same inputs and at all positions."""
    everywhere = torch.ones_like(inputs["input_ids"], dtype=torch.bool)  # (B, T)
    inputs = {name: inputs[name] for name in ("input_ids", "token_type_ids", "visible")}
    logits = model.generator(model.encoder.embeddings, **inputs, counted=everywhere)
    return {"tokens": logits.unflatten(0, everywhere.shape), **model(**inputs)}


def nothing_left(ids, rng):
    return np.full_like(ids, SPECIALS.mask)


# it writes the token after the one it reads, then stops
DECODER = {"shift": {"tokens": 1}, "masked": False, "ends": True}
CASES = [
    Case("mlm", of(MLM), {"mlm": V}),
    Case("mlm, all hidden", of(MLM, to_mask=1.0, to_random=0.0), {"mlm": V}),
    Case("whole words", of(WholeWordMLM, VOCAB), {"mlm": V}),
    Case("spans", of(SpanMLM, VOCAB), {"mlm": V}),
    Case("span boundary", of(SpanBoundary, VOCAB), {"mlm": V, "sbo": V}),
    Case("n-grams", of(NgramMLM, VOCAB), {"mlm": V}),
    Case("entities", of(EntityMLM, VOCAB, phrases=[(5, 6), (7, 8, 9)]), {"mlm": V}),
    Case("words given away", of(RepeatedWordMLM, VOCAB, common=[5, 6]), {"mlm": V}, by_token=True),
    Case("static", lambda: StaticMasks(of(MLM)(), seed=3), {"mlm": V}),
    Case("static spans", lambda: StaticMasks(of(SpanMLM, VOCAB)(), seed=3), {"mlm": V}),
    Case("word order", of(WordStructure), {"mlm": V, "order": V}),
    Case("clm", of(CLM), {"clm": V}, shift={"tokens": 1}, masked=False),
    Case("bilm", of(BiLM), {"bilm": V}, trunk=TwoWays, shift={"next": 1, "previous": -1}, masked=False),
    Case("plm", of(PLM), {"plm": V}, masked=False),
    Case("rtd", of(RTD), {"mlm": V, "rtd": 2}, everywhere=electra),
    Case("denoise", of(Denoise, noise=bart_noise(SPECIALS, (11, 12, 13))), {"denoise": V}, **DECODER),
    Case("denoise, rotated", of(Denoise, noise=document_rotation), {"denoise": V}, **DECODER),
    Case("denoise, nothing left", of(Denoise, noise=nothing_left), {"denoise": V}, **DECODER),
    Case("nsp", of(NSP), {"nsp": 2}, shift={}),
    Case("sop", of(SOP), {"sop": 2}, shift={}),
    Case("sentence structure", of(SentenceStructure), {"structure": 3}, shift={}),
    Case("sentence reordering", of(SentenceReordering), {"reordering": 9}, shift={}),
    Case("sentence distance", of(SentenceDistance), {"distance": 3}, shift={}),
    Case("token relation", of(TokenRelation), {"relation": 2}, shift={}),
    Case("capitalisation", of(Capitalisation, CASED), {"capital": 2}, shift={}),
    Case("BERT", total(of(NSP), of(MLM)), {"nsp": 2, "mlm": V}),
    Case("BERT, whole words", total(of(NSP), of(WholeWordMLM, VOCAB)), {"nsp": 2, "mlm": V}),
    Case("ALBERT", total(of(SOP), of(NgramMLM, VOCAB)), {"sop": 2, "mlm": V}),
    Case(
        "StructBERT", total(of(SentenceStructure), of(WordStructure)), {"structure": 3, "mlm": V, "order": V}
    ),
    Case("NSP and span boundary", total(of(NSP), of(SpanBoundary, VOCAB)), {"nsp": 2, "mlm": V, "sbo": V}),
    Case("token relation and MLM", total(of(TokenRelation), of(MLM)), {"relation": 2, "mlm": V}),
]


BY_NAME = {case.name: case for case in CASES}
NOT_HIDDEN = {  # does_not_see_what_it_predicts has no meaning for them, and why
    **dict.fromkeys(
        ["nsp", "sop", "sentence structure", "sentence reordering", "sentence distance"],
        "it asks about sentences, and hides no token",
    ),
    **dict.fromkeys(
        ["token relation", "capitalisation"], "it asks for a property of tokens that are to be seen"
    ),
    **dict.fromkeys(
        ["static", "static spans"],
        "the row's tokens seed its mask, so another token hides other places; the objective "
        "within is held to it",
    ),
    **dict.fromkeys(
        ["denoise", "denoise, rotated"],
        "the encoder reads most of the text by design; `denoise, nothing left` holds the decoder to it",
    ),
}
EXCEPTIONS = {(does_not_see_what_it_predicts, name): reason for name, reason in NOT_HIDDEN.items()}


def named(thing):
    return thing if isinstance(thing, str) else thing.name if isinstance(thing, Case) else thing.__name__


RUNS = [(check, case) for check in CHECKS for case in CASES if (check, case.name) not in EXCEPTIONS]


@pytest.mark.every(3)
@pytest.mark.parametrize("check, case", RUNS, ids=named)
def test_an_objective_keeps_the_contract(check, case):
    check(case)


@pytest.mark.parametrize("check, name", EXCEPTIONS, ids=named)
def test_an_exception_is_one(check, name):
    with pytest.raises(AssertionError):
        check(BY_NAME[name])


class Careless(MLM):
    def corrupt(self, batch, rng):
        batch.input_ids[0, 1] = self.specials.mask
        return super().corrupt(batch, rng)


class Unseeded(MLM):
    def draw(self, batch, candidates, rng):
        return candidates & (np.random.random(candidates.shape) < self.rate)


class TooLong(MLM):
    def build(self, docs, rng):
        self.max_length += 4
        return super().build(docs, rng)


class CountsAll(MLM):
    def candidates(self, batch):
        return np.ones_like(batch.real)


class Loud(MLM):
    def loss(self, outputs, labels):
        return super().loss({"tokens": 40 * outputs["tokens"]}, labels)


class Deaf(MLM):
    def loss(self, outputs, labels):
        return super().loss({"tokens": 0 * outputs["tokens"]}, labels)


class CountsLabels(MLM):
    def loss(self, outputs, labels):
        return {"mlm": super().loss(outputs, labels)["mlm"] * labels["tokens"].numel() / 9}


class SeesPadding(MLM):
    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return {**inputs, "visible": np.ones_like(inputs["visible"])}, labels


class Ahead(CLM):
    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return {**inputs, "visible": visible_all(batch.real)}, labels


class CountsRows(MLM):
    label = "rows"

    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return inputs, {**labels, "rows": np.zeros(len(batch.real))}


BROKEN = [  # an objective for each check
    Careless,
    Unseeded,
    TooLong,
    CountsAll,
    Loud,
    Deaf,
    CountsLabels,
    SeesPadding,
    SeesPadding,
    Ahead,
    CountsRows,
]


@pytest.mark.parametrize("check, kind", zip(CHECKS, BROKEN, strict=True), ids=named)
def test_each_check_finds_a_broken_objective(check, kind):
    with pytest.raises(AssertionError):
        check(dataclasses.replace(BY_NAME[kind.name], make=of(kind)))
