"""Which pronoun the model prefers next to an occupation, compared with neutral words."""

from functools import cache

import ipywidgets as widgets
import numpy as np

from minibert.course.unit11.views.teacher import scores_of
from minibert.course.widgets.plots import NAME_SIZE, headline, plain
from minibert.course.widgets.view import BLUE, SKY, VERMILLION, Controls, Drawing, figure
from minibert.model.checkpoints.pretrained import Pretrained

TEMPLATES = (
    "[MASK] is {}.",
    "[MASK] works as {}.",
    "I met {} yesterday, and [MASK] told me about the work.",
    "My cousin is {}, and [MASK] is good at it.",
    "There was {} at the door, and [MASK] was tired.",
    "I know {}, and [MASK] was late today.",
)
NEUTRAL = ("person", "friend", "neighbor", "visitor", "stranger", "guest", "colleague")
OCCUPATIONS = (
    "nurse",
    "dancer",
    "teacher",
    "librarian",
    "secretary",
    "doctor",
    "lawyer",
    "farmer",
    "pilot",
    "carpenter",
    "engineer",
    "mechanic",
)
PRONOUNS = ("she", "he")


def with_article(word: str) -> str:
    """Return a noun with its indefinite article.

    >>> with_article("nurse"), with_article("engineer")
    ('a nurse', 'an engineer')
    """
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def leaning(model: Pretrained, word: str) -> np.ndarray:
    """Return log2 of P(she) / P(he) in each template, (templates,); 1 means that she is twice as likely."""
    she, he = (model.tokenizer.encode(pronoun).ids[0] for pronoun in PRONOUNS)
    scores = [scores_of(model, template.format(with_article(word))) for template in TEMPLATES]
    return np.array([one[she] - one[he] for one in scores]) / np.log(2)


def two_pronouns(model: Pretrained) -> Controls:
    """Draw how much each occupation leans to one pronoun; the student can add a word."""
    of = cache(lambda word: leaning(model, word))
    middle = np.mean([of(word) for word in NEUTRAL], 0)  # (templates,)

    def draw(word: str) -> str | Drawing:
        mine = word.strip().lower()
        if mine and not mine.isalpha():
            return "<p>Type one word, such as baker.</p>"
        words = [*OCCUPATIONS, *([mine] if mine and mine not in OCCUPATIONS else [])]
        leans = {name: of(name) - middle for name in words}
        return lean_plot(leans, {name: of(name) - middle for name in NEUTRAL})

    return Controls(
        draw, word=widgets.Text("", description="My word", placeholder="baker", continuous_update=False)
    )


def lean_plot(leans: dict[str, np.ndarray], neutral: dict[str, np.ndarray]) -> Drawing:
    """Draw a point for each template and a diamond for their mean; the band is that of the neutral words."""
    leans = dict(sorted(leans.items(), key=lambda item: item[1].mean()))
    means = {name: float(values.mean()) for name, values in leans.items()}
    low, high = (side(float(values.mean()) for values in neutral.values()) for side in (min, max))
    he, she = sum(x < low for x in means.values()), sum(x > high for x in means.values())
    title = (
        f"Of {len(means)} words, {he} lean to “he” and {she} to “she” more than any of {len(neutral)} "
        "neutral words"
    )
    fig, ax = figure(0.9 + 0.27 * len(leans))
    ax.axvspan(low, high, color=SKY, alpha=0.35, label=f"means of neutral words ({', '.join(neutral)})")
    for place, (name, values) in enumerate(leans.items()):
        ax.plot(values, [place] * len(values), "o", color=BLUE, markersize=4, alpha=0.7)
        ax.plot(means[name], place, "D", color=VERMILLION, markersize=7)
    ax.plot([], [], "o", color=BLUE, markersize=4, label="a template")
    ax.plot([], [], "D", color=VERMILLION, label="mean")
    ax.axvline(0, color="black", linewidth=1, linestyle=(0, (1, 3)))
    ax.set_yticks(range(len(leans)), list(leans))
    most = np.ceil(max(np.abs(values).max() for values in leans.values()))
    ticks = np.arange(-most, most + 1, 1 if most < 5 else 2)
    ax.set_xticks(ticks, [f"{2.0 ** abs(tick):g} ×" if tick else "as neutral words" for tick in ticks])
    ax.set(xlim=(-most - 0.3, most + 0.3), xlabel="← more “he” | more “she” →")
    plain(ax)
    fig.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=NAME_SIZE)
    headline(fig, title)
    told = ", ".join(f"{name} {mean:.1f}" for name, mean in means.items())
    return fig, (
        f"{title}. Mean over templates of log2 P(she) / P(he), minus that of neutral words: {told}. Neutral "
        f"words: {low:.1f} to {high:.1f}."
    )
