"""The same ten sentences in six languages, read with one vocabulary.

Axes: L languages.
"""

import unicodedata
from collections import Counter
from functools import cache

import ipywidgets as widgets
import numpy as np

from minibert.tokenizer import WordPiece, count_words, train_wordpiece

from ...models.english import english
from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import bars
from ...widgets.tables import table_of
from ...widgets.view import Controls, Drawing, View, drawing_html
from .wordpiece import subwords_html

SENTENCES = {
    "English": """The old woman sells bread at the market. Every morning the children walk to school. My
        brother has lost his keys again. It will rain tomorrow in the mountains. She reads a long book by
        the window. We drink tea when the work is done. The dog sleeps under the kitchen table. Nobody
        knows why the train is late. He wrote a letter to his grandmother. The small boat crosses the
        river at night.""",
    "German": """Die alte Frau verkauft Brot auf dem Markt. Jeden Morgen gehen die Kinder zur Schule. Mein
        Bruder hat wieder seine Schlüssel verloren. Morgen wird es in den Bergen regnen. Sie liest am
        Fenster ein langes Buch. Wir trinken Tee, wenn die Arbeit getan ist. Der Hund schläft unter dem
        Küchentisch. Niemand weiß, warum der Zug Verspätung hat. Er hat seiner Großmutter einen Brief
        geschrieben. Das kleine Boot überquert nachts den Fluss.""",
    "Spanish": """La anciana vende pan en el mercado. Cada mañana los niños van a la escuela a pie. Mi
        hermano ha vuelto a perder sus llaves. Mañana lloverá en las montañas. Ella lee un libro largo
        junto a la ventana. Tomamos té cuando el trabajo está hecho. El perro duerme debajo de la mesa de
        la cocina. Nadie sabe por qué el tren llega tarde. Le escribió una carta a su abuela. El pequeño
        barco cruza el río de noche.""",
    "Finnish": """Vanha nainen myy leipää torilla. Joka aamu lapset kävelevät kouluun. Veljeni on taas
        hukannut avaimensa. Huomenna vuorilla sataa. Hän lukee pitkää kirjaa ikkunan ääressä. Juomme
        teetä, kun työ on tehty. Koira nukkuu keittiön pöydän alla. Kukaan ei tiedä, miksi juna on
        myöhässä. Hän kirjoitti kirjeen isoäidilleen. Pieni vene ylittää joen yöllä.""",
    "Russian": """Старая женщина продаёт хлеб на рынке. Каждое утро дети идут в школу. Мой брат снова
        потерял ключи. Завтра в горах будет дождь. Она читает длинную книгу у окна. Мы пьём чай, когда
        работа сделана. Собака спит под кухонным столом. Никто не знает, почему поезд опаздывает. Он
        написал письмо своей бабушке. Маленькая лодка переплывает реку ночью.""",
    "Chinese": """老太太在市场上卖面包。孩子们每天早上走路去学校。我哥哥又丢了钥匙。明天山里会下雨。
        她在窗边读一本很长的书。工作做完了，我们就喝茶。狗睡在厨房的桌子下面。没有人知道火车为什么晚点。
        他给奶奶写了一封信。小船在夜里过河。""",
}
ONE, WEB, ALIKE = "English only", "as on the web", "all alike"
MIXES = {  # how often each language is counted
    ONE: {"English": 1},
    WEB: {"English": 100, "Russian": 20, "German": 10, "Spanish": 10, "Chinese": 5, "Finnish": 1},
    ALIKE: dict.fromkeys(SENTENCES, 1),
}
SIZE = 500  # tokens of each vocabulary
DOG = "Koira nukkuu keittiön pöydän alla."  # The dog sleeps under the kitchen table


@cache
def mixed(mix: str) -> WordPiece:
    """Train a vocabulary on the sentences, with each language counted as often as the mix says."""
    total: Counter[str] = Counter()
    for language, times in MIXES[mix].items():
        total += Counter({word: times * n for word, n in count_words([SENTENCES[language]]).items()})
    return WordPiece(train_wordpiece(total, SIZE))


def token_bars(tokenizer: WordPiece, title: str) -> Drawing:
    """Draw how many tokens each language takes, with the share of its words that are [UNK].

    title: text with a gap {} for the language that takes the most.
    """
    encoded = {language: tokenizer.encode(text) for language, text in SENTENCES.items()}
    lost = [one.pieces.count("[UNK]") / len(set(one.words)) for one in encoded.values()]
    labels = [f"{name}, {share:.0%} [UNK]" if share else name for name, share in zip(encoded, lost)]
    lengths = [len(one.ids) for one in encoded.values()]
    note = " (label: share of the words that are [UNK])" if any(lost) else ""
    most = int(np.argmax(lengths))
    return bars(
        labels,
        lengths,
        f"tokens for the ten sentences{note}",
        title.format(list(encoded)[most]),
        most,
        form="{:.0f}",
    )


def guess_language() -> GuessChoice:
    """Ask which language takes the most tokens in the English model's vocabulary."""
    tokenizer = english().tokenizer

    def see() -> str:
        cyrillic = [
            token
            for token in tokenizer.vocab
            if len(token.removeprefix("##")) > 1 and "CYRILLIC" in unicodedata.name(token[-1], "")
        ]
        drawn = drawing_html(token_bars(tokenizer, "The same ten sentences take the most tokens in {}"))
        return drawn + (
            f"<p>The vocabulary has the Cyrillic letters, but of its {len(tokenizer):,} tokens only "
            f"{len(cyrillic)} hold more than one of them, so Russian is spelled letter by letter. A Chinese "
            "character counts as a word; it is one token, or lost.</p>"
        )

    return GuessChoice(
        "Which language takes the most tokens in our English model's vocabulary?",
        list(SENTENCES),
        lambda: max(SENTENCES, key=lambda name: len(tokenizer.encode(SENTENCES[name]).ids)),
        see=see,
    )


def languages() -> Controls:
    """Compare vocabularies trained on three mixes of the six languages."""

    def draw(mix: str) -> str:
        title = f"Vocabulary “{mix}”: the ten sentences take the most tokens in {{}}"
        return drawing_html(token_bars(mixed(mix), title)) + subwords_html(mixed(mix).encode(DOG).pieces)

    return Controls(draw, mix=widgets.Dropdown(options=list(MIXES), description="Mix"))


def sampled() -> View:
    """Show how often each language is sampled if its share is raised to a power."""
    counts = np.array(list(MIXES[WEB].values()))  # (L,)
    rows = []
    for power in (1.0, 0.7, 0.3, 0.0):
        share = (counts / counts.sum()) ** power
        rows.append((str(power), *(f"{x:.0%}" for x in share / share.sum())))
    return View(table_of(("power", *MIXES[WEB]), rows))
