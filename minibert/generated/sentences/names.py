"""The names of people, places, firms and animals in the generated language.

People, places and firms share names, so only the context shows which is meant. Surnames combine a few roots
and endings, so that WordPiece learns pieces (`Ash` + `by`, `Har` + `low`) that also spell the unseen names of
the test split. First names are invented, so they reveal no gender; any two differ in at least two letters and
in their Soundex codes.
"""

from dataclasses import dataclass

from ..writer.draws import Draws

ROOTS = (
    "Ash Mar Har Den Wal Bram Thorn Lang Hol Win Nor Sel Cald Bex Kel Stan Whit Crom Rad Fair Lud Pen Ren "
    "Tam Ald Brad "
    "Dray Ever Hal Kirk Orm Hex Fen Col Lam Wen Ling Ches Hather Sed"
).split()
ENDINGS = "by low ton ford ley wick worth mere den ham stead combe field bury".split()
FIRSTS = (
    "Abrel Birlen Bosmi Brako Brivin Bruvo Dasmi Delen Dorlo Dremi Driko Drotan Dusel Ebrin Fadik Farlin "
    "Fenko Flerel Flomi Fluko Fovo Ganor Gebin Gilu Gindo Glavin Glotan Glumi Gorlen Gusko Halko Hodas Holmi "
    "Hurvin Iglen Ilmi Jandu Jelu Jiko Jinor Juvko Kisel Klavo Kotan Krebin Krimon Kritan Kromi Kudik Kumon "
    "Ledas Lermin Limi Lobin Loko Lunko Mado Muko Nedik Neko Nibin Nolin Nolu Nuvo Pako Parlo Pelko Penor "
    "Pravo Rasko Relin Roden Rovin Rulu Sanel Silen Sivin Sodik Stelo Stinor Stuvo Tasel Tavin Thalu Theko "
    "Thudas Tralo Tretan Trivo Trosel Ulko Vadas Varel Velo Vemi Vemon Wendik Wirlo Yedin Zanesh Zari Zavo "
    "Zitan Zonor Zulo Zurel"
).split()
PET_STARTS = "Pip Pom Tib Mop Fiz Dod Nub Wob".split()
PET_ENDINGS = "kin let sy mo dle".split()
REAL_WORDS = frozenset(  # excluded: ordinary words, and names that readers associate with women or men
    "Harden Halden Walden Harley Halley Fairley Bradley Stanley Norton Marley "
    "Linden Colden Holden Wallow Fellow Hallow Marbury".split()
)
TRAIN_SHARE = 2 / 3  # of each list; the rest is reserved for the test split


@dataclass(frozen=True)
class Names:
    """The names of people, places, firms and animals that one split may use."""

    bases: tuple[str, ...]  # shared by surnames, places and firms: "Ashby", "Harlow"
    firsts: tuple[str, ...]  # first names of people; occasionally of a place or a firm
    pets: tuple[str, ...]  # names of animals


def _joined(starts: list[str], endings: list[str]) -> list[str]:
    """Return each start with each ending, except real words and those with a doubled letter at the joint."""
    words = [start + ending for start in starts for ending in endings if start[-1] != ending[0]]
    return [word for word in words if word not in REAL_WORDS]


def draw_names(draws: Draws) -> dict[str, Names]:
    """Shuffle all names and distribute them among the splits.

    `train` and `dev` share their names, `test` has only other names, and `pretrain` has all names.
    """
    seen, unseen = [], []
    for names in (_joined(ROOTS, ENDINGS), FIRSTS, _joined(PET_STARTS, PET_ENDINGS)):
        words = draws.sample(names, len(names))
        cut = int(TRAIN_SHARE * len(words))
        seen.append(tuple(words[:cut]))
        unseen.append(tuple(words[cut:]))
    train, everybody = Names(*seen), Names(*(a + b for a, b in zip(seen, unseen, strict=True)))
    return {"train": train, "dev": train, "test": Names(*unseen), "pretrain": everybody}
