"""Plans of documents: which facts each kind of document states about whom, and in which order.

A plan is a sequence of moves, each of which writes a sentence in one of the wordings of a list. A move with a
capital letter states a fact; one with a small letter hints at it later. A random variable of the document may
choose the list. If a plan uses a list twice, each move has half of the wordings, so no document repeats
itself.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from .dialogue import GAME, GAME_CLOSE, GAME_OPEN, TALK, TALK_ASIDE, TALK_CLOSE, TALK_OPEN
from .lives import AGAIN, BOTH, MEET, TELL
from .news import NEWS_CAUSE, NEWS_DETAIL, NEWS_END, NEWS_OPEN, NEWS_QUOTE, NEWS_THEN
from .reviews import ASPECTS, POLARITIES, REVIEW_CAUSE, REVIEW_END, REVIEW_MORE, REVIEW_OPEN
from .senses import FOLLOW, SENSES
from .sorts import EVENT, FIRM, HOUSE, PERSON, POOLS, SHEET, STORY, TOWN, Pool, Sort, texts
from .stories import DAY, LETTER_AGAIN, LETTER_ASK, LETTER_CLOSE, LETTER_OPEN, LETTER_TELL
from .towns import FIRM_AGAIN, FIRM_TELL, LOCAL, PLACE_AGAIN, PLACE_TELL

Item = TypeVar("Item")


class Say(NamedTuple):
    """One step (move) in a document's plan: write a sentence from the list of templates (family, key).

    The key is fixed, or chosen by a variable of the document. `letters` maps the template's X, Y, ... to the
    letters of the document's topics. `part` selects templates from the list; see `part_of`.
    """

    family: str
    letters: tuple[tuple[str, str], ...]
    key: str = ""
    variable: str = ""
    part: int = 0


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of document, such as a letter or a news report.

    It has the sort of topic for each letter, such as a person for "A", the pool of values for each variable,
    plans (sequences of sentences) with weights, and slots that two topics share.
    """

    name: str
    cast: dict[str, Sort]
    variables: dict[str, str]
    plans: tuple[tuple[float, tuple[Say, ...]], ...]
    links: dict[tuple[str, str], tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Language:
    """A language: kinds of documents with their probabilities, lists of templates, and pools of values."""

    kinds: tuple[tuple[float, Kind], ...]
    families: dict[str, dict[str, tuple[str, ...]]]
    pools: dict[str, Pool]

    def templates(self, move: Say, key: str) -> Sequence[str]:
        """Return the templates in the list `key` that a step of a plan can use, the most common first."""
        return part_of(self.families[move.family][key], move.part)


def part_of(items: Sequence[Item], part: int) -> Sequence[Item]:
    """Return all items (if `part` is 0), the first, third, ... (1), or the second, fourth, ... (2)."""
    return items if part == 0 else items[part - 1 :: 2]


def say(family: str, x: str, key: str = "", variable: str = "", **others: str) -> Say:
    """Return a Say (a step of a plan) whose template uses the topic with letter `x` as X.

    others: the letters of other topics, such as Y="B".
    """
    return Say(family, (("X", x), *others.items()), key, variable)


def in_parts(moves: tuple[Say, ...]) -> tuple[Say, ...]:
    """Return the moves of a plan, with each list of templates halved between two moves that use it.

    Raises ValueError if three moves use the same list.
    """
    lists = [(move.family, move.key, move.variable) for move in moves]
    uses, seen = Counter(lists), Counter[tuple[str, str, str]]()
    parted: list[Say] = []
    for move, name in zip(moves, lists, strict=True):
        if uses[name] > 2:
            raise ValueError(
                f"a plan uses the list {name} {uses[name]} times, but at most two moves can share a list"
            )
        seen[name] += 1
        parted.append(move._replace(part=seen[name] if uses[name] == 2 else 0))
    return tuple(parted)


def kind(
    name: str,
    cast: dict[str, Sort],
    moves: Mapping[str, Say | tuple[Say, ...]],
    plans: str | dict[str, float],
    variables: dict[str, str] | None = None,
    links: dict | None = None,
) -> Kind:
    """Build a Kind of document. plans: one plan per line, as keys of `moves`, or a dict {plan: weight}."""
    weighted = plans if isinstance(plans, dict) else dict.fromkeys(plans.strip().splitlines(), 1.0)
    total = sum(weighted.values())
    rows = []
    for plan, weight in weighted.items():
        said = [moves[word] for word in plan.split()]
        flat = [move for item in said for move in ((item,) if isinstance(item, Say) else item)]
        rows.append((weight / total, in_parts(tuple(flat))))
    return Kind(name, cast, variables or {}, tuple(rows), links or {})


def facts_of(letter: str, names: str) -> dict[str, Say]:
    """Return named steps of plans: "A1" states a fact about person A, "a1" hints at it, and so on.

    names: the variables that choose the facts, such as "12" for 1 and 2.
    """
    return {f"{letter}{n}": say("tell", letter, variable=n) for n in names} | {
        f"{letter.lower()}{n}": say("again", letter, variable=n) for n in names
    }


def game_plans() -> dict[str, float]:
    """Return {plan: weight} for guessing games, which state three facts and ask for two of them."""
    plans = {}
    for third in "AB":
        told = ["A1", "B1", f"{third}2"]
        for i, first in enumerate(told):
            for second in told[:i] + told[i + 1 :]:
                ask = f"?{first} ?{second}"
                for close, share in (("", 0.8), (" close", 0.2)):
                    plans[f"open {' '.join(told)} {ask}{close}"] = 0.7 * share
                    plans[f"open {ask} {' '.join(told)}{close}"] = 0.3 * share
    return plans


NEWS_STEPS = {
    "open": NEWS_OPEN,
    "detail": NEWS_DETAIL,
    "cause": NEWS_CAUSE,
    "then": NEWS_THEN,
    "quote": NEWS_QUOTE,
    "end": NEWS_END,
}

LIFE = kind(
    "life",
    {"A": PERSON, "B": PERSON},
    facts_of("A", "123")
    | facts_of("B", "124")
    | {
        "M": say("meet", "A", Y="B"),
        "C": say("both", "A", variable="1", Y="B"),
    },
    """
    A1 A2 M B1 b1 a2
    A1 M B1 A2 a1 b1
    M A1 B1 A2 a1 b1
    A1 A2 a1 M B1 B4 b1
    A1 A2 A3 M B1 a2 b1
    A1 B1 M a1 A2 B4
    A1 a1 A2 M B1 C a2
    B1 M A1 A2 b1 a2
    A1 A2 B1 B4 a2 b1
    M B1 b1 A1 A2 a1
    A1 A2 a1 B1 C b1 a2
    B1 B4 M A1 A2 a1 b4
""",
    {"1": "fact", "2": "fact", "3": "fact", "4": "fact"},
)

PLACE = kind(
    "place",
    {"T": TOWN, "A": PERSON, "B": PERSON},
    {
        **{word: say("place tell", "T", variable=word) for word in "WKG"},
        **{word.lower(): say("place again", "T", variable=word) for word in "WKG"},
        "A": say("local", "A"),
        "B": say("local", "B"),
        "a": say("again", "A", "trade"),
        "b": say("again", "B", "trade"),
        "O": say("tell", "A", "birth"),
    },
    """
    W K A a B w
    W A B a K w b
    K W A O B b
    W G K A B b
    A a W B w b
    G W B A a g
    W K A B b k
    W A O a B w
""",
    {"W": "place fact", "K": "place fact", "G": "place fact"},
    {("A", "home"): ("T", "name"), ("B", "home"): ("T", "name")},
)

COMPANY = kind(
    "firm",
    {"F": FIRM, "P": PERSON, "Q": PERSON},
    {
        **{
            word: say("firm tell", "F", key)
            for word, key in zip("FSGHR", ("founder", "seat", "goods", "head", "rival"))
        },
        **{
            word: say("firm again", "F", key)
            for word, key in zip("fsghr", ("founder", "seat", "goods", "head", "rival"))
        },
        "P": say("tell", "P", variable="own"),
        "p": say("again", "P", variable="own"),
        "Q": say("tell", "Q", variable="own"),
        "q": say("again", "Q", variable="own"),
    },
    """
    G F S H f s
    F P p H Q g
    S G F f H h
    F S s H R f
    R G F H r h
    H Q F P q p
    F R G H r f
    F P H Q q p
    G H Q q F P
    F P S H Q s
""",
    {"own": "own fact"},
)

DAYS = kind(
    "day",
    {"A": PERSON, "B": PERSON, "D": STORY},
    {step: say(f"day {step}", "A", Y="B", D="D") for step in DAY},
    """
    wake lose help pet find cause
    wake work lose help find end
    wake lose pet help find end
    wake lose help search find end
    wake lose pet help search find
    wake work lose pet help find
    wake work lose help search find
""",
)

LETTERS = kind(
    "letter",
    {"A": PERSON, "B": PERSON, "L": SHEET},
    {
        "open": say("letter open", "A", L="L"),
        "close": say("letter close", "A", L="L"),
        **{f"A{n}": say("letter tell", "A", variable=n) for n in "12"},
        **{f"a{n}": say("letter again", "A", variable=n) for n in "12"},
        **{f"?{n}": say("letter ask", "B", variable=n) for n in "12"},
        "home": say("letter again", "A", "home"),
        "?home": say("letter ask", "B", "home"),
    },
    """
    open A1 ?1 A2 home a1 close
    open A1 ?1 A2 a1 home close
    open A1 ?1 A2 home a2 close
    open A1 ?1 A2 a2 home close
    open A1 ?1 A2 a1 a2 close
    open A1 ?1 A2 a2 a1 close
    open A1 ?1 A2 home ?2 close
    open A1 ?1 A2 a1 ?2 close
    open A1 ?1 A2 a2 ?home close
    open A1 ?1 A2 a1 ?home close
    open A1 ?1 A2 ?2 a1 close
    open A1 ?1 A2 ?home a2 close
""",
    {"1": "letter fact", "2": "letter fact"},
)

TALKS = kind(
    "talk",
    {"A": PERSON, "B": PERSON},
    {
        "open": say("talk open", "A", Y="B"),
        "close": say("talk close", "A", Y="B"),
        **{
            n: (say("talk question", "A", variable=n, Y="B"), say("talk reply", "A", variable=n))
            for n in "12"
        },
        "aside": say("talk aside", "B", variable="aside"),
        "a1": say("again", "A", variable="1"),
        "a2": say("again", "A", variable="2"),
    },
    {
        "open 1 2 aside a1": 0.35,
        "open 1 2 aside a2": 0.35,
        "open 1 2 aside a1 close": 0.15,
        "open 1 2 aside a2 close": 0.15,
    },
    {"1": "talk fact", "2": "talk fact", "aside": "aside"},
)

GAMES = kind(
    "game",
    {"A": PERSON, "B": PERSON},
    {
        "open": say("game open", "A", Y="B"),
        "close": say("game close", "A", Y="B"),
        **{f"{x}{n}": say("tell", x, variable=n) for x in "AB" for n in "12"},
        **{f"?{x}{n}": say("game ask", x, variable=n) for x in "AB" for n in "12"},
    },
    game_plans(),
    {"1": "fact", "2": "fact"},
)

NEWS = kind(
    "news",
    {"A": PERSON, "T": TOWN, "E": EVENT},
    {step: say(f"news {step}", "A", variable="event", T="T", E="E") for step in NEWS_STEPS},
    """
    open detail cause then quote end
    open detail then cause quote end
    open cause detail then quote end
    open detail quote cause then end
    open detail cause quote then end
    open detail quote then cause
    open quote detail cause end
""",
    {"event": "event"},
)

REVIEWS = kind(
    "review",
    {"A": PERSON, "V": HOUSE},
    {
        "open": say("review open", "A", V="V"),
        **{f"{p[0]}{n}": say(f"review {p}", "A", variable=n, V="V") for p in POLARITIES for n in "123"},
        **{f"{p[0]}+": say("review more", "A", p, V="V") for p in POLARITIES},
        **{f"{p[0]}.": say("review end", "A", p, V="V") for p in POLARITIES},
    },
    """
    open g1 g2 g+ g.
    open g1 g+ g2 g.
    open g1 g2 g3 g.
    open b1 g2 g+ g.
    open b1 g2 g3 g+ g.
    open b1 b2 b+ b.
    open b1 b+ b2 b.
    open b1 b2 b3 b.
    open g1 b2 b+ b.
    open g1 b2 b3 b+ b.
""",
    dict.fromkeys("123", "aspect"),
)

OUTINGS = kind(
    "outing",
    {"A": PERSON, "B": PERSON},
    facts_of("A", "1")
    | facts_of("B", "12")
    | {
        "M": say("meet", "A", Y="B"),
        "S": say("sense", "A", variable="S"),
        "s": say("follow", "A", variable="S"),
        "Z": say("sense", "B", variable="Z"),
        "z": say("follow", "B", variable="Z"),
    },
    """
    A1 S s B1 Z z
    A1 S s a1 B1 Z z
    M S s B1 Z z
    M A1 S s a1 Z z
    A1 B1 S s b1 Z z
    S s A1 M Z z a1
    S s A1 B1 Z z
""",
    {"1": "fact", "2": "fact", "S": "sense", "Z": "sense"},
)


def family(pools: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(templates) for key, templates in pools.items()}


def alone(templates: list[str]) -> dict[str, tuple[str, ...]]:
    """Return a family of templates, a dict of lists, that has a single list with the key ""."""
    return {"": tuple(templates)}


FAMILIES = {
    "tell": family(TELL),
    "again": family(AGAIN),
    "both": family(BOTH),
    "meet": alone(MEET),
    "place tell": family(PLACE_TELL),
    "place again": family(PLACE_AGAIN),
    "local": alone(LOCAL),
    "firm tell": family(FIRM_TELL),
    "firm again": family(FIRM_AGAIN),
    **{f"day {step}": alone(templates) for step, templates in DAY.items()},
    "letter open": alone(LETTER_OPEN),
    "letter close": alone(LETTER_CLOSE),
    "letter tell": family(LETTER_TELL),
    "letter again": family(LETTER_AGAIN),
    "letter ask": family(LETTER_ASK),
    "talk open": alone(TALK_OPEN),
    "talk close": alone(TALK_CLOSE),
    "talk aside": family(TALK_ASIDE),
    "talk question": {fact: tuple(questions) for fact, (questions, _) in TALK.items()},
    "talk reply": {fact: tuple(replies) for fact, (_, replies) in TALK.items()},
    "game open": alone(GAME_OPEN),
    "game close": alone(GAME_CLOSE),
    "game ask": {fact: tuple(" ".join(pair) for pair in pairs) for fact, pairs in GAME.items()},
    **{f"news {step}": family(pools) for step, pools in NEWS_STEPS.items()},
    "review open": alone(REVIEW_OPEN),
    "review more": family(REVIEW_MORE),
    "review end": family(REVIEW_END),
    **{
        f"review {polarity}": {aspect: tuple(REVIEW_CAUSE[polarity, aspect]) for aspect in ASPECTS}
        for polarity in POLARITIES
    },
    "sense": {
        f"{word}: {sense}": tuple(said) for word, senses in SENSES.items() for sense, said in senses.items()
    },
    "follow": {f"{word}: {sense}": tuple(said) for (word, sense), said in FOLLOW.items()},
}

CHOICES = {
    pool.name: pool
    for pool in (  # what a variable of a document can choose from
        texts("fact", tuple(TELL)),
        texts("place fact", tuple(PLACE_TELL)),
        texts("letter fact", tuple(LETTER_TELL)),
        texts("talk fact", tuple(TALK)),
        texts("aside", tuple(TALK_ASIDE)),
        texts("event", tuple(NEWS_OPEN)),
        texts("aspect", ASPECTS),
        texts("sense", tuple(FAMILIES["sense"])),
        texts("own fact", ("music", "pet")),  # no date and no trade, which could contradict the firm's
    )
}

KINDS = {
    kind.name: kind for kind in (LIFE, GAMES, DAYS, PLACE, COMPANY, LETTERS, TALKS, NEWS, REVIEWS, OUTINGS)
}
SHARES = {
    "life": 7,
    "game": 1,
    "day": 3,
    "place": 2,
    "firm": 2,
    "letter": 2,
    "talk": 2,
    "news": 3,
    "review": 2,
    "outing": 2,
}
LANGUAGE = Language(
    tuple((SHARES[name] / sum(SHARES.values()), kind) for name, kind in KINDS.items()),
    FAMILIES,
    POOLS | CHOICES,
)
