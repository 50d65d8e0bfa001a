"""The words of the templates with their part of speech, and the forms of their verbs; `syntax` applies it.

Tags are the universal ones of Nivre et al. (2016, LREC). Where a word can have several, LEXICON gives the common one and
CONTEXTS the places of the others. Conventions that treebanks do not share: "when", "where", "how" are ADV throughout;
possessive pronouns are PRON; "be" is AUX except after "there"; particles ("took over") are ADP.
"""

import re

from .facts import TRADES

WORDS = {
    "DET": "a an the all another any both each every no some half this",
    "ADP": "about above across after against as at before beside between behind by except for from in instead into like of "
           "off on over since than through to under until with without up out",
    "CCONJ": "and but or yet",
    "SCONJ": "that because although though unless while",
    "PART": "not 's",
    "INTJ": "please",
    "PUNCT": '! " , . : ?',
    "NUM": "four nine one seven ten three twenty two thousand",
    "PRON": "i me my you your yours he him his she her it its they them their who whom whose which what whoever whatever "
            "anything everybody everything nobody nothing somebody something those others",
    "ADV": "again always apart away back badly best daily down early else enough even ever everywhere far finally first "
           "here how just late later less luckily meanwhile more mostly never next now often once only right slowly so "
           "soon still suddenly then there together tomorrow too twice very well when where",
    "ADJ": "angry asleep better big borrowed broken clean clever cleverest crooked dangerous dear dry empty fattest "
           "favourite few glad good great green guilty happy kind large last lazy little long loud lucky many nearest new "
           "noisy old oldest open other own poor proud quiet quieter rich same sad second sharp small strict strong sure "
           "tired untidy upset warm whole wide wrong yearly usual secret",
    "NOUN": "adventure air animal babies baby band bath bed bell bells bet birds birth birthday birthplace biscuits boat "
            "book boxes bread bus business cake candle canteen car cards case cat cellar chair charge chess child children "
            "clock coffee coin coins country court cradle crown customer customers dark day desk director dishes doctor "
            "door driver employer end enemy evening eyes fair family father football founder friend friends game garden "
            "ghost glass goodbye gossip grandmother greetings hair halls handshake hat head help home hour house job kiss "
            "knees lamp letter letters life living loser lovers love lunch market marks mayor meeting mess middle "
            "money morning mother mugs music name neighbour neighbours newspaper night noise noon nose offices opinions "
            "page paint painting payroll people place portrait postman prize quarrel quiz race rain reporter riddle rival "
            "rivals river road roads roof roofs room school shoes sleeves smell snowballs soap song songs soup spring stair "
            "station steps storm story stranger street string summer sun supper table tea thanks thieves time times toast "
            "town toys train umbrella visitor visitors wages wall weather wedding week weekend window windows winner winter "
            "witness word worker workers year years way turn wind pet pen course instrument world trade work sound",
    "AUX": "am are is was were be been being do does did has have had can could may should will would",
}
# Lemma; then past and participle where they do not end in -ed; "stop-p" doubles its last consonant.
PARADIGMS = """
    answer, argue, ask, base, bear bore born, beat beat beaten, become became become, begin began begun, believe, belong,
    borrow, break broke broken, bring brought brought, build built built, burn, bury, buy bought bought, call, care,
    carry, catch caught caught, chase, cheer, clean, collect, come came come, complain, cook, copy, cost cost cost, count,
    cry, dig-g dug dug, disappear, discover, dream, drink drank drunk, earn, eat ate eaten, empty, fall fell fallen, feel
    felt felt, fight fought fought, find found found, flood, follow, found, get got got, give gave given, go went gone,
    greet, grow grew grown, hang hung hung, happen, hate, hear heard heard, hide hid hidden, hire, hold held held, hope,
    hug-g, hum-m, hunt, invite, join, keep kept kept, knock, know knew known, laugh, lay laid laid, lead led led, leak,
    lean, learn, leave left left, lend lent lent, lie lay lain, like, listen, live, lock, look, lose lost lost, love, make
    made made, mean meant meant, meet met met, miss, move, name, need, nod-d, notice, offer, open, oversleep overslept
    overslept, owe, own, pass, pay paid paid, play, point, polish, practise, prefer-r, print, promise, pull, rain, read
    read read, remember, rent, repeat, ring rang rung, run ran run, say said said, search, see saw seen, sell sold sold,
    send sent sent, settle, share, show showed shown, sing sang sung, sit sat sat, sleep slept slept, smell, snow, sound,
    spell, stand stood stood, stare, start, stay, stop-p, swim swam swum, take took taken, talk, taste, tell told told,
    thank, think thought thought, trade, understand understood understood, unpack, visit, wait, wake woke woken, walk,
    want, wash, watch, wave, whistle, win-n won won, work, write wrote written
"""
IRREGULAR = {  # form -> (lemma, form's name)
    "am": ("be", "present"), "are": ("be", "present"), "is": ("be", "third"), "was": ("be", "past"), "were": ("be", "past"),
    "be": ("be", "base"), "been": ("be", "participle"), "being": ("be", "ing"),
    "have": ("have", "base"), "has": ("have", "third"), "had": ("have", "past"),
    "do": ("do", "base"), "does": ("do", "third"), "did": ("do", "past"), "done": ("do", "participle"),
    "found": ("find", "past"), "lay": ("lay", "base"),  # also "to found" and "lie" in the past, which no sentence has
    **{modal: (modal, "modal") for modal in "can could may might must shall should will would".split()},
}


_ROWS = tuple(row.strip() for row in PARADIGMS.split(","))


def _forms(row: str) -> dict[str, tuple[str, str]]:
    """Every form of a verb with its lemma and name; of forms that are spelled alike, the first of base, third, past, ..."""
    first, *others = row.split()
    lemma, _, doubled = first.partition("-")
    stem = lemma + doubled
    regular = lemma + "d" if lemma.endswith("e") else lemma[:-1] + "ied" if re.search("[^aeiou]y$", lemma) else stem + "ed"
    past, participle = others or (regular, regular)
    third = lemma[:-1] + "ies" if re.search("[^aeiou]y$", lemma) else lemma + ("es" if re.search("(s|sh|ch|o)$", lemma) else "s")
    ing = lemma[:-1] + "ing" if lemma.endswith("e") else stem + "ing"
    named = (("ing", ing), ("participle", participle), ("past", past), ("third", third), ("base", lemma))
    return {form: (lemma, name) for name, form in named}


def _participle(row: str) -> tuple[str, str]:
    """The participle of a verb and its lemma."""
    lemma = row.split()[0].partition("-")[0]
    if len(row.split()) > 1:
        return row.split()[2], lemma
    return next(form for form, (_, name) in _forms(row).items() if name == "past"), lemma


VERBS = {form: parts for row in _ROWS for form, parts in _forms(row).items()} | IRREGULAR
PARTICIPLES = {past: lemma for row in _ROWS for past, lemma in [_participle(row)]} | {"been": "be", "had": "have", "done": "do"}
LEXICON = {form: "VERB" for form in VERBS}
VERBS = {form: (trade.make, name) for trade in TRADES for form, name in (
    (trade.made, "past"), (trade.makes, "third"), (trade.make, "base"))} | VERBS
LEXICON |= {word: tag for tag, words in WORDS.items() for word in words.split()}

# Words with several tags: the first pattern that is found gives the tag. A pattern meets the sentence in small letters, its tokens
# joined by single spaces, and "_" in the place of the word itself.
CONTEXTS = {word: tuple((re.compile(pattern), tag) for pattern, tag in rules) for word, rules in {
    "that": ((r"(what is|is|but|and) _ (is|under)|(^|\? |\" )_ (is|was) |is _ \w+ , my", "PRON"), (r"is _ noise", "DET"),
             (r"(^the first coin|letter from [\w ]+|town|village|port|firm|company|business) _ ", "PRON")),
    "like": ((r"(i|would|does not|and \w+) _ ", "VERB"),),
    "as": ((r"_ (green|noisy|proud|old|clever)", "ADV"),
           (r"_ (he|she|it|they|you|i) |_ an? [\w ]+ (does|should)|_ \w+( \w+)? and \w+", "SCONJ")),
    "for": ((r", _ (i am|an? [\w ]+ has|the \w+ was)", "SCONJ"),),
    "until": ((r"_ the neighbours knock", "SCONJ"),),
    "there": ((r"_ (is|was|were) |is _ ", "PRON"),),
    "only": ((r"(the|one) _ |has _ one enemy", "ADJ"),),
    "best": ((r"the _ \.", "NOUN"), (r"('s|my|the|his|her) _ ", "ADJ")),
    "first": ((r"at _ ", "ADV"), (r"", "ADJ")),
    "next": ((r"", "ADJ"),),
    "far": ((r"is (not )?_ from", "ADJ"),), "late": ((r"is never _ ", "ADJ"),),
    "one": ((r"quiet _ ", "NOUN"), (r"does _ listen", "PRON")),
    "little": ((r"^_ happens", "PRON"), (r"a _ ", "ADV")),
    "home": ((r"(walks?|went|goes|bring|take) _ ", "ADV"),),
    "half": ((r"^_ of", "NOUN"),), "yet": ((r"not _ ", "ADV"),),
    "all": ((r"_ of|knew _ |(knows|read|printed) it _ ", "PRON"),),
    "what": ((r"_ animal", "DET"),), "which": ((r"_ town", "DET"),),
    "kind": ((r"the _ (of|had|in)", "NOUN"),), "trade": ((r"they _ ", "VERB"),), "open": ((r"to _ ", "VERB"),),
    "love": ((r"would _ ", "VERB"),), "empty": ((r"can _ ", "VERB"),),
    "leak": ((r"a _ ", "NOUN"),), "smell": ((r" of [\w ]+ _ of", "VERB"),),
    "borrowed": ((r"_ some", "VERB"),), "broken": ((r"been _ ", "VERB"),), "lost": ((r"(be|gets) _ ", "ADJ"),),
    "work": ((r"i _|to _|still _|does [\w ]+ _ ", "VERB"),),
}.items()}
