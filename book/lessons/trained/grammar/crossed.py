"""Sentences whose ambiguous words only order and syntax decide: deciders of both kinds."""

from __future__ import annotations

import random
from functools import cache

from lessons.trained.grammar.clauses import Clause
from lessons.trained.grammar.lexicon import (
    AMBIGUOUS_NOUNS,
    ETRE,
    VERBS,
    Adjective,
    Noun,
    Role,
    Verb,
    other,
    roles,
)
from lessons.trained.grammar.morphology import words
from lessons.trained.grammar.parts import (
    LINKS,
    STOP,
    Text,
    has_two_meanings,
    link_of,
    objects,
    put,
    qualified,
    relative,
    said,
    subjects,
    tell,
)
from lessons.trained.grammar.phrases import (
    Phrase,
    again,
    decided,
    noun_phrase,
    pick,
)

_LEMMAS = tuple(AMBIGUOUS_NOUNS)
_BY_GENDER = frozenset({"voile", "manche", "poêle", "somme"})
_GENDERED = ("the", "the", "a", "this", "my")
_ABSTRACT = frozenset(words("rest crime trip money word"))
_HERE = (("ici", "here"), ("là", "there"))


def any_meaning(rng: random.Random) -> Noun:
    """Draw an ambiguous noun in one of its meanings."""
    return pick(rng, AMBIGUOUS_NOUNS[pick(rng, _LEMMAS)])


def bare(rng: random.Random, noun: Noun, is_subject: bool = True) -> Phrase:
    """Draw a phrase of an ambiguous noun without adjectives.

    Where only the gender tells the meanings apart, it is seen: *la voile*, not *les voiles*.
    """
    both = all(sense.counted for sense in AMBIGUOUS_NOUNS[noun.lemma])
    if noun.lemma in _BY_GENDER:
        return noun_phrase(rng, noun, pick(rng, _GENDERED), False, 0)
    several = both and rng.random() < 0.2
    return noun_phrase(rng, noun, "" if both else "the", several, 0, subject=is_subject)


def farther(rng: random.Random, noun: Noun, phrase: Phrase, share: float = 0.3) -> Phrase:
    """Put a relative clause that leaves the meaning open between a word and what decides."""
    ways = _open_objects(noun)
    return relative(rng, phrase, pick(rng, ways)) if ways and rng.random() < share else phrase


@cache
def _open_objects(noun: Noun) -> tuple[Role, ...]:
    """Return what is done to either meaning, words of two meanings three times."""
    ways = [r for r in roles(noun, False) if r.place == "object"]
    twofold = [r for r in ways if has_two_meanings(r.word.lemma)]
    return (*ways, *twofold * 3)


def filler(rng: random.Random, role: Role, unlike: tuple[str, ...] = ()) -> Phrase:
    """Draw a plain noun for a role."""
    place, word = role
    if isinstance(word, Adjective):
        nouns = qualified(word)
    else:
        nouns = subjects(word, False) if place == "subject" else objects(word, False)
    noun = pick(rng, nouns)
    while noun.lemma in unlike:
        noun = pick(rng, nouns)
    return noun_phrase(rng, noun, adjectives=0.1, subject=place != "object")


def one_clause(rng: random.Random) -> Text:
    """l'avocat est très mûr; je lis le guide: nothing speaks for the other meaning"""
    noun = any_meaning(rng)
    phrase = bare(rng, noun)
    return tell(said(rng, phrase, pick(rng, decided(noun, phrase)), third=True))


def beside_an_adjective(rng: random.Random) -> Text:
    """je vois un avocat mûr: the adjective decides, the verb does not"""
    for _ in range(20):
        noun = any_meaning(rng)
        free = [r for r in roles(noun, False) if isinstance(r.word, Verb)]
        words = [r.word for r in roles(noun, True) if isinstance(r.word, Adjective)]
        if free and words:
            break
    else:
        return one_clause(rng)
    phrase, word = bare(rng, noun), pick(rng, words)
    assert isinstance(word, Adjective)
    if word.is_before:
        return one_clause(rng)
    phrase = phrase._replace(
        french=f"{phrase.french} {word.forms[phrase.form]}",
        english=_with_adjective(phrase.english, word.english),
        pairs=(*phrase.pairs, (noun.lemma, word.lemma)), marks=(*phrase.marks, "adjective after"),
    )  # fmt: skip
    return tell(said(rng, phrase, pick(rng, free), third=True))


def _with_adjective(english: str, adjective: str) -> str:
    first, rest = english.split(" ", 1)
    if english.startswith("a lot of "):
        return f"a lot of {adjective} {english[9:]}"
    if first in ("a", "an"):
        first = "an" if adjective[0] in "aeiou" and not adjective.startswith("use") else "a"
        first = "an" if adjective.startswith("hon") else first
    return f"{first} {adjective} {rest}"


def with_a_distractor(rng: random.Random) -> Text:
    """l'avocat parle et le cuisinier mange une pomme: eating does not decide here"""
    noun = any_meaning(rng)
    phrase = bare(rng, noun)
    role = pick(rng, decided(noun, phrase))
    mine = tell(said(rng, farther(rng, noun, phrase), role))
    wrong = pick(rng, roles(other(noun), True) or roles(other(noun)))
    theirs = tell(said(rng, filler(rng, wrong, (noun.lemma,)), wrong))
    return _either_first(rng, mine, theirs)


def _either_first(rng: random.Random, first: Text, second: Text) -> Text:
    if rng.random() < 0.5:
        first, second = second, first
    link = link_of(rng, first, second)
    return first + link + second + Text("", "", (), ("two clauses", "crossed"))


def two_words(rng: random.Random) -> Text:
    """le serveur dort et la glace est délicieuse: two ambiguous words, each with its decider"""
    noun = any_meaning(rng)
    second = any_meaning(rng)
    while second.lemma == noun.lemma:
        second = any_meaning(rng)
    return _either_first(rng, *(_one_of_two(rng, which) for which in (noun, second)))


def both_meanings(rng: random.Random) -> Text:
    """l'avocat est mûr et l'avocat parle: one word twice"""
    noun = any_meaning(rng)
    texts = (_one_of_two(rng, which) for which in (noun, other(noun)))
    return _either_first(rng, *texts) + Text("", "", (), ("two meanings",))


def _one_of_two(rng: random.Random, noun: Noun) -> Text:
    """Tell a noun and what decides it: a relative clause or a verb, often of another noun, too."""
    if rng.random() < 0.5 and _crossings(noun):
        return _within(rng, noun)
    phrase = bare(rng, noun)
    role = pick(rng, decided(noun, phrase))
    phrase = farther(rng, noun, phrase, 0.6)
    return tell(said(rng, phrase, role, ambiguous=rng.random() < 0.8))


@cache
def _between() -> tuple[tuple[Verb, tuple[Noun, ...], tuple[Noun, ...]], ...]:
    """Return the verbs that decide both their subject and their object."""
    found = []
    for verb in VERBS:
        if verb.objects and subjects(verb, True) and objects(verb, True):
            found.append((verb, subjects(verb, True), objects(verb, True)))
    return tuple(found)


def one_verb(rng: random.Random) -> Text:
    """l'avocat mange la religieuse: lawyer, cream puff; the other way round nun, avocado"""
    verb, doers, things = pick(rng, _between())
    doer, thing = bare(rng, pick(rng, doers)), pick(rng, things)
    clause = said(rng, doer, Role("subject", verb._replace(objects=frozenset())))
    clause = clause._replace(verb=verb)
    both = (thing.lemma in doer.names) * ("two meanings",)
    return tell(put(clause, bare(rng, thing))) + Text("", "", (), ("crossed", *both))


def within(rng: random.Random) -> Text:
    """l'avocat que la religieuse mange est ici; le serveur que l'ingénieur répare marche

    The relative clause decides, a word of the other kind within it; the main verb hangs on the
    meaning, too, where it has two.
    """
    noun = any_meaning(rng)
    while not _crossings(noun):
        noun = any_meaning(rng)
    return _within(rng, noun)


def _within(rng: random.Random, noun: Noun) -> Text:
    phrase = relative(rng, bare(rng, noun), pick(rng, _crossings(noun)), rng.random() < 0.6)
    return _main(rng, noun, phrase) + Text("", "", (), ("crossed",))


@cache
def _crossings(noun: Noun) -> tuple[Role, ...]:
    return tuple(role for role in roles(noun, True) if _crossing(noun, role))


def _crossing(noun: Noun, role: Role) -> bool:
    """Return whether the role's verb has a place for the other meaning, too."""
    if not isinstance(role.word, Verb) or not role.word.objects:
        return False
    kinds = role.word.subjects if role.place == "object" else role.word.objects
    return bool(kinds & other(noun).kinds)


def _main(rng: random.Random, noun: Noun, phrase: Phrase) -> Text:
    """Say what leaves the meaning of a phrase open, with a word of two meanings if any."""
    free = [role for role in roles(noun, False) if role.place != "object"]
    twofold = [role for role in free if has_two_meanings(role.word.lemma)]
    draw = rng.random()
    if twofold and draw < 0.7:
        return tell(said(rng, phrase, pick(rng, twofold)))
    if free and draw < 0.85:
        return tell(said(rng, phrase, pick(rng, free)))
    french, english = pick(rng, _HERE)
    clause = Clause(phrase, ETRE, pick(rng, ("present", "present", "imparfait")), french, english)
    return tell(clause)


def decided_outside(rng: random.Random) -> Text:
    """le bar que ma mère tient est délicieux: what comes last decides the noun, and so the verb"""
    noun = any_meaning(rng)
    if not _open_objects(noun):
        return within(rng)
    phrase = bare(rng, noun)
    ways = decided(noun, phrase)
    role = pick(rng, [way for way in ways if way.place != "object"] or ways)
    text = tell(said(rng, farther(rng, noun, phrase, 1), role))
    return text + Text("", "", (), ("crossed",))


def by_gender(rng: random.Random) -> Text:
    """voici l'avocat et la tarte. elle est délicieuse, et il est timide: who is meant decides"""
    noun = any_meaning(rng)
    while noun.kinds & _ABSTRACT or other(noun).kinds & _ABSTRACT or not roles(noun, True):
        noun = any_meaning(rng)
    first = bare(rng, noun)
    for _ in range(12):
        second, wrong = _partner(rng, noun)
        if second.form != first.form and second.he != first.he and second.him != first.him:
            break
    else:
        return with_a_distractor(rng)
    role = pick(rng, roles(noun, True))
    texts = [
        tell(said(rng, again(phrase), way, pronominal=True, denied=0))
        for phrase, way in ((first, role), (second, wrong))
    ]
    named = [first, second]
    if rng.random() < 0.5:
        texts.reverse()
    if rng.random() < 0.5:
        named.reverse()
    told = texts[0] + pick(rng, LINKS) + texts[1]
    return _both_here(rng, *named) + STOP + told + Text("", "", (), ("crossed", "two sentences"))


def _partner(rng: random.Random, noun: Noun) -> tuple[Phrase, Role]:
    """Draw something of the other meaning's kind, or another word of two meanings."""
    if rng.random() < 0.6:
        second = any_meaning(rng)
        if second.lemma != noun.lemma and not second.kinds & _ABSTRACT and roles(second, True):
            return bare(rng, second), pick(rng, roles(second, True))
    wrong = pick(rng, roles(other(noun), True))
    return filler(rng, wrong, (noun.lemma,)), wrong


def _both_here(rng: random.Random, first: Phrase, second: Phrase) -> Text:
    pairs, marks = first.pairs + second.pairs, first.marks + second.marks
    french, english = f"{first.french} et {second.french}", f"{first.english} and {second.english}"
    if rng.random() < 0.5:
        return Text(f"voici {french}", f"here are {english}", pairs, marks)
    where, here = pick(rng, _HERE)
    return Text(f"{french} sont {where}", f"{english} are {here}", pairs, (*marks, "être"))


#: How often each is drawn: in most sentences several words are to be decided.
KINDS = (
    *(one_clause,) * 2, beside_an_adjective, *(with_a_distractor,) * 2, *(two_words,) * 13,
    *(both_meanings,) * 7, one_verb, *(within,) * 2, *(decided_outside,) * 5, *(by_gender,) * 5,
)  # fmt: skip


def ambiguous_text(rng: random.Random) -> Text:
    """Draw words of which one at least has two meanings, and what decides."""
    return pick(rng, KINDS)(rng)
