"""The checks of unit 09 against their bank: wrong answers fail with their hint, right ones pass, ours are refused."""
import subprocess
import sys

import numpy as np
import pytest
from banks import ROOT, load
from banks.unit09 import BANK

from minibert import reference
from minibert.batch import IGNORE
from minibert.checks import unit09 as check
from minibert.checks import unit09_leaks, unit09_losses, unit09_mend
from minibert.checks.compare import close
from minibert.checks.planted import holds, subsets
from minibert.grading import notebook
from minibert.reference.masking import shifted

NAMES = tuple(BANK)
RIGHT = [(name, answer) for name in NAMES for answer in BANK[name].right]
WRONG = [(name, answer) for name in NAMES for answer in BANK[name].wrong]
GIVEN = notebook.marked(notebook.read(ROOT / "solutions" / "09_elmo_gpt_bert" / "09_elmo_gpt_bert.ipynb"))
READ = load(GIVEN["reader"].source, "read")


def answer_of(name, source):
    return load(source, name, mlm_loss=reference.mlm_loss, softmax=reference.softmax, run=unit09_leaks.run, read=READ)


def message(name, answer, capsys, **options):
    """What the student reads when the check fails: the message, or the hint above her own exception."""
    with pytest.raises(Exception) as failure:
        getattr(check, name)(answer, **options)
    return capsys.readouterr().out + str(failure.value)


@pytest.mark.parametrize("seed, hidden", [(0, False), (1, True), (2, True), (3, True)])
@pytest.mark.parametrize("name, answer", RIGHT, ids=[f"{name}: {answer}" for name, answer in RIGHT])
def test_a_right_answer_passes_on_every_seed(name, answer, seed, hidden):
    getattr(check, name)(answer_of(name, BANK[name].right[answer]), seed=seed, hidden=hidden)


@pytest.mark.parametrize("seed, hidden", [(0, False), (1, True), (2, False)])
@pytest.mark.parametrize("name, answer", WRONG, ids=[f"{name}: {answer}" for name, answer in WRONG])
def test_a_wrong_answer_fails_with_its_hint(name, answer, seed, hidden, capsys):
    source, hint, *_ = BANK[name].wrong[answer]
    said = message(name, answer_of(name, source), capsys, seed=seed, hidden=hidden)
    assert hint in " ".join(said.split())


@pytest.mark.parametrize("name", ["causal_visible", "scalar_mix"])
def test_the_packages_own_function_is_refused(name, capsys):
    sources = {"causal_visible": "def causal_visible(real):\n    from minibert.batch import visible_causal\n"
                                 "    return visible_causal(real)",
               "scalar_mix": "def scalar_mix(layers, weights, gamma):\n    from minibert import reference\n"
                             "    return reference.scalar_mix(layers, {'weights': weights, 'gamma': gamma})"}
    assert "package's own implementation" in message(name, answer_of(name, sources[name]), capsys)


@pytest.mark.parametrize("name", NAMES)
def test_the_stub_is_named_as_not_written_yet(name, capsys):
    answer = answer_of(name, f"def {name}({', '.join(getattr(check, name).parameters)}):\n    raise NotImplementedError()")
    assert "not written yet" in message(name, answer, capsys)


def test_each_planted_bug_breaks_its_own_invariant_and_no_other():
    for left in subsets(3):
        function = unit09_mend.version(left)
        broken = {i for i, invariant in enumerate(unit09_mend.BROKEN, 1) if not holds(invariant, function, 0)}
        assert broken == left
        assert all(holds(invariant, function, 0) for invariant in unit09_mend.KEPT)


@pytest.mark.parametrize("seed", range(10))
def test_the_inputs_of_each_seed_tell_which_bugs_are_left(seed):
    given = [[unit09_mend.version(left)(*case) for case in unit09_mend.cases(np.random.default_rng(seed))] for left in subsets(3)]
    assert not any(close(a, b) for i, a in enumerate(given) for b in given[:i])


def test_the_reader_in_the_notebook_is_ours_and_the_broken_one_has_all_three_bugs():
    broken = load(GIVEN["broken-readers"].source, "broken_two_readers", read=READ)
    for x, real, weights in unit09_mend.cases(np.random.default_rng(0)):
        assert close(READ(x, real, weights[0]["forward"]), unit09_mend.read(x, real, weights[0]["forward"]))
        assert close(broken(x, real, weights), unit09_mend.version({1, 2, 3})(x, real, weights))
    assert [holds(invariant, broken, 0) for invariant in unit09_mend.BROKEN + unit09_mend.KEPT] == [False] * 3 + [True] * 2


def test_a_check_opens_without_pytorch():
    code = "import sys; from minibert.checks import unit09; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_loss_here_is_the_objectives():
    torch = pytest.importorskip("torch")
    from minibert.objectives.base import token_loss
    forward, backward, ids, counted = check.bilm_cases(np.random.default_rng(4))[1]
    tokens = np.where(counted, ids, IGNORE)
    ours = [token_loss(torch.tensor(logits), torch.tensor(shifted(tokens, by))).item()
            for logits, by in ((forward, 1), (backward, -1))]
    assert unit09_losses.loss()(forward, backward, ids, counted) == pytest.approx(sum(ours) / 2, rel=1e-6)


@pytest.mark.parametrize("layers, leaks", [(1, False), (2, True)])
def test_two_layers_that_hide_each_token_from_itself_leak_and_one_does_not(layers, leaks):
    model = unit09_leaks.random_model(~np.eye(5, dtype=bool), layers, 9, np.random.default_rng(0))
    found = unit09_leaks.finder()(model, np.arange(5), np.arange(5), 9)
    assert (found == leaks).all()
