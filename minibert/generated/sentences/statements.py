"""Simple statements about facts, each with paraphrases and denials.

Whether a statement follows from a text can be decided only if the text is clear. So each statement lists the
wordings in documents that leave no doubt about it, and the slots that hint at it. `labels.evidence` uses
both.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..writer.draws import Draws
from ..writer.grammar import Topic, fill

# All other animals of the generated world have four legs.
BIRDS = frozenset("hen parrot goose owl pigeon magpie duck peacock swan".split())
KNOWN = frozenset(
    "baker brewer miller cheesemaker clockmaker photographer shoemaker beekeeper candlemaker "
    "roofer ropemaker "
    # The trade implies the product and vice versa; by contrast, a mason need not carve statues.
    "locksmith soapmaker".split()
)
FAR = 9  # the largest difference between a year and the year it is compared with


@dataclass(frozen=True, eq=False)
class Statement:
    """A kind of fact that has only one value at a time, such as the birthplace of a person.

    {N} is the topic and {V.slot} the stated value. All wordings in `yes` have the same meaning, and so do all
    in `no`. `told_in` are the lists of templates that state the fact, except for wordings that contain one of
    `unless`. Hints that contain one of `also` state it, too. Sentences that show one of `slots` or are in
    `told_in` hint at the fact. `from_slots` are other facts of the same topic whose value can be mistaken for
    this one. `derived` is set if the value must be inferred. It is a function that maps a value and the draws
    to a true and a false text for {V.derived}.
    """

    sort: str
    slot: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    told_in: tuple[tuple[str, str], ...]
    slots: frozenset[str]
    unless: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    from_slots: tuple[str, ...] = ()
    derived: Callable[[str, Draws], tuple[str, str]] | None = None

    def worked_out(self, topic: Topic, draws: Draws) -> tuple[str, str]:
        """Return a true and a false text for the gap {V.derived}, for a value that must be inferred."""
        assert self.derived is not None, self.slot
        return self.derived(topic.text(self.slot), draws)

    def shown_by(self, topic: Topic) -> tuple[str, ...]:
        """Return the names of the slots that reveal the fact's value, as "bread" reveals a baker."""
        if self.slot in ("trade", "product") and topic.text("trade") in KNOWN:
            return "trade", "product"
        return (self.slot,)

    @property
    def name(self) -> str:
        """Return an identifier of the statement: its slot and, if derived, the function's name."""
        return self.slot if self.derived is None else f"{self.slot} {self.derived.__name__}"


class Value:
    """Invented values for the gaps {V...} of a wording. Each is a text, or a topic with a name."""

    def __init__(self, **facts: str | Topic):
        self._facts = facts

    def fact(self, slot: str) -> str | Topic:
        return self._facts[slot]


def legs(animal: str, _draws: Draws) -> tuple[str, str]:
    """Return an animal's true number of legs and a false number, in words."""
    return ("two", "four") if animal in BIRDS else ("four", "two")


def when(year: str, draws: Draws) -> tuple[str, str]:
    """Return a true and a false statement about `year`, such as "before 1940" and "after 1940"."""
    apart = 1 + draws.index(FAR)
    if draws.chance(0.5):
        return f"before {int(year) + apart}", f"after {int(year) + apart}"
    return f"after {int(year) - apart}", f"before {int(year) - apart}"


def _person(slot: str, key: str, slots: str, yes: tuple, no: tuple, **more: Any) -> Statement:
    return Statement(
        "person", slot, yes, no, (("tell", key), ("talk reply", key)), frozenset(slots.split()), **more
    )


def _firm(slot: str, key: str, slots: str, yes: tuple, no: tuple, **more: Any) -> Statement:
    return Statement(
        "firm", slot, yes, no, (("firm tell", key), ("firm again", key)), frozenset(slots.split()), **more
    )


_TRADE = "trade tool make makes made product shop stuff bits handles dream"
_MUSIC = "instrument player part tune"
_PET = "animal pet habit habit_past food den young"
_MAKES = ("from morning to night", "Nobody else")
_IN, _ONLY = 'answered: "In', '"Only my'  # replies that are understood only with their question
_FIRST = "first house"  # the first house that somebody saw suggests a birthplace, but does not state it

STATEMENTS: tuple[Statement, ...] = (
    _person(
        "birthplace",
        "birth",
        "birthplace born",
        (
            "{N} was born in {V.birthplace}.",
            "{N's} birthplace is {V.birthplace}.",
            "{V.birthplace} is where {N} was born.",
        ),
        (
            "{N} was not born in {V.birthplace}.",
            "{N's} birthplace is not {V.birthplace}.",
            "{V.birthplace} is not where {N} was born.",
        ),
        unless=("comes from", _FIRST, _IN),
        also=("birthplace is",),
    ),
    _person(
        "born",
        "birth",
        "birthplace born",
        (
            "{N} was born in {V.born}.",
            "{N's} year of birth is {V.born}.",
            "It was in {V.born} that {N} was born.",
        ),
        (
            "{N} was not born in {V.born}.",
            "{N's} year of birth is not {V.born}.",
            "It was not in {V.born} that {N} was born.",
        ),
        unless=(_FIRST, _IN),
        also=("year of birth is",),
    ),
    _person(
        "born",
        "birth",
        "birthplace born moved joined met",
        ("{N} was born {V.derived}.", "The birth of {N} was {V.derived}."),
        ("{N} was not born {V.derived}.", "The birth of {N} was not {V.derived}."),
        unless=(_FIRST, _IN),
        also=("year of birth is",),
        derived=when,
    ),
    _person(
        "home",
        "home",
        "home moved",
        ("{N} lives in {V.home}.", "{N's} home is in {V.home}.", "The place where {N} lives is {V.home}."),
        (
            "{N} does not live in {V.home}.",
            "{N's} home is not in {V.home}.",
            "The place where {N} lives is not {V.home}.",
        ),
        unless=("bought a small house", "wrong train"),
        from_slots=("birthplace",),
    ),
    _person(
        "trade",
        "trade",
        _TRADE,
        ("{N} is {a V.trade}.", "{N} works as {a V.trade}.", "{N's} trade is that of {a V.trade}."),
        (
            "{N} is not {a V.trade}.",
            "{N} does not work as {a V.trade}.",
            "{N's} trade is not that of {a V.trade}.",
        ),
        also=_MAKES,
    ),
    _person(
        "product",
        "trade",
        _TRADE,
        ("{N} {V.makes} {V.product} for a living.", "{N} earns a living with {V.product}."),
        ("{N} does not {V.make} {V.product} for a living.", "{N} does not earn a living with {V.product}."),
        also=_MAKES,
    ),
    _person(
        "firm",
        "work",
        "firm joined",
        ("{N} works for {V.firm}.", "{N's} employer is {V.firm}.", "{V.firm} is the firm that pays {N}."),
        (
            "{N} does not work for {V.firm}.",
            "{N's} employer is not {V.firm}.",
            "{V.firm} is not the firm that pays {N}.",
        ),
        unless=("hired", "joined", "started at", "got a job", "walked into"),
        also=("employer is",),
    ),
    _person(
        "joined",
        "work",
        "firm joined",
        ("{N's} job began in {V.joined}.", "The job of {N} began in {V.joined}."),
        ("{N's} job did not begin in {V.joined}.", "The job of {N} did not begin in {V.joined}."),
        unless=("hired", "got a job", "walked into"),
        from_slots=("moved",),
    ),
    _person(
        "moved",
        "home",
        "home moved",
        ("{N's} move was in {V.moved}.", "The move of {N} took place in {V.moved}."),
        ("{N's} move was not in {V.moved}.", "The move of {N} did not take place in {V.moved}."),
        unless=("bought a small house", "wrong train", "weekend"),
        from_slots=("joined",),
    ),
    _person(
        "instrument",
        "music",
        _MUSIC,
        ("{N's} instrument is the {V.instrument}.", "The instrument that {N} plays is the {V.instrument}."),
        (
            "{N's} instrument is not the {V.instrument}.",
            "The instrument that {N} plays is not the {V.instrument}.",
        ),
        unless=("learned the", "took up", "great love", "first wages", "took out", _ONLY),
        also=("instrument is the",),
    ),
    _person(
        "animal",
        "pet",
        _PET,
        (
            "{N's} pet is {a V.animal}.",
            "The pet that belongs to {N} is {a V.animal}.",
            "The animal that lives with {N} is {a V.animal}.",
        ),
        (
            "{N's} pet is not {a V.animal}.",
            "The pet that belongs to {N} is not {a V.animal}.",
            "The animal that lives with {N} is not {a V.animal}.",
        ),
        unless=("once found", "was given"),
        also=("pet is",),
    ),
    _person(
        "animal",
        "pet",
        _PET,
        (
            "{N's} pet has {V.derived} legs.",
            "The pet that belongs to {N} is an animal with {V.derived} legs.",
        ),
        (
            "{N's} pet does not have {V.derived} legs.",
            "The pet that belongs to {N} is not an animal with {V.derived} legs.",
        ),
        unless=("once found", "was given"),
        also=("pet is",),
        derived=legs,
    ),
    _person(
        "pet",
        "pet",
        _PET,
        (
            "{N's} pet is called {V.pet}.",
            "{V.pet} is the name of {N's} pet.",
            "The pet that belongs to {N} is {V.pet}.",
        ),
        (
            "{N's} pet is not called {V.pet}.",
            "{V.pet} is not the name of {N's} pet.",
            "The pet that belongs to {N} is not {V.pet}.",
        ),
        unless=("once found", "was given"),
    ),
    _firm(
        "founder",
        "founder",
        "founder founded",
        ("{V.founder} founded {N}.", "The founder of {N} is {V.founder}.", "{N} was started by {V.founder}."),
        (
            "{V.founder} did not found {N}.",
            "The founder of {N} is not {V.founder}.",
            "{N} was not started by {V.founder}.",
        ),
        unless=("with one table",),
        from_slots=("head",),
    ),
    _firm(
        "head",
        "head",
        "head since",
        ("The head of {N} is {V.head}.", "{V.head} is in charge of {N}.", "{N} is run by {V.head}."),
        (
            "The head of {N} is not {V.head}.",
            "{V.head} is not in charge of {N}.",
            "{N} is not run by {V.head}.",
        ),
        unless=("has listened", "big chair", "took over"),
        from_slots=("founder",),
    ),
    _firm(
        "founded",
        "founder",
        "founder founded shifted",
        ("{N} was founded in {V.founded}.", "The founding of {N} was in {V.founded}."),
        ("{N} was not founded in {V.founded}.", "The founding of {N} was not in {V.founded}."),
        unless=("borrowed",),
        from_slots=("shifted", "since"),
    ),
    _firm(
        "seat",
        "seat",
        "seat oldseat shifted",
        ("{N} is in {V.seat} now.", "The offices of {N} are in {V.seat} now."),
        ("{N} is not in {V.seat} now.", "The offices of {N} are not in {V.seat} now."),
        from_slots=("oldseat",),
    ),
    Statement(
        "story",
        "finder",
        (
            "{V.finder} found the {object}.",
            "The {object} was found by {V.finder}.",
            "The one who found the {object} was {V.finder}.",
        ),
        (
            "{V.finder} did not find the {object}.",
            "The {object} was not found by {V.finder}.",
            "The one who found the {object} was not {V.finder}.",
        ),
        (("day find", ""), ("day cause", ""), ("day end", "")),
        frozenset(("finder", "spot")),
    ),
)


def worded(draws: Draws, wordings: Sequence[str], name: str, topic: Topic, value: Topic | Value) -> str:
    """Return a sentence: a random wording, filled with the topic's `name` and the value.

    A name such as "the owner of Pipkin" cannot take a possessive, so it gets no wording with "'s".
    """
    options = [wording for wording in wordings if "{N's}" not in wording or " of " not in name]
    return fill(draws.pick(options), {"X": name}, {"X": topic, "V": value})
