"""The people, places and firms of one document: fresh facts, no two alike, so that each question has one answer."""

from .draws import Draws
from .facts import ANIMALS, BUILDINGS, INSTRUMENTS, MONTHS, TRADES
from .grammar import Topic
from .names import Names

SHE, HE, IT = ("she", "her", "her"), ("he", "him", "his"), ("it", "it", "its")
FIRST_YEAR, LAST_YEAR = 1900, 1999
PLACE_PREFIXES = ("North", "Upper", "Old", "Little")
DIRECTIONS = ("north", "south", "east", "west")


class Cast:
    """Draws the topics of one document from `names`; nothing is drawn twice."""

    def __init__(self, draws: Draws, names: Names):
        self.draws = draws
        self.names = names
        self._taken: set = set()

    def fresh(self, options: tuple):
        """One of `options` that this document does not use yet."""
        choice = self.draws.pick(options)
        while choice in self._taken:
            choice = self.draws.pick(options)
        self._taken.add(choice)
        return choice

    def year(self, first: int, last: int, month_share: float = 0.0) -> tuple[str, str]:
        """A date between two years (both included), as "1950" or, with probability `month_share`, "May 1950"."""
        number = first + self.draws.index(last - first + 1)
        while number in self._taken:
            number = first + self.draws.index(last - first + 1)
        self._taken.add(number)
        month = self.draws.pick(MONTHS) + " " if self.draws.chance(month_share) else ""
        return f"{month}{number}", "DATE"

    def _base(self) -> str:
        """A name for a place or a firm: mostly a word that is also a surname, sometimes a first name."""
        return self.fresh(self.names.firsts if self.draws.chance(0.1) else self.names.bases)

    def place_name(self) -> tuple[str, str]:
        """ "Ashby", sometimes "North Ashby"."""
        prefix = self.draws.pick(PLACE_PREFIXES) + " " if self.draws.chance(0.12) else ""
        return prefix + self._base(), "LOC"

    def firm_name(self) -> tuple[str, str]:
        """ "Ashby", sometimes "Ashby and Harlow"."""
        partner = " and " + self._base() if self.draws.chance(0.2) else ""
        return self._base() + partner, "ORG"

    def person(self, home: tuple[str, str] | None = None) -> Topic:
        """A person whose trade, name and pronoun are drawn independently; `home` puts neighbours in one town."""
        draws = self.draws
        born = FIRST_YEAR + 20 + draws.index(30)
        trade, animal, played = self.fresh(TRADES), self.fresh(ANIMALS), self.fresh(INSTRUMENTS)
        slots = trade._asdict() | animal._asdict() | played._asdict()
        slots |= {
            "dream": self.fresh(TRADES).trade,
            "pet": self.fresh(self.names.pets),
            "birthplace": self.place_name(),
            "born": self.year(born, born + 4),
            "home": home or self.place_name(),
            "moved": self.year(born + 20, born + 39, month_share=0.3),
            "firm": self.firm_name(),
            "joined": self.year(born + 20, born + 45, month_share=0.3),
            "met": self.year(born + 10, born + 40, month_share=0.3),
            "number": str(FIRST_YEAR + draws.index(LAST_YEAR - FIRST_YEAR + 1)),  # a count that looks like a year
        }
        first, last = self.fresh(self.names.firsts), self.fresh(self.names.bases)
        pronouns = SHE if draws.chance(0.5) else HE
        if draws.chance(0.3):
            return Topic(last, last, "PER", pronouns, slots, "trade")
        return Topic(f"{first} {last}", last if draws.chance(0.7) else first, "PER", pronouns, slots, "trade")

    def place(self) -> Topic:
        """A place on a river, with a neighbour place, a building and a fair."""
        name, label = self.place_name()
        slots = {
            "sort": self.draws.pick(("town", "village", "port")),
            "river": (self._base(), "LOC"),
            "near": self.place_name(),
            "side": self.draws.pick(DIRECTIONS),
            "building": self.fresh(BUILDINGS),
            "built": self.year(FIRST_YEAR, FIRST_YEAR + 39),
            "animal": self.fresh(ANIMALS).animal,
            "fair": self.year(FIRST_YEAR + 5, FIRST_YEAR + 60),
            "number": str(FIRST_YEAR + self.draws.index(LAST_YEAR - FIRST_YEAR + 1)),
        }
        return Topic(name, name, label, IT, slots, "sort")

    def firm(self, founder: Topic, head: Topic) -> Topic:
        """A firm with a founder, a seat before and after its move, goods, a head and a rival."""
        name, label = self.firm_name()
        founded = FIRST_YEAR + self.draws.index(40)
        slots = self.fresh(TRADES)._asdict() | {
            "founder": founder,
            "founded": self.year(founded, founded + 5),
            "oldseat": self.place_name(),
            "seat": self.place_name(),
            "shifted": self.year(founded + 6, founded + 25, month_share=0.3),
            "head": head,
            "since": self.year(founded + 26, founded + 55, month_share=0.3),
            "rival": self.firm_name(),
            "kind": self.draws.pick(("firm", "company", "business")),
        }
        return Topic(name, name, label, IT, slots, "kind")
