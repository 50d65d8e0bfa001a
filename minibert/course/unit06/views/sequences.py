"""What BERT reads in each kind of task: one text, two texts, or a pair for each option."""

import ipywidgets as widgets
import numpy as np

from minibert.data.batch import pack
from minibert.reference import softmax

from ...models.english import english
from ...widgets.attention import ARROW, box
from ...widgets.guess import guesses_html
from ...widgets.guess_then_see import GuessChoice
from ...widgets.model_input import input_table
from ...widgets.plots import bars, headline
from ...widgets.view import ORANGE, SKY, YELLOW, Controls, View, drawing_html, figure, show

CONTEXT = "She opens the umbrella, because"
ENDINGS = "it begins to rain.", "the sun comes out.", "her tea is cold.", "umbrellas are round."
EXAMPLES: dict[str, tuple[str, str | None, str]] = {  # task: A, B and the label
    "SST-2: positive or negative?": (
        "This film doesn't care about cleverness, wit or any other kind of intelligent humor.",
        None,
        "negative. (Socher et al., 2013, figure 1)",
    ),
    "CoLA: acceptable English?": ("The books was on the table.", None, "not acceptable. (Our example)"),
    "MNLI: entailment, contradiction or neutral?": (
        "I am a lacto-vegetarian.",
        "I enjoy eating cheese too much to abstain from dairy.",
        "neutral; one annotator disagreed. (Williams et al., 2018, table 1)",
    ),
    "QQP: the same question?": (
        "How can I be a good geologist?",
        "What should I do to be a great geologist?",
        "duplicate. (The published data)",
    ),
    "QNLI: does B answer A?": (
        "Who wrote Emma?",
        "Jane Austen's novel Emma was first published in 1815.",
        "it does. (Our example)",
    ),
}
ONLY_B = {"SNLI": (34.3, 67.0), "MNLI": (35.4, 53.9)}  # always the same label, and a classifier of B alone
CHOICES = "about 34%", "about 50%", "about 67%"


def plan() -> View:
    """Draw the encoder, the pooler and the new layer on top of [CLS]."""
    fig, ax = figure(3.0, 6.5)
    ax.set(xlim=(-0.2, 8.8), ylim=(-0.4, 4.2))
    ax.axis("off")
    for i, token in enumerate(("[CLS]", "a", "wonderful", "film", "[SEP]")):
        box(ax, 1.0 + 1.7 * i, 0.0, 1.5, token, YELLOW)
        ax.annotate("", (1.0 + 1.7 * i, 0.9), (1.0 + 1.7 * i, 0.3), arrowprops=ARROW)
    box(ax, 4.4, 1.2, 8.3, "encoder: pretrained", SKY)
    for y, name, fill in ((2.4, "pooler: pretrained", SKY), (3.6, "a linear layer: new", ORANGE)):
        box(ax, 1.6, y, 2.8, name, fill)
        ax.annotate("", (1.0, y - 0.3), (1.0, y - 0.9), arrowprops=ARROW)
    ax.text(3.3, 3.6, "a logit for each label, then softmax", va="center", fontsize=9)
    title = "Only the orange layer is new, and it reads only [CLS]"
    headline(fig, title)
    return show(
        fig,
        f"{title}. The tokens [CLS], a, wonderful, film and [SEP] enter the pretrained encoder. The vector "
        "of [CLS] goes through the pretrained pooler and a new linear layer: a logit for each label.",
    )


def one_sequence() -> Controls:
    """Show the sequence that BERT reads for an example of each kind of task."""

    def table(first: str, second: str | None, said: str) -> str:
        tokenizer = english().tokenizer
        other = None if second is None else tokenizer.encode(second).ids
        ids, types = pack(tokenizer.encode(first).ids, other, tokenizer.specials)
        return input_table([tokenizer.vocab[i] for i in ids], list(types), [True] * len(ids), said)

    def draw(task: str) -> str:
        if task in EXAMPLES:
            first, second, label = EXAMPLES[task]
            return table(first, second, f"The label: {label}")
        return "".join(table(CONTEXT, ending, f"option {i + 1}") for i, ending in enumerate(ENDINGS))

    names = [*EXAMPLES, "SWAG: which ending?"]
    return Controls(
        draw,
        task=widgets.Dropdown(
            options=names, value=names[2], description="Task", layout={"width": "420px", "max_width": "98%"}
        ),
    )


def options() -> Controls:
    """Turn four scores of the student's own into the probabilities of four endings."""

    def draw(scores: str) -> str:
        numbers = np.array([float(number) for number in scores.split()])
        if len(numbers) != len(ENDINGS):
            raise ValueError(f"write {len(ENDINGS)} numbers with spaces between them")
        return f"<p>{CONTEXT} …</p>" + guesses_html(list(zip(ENDINGS, softmax(numbers).tolist())))

    return Controls(draw, scores=widgets.Text("3 1 0 -1", description="Scores", continuous_update=False))


def guess_one_half() -> GuessChoice:
    """Ask how well a classifier does that reads only one of two texts."""

    def see() -> str:
        names = [f"{data}, {what}" for data in ONLY_B for what in ("always the same label", "reads only B")]
        values = [score for pair in ONLY_B.values() for score in pair]
        drawn = bars(
            names,
            values,
            "accuracy in %",
            "A third of the answers would be right by chance",
            1,
            "{:.1f}",
            100,
        )
        return drawing_html(drawn) + (
            "<p>(Gururangan et al., 2018.) People were asked to write a B that contradicts A, follows from "
            "it, or does neither. To contradict, many wrote <i>nobody</i>, <i>no</i> or <i>sleeping</i>.</p>"
        )

    return GuessChoice(
        "SNLI has pairs like those of MNLI, and three equally frequent labels. A simple classifier reads "
        "only B, never A. How often is it right?",
        CHOICES,
        lambda: CHOICES[2],
        see=see,
    )
