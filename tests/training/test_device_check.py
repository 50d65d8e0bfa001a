"""The check of a device finds values that are wrong, lost or missing; its verdict stays until all is fine.

The devices here are stand-ins on the processor, since `put_on` is all that moves a model or a batch.
"""

import itertools
from functools import partial

import pytest
import torch
from torch import nn

from minibert.cli import main as cli
from minibert.training import device_check, device_verdict
from minibert.training.device_check import check_device, largest_difference, put_on, report

CPU = torch.device("cpu")
EXACT = [
    "320 batches copied there and back",
    "logits",
    "gradients",
    "a BiLSTM's gradients",
    "losses of 10 steps of AdamW",
    "losses of 10 steps of Muon",
]


@pytest.fixture
def cuda(monkeypatch, tmp_path):
    """cuda(change): a stand-in for a GPU, on which each model or dict of tensors becomes change(it)."""
    monkeypatch.setattr(device_verdict.platformdirs, "user_cache_dir", lambda name: str(tmp_path))
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 1)
    monkeypatch.setattr("torch.cuda.get_device_name", lambda device: "Stand-in")
    monkeypatch.setattr(device_check, "default_precision", lambda device: torch.bfloat16)

    def make(change=lambda thing: thing):
        monkeypatch.setattr(
            device_check,
            "put_on",
            lambda thing, device: put_on(thing, CPU) if device == CPU else change(put_on(thing, CPU)),
        )

    make()
    return make


def layer_changed(change, thing):
    """A BERT whose layers compute change(x) in place of x; all else unchanged."""
    for layer in getattr(getattr(thing, "encoder", None), "layers", ()):
        layer.feed_forward_norm.register_forward_hook(lambda module, inputs, x: change(x))
    return thing


def lost_number():
    """A change by which one number of the hundredth batch arrives changed."""
    numbers = itertools.count(1)

    def change(thing):
        if isinstance(thing, dict) and next(numbers) == 100:
            thing["ids"][-1, -1] += 1
        return thing

    return change


def broken_lstm(thing):
    """A BiLSTM whose LSTMs have lost a bias."""
    for module in thing.modules() if isinstance(thing, nn.Module) else ():
        if isinstance(module, nn.LSTM):
            nn.init.ones_(module.bias_ih_l0)
    return thing


def missing(*args):
    raise NotImplementedError("The operator 'aten::gelu' is not currently implemented for the device.\nMore")


def full(*args):
    raise RuntimeError("out of memory")


def refused(cuda, change):
    """What is not fine on a device with this change."""
    cuda(change)
    return [result.check.what for result in check_device(torch.device("cuda:0")) if not result.fine]


def test_the_processor_compared_with_itself_is_exact(capsys):
    assert cli.main(["doctor", "--device", "cpu"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:4] for line in lines[2:-1]] == ["ok  "] * len(EXACT)
    assert [line[4:].split(": ")[0] for line in lines[2:-1]] == EXACT
    assert all("largest difference 0.0e+00" in line for line in lines[2:-1])
    assert lines[-1] == "cpu computes the same values as the CPU."
    assert lines[0].startswith("minibert ") and f"torch {torch.__version__}, Python " in lines[0]


def test_mixed_precision_is_close_enough_and_not_exact_and_only_a_gpu_has_it(cuda):
    results = list(check_device(torch.device("cuda:0")))
    assert [result.check.what for result in results] == [*EXACT, "losses of 10 steps in mixed precision"]
    assert all(result.fine for result in results)
    assert [result.difference > 0 for result in results] == [False] * 6 + [True]


def scaled(by):
    """A change by which each layer's numbers are scaled by up to so much, each place otherwise."""
    return partial(layer_changed, lambda x: x * (1 + by * torch.linspace(-1, 1, x.shape[-1])))


COPIES, LOGITS, GRADIENTS, LSTM, *LOSSES = EXACT


@pytest.mark.parametrize(
    "change, found, not_found",
    [
        (scaled(1e-3), {LOGITS, GRADIENTS}, {COPIES, LSTM}),
        (scaled(1e-2), {LOGITS, GRADIENTS, *LOSSES}, {COPIES, LSTM}),
        (scaled(1e-6), set(), {*EXACT}),  # another order of sums
        (
            partial(layer_changed, lambda x: torch.where(x == x.max(), torch.nan, x)),
            {LOGITS, GRADIENTS, *LOSSES, "losses of 10 steps in mixed precision"},
            {COPIES, LSTM},
        ),
        (partial(layer_changed, torch.Tensor.detach), {GRADIENTS}, {LOGITS}),
        (lost_number(), {COPIES}, {*EXACT[1:]}),
        (broken_lstm, {LSTM}, {*EXACT} - {LSTM}),
    ],
)
def test_wrong_values_are_found_where_they_are(cuda, change, found, not_found):
    wrong = set(refused(cuda, change))
    assert found <= wrong and not not_found & wrong


def test_a_missing_operation_is_a_line_of_the_report_and_the_other_checks_go_on(cuda):
    cuda(partial(layer_changed, missing))
    lines = []
    wrong = report(torch.device("cuda:0"), lines.append)
    line = (
        "logits: PyTorch lacks an operation on it (The operator 'aten::gelu' is not currently "
        "implemented for the device.)"
    )
    assert line in wrong and lines[3].startswith(f"NOT {line} (") and lines[5].startswith("ok  a BiLSTM's")
    assert device_verdict.wrong_values(torch.device("cuda:0")) == "; ".join(wrong)


def test_an_error_that_is_not_the_device_s_fault_is_told_and_not_kept(cuda):
    cuda(partial(layer_changed, full))
    wrong = report(torch.device("cuda:0"), lambda line: None)
    assert "logits: RuntimeError (out of memory)" in wrong
    assert device_verdict.wrong_values(torch.device("cuda:0")) is None


def test_the_command_ends_with_1_and_keeps_the_verdict_until_a_check_is_fine(cuda, capsys):
    cuda(lost_number())
    assert cli.main(["doctor", "--device", "cuda"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "cuda:0: Stand-in"
    assert lines[2].startswith("NOT 320 batches")
    assert lines[-1] == ("Runs without --device will skip cuda until `minibert doctor` finds nothing wrong.")
    assert "320 batches" in device_verdict.wrong_values(torch.device("cuda:0"))
    cuda()
    assert cli.main(["doctor", "--device", "cuda"]) == 0
    assert device_verdict.wrong_values(torch.device("cuda:0")) is None


def test_differences_are_relative_and_values_are_fetched_before_they_are_compared():
    class There:  # a tensor on a device without float64
        def __init__(self, value):
            self.value = value

        def cpu(self):
            return self.value

    here = {"large": torch.tensor([100.0, 0.0]), "small": torch.tensor([1.0])}
    there = {"large": There(torch.tensor([101.0, 0.0])), "small": There(torch.tensor([1.02]))}
    assert largest_difference(there, here) == pytest.approx(0.02)
    there["small"] = There(torch.tensor([torch.nan]))
    assert not largest_difference(there, here) <= 1


def test_a_notebook_and_a_device_are_not_checked_together(capsys):
    assert cli.main(["doctor", "a.ipynb", "--device", "cpu"]) == 2
    assert "--device checks a device, not a.ipynb; give only one of them" in capsys.readouterr().err
