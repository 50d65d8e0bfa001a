"""Plans of documents: which facts each kind of document tells, of whom, and in which order they come back.

A plan is a row of moves: a capital letter tells a fact, a small one hints at it again. Telling comes first, so that no
hint is a riddle.
"""

from collections.abc import Callable

from .cast import IT, Cast
from .dialogue import GAME, GAME_CLOSE, GAME_OPEN, TALK, TALK_ASIDE, TALK_CLOSE, TALK_OPEN
from .draws import Draws
from .facts import MONTHS, OBJECTS, SPOTS, WEEKDAYS
from .grammar import Page, Topic
from .lives import AGAIN, BOTH, MEET, TELL
from .stories import DAY, LETTER_AGAIN, LETTER_ASK, LETTER_CLOSE, LETTER_OPEN, LETTER_TELL
from .towns import FIRM_AGAIN, FIRM_TELL, LOCAL, PLACE_AGAIN, PLACE_TELL

FACTS = tuple(TELL)
LIFE_PLANS = (  # A a: first person, B b: second, with the number of the fact; M: they meet, C: compared on fact 1
    "A1 A2 M B1 b1 a2", "A1 M B1 A2 a1 b1", "M A1 B1 A2 a1 b1", "A1 A2 a1 M B1 B2 b1", "A1 A2 A3 M B1 a2 b1",
    "A1 B1 M a1 A2 B2", "A1 a1 A2 M B1 C1 a2", "B1 M A1 A2 b1 a2", "A1 A2 B1 B2 a2 b1", "M B1 b1 A1 A2 a1",
    "A1 A2 a1 B1 C1 b1 a2", "B1 B2 M A1 A2 a1 b2",
)
PLACE_PLANS = (  # W w, K k, G g: facts of the place; A a, B b: its people and their trades; O: where A was born
    "W K A a B w", "W A B a K w b", "K W A O B b", "W G K A B b", "A a W B w b", "G W B A a g", "W K A B b k",
    "W A O a B w",
)
FIRM_PLANS = (  # F f founder, S s seat, G g goods, H h head, R r rival; P p: a fact of the founder, Q q: of the head
    "G F S H f s", "F P p H Q g", "S G F f H h", "F S s H R f", "R G F H r h", "H Q F P q p", "F R G H r f",
    "F P H Q q p", "G H Q q F P", "F P S H Q s",
)

DAY_PLANS = (
    "wake lose help pet find cause", "wake work lose help find end", "wake lose pet help find end",
    "wake lose help search find end", "wake lose pet help search find", "wake work lose pet help find",
    "wake work lose help search find",
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
    facts = dict(zip("WKG", page.draws.sample(tuple(PLACE_TELL), 3), strict=True))
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
    slots = {"day": (day, "DATE"), "object": cast.fresh(OBJECTS), "decoy": cast.fresh(OBJECTS)}
    slots |= {"spot": cast.fresh(SPOTS), "nospot": cast.fresh(SPOTS), "finder": draws.pick(people)}
    return Topic("", "", None, IT, slots, "object")


def day(page: Page, cast: Cast) -> None:
    """A lost object, a helper, an animal under suspicion."""
    people = cast.person(), cast.person()
    story = _story(cast, people)
    for step in page.draws.pick(DAY_PLANS).split():
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
    hints = [(LETTER_AGAIN[fact], writer) for fact in ("home", *facts)] + [(LETTER_ASK[asked], reader)] * 2
    for pool, person in page.draws.sample(hints, 2):
        page.say(pool, person)
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
    aside = page.draws.pick([fact for fact in facts if fact in TALK_ASIDE])
    page.say(TALK_ASIDE[aside], reporter)
    page.say(AGAIN[page.draws.pick(facts)], guest)
    if page.draws.chance(0.3):
        page.say(TALK_CLOSE, guest, Y=reporter)


def game(page: Page, cast: Cast) -> None:
    """Two people, told of and asked about; sometimes the questions come first and the story explains the answers."""
    first, second = cast.person(), cast.person()
    facts = page.draws.sample(tuple(GAME), 2)
    page.say(GAME_OPEN, first, Y=second)
    told = [(first, facts[0]), (second, facts[0]), (page.draws.pick((first, second)), facts[1])]
    asked = page.draws.sample(told, 2)
    riddles_first = page.draws.chance(0.3)
    if riddles_first:
        _ask(page, asked)
    for person, fact in told:
        page.say(TELL[fact], person)
    if not riddles_first:
        _ask(page, asked)
    if page.draws.chance(0.2):
        page.say(GAME_CLOSE, first, Y=second)


def _ask(page: Page, asked: list[tuple[Topic, str]]) -> None:
    for person, fact in asked:
        question, answer = page.draws.pick(GAME[fact])
        page.say([question], person)
        page.say([answer], person)


KINDS: dict[str, Callable[[Page, Cast], None]] = {
    "life": life, "day": day, "place": place, "firm": firm, "letter": letter, "talk": talk, "game": game,
}
SHARES = {"life": 6, "game": 5, "day": 2, "place": 2, "firm": 2, "letter": 2, "talk": 2}
KIND_DECK = tuple(kind for kind, share in SHARES.items() for _ in range(share))
