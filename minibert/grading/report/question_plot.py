"""Plot how hard each exercise is, and whether it separates strong from weak students."""

import io
from collections.abc import Sequence
from typing import Any

from .question_statistics import QuestionStatistics

BAR, DOT = "#0072b2", "#b35900"  # distinct for every kind of colour vision
SETTINGS: Any = {
    "svg.hashsalt": "minibert",
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}  # the plot is reproducible byte for byte


def question_plot(found: Sequence[QuestionStatistics]) -> bytes:
    """Draw each exercise's difficulty and discrimination, and return SVG, or b"" if there are no points."""
    known = [(one, one.mean_share) for one in found if one.mean_share is not None]
    if not known:
        return b""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    hardest, share = min(known, key=lambda pair: pair[1])
    said = f"{hardest.code} is hardest: {share:.0%} of its points on average (n = {hardest.students})"
    names = [f"{one.code} {one.exercise.name} (n = {one.students})" for one, _ in known]
    places = range(len(known))
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(9, 1.6 + 0.32 * len(known)), layout="constrained", facecolor="white")
        left, right = FigureCanvasSVG(figure).figure.subplots(1, 2, sharey=True)
        left.barh(places, [100 * share for _, share in known], color=BAR)
        left.set(title=said, xlabel="mean share of the points, %", xlim=(0, 100))
        left.set_yticks(list(places), names)
        left.invert_yaxis()
        told = [
            (place, one.discrimination)
            for place, (one, _) in enumerate(known)
            if one.discrimination is not None
        ]
        right.axvline(0, color="#888", linewidth=0.8)
        right.plot([value for _, value in told], [place for place, _ in told], "D", color=DOT)
        right.set(
            title="Does it tell students apart?",
            xlim=(-1.05, 1.05),
            xlabel="correlation with the points of all other exercises",
        )
        drawn = io.BytesIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Title": said})
    return drawn.getvalue()
