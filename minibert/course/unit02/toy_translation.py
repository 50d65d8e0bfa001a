"""A toy translator from English to German: an encoder-decoder that trains in seconds.

Vaswani et al. (2017, arXiv 1706.03762), sections 3.1 and 3.2.3. The sentences cannot be translated word by
word: German puts the participle at the end, and the article depends on the noun. Axes: B batch, S English
words, T German words, H heads, V vocabulary, N pairs.
"""

import itertools
import random
from collections.abc import Collection, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from minibert.config import ModelConfig
from minibert.data.batch import IGNORE
from minibert.model import Decoder, Encoder, EncoderDecoder, TiedOutputHead

Words = list[str]
Pair = tuple[Words, Words]  # an English sentence and its translation

PAD, START, END = SPECIAL = ["[PAD]", "[START]", "[END]"]
SUBJECTS = {"she": "sie", "he": "er", "the teacher": "der Lehrer", "my sister": "meine Schwester"}
PARTICIPLES = {"seen": "gesehen", "found": "gefunden", "drawn": "gezeichnet", "bought": "gekauft"}
ADJECTIVES = {"": "", "old": "alt", "small": "klein", "new": "neu", "beautiful": "schön"}
NOUNS = {
    "den": {"dog": "Hund", "tree": "Baum", "table": "Tisch", "ball": "Ball"},
    "die": {"cat": "Katze", "flower": "Blume", "lamp": "Lampe", "clock": "Uhr"},
    "das": {"horse": "Pferd", "house": "Haus", "book": "Buch", "picture": "Bild"},
}
TIMES = {"": "", "today": "heute", "yesterday": "gestern"}


def toy_pairs(seed: int = 0) -> list[Pair]:
    """Return all sentences of the toy grammar with their translations, shuffled with `seed`.

    >>> pairs = toy_pairs()
    >>> len(pairs)
    2880
    >>> print(*pairs[0][0], "/", *pairs[0][1])
    my sister has bought the old lamp / meine Schwester hat die alte Lampe gekauft
    """
    pairs = []
    parts = itertools.product(NOUNS, SUBJECTS.items(), PARTICIPLES.items(), ADJECTIVES.items(), TIMES.items())
    for article, (subject, er), (seen, gesehen), (old, alt), (today, heute) in parts:
        ending = ("en" if article == "den" else "e") if old else ""
        start = f"{heute} hat {er}" if heute else f"{er} hat"  # the verb is always in second place
        for noun, hund in NOUNS[article].items():
            pairs.append(
                (
                    f"{subject} has {seen} the {old} {noun} {today}".split(),
                    f"{start} {article} {alt}{ending} {hund} {gesehen}".split(),
                )
            )
    random.Random(seed).shuffle(pairs)
    return pairs


class ToyTranslator:
    """An encoder-decoder with one layer of two heads on each side, trained on pairs of sentences.

    pairs: (English words, German words) for each sentence. steps: the number of training steps, with 32 pairs
    each. seed: for the initial weights and the order of the pairs.
    """

    def __init__(self, pairs: Sequence[Pair], steps: int = 200, seed: int = 0):
        self.vocab = SPECIAL + sorted({word for pair in pairs for words in pair for word in words})
        self.ids = {word: i for i, word in enumerate(self.vocab)}
        self.longest = 2 + max(len(words) for pair in pairs for words in pair)  # with [START] and [END]
        config = ModelConfig(
            vocab_size=len(self.vocab),
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=self.longest,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            initializer_range=0.1,
        )
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            encoder = Encoder(config)
            head = TiedOutputHead(config, encoder.embeddings.word)
            self.model = EncoderDecoder(encoder, Decoder(config), {"words": head})
            self.train(pairs, steps)
        self.model.eval()

    def train(self, pairs: Sequence[Pair], steps: int) -> None:
        """Train for `steps` steps with AdamW, a OneCycle schedule and teacher forcing."""
        source = self.numbers([english for english, _ in pairs])  # (N, S)
        target = self.numbers([[START, *german, END] for _, german in pairs])  # (N, T + 1)
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=0.01)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=steps)
        for _ in range(steps):
            drawn = torch.randint(len(pairs), (32,))
            words, labels = target[drawn, :-1], target[drawn, 1:]  # (B, T)
            logits = self.model(*inputs(source[drawn], words))["words"]  # (B, T, V)
            loss = cross_entropy(logits.flatten(0, 1), labels.masked_fill(labels == 0, IGNORE).flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()

    def numbers(self, texts: Sequence[Words]) -> Tensor:
        """Return the word ids of N texts, (N, length of the longest text), padded with 0, the id of [PAD]."""
        width = max(map(len, texts))
        return torch.tensor([[self.ids[word] for word in text] + [0] * (width - len(text)) for text in texts])

    @torch.no_grad()
    def decode(self, english: Words, german: Words, hidden: Collection[int] = ()) -> tuple[str, np.ndarray]:
        """Return the most likely next word after `german`, and the attention weights over `english`.

        hidden: positions of English words that the decoder cannot attend to. The weights are (H, T, S), with
        T = 1 + len(german). Row t of each head belongs to the prediction of German word t.
        """
        source, target = self.numbers([english]), self.numbers([[START, *german]])
        ids, visible, types, words, causal, seen = inputs(source, target)
        seen = seen.clone()
        seen[:, :, list(hidden)] = False
        states = self.model.encoder(ids, visible, types)["hidden"]  # (1, S, D)
        out = self.model.decoder(self.model.encoder.embeddings.word(words), states, causal, seen)
        best = self.model.heads["words"](out["hidden"])[0, -1].argmax()
        return self.vocab[best], out["probs"][0][0].numpy()

    def translate(self, english: Words, hidden: Collection[int] = ()) -> tuple[Words, np.ndarray]:
        """Translate word by word until [END]. Return the German words and their attention weights (H, T, S).

        hidden: positions of English words that the decoder cannot attend to.
        """
        german: Words = []
        while len(german) < self.longest - 1:
            word, probs = self.decode(english, german, hidden)
            if word == END:
                break
            german.append(word)
        return german, probs[:, : len(german)]


def inputs(source: Tensor, target: Tensor) -> tuple[Tensor, ...]:
    """Return the arguments of EncoderDecoder.forward for source ids (B, S) and target ids (B, T)."""
    real, (B, T) = (source != 0)[:, None], target.shape  # (B, 1, S)
    causal = torch.ones(T, T, dtype=torch.bool).tril().expand(B, T, T)
    return (
        source,
        real.expand(-1, source.shape[1], -1),
        torch.zeros_like(source),
        target,
        causal,
        real.expand(-1, T, -1),
    )
