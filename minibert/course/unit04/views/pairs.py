"""Next sentence prediction: how pairs are drawn, and what predicts their label without reading."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import ipywidgets as widgets
import numpy as np
import torch

from minibert.course.texts.passages import passages
from minibert.data.batch import collate, visible_all
from minibert.data.packing import nsp_examples, sop_examples

from ...models.english import english
from ...widgets.guess import guesses_html
from ...widgets.guess_then_see import GuessChoice
from ...widgets.masking import Redraws
from ...widgets.plots import bars, curves
from ...widgets.sentence_pairs import documents_html, pairs_html
from ...widgets.tables import score_table
from ...widgets.try_it import either
from ...widgets.view import Controls, Drawing, View, show

Pair = tuple[str, str]
STORIES = [
    ["The cook wakes up.", "He greets the ladle.", "The soup is hot.", "Nobody eats it."],
    ["A storm came.", "The river rose.", "We lost the bridge."],
    ["For sale: one cello."],
]
AS_IDS: Any = [[[sentence] for sentence in story] for story in STORIES]
ROOM = 3 + 4  # special tokens, and sentences, each of which counts as one token here
SEGMENT = 60  # tokens of A and of B
LEARNT = 20  # passages to learn a threshold from; the others are the test
SHUFFLE = 0
NEVER, HALF, ALWAYS = "hardly ever", "for about half", "nearly always"
WIDE = {"width": "620px", "max_width": "98%"}


def two_segments() -> Redraws:
    """Draw pairs for next sentence prediction from three documents."""

    def draw(number: int) -> str:
        rows: Any
        rows, labels = nsp_examples(AS_IDS, ROOM, np.random.default_rng(number))
        pairs = pairs_html(STORIES, rows, labels, {0: "B follows A", 1: "another document"})
        return f"{documents_html(STORIES)}{pairs}"

    return Redraws(draw)


def orders() -> Redraws:
    """Draw pairs for sentence order prediction from three documents."""

    def draw(number: int) -> str:
        rows: Any
        rows, labels = sop_examples(AS_IDS, ROOM, np.random.default_rng(number))
        return pairs_html(STORIES, rows, labels, {0: "in order", 1: "exchanged"})

    return Redraws(draw)


@cache
def halves() -> list[Pair]:
    """Return the course's English passages, each cut into two halves between sentences."""
    found = []
    for passage in passages():
        sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z“\"])", passage.text)
        middle = len(sentences) // 2
        found.append((" ".join(sentences[:middle]), " ".join(sentences[middle:])))
    return found


def foreign() -> list[Pair]:
    """Return each first half with the second half of the next passage."""
    firsts, seconds = zip(*halves())
    return list(zip(firsts, (*seconds[1:], seconds[0])))


def follows(pairs: Sequence[Pair]) -> np.ndarray:
    """Return the English model's probability that B follows A, (N,): the end of A and the beginning of B."""
    tokenizer = english().tokenizer
    ids = [(tokenizer.encode(a).ids[-SEGMENT:], tokenizer.encode(b).ids[:SEGMENT]) for a, b in pairs]
    batch = collate(ids, tokenizer.specials)
    inputs = map(torch.tensor, (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
    with torch.no_grad():
        return english().model(*inputs)["pair"].softmax(-1)[:, 0].numpy()


@cache
def changes() -> dict[str, float]:
    """Return for each kind of pair how often the English model says that B follows A, in percent."""
    rng = np.random.default_rng(SHUFFLE)
    kinds = {
        "the true B": halves(),
        "A and B exchanged": [(b, a) for a, b in halves()],
        "the words of B shuffled": [(a, " ".join(rng.permutation(b.split()))) for a, b in halves()],
        "B of another passage": foreign(),
    }
    return {name: 100 * float((follows(pairs) > 0.5).mean()) for name, pairs in kinds.items()}


def guess_exchanged() -> GuessChoice:
    """Ask how often the English model accepts A and B in the wrong order."""

    def see() -> Drawing:
        said = changes()
        title = f"The wrong order is accepted in {said['A and B exchanged']:.0f}% of {len(halves())} passages"
        return bars(list(said), list(said.values()), "says “B follows A”, %", title, 1, "{:.0f}", 112)

    def answer() -> str:
        share = changes()["A and B exchanged"]
        return NEVER if share < 20 else HALF if share < 70 else ALWAYS

    return GuessChoice(
        f"We cut {len(halves())} English passages in half, and exchange A and B. For how many does our "
        "English model, trained with NSP, still say “B follows A”?",
        [NEVER, HALF, ALWAYS],
        answer,
        see=see,
    )


def words_of(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text.lower())


@cache
def weights() -> dict[str, float]:
    """Return the inverse document frequency of each word of the passages."""
    found = [set(words_of(f"{a} {b}")) for a, b in halves()]
    counts = Counter(word for words in found for word in words)
    return {word: float(np.log(len(found) / count)) for word, count in counts.items()}


def our_shared_weight(a: list[str], b: list[str], weights: dict[str, float]) -> float:
    return sum(weights[word] for word in set(a) & set(b))


def sums(pairs: Sequence[Pair], shared_weight: Callable) -> np.ndarray:
    """Return the weight of the shared words of each pair, (N,)."""
    return np.array([float(shared_weight(words_of(a), words_of(b), weights())) for a, b in pairs])


@cache
def thresholds() -> tuple[float, float, float]:
    """Return the threshold learned from the first passages, and the accuracy of the bags and of BERT in %."""
    true, false = (sums(pairs, our_shared_weight) for pairs in (halves(), foreign()))
    learn, test = slice(0, LEARNT - 1), slice(LEARNT, -1)  # so that no text is in both

    def accuracy(t: float, part: slice) -> float:
        return 50 * float((true[part] >= t).mean() + (false[part] < t).mean())

    best = max(np.unique(np.concatenate([true, false])), key=lambda t: accuracy(t, learn))
    probs = follows(halves())[test], follows(foreign())[test]
    bert = 50 * float((probs[0] > 0.5).mean() + (probs[1] <= 0.5).mean())
    return float(best), accuracy(best, test), bert


@cache
def first_choices() -> tuple[float, float]:
    """Return how often the bags and BERT give A's own B the highest score among all passages, in percent."""
    firsts, seconds = zip(*halves())
    bag = [sums([(a, b) for b in seconds], our_shared_weight).argmax() == i for i, a in enumerate(firsts)]
    bert = [follows([(a, b) for b in seconds]).argmax() == i for i, a in enumerate(firsts)]
    return 100 * float(np.mean(bag)), 100 * float(np.mean(bert))


def guess_bags() -> GuessChoice:
    """Ask how good a rule is that only compares words."""
    choices = ["about 50%, like guessing", "about 65%", "about 80%"]

    def see() -> str:
        _, bags, bert = thresholds()
        ours, theirs = first_choices()
        rows = [
            (
                f"right answers, {len(halves()) - LEARNT - 1} passages, each with its own B and another",
                bags,
                bert,
            ),
            (f"A's own B first, of all {len(halves())}", ours, theirs),
        ]
        return score_table(["", "bag of words, %", "English BERT, %"], rows)

    def answer() -> str:
        bags = thresholds()[1]
        return choices[0] if bags < 58 else choices[1] if bags < 73 else choices[2]

    return GuessChoice(
        "The rule: above a threshold for the weight of the shared words, B follows A. How often is it right?",
        choices,
        answer,
        see=see,
    )


def bags(shared_weight: Callable) -> Controls:
    """Add up the weights of the words that two texts share, with the student's function."""
    used, said = either(shared_weight, our_shared_weight)

    def draw(a: str, b: str) -> str:
        known = {word: weights().get(word, max(weights().values())) for word in {*words_of(a), *words_of(b)}}
        both = sorted({*words_of(a)} & {*words_of(b)}, key=lambda word: -known[word])
        terms = " + ".join(f"{word} {known[word]:.1f}" for word in both) or "no word is in both"
        total, limit = float(used(words_of(a), words_of(b), known)), thresholds()[0]
        verdict = "B follows A" if total >= limit else "B comes from another text"
        probability = float(follows([(a, b)])[0])
        return (
            f"<p><small>{said}</small></p><p>{terms}. Sum <b>{total:.1f}</b>, threshold {limit:.1f}: "
            f"<b>{verdict}</b>. (The English BERT: “B follows A” with {probability:.0%}.)</p>"
        )

    first, second = halves()[0]
    boxes = {
        name: widgets.Textarea(text, description=name.upper(), rows=3, layout=WIDE, continuous_update=False)
        for name, text in (("a", first), ("b", second))
    }
    return Controls(draw, **boxes)


def my_pair() -> Controls:
    """Show the English model's answer for a pair of the student's own, in both orders."""

    def draw(a: str, b: str) -> str:
        if not (a.strip() and b.strip()):
            raise ValueError("write two texts")
        forwards, backwards = follows([(a, b), (b, a)])
        return guesses_html([("B follows A", float(forwards)), ("exchanged: A follows B", float(backwards))])

    texts = {"a": "She put the key into the lock.", "b": "Then she opened the door."}
    boxes = {
        name: widgets.Textarea(text, description=name.upper(), rows=2, layout=WIDE, continuous_update=False)
        for name, text in texts.items()
    }
    return Controls(draw, **boxes)


def short_documents() -> View:
    """Show the share of label 1 if documents have few sentences."""
    lengths = np.arange(1, 7)
    shares = []
    for count in lengths:
        documents = [[[sentence] * 10 for sentence in range(count)] for _ in range(100)]
        draws = [nsp_examples(documents, 128, np.random.default_rng(seed))[1] for seed in range(10)]
        shares.append(float(np.mean([label for labels in draws for label in labels])))
    title = f"Label 1: {shares[0]:.0%} of the pairs with one sentence per document, {shares[1]:.0%} with two"
    drawn = curves(
        lengths,
        {"share of label 1": {"pairs": shares}},
        "sentences in a document",
        title,
        at_least={"share of label 1": (0, 1)},
        width=6.0,
    )
    return show(*drawn)
