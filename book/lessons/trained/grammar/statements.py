"""Plain statements: doing, being, having, going, weather, nobody and nothing."""

from __future__ import annotations

import random

from lessons.trained.grammar.clauses import MODALS, Clause
from lessons.trained.grammar.lexicon import (
    ADJECTIVES,
    ALLER,
    AMBIGUOUS_NOUNS,
    AMBIGUOUS_VERBS,
    AVOIR,
    ETRE,
    NOUNS,
    VERBS,
    Role,
    fillers,
    roles,
)
from lessons.trained.grammar.morphology import English, words
from lessons.trained.grammar.parts import (
    LINKS,
    Text,
    object_of,
    objects,
    put,
    qualified,
    said,
    subject_of,
    tell,
    tense_of,
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
from lessons.trained.grammar.times_and_places import GOALS, TO, any_tail, when

PLAIN = tuple(noun for noun in NOUNS if noun.lemma not in AMBIGUOUS_NOUNS)
_ROLES = {noun: roles(noun) for noun in PLAIN}
_INTRANSITIVE = tuple(verb for verb in VERBS if not verb.objects)
_TRANSITIVE = tuple(verb for verb in VERBS if verb.objects and objects(verb, False))
_COMMON = tuple(verb for verb in VERBS if verb.has_all_forms and verb.lemma != "partir")
_SAYABLE = (*_TRANSITIVE * 2, *_INTRANSITIVE * 3, *_COMMON * 2)
_TRADES = tuple(n for n in PLAIN if n.lemma in
    words("professeur étudiant étudiante médecin infirmière boulanger boucher facteur policier "
    "pompier "
    "ingénieur acteur actrice chanteur chanteuse juge soldat pilote écrivain musicien peintre "
    "dentiste"))  # fmt: skip
_IDIOMS = (("faim", "hungry"), ("soif", "thirsty"), ("froid", "cold"), ("chaud", "hot"),
           ("peur", "afraid"), ("raison", "right"), ("tort", "wrong"), ("sommeil", "sleepy"),
           )  # fmt: skip
_BE = English("be", "is", "was", "being")
_ABSOLUTE = frozenset(
    words(
        "noir blanc rouge vert bleu jaune gris cuit cru cassé neuf rond carré fermé ouvert vide "
        "plein "
        "direct terrible énorme mûr nouveau délicieux"
    )
)
_PREDICATES = tuple(word for word in ADJECTIVES if word.is_predicate)
_COMPARABLE = tuple(word for word in _PREDICATES if word.lemma not in _ABSOLUTE)
_OWNED = fillers(frozenset(words("thing animal clothes vehicle paper food machine drink")))


def doing(rng: random.Random, third: bool = True) -> Clause:
    """paul lit un livre dans le jardin; je dors souvent"""
    verb = pick(rng, _SAYABLE)
    subject = subject_of(rng, verb, third)
    clause = said(rng, subject, Role("subject", verb), ambiguous=rng.random() < 0.1)
    return any_tail(rng, clause, 0.4 if verb.objects else 0.7)


def being(rng: random.Random, third: bool = True) -> Clause:
    """la maison est vide; je suis fatigué; elle est médecin"""
    draw = rng.random()
    word = pick(rng, _PREDICATES)
    if draw < 0.15:
        return _trade(rng)
    if draw < 0.3 and "person" in word.kinds:
        subject = pronoun(rng, third, True)
    elif draw < 0.36 and "person" in word.kinds:
        subject = name(rng)
    else:
        subject = noun_phrase(rng, pick(rng, qualified(word)), adjectives=0, subject=True)
    clause = said(rng, subject, Role("is", word))
    if rng.random() < 0.2 and word.lemma not in _ABSOLUTE:
        return clause._replace(french=f"très {clause.french}", english=f"very {clause.english}")
    return clause


def _trade(rng: random.Random) -> Clause:
    """elle est professeur: no article in French"""
    noun = pick(rng, _TRADES)
    subject = pick(rng, (Phrase("je", "i", 0), Phrase("tu", "you", 1),
        Phrase("elle" if noun.feminine else "il", "she" if noun.feminine else "he", 2,
               noun.feminine)))  # fmt: skip
    if rng.random() < 0.5:
        subject = name(rng)
        while subject.feminine != noun.feminine:
            subject = name(rng)
    english = f"an {noun.english}" if noun.english[0] in "aeiou" else f"a {noun.english}"
    marks = ("être", "profession")
    tense = pick(rng, ("present", "imparfait", "future"))
    return Clause(subject, ETRE, tense, noun.lemma, english, marks=marks)


def having(rng: random.Random, third: bool = True) -> Clause:
    """j'ai un chien; elle a faim; paul a dix ans"""
    subject = pronoun(rng, third, True) if rng.random() < 0.6 else name(rng)
    tense = pick(rng, ("present", "present", "imparfait", "future"))
    negation = pick(rng, ("", "", "", "pas", "jamais"))
    clause = Clause(subject, AVOIR, tense, negation=negation, marks=("avoir",))
    draw = rng.random()
    if draw < 0.25:
        french, english = pick(rng, _IDIOMS)
        return clause._replace(
            french=french, english=english, english_verb=_BE, marks=("avoir", "idiom")
        )
    if draw < 0.4:
        french, english = pick(rng, NUMBERS)
        return clause._replace(
            french=f"{french} ans", english=f"{english} years old", english_verb=_BE,
            negation="pas" if negation else "",
            marks=("avoir", "idiom", "number"),
        )  # fmt: skip
    noun = pick(rng, _OWNED)
    if negation and (not noun.counted or noun.plural != noun.lemma):
        return put(clause, noun_phrase(rng, noun, "any", noun.counted, 0))
    return put(clause, noun_phrase(rng, noun, "" if noun.counted else "some"))


def there_is(rng: random.Random) -> Clause:
    """il y a un chat sur la table"""
    noun = pick(rng, PLAIN)
    several = noun.counted and rng.random() < 0.5
    thing = noun_phrase(rng, noun, ("some", "number", "many")[int(rng.random() * 3)] if several
                        else "a" if noun.counted else "some", several)  # fmt: skip
    it = Phrase("il", "there", 2)
    clause = Clause(
        it, AVOIR, pick(rng, ("present", "present", "imparfait")), before=("y", ""),
        english_verb=_BE, english_person=thing.person, marks=("there is",),
    )  # fmt: skip
    clause = clause.then(thing.french, thing.english, thing.marks)._replace(pairs=thing.pairs)
    return any_tail(rng, clause, 0.7) if rng.random() < 0.6 else clause


#: French and English of each tense; what it does now, it is doing in English.
_WEATHER = {
    "present": (("il pleut", "it is raining"), ("il neige", "it is snowing"),
                ("il fait beau", "the weather is nice"), ("il fait froid", "it is cold"),
                ("il fait chaud", "it is hot"), ("le soleil brille", "the sun is shining")),
    "past": (("il a plu", "it rained"), ("il a neigé", "it snowed")),
    "imparfait": (("il pleuvait", "it was raining"), ("il neigeait", "it was snowing"),
                  ("il faisait beau", "the weather was nice"), ("il faisait froid", "it was cold"),
                  ("il faisait chaud", "it was hot")),
    "future": (("il pleuvra", "it will rain"), ("il neigera", "it will snow"),
               ("il fera beau", "the weather will be nice"), ("il fera froid", "it will be cold"),
               ("il fera chaud", "it will be hot")),
    "near future": (("il va pleuvoir", "it is going to rain"),
                    ("il va neiger", "it is going to snow")),
}  # fmt: skip
_NOW = ("aujourd'hui", "maintenant", "ce matin", "cette semaine", "cette année")
_OFTEN = {"is raining": "rains", "is snowing": "snows", "is shining": "shines"}


def weather(rng: random.Random) -> Text:
    """quand il pleut, je lis; il fera beau demain; je dors parce qu'il pleut"""
    tense = pick(rng, tuple(_WEATHER))
    french, english = pick(rng, _WEATHER[tense])
    sky = Text(french, english, (), ("weather", tense))
    draw = rng.random()
    if draw < 0.35:
        timed = when(rng, Clause(Phrase("", "", 2), ETRE, tense))
        if tense == "present" and timed.french not in _NOW:
            sky = sky._replace(english=_often(english))
        return sky + Text(f" {timed.french}", f" {timed.english}", (), timed.marks)
    other_half = tell(doing(rng, third=False))
    if draw < 0.55 and tense in ("present", "imparfait") and tense in other_half.marks:
        sky = sky._replace(english=_often(english))
        return Text("quand ", "when ") + sky + Text(", ", ", ") + other_half
    if draw < 0.75 and tense in other_half.marks:
        return other_half + Text(" parce que ", " because ") + sky
    return sky + pick(rng, LINKS) + other_half


def _often(english: str) -> str:
    for now, often in _OFTEN.items():
        english = english.replace(now, often)
    return english


def going(rng: random.Random, known: Phrase | None = None) -> Clause:
    """je vais à l'école; elle y va tous les jours, where `known` is a place that was named"""
    subject = subject_of(rng, ALLER._replace(subjects=frozenset({"person"})), known is None)
    tenses = ("present", "present", "past", "near future", "imparfait")
    tense = pick(rng, tenses if known is not None else (*tenses, "future"))
    negation = pick(rng, ("", "", "", "", "pas", "jamais", "plus"))
    clause = Clause(
        subject, ALLER._replace(takes_etre=True), tense, negation=negation, agreement=subject.form
    )
    if known is not None:
        pairs = tuple((lemma, "aller") for lemma in known.names)
        clause = clause._replace(before=("y", ""), pairs=pairs, marks=("y", "looks back"))
        clause = clause.then("", "there")
    elif tense != "future" and rng.random() < 0.2:
        clause = clause._replace(before=("y", ""), marks=("y",)).then("", "there")
    else:
        noun = pick(rng, GOALS)
        place = noun_phrase(rng, noun, "the", False, 0)
        to = TO.get(noun.lemma, f"to {place.english}")
        clause = clause.then(f"à {place.french}", to, ("place",))
    return when(rng, clause) if rng.random() < 0.4 else clause


def nobody(rng: random.Random) -> Clause:
    """personne ne dort; je ne vois rien; elle ne voit personne; il ne mange que des pommes"""
    draw = rng.random()
    verb = pick(rng, _TRANSITIVE)
    if draw < 0.3:
        who = Phrase("personne ne", "nobody", 2, noun=PERSON)
        while "person" not in verb.subjects:
            verb = pick(rng, VERBS)
        clause = said(rng, who, Role("subject", verb), denied=0)
        while clause.tense in MODALS:
            clause = clause._replace(tense="present")
        return clause._replace(marks=(*clause.marks, "negation"))
    subject = subject_of(rng, verb, True)
    tense = tense_of(rng, verb, subject)
    clause = Clause(subject, verb, tense, pairs=tuple((n, verb.lemma) for n in subject.names))
    if draw < 0.6:
        noun = pick(rng, objects(verb, False))
        thing = noun_phrase(rng, noun, pick(rng, ("the", "my")) if not noun.counted else "number"
                            if rng.random() < 0.5 else "the", noun.counted, 0)  # fmt: skip
        if verb.preposition:
            return put(clause, thing)
        return put(clause._replace(negation="que"), thing)
    if (
        verb.preposition in ("dans", "de")
        or verb.lemma in AMBIGUOUS_VERBS
        or not (verb.objects & {"person", "thing", "portable", "food", "clothes", "paper"})
    ):
        return put(clause, object_of(rng, verb, subject))
    clause = clause._replace(tense=pick(rng, _LATE), marks=(*clause.marks, "negation"))
    late = clause.tense == "near future"
    if "person" in verb.objects:
        clause = clause._replace(nothing=True, adverb=("", "not" if late else ""))
        said_of = f"{verb.preposition} personne".strip()
        return clause.then(said_of, "anybody" if late else "nobody")
    clause = clause._replace(nothing=True, adverb=("rien", "not" if late else ""))
    return clause.then("", "anything" if late else "nothing")


_LATE = ("present", "present", "near future")
