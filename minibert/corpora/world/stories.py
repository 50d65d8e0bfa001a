"""Sentences of stories, letters, interviews and games: one list for each step of the plan that uses it.

D is the story itself (its day, the lost object, the decoy, the finder, where the object was and was not), L a letter
(its reader and its writer). X is the main person, Y the other one; in a letter X writes as "I".
"""

DAY = {
    "wake": [
        "On {D.day} {X}, {a trade} from {home}, woke before the sun.",
        "It was {D.day}, and {X}, the {trade} of {home}, had overslept.",
        "Early on {D.day} {X}, {a trade}, walked through {home} to the {shop}.",
        "{D.day} began badly for {N}, {a trade} in {home}.",
        "On {D.day} the {trade} of {home}, {N}, opened the {shop} an hour late.",
        "On the morning of {D.day} {X}, {a trade} in {home}, burned the toast.",
        "Little happens in {home}, but on {D.day} {N}, {a trade}, had an adventure.",
    ],
    "work": [
        "{X} {made} {product} and sang a little.",
        "All morning {X} {made} {product}.",
        "{X} cleaned the {tool} and then {made} {product}.",
        "There was {stuff} everywhere, but {X} {made} {product} as usual.",
        "By ten {X} had {stuff} in {his} hair.",
        "The first customer wanted {product}, and {X} was glad.",
        "{X} polished the {tool}, for the {shop} was a mess.",
    ],
    "lose": [
        "Then {X} saw that the {D.object} was gone, though the {D.decoy} was still there.",
        "At noon {X} could not find {his} {D.object}, only {his} {D.decoy}.",
        "{X} looked for {his} {D.object} and found only {his} {D.decoy}.",
        "When {X} came back for the {D.decoy}, the {D.object} had disappeared.",
        "Suddenly {X} missed {his} {D.object}, which always stood beside the {D.decoy}.",
        "Somebody had left the {D.decoy} and taken the {D.object}, and {X} was upset.",
    ],
    "help": [
        "Just then {Y}, {a Y.trade} from {Y.home}, came by with {a Y.animal}.",
        "{X} asked {Y}, {a Y.trade} from {Y.home}, for help.",
        "{Y}, {a Y.trade} who had come from {Y.home} with {Y.his} {Y.animal}, offered to help.",
        "{X} ran to {Y}, {a Y.trade} who was visiting from {Y.home}.",
        "{Y} from {Y.home}, {a Y.trade} who {Y.makes} {Y.product}, heard the noise and came in.",
        "Luckily {Y} was passing, {a Y.trade} from {Y.home} with sharp eyes.",
    ],
    "pet": [
        "{N's} {animal}, {pet}, watched and said nothing.",
        "{pet}, {N's} {animal}, {habit_past} and did not care.",
        "Meanwhile {N's} {animal}, {pet}, {habit_past}, as on any other day.",
        "Nobody asked {pet}, {N's} {animal}, who knew everything.",
        "{X} hugged {pet}, {his} {animal}, and felt better.",
        "The only witness was {pet}, {N's} {animal}.",
    ],
    "search": [
        "Together they looked {D.nospot}, but found only some {stuff}.",
        "{Y} looked {D.nospot}, and {X} asked everybody in {home}.",
        "{Y} searched {D.nospot} with a candle and got {stuff} on {Y.his} nose.",
        "{X} thought of thieves, but {Y} wanted to look {D.nospot}.",
        "They looked {D.nospot} and twice in the {shop}.",
        "{Y} was sure that it was {D.nospot}, and was wrong.",
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
        "{pet} had carried it there in the night.",
        "{pet} the {animal} had slept on it all day.",
        "{pet} looked at the wall, as {a animal} does when it is guilty.",
        "Now {N} remembered that {pet} had played with it.",
        "There were the marks of {a animal} on it, and {pet} walked away slowly.",
        "Nobody was angry with {pet}, for {a animal} has few toys.",
    ],
    "end": [
        "{X} gave {Y} some {product} as thanks.",
        "{Y} went home to {Y.home} with {product} and a good story.",
        "{X} thanked {Y} with {product} and a song.",
        "Since {D.day} {X} has kept the {D.object} on a string.",
        "In {Y.home} they still tell how {Y} the {Y.trade} looked for {a D.object}.",
        "The {trade} and the {Y.trade} laughed about it until evening.",
        "{Y} had to tell the story twice in {Y.home}.",
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
        "I earn my money as {a trade}.",
        "I have learned to {make} {product}, for I am {a trade} now.",
        "As {a trade} I get up early.",
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
        "In the evening I play the {instrument}.",
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
        "I live with {a animal} by the name of {pet}.",
        "{pet} is my {animal} and my best friend here.",
    ],
}

LETTER_AGAIN = {
    "home": [
        "The people of {home} are kind, but they talk only about the weather.",
        "My window looks down on the roofs of {home}.",
        "There is no better cake than in {home}.",
        "I have counted {number} steps to the station of {home}.",
        "In {home} nobody locks the door.",
        "Visit me in {home} when the roads are dry.",
    ],
    "trade": [
        "I {make} {product} from morning to night.",
        "The {tool} is my best friend in the {shop}.",
        "There is some {stuff} on this page, as you can see.",
        "I bring home {product}, but never money.",
        "Please send me a new {tool} for the {shop}.",
        "When I dream, I dream of {product}.",
    ],
    "work": [
        "Nobody at {firm} can make tea.",
        "At {firm} they call me the quiet one.",
        "I once fell asleep at {firm}, and nobody noticed.",
        "The coffee at {firm} tastes of soap.",
        "My chair at {firm} has been broken since {joined}.",
        "I walk home from {firm} the long way.",
    ],
    "music": [
        "The neighbours hate the {instrument}.",
        "The {part} of the {instrument} broke, and I cried.",
        "I play the {instrument} only when the house is empty.",
        "I know only one song on the {instrument}.",
        "Some people pay me to stop playing the {instrument}.",
        "I sleep beside the {instrument}.",
    ],
    "pet": [
        "{pet} {habit} and sends you a kiss.",
        "Like every {animal}, {pet} {habit}.",
        "{pet} is asleep on my hat.",
        "I talk to {pet} more than to people.",
        "Each time the {animal} {habit}, I write it down.",
        "Nobody here is as clever as {pet}.",
    ],
}

LETTER_ASK = {  # X is the reader here
    "home": ["Is {home} as green as ever?", "Do you still live in {home}?", "Has anything happened in {home}?"],
    "trade": [
        "Are you still {a trade}?", "Do you still {make} {product}, as {a trade} should?",
        "How does {a trade} like you live?",
    ],
    "work": [
        "Do they still pay you at {firm}?", "Is {firm} still as noisy as in {joined}?", "Are you happy at {firm}?",
    ],
    "music": [
        "Do you still play the {instrument}?", "Have you sold your {instrument}?",
        "Does your {instrument} still work?",
    ],
    "pet": [
        "How is your {animal}, {pet}?", "Is {pet} still the fattest {animal} in the street?",
        "Does {pet} the {animal} still belong to you?",
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
