"""A step of training waits for the device twice at most, whatever is trained: a GPU that has to wait for its
orders stands idle.
"""

import pytest
from steps import TUNED, Meter, costs_of_objective, costs_of_task
from test_contract import BY_NAME

MOST = 2  # the loss and the norm of the gradient, which the loop has to look at


def check(costs):
    assert costs.reads + costs.blocking <= MOST, "\n".join(costs.lines)


@pytest.mark.parametrize("name", BY_NAME)
def test_a_step_of_pretraining_waits_twice_at_most(name):
    check(costs_of_objective(name))


@pytest.mark.parametrize(
    "options",
    [{"accumulate": 2}, {"recompute": True}, {"optimizer": "muon"}, {"optimizer": "bert_adam"}],
    ids=str,
)
def test_no_way_to_compute_waits_more_often(options):
    check(costs_of_objective("BERT", **options))


@pytest.mark.parametrize(
    "name, approach",
    [
        pytest.param(*case, marks=[] if case[0] in ("qa", "ner", "swag", "sst2") else pytest.mark.slow)
        for case in TUNED
    ],
)
def test_a_step_of_fine_tuning_waits_twice_at_most(name, approach, tmp_path):
    check(costs_of_task(name, approach, tmp_path))


def test_the_meter_counts_the_waits_and_copies_of_its_thread():
    class Device:
        def __init__(self):
            self.waits, self.copies = [], []

    from remote import Event

    device = Device()
    meter = Meter(device)
    for step in range(8):
        device.waits += [
            Event("read", "item", "a.py:1"),
            Event("copy", "to", "a.py:2"),
            Event("read", "item", "b.py:1", "feed"),
        ]
        device.copies += [Event("to", "to", "a.py:2")] * (step + 1)
        meter.update()
    assert meter.costs() == (1, 1, 5.5, ["1 x a.py:1 item (read)", "1 x a.py:2 to (copy)"])
