"""The emulated device keeps its own rules: each refusal, each note of a wait or a copy, and the processor's
numbers.
"""

import copy
import io
import threading

import numpy as np
import pytest
import torch
from emulated import emulated
from mps_kernels import without_kernel
from remote import Remote
from torch import nn
from torch.nn import functional as F

from minibert.course.unit06.loss_surface import way
from minibert.model.checkpoints.tensors import write_tensors


@pytest.fixture(params=["cuda", "mps"])
def device(request):
    with emulated(request.param) as emulation:
        yield emulation


@pytest.fixture
def cuda():
    with emulated("cuda") as emulation:
        yield emulation


@pytest.fixture
def mps():
    with emulated("mps") as emulation:
        yield emulation


def noted(emulation, kind=None):
    return [event.what for event in emulation.waits if kind in (None, event.kind)]


# Where a tensor is.


def test_a_tensor_says_that_it_is_on_the_device(device):
    kind = device.device.type
    for x in (
        torch.zeros(2, device=kind),
        torch.tensor([1.0], device=f"{kind}:0"),
        torch.ones(2).to(kind),
        torch.zeros(2, device=device.device) + 1,
        torch.arange(3, device=kind),
        nn.Linear(2, 3).to(kind).weight,
        torch.zeros_like(torch.zeros(2, device=kind)),
        torch.zeros_like(torch.zeros(2), device=kind),
        torch.zeros(2).new_zeros(2, device=kind),
        torch.zeros(2, device=kind).new_tensor([1]),
        torch.zeros(2).to(torch.zeros(3, device=kind)),
        torch.as_tensor(np.ones(2), dtype=torch.float32, device=kind),
    ):
        assert x.device == torch.device(kind, 0) and x.get_device() == 0 and not x.is_cpu
        assert (x.is_cuda, x.is_mps) == (kind == "cuda", kind == "mps")
        assert x.cpu().device.type == "cpu" and not isinstance(x.cpu(), Remote)
    assert torch.zeros(2, device=kind).new_zeros(2, device="cpu").device.type == "cpu"
    assert torch.zeros_like(torch.zeros(2, device=kind), device="cpu").device.type == "cpu"
    assert torch.zeros(2).device.type == torch.tensor(2).device.type == "cpu"


def test_the_device_is_present_only_while_it_is_emulated():
    with emulated("cuda"):
        assert torch.cuda.is_available() and torch.cuda.device_count() == 1
        assert not torch.backends.mps.is_available()
        left = torch.zeros(2, device="cuda")
        with pytest.raises(RuntimeError, match="cuda:0 is emulated already"), emulated("mps"):
            pass
    assert not torch.cuda.is_available()
    with emulated("mps"):
        assert torch.backends.mps.is_available() and not torch.cuda.is_available()
    assert torch.zeros(2).to("cpu").device.type == "cpu"
    with pytest.raises(RuntimeError, match="after the emulation ended"):
        left + 1
    with pytest.raises(ValueError, match="device 'tpu' must be 'cuda' or 'mps'"), emulated("tpu"):
        pass


def test_it_is_there_in_every_thread(device):
    found = []
    thread = threading.Thread(target=lambda: found.append(torch.zeros(2, device=device.device) + 1))
    thread.start()
    thread.join()
    assert found[0].device == device.device


# What it refuses.


@pytest.mark.parametrize(
    "mix",
    [
        lambda here, there: here + there,
        lambda here, there: there + here,
        lambda here, there: here.add_(there),
        lambda here, there: there.add_(here),
        lambda here, there: torch.cat([here, there]),
        lambda here, there: torch.where(here > 0, there, here),
        lambda here, there: F.linear(here, there[None]),
        lambda here, there: there[here.long()],
        lambda here, there: there.index_put_((here.long(),), there),
        lambda here, there: here.gather(0, there.long()),
        lambda here, there: F.embedding(there.long(), here[:, None]),
        lambda here, there: there * here.sum(),
        lambda here, there: torch._foreach_add([here], [there]),
    ],
)
def test_tensors_of_two_devices_are_refused(device, mix):
    here, there = torch.ones(3, device=device.device), torch.ones(3)
    with pytest.raises(RuntimeError, match="same device"):
        mix(here, there)


def test_an_index_on_the_device_is_refused_for_a_tensor_of_the_processor(device):
    with pytest.raises(RuntimeError, match="indices should be either on cpu or on the same device"):
        torch.ones(3)[torch.ones(3, dtype=torch.long, device=device.device)]


def test_a_scalar_of_the_processor_is_fine(device):
    x = torch.ones(3, device=device.device)
    assert (x * torch.tensor(2.0) + 1).tolist() == [3, 3, 3]
    with pytest.raises(RuntimeError, match="same device"):
        torch._fused_adamw_(
            [x],
            [x],
            [x],
            [x],
            [],
            [torch.tensor(1.0)],
            lr=0.1,
            beta1=0.9,
            beta2=0.9,
            weight_decay=0.0,
            eps=1e-6,
            amsgrad=False,
            maximize=False,
        )


def test_a_generator_of_another_device_is_refused(device):
    mine, other = torch.Generator(device.device).manual_seed(3), torch.Generator().manual_seed(3)
    expected = torch.rand(4, generator=other)
    assert torch.rand(4, generator=mine, device=device.device).tolist() == expected.tolist()
    assert mine.device == device.device and other.device.type == "cpu"
    with pytest.raises(RuntimeError, match="for generator"):
        torch.rand(4, generator=other, device=device.device)
    with pytest.raises(RuntimeError, match="for generator"):
        torch.rand(4, generator=mine)
    with pytest.raises(RuntimeError, match="for generator"):
        torch.zeros(4, device=device.device).uniform_(generator=other)


def test_numpy_does_not_read_from_the_device(device):
    x = torch.ones(3, device=device.device)
    for read in (lambda: x.numpy(), lambda: np.asarray(x)):
        with pytest.raises(TypeError, match=f"can't convert {device.device} device type tensor to numpy"):
            read()


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.zeros(2, dtype=torch.float64, device="mps"),
        lambda: torch.zeros(2).double().to("mps"),
        lambda: torch.zeros(2, device="mps").double(),
        lambda: torch.tensor([1.0], dtype=torch.float64, device="mps"),
        lambda: torch.from_numpy(np.ones(2)).to("mps"),
        lambda: nn.Linear(2, 2).double().to("mps"),
        lambda: torch.zeros(2, device="mps").sum(dtype=torch.float64),
    ],
)
def test_a_mac_has_no_double(mps, make):
    with pytest.raises(TypeError, match="doesn't support float64"):
        make()


def test_a_gpu_has_double(cuda):
    assert torch.zeros(2).double().to("cuda").dtype == torch.float64


def test_an_older_mac_has_no_bfloat16_and_a_newer_one_has():
    with emulated("mps", bfloat16=False):
        with pytest.raises(TypeError, match="BFloat16 is not supported on MPS"):
            torch.zeros(2, device="mps").bfloat16()
    with emulated("mps"):
        assert torch.zeros(2, device="mps").bfloat16().dtype == torch.bfloat16


def test_an_operator_without_a_kernel_is_refused_on_a_mac_alone():
    for kind in ("mps", "cuda"):
        with emulated(kind):
            x = torch.eye(3, device=kind)
            if kind == "cuda":
                assert torch.mode(x).values.tolist() == [0, 0, 0]
            else:
                with pytest.raises(NotImplementedError, match="'aten::mode' is not currently"):
                    torch.mode(x)


def test_the_table_of_kernels_follows_the_forms_of_an_operator():
    lacking = without_kernel()
    assert {"mode", "put_", "_thnn_fused_lstm_cell", "_thnn_fused_lstm_cell.out"} <= lacking
    assert not lacking & {
        "mm",
        "add.Tensor",
        "add_.Tensor",
        "add.out",
        "gelu_backward",
        "gelu_backward.grad_input",
        "native_dropout",
        "_foreach_add.List",
        "_fused_adamw_",
        "view",
        "expand",
        "index.Tensor",
    }


def test_a_copy_that_does_not_wait_is_refused_on_a_mac(mps):
    x = torch.ones(3)
    for copying in (
        lambda: x.to("mps", non_blocking=True),
        lambda: torch.zeros(3, device="mps").copy_(x, True),
    ):
        with pytest.raises(RuntimeError, match="test_emulated.py.*reads memory that may have been freed"):
            copying()
    with pytest.raises(RuntimeError, match="may be read before it is there"):
        torch.zeros(3, device="mps").to("cpu", non_blocking=True)
    with pytest.raises(RuntimeError, match="Attempted to pin memory"):
        x.pin_memory()


# What it notes.


@pytest.mark.parametrize(
    "read",
    [
        lambda x: x[0].item(),
        lambda x: bool(x[0]),
        lambda x: int(x[0]),
        lambda x: float(x[0]),
        lambda x: x.tolist(),
        lambda x: x.cpu(),
        lambda x: x.to("cpu"),
        lambda x: x.nonzero(),
        lambda x: x[x > 0],
        lambda x: x.index_put_((x > 0,), x[:1]),
        lambda x: x.masked_select(x > 0),
        lambda x: x.unique(),
        lambda x: torch.where(x > 0),
        lambda x: x.repeat_interleave(x.long()),
        lambda x: torch.equal(x, x),
        lambda x: torch.ones(3).copy_(x),
        lambda x: f"{x[0]:.2f}",
        lambda x: x.long().bincount(),
        lambda x: range(x.long()[0]),
        lambda x: [1, 2, 3][x.long()[0]],
    ],
)
def test_reading_from_the_device_is_a_wait(device, read):
    x = torch.ones(3, device=device.device)
    device.forget()
    read(x)
    assert len(noted(device, "read")) == len(noted(device)) == 1
    assert device.waits[0].line.startswith("test_emulated.py:") and not device.copies


@pytest.mark.parametrize(
    "work",
    [
        lambda x: x + 1,
        lambda x: x[x.long()],
        lambda x: x[1:],
        lambda x: torch.where(x > 0, x, 0),
        lambda x: x.repeat_interleave(x.long(), output_size=3),
        lambda x: x.masked_fill_(x > 0, 2.0),
        lambda x: x.sum(),
        lambda x: x.__setitem__(x > 0, 0.0),
        lambda x: torch.zeros(3, device=x.device),
        lambda x: x.new_zeros(3),
        lambda x: torch.full((3,), 2.0, device=x.device),
        lambda x: x.to(x.device),
        lambda x: x.to(torch.float16),
    ],
)
def test_other_work_is_no_wait(device, work):
    x = torch.ones(3, device=device.device)
    device.forget()
    work(x)
    assert not device.waits and not device.copies


def test_the_gradient_of_a_boolean_mask_waits_too(device):
    x = torch.ones(3, device=device.device, requires_grad=True)
    x[torch.tensor([True, False, True]).to(device.device)].sum().backward()
    assert noted(device, "read") == ["index.Tensor with a boolean mask", "index_put with a boolean mask"]
    assert x.grad.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    "put",
    [
        lambda place: torch.ones(3).to(place),
        lambda place: torch.tensor([1, 2], device=place),
        lambda place: torch.as_tensor(np.ones(2, np.float32), device=place),
        lambda place: torch.zeros(3, device=place).copy_(torch.ones(3)),
        lambda place: torch.ones(3, device=place)[[0, 1]],
        lambda place: torch.ones(3, device=place)[torch.tensor([1])],
        lambda place: torch.zeros(2, device=place).new_tensor([1.0]),
    ],
)
def test_copying_to_the_device_is_a_wait_and_a_copy(device, put):
    device.forget()
    put(device.device)
    assert len(noted(device, "copy")) == len(noted(device)) == len(device.copies) == 1


def test_only_pinned_and_contiguous_memory_is_copied_without_a_wait(cuda):
    x = torch.arange(12.0).view(3, 4)
    pinned = x.pin_memory()
    assert pinned.is_pinned() and not x.is_pinned() and pinned.tolist() == x.tolist()
    for source, waits in (
        (pinned, 0),
        (pinned[1:], 0),
        (pinned.T, 1),
        (pinned[:, :2], 1),
        (x, 1),
        (pinned + 0, 1),
        (pinned.clone(), 1),
        (torch.from_numpy(pinned.numpy()), 0),
    ):
        cuda.forget()
        assert source.to("cuda", non_blocking=True).tolist() == source.tolist()
        assert (len(noted(cuda, "copy")), len(cuda.copies)) == (waits, 1)
    cuda.forget()
    pinned.to("cuda")
    pinned.to("cuda", torch.float16, non_blocking=True)
    assert noted(cuda) == ["to", "to"]
    assert torch.zeros(2, pin_memory=True).is_pinned() and not (pinned * 1).is_pinned()
    with pytest.raises(RuntimeError, match="only dense CPU tensors can be pinned"):
        torch.zeros(2, device="cuda").pin_memory()


def test_to_synchronise_is_a_wait():
    for kind in ("cuda", "mps"):
        with emulated(kind) as device:
            getattr(torch, kind).synchronize()
            assert noted(device) == [f"{kind}.synchronize"] and len(device.reads) == 1


def test_a_wait_names_the_line_of_the_package(device, tmp_path):
    weights = {"a": torch.ones(2, device=device.device), "b": torch.ones(2, device=device.device)}
    way(weights, weights)
    assert not device.waits
    write_tensors(tmp_path / "weights.safetensors", weights)
    assert [event.line.rpartition(":")[0] for event in device.waits] == [
        "minibert/model/checkpoints/tensors.py"
    ] * 2
    assert device.lines().startswith("2 x minibert/model/checkpoints/tensors.py:")


# It is a device like others.


def network():
    torch.manual_seed(0)
    layers = nn.Sequential(nn.Embedding(9, 8), nn.Linear(8, 8), nn.LayerNorm(8), nn.Linear(8, 9))
    layers[3].weight = layers[0].weight
    return layers


def trained(place, optimizer, steps=3):
    layers = network().to(place)
    moving = optimizer(layers)
    ids = torch.arange(9).to(place)
    for _ in range(steps):
        moving.zero_grad()
        F.cross_entropy(layers(ids), ids.flip(0)).backward()
        torch.nn.utils.clip_grad_norm_(layers.parameters(), 0.1)
        moving.step()
    return layers, moving


@pytest.mark.parametrize(
    "optimizer",
    [
        lambda layers: torch.optim.AdamW(layers.parameters(), fused=True),
        lambda layers: torch.optim.AdamW(layers.parameters()),
        lambda layers: torch.optim.SGD(layers.parameters(), 0.1, momentum=0.9),
        lambda layers: torch.optim.Muon([layers[1].weight]),
    ],
)
def test_training_gives_what_it_gives_on_the_processor(device, optimizer):
    expected, _ = trained("cpu", optimizer)
    layers, moving = trained(device.device, optimizer)
    assert not layers[1].weight.cpu().equal(network()[1].weight)
    for name, tensor in expected.state_dict().items():
        torch.testing.assert_close(layers.state_dict()[name].cpu(), tensor, rtol=0, atol=0)
    state = moving.state_dict()
    moving.load_state_dict(state)
    assert all(
        value.device == device.device
        for values in moving.state.values()
        for name, value in values.items()
        if name != "step"
    )


def test_a_module_moves_with_its_ties_and_gradients(device):
    layers = network()
    before = list(layers.parameters())
    layers(torch.arange(3)).sum().backward()
    gradient = layers[1].weight.grad.clone()
    layers.to(device.device)
    after = list(layers.parameters())
    assert all(a is b and isinstance(a, nn.Parameter) for a, b in zip(before, after, strict=True))
    assert layers[3].weight is layers[0].weight and layers[0].weight.device == device.device
    assert layers[1].weight.grad.device == device.device and layers[1].weight.grad.cpu().equal(gradient)
    other = copy.deepcopy(layers)
    assert other[3].weight is other[0].weight and other[0].weight is not layers[0].weight
    assert isinstance(other[0].weight, nn.Parameter) and other[0].weight.requires_grad
    with torch.no_grad():
        other[0].weight.zero_()
    assert layers[0].weight.abs().sum() > 0
    other.load_state_dict(network().state_dict())
    assert other[0].weight.cpu().equal(layers[0].weight.cpu())
    layers.cpu()
    assert layers[3].weight is layers[0].weight and type(layers[0].weight) is nn.Parameter
    assert layers(torch.arange(3)).device.type == "cpu"


def test_gradients_cross_between_the_devices(device):
    x = torch.ones(3, requires_grad=True)
    (x.to(device.device) * 2).cpu().sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_what_pytorch_makes_for_a_gradient_is_on_the_device(device):
    x = torch.ones(3, 2, device=device.device, requires_grad=True)
    x.index_select(0, torch.tensor([2, 0, 2], device=device.device)).sum().backward()
    assert x.grad.tolist() == [[1, 1], [0, 0], [2, 2]]
    again = torch.utils.checkpoint.checkpoint(
        lambda y: y * torch.zeros(2).sum() + y * torch.ones(2).to(y.device), x, use_reentrant=False
    )
    again.sum().backward()
    assert x.grad.tolist() == [[2, 2], [1, 1], [3, 3]]


def test_what_is_written_in_place_is_seen_through_views(device):
    x = torch.zeros(2, 3, device=device.device)
    row = x[1]
    row += 1
    x[0, 0] = 5
    x.data = x.data * 2
    assert x.tolist() == [[10, 0, 0], [2, 2, 2]] and x.add_(1) is x


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_lower_precision_is_that_of_the_processor(cuda, dtype):
    layer, x = nn.Linear(8, 8), torch.randn(4, 8)
    with torch.autocast("cpu", dtype):
        expected = layer(x)
    layer.to("cuda")
    with torch.autocast("cuda", dtype):
        found = layer(x.to("cuda"))
        assert torch.is_autocast_enabled("cpu")
    assert found.dtype == dtype and found.cpu().equal(expected)
    assert layer(x.to("cuda")).dtype == torch.float32


def test_an_older_gpu_has_no_bfloat16():
    with emulated("cuda", bfloat16=False):
        assert not torch.cuda.is_bf16_supported()
        with (
            pytest.raises(RuntimeError, match="does not support bfloat16"),
            torch.autocast("cuda", torch.bfloat16),
        ):
            pass


def test_a_scaled_loss_leaves_a_step_out_that_overflows(cuda):
    layer = nn.Linear(2, 1).to("cuda")
    moving, scaler = torch.optim.AdamW(layer.parameters(), fused=True), torch.amp.GradScaler("cuda")
    before = layer.weight.tolist()
    for size, moves in ((torch.inf, False), (1.0, True)):
        moving.zero_grad()
        scaler.scale(layer(torch.full((1, 2), size, device="cuda")).sum()).backward()
        scaler.unscale_(moving)
        scaler.step(moving)
        scaler.update()
        assert (layer.weight.tolist() != before) is moves


def test_recurrent_layers_and_recomputed_ones_give_what_the_processor_gives(device):
    torch.manual_seed(0)
    lstm = nn.LSTM(4, 3, batch_first=True, bidirectional=True, num_layers=2)
    x = torch.randn(2, 5, 4, requires_grad=True)

    def output(place):
        lstm.to(place)
        packed = nn.utils.rnn.pack_padded_sequence(
            x.to(place), torch.tensor([3, 5]), batch_first=True, enforce_sorted=False
        )
        found, _ = nn.utils.rnn.pad_packed_sequence(lstm(packed)[0], batch_first=True, total_length=5)
        for weight in (x, *lstm.parameters()):
            weight.grad = None
        again = torch.utils.checkpoint.checkpoint(lambda y: lstm(y)[0], x.to(place), use_reentrant=False)
        (found.sum() + again.square().sum()).backward()
        return found.detach().cpu(), *(weight.grad.cpu() for weight in (x, *lstm.parameters()))

    for a, b in zip(output("cpu"), output(device.device), strict=True):
        torch.testing.assert_close(a, b)


def test_attention_gives_what_the_processor_gives(device):
    q, k, v = (torch.randn(2, 3, 5, 4) for _ in range(3))
    visible = torch.ones(2, 1, 5, 5, dtype=torch.bool).tril()
    expected = F.scaled_dot_product_attention(q, k, v, visible)
    q, k, v, visible = (x.to(device.device) for x in (q, k, v, visible))
    assert F.scaled_dot_product_attention(q, k, v, visible).cpu().equal(expected)


def test_a_tensor_can_be_saved_and_loaded(device):
    file = io.BytesIO()
    torch.save({"a": nn.Parameter(torch.ones(2, device=device.device))}, file)
    file.seek(0)
    assert torch.load(file, weights_only=False)["a"].tolist() == [1, 1]
