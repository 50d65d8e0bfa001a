"""The examples in the docstrings of minibert give what they say."""

import doctest
import importlib

import platformdirs
import pytest
from conftest import ROOT

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "minibert").rglob("*.py")
    if ">>>" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some examples write files
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / "cache"))
    ran = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert ran.attempted, f"{module}: its examples stand where doctest does not look"
    assert not ran.failed, f"{module}: {ran.failed} of {ran.attempted} examples fail; see the output above"
