"""When and where: what stands at the end of a clause, or at its beginning."""

from __future__ import annotations

import random

from lessons.trained.grammar.clauses import Clause
from lessons.trained.grammar.lexicon import SENSES
from lessons.trained.grammar.morphology import words
from lessons.trained.grammar.phrases import NUMBERS, name, noun_phrase, pick

_DAYS = (("lundi", "monday"), ("mardi", "tuesday"), ("mercredi", "wednesday"),
         ("jeudi", "thursday"), ("vendredi", "friday"), ("samedi", "saturday"),
         ("dimanche", "sunday"))  # fmt: skip
_MONTHS = tuple(
    (f"en {french}", f"in {english}")
    for french, english in zip(
        words(
            "janvier février mars avril mai juin juillet août septembre octobre novembre "
            "décembre été hiver automne"
        ),
        words(
            "january february march april may june july august september october november "
            "december summer winter fall"
        ),
        strict=True,
    )
)
_ALWAYS = (
    *_MONTHS, ("à midi", "at noon"), ("ce matin", "this morning"), ("au printemps", "in spring"),
    ("cette semaine", "this week"), ("cette année", "this year"),
)  # fmt: skip
_BY_TENSE = {
    "present": (
        ("aujourd'hui", "today"), ("maintenant", "now"), ("le matin", "in the morning"),
        ("le soir", "in the evening"), ("tous les jours", "every day"),
        ("la nuit", "at night"), *((f"le {f}", f"on {e}s") for f, e in _DAYS),
    ),
    "past": (
        ("hier", "yesterday"), ("hier soir", "last night"), ("la semaine dernière", "last week"),
        ("l'année dernière", "last year"), *((f"{f} dernier", f"last {e}") for f, e in _DAYS),
    ),
    "future": (
        ("demain", "tomorrow"), ("ce soir", "tonight"), ("bientôt", "soon"),
        ("la semaine prochaine", "next week"), ("l'année prochaine", "next year"),
        *((f"{f} prochain", f"next {e}") for f, e in _DAYS),
    ),
}  # fmt: skip
_BY_TENSE["imparfait"] = _BY_TENSE["past"][:2]
_BY_TENSE["near future"] = _BY_TENSE["future"]
ADVERBS = (("souvent", "often"), ("toujours", "always"), ("parfois", "sometimes"))
_WITHIN = tuple(
    SENSES[word][0]
    for word in words(
        "maison jardin école ville village rue magasin marché restaurant hôtel hôpital "
        "église gare banque musée bibliothèque cinéma théâtre parc piscine ferme usine cuisine "
        "chambre salon château pharmacie boulangerie prison tribunal forêt voiture train bus avion "
        "bateau"
    )
)
_ON = tuple(SENSES[word][0] for word in words("table chaise lit tapis armoire étagère pont"))
#: What is done on and under tables, and of what one says no other place.
_ON_TABLES = frozenset(
    words("avoir dormir tomber sauter chercher voir cacher asseoir oublier poser garder marcher")
)
_PLACES = frozenset(words("place home closable business dwelling period test money rest"))
_ABOARD = frozenset(words("train bus avion bateau"))
#: Where one goes with *à*, and the English of it, if it is no *to the*.
GOALS = tuple(
    SENSES[word][0]
    for word in words(
        "maison jardin école village magasin marché restaurant hôtel hôpital église gare banque "
        "musée bibliothèque cinéma théâtre parc piscine ferme usine cuisine château pharmacie "
        "boulangerie tribunal"
    )
)
TO = {"maison": "home", "école": "to school"}
_WHERE = ((("dans", "in"),), (("sur", "on"), ("sous", "under")))
_NEAR = (("devant", "in front of"), ("derrière", "behind"), ("près de", "near"))
_COMPANY = tuple(SENSES[word][0] for word in words("père mère frère sœur ami amie voisin cousin"))


def when(rng: random.Random, clause: Clause) -> Clause:
    """Say when, at the end."""
    if clause.tense not in _BY_TENSE or clause.negation == "jamais":
        return clause
    draw = rng.random()
    if draw < 0.12:
        french, english = pick(rng, NUMBERS[:11])
        return clause.then(f"à {french} heures", f"at {english} o'clock", ("adverb", "number"))
    times = _ALWAYS if draw < 0.4 else _BY_TENSE[clause.tense]
    return clause.then(*pick(rng, times), ("adverb",))


def often(rng: random.Random, clause: Clause) -> Clause:
    """Say how often, behind the verb."""
    if clause.tense != "present" or clause.negation:
        return clause
    return clause._replace(adverb=pick(rng, ADVERBS), marks=(*clause.marks, "adverb"))


def where(rng: random.Random, clause: Clause, unlike: tuple[str, ...] = ()) -> Clause:
    """Say where, at the end."""
    if clause.verb.objects and clause.verb.objects <= _PLACES:
        return clause
    draw = rng.random()
    inside = draw < 0.6
    if not inside and draw < 0.8 and clause.verb.lemma not in _ON_TABLES:
        draw = 0.9
    noun = pick(rng, _WITHIN if inside else _ON if draw < 0.8 else _WITHIN[:16])
    if noun.lemma in unlike or noun.lemma in (lemma for lemma, _ in clause.pairs):
        return clause
    word, english = pick(rng, _NEAR if draw >= 0.8 else _WHERE[not inside])
    english = "on" if word == "dans" and noun.lemma in _ABOARD else english
    place = noun_phrase(rng, noun, "the" if rng.random() < 0.7 else "", False, 0.08)
    clause = clause.then(
        f"{word} {place.french}", f"{english} {place.english}", (*place.marks, "place")
    )
    return clause._replace(pairs=clause.pairs + place.pairs)


def with_whom(rng: random.Random, clause: Clause) -> Clause:
    """Say with whom, at the end."""
    who = name(rng) if rng.random() < 0.5 else noun_phrase(rng, pick(rng, _COMPANY), "my", False, 0)
    if set(who.names) & set(clause.subject.names):
        return clause
    return clause.then(f"avec {who.french}", f"with {who.english}", who.marks)


def any_tail(rng: random.Random, clause: Clause, share: float = 0.45) -> Clause:
    """Say when, where, how often or with whom, at times."""
    draw = rng.random() / share
    if draw < 0.4:
        return when(rng, clause)
    if draw < 0.75:
        return where(rng, clause, clause.subject.names)
    if draw < 0.9:
        return often(rng, clause)
    return with_whom(rng, clause) if draw < 1 else clause
