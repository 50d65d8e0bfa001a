"""The topics of documents (people, places, firms, ...), and the facts that each sort of topic has.

A fact is a *variable* with a value from a *pool*. A slot of a template shows one or more variables, each in
one of the forms that its pool offers: the variable `trade` can be shown as "baker", "oven" or "bread".
Nothing is drawn at random in this file.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .facts import ANIMALS, BUILDINGS, INSTRUMENTS, MONTHS, NUMBERS, OBJECTS, SPOTS, TRADES, WEEKDAYS
from .reviews import HOUSE_SORTS


@dataclass(frozen=True)
class Pool:
    """The values that a variable can take. Each row is one value, with one text for each of `forms`.

    Without `weights`, no two variables of a document have the same value, and all combinations of distinct
    values are equally likely. With weights, each variable is drawn independently.
    """

    name: str
    forms: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    weights: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Atom:
    """One form of one variable, such as `Atom("trade", "trade", "tool")`, which is "oven" for a baker."""

    variable: str
    pool: str
    form: str


@dataclass(frozen=True)
class Phrase:
    """The contents of a slot: the texts of its atoms, joined by spaces; empty texts are left out.

    `label` is the entity type of the phrase, or None.
    """

    atoms: tuple[Atom, ...]
    label: str | None = None


@dataclass(frozen=True)
class Ref:
    """A slot that names another topic of the document, which is given by its letter in the plan.

    If there are several letters, `variable` chooses one of them.
    """

    letters: tuple[str, ...]
    variable: str | None = None


@dataclass(frozen=True, eq=False)
class Sort:
    """A kind of topic, such as a person: the entity type of its name, its slots (facts), and its alias.

    The alias is a slot that can also name the topic, such as the trade in "the baker".
    """

    name: str
    label: str | None
    slots: Mapping[str, Phrase | Ref]
    alias: str | None = None

    def phrase(self, slot: str) -> Phrase:
        """Return the Phrase that fills a slot. The slot must not name another topic."""
        phrase = self.slots[slot]
        assert isinstance(phrase, Phrase), slot
        return phrase

    def entity_type(self, slot: str) -> str | None:
        """Return the entity type, such as "PER", of the text in a slot, or None."""
        return getattr(self.slots.get(slot), "label", None)


def texts(name: str, values: tuple[str, ...], weights: tuple[float, ...] | None = None) -> Pool:
    """Build a Pool whose values have a single form, called `text`."""
    return Pool(name, ("text",), tuple((value,) for value in values), weights)


def table(name: str, rows: tuple) -> Pool:
    """Build a Pool from named tuples: each is one value, and its fields are the value's forms."""
    return Pool(name, rows[0]._fields, tuple(tuple(row) for row in rows))


def years(name: str, first: int, last: int) -> Pool:
    """Build a Pool of all years from `first` to `last`, inclusive."""
    return texts(name, tuple(str(year) for year in range(first, last + 1)))


def sometimes(name: str, share: float, values: tuple[str, ...]) -> Pool:
    """Build a Pool of equally likely `values`, with total probability `share`, and the empty string."""
    return texts(name, ("", *values), (1 - share, *(share / len(values) for _ in values)))


DAYS = tuple(f"{day} {month}" for month in MONTHS for day in range(1, 29))

# A person is always "Ashby"; or first "Mika Ashby" and then "Ashby" or, less often, "Mika".
SURNAME, FULL_THEN_LAST, FULL_THEN_FIRST = range(3)
STYLES = (0.3, 0.49, 0.21)

# Early facts precede late ones in every document, so that nobody moves before being born.
POOLS = {
    pool.name: pool
    for pool in (
        Pool("style", ("text",), (("surname",), ("full, then last",), ("full, then first",)), STYLES),
        Pool("gender", ("he", "him", "his"), (("she", "her", "her"), ("he", "him", "his")), (0.5, 0.5)),
        Pool("thing", ("he", "him", "his"), (("it", "it", "its"),), (1.0,)),
        table("trade", TRADES),
        table("animal", ANIMALS),
        table("instrument", INSTRUMENTS),
        texts("object", OBJECTS),
        texts("spot", SPOTS),
        texts("building", BUILDINGS),
        years("oldest", 1880, 1914),
        years("early", 1920, 1944),
        years("middle", 1945, 1962),
        years("late", 1964, 1999),
        texts(
            "hundred", tuple(str(1900 + n) for n in range(100)), (0.01,) * 100
        ),  # a count that looks like a year
        sometimes("month", 0.3, MONTHS),
        sometimes("prefix", 0.12, ("North", "Upper", "Old", "Little")),
        sometimes("suffix", 0.3, ("Works", "Company", "and Partners")),
        texts(
            "day", WEEKDAYS + DAYS, (0.4 / len(WEEKDAYS),) * len(WEEKDAYS) + (0.6 / len(DAYS),) * len(DAYS)
        ),
        texts("side", ("north", "south", "east", "west"), (0.25,) * 4),
        texts("sort", ("town", "village", "port"), (1 / 3,) * 3),
        texts("kind", ("firm", "company", "business"), (1 / 3,) * 3),
        texts("count", NUMBERS, (1 / len(NUMBERS),) * len(NUMBERS)),
        texts("house", HOUSE_SORTS, (1 / len(HOUSE_SORTS),) * len(HOUSE_SORTS)),
    )
}


def one(variable: str, pool: str, form: str = "text", label: str | None = None) -> Phrase:
    """Return a Phrase that shows a single variable in one form. label: its entity type, if any."""
    return Phrase((Atom(variable, pool, form),), label)


def rows_of(variable: str, pool: str) -> dict[str, Phrase | Ref]:
    """Return a dict that maps each form of a pool to a Phrase that shows it."""
    return {form: one(variable, pool, form) for form in POOLS[pool].forms}


def place_name(variable: str) -> Phrase:
    """Return a phrase for a place: "Ashby", or sometimes "North Ashby"."""
    return Phrase((Atom(f"{variable}.prefix", "prefix", "text"), Atom(variable, "base", "text")), "LOC")


def firm_name(variable: str) -> Phrase:
    """Return a phrase for a firm: "Ashby", or sometimes "Ashby and Partners"."""
    return Phrase((Atom(variable, "base", "text"), Atom(f"{variable}.suffix", "suffix", "text")), "ORG")


def year(variable: str, pool: str) -> Phrase:
    """Return a Phrase that shows a year, a value of `pool`."""
    return one(variable, pool, label="DATE")


def month_year(variable: str, pool: str = "late") -> Phrase:
    """Return a Phrase for a date, such as "1950" or sometimes "May 1950"; `pool` has the years."""
    return Phrase((Atom(f"{variable}.month", "month", "text"), Atom(variable, pool, "text")), "DATE")


PERSON = Sort(
    "person",
    "PER",
    rows_of("trade", "trade")
    | rows_of("animal", "animal")
    | rows_of("instrument", "instrument")
    | rows_of("gender", "gender")
    | {
        "first": one("first", "first"),
        "last": one("last", "base"),
        "dream": one("dream", "trade", "trade"),
        "pet": one("pet", "pet"),
        "birthplace": place_name("birthplace"),
        "born": year("born", "early"),
        "home": place_name("home"),
        "moved": month_year("moved"),
        "firm": firm_name("firm"),
        "joined": month_year("joined"),
        "met": month_year("met"),
        "number": one("number", "hundred"),
    },
    alias="trade",
)

TOWN = Sort(
    "town",
    "LOC",
    rows_of("thing", "thing")
    | rows_of("animal", "animal")
    | {
        "name": place_name("name"),
        "sort": one("sort", "sort"),
        "river": one("river", "base", label="LOC"),
        "near": place_name("near"),
        "side": one("side", "side"),
        "building": one("building", "building"),
        "built": year("built", "oldest"),
        "fair": year("fair", "middle"),
        "number": one("number", "hundred"),
    },
    alias="sort",
)

FIRM = Sort(
    "firm",
    "ORG",
    rows_of("thing", "thing")
    | rows_of("trade", "trade")
    | {
        "name": firm_name("name"),
        "kind": one("kind", "kind"),
        "founded": year("founded", "middle"),
        "oldseat": place_name("oldseat"),
        "seat": place_name("seat"),
        "shifted": month_year("shifted"),
        "since": month_year("since"),
        "rival": firm_name("rival"),
        "founder": Ref(("P",)),
        "head": Ref(("Q",)),
    },
    alias="kind",
)

STORY = Sort(
    "story",
    None,
    {
        "day": one("day", "day", label="DATE"),
        "object": one("object", "object"),
        "decoy": one("decoy", "object"),
        "spot": one("spot", "spot"),
        "nospot": one("nospot", "spot"),
        "finder": Ref(("A", "B"), "finder"),
    },
)

EVENT = Sort("event", None, {"day": one("day", "day", label="DATE"), "count": one("count", "count")})

HOUSE = Sort(
    "house",
    "ORG",
    rows_of("thing", "thing")
    | {
        "name": one("name", "base", label="ORG"),
        "sort": one("sort", "house"),
        "town": place_name("town"),
    },
    alias="sort",
)

SHEET = Sort("sheet", None, {"writer": Ref(("A",)), "reader": Ref(("B",))})
