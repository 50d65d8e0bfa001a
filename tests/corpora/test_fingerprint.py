"""The language's name stays while the language stays, and changes with it."""
from minibert.corpora.world import fingerprint as module


def test_the_same_language_has_the_same_name():
    assert module.fingerprint() == module.fingerprint()


def test_another_text_has_another_name(monkeypatch):
    before = module.fingerprint()
    monkeypatch.setattr(module, "SAMPLE", module.SAMPLE - 1)
    assert module.fingerprint() != before
