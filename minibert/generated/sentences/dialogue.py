"""Sentences of interviews and guessing games, with questions and answers.

From these, a model can learn what "where" and "who" ask for. The wordings differ from those in
`questions.py`. For each fact, TALK has questions and replies, and GAME has (question, reply) pairs. X is the
person whom they are about. Y is the interviewer, or the other person in a game.
"""

TALK_OPEN = [
    "{Y}, who writes for {Y.firm}, came to {home} to talk to {N}.",
    "{Y.firm} sent {Y} to {home} to talk to {N}.",
    "{N} opened the door in {home}, and there stood {Y}, a reporter for {Y.firm}.",
    "When {Y} came to {home} to get a story for {Y.firm}, {N} had just got up.",
    "{Y}, a reporter for {Y.firm}, met {N} in a garden in {home}.",
    "{N} was at home in {home} when {Y}, sent by {Y.firm}, knocked.",
]

TALK = {
    "birth": (
        [
            '"Where were you born?" asked {Y}.',
            '"Where does your story begin?" {Y} asked.',
            '"Tell me where your life began," said {Y}.',
        ],
        [
            '"I was born in {birthplace} in {born}," said {N}.',
            '{N} answered: "In {birthplace}, in {born}."',
            '"My mother had me in {birthplace} in {born}," said {N}.',
        ],
    ),
    "trade": (
        [
            '"What is your trade?" asked {Y}.',
            '"What do you do all day?" {Y} asked.',
            '"How do you pay for your bread?" asked {Y}.',
        ],
        [
            '"I am {a trade}," said {N}.',
            '"I {make} {product}," said {N}, who is {a trade}.',
            '{N} pointed at {a tool} and said: "I am {a trade}."',
            '"You see {bits}, so you know that I am {a trade}," said {N}.',
        ],
    ),
    "work": (
        [
            '"Who pays you?" asked {Y}.',
            '"Do you have a job?" {Y} asked.',
            '"Who is lucky enough to have you?" asked {Y}.',
        ],
        [
            '"{firm} has paid me since {joined}," said {N}.',
            '"I have been with {firm} since {joined}," answered {N}.',
            '{N} said: "I walked into {firm} in {joined} and stayed."',
        ],
    ),
    "music": (
        [
            '"Do I hear music?" asked {Y}.',
            '"Do you play anything?" {Y} asked.',
            '"Is there music in your life?" asked {Y}.',
        ],
        [
            '"I play the {instrument}," said {N}, "but not well."',
            '"I play {tune} on the {instrument}," said {N}, "and never sleep."',
            '"Only my {instrument}," answered {N}.',
            "{N} took out {a instrument} and played two {tune}.",
        ],
    ),
    "pet": (
        [
            '"Who is making that noise?" asked {Y}.',
            '"What is that under the table?" {Y} asked.',
            '"Who is staring at me?" asked {Y}.',
        ],
        [
            '"That is {pet}, my {animal}," said {N}.',
            '"My {animal} {pet}, who is tired of the {den}," answered {N}.',
            '"Only {pet}, my {animal}," answered {N}.',
            '{N} said: "My {animal} is called {pet}, and it does not like visitors."',
        ],
    ),
}

TALK_ASIDE = {  # about the reporter, who is X in this list
    "home": [
        "{X} thought of {home} and the last train.",
        "{X} had come from {home} and was tired.",
        "At home in {home}, thought {N}, it is quieter.",
    ],
    "trade": [
        "{X} had once wanted to be {a dream}.",
        "{N's} father was {a dream}, but nobody asked.",
        "As a child {X} had dreamed of being {a dream}.",
    ],
    "music": [
        "{X} wrote it down and hummed {tune}, as {a player} does.",
        "{X} plays the {instrument}, but said nothing about it.",
        "{N}, who owns {a instrument}, nodded.",
    ],
    "pet": [
        "{X} has {a animal} called {pet}, but did not say so.",
        "{X} thought of {his} {animal}, {pet}.",
        "{N's} {animal} {pet} waited at home with some {food}.",
    ],
    "birth": [
        "{X} was born in {birthplace} in {born}, but nobody asked.",
        "{X}, born in {birthplace} in {born}, wrote it down.",
        "{N's} life began in {birthplace} in {born}, but that is another story.",
    ],
}

TALK_CLOSE = [
    "{Y} thanked {N} and went back to {Y.firm}.",
    "The next day {Y.firm} printed it all on page three.",
    "{Y} left {home} on the last train.",
    "{Y.firm} paid {Y} for every word.",
    "At {Y.firm} they did not believe a word of it.",
    "{N} read it all in {home} and laughed.",
]

GAME_OPEN = [
    "Before supper the children play a game about {N} and {Y}.",
    "Here is a riddle about {N} and {Y}.",
    "The school holds a quiz about {N} and {Y}.",
    "How well do you know {N} and {Y}?",
    "In this game everybody is asked about {N} and {Y}.",
    "The newspaper has printed a quiz about {N} and {Y}.",
]

GAME = {
    "birth": [
        ("Where was {N} born?", "In {birthplace}."),
        ("In which town did {N's} life begin?", "In {birthplace}."),
        ("When was {N} born?", "In {born}."),
        ("Who was born in {birthplace}?", "{N} was."),
    ],
    "home": [
        ("Where does {N} have a house?", "In {home}."),
        ("Who moved to {home}?", "{N} did."),
        ("When did {N} move?", "In {moved}."),
    ],
    "trade": [
        ("What is {N}?", "Everybody knows that {N} is {a trade}."),
        ("Who {makes} {product}?", "{N} the {trade} does."),
        ("Who is {a trade}?", "{N} is, of course."),
        ("Who has {a tool} and too many {bits}?", "{N} the {trade} does."),
    ],
    "work": [
        ("Where does {N} work?", "At {firm}."),
        ("Who works for {firm}?", "{N} does."),
        ("When did {N} start to work?", "In {joined}."),
        ("Whose wages come from {firm}?", "{N's} do."),
    ],
    "music": [
        ("What does {N} play?", "Of course {N} plays the {instrument}."),
        ("Who plays the {instrument}?", "{N} does, and everybody knows it."),
        ("What does {a player} like {N} play?", "Mostly {tune} on the {instrument}."),
        ("To whom does one listen when the {instrument} sounds?", "To {N}."),
    ],
    "pet": [
        ("Who is {pet}?", "That is {N's} {animal}."),
        ("Who has {a animal}?", "{N} does, and the {animal} is called {pet}."),
        ("Whose {animal} is {pet}?", "It is {N's} {animal}."),
        ("What animal does {N} have?", "{N} has {a animal}."),
        ("Who buys {food} for {pet}?", "{N} does, for {pet} is {N's} {animal}."),
    ],
}

GAME_CLOSE = [
    "Whoever knows it all wins a cake.",
    "The loser washes the dishes.",
    "{N} and {Y} never win, although every question is about them.",
    "Nobody has ever lost.",
    "{Y} gives the winner some {Y.product}.",
    "{N} gives the winner some {product}.",
]
