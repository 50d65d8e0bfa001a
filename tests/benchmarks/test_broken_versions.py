"""Every broken version of the list can be made: of code that has moved on, the list has to say so."""
import pytest


@pytest.fixture
def tiers(script):
    return script("test_tiers")


@pytest.mark.parametrize("folder", ["reference", "tokenizer", "corpora", "tasks", "model", "objectives",
                                    "training", "checks", "grading"])
def test_every_broken_version_of_a_folder_can_be_made(tiers, folder):
    for words, *change in tiers.BROKEN[folder]:
        path, text = tiers.broken(folder, *change)
        assert text != (tiers.ROOT / path).read_text(encoding="utf-8"), words


def test_each_folder_with_broken_versions_has_tests(tiers, root):
    assert tiers.BROKEN.keys() == tiers.TESTS.keys()
    assert all((root / "tests" / name).exists() for names in tiers.TESTS.values() for name in names)


@pytest.mark.parametrize("place, old, found", [("softmax", "no such text", 0), ("nowhere", "x", 0)])
def test_what_is_not_there_is_refused(tiers, place, old, found):
    with pytest.raises(tiers.NotFound, match=f"'{old}' in {place} is there {found} times"):
        tiers.broken("reference", place, old, "")


def test_a_text_is_found_whatever_its_line_breaks_and_comments(tiers):
    assert tiers.pattern_of("f(x, y) + 1").search("f(x,   # (B, T)\n    y) + 1")
    assert not tiers.pattern_of("f(x, y)").search("f(x, z)")
