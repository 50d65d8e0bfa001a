"""An input of a check in other regimes of its numbers."""
import numpy as np

from minibert.checks.engine.regimes import REGIMES, in_regimes

X = np.array([[0.3, -1.7, 0.4], [2.6, 0.2, -0.6]])


def test_each_regime_has_what_its_name_says_and_keeps_the_shape():
    found = dict(zip(REGIMES, (changed for changed, _ in in_regimes((X, "rest"))), strict=True))
    assert all(x.shape == X.shape for x in found.values())
    assert 0 < abs(found["tiny"]).max() < 1e-6 and abs(found["huge"]).min() > 1e5
    assert (found["whole"] == found["whole"].round()).all() and len(np.unique(found["whole"])) > 2
    assert len(np.unique(found["equal"])) == 1 < len(np.unique(found["ties"])) < X.size
    assert found["negative"].max() < 0
    assert not found["a view"].flags.c_contiguous and (found["a view"] == X).all()


def test_one_array_of_a_dict_is_changed_at_a_time_and_all_of_a_list():
    tables = {"a": X, "b": X[0], "seen": X > 0}
    assert [[name for name in tables if one[name] is not tables[name]]
            for _, one in in_regimes((0, tables), 1, names="whole, equal")] == [["a"], ["b"]] * 2
    (changed,), = in_regimes(([X, X[0]],), names="negative")
    assert [x.max() < 0 for x in changed] == [True, True]
