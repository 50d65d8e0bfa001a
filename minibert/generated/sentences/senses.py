"""Words with two or three senses, each with sentences that show which one is meant.

SENSES[word][sense] lists sentences that use the word (singular or plural) once, together with words typical
of the sense. FOLLOW[word, sense] lists continuations that fit the same sense, mostly without the word, so
that the second sentence depends on the first. X is a person (slots of `sorts.PERSON`). No word in SENSES is a
value in a table of `facts.py`.
"""

SENSES: dict[str, dict[str, list[str]]] = {
    "bank": {
        "money": [
            "{X} took all {his} savings to the bank.",
            "{X} went to the bank and asked for a loan.",
            "The bank closed early, so {X} ran to change the coins.",
            "{X} opened an account at the bank and was given a pencil.",
            "Because {X} owed money to three banks, {he} sold the car.",
        ],
        "river": [
            "{X} sat on the bank and watched the boats.",
            "{X} lay in the grass on the bank with {his} feet in the water.",
            "The stream had washed away part of the bank, and {X} nearly fell in.",
            "{X} tied the boat to a willow on the bank.",
            "Ducks were asleep on both banks, so {X} rowed quietly.",
        ],
    },
    "bat": {
        "animal": [
            "At night {X} saw a bat fly out of the cave.",
            "A bat hung upside down from the roof, and {X} tried not to wake it.",
            "{X} counted the bats that left the church tower after sunset.",
            "{X} read that a bat can hear a moth in the dark.",
            "A small bat flew through the window and around {X's} head.",
        ],
        "sport": [
            "{X} swung the bat and hit the ball over the fence.",
            "{X} missed the ball and threw down the bat.",
            "The team had only one bat, and {X} had left it at home.",
            "{X} rubbed the bat with oil before the game.",
            "With a new bat in {his} hands, {X} scored twice.",
        ],
    },
    "crane": {
        "bird": [
            "{X} saw a crane standing in the shallow water on one leg.",
            "In autumn the cranes flew south, and {X} looked up sadly.",
            "A crane spread its grey wings and flew off before {X} could draw it.",
            "{X} found the feather of a crane among the reeds.",
            "A crane caught a fish, and {X} held {his} breath.",
        ],
        "machine": [
            "The crane lifted the steel beam while {X} held the rope.",
            "{X} learned to drive a crane at the docks.",
            "{X} watched a crane lower the stones onto the wall.",
            "A yellow crane stood on the building site, and {X} climbed up its ladder.",
            "Two cranes unloaded the ship, and {X} counted the crates.",
        ],
    },
    "spring": {
        "season": [
            "In spring {X} opened all the windows and heard the first birds.",
            "{X} waited all winter for the spring.",
            "The spring was warm that year, and {X} saw tulips everywhere.",
            "{X} planted beans in early spring, after the last snow.",
            "That spring {X} put away {his} winter coat too soon.",
        ],
        "water": [
            "{X} drank from a cold spring on the mountain.",
            "{X} filled a bottle at the spring and walked on.",
            "Clear water ran from a spring between the rocks, and {X} knelt down.",
            "The two springs above the valley never dried up, said {N}.",
            "{X} followed the stream uphill and came to its spring.",
        ],
        "coil": [
            "A rusty spring stuck out of the sofa, and {X} sat down on it.",
            "{X} opened the toy, and a spring jumped out.",
            "The door closed by itself, because {X} had put a spring on it.",
            "{X} took the mattress apart and counted the steel springs.",
            "The spring in the lock had snapped, so {X} bent a new one.",
        ],
    },
    "seal": {
        "animal": [
            "{X} saw a seal asleep on the rocks by the sea.",
            "A seal balanced a ball on its nose, and {X} threw it a fish.",
            "{X} rowed past an island full of noisy seals.",
            "A young seal swam beside the boat and looked at {N}.",
            "{X} watched the seal dive under the ice.",
        ],
        "stamp": [
            "{X} broke the red seal and read the secret letter.",
            "The letter from the queen had a golden seal, so {X} washed {his} hands first.",
            "{X} dripped hot wax on the envelope and pressed a seal into it.",
            "No contract is valid without the seal of the mayor, said {N}.",
            "{X} found an old document with two seals at the bottom.",
        ],
    },
    "match": {
        "game": [
            "{X} scored the only goal of the match.",
            "{X} lost both shoes in the match.",
            "The match ended without a winner, and {X} blamed the referee.",
            "{X} had not missed a football match in years.",
            "After the match the whole team carried {N} off the field.",
        ],
        "fire": [
            "{X} struck a match and lit the candle.",
            "The matches were wet, so {X} could not light the stove at first.",
            "{X} burned a finger because {he} held the match too long.",
            "In the dark {X} had only one match left.",
            "{X} put a box of matches next to the lamp.",
        ],
    },
    "ring": {
        "jewel": [
            "{X} wore a golden ring that had belonged to {his} aunt.",
            "The ring was too small, so {X} rubbed soap on the finger.",
            "{X} asked the jeweller for a ring with a green stone.",
            "{X} took off the ring before washing and lost it in the sink.",
            "At the wedding {X} could not find the ring.",
        ],
        "boxing": [
            "{X} stepped into the ring with red gloves on.",
            "The boxer in the other corner of the ring was twice as tall as {N}.",
            "{X} was carried out of the ring after the third round.",
            "The crowd around the ring shouted, but {X} boxed on.",
            "{X} danced around the ring until the bell saved {him}.",
        ],
    },
    "bark": {
        "tree": [
            "{X} cut two letters into the bark of an oak.",
            "The bark of the birch was white, and {X} wrote on it.",
            "{X} leaned against the rough bark of a pine.",
            "Beetles lived under the bark, so {X} did not touch the tree.",
            "{X} peeled the bark from a branch and made a whistle.",
        ],
        "dog": [
            "A loud bark came from behind the gate, and {X} stepped back.",
            "{X} knew by the bark that the puppy was hungry.",
            "The old dog answered {X's} call with a single bark.",
            "{X} was woken by the barks of all the dogs in the street.",
            "With a deep bark the watchdog ran towards {N}.",
        ],
    },
    "palm": {
        "tree": [
            "{X} climbed the palm and threw down a coconut.",
            "{X} fell asleep on the beach in the shade of a palm.",
            "There was only one palm on the island, and {X} sat under it.",
            "{X} brought a small palm back from the desert.",
            "The wind bent the palms along the beach while {X} swam.",
        ],
        "hand": [
            "{X} held the ladybird in the palm of {his} hand.",
            "The fortune teller looked at {X's} left palm and frowned.",
            "{X} wrote the number on {his} palm and then shook hands.",
            "{X} rubbed {his} palms together to warm {his} fingers.",
            "The coin had left a mark in {X's} palm.",
        ],
    },
    "trunk": {
        "tree": [
            "{X} sat down on the trunk of a fallen oak.",
            "The trunk was so thick that {X} could not put both arms around it.",
            "{X} hid behind the trunk of a beech.",
            "The woodpecker made a hole in the trunk while {X} looked up.",
            "{X} crossed the stream on a trunk without branches.",
        ],
        "elephant": [
            "The elephant stretched out its trunk and took {X's} apple.",
            "An elephant with a wet trunk gave {N} a shower.",
            "{X} asked how much water fits into an elephant's trunk.",
            "At the zoo the trunk of a young elephant picked {X's} pocket.",
            "{X} saw two elephants greet each other with their trunks.",
        ],
        "luggage": [
            "{X} packed three coats into the trunk and sat on the lid.",
            "The porter carried {X's} heavy trunk to the train.",
            "{X} found old dresses in a trunk in the loft.",
            "The trunk would not fit into the cabin, so {X} travelled without socks.",
            "{X} lost the key to {his} trunk and wore the same shirt all week.",
        ],
    },
    "star": {
        "sky": [
            "{X} looked through the telescope at a bright star.",
            "The night was clear, and {X} counted the stars above the roof.",
            "{X} wished for snow when the star fell.",
            "The sailor showed {N} the star that points north.",
            "Clouds hid half the sky, but {X} could still see one star.",
        ],
        "actor": [
            "The star of the film came to supper, and {X} forgot to speak.",
            "{X} wanted to be a star and practised crying in front of the mirror.",
            "{X} waited at the stage door, but the star left through the kitchen.",
            "The two stars hated each other, and {X} had to carry both their bags.",
            "After one song on the radio {X} was a star.",
        ],
    },
    "jam": {
        "fruit": [
            "{X} made jam from the last plums.",
            "There was so much jam on the toast that {X} needed a fork.",
            "{X} opened a jar of cherry jam for breakfast.",
            "{X} ate two pancakes with raspberry jam.",
            "{X} boiled berries and sugar and called it jam.",
        ],
        "traffic": [
            "{X} sat in a jam on the motorway for two hours.",
            "A sheep on the road caused a jam, but {X} blamed a lorry.",
            "{X} took the bicycle and rode past the jam.",
            "Because of a long jam before the bridge, {X} missed the ferry.",
            "The radio warned of two jams, and {X} was in both.",
        ],
    },
    "mint": {
        "plant": [
            "{X} grew mint and parsley on the balcony.",
            "{X} put a leaf of mint into the tea.",
            "The mint had spread through the whole bed, but {X} liked its smell.",
            "{X} cooked the peas with fresh mint.",
            "The mint in the pot suffered in the frost, and {X} was sad.",
        ],
        "coins": [
            "The mint struck new coins with a picture of a swan, and {X} got the first.",
            "{X} worked at the mint, where gold is melted.",
            "Nobody leaves the mint without turning out {his} pockets, said {N}.",
            "{X} collected silver coins from mints all over the world.",
            "The guard of the mint weighed every coin twice while {X} waited.",
        ],
    },
    "nail": {
        "metal": [
            "{X} drove a nail into the wall and hung up the picture.",
            "{X} hit the nail once and the thumb twice.",
            "The board was loose, so {X} fetched a hammer and a nail.",
            "{X} pulled a rusty nail out of the door.",
            "{X} bought a pound of nails to mend the fence.",
        ],
        "finger": [
            "{X} bit {his} nails when the train was late.",
            "{X} painted each nail in a different colour.",
            "The cold had turned {X's} nails blue.",
            "{X} broke a nail while opening the jar.",
            "There was dirt under every nail, so {X} washed {his} hands again.",
        ],
    },
    "wave": {
        "sea": [
            "A wave threw {X's} towel back onto the beach.",
            "{X} jumped over the waves until {his} lips were blue.",
            "The boat rose on a high wave, and {X} felt sick.",
            "A great wave broke over the rocks and wet {X's} shoes.",
            "{X} built a castle of sand, and the first wave took it.",
        ],
        "greeting": [
            "{X} greeted the neighbours with a friendly wave of the hand.",
            "With a last wave from the window of the train, {X} said goodbye.",
            "The mayor thanked the crowd with a wave, and {X} shouted hello.",
            "{X's} wave was friendly, but {he} had greeted the wrong person.",
            "The child gave three small waves, so {X} took off {his} hat.",
        ],
    },
    "pupil": {
        "school": [
            "{X} was the only pupil who had done the homework.",
            "The teacher asked the new pupil to sit beside {N}.",
            "{X} gave lessons to a pupil who never listened.",
            "Twenty pupils looked up when {X} came into the classroom.",
            "As a pupil {X} wrote more letters than tests.",
        ],
        "eye": [
            "The doctor shone a lamp into {X's} left pupil.",
            "In the dark {X's} pupils grew very wide.",
            "{X} looked at the cat's eyes, and each pupil was a thin line.",
            "Bright light makes the pupil small, as {X} saw in the mirror.",
            "{X} looked into the mirror and saw a blue eye with a black pupil.",
        ],
    },
    "fan": {
        "admirer": [
            "The singer gave {N}, the greatest fan of all, an old shoe.",
            "{X} had been a fan of the club since childhood and owned nine scarves.",
            "{X} lost the tune when a fan climbed onto the stage.",
            "The fans cheered in the stadium, and {X} blew a whistle.",
            "{X} was a fan of the band and knew every song by heart.",
        ],
        "cooler": [
            "It was so hot that {X} switched on the fan.",
            "The fan on the ceiling turned slowly while {X} slept in the heat.",
            "{X} sat down before the fan and cooled {his} face.",
            "The fan blew all of {X's} papers off the desk.",
            "Both fans turned all day, but {X} opened the fridge to cool the room.",
        ],
    },
    "ruler": {
        "king": [
            "The ruler of the island wore a crown of shells, and {N} bowed.",
            "{X} read a book about a cruel ruler who taxed beards.",
            "The old ruler had no children, so {X} was offered the throne.",
            "Two rulers fought over the kingdom, wrote {N}.",
            "{X} told the ruler that the palace was on fire.",
        ],
        "measure": [
            "{X} drew a straight line with a ruler.",
            "{X} measured the desk with a wooden ruler.",
            "The ruler was a foot long, but {X} had broken off an inch.",
            "{X} kept a pencil, a rubber and a ruler in the drawer.",
            "{X} laid two rulers end to end, because the line was too long.",
        ],
    },
    "deck": {
        "ship": [
            "{X} stood on the deck and watched the harbour grow small.",
            "The sailors scrubbed the deck, and {X} slipped on the soap.",
            "{X} was seasick and stayed on the upper deck all night.",
            "The captain called everybody to the deck, even {N}.",
            "The ferry had three decks, and {X} got lost on all of them.",
        ],
        "cards": [
            "{X} shuffled the deck and dealt five cards to everybody.",
            "There were five aces in the deck, and {X} looked innocent.",
            "{X} cut the deck and drew the queen of hearts.",
            "The magician took a card from the deck without looking at {N}.",
            "They needed two decks for the game, but {X} had only one.",
        ],
    },
    "bulb": {
        "plant": [
            "{X} planted a tulip bulb in autumn.",
            "The bulbs came up in the garden, and {X} had yellow daffodils.",
            "{X} mistook a hyacinth bulb for an onion and nearly cooked it.",
            "A mouse dug up the bulb that {X} had just watered.",
            "{X} kept the bulbs of the lilies in dry sand until the frost was over.",
        ],
        "lamp": [
            "The bulb went out, and {X} sat in the dark.",
            "{X} stood on a chair to change the bulb in the lamp.",
            "{X} burned {his} fingers on a hot bulb.",
            "The bulb was too bright, so {X} could not sleep.",
            "{X} switched on the light, and both bulbs burst.",
        ],
    },
}

FOLLOW: dict[tuple[str, str], list[str]] = {
    ("bank", "money"): [
        "The clerk counted the notes twice and smiled.",
        "The talk about interest was long, but the coffee was free.",
        "In the end {he} kept the money under the mattress.",
    ],
    ("bank", "river"): [
        "The current was strong, and a leaf floated by.",
        "The water was so clear that one could see the fish.",
        "A swan came out of the reeds and wanted bread.",
    ],
    ("bat", "animal"): [
        "In the dark such wings find every moth.",
        "By day such a creature sleeps with its head down.",
        "Such a flight makes no sound at all.",
    ],
    ("bat", "sport"): [
        "The last ball of the day broke a window behind the field.",
        "Half of the team laughed, and the other players shook their heads.",
        "In the last innings nobody scored at all.",
    ],
    ("crane", "bird"): [
        "Such a bird has a long neck and a long beak.",
        "There was an empty nest in the marsh.",
        "Soon the whole flock was high up in the sky.",
    ],
    ("crane", "machine"): [
        "A steel hook swung high above the ground.",
        "The workers shouted from below, and the engine stopped.",
        "The load was too heavy, so the cable began to creak.",
    ],
    ("spring", "season"): [
        "Soon the snow had melted, and the trees were green again.",
        "The swallows came back, and the days grew longer.",
        "It rained now and then, but the blossoms did not mind.",
    ],
    ("spring", "water"): [
        "The water tasted of stones and was as cold as ice.",
        "From there the stream runs down to the valley.",
        "No well in the country gives such clear water.",
    ],
    ("spring", "coil"): [
        "The metal was bent and squeaked at every touch.",
        "Such a thing jumps when one lets it go.",
        "With a little oil everything stretched and shrank like new.",
    ],
    ("seal", "animal"): [
        "Such an animal has wet fur and long whiskers.",
        "Then there was a splash in the sea, and a fish was gone.",
        "There was a clapping of flippers, for it was time for fish.",
    ],
    ("seal", "stamp"): [
        "The wax smelled of honey and smoke.",
        "Without the wax nobody would have believed the paper.",
        "The picture on the wax showed a lion with a crown.",
    ],
    ("match", "game"): [
        "The referee put away the whistle, and the players shook hands.",
        "The crowd shouted for an hour, and nobody went home.",
        "Next week the same two teams will play again.",
    ],
    ("match", "fire"): [
        "The box smelled of sulphur.",
        "Then the wind put out every flame in the house, and it was dark again.",
        "The wood in the fireplace was dry, and so was the straw.",
    ],
    ("ring", "jewel"): [
        "The stone was made of glass, but it shone.",
        "One cannot wear such a thing on the thumb.",
        "The gold was thin, and a name was written on the inside.",
    ],
    ("ring", "boxing"): [
        "The referee counted to ten.",
        "Before the first round both fighters had been very polite.",
        "The fight was short, and the seats were hard.",
    ],
    ("bark", "tree"): [
        "Everything was wet and covered with moss.",
        "Underneath, the wood was smooth and pale.",
        "The branches moved, and a few leaves came down.",
    ],
    ("bark", "dog"): [
        "Then came a growl and the sound of paws.",
        "Only a bone could end the noise.",
        "A tail wagged, and somebody wanted to play.",
    ],
    ("palm", "tree"): [
        "The leaves were long, and the sand was hot.",
        "There was much sun there, and nobody had ever seen snow.",
        "The long green leaves moved in the wind.",
    ],
    ("palm", "hand"): [
        "The skin there was hard from work.",
        "The fingers were long and a little cold.",
        "Between the fingers there was a drop of honey.",
    ],
    ("trunk", "tree"): [
        "The forester came and marked the wood with white paint.",
        "The other trees around it moved in the wind.",
        "The wood was hollow, and an owl looked out.",
    ],
    ("trunk", "elephant"): [
        "The ears were as large as blankets.",
        "So huge an animal is never in a hurry.",
        "The keeper brought peanuts and a bucket of water.",
    ],
    ("trunk", "luggage"): [
        "The lid was heavy and had hurt many fingers.",
        "The lock was rusty, and the leather handle was torn.",
        "On the leather there were the names of nine hotels.",
    ],
    ("star", "sky"): [
        "The light up there is older than the mountains.",
        "Towards morning the sky grew pale, and the sun came up.",
        "The moon had not risen yet, and it was very dark.",
    ],
    ("star", "actor"): [
        "Photographers follow such people everywhere.",
        "Such people are paid well and sleep badly.",
        "On the stage and in the films everything looked so easy.",
    ],
    ("jam", "fruit"): [
        "Everything was sweet and stuck to the spoon.",
        "There was sugar on the table and on the floor.",
        "A slice of bread with butter was waiting.",
    ],
    ("jam", "traffic"): [
        "The drivers hooted, but no car moved.",
        "At last the lorries rolled on, one by one.",
        "Somebody got out and sold lemonade between the lanes.",
    ],
    ("mint", "plant"): [
        "Such leaves smell fresh when one rubs them.",
        "Herbs want water and a little shade.",
        "With sugar and lemon one can make a good drink for the summer.",
    ],
    ("mint", "coins"): [
        "Pennies come out of the machine warm and shining.",
        "The silver was kept behind three locked doors.",
        "Forged money hung on the wall as a warning.",
    ],
    ("nail", "metal"): [
        "The hammer lay on the floor, next to the screws.",
        "The metal was old, and one end was bent.",
        "People say that screws are better, but they cost more.",
    ],
    ("nail", "finger"): [
        "The bottle of polish was empty.",
        "The scissors were blunt, and so was the file.",
        "The thumb looked worst of all.",
    ],
    ("wave", "sea"): [
        "The foam was white, and the water was green.",
        "The gulls screamed, and the tide went out.",
        "A storm was coming, so the fishermen stayed on land.",
    ],
    ("wave", "greeting"): [
        "A stranger smiled and lifted a hat.",
        "It costs nothing to lift a hand.",
        "It is polite to greet people, even from far away.",
    ],
    ("pupil", "school"): [
        "The bell rang, and the lesson was over.",
        "The teacher wrote a sum on the blackboard.",
        "There was an exam the next day, and nobody had studied.",
    ],
    ("pupil", "eye"): [
        "The lashes moved, and a tear fell.",
        "In the sunlight one could see only a small black dot.",
        "Nobody can look into the sun for long.",
    ],
    ("fan", "admirer"): [
        "Everybody wanted an autograph, and some people fainted.",
        "The posters covered every wall of the bedroom.",
        "The cheering did not stop for an hour.",
    ],
    ("fan", "cooler"): [
        "The air moved, and the room was a little less hot.",
        "The blades hummed all through the summer night.",
        "When the power failed, everybody began to sweat.",
    ],
    ("ruler", "king"): [
        "The throne was made of ivory and very uncomfortable.",
        "The people hoped for lower taxes.",
        "The army was large, but the soldiers wanted to go home.",
    ],
    ("ruler", "measure"): [
        "Every inch was marked in red.",
        "The pencil broke, and the paper got a hole.",
        "The numbers were so small that nobody could read the centimetres.",
    ],
    ("deck", "ship"): [
        "The anchor was up, and the gulls followed.",
        "The sea was rough, and the captain shouted.",
        "Below, the engine hummed, and somebody was frying fish.",
    ],
    ("deck", "cards"): [
        "The king of spades was missing.",
        "Nobody trusted anybody, and the game ended early.",
        "The next hand was full of jokers.",
    ],
    ("bulb", "plant"): [
        "In other gardens there were flowers in every colour.",
        "The roots were short, and the soil was still cold.",
        "Everybody knows that too much water is bad.",
    ],
    ("bulb", "lamp"): [
        "The switch on the wall had a crack.",
        "There was only a thin wire inside the glass.",
        "Somebody said that candles are better.",
    ],
}
