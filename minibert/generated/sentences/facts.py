"""Common knowledge in the generated world: trades, animals and instruments, and what belongs to them.

These facts hold in every document, so a model can memorise them; facts about people are new in each document.
No word belongs to two rows. Ambiguous words are in `senses.py`.
"""

from typing import NamedTuple


class Trade(NamedTuple):
    """A trade with its verbs and nouns.

    Example: "A weaver untangles the wool, weaves blankets on a loom in a barn, and sees threads."
    """

    trade: str
    tool: str
    make: str  # base form of the verb whose object is `product`
    makes: str
    made: str
    product: str  # a plural or a substance, so that it needs no article
    shop: str  # where the work is done
    stuff: str  # a substance, never a plural
    bits: str  # a plural: what one sees, counts and dreams of in this trade
    handles: str  # third person of the verb whose object is "the" `stuff`


class Animal(NamedTuple):
    """An animal with its habit (in present and past tense), food, home and young."""

    animal: str
    habit: str
    habit_past: str
    food: str  # a plural or a substance
    den: str
    young: str


class Instrument(NamedTuple):
    """An instrument with its player, the part that breaks, and its music (a plural noun)."""

    instrument: str
    player: str
    part: str
    tune: str


def _table(kind: type, text: str) -> tuple:
    return tuple(kind(*(cell.strip() for cell in row.split("|"))) for row in text.strip().splitlines())


TRADES: tuple[Trade, ...] = _table(
    Trade,
    """
    baker       |oven     |bake    |bakes    |baked    |bread      |bakery    |dough  |crumbs   |kneads
    tailor      |needle   |sew     |sews     |sewed    |coats      |workroom  |cloth  |buttons  |folds
    carpenter   |workbench|build   |builds   |built    |tables     |workshop  |wood   |planks   |planes
    potter      |wheel    |shape   |shapes   |shaped   |bowls      |studio    |clay   |handles  |moistens
    smith       |hammer   |forge   |forges   |forged   |gates      |smithy    |rust   |horseshoes|scrapes
    painter     |brush    |paint   |paints   |painted  |portraits  |gallery   |varnish|frames   |thins
    gardener    |spade    |plant   |plants   |planted  |roses      |garden    |soil   |weeds    |rakes
    fisher      |net      |catch   |catches  |caught   |herring    |trawler   |salt   |hooks    |scatters
    printer     |press    |print   |prints   |printed  |posters    |backroom  |ink    |headlines|blots
    weaver      |loom     |weave   |weaves   |wove     |blankets   |barn      |wool   |threads  |untangles
    brewer      |barrel   |brew    |brews    |brewed   |beer       |brewery   |malt   |corks    |soaks
    clockmaker  |lens     |repair  |repairs  |repaired |clocks     |parlour   |oil    |cogs     |dabs
    miller      |millstone|grind   |grinds   |ground   |flour      |mill      |grain  |husks    |weighs
    cook        |ladle    |cook    |cooks    |cooked   |soup       |kitchen   |pepper |onions   |sprinkles
    writer      |pen      |write   |writes   |wrote    |novels     |study     |paper  |drafts   |crumples
    cheesemaker |vat      |ripen   |ripens   |ripened  |cheese     |dairy     |milk   |rinds    |skims
    farmer      |plough   |dig     |digs     |dug      |potatoes   |farmyard  |mud    |sacks    |shovels
    photographer|camera   |take    |takes    |took     |photographs|darkroom  |dust   |albums   |wipes
    shoemaker   |awl      |stitch  |stitches |stitched |boots      |booth     |leather|laces    |softens
    glassblower |furnace  |blow    |blows    |blew     |vases      |glassworks|sand   |splinters|melts
    beekeeper   |hive     |harvest |harvests |harvested|honey      |orchard   |wax    |bees     |warms
    candlemaker |mould    |dip     |dips     |dipped   |candles    |attic     |tallow |wicks    |pours
    roofer      |scaffold |fasten  |fastens  |fastened |slates     |yard      |tar    |tiles    |spreads
    mason       |chisel   |carve   |carves   |carved   |statues    |quarry    |plaster|blocks   |polishes
    bookbinder  |clamp    |bind    |binds    |bound    |atlases    |bindery   |glue   |pages    |smears
    ropemaker   |crank    |twist   |twists   |twisted  |ropes      |boathouse |hemp   |knots    |combs
    toymaker    |lathe    |whittle |whittles |whittled |puppets    |playroom  |sawdust|strings  |sweeps
    locksmith   |drill    |fit     |fits     |fitted   |locks      |arcade    |grease |bolts    |heats
    pharmacist  |mortar   |mix     |mixes    |mixed    |remedies   |pharmacy  |powder |labels   |measures
    mapmaker    |compass  |draw    |draws    |drew     |charts     |tower     |chalk  |scrolls  |sharpens
    soapmaker   |cauldron |boil    |boils    |boiled   |soap       |washhouse |perfume|bubbles  |sniffs
    mechanic    |spanner  |assemble|assembles|assembled|bicycles   |garage    |rubber |spokes   |stretches
""",
)

ANIMALS: tuple[Animal, ...] = _table(
    Animal,
    """
    hen      | lays eggs           | laid eggs           | corn       | coop       | chick
    cow      | kicks buckets       | kicked buckets      | clover     | byre       | calf
    goat     | eats socks          | ate socks           | brambles   | shed       | kid
    dog      | buries bones        | buried bones        | sausages   | kennel     | puppy
    cat      | hunts mice          | hunted mice         | cream      | cushion    | kitten
    horse    | pulls the cart      | pulled the cart     | oats       | stable     | foal
    parrot   | repeats secrets     | repeated secrets    | crackers   | cage       | nestling
    goose    | chases strangers    | chased strangers    | grass      | meadow     | gosling
    pig      | finds truffles      | found truffles      | acorns     | sty        | piglet
    rabbit   | digs holes          | dug holes           | lettuce    | hutch      | bunny
    owl      | stares at moths     | stared at moths     | beetles    | belfry     | owlet
    pigeon   | brings messages     | brought messages    | peas       | loft       | squab
    magpie   | hides spoons        | hid spoons          | berries    | nest       | fledgling
    sheep    | trims hedges        | trimmed hedges      | turnips    | fold       | lamb
    duck     | splashes guests     | splashed guests     | snails     | pond       | duckling
    hedgehog | pricks fingers      | pricked fingers     | worms      | woodpile   | hoglet
    squirrel | climbs curtains     | climbed curtains    | hazelnuts  | treetop    | kit
    frog     | hops over chairs    | hopped over chairs  | gnats      | puddle     | tadpole
    tortoise | wins races          | won races           | dandelions | greenhouse | hatchling
    peacock  | screams at clouds   | screamed at clouds  | millet     | lawn       | peachick
    swan     | hisses at boats     | hissed at boats     | waterweed  | lake       | cygnet
    fox      | raids bins          | raided bins         | grapes     | burrow     | cub
    otter    | juggles pebbles     | juggled pebbles     | trout      | riverbank  | pup
    deer     | jumps fences        | jumped fences       | moss       | thicket    | fawn
""",
)

INSTRUMENTS: tuple[Instrument, ...] = _table(
    Instrument,
    """
    violin    | violinist     | bow        | waltzes
    drum      | drummer       | skin       | marches
    flute     | flautist      | headjoint  | lullabies
    trumpet   | trumpeter     | mouthpiece | fanfares
    harp      | harpist       | pillar     | nocturnes
    organ     | organist      | blower     | fugues
    piano     | pianist       | soundboard | sonatas
    guitar    | guitarist     | neck       | ballads
    cello     | cellist       | spike      | elegies
    banjo     | banjoist      | tailpiece  | jigs
    clarinet  | clarinettist  | reed       | rondos
    accordion | accordionist  | strap      | polkas
    saxophone | saxophonist   | ligature   | tangos
    bassoon   | bassoonist    | crook      | minuets
    xylophone | xylophonist   | mallet     | quicksteps
    mandolin  | mandolinist   | plectrum   | serenades
""",
)

OBJECTS = tuple(
    (
        "hat key letter umbrella lantern kettle diary purse watch glove basket scarf map whistle teapot "
        "mirror suitcase telescope notebook medal ticket slipper corkscrew trophy"
    ).split()
)
SPOTS = (  # where lost things are found
    "under the bed",
    "behind the stove",
    "in the well",
    "on the roof",
    "beside the coal bucket",
    "under the stairs",
    "behind the curtain",
    "beside the flower pot",
    "on the windowsill",
    "behind the books",
    "behind the cake tin",
    "behind the church",
    "under the bench",
    "in the laundry",
    "in the wheelbarrow",
    "on the doormat",
    "behind the wardrobe",
    "beside the left boot",
)
MONTHS = tuple(
    "January February March April May June July August September October November December".split()
)
WEEKDAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
BUILDINGS = tuple(
    "theatre school station museum windmill library lighthouse courthouse granary ballroom".split()
)
NUMBERS = tuple(
    "three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty".split()
)
