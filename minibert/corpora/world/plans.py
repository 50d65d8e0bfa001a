"""Plans of documents: which facts each kind of document tells, of whom, and in which order they come back.

A plan is a row of moves: a capital letter tells a fact, a small one hints at it again. Telling comes first, so that no hint is a riddle.
"""

from collections.abc import Callable

from minibert.corpora.world.cast import IT, Cast
from minibert.corpora.world.dialogue import GAME, GAME_CLOSE, GAME_OPEN, TALK, TALK_ASIDE, TALK_CLOSE, TALK_OPEN
from minibert.corpora.world.draws import Draws
from minibert.corpora.world.facts import MONTHS, OBJECTS, SPOTS, WEEKDAYS
from minibert.corpora.world.grammar import Page, Topic
from minibert.corpora.world.lives import AGAIN, BOTH, MEET, TELL
from minibert.corpora.world.stories import DAY, LETTER_AGAIN, LETTER_ASK, LETTER_CLOSE, LETTER_OPEN, LETTER_TELL
from minibert.corpora.world.towns import FIRM_AGAIN, FIRM_TELL, LOCAL, PLACE_AGAIN, PLACE_TELL

FACTS = tuple(TELL)
LIFE_PLANS = (  # A a: first person, B b: second person, with the number of the fact; M: they meet, C: both compared on fact 1
    "A1 A2 a1 M B1 b1 a2", "A1 M B1 A2 a1 b1 C1", "M A1 B1 a1 A2 b1 a2", "A1 A2 M B1 B2 a1 b2 a2", "A1 A2 A3 M B1 a2 b1 a1",
    "A1 B1 M a1 b1 A2 B2", "A1 a1 A2 M B1 B2 C1 a2", "B1 M A1 A2 b1 a2 a1", "A1 A2 B1 B2 M a2 b1 b2", "M B1 b1 A1 A2 a1 a2 C1",
    "A1 A2 A3 a1 M B1 a3 b1", "B1 B2 M A1 b1 A2 a1 b2",
)
PLACE_PLANS = (  # W w, K k, G g: facts of the place; A a, B b: its people and their trades; O: where the first one was born
    "W K A a B w k", "W A B a K G b k", "K W A O a w B b", "W G K g A B b a", "A a W K w B k", "G W B A a b g w", "W K G k A B a g",
)
FIRM_PLANS = (  # F f: founder, S s: seat, G g: goods, H h: head, R r: rival; P p: a fact of the founder, Q q: of the head
    "G F S H f s", "F P p H Q g", "S G F f H h g", "F S s H R f r", "R G F H r f h", "H Q F P q p s", "F R G S H r s", "F P H Q q p f",
    "G H Q q F P p", "F P S H Q s p",
)


def _distinct(draws: Draws, shared: str | None, count: int) -> list[str]:
    """`count` different facts about a person, led by `shared` where given."""
    facts = draws.sample(FACTS, len(FACTS))
    return ([shared] + [fact for fact in facts if fact != shared])[:count] if shared else facts[:count]


def life(page: Page, cast: Cast) -> None:
    """Two people, their facts in turn."""
    first, second = cast.person(), cast.person()
    facts = _distinct(page.draws, None, 3)
    people = {"A": (first, facts), "B": (second, _distinct(page.draws, facts[0], 2))}
    for move in page.draws.pick(LIFE_PLANS).split():
        if move == "M":
            page.say(MEET, first, Y=second)
        elif move[0] == "C":
            page.say(BOTH[facts[0]], first, Y=second)
        else:
            person, own = people[move[0].upper()]
            page.say((TELL if move[0].isupper() else AGAIN)[own[int(move[1]) - 1]], person)


def place(page: Page, cast: Cast) -> None:
    """A place and two of its people."""
    town = cast.place()
    home = (town.full, "LOC")
    people = {"A": cast.person(home), "B": cast.person(home)}
    facts = dict(zip("WKG", page.draws.sample(tuple(PLACE_TELL), 3)))
    for move in page.draws.pick(PLACE_PLANS).split():
        if move == "O":
            page.say(TELL["birth"], people["A"])
        elif move.upper() in people:
            page.say(LOCAL if move.isupper() else AGAIN["trade"], people[move.upper()])
        else:
            page.say((PLACE_TELL if move.isupper() else PLACE_AGAIN)[facts[move.upper()]], town)


def firm(page: Page, cast: Cast) -> None:
    """A firm, its founder, its head and its rival."""
    founder, head = cast.person(), cast.person()
    house = cast.firm(founder, head)
    own = page.draws.pick([fact for fact in FACTS if fact != "work"])
    people = {"P": founder, "Q": head}
    facts = {name[0].upper(): name for name in ("founder", "seat", "goods", "head", "rival")}
    for move in page.draws.pick(FIRM_PLANS).split():
        if move.upper() in people:
            page.say((TELL if move.isupper() else AGAIN)[own], people[move.upper()])
        else:
            page.say((FIRM_TELL if move.isupper() else FIRM_AGAIN)[facts[move.upper()]], house)


def _story(cast: Cast, people: tuple[Topic, Topic]) -> Topic:
    """The story's own facts: its day, what is lost, and where it turns up."""
    draws = cast.draws
    day = draws.pick(WEEKDAYS)
    if draws.chance(0.6):
        day = f"{1 + draws.index(28)} {draws.pick(MONTHS)}"
    slots = {"day": (day, "DATE"), "object": cast.fresh(OBJECTS), "decoy": cast.fresh(OBJECTS), "finder": draws.pick(people)}
    slots |= {"spot": cast.fresh(SPOTS), "nospot": cast.fresh(SPOTS)}
    return Topic("", "", None, IT, slots, "object")


def day(page: Page, cast: Cast) -> None:
    """A lost object, a helper, an animal under suspicion."""
    people = cast.person(), cast.person()
    story = _story(cast, people)
    middle = page.draws.sample(("pet", "help"), 2)
    steps = ["wake"] + (["work"] if page.draws.chance(0.6) else []) + ["lose"] + middle + ["search", "find"]
    for step in steps + (["cause"] if page.draws.chance(0.7) else []) + ["end"]:
        page.say(DAY[step], people[0], Y=people[1], D=story)


def letter(page: Page, cast: Cast) -> None:
    """A letter in the first person, with questions to its reader."""
    writer, reader = cast.person(), cast.person()
    sheet = Topic("", "", None, IT, {"writer": writer, "reader": reader}, "")
    facts = page.draws.sample(tuple(LETTER_TELL), 2)
    page.say(LETTER_OPEN, writer, L=sheet)
    page.say(LETTER_TELL[facts[0]], writer)
    page.say(LETTER_ASK[facts[0]], reader)
    page.say(LETTER_TELL[facts[1]], writer)
    asked = page.draws.pick((facts[1], "home"))
    for fact, pool, person in page.draws.sample(
        [(facts[0], LETTER_AGAIN, writer), (asked, LETTER_ASK, reader), ("home", LETTER_AGAIN, writer), (facts[1], LETTER_AGAIN, writer)], 4
    ):
        page.say(pool[fact], person)
    page.say(LETTER_CLOSE, writer, L=sheet)


def talk(page: Page, cast: Cast) -> None:
    """An interview; the reporter has a story too."""
    guest, reporter = cast.person(), cast.person()
    facts = page.draws.sample(tuple(TALK), 2)
    page.say(TALK_OPEN, guest, Y=reporter)
    for fact in facts:
        questions, replies = TALK[fact]
        page.say(questions, guest, Y=reporter)
        page.say(replies, guest)
        if fact in TALK_ASIDE and page.draws.chance(0.7):
            page.say(TALK_ASIDE[fact], reporter)
    page.say(AGAIN[page.draws.pick(facts)], guest)
    page.say(TALK_CLOSE, guest, Y=reporter)


def game(page: Page, cast: Cast) -> None:
    """Two neighbours, told of and then asked about."""
    first = cast.person()
    second = cast.person(first.slots["home"])
    facts = page.draws.sample(tuple(GAME), 2)
    page.say(GAME_OPEN, first, Y=second)
    told = [(first, facts[0]), (second, facts[0]), (page.draws.pick((first, second)), facts[1])]
    for person, fact in told:
        page.say(TELL[fact], person)
    for person, fact in page.draws.sample(told, 2):
        question, answer = page.draws.pick(GAME[fact])
        page.say([question], person)
        page.say([answer], person)
    if page.draws.chance(0.5):
        page.say(GAME_CLOSE, first, Y=second)


KINDS: dict[str, Callable[[Page, Cast], None]] = {
    "life": life, "day": day, "place": place, "firm": firm, "letter": letter, "talk": talk, "game": game,
}
KIND_DECK = ("life",) * 6 + ("day",) * 3 + ("place",) * 3 + ("firm",) * 3 + ("letter",) * 2 + ("talk",) * 2 + ("game",) * 2
