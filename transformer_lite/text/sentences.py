"""Sentences of the corpus by grammar: how clauses are put together."""

from __future__ import annotations

import random
from typing import NamedTuple

from transformer_lite.text.clause_kinds import (
    BEING,
    HERE,
    NOT_THIRD,
    TAKING,
    TRANSITIVE,
    add,
    any_clause,
    any_subject,
    any_tense,
    clause_about,
    form,
    quality,
    somebody_else,
    with_verb,
)
from transformer_lite.text.clauses import (
    TIMES,
    Clause,
    as_question,
    elide,
    in_english,
    in_french,
    when,
)
from transformer_lite.text.lexicon import AVOIR, ETRE, NOUNS
from transformer_lite.text.phrases import Phrase, any_phrase, name, noun_phrase, pick, pronoun


class Sentence(NamedTuple):
    """A pair, with the combinations of words that occur in it."""

    source: str
    target: str
    combinations: tuple[tuple[str, str], ...]
    phenomena: tuple[str, ...]


_COUNTED = tuple(noun for noun in NOUNS.values() if not noun.is_mass)
_DEAR = tuple(NOUNS[word] for word in ("ami", "amie", "professeur", "chat", "chien"))
_ALL = tuple(NOUNS.values())
_LINKS = ((", ", ", "), (", et ", ", and "), (", mais ", ", but "))
_GREETINGS = (
    ("merci", "thanks"),
    ("merci beaucoup", "thanks a lot"),
    ("bonjour", "hello"),
    ("oui", "yes"),
    ("non", "no"),
)
_OBJECT = ("le", "la", "les", "les")
_SUBJECT = ("il", "elle", "ils", "elles")


def any_sentence(rng: random.Random) -> Sentence:
    """Draw a sentence of any kind."""
    draw = rng.random()
    if draw < 0.4:
        sentence = _statement(rng)
    elif draw < 0.56:
        return _question(rng)
    elif draw < 0.72:
        sentence = _seen_again(rng)
    elif draw < 0.82:
        sentence = _told_again(rng)
    elif draw < 0.96:
        sentence = _two_clauses(rng)
    else:
        sentence = _fragment(rng)
    return _decorated(rng, sentence)


def _decorated(rng: random.Random, sentence: Sentence) -> Sentence:
    """Put a greeting before some sentences and a full stop behind some."""
    draw = rng.random()
    if draw >= 0.12:
        return sentence
    source, target = sentence.source, sentence.target
    if draw < 0.04:
        french, english = pick(rng, _GREETINGS)
        source, target = f"{french}, {source}", f"{english}, {target}"
    if draw > 0.035:
        mark = "!" if draw < 0.045 else "."
        source, target = source + mark, target + mark
    return sentence._replace(source=source, target=target)


def _put_together(
    source: str, target: str, *clauses: Clause, marks: tuple[str, ...] = ()
) -> Sentence:
    """Make a sentence of its words and of all that is known of its clauses."""
    combinations: list[tuple[str, str]] = []
    phenomena = [*marks]
    for clause in clauses:
        combinations += [*clause.subject.combinations, *clause.combinations]
        phenomena += [*clause.subject.phenomena, *clause.phenomena, clause.tense]
        if clause.negated:
            phenomena.append("negation")
    elided = elide(source)
    if elided.count("'") > source.count("'"):  # aujourd'hui has one of its own
        phenomena.append("elision")
    return Sentence(elided, target, tuple(combinations), tuple(phenomena))


def _statement(rng: random.Random) -> Sentence:
    """hier, paul a mangé une pomme"""
    clause = any_clause(rng)
    source, target = in_french(clause), in_english(clause)
    if rng.random() < 0.08 and "adverb" not in clause.phenomena:
        french, english = pick(rng, TIMES[clause.tense])
        source, target = f"{french}, {source}", f"{english}, {target}"
    return _put_together(source, target, clause)


def _question(rng: random.Random) -> Sentence:
    """est-ce que tu dors? où est le chat? qui dort? qu'est-ce que tu manges?"""
    draw = rng.random()
    if draw < 0.55:
        clause = any_clause(rng, negated=False)
        source, target = f"est-ce que {in_french(clause)}", as_question(clause)
    elif draw < 0.7:
        # No pronoun: it would change places with the verb.
        subject = any_phrase(rng, pick(rng, _COUNTED)) if draw < 0.65 else name(rng)
        clause = Clause(subject, ETRE, any_tense(rng), phenomena=("être",))
        verb = getattr(ETRE, clause.tense)[subject.person]
        source, target = f"où {verb} {subject.french}", f"where {as_question(clause)}"
    elif draw < 0.85:
        clause = clause_about(rng, Phrase("qui", "who", 2, False, False, "person"))
        source, target = in_french(clause), in_english(clause)
    else:
        subject, verb = any_subject(rng), pick(rng, TRANSITIVE)
        clause = Clause(subject, verb, any_tense(rng), combinations=with_verb(subject, verb))
        clause = when(rng, clause) if rng.random() < 0.4 else clause
        source, target = f"que est-ce que {in_french(clause)}", f"what {as_question(clause)}"
    return _put_together(f"{source}?", f"{target}?", clause, marks=("question",))


def _introduced(rng: random.Random) -> tuple[str, str, Phrase, Clause]:
    """Name somebody or something, alone: *voici le livre*, *paul est ici*, *j'ai une pomme*."""
    thing = name(rng) if rng.random() < 0.2 else any_phrase(rng, pick(rng, _ALL))
    draw = rng.random()
    if (draw < 0.3 and thing.kind not in ("person", "mass", "drink")) or draw < 0.1:
        owner = pronoun(rng, NOT_THIRD)
        clause = add(Clause(owner, AVOIR, "present", phenomena=("avoir",)), thing)
        if thing.kind != "person":
            return in_french(clause), in_english(clause), thing, clause
    clause = Clause(thing, ETRE, "present", phenomena=("être",))
    if draw < 0.5:
        french, english = f"voici {thing.french}", f"here {_is(thing)} {thing.english}"
        return french, english, thing, clause
    said = [adjective for _, adjective in thing.combinations]
    qualities = [a for a in BEING[thing.kind] if a.lemma not in said]
    if draw < 0.75 and qualities:
        clause = quality(rng, clause, pick(rng, qualities))
    else:
        french, english = pick(rng, HERE)
        clause = clause._replace(french=french, english=english)
    return in_french(clause), in_english(clause), thing, clause


def _is(thing: Phrase) -> str:
    return "are" if thing.plural else "is"


def _seen_again(rng: random.Random) -> Sentence:
    """le livre est ici, je le vois: the first clause decides between it, him, her and them."""
    first_french, first_english, thing, first = _introduced(rng)
    them = _OBJECT[form(thing)]
    subject = first.subject if first.verb is AVOIR else somebody_else(rng, *thing.lemmas)
    verb = pick(rng, TAKING[thing.kind])
    second = Clause(
        subject._replace(combinations=(), phenomena=()) if first.verb is AVOIR else subject,
        verb, any_tense(rng), negated=rng.random() < 0.25, french_object=them,
        english_object=_pronoun(thing, "him", "her"), agreement=form(thing),
        combinations=with_verb(subject, verb), phenomena=("object pronoun",),
    )  # fmt: skip
    second = when(rng, second) if rng.random() < 0.15 else second
    return _linked(rng, (first_french, first_english), first, second)


def _told_again(rng: random.Random) -> Sentence:
    """voici le chat, il dort: it sleeps, and not he"""
    first_french, first_english, thing, first = _introduced(rng)
    again = Phrase(
        _SUBJECT[form(thing)], _pronoun(thing, "he", "she", "they"), 5 if thing.plural else 2,
        thing.feminine, thing.plural, thing.kind, thing.lemmas, (), ("subject pronoun",),
    )  # fmt: skip
    return _linked(rng, (first_french, first_english), first, clause_about(rng, again))


def _pronoun(thing: Phrase, masculine: str, feminine: str, several: str = "them") -> str:
    if thing.plural:
        return several
    if thing.kind != "person":
        return "it"
    return feminine if thing.feminine else masculine


def _two_clauses(rng: random.Random) -> Sentence:
    """je mange, et marie boit du lait; nobody is called il behind the comma"""
    first = any_clause(rng)
    second = clause_about(rng, somebody_else(rng))
    return _linked(rng, (in_french(first), in_english(first)), first, second)


def _linked(rng: random.Random, words: tuple[str, str], first: Clause, second: Clause) -> Sentence:
    french, english = pick(rng, _LINKS)
    source = f"{words[0]}{french}{in_french(second)}"
    target = f"{words[1]}{english}{in_english(second)}"
    return _put_together(source, target, first, second, marks=("two clauses",))


def _without_tense(phenomena: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in phenomena if name != "present")


def _fragment(rng: random.Random) -> Sentence:
    """le petit chat noir; bonjour marie; voici du pain"""
    draw = rng.random()
    if draw < 0.5:
        thing = any_phrase(rng, pick(rng, _ALL))
        clause = Clause(thing, ETRE, "present")
        here = draw < 0.25
        source = f"voici {thing.french}" if here else thing.french
        target = f"here {_is(thing)} {thing.english}" if here else thing.english
        made = _put_together(source, target, clause)
        return made if here else made._replace(phenomena=_without_tense(made.phenomena))
    french, english = pick(rng, _GREETINGS[:3])
    who = name(rng) if draw < 0.7 else noun_phrase(rng, pick(rng, _DEAR), "owner", draw > 0.85)
    source, target = elide(f"{french} {who.french}"), f"{english} {who.english}"
    return Sentence(source, target, who.combinations, (*who.phenomena, "greeting"))
