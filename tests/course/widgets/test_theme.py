"""One colour for each role: the same in Python and in CSS, readable, and told apart by the colour-blind."""

import itertools
import re

import numpy as np
import pytest

from minibert.course.widgets.theme import DARK, LIGHT, THEMES

TEXT, GRAPHIC = 4.5, 3.0  # WCAG 2.2: contrast of text (1.4.3), of lines and bars (1.4.11)
FILLS = {"masked", "replaced", "kept"}  # under text in on-fill
SURFACES = {"background", "panel", "line", "on-fill"}
THEME = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
GROUPS = [
    ("query", "key", "value", "context"),
    ("token", "position", "segment"),
    ("masked", "replaced", "kept"),
    ("pretrained", "scratch", "best"),
    ("positive", "negative"),
]
# what linear light becomes for eyes without one kind of cone (Machado et al., 2009, table 1, severity 1)
BLINDNESS = {
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


def linear(color):
    """Linear light (3,) of "#RRGGBB"."""
    value = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    low, high = sorted(linear(color) @ [0.2126, 0.7152, 0.0722] + 0.05 for color in (one, other))
    return high / low


def lab(light):
    """CIELAB (3,) of linear light."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(light, 0, 1)
    x, y, z = np.cbrt(np.maximum(xyz / [0.9505, 1, 1.089], 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_python_and_css_hold_the_same_colours(root):
    css = (root / "minibert" / "course" / "widgets" / "theme.css").read_text(encoding="utf-8")
    found = re.findall(r"--mb-([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", css)
    assert {role: (light, dark) for role, light, dark in found} == THEMES
    assert len(found) == len(THEMES)
    used = set(re.findall(r"var\(--mb-([\w-]+)\)", css))
    assert used <= set(THEMES)


@THEME
@pytest.mark.parametrize("surface", ["background", "panel"])
def test_text_and_lines_stand_out(theme, surface):
    for role, color in theme.items():
        if role not in FILLS | SURFACES:
            least = TEXT if role in ("ink", "faint") else GRAPHIC
            assert contrast(color, theme[surface]) >= least, role


@THEME
def test_text_on_a_fill_can_be_read(theme):
    assert all(contrast(theme["on-fill"], theme[role]) >= TEXT for role in FILLS)
    assert contrast(theme["background"], theme["ink"]) >= TEXT  # the main button


@THEME
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_roles_that_stand_side_by_side_are_told_apart_by_colour_blind_readers(theme, blindness):
    seen = {role: lab(np.array(BLINDNESS[blindness]) @ linear(color)) for role, color in theme.items()}
    for one, other in itertools.chain(*(itertools.combinations(group, 2) for group in GROUPS)):
        assert np.linalg.norm(seen[one] - seen[other]) > 12, (one, other)
