"""Sentences about places and firms, and about the people who belong to them.

PLACE uses the slots of `sorts.TOWN`, FIRM those of `sorts.FIRM`, and LOCAL those of `sorts.PERSON`, with the
town as home. TELL states a fact, and AGAIN repeats it. `side` is always the direction from a place to its
neighbour `near`.
"""

PLACE_TELL = {
    "river": [
        "{X} is a small {sort} on the river {river}.",
        "The {sort} of {N} lies on the river {river}.",
        "{X} is a {sort} where the river {river} makes a wide turn.",
        "{X} is a quiet {sort}, and the river {river} runs right through it.",
        "People built the {sort} of {N} beside the river {river} and hoped for the best.",
        "{X} is an old {sort} that owes everything to the river {river}.",
        "The river {river} makes a turn and meets {N}, a {sort} with red roofs.",
    ],
    "near": [
        "It is an hour by bus from {N} to {near}.",
        "{X} lies on the road that leads {side} to {near}.",
        "{X} has {near} as its nearest neighbour, to the {side}.",
        "The only road out of {N} goes {side} to {near}.",
        "{X} is not far from {near}.",
        "{X} shares a doctor with {near}.",
    ],
    "building": [
        "{X} has had {a building} since {built}.",
        "In {built} the people of {N} built {a building}.",
        "{X} is proud of its {building}, which was built in {built}.",
        "{X} got its {building} in {built}, after a long quarrel.",
        "The {building} of {N} was opened in {built}.",
        "A rich stranger gave {N} {a building} in {built}.",
    ],
    "fair": [
        "Every year since {fair} {X} has held a fair where every {animal} gets an apple.",
        "{X} has held {a animal} fair every year since {fair}.",
        "The first {animal} fair in {N} took place in {fair}.",
        "In {fair} {a animal} became mayor of {N} for a day, and a yearly fair began.",
        "{X} has been known for its {animal} fair since {fair}.",
        "{X} held its first fair in {fair} and gave a crown to the fattest {animal}.",
    ],
}

PLACE_AGAIN = {
    "river": [
        "In spring the {river} floods half of {N}, and the children cheer.",
        "The children of {N} learn to swim in the {river}.",
        "People say that the {river} is too lazy to be dangerous.",
        "Every boat on the {river} has a name and a leak.",
        "Once a year the whole {sort} runs a race along the {river}.",
        "No boat on the {river} has ever passed {N} without a wave.",
        "{X} looks best from a boat on the {river}.",
        "They say that whoever drinks from the {river} comes back to {N}.",
    ],
    "near": [
        "In {near} they say that {N} is asleep by nine.",
        "A bus to {near} leaves twice a day, unless the driver is tired.",
        "People from {near} come to {N} for the bread and the gossip.",
        "Nobody from {near} has ever won at cards in {N}.",
        "The road {side} to {near} has never had a straight mile.",
        "Every winter {N} and {near} fight with snowballs.",
        "The wind from {near} brings the sound of bells to {N}.",
    ],
    "building": [
        "The {building} has leaned a little since {built}.",
        "Nobody in {N} knows who drew the plans of the {building} in {built}.",
        "The paint on the {building} is still from {built}.",
        "Lovers in {N} meet at the {building} after dark.",
        "There is no better {building} than the one in {N}.",
        "In {N} all roads lead to the {building}.",
        "The {building} leaks, as it has done since {built}.",
    ],
    "fair": [
        "The oldest guest of the {animal} fair remembers {fair}.",
        "At the fair in {N} a child always falls asleep beside {a animal}.",
        "No {animal} has slept well on the day of the fair since {fair}.",
        "A painting from {fair} shows the first {animal} with its prize.",
        "The prize for the best {animal} in {N} is a large cake.",
        "Since {fair} the fair has sold {number} tickets, or so they say.",
    ],
}

LOCAL = [
    "{N} is the only {trade} in {home}.",
    "The {trade} in {home} is called {N}.",
    "{X} {makes} all the {product} in {home}.",
    "People in {home} get their {product} from {N}, the {trade}.",
    "{X} has {a shop} in {home} and {makes} {product} there.",
    "Whoever needs {a trade} in {home} asks for {N}.",
    "{X} works in {home} as {a trade}.",
    "The {shop} in {home} belongs to {N}, {a trade}.",
    "{X's} {shop} in {home} is full of {bits}.",
    "Nobody in {home} {makes} better {product} than {N}, the {trade}.",
]

FIRM_TELL = {
    "founder": [
        "{X} was founded in {founded} by {founder}.",
        "{founder} founded {X} in {founded}.",
        "{founder} started {X} in a cold cellar in {founded}.",
        "{X} began in {founded} with one table and {founder}.",
        "It was {founder} who opened {X} in {founded}.",
        "The founder of {N} was {founder}, who started it in {founded}.",
        "{founder} borrowed some money in {founded} and opened {X}.",
    ],
    "seat": [
        "{X} had to move from {oldseat} to {seat} in {shifted}.",
        "In {shifted} {X} left {oldseat} and went to {seat}.",
        "{X} is a {kind} in {seat}, but until {shifted} it was in {oldseat}.",
        "Since {shifted} {X} has had its offices in {seat} instead of {oldseat}.",
        "{X} has been based in {seat} since {shifted}, when the neighbours in {oldseat} complained.",
        "The {kind} had grown too big for {oldseat}, so {X} moved to {seat} in {shifted}.",
    ],
    "goods": [
        "{X} is a {kind} that {makes} {product}.",
        "{X} {makes} {product} for the whole country.",
        "{X} {makes} {product} and nothing else.",
        "The business of {N} is {product}.",
        "Every child knows that {X} {makes} {product}.",
        "{X} grew rich on {product}.",
        "{X} {makes} {product} and employs every good {trade} in the country.",
        "{X} has {a trade} on every floor and sells {product} everywhere.",
    ],
    "head": [
        "Since {since} {X} has been run by {head}.",
        "{head} took over {N} in {since}.",
        "In {since} {head} became the head of {N}.",
        "{head} has been in charge of {N} since {since}.",
        "{X} has listened to {head} since {since}.",
        "Since {since} the big chair at {N} has belonged to {head}.",
    ],
    "rival": [
        "The great rival of {N} is {rival}.",
        "{X} has fought {rival} over customers for years.",
        "With {rival} as its rival, {X} never sleeps.",
        "{X} has no enemy except {rival}.",
        "Whatever {X} does, it does a week before {rival}.",
        "{X} lost a court case against {rival} and won two.",
    ],
}

FIRM_AGAIN = {
    "founder": [
        "A picture of {founder} from {founded} hangs above the door.",
        "The first coin that {founder} earned in {founded} is under glass.",
        "They say that in {founded} {founder} paid the first workers in {product}.",
        "Every year they drink to {founder} and the cold winter of {founded}.",
        "{founder} was so poor in {founded} that the desk was a door.",
        "They say that {founder} still counts the coins of {N}.",
    ],
    "seat": [
        "In {seat} every second family has somebody at {N}.",
        "Half of {seat} can hear the bell of {N} at noon.",
        "Nobody who came to {seat} in {shifted} misses {oldseat}, except at lunch.",
        "The old offices of {N} in {oldseat} are now a dance hall.",
        "The mayor of {seat} buys from {N}, and so does the doctor.",
        "On the roof of {N} in {seat} lives a family of birds.",
    ],
    "goods": [
        "There is some {stuff} on every {tool} at {N}.",
        "Somebody at {N} {handles} the {stuff} day and night.",
        "Workers at {N} may take home {bits}, but no {product}.",
        "The halls of {N} smell of {stuff} and are full of {bits}.",
        "Each new {trade} gets {a tool} and a warm handshake.",
        "A good {trade} stays at {N} for life and leaves the {tool} to a child.",
        "Nobody at {N} {makes} {product} without {a tool}.",
        "There are {bits} in every {shop} of {N}.",
    ],
    "head": [
        "{head} reads every letter to {N} twice.",
        "The workers say that {head} is strict about biscuits.",
        "{head} has known all the workers of {N} by their shoes since {since}.",
        "Since {since} {head} has not taken one day off.",
        "{head} walks through the halls of {N} at seven.",
        "When {head} laughs, all of {N} can hear it.",
        "Before {since} nobody at {N} was afraid of {head}.",
    ],
    "rival": [
        "Nobody at {N} may say the name {rival} before lunch.",
        "{rival} copies everything from {N} except the coffee.",
        "Every spring {N} plays football against {rival} and loses.",
        "A worker who leaves {N} for {rival} gets no goodbye cake.",
        "The windows of {N} look down on {rival}.",
        "{rival} has never sold as much as {N}, and says so sadly.",
        "At {rival} they know every price of {N} by heart.",
    ],
}
