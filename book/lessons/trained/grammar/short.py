"""Short texts that stand beside the sentences: two adjectives, and pronouns of nobody named."""

from __future__ import annotations

import random

from lessons.trained.grammar.clauses import Clause, elide
from lessons.trained.grammar.lexicon import AMBIGUOUS_VERBS, ETRE, Adjective
from lessons.trained.grammar.parts import Text, objects, said, tell, undergone
from lessons.trained.grammar.phrases import (
    again,
    either_side,
    noun_phrase,
    pick,
    pronoun,
)
from lessons.trained.grammar.statements import _ROLES, _TRANSITIVE, PLAIN

_DESCRIBED = tuple(noun for noun in PLAIN if either_side(noun))
_DONE_TO = tuple(
    verb for verb in _TRANSITIVE if not verb.preposition and verb.lemma not in AMBIGUOUS_VERBS
)
_HERE = (("ici", "here"), ("là", "there"))


def described(rng: random.Random) -> Text:
    """le petit chat noir; la vieille dame triste est là; je vois une grande voiture rouge"""
    noun = pick(rng, _DESCRIBED)
    draw = rng.random()
    thing = noun_phrase(rng, noun, both=True, subject=draw > 0.4)
    if draw < 0.4:
        return Text(thing.french, thing.english, thing.pairs, (*thing.marks, "short"))
    if draw < 0.55:
        tense = pick(rng, ("present", "present", "imparfait"))
        return tell(Clause(thing, ETRE, tense, *pick(rng, _HERE), marks=("être",)))
    ways = [role for role in _ROLES[noun] if not isinstance(role.word, Adjective)]
    return tell(said(rng, thing, pick(rng, ways), third=True))


def nameless(rng: random.Random) -> Text:
    """je ne le vois pas; les amis la mangent: him or her where it can be somebody, else it"""
    verb = pick(rng, _DONE_TO)
    if "person" in verb.objects:
        whom = pronoun(rng, True, True)
        while whom.person not in (2, 5) or whom.french == "on":
            whom = pronoun(rng, True, True)
    else:
        noun = pick(rng, objects(verb, False))
        whom = again(noun_phrase(rng, noun, adjectives=0))
    whom = whom._replace(names=(), marks=())
    negation = pick(rng, ("", "", "", "pas", "pas", "jamais", "plus"))
    text = tell(undergone(rng, whom, verb, third=True, pronominal=True, negation=negation))
    unsaid = whom.him in ("him", "her") and "l'" in elide(text.french)
    return nameless(rng) if unsaid else text  # je l'aime does not say whom


def short_text(rng: random.Random) -> Text:
    """Draw one of either kind."""
    return described(rng) if rng.random() < 0.6 else nameless(rng)
