"""Masked language modeling: a token's loss by hand and in the English model, and which positions count."""

from collections.abc import Callable
from functools import cache

import ipywidgets as widgets
import numpy as np
import torch

from minibert.course.texts.passages import passages
from minibert.data.batch import IGNORE, Batch, collate, visible_all
from minibert.objectives import MLM
from minibert.reference import gelu

from ...models.english import english
from ...widgets.guess import sentence_box
from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import curves
from ...widgets.stepper import Stepper
from ...widgets.tables import table_of
from ...widgets.try_it import either
from ...widgets.view import Controls, Drawing, View, show
from ...widgets.word_to_loss import STEPS, losses_html, row_losses, word_to_loss

# A head by hand: 6 words, and 4 numbers that mean edible, liquid, a tool, a person.
WORDS = ["soup", "tea", "bread", "ladle", "river", "cook"]
TABLE = np.array(
    [[2, 2, 0, 0], [1, 3, 0, 0], [3, 0, 0, 0], [0, 0, 3, 0], [-2, 3, 0, 0], [0, 0, 0, 3.0]]
)  # (V, D)
BIAS = np.array([1, 0, 0.5, 0, 0, 0.5])  # (V,)
MATRIX = np.array([[1, 0.5, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])  # (D, D)
LONGEST = 60  # tokens of a text, each masked in a sequence of its own
SOUP = 0.7  # how often the masked word is soup
CHEAPEST = "50%", "70%", "100%"
SENTENCES, LENGTHS = 16, (32, 64, 128, 256)


def masked_in_turn(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return input ids and labels, (T, T + 2) each, for a text of T tokens: row i masks token i.

    Raises ValueError for an empty or a long text.
    """
    ids, specials = english().tokenizer.encode(text).ids, english().tokenizer.specials
    if not 1 <= len(ids) <= LONGEST:
        raise ValueError(f"{len(ids)} tokens: type a text of 1 to {LONGEST}")
    batch = collate([(ids, None)] * len(ids), specials)
    rows, columns = batch.input_ids.shape
    asked = np.eye(rows, columns, k=1, dtype=bool)  # [CLS] stands before the first token
    return np.where(asked, specials.mask, batch.input_ids), np.where(asked, batch.input_ids, IGNORE)


def logits_in_turn(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the logits at each token of a text while it is masked, (T, V), and the token ids, (T,)."""
    seen, labels = masked_in_turn(text)
    visible = visible_all(np.ones(seen.shape, bool))  # no padding: all rows are equally long
    counted = torch.tensor(labels != IGNORE)
    with torch.no_grad():
        inputs = map(torch.tensor, (seen, visible, 0 * seen))
        logits = english().model(*inputs, counted=counted)["tokens"]
    return logits.numpy(), labels[labels != IGNORE]


def our_token_loss(logits: np.ndarray, right: int) -> float:
    shifted = logits - logits.max()
    return float(np.log(np.exp(shifted).sum()) - shifted[right])


def bars_over(text: str, token_loss: Callable) -> tuple[str, np.ndarray]:
    """Return the tokens of a text with bars as high as their losses, as HTML, and the losses (T,)."""
    logits, ids = logits_in_turn(text)
    losses = np.array([token_loss(row, right) for row, right in zip(logits, ids)])
    return losses_html([english().tokenizer.vocab[i] for i in ids], losses), losses


def odd_word() -> Controls:
    """Show the loss of each token of a sentence."""
    return Controls(
        lambda text: bars_over(text, our_token_loss)[0],
        text=sentence_box("The doctor listened to the heart of her thunder."),
    )


def with_mine(token_loss: Callable) -> Controls:
    """Show the loss of each token by the student's function, and their mean."""
    used, said = either(token_loss, our_token_loss)

    def draw(text: str) -> str:
        shown, losses = bars_over(text, used)
        mean = losses.mean()
        told = f"Mean loss {mean:.2f}, pseudo-perplexity {np.exp(mean):.0f} (section A)."
        return f"<p><small>{said}</small></p>{shown}<p>{told}</p>"

    return Controls(draw, text=sentence_box("My sister plays the violin in a small orchestra."))


def by_hand(hidden: np.ndarray) -> dict[str, np.ndarray]:
    """Return each step from a hidden state (D,) to the probabilities (V,), by name."""
    transformed = MATRIX @ hidden
    activated = gelu(transformed)
    normed = (activated - activated.mean()) / np.sqrt(activated.var() + 1e-12)
    dots = TABLE @ normed
    logits = dots + BIAS
    exps = np.exp(logits)
    return {
        "transformed": transformed,
        "activated": activated,
        "normed": normed,
        "dots": dots,
        "logits": logits,
        "exps": exps,
        "probs": exps / exps.sum(),
    }


def walk() -> Stepper:
    """Compute a loss step by step, from the hidden state at a [MASK]."""

    def draw(vector: str, word: str, step: int) -> str:
        hidden = np.array([float(number) for number in vector.split()])
        if hidden.shape != (4,):
            raise ValueError(f"{hidden.size} numbers: write 4")
        return word_to_loss(WORDS, TABLE, WORDS.index(word), hidden, bias=BIAS, step=step, **by_hand(hidden))

    return Stepper(
        draw,
        STEPS,
        vector=widgets.Text("1 1 -1 0", description="Vector", continuous_update=False),
        word=widgets.Dropdown(options=WORDS, description="Word"),
    )


def guess_cheapest() -> GuessChoice:
    """Ask which prediction costs least if the cost is 1 − p."""
    given = np.linspace(0.001, 0.999, 999)  # probability that the model gives to soup
    costs = {
        "−ln p": -SOUP * np.log(given) - (1 - SOUP) * np.log(1 - given),
        "1 − p": SOUP * (1 - given) + (1 - SOUP) * given,
    }
    least = {name: float(given[cost.argmin()]) for name, cost in costs.items()}

    def see() -> Drawing:
        title = f"Cheapest: {least['−ln p']:.0%} with −ln p, the true share; {least['1 − p']:.0%} with 1 − p"
        return curves(
            100 * given,
            {"mean cost": costs},
            "probability given to soup (%)",
            title,
            markers=False,
            width=6.0,
        )

    return GuessChoice(
        f"The masked word is soup in {SOUP:.0%} of the texts, tea in the others. Suppose that a prediction "
        "costs 1 − p. Which probability for soup costs least on average?",
        CHEAPEST,
        lambda: min(CHEAPEST, key=lambda text: abs(float(text[:-1]) / 100 - least["1 − p"])),
        see=see,
    )


def neighbours() -> Controls:
    """Show the tokens whose embeddings are most similar to those of the student's words."""

    def draw(words: str) -> str:
        vocab = list(english().tokenizer.vocab)
        table = english().encoder.embeddings.word.weight.detach().numpy()  # (V, D)
        unit = table / np.linalg.norm(table, axis=1, keepdims=True)
        rows = []
        for word in words.lower().split():
            if word not in vocab:
                raise ValueError(f"“{word}” is not a token of this vocabulary; try another word")
            near = (unit @ unit[vocab.index(word)]).argsort()[::-1][1:7]
            rows.append((word, ", ".join(vocab[i] for i in near)))
        return table_of(("token", "nearest embeddings"), rows)

    return Controls(draw, words=sentence_box("soup violin march monday"))


@cache
def batch() -> tuple[Batch, np.ndarray, np.ndarray, np.ndarray]:
    """Return a batch of English sentences, its corrupted ids, labels and losses, (B, T) each."""
    model = english()
    texts = [passage.text.partition(". ")[0] + "." for passage in passages()][:SENTENCES]
    objective = MLM(model.tokenizer.specials, len(model.tokenizer), max_length=LENGTHS[0])
    whole = collate(
        [(model.tokenizer.encode(t).ids[: LENGTHS[0] - 2], None) for t in texts], model.tokenizer.specials
    )
    inputs, labels = objective.corrupt(whole, np.random.default_rng(4))
    with torch.no_grad():
        out = model.model(**{name: torch.tensor(array) for name, array in inputs.items()})["tokens"]
    log_probs = out.log_softmax(-1).numpy()
    losses = -np.take_along_axis(log_probs, whole.input_ids[..., None], -1)[..., 0]
    return whole, inputs["input_ids"], labels["tokens"], losses


def chosen() -> Controls:
    """Show a sentence with its chosen tokens, their labels and losses."""
    vocab, mask = english().tokenizer.vocab, english().tokenizer.specials.mask
    whole, ids, asked, _ = batch()
    kinds = ids == mask, ids == whole.input_ids, (ids != mask) & (ids != whole.input_ids)
    most = 1 + int(np.sum([(kind & (asked != IGNORE)).any(axis=1) for kind in kinds], axis=0).argmax())

    def draw(row: int) -> str:
        _, seen, labels, losses = batch()
        asked = [vocab[i] if i >= 0 else "" for i in labels[row - 1]]
        return row_losses([vocab[i] for i in seen[row - 1]], asked, losses[row - 1])

    return Controls(draw, row=widgets.BoundedIntText(most, min=1, max=SENTENCES, description="Number"))


def our_mean_loss(losses: np.ndarray, labels: np.ndarray) -> float:
    return float(losses[labels != IGNORE].mean())


def paddings(mean_loss: Callable) -> View:
    """Show the student's mean and three wrong ones, for the same batch with more and more padding."""
    used, said = either(mean_loss, our_mean_loss)
    whole, _, labels, losses = batch()
    nothing = np.log(len(english().tokenizer))
    lines: dict[str, list[float]] = {}
    for length in LENGTHS:
        more = ((0, 0), (0, length - labels.shape[1]))
        wide = np.pad(losses, more, constant_values=nothing), np.pad(labels, more, constant_values=IGNORE)
        counted = losses[labels != IGNORE]
        positions = wide[0].size
        for name, value in {
            "chosen only (right)": used(*wide),
            "÷ all positions": counted.sum() / positions,
            "seen tokens, too": losses[whole.real].mean(),
            "[PAD] for −100": (counted.sum() + (positions - counted.size) * nothing) / positions,
        }.items():
            lines.setdefault(name, []).append(float(value))
    title = f"One model, one batch: the loss is {lines['chosen only (right)'][0]:.2f}, whatever the padding"
    drawn = curves(
        LENGTHS,
        {"loss": lines},
        "length of the padded sequences",
        title,
        logx=True,
        at_least={"loss": (0, 10)},
    )
    return View(f"<p><small>{said}</small></p>{show(*drawn).content}")
