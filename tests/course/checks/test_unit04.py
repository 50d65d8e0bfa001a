"""Particular checks of unit 04; test_units.py compares them with their bank."""

import numpy as np
import pytest
from banks import load
from banks.trial import unit

from minibert import reference
from minibert.course import unit04 as check
from minibert.course.unit04 import colleague, pair_invariants, versions

UNIT = unit("unit04")


def test_a_wrong_mlm_loss_does_not_sink_an_nsp_loss_that_calls_it(capsys):
    check.nsp_loss(
        UNIT.returning("nsp_loss", "mlm_loss(logits, labels)", mlm_loss=UNIT.wrong("mlm_loss", "sum"))
    )
    assert "Checked with our mlm_loss" in capsys.readouterr().out


def test_the_colleague_prints_what_the_check_expects():
    theirs = load(UNIT.cells["colleague"].source, "loss_by_colleague")
    probs = np.full(colleague.SIZE, (1 - colleague.SURE) / (colleague.SIZE - 1))
    probs[0] = colleague.SURE
    labels = np.array([[5] * 15 + [-100] * 85])  # (B, T)
    logits = np.broadcast_to(np.log(probs), (1, 100, len(probs)))
    expected = check.colleague_losses.reference()
    assert np.allclose((theirs(logits, labels), reference.mlm_loss(logits, labels)), expected)


def test_every_sentence_of_the_test_documents_is_different():
    for sizes in pair_invariants.SIZES:
        docs = pair_invariants.documents(sizes)
        assert [len(doc) for doc in docs] == list(sizes)
        assert len(pair_invariants.places(docs)) == sum(sizes)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_each_right_version_is_equal_to_the_loss_and_each_wrong_one_is_not():
    cases = check.mlm_loss.cases(np.random.default_rng(2))
    for version in versions.RIGHT + versions.WRONG + versions.MORE:
        alike = [
            np.isclose(version.function(np.array(logits, float), labels), reference.mlm_loss(logits, labels))
            for logits, labels in cases
        ]
        assert all(alike) == (version in versions.RIGHT or version.function is versions.in_place), (
            version.words
        )
    logits, labels = cases[0]
    before = logits.copy()
    versions.in_place(logits, labels)
    assert not np.array_equal(before, logits)


def test_a_wrong_nsp_loss_does_not_sink_a_mended_loss(capsys):
    check.pretraining_loss(UNIT.answer("pretraining_loss", nsp_loss=UNIT.returning("nsp_loss", "7.0")))
    assert "Checked with our nsp_loss" in capsys.readouterr().out


@pytest.mark.parametrize("guess", ["2.0, 10.0", "10.3, 2.0", "0, 0", "2.2, -1.0", "1e9, 14.9"])
@pytest.mark.parametrize("hidden", [False, True])
def test_no_guess_brings_the_colleagues_losses_to_light(guess, hidden):
    said = UNIT.message("colleague_losses", UNIT.returning("colleague_losses", guess), hidden=hidden)
    assert not any(
        f"{number:.{digits}f}" in said
        for number in check.colleague_losses.reference()
        for digits in (1, 2, 3, 4)
    )


@pytest.mark.parametrize("name", ["nsp_examples", "sop_examples"])
@pytest.mark.parametrize("coin", [0.45, 0.55])
def test_a_coin_that_is_a_little_unfair_is_noticed(name, coin):
    source = UNIT.bank[name].right["the solution"]
    assert "of the pairs for which both labels are possible have label 1" in UNIT.message(
        name, UNIT.answer(name, source.replace("rng.random() < 0.5", f"rng.random() < {coin}"))
    )
