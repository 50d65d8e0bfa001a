"""A splitter of paragraphs into sentences by rules, for text in any script.

The marks are those of Unicode's property Sentence_Terminal (Unicode 16, PropList.txt) that end a sentence in
modern text. `plain_text` uses it on whole files. Libraries (pysbd, sentencex, ICU and others) have to be told
the language, and divide more texts of `tests/readers/abbreviations.txt` wrongly.
"""

import re
from collections.abc import Iterable
from unicodedata import category

# These marks end a sentence only before white space and a character that can begin the next one.
WEAK = ".!?…‼‽⁇⁈⁉"
# These marks have no other use, so they need neither white space nor a capital letter after them: Armenian,
# Arabic, Syriac, N'Ko, Indic, Burmese, Ethiopic, Canadian Aboriginal, Khmer, Mongolian, Limbu, Lisu, Vai,
# Meetei Mayek, Chinese and Japanese.
STRONG = "։؟۔܀܁܂߹।॥။።፧፨᙮។៕᠃᠉᥄᥅⸮꓿꘎꘏꯫。｡︒！？︕︖"
OPENING = "\"'“‘«»‹›„‚(\\[¿¡「『（【《〈〔［"
CLOSING = "\"'”’»›)\\]」』）】》〉〕］"
GREEK = "\u0370-\u03ff\u1f00-\u1fff"  # whose question mark is a semicolon
MARKS = rf"[{WEAK}{STRONG}．;\u037e]"
VERSE = r"(?<=॥)\s?\d+\s?॥"  # the number of a verse
# German closing quotes open a quotation elsewhere; French has a space before its closing quotes.
QUOTE = rf"[{CLOSING}]|[“‘«‹](?!\w)"
# Marks with closing quotes. They begin with a plain set of characters, so that the search is fast.
ENDS = (
    rf"{MARKS}(?<!{MARKS}{MARKS}){MARKS}*"
    rf"(?:(?<![;\u037e．])|(?<=[{GREEK}][;\u037e])|(?<=．)(?<!\d．)(?!\d))"  # １．５ is a number
    rf"(?:{VERSE})?(?:{QUOTE}|\s[»›](?!\S))*"
)
LINE_END = re.compile(ENDS + "$")
# Before the next sentence there may be opening quotes, or the dash of a dialogue.
BREAK = re.compile(
    rf"({ENDS})(?!{MARKS}|{QUOTE}|{VERSE})(\s*)(?=((?:[«‹—–]\s|[—–](?=[\w¿¡])|[{OPENING}])*)(\S\S?\S?))"
)
ASKED = re.compile("[?!？！؟]")
# After a closing quote: the particles and the verbs by which Japanese and Chinese continue the sentence.
SPEECH = re.compile("と|って|[、，,]|[他她我]?们?[说說问問道喊]")
ENGLISH = "Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Capt|Col|Gen|Lt|Sgt|St|Mt|Messrs|Jr|Sr|Vol|Fig|vs|cf"  # abbreviations
# Abbreviations with a vowel in other languages, and those that are common before a number. Lists are never
# complete, so the other rules are about the form of a word.
NAMED = (
    "No|Mme|Mevr|Sra|Srta|Dra|Profa|Sig|(?:[IiAa]l|[Dd][ea]l) sig|[Dd]ott|[Ii]ng|[Aa]vv|ad es|inż|prof|gen|ul"
    "|na nám|[Nn]ap[rř]|[Ee]sim|ún|[Bb]ijv|Av|Doç|örn|[Пп]роф|[Аа]кад|ген|ул|им|тов|[Вв]ул|ім|κα|Αγ"
    "|डॉ|डा|पं|प्रो|प्रा|श्री|ডা|ড|ഡോ"
)
NUMBERED = (
    "nos?|n[°º]|n[uú]m|ap?prox|ca|env|ok|ок|περ|fig|рис|abb|tab|табл|vol|cha?p|[ck]ap|rozdz|розд|разд|sect?|art|άρθ"
    r"|abs|anm|para|\w*str|p[aá]g|pp|стор|σελ|αρ|буд|godz|jan|feb|apr|jun|jul|aug|sept?|o[ck]t|nov|de[cz]"
    "|янв|апр|авг|сент|окт|дек"
)
LOWER = "[a-zß-öø-ÿα-ώа-ї]"
LATER = "β-δζθκ-νξπρστφ-ψб-дж-зй-нп-тф-щ"  # Greek and Cyrillic consonants
CONSONANT = f"[b-df-hj-np-tv-xzçñćčďđğłńňřśšťźżž{LATER}]"
WORD = r"(?<![\w.'’&/%-])(?<![\dIVXІХ]\s)"  # the start of a word, but not of a unit: "10 km.", "XX в."
ORDINAL = r"(?:0?[1-9]|[1-9]\d|[IVXL]{2,})\.\0[^\W\d_]"  # a number before a word
# Full stops within a sentence. \0 is the white space after the full stop.
WITHIN = re.compile(
    rf"\b(?:{ENGLISH}|{NAMED})\.\0|\b(?i:{NUMBERED})\.\0\d"
    # A word without a vowel is an abbreviation, such as "str." and "p. 5", but r is the vowel of "smrt".
    rf"|{WORD}(?!(?:sh|hm|pss?t|tsk|tv|pc|cd|wc|stb|vb|др|пр|Ltd|\w*(.)\1)\.|{CONSONANT}+[rlрл]{CONSONANT}+\.\0\D)"
    rf"(?i:{CONSONANT}){CONSONANT}{{1,2}}(?:\.\0|{CONSONANT}*\.\0\d)"
    rf"|{WORD}(?:{CONSONANT}\.\0\d|(?<!т\.\s)[{LATER}]\.\0)"
    # abbreviations of several words, such as "bl.a.", "p. ej.", "a. C.", "EE. UU." and "av. J.-C."
    rf"|(?<![\w.'’])(?!(?:[amp]\.\s?m|т\.\s?[днп]|[ou]\.\s?s\.\s?[vw]|κ\.λπ)\.)"
    rf"(?:{LOWER}{{1,2}}\.|{LOWER}\.\s)+{LOWER}{{1,4}}\.\0"
    rf"|(?<![\w.'’])(?:[au]|{CONSONANT})\.\0[^\W\d_]\.|\b([A-Z])\2\.\0([A-Z])\3\.|\ba[pv]r?\.\0J\.-"
    # dates, such as "2024. 10. 3.", and the number of a Korean sentence
    r"|\d\.\0\d\d?\.|\d\.\s?\d\d?\.\0[\d가-힣]|^\d\d?\.\0[가-힣]"
    # ordinals after German determiners and prepositions
    r"|\b(?:[Dd](?:er|ie|as|e[mns])|(?:[Ii]hr|[Ss]ein|[Dd]ies|[Jj]ed)(?:e?[mnrs]|e)?|(?<!I\s)[Aa]m|[Ii]m|[Vv]om"
    r"|[Zz]u[mr]|[Bb]eim|(?<=\d\.\s)(?:und|bis))\s" + ORDINAL
)
# Rules for paragraphs with one of some signs. If there are full stops of another shape, "." is only for
# abbreviations. Some languages write ordinals with a full stop: Turkish and Hungarian before names, others at
# the start of a sentence, after a comma or a preposition ("w 2. Korpusie"), and in Roman numerals.
HABITS = [
    (re.compile("[।۔։།။។]"), re.compile(r"[\u0530-\U0010ffff]\.\0[\d\u0530-\U0010ffff]")),
    (re.compile("[ğĞıİşŞőŐűŰ]"), re.compile(r"(?<!\.\s)(?<![^\s(])" + ORDINAL)),
    (
        re.compile("[ßäöüąęłńśźżčďěňřšťůžæøå]"),
        re.compile(r"(?:^|(?<!\d),\s|\b[ksuvwz]\s|\b(?![A-ZÀ-ÞČĆĐŁŚŠŹŻŽ])\w+\s(?=[IVXL]))" + ORDINAL),
    ),
]
INITIAL = re.compile(r"\b[^\W\d_]\.$")
BEFORE, AFTER = 20, 3  # numbers of characters around a full stop that the rules need


def split_sentences(text: str) -> list[str]:
    """Split a paragraph into sentences by rules.

    A sentence ends at . ! ? or … (with closing quotes) before a capital letter, a digit or a letter of a
    script without capitals, but not after an abbreviation, an initial or an ordinal ("Am 3. Oktober"), as far
    as rules and short lists recognise it. It ends at 。 ！ ？ । ؟ ۔ ። and similar marks in any case. The
    rules fail if a quotation ends before a name ('"Why?" Alice asked.' becomes two sentences). In scripts
    without capitals, a sentence does not end at a quoted question or exclamation. Text without marks, such as
    Thai, is one sentence.

    >>> split_sentences('Mr. J. Dodgson wrote it. "Was it long?" she asked. Yes!')
    ['Mr. J. Dodgson wrote it.', '"Was it long?" she asked.', 'Yes!']
    >>> split_sentences("Где Иван? Его нет.") + split_sentences("他走了。我也走了。")
    ['Где Иван?', 'Его нет.', '他走了。', '我也走了。']
    """
    sentences, start = [], 0
    rules = [WITHIN, *(rule for sign, rule in HABITS if sign.search(text))]
    for match in BREAK.finditer(text):
        end, following = match.end(1), match.end()
        before, after = text[max(start, end - BEFORE) : end], text[following : following + AFTER]
        if divides(*match.groups()) and not within_sentence(before, after, rules):
            sentences.append(text[start:end])
            start = following
    return sentences + [text[start:]] if text[start:] else sentences


def divides(mark: str, space: str, opening: str, following: str) -> bool:
    """Return whether a sentence ends at a mark, given the white space, quotes and letters that follow."""
    quoted = mark[-1] in CLOSING and not opening
    if quoted and ASKED.search(mark) and category(following[0]) == "Lo":
        return False  # who asks follows, as in “去哪儿？”母亲问
    if any(character in STRONG + "．" for character in mark):
        return not quoted or not SPEECH.match(following)
    if not space:
        return False
    if mark[0] in ";\u037e":
        return following[0].isupper()
    if "\u0e00" <= following[0] <= "\u0eff":  # Thai and Lao have full stops only in abbreviations
        return mark[0] in "!?"
    return begins(following[0])


def begins(character: str) -> bool:
    """Return whether a sentence can begin with a character."""
    if character.istitle() or character.isdecimal():  # a single capital is a title, too
        return True
    # Georgian has capitals, but no sentence begins with one. º, as in "n. º", is Lo, too.
    return "\u10d0" <= character <= "\u10ff" or character > "ÿ" and category(character) == "Lo"


def within_sentence(before: str, after: str, rules: Iterable[re.Pattern[str]] = (WITHIN,)) -> bool:
    """Return whether the mark at the end of `before` is a full stop within a sentence.

    It is, if it belongs to an abbreviation, an initial, an ordinal or a date. after: the text after the white
    space. rules: patterns of such places.
    """
    if before[-1] == "." and any(rule.search(f"{before[-BEFORE:]}\0{after}") for rule in rules):
        return True
    letter = before[-2:-1]
    return bool(INITIAL.search(before)) and (letter.isupper() or "\u0590" <= letter <= "\u06ff")
