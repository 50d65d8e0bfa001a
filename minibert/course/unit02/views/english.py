"""Attention in the model of real English: the same word in six sentences, heads and their jobs, what matters.

Axes: B batch, T tokens, L layers, H heads, K head size, D hidden, N sentences.
"""

import html
import re
from collections.abc import Callable, Sequence
from functools import cache

import ipywidgets as widgets
import numpy as np
import torch
from scipy.stats import spearmanr

from minibert.data.batch import pack
from minibert.model.checkpoints.pretrained import ids_with_masks
from minibert.reference import embeddings, feed_forward, layer_norm, merge_heads, softmax, split_heads
from minibert.reference.encoder import linear, sub
from minibert.reference.heads import token_head

from ...models.english import english
from ...widgets.attention import attention_map
from ...widgets.guess import columns_html, sentence_box
from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import cells
from ...widgets.tables import score_table
from ...widgets.view import PANELS, Controls, Drawing, View, drawing_html, figure
from .toy import lent, signed

LONGEST = 40  # tokens of a sentence
BOLD = r"<b>\1</b>"
RIVER = "She swam to the *bank*.", "The boat reached the other *bank*.", "They fished from the muddy *bank*."
MONEY = "She paid at the *bank*.", "The *bank* lent him some money.", "I opened an account at the *bank*."
READY = {  # the word to compare is in stars
    "bat": (
        "He hit the ball with a *bat*.",
        "The player dropped his *bat* and ran.",
        "She bought a wooden *bat* for the game.",
        "A *bat* flew out of the cave.",
        "The *bat* sleeps upside down in the cave.",
        "At night the *bat* hunts for insects.",
    ),
    "match": (
        "She lit the candle with a *match*.",
        "He lit a *match* in the dark.",
        "He lit his pipe with a *match*.",
        "They won the *match* in the last minute.",
        "The *match* ended without a goal.",
        "She watched the tennis *match*.",
    ),
    "light": (
        "Turn off the *light*, please.",
        "The *light* in the room was too bright.",
        "She read by the *light* of a candle.",
        "The bag was *light* and easy to carry.",
        "He wore a *light* summer jacket.",
        "The box is *light*, so I can lift it.",
    ),
}
SMALL = "The *animal* sleeps in the garden.", "My uncle sees the *animal*."  # for the course's own model
STARRED = re.compile(r"\*(\w+)\*")
MISSING = (
    "<p>The English model is not on this computer, and the course's own model does not know the word "
    "<i>bank</i>. With a network, <code>minibert download english</code> fetches it.</p>"
)
SAMPLES = (
    "The animal did not cross the street because it was too tired.",
    "My uncle bought a new car last week.",
    "When the rain stopped, the children ran outside.",
    "The book on the table belongs to my teacher.",
)
GAPS = (
    "The [MASK] barked at the postman.",
    "She paid the bill at the [MASK] with her card.",
    "The doctor gave the [MASK] some medicine.",
    "The king lived in a large [MASK] on the hill.",
    "He drank a cup of hot [MASK] with sugar.",
    "It was raining, so he took his [MASK].",
    "The children built a [MASK] of sand on the beach.",
    "After the long match the players were very [MASK].",
    "The pilot landed the [MASK] safely in the storm.",
    "My grandmother knitted me a warm [MASK] for the winter.",
    "The judge sent the [MASK] to prison for ten years.",
    "He opened the door with his [MASK] and went in.",
)
Pack = tuple[torch.Tensor, torch.Tensor, list[str]]


def packed(text: str) -> Pack:
    """Return the ids and segments (1, T) of a sentence, and its tokens.

    Raises ValueError if the sentence is empty or too long.
    """
    tokenizer = english().tokenizer
    ids, types = pack(ids_with_masks(tokenizer, text), None, tokenizer.specials)
    if not 2 < len(ids) <= LONGEST:
        raise ValueError(f"{len(ids)} tokens with [CLS] and [SEP]: write a sentence of 3 to {LONGEST}")
    return torch.tensor([ids]), torch.tensor([types]), [tokenizer.vocab[i] for i in ids]


@torch.no_grad()
def look(text: str) -> tuple[list[str], np.ndarray]:
    """Return a sentence's T tokens and the attention weights of all heads, (L, H, T, T)."""
    ids, types, tokens = packed(text)
    out = english().encoder(ids, None, types, with_probs=True)
    return tokens, torch.cat(out["probs"]).numpy()


def starred(line: str) -> tuple[str, str]:
    """Return (sentence without its stars, the word in stars); raise ValueError unless there is one."""
    words = STARRED.findall(line)
    if len(words) != 1:
        raise ValueError(f"“{line}” has {len(words)} words in stars: put stars around one, such as *bank*")
    return STARRED.sub(r"\1", line), words[0]


@torch.no_grad()
def vectors(lines: Sequence[str]) -> np.ndarray:
    """Return the unit vectors, after the last layer, of the words in stars in N sentences, (N, D).

    Raises ValueError for a word that is not one token.
    """
    rows = []
    for text, word in map(starred, lines):
        ids, types, tokens = packed(text)
        if word.lower() not in tokens:
            raise ValueError(f"“{word}” is not one token of the model: take a common word")
        rows.append(english().encoder(ids, None, types)["hidden"][0, tokens.index(word.lower())].numpy())
    return np.array([row / np.linalg.norm(row) for row in rows])


def alike(lines: Sequence[str], title: str) -> str:
    """Show N sentences, and the cosines of their words in stars after the last layer, as HTML."""
    unit = vectors(lines)
    cosines = unit @ unit.T  # (N, N)
    numbers = [str(i + 1) for i in range(len(lines))]
    size = 0.4 * len(lines)
    fig, ax = figure(size + 0.4, size + 0.4)
    cells(ax, np.clip(cosines, 0, 1), numbers, numbers, vmin=0.4)
    pairs = [f"{i + 1} and {j + 1} {cosines[i, j]:.2f}" for i, j in zip(*np.triu_indices(len(lines), 1))]
    drawn = drawing_html((fig, f"Cosines after the last layer: {', '.join(pairs)}."))
    items = "".join(f"<li>{STARRED.sub(BOLD, html.escape(line))}</li>" for line in lines)
    return (
        f"<p><b>{html.escape(title)}</b></p>"
        f'<div style="{PANELS};align-items:center"><ol style="margin:0">{items}</ol>'
        f"{drawn}</div>"
    )


def guess_same_word() -> GuessChoice:
    """Ask in which sentence “bank” is closest to the bank of a river."""
    asked, *others = RIVER[0], RIVER[2], MONEY[0]
    choices = [
        *(starred(text)[0] for text in others),
        "It is the same word, so it has the same vector in both",
    ]

    def see() -> str:
        if english().name != "english":
            return MISSING
        unit = vectors((*RIVER, *MONEY))
        cosines = unit @ unit.T
        same = np.kron(np.eye(2), 1 - np.eye(3)).astype(bool)  # pairs with the same meaning
        river, money = cosines[0, 2], cosines[0, 3]
        title = f"After the last layer, 1 is closer to 3 (cosine {river:.2f}) than to 4 ({money:.2f})"
        return alike((*RIVER, *MONEY), title) + (
            f"<p>Two banks with the same meaning have a cosine of {cosines[same].mean():.2f} on average, and "
            f"two with different meanings {cosines[:3, 3:].mean():.2f}. All six start from the same word "
            "embedding; in each layer, <i>bank</i> takes something from the words around it. A vector that "
            "depends on the sentence is called <b>contextual</b>.</p>"
        )

    def answer() -> str:
        if english().name != "english":
            return choices[0]
        first, river, money = vectors((asked, *others))
        return choices[0] if first @ river > first @ money else choices[1]

    return GuessChoice(
        f"“{starred(asked)[0]}” In which sentence does the model's vector of bank come closer to this one?",
        choices,
        answer,
        see=see,
    )


def same_word() -> Controls:
    """Compare the vectors of a word with two meanings, or of words in stars in the student's sentences."""
    ready = READY if english().name == "english" else {"animal": SMALL}

    def draw(word: str, own: str) -> str:
        lines = [line.strip() for line in own.splitlines() if line.strip()] or ready[word]
        if not 2 <= len(lines) <= 8:
            raise ValueError(f"write 2 to 8 sentences, one per line (now {len(lines)})")
        return alike(lines, "How similar are the words in bold? (cosine after the last layer)")

    return Controls(
        draw,
        word=widgets.Dropdown(options=list(ready), description="Word"),
        own=widgets.Textarea(
            description="Or my own",
            placeholder="The *bank* sent me a letter.\nWe sat on the *bank* of the river.",
            rows=3,
            layout={"width": "420px", "max_width": "98%"},
            continuous_update=False,
        ),
    )


def with_mine(score: Callable, mix: Callable) -> Controls:
    """Fill a gap with the English model's weights and a student's two functions in every head.

    score, mix: as for `context_of_bank`. The package's own predictions are shown next to them.
    """
    functions, said = lent(score, mix)

    def draw(text: str, divided: bool) -> str:
        ids, types, tokens = packed(text)
        if tokens.count("[MASK]") != 1:
            raise ValueError("write a sentence with one [MASK]")
        score, mix = functions
        used = score if divided else lambda q, k: score(q, k) * len(q) ** 0.5
        mine = fill(ids.numpy(), types.numpy(), tokens.index("[MASK]"), used, mix)
        words = english().tokenizer.vocab
        top = [(words[i], float(mine[i])) for i in np.argsort(-mine)[:5]]
        answers = {
            f"with these functions{'' if divided else ', not divided'}": top,
            "the package": english().fill_mask(text)[0],
        }
        return f"<p><b>{said}</b></p>{columns_html(answers)}"

    return Controls(
        draw,
        text=sentence_box(GAPS[0]),
        divided=widgets.Checkbox(True, description="Divide by √d"),
    )


def fill(ids: np.ndarray, types: np.ndarray, at: int, score: Callable, mix: Callable) -> np.ndarray:
    """Return the probability of each token of the vocabulary at position `at`.

    The encoder is BERT's, but for `score` and `mix`, which are called for each head and query.
    """
    trained = {name: weight.numpy() for name, weight in english().model.state_dict().items()}
    x = embeddings(ids, types, sub(trained, "encoder.embeddings"))  # (1, T, D)
    for number in range(english().config.num_hidden_layers):
        p = sub(trained, f"encoder.layers.{number}")
        arrays = (linear(x, sub(p, f"attention.{name}")) for name in ("query", "key", "value"))
        q, k, v = (split_heads(array, english().config.num_attention_heads)[0].tolist() for array in arrays)
        scores = [[[score(one, key) for key in keys] for one in queries] for queries, keys in zip(q, k)]
        probs = softmax(np.array(scores, x.dtype)).tolist()  # (H, T, T)
        context = [[mix(weights, values) for weights in head] for head, values in zip(probs, v)]
        attended = linear(merge_heads(np.array([context], x.dtype)), sub(p, "attention.out"))
        x = layer_norm(x + attended, sub(p, "attention_norm"))
        x = layer_norm(x + feed_forward(x, sub(p, "feed_forward")), sub(p, "feed_forward_norm"))
    return softmax(token_head(x[:, at], sub(trained, "heads.tokens")))[0]


def share_of_jobs(text: str) -> dict[str, np.ndarray]:
    """Return {job: the share of attention that each head gives to it, (L, H)}."""
    tokens, probs = look(text)
    place, T = np.arange(len(tokens)), len(tokens)
    step = place - place[:, None]  # (T, T): from the query to the key
    jobs = {
        "the token before": step == -1,
        "the token after": step == 1,
        "itself": step == 0,
        "[CLS]": place == 0,
        "[SEP]": place == T - 1,
    }
    return {job: (probs * where)[:, :, 1:-1].sum(axis=-1).mean(axis=-1) for job, where in jobs.items()}


@cache
def jobs() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return each job's mean share over SAMPLES, and the number of each head's preferred job, (L, H) each."""
    measured = [share_of_jobs(text) for text in SAMPLES]
    shares = {job: np.mean([one[job] for one in measured], axis=0) for job in measured[0]}
    return shares, np.argmax(list(shares.values()), axis=0)


def guess_jobs() -> GuessChoice:
    """Ask how many heads of the English model prefer [CLS]."""
    shares, preferred = jobs()
    count, names = preferred.size, list(shares)
    few, half, most = "About a fifth", "About half", "Nearly all"

    def number(job: str) -> int:
        return int(np.sum(preferred == names.index(job)))

    def answer() -> str:
        share = number("[CLS]") / count
        return few if share < 0.35 else half if share < 0.75 else most

    def see() -> str:
        rows = []
        for name, share in shares.items():
            layer, head = np.unravel_index(share.argmax(), share.shape)
            best = f"layer {layer + 1}, head {head + 1}"
            rows.append((name, f"{number(name)} of {count}", best, f"{share.max():.0%}"))
        equal = np.mean([1 / len(look(text)[0]) for text in SAMPLES])
        return score_table(["job", "heads that prefer it", "best head", "its share"], rows) + (
            f"<p>A head that looks equally at all tokens gives each {equal:.0%}. The best heads for "
            f"<i>itself</i> and [SEP] reach only {shares['itself'].max():.0%} and "
            f"{shares['[SEP]'].max():.0%}: a leaning, not a job. A query must give away all of its "
            "attention, even if its head finds nothing of interest. Clark et al. (2019, section 3.2) suggest "
            "that it leaves it at a token that is in every sentence: mostly [SEP] in BERT, [CLS] here.</p>"
        )

    return GuessChoice(
        f"How many of the English model's {count} heads prefer [CLS] to the other four?",
        [few, half, most],
        answer,
        see=see,
    )


def job() -> Controls:
    """Show the best head for a job on the student's own sentence."""
    shares = jobs()[0]

    def draw(text: str, job: str) -> Drawing:
        tokens, probs = look(text)
        layer, head = np.unravel_index(shares[job].argmax(), shares[job].shape)
        ours, mine = shares[job][layer, head], share_of_jobs(text)[job][layer, head]
        title = (
            f"Layer {layer + 1}, head {head + 1}: {ours:.0%} to {job} in four sentences, {mine:.0%} here "
            "(the rows of [CLS] and [SEP] are not counted)"
        )
        return attention_map(probs[layer, head], tokens, title)

    return Controls(
        draw,
        text=sentence_box("Nobody knows where the cat sleeps."),
        job=widgets.Dropdown(
            options=[name for name, share in shares.items() if share.max() > 0.5], description="Job"
        ),
    )


@torch.no_grad()
def moved(text: str) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Measure each word of a sentence with one [MASK] in three ways.

    Returns (words, the probability that moves at [MASK] if nobody may look at the word, the mean attention
    that [MASK] gives it over all heads, its position minus that of [MASK]), without [CLS] and [SEP].
    """
    ids, types, tokens = packed(text)
    places = [at for at, token in enumerate(tokens) if token not in ("[CLS]", "[SEP]", "[MASK]")]
    n, T = len(places) + 1, len(tokens)
    visible = torch.ones(n, T, T, dtype=torch.bool)  # a copy of the sentence for each word to mask out,
    visible[range(n - 1), :, places] = False  # and a last one with all words
    ids, types = ids.expand(n, T), types.expand(n, T)
    model, mask = english(), english().tokenizer.specials.mask
    probs = model.model(ids, visible, types, counted=ids == mask)["tokens"].softmax(-1)
    change = abs(probs[:-1] - probs[-1]).sum(-1) / 2  # (n - 1,)
    gap = tokens.index("[MASK]")
    looked = look(text)[1].mean(axis=(0, 1))[gap, places]
    return [tokens[at] for at in places], change.numpy(), looked, np.array(places) - gap


def what_matters() -> View:
    """Compare attention, and nearness as its rival, with what moves the prediction at [MASK]."""
    rows, ranks, left = [], [], 0
    for text in GAPS:
        words, change, looked, place = moved(text)
        left += place[change.argmax()] == -1
        both = [spearmanr(change, rival).statistic for rival in (looked, -abs(place))]
        ranks.append(both)
        rows.append((text, words[looked.argmax()], words[change.argmax()], *map(signed, both)))
    attention, nearness = np.mean(ranks, axis=0)
    same = sum(looked == matters for _, looked, matters, *_ in rows)
    ahead = sum(a > b for a, b in ranks)
    names = ["sentence", "looked at most", "matters most", "rank correlation: attention", "nearness"]
    said = (
        f"Attention orders the words better than nearness in {ahead} of {len(rows)} sentences "
        f"(mean rank correlation {signed(attention)} against {signed(nearness)})"
    )
    return View(
        score_table(names, rows, said)
        + f"<p>Which word matters most? The one that [MASK] looks at most is right in {same} of {len(rows)} "
        f"sentences. Always guessing the word to the left of the gap is right in {left}.</p>"
    )
