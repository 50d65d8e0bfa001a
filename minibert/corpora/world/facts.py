"""What everybody in the generated world knows: what each trade makes, what each animal does, who plays what.

These facts hold in every document, so a model can learn them by heart; facts about single people are new each time.
"""

from typing import NamedTuple


class Trade(NamedTuple):
    """A trade with its verb: "a weaver weaves blankets on a loom, in a barn, among wool"."""

    trade: str
    tool: str
    make: str  # base form of the verb whose object is `product`
    makes: str
    made: str
    product: str  # a plural or a substance, so that it needs no article
    shop: str  # where the work is done
    stuff: str  # a substance, never a plural


class Animal(NamedTuple):
    """An animal and its habit, in the present and in the past."""

    animal: str
    habit: str
    habit_past: str


class Instrument(NamedTuple):
    """An instrument, who plays it, and the part of it that breaks."""

    instrument: str
    player: str
    part: str


def _table(kind: type, text: str) -> tuple:
    return tuple(kind(*(cell.strip() for cell in row.split("|"))) for row in text.strip().splitlines())


TRADES: tuple[Trade, ...] = _table(Trade, """
    baker        | oven     | bake    | bakes    | baked    | bread       | bakery    | dough
    tailor       | needle   | sew     | sews     | sewed    | coats       | workroom  | cloth
    carpenter    | saw      | build   | builds   | built    | tables      | workshop  | wood
    potter       | wheel    | shape   | shapes   | shaped   | bowls       | studio    | clay
    smith        | hammer   | forge   | forges   | forged   | gates       | smithy    | rust
    painter      | brush    | paint   | paints   | painted  | portraits   | gallery   | paint
    gardener     | spade    | plant   | plants   | planted  | roses       | garden    | soil
    fisher       | net      | catch   | catches  | caught   | herring     | harbour   | salt
    printer      | press    | print   | prints   | printed  | posters     | backroom  | ink
    weaver       | loom     | weave   | weaves   | wove     | blankets    | barn      | wool
    brewer       | barrel   | brew    | brews    | brewed   | beer        | brewery   | malt
    clockmaker   | lens     | repair  | repairs  | repaired | clocks      | parlour   | oil
    miller       | millstone | grind  | grinds   | ground   | flour       | mill      | grain
    cook         | ladle    | cook    | cooks    | cooked   | soup        | kitchen   | pepper
    writer       | pen      | write   | writes   | wrote    | novels      | study     | paper
    cheesemaker  | vat      | press   | presses  | pressed  | cheese      | dairy     | milk
    farmer       | plough   | dig     | digs     | dug      | potatoes    | farm      | mud
    photographer | camera   | take    | takes    | took     | photographs | darkroom  | dust
""")

ANIMALS: tuple[Animal, ...] = _table(Animal, """
    hen      | lays eggs             | laid eggs
    cow      | gives milk            | gave milk
    goat     | eats socks            | ate socks
    dog      | buries bones          | buried bones
    cat      | catches mice          | caught mice
    donkey   | carries sacks         | carried sacks
    horse    | pulls the cart        | pulled the cart
    parrot   | repeats secrets       | repeated secrets
    goose    | chases strangers      | chased strangers
    pig      | finds truffles        | found truffles
    rabbit   | digs holes            | dug holes
    owl      | hunts moths           | hunted moths
    pigeon   | brings letters        | brought letters
    magpie   | hides spoons          | hid spoons
""")

INSTRUMENTS: tuple[Instrument, ...] = _table(Instrument, """
    violin    | violinist    | bow
    drum      | drummer      | stick
    flute     | flautist     | mouthpiece
    trumpet   | trumpeter    | valve
    harp      | harpist      | string
    organ     | organist     | pipe
    piano     | pianist      | pedal
    guitar    | guitarist    | neck
    cello     | cellist      | spike
    banjo     | banjo player | peg
""")

OBJECTS = tuple((
    "hat key letter umbrella lantern kettle ladder purse watch glove basket scarf map whistle teapot mirror"
).split())
SPOTS = (  # where lost things are found
    "under the bed", "behind the stove", "in the well", "on the roof", "in the bread bin", "under the stairs",
    "behind the curtain", "in the flower pot", "on the windowsill", "between two books", "in the cake tin",
    "behind the church", "under the bridge", "in the hay",
)
MONTHS = tuple("January February March April May June July August September October November December".split())
WEEKDAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
BUILDINGS = tuple("bridge theatre school station museum windmill fountain bandstand".split())
