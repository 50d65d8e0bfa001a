"""A token drawn as a chip: whatever it is, it is shown as text, and colour is never alone."""

import pytest

from minibert.course.widgets.chips import chip


@pytest.mark.parametrize("token", ["<img onerror=x>", "##s", "ילדים", "🎈", '"'])
def test_a_token_is_shown_as_text(token):
    shown = chip(token, "#56B4E9", sign="✓", after="<i>", below="")
    assert "<img" not in shown and "<i>" not in shown and 'dir="auto"' in shown and "&lt;i&gt;" in shown
    assert "✓ " in shown and shown.count("<span") == shown.count("</span>") == 2


def test_what_is_filled_is_framed_and_a_plain_token_takes_as_much_room():
    filled, plain = chip("a", "#56B4E9", "2px dashed"), chip("a")
    assert "2px dashed #" in filled and "#56B4E9" in filled
    assert "2px solid transparent" in plain and "background" not in plain
    assert "&nbsp;" in chip("")
