"""Every broken version of the list can be made: of code that has moved on, the list has to say so."""

import re

import pytest


@pytest.fixture
def tiers(script):
    return script("test_tiers")


@pytest.mark.slow
@pytest.mark.every(3)
@pytest.mark.parametrize(
    "folder",
    ["reference", "tokenizer", "readers", "tasks", "model", "objectives", "training", "checks", "grading"],
)
def test_every_broken_version_of_a_folder_can_be_made(tiers, folder):
    for words, *change in tiers.BROKEN[folder]:
        path, text = tiers.broken(folder, *change)
        assert text != (tiers.ROOT / path).read_text(encoding="utf-8"), words


def test_each_folder_with_broken_versions_has_tests(tiers, root):
    assert tiers.BROKEN.keys() == tiers.TESTS.keys()
    assert all((root / "tests" / name).exists() for names in tiers.TESTS.values() for name in names)


@pytest.mark.parametrize(
    "place, old, times", [("softmax", "no such text", "0"), ("nowhere", "np.where(", "[1-9]")]
)
def test_what_is_not_there_or_too_often_is_refused(tiers, place, old, times):
    with pytest.raises(tiers.NotFound, match=rf"{re.escape(repr(old))} in {place} was found {times}"):
        tiers.broken("reference", place, old, "")


def test_a_text_is_found_whatever_its_line_breaks_comments_and_types(tiers):
    assert tiers.pattern_of("eps=1e-12").search("def f(x, eps: float | None = 1e-12):")
    assert tiers.pattern_of("f(x, y) + 1").search("f(x,   # (B, T)\n    y) + 1")
    assert not tiers.pattern_of("f(x, y)").search("f(x, z)")
