"""The words of the templates with their part-of-speech tags, and the forms of the verbs.

Tags are the universal ones of Nivre et al. (2016, LREC). If a word can have several tags, LEXICON gives the
common one and CONTEXTS lists where the others apply. Some conventions differ between treebanks; here "when",
"where" and "how" are always ADV, possessive pronouns are PRON, "be" is AUX except after "there", and
particles ("took over") are ADP.
"""

import re

from .facts import TRADES

WORDS = {
    "DET": "a all an another any both each every half no some the this",
    "ADP": "about above across after against along among around as at before behind below beside between by "
    "except for from in inside instead into like near of off on onto out over past since than "
    "through to towards under until up with without",
    "CCONJ": "and but nor or yet",
    "SCONJ": "although because if that though unless while",
    "PART": "'s not",
    "INTJ": "hello please",
    "PUNCT": '! " , . : ?',
    "NUM": "eight eleven fifteen fifty five forty four nine one seven six ten thirty thousand three twelve "
    "twenty two",
    "PRON": "anybody anything everybody everything he her him his i it its itself me mine my myself neither "
    "nobody none nothing others she somebody something their them they those us we what whatever "
    "which who whoever whom whose you your yours",
    "ADV": "again almost already always apart away back badly besides best daily down early else enough "
    "even ever everywhere exactly far finally first happily here how just kindly late later least "
    "less loudly luckily meanwhile more moreover most mostly much nearly nervously never next north "
    "now often once only outside quickly quietly rather right sadly slowly so soon south still "
    "suddenly then there therefore today together tomorrow too twice underneath uphill upside very "
    "well when where why",
    "ADJ": """
    afraid angry asleep bad beautiful better big black blue blunt bored borrowed bright broken burnt cheap
    clean clear clever cleverest cold colder crooked cruel dangerous dear deep delicious different dry easy
    empty expensive fallen famous fast fastest fattest favourite few fewer flat flooded forbidden free fresh
    friendly full glad golden good great greatest green grey guilty happy hard heavy helpful high higher
    hoarse hollow hot huge hungry innocent kind large larger largest last lazy little locked long longer loose
    loud louder lovely low lucky many melted missing muddy narrow nearest new ninth noisy old older oldest
    open other own pale polite poor proud quiet quieter red rich rough rude runaway rusty sad same seasick
    second secret shallow sharp short shorter sick silver single slow slowest small smaller smallest smooth
    soft softer sore sorry stolen straight strict striking strong stronger such sure sweet tall thick thin
    third thirsty tired uncomfortable untidy upper upset usual valid warm wet white whole wide winning
    wonderful wooden worse worst wrong yearly yellow young
    """,
    "NOUN": """
    account aces addition adventure air anchor animal apple arms army ashes audience aunt autograph autumn
    babies baby backs bag bags balcony ball band bank banks bark barks bat bath bathtubs bats beach beak beam
    beans beards bed bedroom beech beetles bell bells berries bet bicycle birch bird birds birth birthday
    birthplace biscuits blackboard blades blanket blankets blossoms board boat boats bone book boots bottle
    bottles bottom box boxer boxes branch branches bread breakfast breath bridge bucket buckets builders
    building bulb bulbs bus buses business butter button cabin cable cake candle candles canteen captain car
    card cards carpenter carpet carpets cart case castle cat cave ceiling cellar cellars centimetres chair
    chairs charge cheering cherry chess child childhood children chimney chimneys choir church clapping
    classroom clerk clock cloud clouds club coat coats coconut coffee coin coins colour company concert
    conductor contest contract cook corner country course court cow crack cradle crane cranes crates creature
    crowd crown cup current curtain curtains cushions customer customers daffodils dam dance dark dates day
    days deal dealer deck decks desert desk dessert director dirt dishes docks doctor document dog dogs door
    doors dot drains drawer dresses driver drivers drop duck ducks dustbins ears eggs elephant elephants
    employer end enemy engine envelope evening exam eye eyes face fair family fan fans father feather feet
    fence fences ferry fiddler field fighters file film films finger fingers finishing fire firefighters
    fireplace firewood fish fishermen fist flame flames flight flippers flock floor flowers foam foot football
    footprint forester fork forks fortune founder fridge friend friends front frost fur furniture game garden
    gardener gardens gate ghost glass glasses gloves goal gold goodbye gossip grandmother grass greetings
    ground growl guard guest guests gulls hair hall halls hammer hand handle hands handshake harbour hat hats
    head heads heart hearts heat help herbs hill hills hole holiday home homework honey hook horse hose hotels
    hour hours house hurry hyacinth ice inch inches innings instrument interest island ivory jam jams jar jars
    jeweller job jokers judges keeper key king kingdom kiss kitchen knees knives ladder ladybird lake lamp
    land lanes lashes leaf leather leg legs lemon lemonade lesson lessons letter letters lid life light lilies
    line lines lion lips listeners living load loaf loan lock loft log lorries lorry loser losers love lovers
    lunch machine magician mark market marks marsh match matches mattress mayor medal meeting memory menu mess
    metal middle midnight mile mind mint mints mirror money month moon morning moss moth mother motorway
    mountain mountains mouse mud mugs music nail nails name names neck neighbour neighbours nest newspaper
    night nights noise noon nose note notes number numbers oak offices oil onion opening opinions optician owl
    owner owners page paint painting pair palace palm palms pancakes paper papers parrot parsley part
    passengers paws payroll peanuts peas pen pencil pennies people person pet petrol photographers piano
    picture pie piece pieces pillow pillows pine place plans plate platform players pleasure plums pocket
    pockets police polish pool porter portrait posters postman pot potatoes pound power present price prize
    pumpkin pumpkins punch pupil pupils puppy quarrel queen question quiz race radio rain raspberry receipt
    record reeds referee reporter rest ribbon riddle ring rings rival rivals river road roads rocks roof roofs
    room roots rope roses round row rubber rubbish ruler rulers runner runners sailor sailors sails salad salt
    sand savings scarves school scissors score screws sea seal seals seat seats seeds shade shadow sheep
    shells ship shirt shoe shoes shops shower side signs silence singer singers sink site skin sky sleeves
    slice smell smile smoke snow snowballs soap socks sofa soil soldiers song songs sound soup spade spades
    spark speech speed splash spoon spoons spring springs stadium staff stage stair stairs star stars starting
    station steel steps stone stones storm story stove stranger straw stream street strike string sugar
    suitcase sulphur sum summer summers sun sunlight sunset supper swallows swan swimmers swimming switch
    table tables tail taxes tea teacher team teams tear telescope teller tests thanks thief thieves thing
    throne thumb thunder tickets tide time times tip toast touch towel tower town toy toys trade train tree
    trees trumpets trunk trunks tulip tulips tune turn umbrella uncle valley view visitor visitors voices
    wages waiter waiters wall warning watchdog water wave waves wax way weather wedding week weekend whiskers
    whistle willow wind window windows wings winner winter wire witness wood woodpecker word words work worker
    workers world year years zoo
    """,
    "AUX": "am are be been being can cannot could did do does had has have is may should was were will would",
}
# Lemma, then past and participle unless they end in -ed; "stop-p" doubles its last consonant.
PARADIGMS = """
    agree, answer, argue, arrest, arrive, ask, assemble, balance, base, bear bore born, beat beat beaten,
    become became become, begin began begun, believe, belong, bend bent bent, bite bit bitten, blame, block,
    blot-t, blow blew blown, boil, book, borrow, bounce, bow, box, break broke broken, bring brought brought,
    build built built, burn, burst burst burst, bury, buy bought bought, call, care, carry, catch caught
    caught, cause, change, chase, check, cheer, clap-p, clean, click, climb, close, collect, comb, come came
    come, complain, cook, cool, copy, cost cost cost, count, cover, creak, cross, crumple, cry, cut-t cut cut,
    dab-b, dance, deal dealt dealt, deserve, die, dig-g dug dug, dip-p, disappear, discover, dive, draw drew
    drawn, dream, drink drank drunk, drip-p, drive drove driven, drop-p, dry, earn, eat ate eaten, employ,
    empty, end, enjoy, escape, expect, fail, faint, fall fell fallen, fear, feel felt felt, fetch, fight
    fought fought, fill, find found found, finish, fit-t, flee fled fled, float, flood, fly flew flown, fold,
    follow, forbid-d forbade forbidden, forge, forget-t forgot forgotten, found, frighten, frown, fry, get got
    got, give gave given, glow, go went gone, greet, grow grew grown, handle, hang hung hung, happen, harvest,
    hate, hear heard heard, heat, help, hide hid hidden, hire, hiss, hit-t hit hit, hold held held, hoot,
    hop-p, hope, howl, hug-g, hum-m, hunt, hurt hurt hurt, inherit, invite, join, juggle, jump, keep kept
    kept, kick, knead, kneel knelt knelt, knock, know knew known, land, laugh, lay laid laid, lead led led,
    leak, lean, learn, leave left left, lend lent lent, let-t let let, lie lay lain, lift, light lit lit,
    like, listen, live, lock, look, lose lost lost, love, lower, make made made, mark, mean meant meant,
    measure, meet met met, melt, mend, mind, miss, mistake mistook mistaken, moisten, move, name, need, nod-d,
    notice, offer, open, order, oversleep overslept overslept, owe, own, pack, paint, pass, pay paid paid,
    peel, pick, plane, plant, play, point, polish, pour, practise, praise, prefer-r, press, prick, print,
    promise, pull, pump, put-t put put, quarrel, race, raid, rain, rake, rattle, read read read, refuse,
    remember, rent, repeat, return, ride rode ridden, ring rang rung, rise rose risen, roll, row, rub-b, run
    ran run, sail, save, say said said, scatter, score, scrape, scream, scrub-b, search, see saw seen, sell
    sold sold, send sent sent, settle, shake shook shaken, share, sharpen, shine shone shone, shout, shovel-l,
    show showed shown, shrink shrank shrunk, shuffle, shut-t shut shut, sing sang sung, sit sat sat, skim-m,
    sleep slept slept, slip-p, smear, smell, smile, snap-p, sneeze, sniff, snore, snow, soak, soften, sound,
    speak spoke spoken, spell, spend spent spent, splash, spread spread spread, sprinkle, squeak, stamp, stand
    stood stood, stare, start, stay, steal stole stolen, step-p, stick stuck stuck, stop-p, stretch, strike
    struck struck, study, suffer, sweat, sweep swept swept, swim swam swum, swing swung swung, switch, take
    took taken, talk, taste, tax, tear tore torn, tell told told, thank, thin-n, think thought thought, throw
    threw thrown, tie, toss, trade, travel-l, trim-m, trumpet, trust, try, turn, understand understood
    understood, unload, unpack, untangle, use, visit, wag-g, wait, wake woke woken, walk, want, warm, warn,
    wash, watch, water, wave, wear wore worn, weigh, wet-t wet wet, whistle, win-n won won, wipe, wish, work,
    write wrote written
"""
IRREGULAR = {  # form -> (lemma, form's name)
    "am": ("be", "present"),
    "are": ("be", "present"),
    "is": ("be", "third"),
    "was": ("be", "past"),
    "were": ("be", "past"),
    "be": ("be", "base"),
    "been": ("be", "participle"),
    "being": ("be", "ing"),
    "have": ("have", "base"),
    "has": ("have", "third"),
    "had": ("have", "past"),
    "do": ("do", "base"),
    "does": ("do", "third"),
    "did": ("do", "past"),
    "done": ("do", "participle"),
    "found": ("find", "past"),
    "lay": ("lie", "past"),  # these are never "to found" and "to lay"
    "saw": ("see", "past"),
    "sawed": ("saw", "past"),
    **{
        modal: (modal.removesuffix("not"), "modal")
        for modal in "can cannot could may might must shall should will would".split()
    },
}


_ROWS = tuple(row.strip() for row in PARADIGMS.split(","))


def _forms(row: str) -> dict[str, tuple[str, str]]:
    """Return {form: (lemma, name of the form)} for a verb.

    If forms have the same spelling, the name is the first of base, third, past, participle, ing.
    """
    first, *others = row.split()
    lemma, _, doubled = first.partition("-")
    stem = lemma + doubled
    regular = (
        lemma + "d"
        if lemma.endswith("e")
        else lemma[:-1] + "ied"
        if re.search("[^aeiou]y$", lemma)
        else stem + "ed"
    )
    past, participle = others or (regular, regular)
    third = (
        lemma[:-1] + "ies"
        if re.search("[^aeiou]y$", lemma)
        else lemma + ("es" if re.search("(s|sh|ch|x|o)$", lemma) else "s")
    )
    ing = (
        lemma[:-2] + "ying"
        if lemma.endswith("ie")
        else lemma[:-1] + "ing"
        if lemma.endswith("e")
        else stem + "ing"
    )
    named = (("ing", ing), ("participle", participle), ("past", past), ("third", third), ("base", lemma))
    return {form: (lemma, name) for name, form in named}


def _participle(row: str) -> tuple[str, str]:
    lemma = row.split()[0].partition("-")[0]
    if len(row.split()) > 1:
        return row.split()[2], lemma
    return next(form for form, (_, name) in _forms(row).items() if name == "past"), lemma


VERBS = {form: parts for row in _ROWS for form, parts in _forms(row).items()} | IRREGULAR
PARTICIPLES = {past: lemma for row in _ROWS for past, lemma in [_participle(row)]} | {
    "been": "be",
    "had": "have",
    "done": "do",
}
LEXICON = dict.fromkeys(VERBS, "VERB")
VERBS = {
    form: (trade.make, name)
    for trade in TRADES
    for form, name in ((trade.made, "past"), (trade.makes, "third"), (trade.make, "base"))
} | VERBS
LEXICON |= {word: tag for tag, words in WORDS.items() for word in words.split()}

# Words with several tags: the first pattern that matches gives the tag. Patterns are applied to the sentence
# in
# lowercase, with its tokens joined by single spaces and the word itself replaced by "_".
CONTEXTS = {
    word: tuple((re.compile(rf"(?<!\w)(?:{pattern})"), tag) for pattern, tag in rules)
    for word, rules in {
        "above": ((r"high _ ,", "ADV"),),
        "all": (
            (
                r"_ of |knew _ |(knows|read|printed) it _ |not _ ,|at _ |^_ in _?|in _ ,"
                r"|of _ ([.,]|the floor)",
                "PRON",
            ),
            (r"_ (over|through)", "ADV"),
        ),
        "along": ((r"sang _ ,", "ADV"),),
        "another": ((r"_ \.", "PRON"),),
        "around": ((r"signs _ \.", "ADV"),),
        "as": (
            (
                r"_ (green|noisy|proud|old|clever|high|hard|heavy|cold|large|far"
                r"|much|often|slowly|well|tall|if) "
                r"|_ (thick|flat) ",
                "ADV",
            ),
            (
                r"_ (he|she|it|they|you|i) |_ an? [\w ]+ (does|should)"
                r"|_ (?!an? )\w+( \w+)? (and \w+|does|saw) ",
                "SCONJ",
            ),
        ),
        "back": ((r"my _ ", "NOUN"),),
        "because": ((r"_ of ", "ADP"),),
        "before": ((r"us _ \.|ever _ \.", "ADV"), (r"_ (he|she) |_ [\w ]+ could", "SCONJ")),
        "behind": ((r"close _ ", "ADV"),),
        "below": ((r"from _ |^_ ,", "ADV"),),
        "best": ((r"the _ \.", "NOUN"), (r"it _ ", "ADV"), (r"('s|my|the|his|her) _ ", "ADJ")),
        "better": ((r"swam _ ", "ADV"),),
        "borrowed": ((r"_ some", "VERB"),),
        "both": ((r"in _ \.", "PRON"), (r"_ the ", "CCONJ")),
        "broken": ((r"(been|had|has|was) _ ", "VERB"),),
        "but": ((r"anything _ |_ for a ", "ADP"),),
        "by": ((r"floated _ ", "ADV"),),
        "call": ((r"'s _ ", "NOUN"),),
        "close": ((r"ran _ ", "ADV"),),
        "cold": ((r"the _ had", "NOUN"),),
        "cool": ((r"to _ ", "VERB"),),
        "dark": ((r"(was|stayed|very) _ ", "ADJ"),),
        "drink": ((r"good _ ", "NOUN"),),
        "dry": ((r"never _ ", "VERB"),),
        "each": ((r"of _ ", "PRON"),),
        "early": ((r"in _ ", "ADJ"),),
        "empty": ((r"can _ ", "VERB"),),
        "enough": ((r"_ firewood", "ADJ"),),
        "fair": ((r"(than|but|be) _ ", "ADJ"),),
        "far": ((r"is (not )?_ from", "ADJ"),),
        "fast": ((r"(so|too) _ ", "ADV"),),
        "fight": ((r"the _ ", "NOUN"),),
        "first": ((r"at _ |(filled|swim|wash|fire|hands) _ |^_ i |\" _ i |_ and ", "ADV"), (r"", "ADJ")),
        "flooded": ((r"_ (\w+ cellars|half)", "VERB"),),
        "for": ((r", _ (?!speed|two|help)", "SCONJ"),),
        "half": ((r"_ of", "NOUN"),),
        "help": ((r"to _ ", "VERB"),),
        "high": ((r"_ (up|above)", "ADV"),),
        "home": ((r"(walks?|went|go|goes|bring|take|came|way|rolled|carried) _ ", "ADV"),),
        "inside": ((r"the _ ", "NOUN"),),
        "kind": ((r"the _ (of|had|in)", "NOUN"),),
        "last": ((r"came _ ", "ADV"),),
        "late": ((r"(is|been|was) (never )?_ ", "ADJ"),),
        "leak": ((r"a _ ", "NOUN"),),
        "leaves": ((r"(the|few) _ (were|came|and)|the _ \.|(such|green) _ ", "NOUN"),),
        "left": ((r"_ (pupil|palm|boot)", "ADJ"),),
        "light": ((r"not _ ", "VERB"),),
        "like": ((r"(i|would|does not|and \w+) _ (?!new)", "VERB"),),
        "little": ((r"^_ happens", "PRON"), (r"a _ (?!shade|oil|song)", "ADV")),
        "lock": ((r"i _ ", "VERB"),),
        "locked": ((r"(was|were|nobody|had|has) (never )?_ ", "VERB"),),
        "long": ((r"so _ that|match too _ ", "ADV"),),
        "longer": ((r"no _ ", "ADV"),),
        "lost": ((r"(be|gets|got) _ ", "ADJ"),),
        "louder": ((r"(sang|them) _ ", "ADV"),),
        "love": ((r"would _ ", "VERB"),),
        "melted": ((r"(had|is) _ ", "VERB"),),
        "mind": ((r"not _ ", "VERB"),),
        "more": ((r"is _ ,|pay _ |one _ |_ (smoke|letters) |are _ ", "ADJ"),),
        "most": ((r"the _ ,", "ADJ"),),
        "much": ((r"_ (jam|water|sun)|(paid|takes) so _ |cost as _ ", "ADJ"),),
        "neither": ((r"_ can", "ADV"), (r"_ the ", "CCONJ")),
        "next": ((r"_ to the", "ADV"), (r"", "ADJ")),
        "no": ((r"said _ ", "INTJ"), (r"_ longer", "ADV")),
        "off": ((r"day _ \.", "ADV"),),
        "on": ((r"was _ \.", "ADV"),),
        "one": ((r"(quiet|new|this) _ ", "NOUN"), (r"does _ listen|_ (could|can|cannot|lets|rubs) ", "PRON")),
        "only": ((r"(the|one) _ ", "ADJ"),),
        "open": ((r"to _ |_ at noon", "VERB"),),
        "opening": ((r"while _ ", "VERB"),),
        "other": ((r"_ smiled|the _ \.", "NOUN"),),
        "out": ((r"was _ ,", "ADV"),),
        "over": ((r"(is|was) _ ( early)?", "ADV"),),
        "quarrel": ((r"they _ ", "VERB"),),
        "rain": ((r"to _ ", "VERB"),),
        "right": ((r"are _ ,|one _ ", "ADJ"),),
        "second": ((r"came _ ", "ADV"),),
        "silver": ((r"_ was", "NOUN"),),
        "since": ((r"_ \.", "ADV"), (r"_ (the cellars|the drawer|nobody|he|she) ", "SCONJ")),
        "smell": ((r"of [\w ]+ _ of|leaves _ ", "VERB"),),
        "some": ((r"_ of", "PRON"),),
        "sound": ((r"even \w+ _ sad", "VERB"),),
        "stolen": ((r"ever _ ", "VERB"),),
        "straight": ((r"_ into", "ADV"),),
        "than": ((r"_ i d|_ [\w ]+ had ", "SCONJ"),),
        "that": (
            (r"^after _ |^_ is why|found _ |bulb _ |and _ (made|was) |even _ \.", "PRON"),
            (r"than _ choir|warm _ year", "DET"),
            (r"(what is|is|but|and) _ (is|under)|(^|\? |\" )_ (is|was) |is _ \w+ , my", "PRON"),
            (r"is _ noise", "DET"),
            (r"(^the first coin|letter from [\w ]+|town|village|port|firm|company|business) _ ", "PRON"),
        ),
        "there": (
            (r"(skin|up) _ |_ (is|was) \.", "ADV"),
            (r"_ (is|are|was|were|has been|had been) |is _ ", "PRON"),
        ),
        "trade": ((r"they _ ", "VERB"),),
        "until": ((r"_ (the neighbours|the spoons|the bell|the frost|his|her) ", "SCONJ"),),
        "up": ((r"were _ |light _ |(is|was) (asleep|awake|high) _ ", "ADV"),),
        "warm": ((r"to _ ", "VERB"),),
        "well": ((r"no _ ", "NOUN"),),
        "wet": ((r"rocks and _ ", "VERB"),),
        "what": ((r"_ animal", "DET"),),
        "which": ((r"_ town", "DET"),),
        "whistle": ((r"to _ ", "VERB"),),
        "work": ((r"way to _ ", "NOUN"), (r"i _|to _|still _|does [\w ]+ _ ", "VERB")),
        "yet": ((r"not _ |_ ,", "ADV"),),
    }.items()
}
