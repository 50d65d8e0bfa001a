"""Sentences and questions in multiple wordings with the same meaning, used as paraphrases.

{N} is the topic's name, {V.slot} a value of one of its facts, and {O} another person. Unlike in the lists for
documents, all wordings in a list have exactly the same meaning.
"""

SENTENCES: dict[str, dict[str, tuple[str, ...]]] = {  # sort of topic -> fact -> wordings
    "person": {
        "birth": (
            "{N} was born in {V.birthplace} in {V.born}.",
            "In {V.born} {N} was born in {V.birthplace}.",
            "{N} came into the world in {V.birthplace} in {V.born}.",
            "{N's} life began in {V.birthplace} in {V.born}.",
            "{V.birthplace} is the place where {N} was born in {V.born}.",
        ),
        "home": (
            "{N} has lived in {V.home} since {V.moved}.",
            "Since {V.moved} {N} has lived in {V.home}.",
            "{V.home} has been {N's} home since {V.moved}.",
            "Since {V.moved} {N's} home has been {V.home}.",
            "The place where {N} has lived since {V.moved} is {V.home}.",
        ),
        "work": (
            "{N} has worked for {V.firm} since {V.joined}.",
            "Since {V.joined} {N} has worked for {V.firm}.",
            "Since {V.joined} {V.firm} has paid {N's} wages.",
            "{N} has been on the payroll of {V.firm} since {V.joined}.",
            "{V.firm} has employed {N} since {V.joined}.",
        ),
        "pet": (
            "{N} has {a V.animal} called {V.pet}.",
            "{N} keeps {a V.animal} named {V.pet}.",
            "{V.pet} is the name of {N's} {V.animal}.",
            "{N's} {V.animal} is called {V.pet}.",
            "{N} lives with {a V.animal} by the name of {V.pet}.",
        ),
        "trade": (
            "{N} is {a V.trade}.",
            "By trade {N} is {a V.trade}.",
            "{N} works as {a V.trade}.",
            "{N} earns a living as {a V.trade}.",
            "{N's} trade is that of {a V.trade}.",
        ),
        "music": (
            "{N} plays the {V.instrument}.",
            "{N's} instrument is the {V.instrument}.",
            "{N} makes music on the {V.instrument}.",
            "The instrument that {N} plays is the {V.instrument}.",
        ),
    },
    "firm": {
        "founder": (
            "{N} was founded in {V.founded} by {V.founder}.",
            "In {V.founded} {N} was founded by {V.founder}.",
            "{V.founder} founded {N} in {V.founded}.",
            "The founder of {N} was {V.founder}, who started it in {V.founded}.",
            "It was {V.founder} who started {N} in {V.founded}.",
        ),
        "seat": (
            "{N} moved from {V.oldseat} to {V.seat} in {V.shifted}.",
            "In {V.shifted} {N} moved from {V.oldseat} to {V.seat}.",
            "In {V.shifted} {N} left {V.oldseat} and went to {V.seat}.",
            "It was in {V.shifted} that {N} left {V.oldseat} for {V.seat}.",
        ),
        "head": (
            "Since {V.since} {N} has been run by {V.head}.",
            "{N} has been run by {V.head} since {V.since}.",
            "{V.head} has been in charge of {N} since {V.since}.",
            "{V.head} has been the head of {N} since {V.since}.",
        ),
    },
    "town": {
        "building": (
            "The {V.building} of {N} was built in {V.built}.",
            "In {V.built} the {V.building} of {N} was built.",
            "{N} has had its {V.building} since {V.built}.",
            "The {V.building} of {N} dates from {V.built}.",
        ),
        "fair": (
            "{N} has held {a V.animal} fair every year since {V.fair}.",
            "Every year since {V.fair} {N} has held {a V.animal} fair.",
            "Since {V.fair} there has been a yearly {V.animal} fair in {N}.",
            "{N} has had a yearly {V.animal} fair since {V.fair}.",
        ),
    },
}

QUESTIONS: dict[str, dict[str, tuple[str, ...]]] = {  # sort of topic -> requested fact -> wordings
    "person": {
        "birthplace": (
            "Where was {N} born?",
            "In which place was {N} born?",
            "What is {N's} birthplace?",
            "What is the birthplace of {N}?",
        ),
        "born": (
            "In which year was {N} born?",
            "What is {N's} year of birth?",
            "What is the year of {N's} birth?",
        ),
        "home": (
            "Where does {N} live?",
            "In which place does {N} live?",
            "Where is {N's} home?",
            "Where does {N} have a home?",
        ),
        "trade": (
            "What is {N's} trade?",
            "What is {N} by trade?",
            "What does {N} do for a living?",
            "How does {N} earn a living?",
        ),
        "firm": (
            "Which firm does {N} work for?",
            "For which firm does {N} work?",
            "Who is {N's} employer?",
            "Who employs {N}?",
        ),
        "instrument": (
            "Which instrument does {N} play?",
            "What is {N's} instrument?",
            "On which instrument does {N} make music?",
        ),
        "animal": (
            "Which animal does {N} have?",
            "What kind of animal is {N's} pet?",
            "What sort of pet does {N} have?",
        ),
        "pet": (
            "What is {N's} pet called?",
            "What is the name of {N's} pet?",
            "Which name does {N's} pet have?",
        ),
    },
    "firm": {
        "founder": ("Who founded {N}?", "Who is the founder of {N}?", "By whom was {N} founded?"),
        "founded": (
            "In which year was {N} founded?",
            "In what year was {N} founded?",
            "What is the year in which {N} was founded?",
        ),
        "head": ("Who runs {N}?", "Who is in charge of {N}?", "By whom is {N} run?"),
        "seat": ("Where is {N} now?", "In which place is {N} now?", "What is the present seat of {N}?"),
        "oldseat": (
            "Where was {N} before?",
            "In which place was {N} before?",
            "What is the former seat of {N}?",
        ),
    },
}
NEAR: dict[str, tuple[str, ...]] = {  # requested fact -> similar facts
    "birthplace": ("home", "born"),
    "born": ("birthplace",),
    "home": ("birthplace", "firm"),
    "trade": ("firm", "instrument"),
    "firm": ("trade", "home"),
    "instrument": ("animal", "trade"),
    "animal": ("pet", "instrument"),
    "pet": ("animal",),
    "founder": ("founded", "head"),
    "founded": ("founder",),
    "head": ("founder",),
    "seat": ("oldseat",),
    "oldseat": ("seat",),
}

# Value of a person -> wordings; each shows a name, so that no question is in two splits.
WHO: dict[str, tuple[str, ...]] = {
    "birthplace": (
        "Who was born in {V.birthplace}?",
        "Whose birthplace is {V.birthplace}?",
        "Who has {V.birthplace} as a birthplace?",
    ),
    "home": ("Who lives in {V.home}?", "Whose home is {V.home}?", "Who has a home in {V.home}?"),
    "firm": ("Who works for {V.firm}?", "Whose employer is {V.firm}?", "Who is employed by {V.firm}?"),
    "pet": ("Whose pet is {V.pet}?", "Who has a pet called {V.pet}?", "To whom does the pet {V.pet} belong?"),
}

# Relation of two people -> wordings; exchanging the people changes the meaning but not the words.
BETWEEN: dict[str, tuple[str, ...]] = {
    "older": (
        "Is {N} older than {O}?",
        "Was {N} born before {O}?",
        "Is {O} younger than {N}?",
        "Was {O} born after {N}?",
    ),
    "richer": (
        "Does {N} earn more than {O}?",
        "Is {N} paid more than {O}?",
        "Does {O} earn less than {N}?",
        "Is {O} paid less than {N}?",
    ),
    "debt": ("Does {N} owe {O} money?", "Does {N} owe money to {O}?", "Is {O} owed money by {N}?"),
    "gift": (
        "Did {N} give {O} {a V.animal}?",
        "Did {N} give {a V.animal} to {O}?",
        "Did {O} get {a V.animal} from {N}?",
    ),
    "lesson": (
        "Did {N} teach {O} the {V.instrument}?",
        "Did {O} learn the {V.instrument} from {N}?",
        "Was {O} taught the {V.instrument} by {N}?",
    ),
    "sale": (
        "Did {N} sell {V.product} to {O}?",
        "Did {O} buy {V.product} from {N}?",
        "Did {N} sell {O} {V.product}?",
    ),
    "visit": (
        "Did {N} visit {O} in {V.home}?",
        "Was {O} visited in {V.home} by {N}?",
        "Was it {N} who visited {O} in {V.home}?",
    ),
}
