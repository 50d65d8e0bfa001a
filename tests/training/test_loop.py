"""There is one loop, with a learning rate that warms up, and settings that are checked."""

import math
import os

import numpy as np
import pytest
from conftest import ROOT

from minibert.training.config import TrainConfig
from minibert.training.schedule import learning_rate


def test_it_is_the_only_loop_of_the_library():
    """A timing and a check of a device compute single gradients besides; course and bench are not library."""
    library = [
        path.relative_to(ROOT / "minibert")
        for path in (ROOT / "minibert").rglob("*.py")
        if ".backward(" in path.read_text(encoding="utf-8")
    ]
    found = {str(path) for path in library if path.parts[0] not in ("course", "bench")}
    assert found == {f"training{os.sep}{name}" for name in ("loop.py", "device_check.py")}


def test_the_rate_warms_up_and_decays_to_nothing():
    rates = [learning_rate(s, 100, 1.0, 10) for s in range(100)]
    assert np.argmax(rates) in (9, 10) and rates[0] == 0.1 and 0 < rates[-1] < 0.02
    assert (np.diff(rates[:10]) > 0).all() and (np.diff(rates[10:]) < 0).all()


@pytest.mark.parametrize(
    "change, message",
    [
        ({"steps": 0}, "steps=0"),
        ({"peak_rate": 0.0}, "peak_rate=0.0"),
        ({"warmup": 2.0}, "warmup=2.0"),
        ({"clip": math.inf}, "clip=inf must be finite"),
        ({"peak_rate": math.nan}, "peak_rate=nan must be finite and greater than 0"),
        ({"embedding_share": math.nan}, "embedding_share=nan"),
        ({"muon_share": 0}, "muon_share=0"),
        ({"weight_decay": math.nan}, "weight_decay=nan must be finite and at least 0"),
        ({"weight_decay": -0.1}, "weight_decay=-0.1"),
        ({"schedule": "cosine"}, "schedule='cosine' must be one of 'linear', 'bert', 'onecycle'"),
        ({"optimizer": "sgd"}, "optimizer='sgd' must be one of 'adamw'"),
        ({"accumulate": 0}, "accumulate=0 must be at least 1"),
        ({"accumulate": 40}, "accumulate=40 must be at most batch_size=32"),
        ({"keep": 0}, "keep=0 must be at least 1"),
        (
            {"steps": 3, "first_step": 2, "all_steps": 4},
            "all_steps=4 must be at least first_step=2 plus steps=3",
        ),
    ],
)
def test_settings_outside_their_range_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        TrainConfig(**{"steps": 1, **change})
