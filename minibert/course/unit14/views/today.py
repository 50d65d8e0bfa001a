"""Where the field went after BERT: its family, what pretraining costs now, and what led a leaderboard."""

from typing import NamedTuple

from minibert.course.unit05.definitions import pretraining_cost
from minibert.course.widgets.guess_then_see import GuessChoice
from minibert.course.widgets.plots import DARK, NAME_SIZE, PANEL_SIZE, bars, headline
from minibert.course.widgets.tables import scrolling, table_of
from minibert.course.widgets.view import ORANGE, SKY, YELLOW, Drawing, View, figure, show

ENCODER, BOTH, DECODER = "encoders read", "encoder-decoders rewrite", "decoders write"
FILLS = {ENCODER: SKY, BOTH: YELLOW, DECODER: ORANGE}
FAMILY = (  # name, kind, year and month of its first paper or release
    ("Transformer", BOTH, 2017, 6),
    ("GPT", DECODER, 2018, 6),
    ("BERT", ENCODER, 2018, 10),
    ("GPT-2", DECODER, 2019, 2),
    ("RoBERTa", ENCODER, 2019, 7),
    ("Sentence-BERT", ENCODER, 2019, 8),
    ("T5", BOTH, 2019, 10),
    ("BART", BOTH, 2019, 10),
    ("ELECTRA", ENCODER, 2020, 3),
    ("GPT-3", DECODER, 2020, 5),
    ("DeBERTa", ENCODER, 2020, 6),
    ("Flan-T5", BOTH, 2022, 10),
    ("ChatGPT", DECODER, 2022, 11),
    ("LLaMA", DECODER, 2023, 2),
    ("ModernBERT", ENCODER, 2024, 12),
)
PHASES = ((900_000, 256, 128), (100_000, 256, 512))  # of BERT-base: steps, sequences, tokens
SPEED = {128: 566_375, 512: 514_995}  # tokens a second on one H100, benchmarks/results/gpu.json
PAPER_HOURS = 96  # four days


class Led(NamedTuple):
    """A model at the top of a leaderboard: what kind it is, and how it differs from BERT."""

    name: str
    kind: str
    differs: str
    lesson: str


LED = (
    Led("BERT-large", "encoder", "–", "1 to 6"),
    Led("MT-DNN", "encoder", "BERT, fine-tuned on many tasks at once", "13"),
    Led("XLNet", "encoder", "predicts in any order", "10"),
    Led("RoBERTa", "encoder", "BERT, trained longer and on more text", "10"),
    Led("StructBERT", "encoder", "also restores the order of words and sentences", "4, 10"),
    Led("ALBERT", "encoder", "all layers share their weights", "10"),
    Led("T5", "encoder-decoder", "writes its answer as text", "14"),
    Led("ERNIE (Baidu)", "encoder", "masks phrases and entities; more tasks", "1, 10"),
    Led("ELECTRA", "encoder", "spots replaced tokens", "10"),
    Led("DeBERTa", "encoder", "position and content are compared separately", "14"),
)


def family() -> View:
    """Draw the models after the Transformer on a line of time, one line for each kind."""
    fig, ax = figure(4.3)
    lanes = {DECODER: 0.0, BOTH: 3.0, ENCODER: 6.0}
    last: dict[str, list[float]] = {kind: [] for kind in lanes}
    told = []
    for kind, y in lanes.items():
        ax.axhline(y, color="#888888", linewidth=1, zorder=0)
        ax.text(2016.55, y - 0.15, kind, ha="left", va="top", fontsize=PANEL_SIZE, fontweight="bold")
    for name, kind, year, month in FAMILY:
        x, y = year + (month - 1) / 12, lanes[kind]
        level = sum(1 for before in last[kind][-2:] if x - before < 0.75)
        last[kind].append(x)
        height = (0.75, -0.75, 1.5)[level]
        ax.plot([x, x], [y, y + height], color="#888888", linewidth=1, zorder=0)
        ax.plot(x, y, "o", color=FILLS[kind], markeredgecolor=DARK, markersize=9)
        ax.text(
            x,
            y + height,
            name,
            ha="center",
            va="center",
            fontsize=NAME_SIZE,
            color=DARK,
            bbox={
                "boxstyle": "round,pad=0.25",
                "facecolor": FILLS[kind],
                "edgecolor": DARK,
                "linewidth": 0.6,
            },
        )
        told.append(f"{name} ({kind.split()[0].rstrip('s')}, {year})")
    ax.set_xticks(range(2017, 2026))
    ax.set(xlim=(2016.5, 2025.4), ylim=(-1.5, 8.0))
    ax.set_yticks([])
    ax.spines[["left", "right", "top"]].set_visible(False)
    title = "After 2018 the field splits in two: encoders that read, and decoders that write"
    headline(fig, title)
    return show(fig, f"{title}. {', '.join(told)}.")


def hours_now() -> float:
    """Return the hours that BERT-base's pretraining would take on one H100, at the speed that we measured."""
    return sum(steps * rows * length / SPEED[length] for steps, rows, length in PHASES) / 3600


def guess_cost() -> GuessChoice:
    """Ask how long one GPU of today would take for what took 16 chips four days."""
    choices = {"about an hour": 1.0, "about a day": 24.0, "about a month": 720.0}

    def see() -> Drawing:
        hours = hours_now()
        tokens = pretraining_cost(1, PHASES, 1, 1.0, 1.0)["tokens"]
        return bars(
            ["2018: 16 TPU chips, the paper", "one H100, our code"],
            [PAPER_HOURS, hours],
            f"hours for BERT-base's {tokens / 1e9:.0f} billion tokens (short sequences in 90% of the steps)",
            f"One GPU does in {hours:.0f} hours what took 16 chips four days",
            chosen=1,
            form="{:.0f}",
        )

    return GuessChoice(
        "BERT-base was pretrained for four days on 16 TPU chips. How long would one H100 (a GPU of 2022) "
        "take?",
        list(choices),
        lambda: min(choices, key=lambda name: abs(choices[name] - hours_now())),
        see=see,
    )


def first_ten() -> View:
    """Return ten models that were at or near the top of GLUE, with what each of them is."""
    heads = ("model", "kind", "differs from BERT", "lesson")
    return View(scrolling(table_of(heads, LED)))
