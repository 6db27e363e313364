"""What people say to one another: questions, greetings, likes, and what *y* and *en* stand for."""

from __future__ import annotations

import random

from lessons.trained.grammar.clauses import Clause, as_question, in_french
from lessons.trained.grammar.lexicon import AVOIR, ETRE, LIKE, VERBS, Role
from lessons.trained.grammar.morphology import words
from lessons.trained.grammar.parts import (
    LINKS,
    STOP,
    Text,
    objects,
    put,
    said,
    subject_of,
    tell,
)
from lessons.trained.grammar.phrases import (
    NUMBERS,
    PERSON,
    Phrase,
    name,
    noun_phrase,
    pick,
    pronoun,
)
from lessons.trained.grammar.statements import (
    _OWNED,
    _SAYABLE,
    _TRANSITIVE,
    PLAIN,
    being,
    doing,
    going,
    having,
)
from lessons.trained.grammar.times_and_places import GOALS

_GREETINGS = (("bonjour", "hello"), ("salut", "hi"), ("bonsoir", "good evening"),
              ("merci", "thanks"), ("merci beaucoup", "thanks a lot"))  # fmt: skip
_FAREWELLS = (("au revoir", "goodbye"), ("bonne nuit", "good night"))
_LIKED = tuple(noun for noun in PLAIN if noun.kinds & {"food", "drink"})
_SHOWN = tuple(noun for noun in PLAIN if noun.kinds & {"person", "thing", "animal", "clothes",
               "paper", "place", "vehicle"} and noun.counted)  # fmt: skip
_SHOWN_AS = ("the", "my", "your", "our")
_EATEN = tuple(v for v in VERBS if v.lemma in words("manger boire acheter prendre goûter")
               and v.objects & {"food", "drink"})  # fmt: skip


def asking(rng: random.Random) -> Text:
    """dort-il? est-ce que tu dors? tu dors? où est le chat? pourquoi ris-tu? qui chante?"""
    draw = rng.random()
    if draw < 0.3:
        return _whether(rng)
    if draw < 0.7:
        return _inverted(rng)
    if draw < 0.85:
        noun = pick(rng, _OWNED)
        thing = noun_phrase(rng, noun, pick(rng, ("the", "the", "my", "this")), False, 0.2)
        clause = Clause(thing, ETRE, pick(rng, ("present", "present", "imparfait", "future")))
        verb = in_french(clause._replace(subject=thing._replace(french="")))
        french, english = f"où {verb} {thing.french}?", f"where {as_question(clause)}?"
        told = tell(clause)
        return told._replace(french=french, english=english, marks=(*told.marks, "question"))
    asked = pick(rng, _TRANSITIVE)
    while "person" not in asked.subjects:
        asked = pick(rng, _TRANSITIVE)
    who = Phrase("qui", "who", 2, noun=PERSON)
    told = tell(said(rng, who, Role("subject", asked), denied=0.1))
    return told + Text("?", "?", (), ("question",))


def _whether(rng: random.Random) -> Text:
    kind = pick(rng, (doing, doing, doing, being, being, having))
    clause = kind(rng)
    while clause.negation:
        clause = kind(rng)
    told = tell(clause)
    opening = "est-ce que " if rng.random() < 0.5 else ""
    return told._replace(
        french=f"{opening}{told.french}?", english=f"{as_question(clause)}?",
        marks=(*told.marks, "question"),
    )  # fmt: skip


def _inverted(rng: random.Random) -> Text:
    verb = pick(rng, _SAYABLE)
    while "person" not in verb.subjects:
        verb = pick(rng, _SAYABLE)
    subject = pronoun(rng, True, verb.has_all_forms)
    while subject.french == "je":
        subject = pronoun(rng, True, verb.has_all_forms)
    clause = said(rng, subject, Role("subject", verb), denied=0.1)
    french, english = pick(rng, (("", ""),) * 4 + _ASKED)
    told = tell(clause)
    return told._replace(
        french=f"{french} {in_french(clause, subject.french)}?".strip(),
        english=f"{english} {as_question(clause, not english)}?".strip(),
        marks=(*told.marks, "question", "inversion"),
    )  # fmt: skip


_ASKED = (("où", "where"), ("quand", "when"), ("pourquoi", "why"), ("comment", "how"))


def greeting(rng: random.Random) -> Text:
    """bonjour marie; salut, où est la gare?; non, je ne dors pas; je m'appelle paul"""
    draw = rng.random()
    if draw < 0.1:
        who = name(rng)
        return Text(f"je me appelle {who.french}", f"my name is {who.english}", (), ("greeting",))
    if draw < 0.5:
        yes = rng.random() < 0.5
        clause = doing(rng)
        while bool(clause.negation) == yes:
            clause = doing(rng)
        told = tell(clause)
        opening = Text("oui, ", "yes, ") if yes else Text("non, ", "no, ")
        return opening + told + Text("", "", (), ("greeting",))
    french, english = pick(rng, _GREETINGS if draw < 0.9 else (*_GREETINGS, *_FAREWELLS))
    if rng.random() < 0.6:
        who = name(rng)
        comma = "," if rng.random() < 0.5 else ""
        french, english = f"{french}{comma} {who.french}", f"{english}, {who.english}"
    opening = Text(french, english, (), ("greeting",))
    if draw >= 0.8:
        return opening
    other = asking(rng) if rng.random() < 0.5 else tell(doing(rng))
    return opening + Text(", ", ", ") + other


def fragment(rng: random.Random) -> Text:
    """le petit chat noir; c'est mon frère"""
    if rng.random() < 0.5:
        thing = noun_phrase(rng, pick(rng, _SHOWN), pick(rng, _SHOWN_AS), adjectives=0.2)
        its, is_ = ("ce sont", "these are") if thing.plural else ("c'est", "this is")
        return Text(f"{its} {thing.french}", f"{is_} {thing.english}", thing.pairs, thing.marks)
    thing = noun_phrase(rng, pick(rng, PLAIN), adjectives=0.7)
    return Text(thing.french, thing.english, thing.pairs, thing.marks)


def liking(rng: random.Random) -> Text:
    """j'aime le chocolat; aimes-tu les pommes?: at large, English has no article"""
    noun = pick(rng, _LIKED)
    thing = noun_phrase(rng, noun, "the", noun.counted, 0)
    asked = rng.random() < 0.3
    subject = pronoun(rng, True, True) if asked else subject_of(rng, LIKE, True)
    while asked and subject.french == "je":
        subject = pronoun(rng, True, True)
    negation = pick(rng, ("", "", "", "pas")) if not asked else ""
    tense = pick(rng, ("present", "present", "present", "imparfait"))
    clause = Clause(
        subject, LIKE, tense, thing.french, thing.english.removeprefix("the "), negation,
        pairs=((noun.lemma, "aimer"),), marks=("at large",),
    )  # fmt: skip
    told = tell(clause)
    if not asked:
        return told
    return told._replace(
        french=f"{in_french(clause, subject.french)}?", english=f"{as_question(clause)}?",
        marks=(*told.marks, "question", "inversion"),
    )  # fmt: skip


def going_there(rng: random.Random) -> Text:
    """voici la gare. j'y vais souvent; paul cherche le musée, mais il n'y est pas allé"""
    noun = pick(rng, GOALS)
    place = noun_phrase(rng, noun, pick(rng, ("the", "the", "this")), False, 0.1)
    if rng.random() < 0.3:
        first = Text(f"voici {place.french}", f"here is {place.english}", place.pairs, place.marks)
    else:
        verb = pick(rng, _PLACED)
        first = tell(said(rng, place, Role("object", verb), denied=0.1))
    link = LINKS[0] if first.french.startswith("voici") else pick(rng, LINKS)
    link = STOP if rng.random() < 0.4 else link
    return first + link + tell(going(rng, place))


_PLACED = tuple(v for v in VERBS if v.lemma in words("voir chercher découvrir regarder quitter")
                and "place" in v.objects)  # fmt: skip


def some_of_it(rng: random.Random) -> Text:
    """j'ai des pommes, j'en mange trois; tu en bois"""
    verb = pick(rng, _EATEN)
    noun = pick(rng, tuple(n for n in objects(verb, False) if n.kinds & {"food", "drink"}))
    if noun.counted:
        many = rng.random() < 0.6
        french, english = pick(rng, NUMBERS) if many else ("", "some")
    else:
        many, (french, english) = False, ("", "some")
    thing = noun_phrase(rng, noun, "some", noun.counted, 0)
    owner = pronoun(rng, False, True)
    first = tell(put(Clause(owner, AVOIR, marks=("avoir",)), thing))
    who = pronoun(rng, False, True)
    tense = pick(rng, ("present", "past", "future"))
    second = Clause(who, verb, tense, before=("en", ""), pairs=((noun.lemma, verb.lemma),),
                    marks=("looks back", "en", *(("number",) if many else ())))  # fmt: skip
    second = second.then(french, f"{english} of them" if many else english)
    return tell(second) if rng.random() < 0.3 else first + pick(rng, LINKS) + tell(second)
