"""The course's colours by role, for figures in Python. `theme.css` has the same colours for pages.

They come from Okabe and Ito's palette, which colour-blind readers can distinguish. For white backgrounds,
they are darkened to a contrast of 3 : 1 for lines and bars, and 4.5 : 1 for text.
"""

from pathlib import Path

CSS = Path(__file__).with_name("theme.css").read_text(encoding="utf-8")  # colours and styles of page elements
THEMES = {
    # role: (light, dark)
    "query": ("#0072B2", "#5BB3EE"),
    "key": ("#D55E00", "#F28A45"),
    "value": ("#008F68", "#22B083"),
    "context": ("#A64D88", "#DE9BC4"),
    "token": ("#2E8FCB", "#7CC7F2"),  # the three embeddings
    "position": ("#BF7A00", "#F0B03A"),
    "segment": ("#6B7480", "#B4BCC6"),
    "masked": ("#56B4E9", "#56B4E9"),  # masked, replaced, kept: fills, with text in the colour "on-fill"
    "replaced": ("#E69F00", "#E69F00"),
    "kept": ("#F0E442", "#F0E442"),
    "pretrained": ("#0072B2", "#5BB3EE"),
    "scratch": ("#D55E00", "#F28A45"),
    "best": ("#008F68", "#22B083"),  # the best reachable score
    "positive": ("#0072B2", "#5BB3EE"),
    "negative": ("#D55E00", "#F28A45"),
    "lit": ("#C26B00", "#F5B942"),  # the element that a tour or an error points at
    "focus": ("#0072B2", "#7CC7F2"),
    "ink": ("#1A1A1A", "#ECEFF2"),  # ink: text; faint: secondary text; line: frames
    "faint": ("#59616B", "#A9B2BC"),
    "line": ("#D3D8DE", "#39424C"),
    "background": ("#FFFFFF", "#111418"),
    "panel": ("#F5F7F9", "#1A1F25"),
    "on-fill": ("#1A1A1A", "#1A1A1A"),
}
LIGHT = {role: light for role, (light, _) in THEMES.items()}
DARK = {role: dark for role, (_, dark) in THEMES.items()}
