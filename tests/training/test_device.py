"""The device of a run: the named one or the best present, one GPU a process, none with wrong values."""

import json

import pytest
import torch

from minibert.cli import main as cli
from minibert.finetuning.finetuned import Finetuned
from minibert.training import device, device_verdict
from minibert.training.device import choose_device, choose_precision, default_precision
from minibert.training.device_verdict import save_result
from minibert.training.distributed import Team


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    """No torchrun, an empty cache, and no line that was said before."""
    for name in ("WORLD_SIZE", "LOCAL_RANK", "RANK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(device_verdict.platformdirs, "user_cache_dir", lambda name: str(tmp_path / "cache"))
    device.say_once.cache_clear()


@pytest.fixture
def gpus(monkeypatch):
    """A machine with two GPUs, whose name a test may change."""
    names = ["H200", "H200"]
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setattr("torch.cuda.get_device_name", lambda device: names[device.index])
    return names


@pytest.fixture
def mac(monkeypatch):
    """A Mac, whose system is of this version: mac(14)."""
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: True)
    monkeypatch.setattr("torch.backends.mps.get_name", lambda: "Apple M1")
    return lambda version: monkeypatch.setattr(
        "torch.backends.mps.is_macos_or_newer", lambda major, minor: (version, 0) >= (major, minor)
    )


def test_a_device_that_is_not_there_is_named():
    missing = next(
        kind
        for kind, there in (("cuda", torch.cuda.is_available()), ("mps", torch.backends.mps.is_available()))
        if not there
    )
    with pytest.raises(ValueError, match=f"device '{missing}' is not available; available: .*cpu"):
        choose_device(missing)


@pytest.mark.parametrize(
    "name", ["gpu", "cuda:x", "cuda:", "cuda:-1", "cpu:3", "mps:1", "cuda:0:1", "meta", ""]
)
def test_another_name_is_refused_with_the_rule(gpus, mac, name):
    with pytest.raises(
        ValueError, match=f"device '{name}' must be cuda, mps or cpu; one of several GPUs is cuda:0, cuda:1"
    ):
        choose_device(name)


def test_a_gpu_that_this_machine_lacks_is_refused_with_their_number(gpus):
    assert choose_device("cuda:1") == torch.device("cuda:1")
    with pytest.raises(ValueError, match="device 'cuda:7' is not available: this machine has 2 GPUs"):
        choose_device("cuda:7")


def test_each_process_has_a_gpu_of_its_own(gpus, monkeypatch):
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert choose_device() == choose_device("cuda") == torch.device("cuda:1")
    assert choose_device("cuda:0") == torch.device("cuda:0")
    monkeypatch.setenv("LOCAL_RANK", "2")
    with pytest.raises(ValueError, match="process 3 of this machine has no GPU to use: this machine has 2"):
        choose_device("cuda")


def test_several_processes_are_not_given_the_same_gpu(gpus, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert choose_device("cuda") == torch.device("cuda:0")
    with pytest.raises(ValueError, match="device 'cuda:0' would be shared by 2 processes"):
        choose_device("cuda:0")


@pytest.mark.parametrize(
    "command",
    ["evaluate data --model m", "predict --model m --file f", "evaluate data --model m --device cuda"],
)
def test_a_command_of_several_processes_loads_the_model_onto_the_gpu_of_each(gpus, monkeypatch, command):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setattr("minibert.training.distributed.join", lambda device: Team(1, 2, 1))
    loaded = []

    def load(folder, where):
        loaded.append(where)
        raise ValueError("enough")

    monkeypatch.setattr(Finetuned, "load", load)
    assert cli.main(command.split()) == 2 and loaded == [torch.device("cuda:1")]


def test_a_mac_before_bfloat16_computes_on_the_processor_and_says_why_once(mac, capsys):
    mac(13)
    assert choose_device() == choose_device() == torch.device("cpu")
    assert capsys.readouterr().err == (
        "Device mps is skipped: it needs macOS 14, since Muon computes in bfloat16\n"
    )
    with pytest.raises(ValueError, match="device 'mps': it needs macOS 14, since Muon computes in bfloat16"):
        choose_device("mps")
    mac(14)
    assert choose_device() == choose_device("mps") == torch.device("mps") and not capsys.readouterr().err


@pytest.fixture
def processor(monkeypatch):
    """processor(what it can do): a processor, with or without oneDNN in PyTorch's build."""

    def make(*instructions, onednn=True, supported=True):
        monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: onednn)
        monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: supported)
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: dict.fromkeys(instructions, True))

    return make


@pytest.mark.parametrize(
    "instructions, build, expected",
    [
        (["avx512_f", "avx512_bf16"], {}, torch.bfloat16),
        (["avx512_f", "amx_bf16"], {}, torch.bfloat16),
        (["neon", "bf16"], {}, torch.bfloat16),  # Arm
        (["avx512_f"], {}, torch.float32),  # oneDNN has bfloat16 there, by conversion
        (["avx2"], {"supported": False}, torch.float32),
        (["neon", "bf16"], {"onednn": False}, torch.float32),  # a Mac
        ([], {"onednn": False}, torch.float32),
    ],
)
def test_a_processor_s_instructions_decide_its_precision(processor, instructions, build, expected):
    processor(*instructions, **build)
    assert default_precision(torch.device("cpu")) == expected


@pytest.mark.parametrize("has, expected", [(True, torch.bfloat16), (False, torch.float16)])
def test_a_gpu_without_bfloat16_of_its_own_gets_float16(has, expected, monkeypatch):
    monkeypatch.setattr(
        torch.cuda, "is_bf16_supported", lambda including_emulation: has and not including_emulation
    )
    assert default_precision(torch.device("cuda")) == expected


@pytest.mark.parametrize("asked", ["bfloat16", torch.bfloat16])
def test_a_precision_that_is_asked_for_is_that_of_the_run_and_a_line_says_so(processor, asked):
    processor("avx2")
    said = []
    assert choose_precision(asked, torch.device("cpu"), say=said.append) == "bfloat16"
    assert choose_precision("auto", torch.device("cpu"), say=said.append) == "float32"
    assert said == ["Precision bfloat16", "Precision float32"]


def test_a_precision_that_cannot_be_had_is_refused():
    with pytest.raises(ValueError, match="precision 'half' must be one of auto, float32, bfloat16, float16"):
        choose_precision("half", torch.device("cpu"))
    for name in ("bfloat16", "float16"):
        with pytest.raises(ValueError, match=f"precision '{name}': mps supports only float32 for training"):
            choose_precision(name, torch.device("mps"))
    assert {choose_precision(name, torch.device("mps")) for name in ("auto", "float32")} == {"float32"}


def test_a_device_with_wrong_values_is_passed_over_unless_it_is_named(mac, capsys):
    mac(15)
    save_result(torch.device("mps"), "logits: largest difference 3e-01")
    assert choose_device() == choose_device() == torch.device("cpu")
    assert capsys.readouterr().err == (
        "Device mps is skipped: `minibert doctor` found wrong values on it (logits: largest difference "
        "3e-01); to use it anyway, give --device mps\n"
    )
    assert choose_device("mps") == torch.device("mps")
    save_result(torch.device("mps"), None)
    assert choose_device() == torch.device("mps") and not capsys.readouterr().err


def test_of_several_processes_the_first_says_which_device_is_passed_over(gpus, monkeypatch, capsys):
    monkeypatch.setenv("RANK", "1")
    save_result(torch.device("cuda:0"), "gradients")
    assert choose_device() == torch.device("cpu") and not capsys.readouterr().err


@pytest.mark.parametrize("change", ["minibert", "torch", "Python", "system", "device"])
def test_a_verdict_ends_with_the_circumstances_in_which_it_was_found(gpus, change):
    save_result(torch.device("cuda:0"), "gradients")
    path = device_verdict.verdict_file(torch.device("cuda:0"))
    assert choose_device() == torch.device("cpu")
    kept = json.loads(path.read_text())
    kept["about"][change] = "another"
    path.write_text(json.dumps(kept))
    assert choose_device() == torch.device("cuda:0")


@pytest.mark.parametrize("text", ["", "[]", "{}", "7", '{"about": {}}'])
def test_a_damaged_verdict_counts_for_nothing(gpus, text):
    save_result(torch.device("cuda:0"), "gradients")
    device_verdict.verdict_file(torch.device("cuda:0")).write_text(text)
    assert choose_device() == torch.device("cuda:0")


def test_the_verdict_on_one_gpu_is_not_that_on_another(gpus):
    gpus[1] = "T4"
    save_result(torch.device("cuda:1"), "gradients")
    assert choose_device() == torch.device("cuda:0")
