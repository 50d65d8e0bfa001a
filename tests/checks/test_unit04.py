"""The checks of unit 04 against their bank: wrong answers fail with their hint, right ones pass, ours are refused."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from banks import load
from banks.unit04 import BANK

from minibert import reference
from minibert.checks import unit04 as check
from minibert.checks import unit04_pairs as pairs
from minibert.checks import unit04_tests as versions
from minibert.checks.base import CheckFailed
from minibert.checks.student_tests import by_name

NAMES = tuple(BANK)
OURS = tuple(name for name in NAMES if hasattr(reference, name))
RIGHT = [(name, answer) for name in NAMES for answer in BANK[name].right]
WRONG = [(name, answer) for name in NAMES for answer in BANK[name].wrong]
SOLUTION = Path(__file__).parents[2] / "solutions" / "04_objectives" / "04_objectives.nb.py"


def answer_of(name, source, **more):
    """The student's function, in a place where right losses stand."""
    losses = {loss: load(next(iter(BANK[loss].right.values())), loss) for loss in ("mlm_loss", "nsp_loss")}
    return load(source, name, by_name=by_name, **losses | more)


def message(name, answer, capsys, **options):
    """What the student reads when the check fails: the message, or the hint above her own exception."""
    with pytest.raises(Exception) as failure:
        getattr(check, name)(answer, **options)
    return capsys.readouterr().out + str(failure.value)


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 24), marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("name, answer", RIGHT, ids=[f"{name}: {answer}" for name, answer in RIGHT])
def test_a_right_answer_passes_on_every_seed(name, answer, seeds):
    function = answer_of(name, BANK[name].right[answer])
    for seed in seeds:
        getattr(check, name)(function, seed=seed, hidden=seed % 2 == 1)


@pytest.mark.parametrize("seed, hidden", [(0, False), (1, True)])
@pytest.mark.parametrize("name, answer", WRONG, ids=[f"{name}: {answer}" for name, answer in WRONG])
def test_a_wrong_answer_fails_with_its_hint(name, answer, seed, hidden, capsys):
    source, hint, *loses = BANK[name].wrong[answer]
    if answer == "without its line":                    # said while working: afterwards it ends in an error
        hidden = False
    said = message(name, answer_of(name, source), capsys, seed=seed, hidden=hidden or "hidden" in loses)
    assert any(part in said for part in hint.split("|")), said


@pytest.mark.parametrize("name", NAMES)
def test_each_exercise_has_enough_answers(name):
    assert len(BANK[name].right) >= 4
    assert len(BANK[name].wrong) >= 8


@pytest.mark.parametrize("name", OURS)
def test_the_packages_own_function_under_another_name_is_refused(name, capsys):
    signature = ", ".join(getattr(check, name).parameters)
    call = "theirs(docs, 512, rng)" if "docs" in signature else f"theirs({signature})"
    answer = answer_of(name, f"def {name}({signature}):\n    return {call}", theirs=getattr(reference, name))
    assert "package's own implementation" in message(name, answer, capsys)


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_named_as_not_written_yet(name, capsys):
    signature = ", ".join(getattr(check, name).parameters)
    stub = answer_of(name, f"{'@by_name' * (name == 'test_mlm_loss')}\ndef {name}({signature}): raise NotImplementedError()")
    assert f"{name}: not written yet" in message(name, stub, capsys)


@pytest.mark.parametrize("name", ["mlm_loss", "nsp_loss"])
def test_the_check_expects_what_the_package_gives(name):
    exercise = getattr(check, name)
    for case in exercise.cases(np.random.default_rng(3)):
        assert np.isclose(exercise.reference(*case), getattr(reference, name)(*case))


def test_the_other_loss_of_the_package_is_no_answer_either(capsys):
    answer = answer_of("nsp_loss", "def nsp_loss(logits, labels): return theirs(logits, labels)", theirs=reference.mlm_loss)
    assert "package's own implementation" in message("nsp_loss", answer, capsys)


def test_a_wrong_mlm_loss_does_not_sink_an_nsp_loss_that_calls_it(capsys):
    wrong = load(BANK["mlm_loss"].wrong["sum"][0], "mlm_loss")
    check.nsp_loss(load("def nsp_loss(logits, labels):\n    return mlm_loss(logits, labels)", "nsp_loss", mlm_loss=wrong))
    assert "Checked with our mlm_loss" in capsys.readouterr().out


def test_the_colleague_prints_what_the_check_expects():
    cells = SOLUTION.read_text(encoding="utf-8").split("# %%")
    source, = (cell.split("\n", 1)[1] for cell in cells if cell.startswith(' nb="read colleague"'))
    colleague = load(source, "loss_by_colleague")
    probs = np.full(check.COLLEAGUE_SIZE, (1 - check.COLLEAGUE_SURE) / (check.COLLEAGUE_SIZE - 1))
    probs[0] = check.COLLEAGUE_SURE
    labels = np.array([[5] * 15 + [-100] * 85])                                 # (B, T)
    logits = np.broadcast_to(np.log(probs), (1, 100, len(probs)))
    expected = check.colleague_losses.reference()
    assert np.allclose((colleague(logits, labels), reference.mlm_loss(logits, labels)), expected)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_each_right_version_is_equal_to_the_loss_and_each_wrong_one_is_not():
    cases = check.mlm_loss.cases(np.random.default_rng(2))
    for version in versions.RIGHT + versions.WRONG + versions.MORE:
        alike = [np.isclose(version.function(np.array(logits, float), labels), reference.mlm_loss(logits, labels))
                 for logits, labels in cases]
        assert all(alike) == (version in versions.RIGHT or version.function is versions.in_place), version.words


def test_a_version_in_place_changes_its_logits():
    logits, labels = check.mlm_loss.cases(np.random.default_rng(2))[0]
    before = logits.copy()
    versions.in_place(logits, labels)
    assert not np.array_equal(before, logits)


def test_a_wrong_nsp_loss_does_not_sink_a_mended_loss(capsys):
    wrong = answer_of("nsp_loss", "def nsp_loss(logits, labels):\n    return 7.0")
    mended = answer_of("pretraining_loss", BANK["pretraining_loss"].right["the solution"], nsp_loss=wrong)
    check.pretraining_loss(mended)
    assert "Checked with our nsp_loss" in capsys.readouterr().out


def test_every_sentence_of_the_test_documents_is_different():
    for sizes in pairs.SIZES:
        docs = pairs.documents(sizes)
        assert [len(doc) for doc in docs] == list(sizes)
        assert len(pairs.places(docs)) == sum(sizes)


@pytest.mark.parametrize("name", ["nsp_examples", "sop_examples"])
def test_a_check_leaves_the_global_generators_alone(name):
    before = np.random.get_state()[1].copy()
    getattr(check, name)(load(BANK[name].right["the solution"], name))
    assert np.array_equal(before, np.random.get_state()[1])


def test_a_check_opens_without_pytorch():
    code = "import sys; from minibert.checks import unit04; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_failures_are_shown_without_a_traceback_of_ours():
    assert CheckFailed("mlm_loss: no")._render_traceback_() == ["mlm_loss: no"]
