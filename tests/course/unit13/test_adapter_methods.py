"""Adapters, biases and prompts: little is trained, nothing is lost, and tasks are swapped on one encoder."""

from dataclasses import replace

import pytest
import torch
from small_task import EXAMPLES, accuracy, small_encoder, tuned
from tiny import CONFIG, ragged

from minibert.course.unit13.methods.adapters import (
    PromptedEncoder,
    bitfit,
    counts,
    houlsby,
    pfeiffer,
    put,
    size_in_bytes,
    trained,
)
from minibert.data.batch import visible_all
from minibert.model import Encoder, FastEncoder

D, L, M, P = CONFIG.hidden_size, CONFIG.num_hidden_layers, 3, 4


def prompted(encoder):
    return PromptedEncoder(encoder, P, torch.Generator().manual_seed(0))


KINDS = {
    "houlsby": lambda e: houlsby(e, M),
    "pfeiffer": lambda e: pfeiffer(e, M),
    "bitfit": bitfit,
    "prompts": prompted,
}


def hidden(encoder):
    ids, real, types = ragged()
    arrays = map(torch.from_numpy, (ids, visible_all(real), types))
    return encoder(*arrays)["hidden"][torch.from_numpy(real)]


@pytest.fixture
def original():
    torch.manual_seed(0)
    return FastEncoder(CONFIG).eval()


@pytest.mark.parametrize("kind", [Encoder, FastEncoder])
@pytest.mark.parametrize("name, tolerance", [("houlsby", 0.01), ("pfeiffer", 0.01), ("bitfit", 0)])
def test_next_to_nothing_changes_until_something_is_trained(kind, name, tolerance):
    encoder = kind(CONFIG).eval()
    assert abs(hidden(KINDS[name](encoder)) - hidden(encoder)).max() <= tolerance


def test_prompts_are_read_and_stand_in_no_output(original):
    one = prompted(original)
    assert hidden(one).shape == hidden(original).shape and not torch.allclose(hidden(one), hidden(original))
    with torch.no_grad():
        before, one.prompts[-1] = hidden(one), 3.0
    assert not torch.allclose(hidden(one), before)


def test_padding_changes_nothing_beside_prompts(original):
    ids, real, types = (torch.from_numpy(x) for x in ragged())
    visible = torch.from_numpy(visible_all(ragged()[1]))
    one = prompted(original)
    whole = one(ids, visible, types)["hidden"][1, :7]
    assert torch.allclose(one(ids[1:2, :7], None, types[1:2, :7])["hidden"][0], whole, atol=1e-5)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("houlsby", L * (2 * (2 * D * M + M + D) + 4 * D) + 2 * D),
        ("pfeiffer", L * (2 * D * M + M + D)),
        ("prompts", P * D),
    ],
)
def test_as_much_is_trained_as_the_paper_counts(original, name, expected):
    assert counts(KINDS[name](original))[0] == expected


def test_bitfit_trains_the_biases_and_nothing_else(original):
    names = trained(bitfit(original))
    assert names and all(name.endswith("bias") for name in names)
    assert len(names) == sum(name.endswith("bias") for name, _ in original.named_parameters())


@pytest.mark.parametrize("name", KINDS)
def test_fine_tuning_moves_what_is_trained_and_nothing_of_the_original(name):
    original = small_encoder()
    before = {key: p.clone() for key, p in original.state_dict().items()}
    adapted = KINDS[name](original)
    start = {key: p.detach().clone() for key, p in trained(adapted).items()}
    found = tuned(adapted, steps=12)
    assert all(torch.equal(p, before[key]) for key, p in original.state_dict().items())
    after = trained(found.model.encoder)
    unmoved = [key for key in start if torch.equal(after[key], start[key])]
    assert set(after) == set(start) and all("key.bias" in key for key in unmoved)  # the softmax cancels it


def test_an_adapter_learns_a_task_and_tasks_are_swapped_on_one_encoder():
    original, files = small_encoder(), []
    tuned(original, steps=60, peak_rate=2e-3)  # an encoder that can tell the words apart
    for flip in (False, True):
        examples = [replace(e, label=str(int(e.label) ^ flip)) for e in EXAMPLES]
        torch.manual_seed(0)
        found = tuned(houlsby(original, 8), examples, steps=60)
        assert accuracy(found.model, found.task, examples) == 100
        files.append({key: p.detach().clone() for key, p in trained(found.model).items()})
    put(found.model, files[0])
    assert accuracy(found.model, found.task) == 100 and size_in_bytes(files[0]) < 2**20


def test_what_does_not_fit_is_refused(original):
    one = trained(pfeiffer(original, M))
    with pytest.raises(ValueError, match="not in this encoder"):
        put(pfeiffer(original, M), one | {"more": torch.ones(1)})
    with pytest.raises(ValueError, match="shape"):
        put(pfeiffer(original, M + 1), one)
    for make, name in (
        (houlsby, "bottleneck"),
        (pfeiffer, "bottleneck"),
        (lambda e, n: PromptedEncoder(e, n, torch.Generator()), "prompts"),
    ):
        with pytest.raises(ValueError, match=f"{name}=0"):
            make(original, 0)
