"""Sentences of stories and letters, in one list for each step of their plans.

D is the story: its day, the lost object, the decoy, the finder, where the object was, and where it was not. L
is a letter, with its reader and writer. X is the main person (in a letter, the writer, "I"), and Y the other.
"""

DAY = {
    "wake": [
        "On {D.day} {X}, {a trade} from {home}, woke before the sun.",
        "It was {D.day}, and {X}, the {trade} of {home}, had overslept.",
        "Early on {D.day} {X}, {a trade}, walked through {home} to the {shop}.",
        "{D.day} began badly for {N}, {a trade} in {home}.",
        "On {D.day} the {trade} of {home}, {N}, opened the {shop} an hour late.",
        "On {D.day}, before work, {X}, {a trade} in {home}, burned the toast.",
        "Little happens in {home}, but on {D.day} {N}, {a trade}, had an adventure.",
    ],
    "work": [
        "{X} {made} {product} and sang a little in the {shop}.",
        "Until lunch {X} {made} {product} and counted {bits}.",
        "{X} checked the {tool} and {made} {product} without a word.",
        "There was {stuff} everywhere, but {X} {made} {product} as usual.",
        "By ten {X} had {stuff} on {his} sleeves and saw only {bits}.",
        "The first customer wanted {product}, not {bits}, and {N} was glad.",
        "{X} cleaned the {tool}, for the {shop} was full of {bits}.",
    ],
    "lose": [
        "Before lunch {X} saw that {his} {D.object} was gone, though {his} {D.decoy} was still there.",
        "At noon {X} could not find {his} {D.object}, only {his} {D.decoy}.",
        "{X} looked for {his} {D.object} and found only {his} {D.decoy}.",
        "{X} went out, came back for {his} {D.decoy}, and saw that the {D.object} had disappeared.",
        "Suddenly {X} missed {his} {D.object}, which was always beside {his} {D.decoy}.",
        "{N} was upset, for somebody had taken {his} {D.object} and left only the {D.decoy}.",
    ],
    "help": [
        "Just then {Y}, {a Y.trade} from {Y.home}, came by with {a Y.animal}.",
        "{X} asked {Y}, {a Y.trade} from {Y.home}, for help.",
        "{X} cried for help, but only {Y}, {a Y.trade} from {Y.home}, left the {Y.tool} and came.",
        "{Y}, {a Y.trade} who had come from {Y.home} with {Y.his} {Y.animal}, offered to help.",
        "{X} ran to {Y}, {a Y.trade} who was visiting from {Y.home}.",
        "{Y} from {Y.home}, {a Y.trade} who {Y.makes} {Y.product}, heard a cry and came in.",
        "Luckily {Y} was passing, {a Y.trade} from {Y.home} with sharp eyes.",
    ],
    "pet": [
        "{N's} {animal}, {pet}, ate some {food} and said nothing.",
        "{pet}, {N's} {animal}, {habit_past} and did not care.",
        "Meanwhile {N's} {animal}, {pet}, {habit_past}, as on any other day.",
        "Nobody asked {pet}, {N's} {animal}, who knew everything.",
        "{pet}, {N's} {animal}, came from the {den} and wanted {food}.",
        "{X} gave {food} to {pet}, {his} {animal}, and felt better.",
        "The only witness was {pet}, {N's} {animal}.",
    ],
    "search": [
        "Together {X} and {Y} looked {D.nospot}, but found only some {stuff}.",
        "{Y} looked {D.nospot}, and {X} asked everybody in {home}.",
        "{Y} searched {D.nospot} with a candle and saw only {stuff}.",
        "{X} thought of thieves, but {Y} wanted to look {D.nospot}.",
        "{X} and {Y} looked {D.nospot} and twice in the {shop}, but saw only {bits}.",
        "{Y} was sure that the {D.object} was {D.nospot}, but it was not.",
    ],
    "find": [
        "In the end {D.finder} found the {D.object} {D.spot}.",
        "It was {D.finder} who saw the {D.object} {D.spot}.",
        "At four {D.finder} discovered the {D.object} {D.spot}.",
        "The {D.object} was {D.spot}, where {D.finder} saw it at last.",
        '"Here is the {D.object}!" cried {D.finder}, who had looked {D.spot}.',
        "{D.finder} finally looked {D.spot}, and there was the {D.object}.",
    ],
    "cause": [
        "{pet} had hidden it there on the way to the {den}.",
        "{pet} the {animal} had taken it for {food}.",
        "{pet} looked at the wall, as {a animal} does when it is guilty.",
        "Now {N} remembered that {pet} had played with it.",
        "It smelled of {food}, and {pet} went back to the {den} slowly.",
        "Nobody was angry with {pet}, for {a animal} has few toys.",
        "Since then {pet} has had to stay in the {den} at night.",
    ],
    "end": [
        "{X} gave {Y} some {product} as thanks.",
        "{Y} went home to {Y.home} with {product} and a good story.",
        "{X} thanked {Y} with {product} and a song.",
        "Since {D.day} {X} has kept the {D.object} on a string.",
        "In {Y.home} they still tell how {Y} the {Y.trade} looked for {a D.object}.",
        "The {trade} and the {Y.trade} laughed about it until evening.",
        "{Y} had to tell the story of the {D.object} twice in {Y.home}.",
        "{X} bought a second {D.object} and keeps it beside the {D.decoy}.",
    ],
}

LETTER_OPEN = [
    "Dear {L.reader}, I am writing to you from {home}.",
    "Dear {L.reader}, greetings from {home}.",
    "Dear {L.reader}, since {moved} I have lived in {home}, and I have never written to you.",
    "Dear {L.reader}, you asked how I like {home}.",
    "Dear {L.reader}, here is the long letter from {home} that I promised you.",
    "Dear {L.reader}, it has rained in {home} since your last letter.",
    "Dear {L.reader}, I moved to {home} in {moved} and have only now found a pen.",
]

LETTER_TELL = {
    "trade": [
        "I am {a trade} now.",
        "You will laugh, but I have become {a trade}.",
        "I work here as {a trade}.",
        "I earn my money as {a trade} in {a shop}.",
        "I have learned to {make} {product}, for I am {a trade} now.",
        "As {a trade} I get up early and {make} {product}.",
    ],
    "work": [
        "I have worked for {firm} since {joined}.",
        "{firm} hired me in {joined}.",
        "In {joined} I got a job at {firm}.",
        "My wages have come from {firm} since {joined}.",
        "I joined {firm} in {joined}.",
        "Since {joined} I have had a desk at {firm}.",
    ],
    "music": [
        "I am learning the {instrument}.",
        "In the evening I play {tune} on the {instrument}.",
        "I have bought {a instrument}.",
        "You will hear me on the {instrument} when you come.",
        "I have taken up the {instrument} again.",
        "The band here needed {a player}, so I bought {a instrument}.",
    ],
    "pet": [
        "I have {a animal} called {pet}.",
        "I share my room with {pet}, {a animal}.",
        "My {animal} is called {pet}.",
        "On my birthday I got {a animal} and named it {pet}.",
        "I live with {a animal} by the name of {pet}, who wants {food} all day.",
        "{pet} is my {animal} and my best friend here.",
    ],
}

LETTER_AGAIN = {
    "home": [
        "Since {moved} the people of {home} have been kind to me.",
        "Since {moved} my window has looked down on the roofs of {home}.",
        "In {moved} I came to {home} for the cake and stayed.",
        "I have counted {number} steps to the station in {home}.",
        "Nobody in {home} has locked a door since {moved}.",
        "Visit me in {home} when the roads are dry.",
    ],
    "trade": [
        "I {make} {product} from morning to night and dream of {bits}.",
        "The {tool} is my best friend in the {shop}.",
        "There is some {stuff} from the {shop} on this letter.",
        "I bring home {product} and {bits}, but never money.",
        "Please send me a new {tool} for the {shop}.",
        "A good {trade} never counts the {bits} in the {shop}.",
    ],
    "work": [
        "Nobody at {firm} has made good tea since {joined}.",
        "Since {joined} they have called me the quiet one at {firm}.",
        "In {joined} I fell asleep at {firm}, and nobody noticed.",
        "The coffee at {firm} has tasted of soap since {joined}.",
        "My chair at {firm} has been broken since {joined}.",
        "I walk home from {firm} the long way.",
    ],
    "music": [
        "The neighbours hate {tune} and the {instrument}.",
        "The {part} of the {instrument} broke, and I cried.",
        "I play {tune} on the {instrument} when it rains.",
        "No {player} knows fewer {tune} than I do.",
        "Some people pay me to stop playing {tune} on the {instrument}.",
        "My {instrument} needs a new {part}.",
    ],
    "pet": [
        "{pet} {habit} and sends you a kiss.",
        "Like every {animal}, {pet} {habit}.",
        "{pet} has eaten my {food} and does not leave the {den}.",
        "No {animal} asks for {food} as often as {pet}.",
        "Each time the {animal} {habit}, I write it down.",
        "Nobody here is as clever as {pet}, not even in the {den}.",
    ],
}

LETTER_ASK = {  # X is the reader in this list
    "home": [
        "Is {home} as green as ever?",
        "Do you still live in {home}?",
        "Has anything happened in {home}?",
    ],
    "trade": [
        "Are you still {a trade}?",
        "Do you still {make} {product}, as {a trade} should?",
        "Is your {shop} still full of {bits}?",
    ],
    "work": [
        "Do they still pay you at {firm}?",
        "Is {firm} still as noisy as in {joined}?",
        "Are you happy at {firm}?",
    ],
    "music": [
        "Do you still play the {instrument}?",
        "Have you sold your {instrument}, or do you still play {tune}?",
        "Does your {instrument} still need a new {part}?",
    ],
    "pet": [
        "How is your {animal}, {pet}?",
        "Is {pet} still the fattest {animal} in the street?",
        "Does {pet} still want {food} all day, like every {animal}?",
    ],
}

LETTER_CLOSE = [
    "Yours, {L.writer}.",
    "With love from {L.writer}.",
    "Your old friend, {L.writer}.",
    "Write soon to your friend {L.writer}.",
    "A thousand greetings from {L.writer}.",
    "Yours as ever, {L.writer}.",
]
