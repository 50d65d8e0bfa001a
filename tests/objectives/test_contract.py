"""One contract for every objective, and for each of its checks an objective that breaks it.

To add an objective, add a Case to CASES.
"""
import numpy as np
import pytest
import torch
from contract import CHECKS, LENGTH, VOCAB, Case, V, does_not_see_what_it_predicts
from tiny import SPECIALS
from torch import nn

from minibert.batch import visible_all
from minibert.model import Encoder
from minibert.objectives import (
    CLM,
    MLM,
    NSP,
    SOP,
    BiLM,
    Capitalisation,
    EntityMLM,
    NgramMLM,
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
)

CASED = [f"X{i - 48}" if i > 52 else f"x{i}" for i in range(V)]                # 5 to 48 and their capitals


class TwoWays(nn.Module):
    """The smallest trunk of two directions: one encoder that sees the left, one that sees the right."""

    def __init__(self, config):
        super().__init__()
        self.config, self.left, self.right = config, Encoder(config), Encoder(config)
        self.embeddings = self.right.embeddings = self.left.embeddings

    def forward(self, input_ids, visible, token_type_ids):
        forward, backward = (trunk(input_ids, cut(visible), token_type_ids)["hidden"]
                             for trunk, cut in ((self.left, torch.tril), (self.right, torch.triu)))
        return {"hidden": forward + backward, "forward": forward, "backward": backward}


def of(kind, *more, **options):
    """() -> an objective that needs the size of the vocabulary, or with VOCAB as `more` its pieces."""
    return lambda: kind(SPECIALS, *(more or (V,)), LENGTH, **options)


def total(*makes):
    return lambda: Sum(*(make() for make in makes))


CASES = [
    Case("mlm", of(MLM), {"mlm": V}),
    Case("mlm, all hidden", of(MLM, to_mask=1.0, to_random=0.0), {"mlm": V}),
    Case("whole words", of(WholeWordMLM, VOCAB), {"mlm": V}),
    Case("spans", of(SpanMLM, VOCAB), {"mlm": V}),
    Case("span boundary", of(SpanBoundary, VOCAB), {"mlm": V, "sbo": V}),
    Case("n-grams", of(NgramMLM, VOCAB), {"mlm": V}),
    Case("entities", of(EntityMLM, VOCAB, phrases=[(5, 6), (7, 8, 9)]), {"mlm": V}),
    Case("static", lambda: StaticMasks(of(MLM)(), seed=3), {"mlm": V}, hides=False),
    Case("static spans", lambda: StaticMasks(of(SpanMLM, VOCAB)(), seed=3), {"mlm": V}, hides=False),
    Case("word order", of(WordStructure), {"mlm": V, "order": V}),
    Case("clm", of(CLM), {"clm": V}, shift={"tokens": 1}),
    Case("bilm", of(BiLM), {"bilm": V}, trunk=TwoWays, shift={"next": 1, "previous": -1}),
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
    Case("StructBERT", total(of(SentenceStructure), of(WordStructure)), {"structure": 3, "mlm": V, "order": V}),
    Case("NSP and span boundary", total(of(NSP), of(SpanBoundary, VOCAB)), {"nsp": 2, "mlm": V, "sbo": V}),
    Case("token relation and MLM", total(of(TokenRelation), of(MLM)), {"relation": 2, "mlm": V}),
]


def named(thing):
    return getattr(thing, "name", None) or thing.__name__


def applies(check, case):
    """Where nothing is hidden, or other places are when a token changes, there is nothing to see."""
    return check is not does_not_see_what_it_predicts or case.shift and case.hides


RUNS = [(check, case) for check in CHECKS for case in CASES if applies(check, case)]


@pytest.mark.parametrize("check, case", RUNS, ids=lambda x: named(x))
def test_an_objective_keeps_the_contract(check, case):
    check(case)


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
        return super().loss(outputs, labels) * outputs["tokens"].numel() / labels["tokens"].numel()


class SeesPadding(MLM):
    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return {**inputs, "visible": np.ones_like(inputs["visible"])}, labels


class Ahead(CLM):
    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return {**inputs, "visible": visible_all(batch.real)}, labels


class Off(CLM):
    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return inputs, {"tokens": np.roll(labels["tokens"], 1, axis=1)}


class FirstRow(MLM):
    def loss(self, outputs, labels):
        first = {"tokens": labels["tokens"][:2]}
        return super().loss({"tokens": outputs["tokens"][:2]}, first)


BROKEN = [(CHECKS[0], Careless), (CHECKS[1], Unseeded), (CHECKS[2], TooLong), (CHECKS[3], CountsAll), (CHECKS[3], Off),
          (CHECKS[4], Loud), (CHECKS[5], Deaf), (CHECKS[6], CountsLabels), (CHECKS[7], SeesPadding), (CHECKS[7], FirstRow),
          (CHECKS[8], SeesPadding), (CHECKS[9], Ahead)]


@pytest.mark.parametrize("check, broken", BROKEN, ids=lambda x: named(x) if isinstance(x, type) else x.__name__)
def test_the_contract_finds_a_broken_objective(check, broken):
    shift = {"tokens": 1 if issubclass(broken, CLM) else 0}
    with pytest.raises(AssertionError):
        check(Case("broken", of(broken), {broken.name: V}, shift=shift))


def test_every_check_has_a_broken_objective():
    assert {check for check, _ in BROKEN} == set(CHECKS)
