"""A second way from the corpus's French to English, by rules of its own: it parses what is written.

It knows the forms of :mod:`french_forms` and no code of the package, checks every agreement that it
meets, and raises :class:`UnreadableError` at the first fault.
"""

import re
from dataclasses import dataclass, field

from french_forms import (
    ADJECTIVES,
    AVOIR,
    DETERMINERS,
    ETRE,
    FIRST,
    NAMES,
    NOUNS,
    NUMBERS,
    SMALL_WORDS,
    SUBJECTS,
    VERBS,
    WITH_ETRE,
)

TIMES = ("hier", "demain", "aujourd' hui", "maintenant")
OPENERS = (*TIMES, "merci", "merci beaucoup", "bonjour", "oui", "non")
PLACES = ("dans", "sur", "sous", "avec")
CLITICS = {
    "me": ("me", "s"), "m'": ("me", "s"), "te": ("you", "s"), "t'": ("you", "s"),
    "nous": ("us", "p"), "vous": ("you", "sp"),
}  # fmt: skip
REFLEXIVES = {1: ("me", "m'"), 2: ("te", "t'"), 3: ("se", "s'"), 4: ("nous",), 5: ("vous",),
              6: ("se", "s'")}  # fmt: skip
HUNGER = {"faim": "hungry", "soif": "thirsty"}
TRADES = {"étudiant": "student", "étudiante": "student", "professeur": "teacher"}


class UnreadableError(Exception):
    """A sentence that breaks a rule of French, or that can be read in two ways."""


def require(rule: bool, why: str) -> None:
    if not rule:
        raise UnreadableError(why)


def _table(text: str) -> dict[str, list[list[str]]]:
    table: dict[str, list[list[str]]] = {}
    for entry in re.split(r" / |\n", text.strip()):
        form, *rest = entry.split()
        table.setdefault(form, []).append(rest)
    return table


NOUN, ADJECTIVE = _table(NOUNS), _table(ADJECTIVES)
FORMS: dict[str, list[tuple[str, str, int]]] = {}
PARTICIPLES: dict[str, list[tuple[str, str]]] = {}
PAST: dict[str, str] = {}
for _line in VERBS.strip().splitlines():
    _present, _future, _participles, _english = (part.split() for part in _line.split("|"))
    _base, PAST[_english[0].replace("+", " ")] = (word.replace("+", " ") for word in _english)
    for _tense, _forms in (("present", _present), ("future", _future)):
        for _person, _form in enumerate(_forms, start=1):
            FORMS.setdefault(_form, []).append((_base, _tense, _person))
    for _form, _features in zip(_participles, ("ms", "fs", "mp", "fp"), strict=True):
        PARTICIPLES.setdefault(_form, []).append((_base, _features))
for _base, _paradigm in (("be", ETRE), ("have", AVOIR)):
    for _tense, _row in _paradigm.items():
        for _person, _form in enumerate(_row.split(), start=1):
            FORMS.setdefault(_form, []).append((_base, _tense, _person))


def is_vowel(word: str) -> bool:
    return word != "" and word[0] in "aeiouyhéêâ"


@dataclass
class Thing:
    """What a noun phrase or a pronoun means; gender and number list all that are possible."""

    english: str
    gender: str = "mf"
    number: str = "sp"
    kind: str = "p"
    person: int = 3


@dataclass
class Verb:
    """A verb as it stands in its clause."""

    base: str
    tense: str
    negated: bool = False
    often: bool = False
    clitic: str = ""
    rest: list[str] = field(default_factory=list)


class Words:
    """The words of a clause, read from the left."""

    def __init__(self, words: list[str]):
        self.words, self.at = words, 0

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.words[place] if place < len(self.words) else ""

    def take(self, *wanted: str) -> str:
        """The next word, if it is one of those; an empty string otherwise."""
        if self.peek() in wanted:
            self.at += 1
            return self.words[self.at - 1]
        return ""

    def ended(self) -> bool:
        return self.at == len(self.words)


def translate(source: str) -> str:
    """Read a French sentence and say it in English."""
    words = re.findall(r"[^\s,.?!']+'?|[,.?!]", source)
    mark = words.pop() if words[-1] in ".?!" else ""
    parts, known = " ".join(words).split(" , "), None
    said = []
    for part in parts:
        link = ""
        if part in OPENERS:
            said.append(SMALL_WORDS[part])
            continue
        first, *others = part.split()
        if first in ("et", "mais"):
            require(bool(said), "a link begins a sentence")
            link, part = f"{SMALL_WORDS[first]} ", " ".join(others)
        text, known = _clause(Words(part.split()), known, mark == "?")
        said.append(link + text)
    return ", ".join(said) + mark


def _clause(words: Words, known: Thing | None, asked: bool) -> tuple[str, Thing | None]:
    if words.take("voici"):
        thing = noun_phrase(words)
        text = f"here {'are' if thing.number == 'p' else 'is'} {thing.english}"
    elif words.take("bonjour", "merci"):
        much = bool(words.take("beaucoup"))
        greeting = "hello" if words.peek(-1) == "bonjour" else "thanks a lot" if much else "thanks"
        thing, text = None, f"{greeting} {noun_phrase(words).english}"
    elif words.take("où"):
        return _where(words)
    elif words.peek() == "est-ce" or (words.peek(), words.peek(1)) == ("qu'", "est-ce"):
        what = "what " if words.take("qu'") else ""
        words.take("est-ce")
        require(words.take("qu'", "que") == ("qu'" if is_vowel(words.peek()) else "que"), "que")
        return what + _statement(words, known, "object" if what else "question")[0], None
    else:
        start = words.at
        try:
            thing = noun_phrase(words)
            if words.ended():
                return thing.english, thing
        except UnreadableError:
            pass
        words.at = start
        require(not asked or words.peek() == "qui", "a question without its beginning")
        return _statement(words, known, "said")
    require(words.ended(), f"{words.peek()} is left over")
    return text, thing


def _where(words: Words) -> tuple[str, None]:
    form = words.peek()
    words.at += 1
    thing = _subject(words, None)
    readings = [t for b, t, p in FORMS.get(form, []) if b == "be" and p == thing.person]
    require(len(readings) == 1 and words.ended(), "où asks with être")
    return f"where {_question(thing, Verb('be', readings[0]))}", None


def noun_phrase(words: Words, denied: bool = False) -> Thing:
    """A name, or a determiner, adjectives, a noun, adjectives; all in agreement."""
    if words.peek() in NAMES:
        name = words.take(*NAMES)
        return Thing(name, NAMES[name], "s")
    determiner, english = _determiner(words, denied)
    before = []
    while words.peek() in ADJECTIVE and words.peek() not in NOUN:
        before.append(words.take(words.peek()))
    noun = words.peek()
    require(noun in NOUN, f"{noun} is no noun")
    words.at += 1
    fitting = [r for r in NOUN[noun] if determiner(r, bool(before))]
    require(len(fitting) == 1, f"{noun} can be read in {len(fitting)} ways")
    features, said, kind = fitting[0]
    after = []
    while words.peek() in ADJECTIVE:
        after.append(words.take(words.peek()))
    adjectives = [_adjective(a, features, [*before, noun][i + 1]) for i, a in enumerate(before)]
    adjectives += [_adjective(a, features, "") for a in after]
    require(all((a in FIRST) == (i < len(before)) for i, a in enumerate(adjectives)), "the place")
    text = " ".join([*adjectives, said])
    if english == "a" or (english == "any" and features[1] == "s" and kind != "m"):
        english = "an" if text[0] in "aeiou" else "a"
    person = 6 if features[1] == "p" else 3
    return Thing(f"{english} {text}", features[0], features[1], kind, person)


def _determiner(words: Words, denied: bool):
    """Which readings of a noun a determiner allows, and its English."""
    word, following = words.peek(), words.peek(1)
    words.at += 1
    if word in NUMBERS:
        return (lambda r, adjective: r[0][1] == "p"), NUMBERS[word]
    if word in ("de", "d'"):
        require((word == "d'") == is_vowel(following) or following in ("la", "l'"), "d'")
        if following in ("la", "l'") and not denied:
            words.at += 1
            require((following == "l'") == is_vowel(words.peek()), "de l'")
            return (lambda r, _: r[2] == "m" and (following == "l'" or r[0] == "fs")), "some"
        if denied:
            return (lambda r, _: True), "any"
        return (lambda r, adjective: adjective and r[0][1] == "p"), "some"
    require(word in DETERMINERS, f"{word} is no determiner")
    fits, english = DETERMINERS[word]
    if word in ("le", "la", "l'", "ma"):
        require((word == "l'") == is_vowel(following) and following != "", f"{word} {following}")

    def allows(reading: list[str], adjective_first: bool) -> bool:
        features, _, kind = reading
        if (kind == "m") != (word == "du") and word in ("du", "un", "une", "des"):
            return False
        if word == "des" and adjective_first:
            return False
        if features[1] == "p":
            return "p" in fits
        return features[0] in fits or ("e" in fits and is_vowel(following))

    return allows, english


def _adjective(form: str, features: str, following: str) -> str:
    """The English of an adjective that agrees; *bel* and its like stand before a vowel only."""
    readings = {possible: english for possible, english in ADJECTIVE[form]}  # noqa: C416
    english = next(iter(readings.values()))
    has_vowel_form = english in ("old", "beautiful", "new")
    if features == "ms" and has_vowel_form and is_vowel(following):
        require("v" in readings, f"{form} before a vowel")
        return english
    require(features in readings, f"{form} does not agree: {features}")
    return english


def _subject(words: Words, known: Thing | None) -> Thing:
    word = words.peek()
    if word not in SUBJECTS:
        first = noun_phrase(words)
        if not words.take("et"):
            return first
        second = noun_phrase(words)
        gender = "f" if first.gender == second.gender == "f" else "m"
        return Thing(f"{first.english} and {second.english}", gender, "p", "p", 6)
    words.at += 1
    person, english = SUBJECTS[word]
    require(word != "je" or not is_vowel(words.peek()), "je before a vowel")
    number = {2: "s", 1: "s", 3: "s", 4: "p", 6: "p"}.get(person, "sp")
    if word not in ("il", "elle", "ils", "elles"):
        return Thing(english, "m" if word == "qui" else "mf", number, "p", person)
    gender = "f" if word.startswith("elle") else "m"
    if known is None:
        return Thing(english, gender, number, "p", person)
    require(known.gender == gender and known.number == number, f"{word} for {known.english}")
    english = "it" if number == "s" and known.kind != "p" else english
    return Thing(english, gender, number, known.kind, person)


def _statement(words: Words, known: Thing | None, form: str) -> tuple[str, Thing | None]:
    there = words.peek() == "il" and "y" in (words.peek(1), words.peek(2))
    subject = Thing("there", "m", "s") if there and words.take("il") else _subject(words, known)
    negated = bool(words.take("ne", "n'"))
    require(words.peek(-1) != "ne" or not is_vowel(words.peek()), "ne before a vowel")
    own, target = words.peek(), None
    if there:
        require(bool(words.take("y")), "y")
    elif own in CLITICS or own in ("le", "la", "l'", "les", "se", "s'"):
        words.at += 1
        require(not own.endswith("e") or not is_vowel(words.peek()), f"{own} before a vowel")
        target = _meant(own, known)
    verb = _verb(words, subject, own, target, negated)
    thing = _tail(words, subject, verb, there, form)
    if there:
        subject.person, subject.number = thing.person, thing.number
    require(words.ended(), f"{words.peek()} is left over")
    text = _said(subject, verb) if form == "said" else _question(subject, verb)
    about = subject if subject.person in (3, 6) and subject.kind and verb.base != "have" else thing
    return text, about


def _meant(clitic: str, known: Thing | None) -> Thing:
    """What an object pronoun stands for."""
    if clitic in CLITICS:
        english, number = CLITICS[clitic]
        return Thing(english, "mf", number)
    if clitic in ("se", "s'"):
        return Thing("", "mf", "sp")
    if known is None:
        raise UnreadableError(f"nobody knows whom {clitic} means")
    require((known.number == "p") == (clitic == "les"), f"{clitic} for {known.english}")
    require(clitic in ("l'", "les") or known.gender == {"le": "m", "la": "f"}[clitic], "gender")
    one = "it" if known.kind != "p" else "him" if known.gender == "m" else "her"
    return Thing("them" if known.number == "p" else one, known.gender, known.number)


def _verb(words: Words, subject: Thing, own: str, target: Thing | None, negated: bool) -> Verb:
    form = words.peek()
    words.at += 1
    readings = {(b, t) for b, t, p in FORMS.get(form, []) if p == subject.person}
    require(len(readings) == 1, f"{form} has {len(readings)} readings for {subject.english}")
    base, tense = readings.pop()
    require(not negated or bool(words.take("pas")), "ne without pas")
    verb = Verb(base, tense, negated, clitic=target.english if target else "")
    if words.peek() in PARTICIPLES and base in ("be", "have") and tense == "present":
        participle = words.take(words.peek())
        verb.base = PARTICIPLES[participle][0][0]
        require((base == "be") == (verb.base in WITH_ETRE), f"{form} {participle}")
        agreeing = subject if base == "be" else target or Thing("", "m", "s")
        possible = {g + n for g in agreeing.gender for n in agreeing.number}
        found = {features for _, features in PARTICIPLES[participle]}
        require(bool(possible & found), f"{participle} does not agree")
        verb.tense = "past"
    if verb.base == "sit":
        require(own in REFLEXIVES[subject.person], f"{own} for {subject.english}")
        verb.clitic = ""
    else:
        require(own not in ("se", "s'"), "a reflexive verb")
    verb.often = bool(words.take("souvent"))
    return verb


def _tail(words: Words, subject: Thing, verb: Verb, there: bool, form: str) -> Thing | None:
    thing = None
    while not words.ended():
        word, two = words.peek(), f"{words.peek()} {words.peek(1)}"
        if word in TIMES or two in TIMES:
            words.at += 1 if word in TIMES else 2
            tense = {"hier": "past", "demain": "future"}.get(word, "present")
            require(tense == verb.tense, f"{word} in the {verb.tense}")
            verb.rest.append(SMALL_WORDS[word if word in TIMES else two])
        elif word in ("ici", "là"):
            verb.rest.append(SMALL_WORDS[words.take(word)])
        elif word in PLACES:
            verb.rest.append(f"{SMALL_WORDS[words.take(word)]} {noun_phrase(words).english}")
        elif verb.base == "be":
            verb.rest.append(_predicate(words, subject))
        elif verb.base == "have" and not there and (word in HUNGER or two.endswith(" ans")):
            verb.rest.append(HUNGER.get(word) or f"{NUMBERS.get(word, 'no')} years old")
            words.at += 1 if word in HUNGER else 2
            verb.base = "be"
        else:
            require(thing is None, "two objects")
            denied = verb.negated and word in ("de", "d'")
            thing = noun_phrase(words, denied)
            some = form == "question" and thing.english.startswith("some ")
            verb.rest.append(f"any {thing.english[5:]}" if some else thing.english)
            verb.base = "be" if there else verb.base
    return thing


def _predicate(words: Words, subject: Thing) -> str:
    possible = {g + n for g in subject.gender for n in subject.number}
    very = "very " if words.take("très") else ""
    word = words.peek()
    words.at += 1
    if word in ADJECTIVE:
        fitting = {e for f, e in ADJECTIVE[word] if f in possible}
        require(len(fitting) == 1, f"{word} does not agree with {subject.english}")
        english = fitting.pop()
        return very + ("tall" if english == "big" and subject.kind == "p" else english)
    trade = TRADES.get(word.removesuffix("s"), "")
    require(trade != "" and not very, f"{word} is no trade")
    plural = word.endswith("s")
    require(("p" if plural else "s") in subject.number, f"{word} does not agree")
    if trade == "student":
        require(("f" if "e" in word[-2:] else "m") in subject.gender, f"{word} does not agree")
    return f"{trade}s" if plural else f"a {trade}"


def _said(subject: Thing, verb: Verb) -> str:
    """An English statement."""
    third = subject.person == 3
    not_, often = ("not" if verb.negated else ""), ("often" if verb.often else "")
    if verb.tense == "future":
        core = ["will", not_, often, verb.base]
    elif verb.base == "be":
        core = [_be(subject, verb.tense), not_, often]
    elif verb.negated:
        helper = "did" if verb.tense == "past" else "does" if third else "do"
        core = [helper, "not", often, verb.base]
    elif verb.tense == "past":
        core = [often, "had" if verb.base == "have" else PAST[verb.base]]
    else:
        core = [often, _third(verb.base) if third else verb.base]
    return " ".join(word for word in [subject.english, *core, verb.clitic, *verb.rest] if word)


def _question(subject: Thing, verb: Verb) -> str:
    often = "often" if verb.often else ""
    require(not verb.negated, "a denied question")
    if verb.tense == "future":
        core = ["will", subject.english, often, verb.base]
    elif verb.base == "be":
        core = [_be(subject, verb.tense), subject.english, often]
    else:
        helper = "did" if verb.tense == "past" else "does" if subject.person == 3 else "do"
        core = [helper, subject.english, often, verb.base]
    return " ".join(word for word in [*core, verb.clitic, *verb.rest] if word)


def _be(subject: Thing, tense: str) -> str:
    one = subject.person in (1, 3)
    if tense == "past":
        return "was" if one else "were"
    return {1: "am", 3: "is"}.get(subject.person, "are")


def _third(base: str) -> str:
    if base == "have":
        return "has"
    first, _, rest = base.partition(" ")
    first += "es" if first.endswith(("ch", "s", "x")) else "s"
    return f"{first} {rest}".strip()
