"""Sentences of reviews, in which a guest at a house gives opinions with reasons.

X is the guest (slots of `sorts.PERSON`) and V the house: {V} is its name, V.sort is one of HOUSE_SORTS, and
V.town is its location. REVIEW_OPEN is neutral. Each sentence of REVIEW_CAUSE, REVIEW_MORE and REVIEW_END is
clearly "good" or "bad", but no single word shows which: both use "good", "bad", "not" and "nothing".
"""

HOUSE_SORTS = ("inn", "hotel", "guesthouse", "hostel", "tavern", "lodge")
POLARITIES = ("good", "bad")
ASPECTS = ("food", "beds", "music", "price", "staff", "view")

REVIEW_OPEN = [
    "{X} stayed at {V}, {a V.sort} in {V.town}, for two nights.",
    "Last summer {X} spent a week at {V}, {a V.sort} in {V.town}.",
    "{X}, {a trade}, took a room at {V} in {V.town}.",
    "On the way home to {home}, {X} stopped at {V}, {a V.sort} in {V.town}.",
    "{V} is {a V.sort} in {V.town}, and {X} spent a night there.",
    "When it began to rain in {V.town}, {X} went into {V}, the nearest {V.sort}.",
    "{X}, {a trade} from {home}, visited {V}, {a V.sort} in {V.town}.",
    "One evening {X} arrived at {V} in {V.town} with {his} {animal}.",
]

REVIEW_CAUSE = {
    ("good", "food"): [
        "The soup was so good that {X} asked for a third plate.",
        "There was nothing bad on the table, and {X} left nothing on the plate.",
        "The bread was still warm, so {X} ate the whole loaf with pleasure.",
        "Because the pie was the best in {V.town}, {X} ordered another.",
        "{X} had expected cold potatoes, but supper was hot and delicious.",
        "No guest at {V} leaves the table hungry, and {X} was happily full.",
    ],
    ("bad", "food"): [
        "The soup was cold, so {X} did not finish it.",
        "Nothing on the plate was warm, and nothing tasted good.",
        "Because the bread was as hard as wood, {X} could not eat it.",
        "The menu promised the best pie in {V.town}, but the pie was burnt.",
        "{X} found a button in the salad and did not want dessert.",
        "Even a bad cook makes better pancakes, so {X} went to bed hungry.",
        "The cook was so good at saving salt that supper tasted of nothing.",
    ],
    ("good", "beds"): [
        "The bed was so soft that {X} slept until noon.",
        "{X} slept well, because the room was dark and warm.",
        "The pillows were not hard at all, so {X} woke up with a smile.",
        "The room was small, but {X} had never slept in a better bed.",
        "Because the blankets were thick and soft, {X} was never cold.",
    ],
    ("bad", "beds"): [
        "The bed was so hard that {X} slept on the floor.",
        "{X} did not sleep well, because the mattress had a hole in it.",
        "The blanket was thick but much too short, so {X} had cold feet all night.",
        "A good bed does not creak, but this one woke {N} every hour.",
        "Because the pillow was as flat as paper, {X} could not sleep.",
    ],
    ("good", "music"): [
        "The band played so well that {X} danced on a table.",
        "{X} had feared the worst, but the singer was wonderful.",
        "The piano was never too loud, so {X} could talk and listen with pleasure.",
        "There was a fiddler who knew every song, so nobody at {V} wanted to go to bed.",
        "The band played not one wrong note, and {X} clapped for a long time.",
    ],
    ("bad", "music"): [
        "The band played so badly that {X} put bread into {his} ears.",
        "{X} loves music, but the band made only noise.",
        "The singer knew one song, and after the ninth time {X} hated it.",
        "Because the piano was out of tune, the best songs sounded sad.",
        "The band played not one right note, so {X} fled to the garden.",
    ],
    ("good", "price"): [
        "{X} paid so little that {he} read the receipt twice and smiled.",
        "The room cost less than a pair of socks, and {X} found that more than fair.",
        "Because breakfast was free, {X} had money left for a cake.",
        "{V} is not expensive at all, so even a poor {trade} can enjoy it.",
        "No other {V.sort} in {V.town} gives so much for so little money.",
    ],
    ("bad", "price"): [
        "{X} paid so much that {he} had to sell {his} hat.",
        "The room cost as much as a horse, and {X} found that anything but fair.",
        "Because even the water cost money, {X} stayed thirsty and angry.",
        "{V} is not cheap at all, although it offers almost nothing.",
        "No other {V.sort} in {V.town} takes so much for so little.",
    ],
    ("good", "staff"): [
        "The waiter was so friendly that {N} felt at home.",
        "The waiters never forgot anything, not even {X's} birthday.",
        "Because {X} had lost an umbrella, the whole staff kindly searched for it.",
        "The porter carried {X's} bags and did not even want a tip.",
        "{X} never had to ask twice, because everybody was so helpful.",
    ],
    ("bad", "staff"): [
        "The waiter was so rude that {N} was afraid to order.",
        "The waiters forgot everything, even that {X} was there.",
        "Because nobody answered the bell, {X} waited an hour for a towel.",
        "The porter dropped {X's} bags and did not even say sorry.",
        "{X} asked for help, but nobody was friendly enough to look up.",
    ],
    ("good", "view"): [
        "The window looked out on the lake, so {X} was glad to get up early.",
        "{X} could see all of {V.town} from the bed, and it was beautiful.",
        "No wall stood in the way, and the hills were lovely.",
        "Because the room was high up, {X} had the best view of the hills.",
        "The view was not what {X} had feared, but a garden full of roses.",
    ],
    ("bad", "view"): [
        "The window looked out on a wall, so {X} never opened the curtain.",
        "{X} had been promised a lake, but saw only a row of dustbins.",
        "No sun ever came into the room, and that made {N} sad.",
        "Because the window was painted over, {X} could not see beautiful {V.town}.",
        "The best view was of a chimney, and the smoke hid even that.",
    ],
}

REVIEW_MORE = {
    "good": [
        "What is more, somebody had left {N} a cake.",
        "It got better: the neighbours did not snore.",
        "Besides, everything was clean, even under the bed.",
        "And that was not all, for the owner gave {N} a jar of honey.",
        "In addition, nobody was in a hurry, and the garden was lovely.",
        "Moreover, the bath was hot, and {X} did not want to get out.",
    ],
    "bad": [
        "What is more, somebody had eaten {X's} cake.",
        "It got worse: the neighbours snored.",
        "Besides, nothing was clean, least of all the floor under the bed.",
        "And that was not all, for the roof leaked into {X's} suitcase.",
        "In addition, everybody was in a hurry, and the cellar was full of rubbish.",
        "Moreover, the bath was cold, and {X} got out at once.",
    ],
}

REVIEW_END = {
    "good": [
        "Therefore {X} will go back to {V} next year.",
        "So {X} tells everybody in {home} to go to {V}.",
        "All in all, there is no better {V.sort} in {V.town}.",
        "{X} did not want to leave and has already booked again.",
        "In short, {V} was better than {X} had feared.",
        "That is why {X} would walk all the way to {V.town} to sleep there again.",
    ],
    "bad": [
        "Therefore {X} will never go back to {V}.",
        "So {X} warns everybody in {home} about {V}.",
        "All in all, there is no worse {V.sort} in {V.town}.",
        "{X} left without a goodbye and does not want to come back.",
        "In short, {V} was worse than {X} had feared.",
        "That is why {X} would rather sleep under a bridge in {V.town} next time.",
    ],
}
