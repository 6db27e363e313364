"""Noun phrases and pronouns, written in both languages at once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from lessons.trained.grammar.lexicon import (
    ADJECTIVES,
    AMBIGUOUS_NOUNS,
    NAMES,
    NOUNS,
    OF_SIZE,
    Adjective,
    Noun,
    Role,
    roles,
)
from lessons.trained.grammar.morphology import words

Item = TypeVar("Item")
#: Nouns and what is said of them: ("chat", "noir"), ("avocat", "plaider").
Pairs = tuple[tuple[str, str], ...]


def pick(rng: random.Random, items: Sequence[Item]) -> Item:
    """Draw one item, as `rng.choice` does, in a third of its time."""
    return items[int(rng.random() * len(items))]


class Phrase(NamedTuple):
    """Somebody or something, as a subject or an object.

    Attributes:
        french: its words; elision comes later, when the sentence is whole.
        english: its words.
        person: 0 to 5 for je, tu, il, nous, vous, ils: the form of the French verb.
        feminine: whether what agrees with it is feminine.
        plural: whether what agrees with it is plural.
        noun: which meaning of a noun it is; None for je, tu, nous, vous and names.
        names: its lemmas, a name's too.
        pairs: which noun stands beside which adjective.
        marks: what is hard about it.
        before: as an object before the verb, French and English: *le*, *him*; "" for a noun.
        owner: whose things are his: the French and the English word for *his*.
    """

    french: str
    english: str
    person: int
    feminine: bool = False
    plural: bool = False
    noun: Noun | None = None
    names: tuple[str, ...] = ()
    pairs: Pairs = ()
    marks: tuple[str, ...] = ()
    before: tuple[str, str] = ("", "")

    @property
    def form(self) -> int:
        """The form of what agrees with it: masculine, feminine, and both plurals."""
        return self.feminine + 2 * self.plural

    @property
    def him(self) -> str:
        """Return the English object pronoun for it."""
        return "them" if self.plural else self._english_pronoun("him", "her")

    @property
    def he(self) -> str:
        """Return the English subject pronoun for it."""
        return "they" if self.plural else self._english_pronoun("he", "she")

    @property
    def his(self) -> str:
        """Return the English possessive for it."""
        if self.person != 2 and self.person != 5:
            return ("my", "your", "", "our", "your")[self.person]
        one = self._english_pronoun("his", "her")
        return "their" if self.plural else "its" if one == "it" else one

    def _english_pronoun(self, masculine: str, feminine: str) -> str:
        if self.noun is not None and not self.noun.is_person:
            return "it"
        return feminine if self.feminine else masculine


_VOWELS = frozenset("aeiouyéêâèœh")
_NO_VOWEL = ("haricot", "onz", "huit", "yeux-")


def vowel(french: str) -> bool:
    """Return whether a word begins like a vowel: *homme* does, *haricot* does not."""
    return french[0] in _VOWELS and not french.startswith(_NO_VOWEL)


NUMBERS = tuple(
    zip(
        words("deux trois quatre cinq six sept huit neuf dix onze douze vingt cent"),
        words("two three four five six seven eight nine ten eleven twelve twenty hundred"),
        strict=True,
    )
)[:-1]
_SON = tuple(
    words(line)
    for line in (
        "mon ma mes",
        "ton ta tes",
        "son sa ses",
        "notre notre nos",
        "votre votre vos",
        "leur leur leurs",
    )
)
_A_VOWEL = ("a", "e", "i", "o", "u", "hon", "hour")
_NO_AN = ("use", "uni", "euro", "one")


def a(english: str) -> str:
    """Put *a* or *an* before an English word."""
    an = english.startswith(_A_VOWEL) and not english.startswith(_NO_AN)
    return f"an {english}" if an else f"a {english}"


#: Determiners as often as they come.
_ONE = ("the",) * 7 + ("a",) * 5 + ("this",) * 3
_SOME = ("the",) * 6 + ("some",) * 3 + ("these",) + ("number",) * 2 + ("many",)
_MASS = ("the",) * 2 + ("some",) * 3
_SUBJECT = ("the",) * 8 + ("a", "this", "this")
_SUBJECTS = ("the",) * 8 + ("these", "number")
#: What nobody calls his own here.
_OWN = frozenset(
    words("family animal food thing machine vehicle clothes paper body home drink turn")
)
#: What shows the gender: *le livre*, *la livre*.
_GENDERED = ("the", "a", "this", "my")


def _determined(rng: random.Random, kind: str, noun: Noun, word: str, few: bool) -> tuple[str, str]:
    """Return the French and the English determiner before a French word."""
    f, open_ = noun.feminine, vowel(word)
    if kind == "the":
        return ("les" if few else "la" if f else "le"), "the"
    if kind == "a":
        return ("une" if f else "un"), "a"
    if kind == "some":
        return ("des" if few else "de la" if f else "de le"), "some"
    if kind == "any":
        return "de", "any"
    if kind == "this":
        return ("cette" if f else "cet" if open_ else "ce"), "this"
    if kind == "these":
        return "ces", "these"
    if kind == "many":
        return "beaucoup de", "a lot of"
    if kind == "number":
        return pick(rng, NUMBERS)
    person = {"my": 0, "your": 1, "our": 3}[kind]
    return own(person, f, few, open_), kind


def own(person: int, feminine: bool, plural: bool, open_: bool) -> str:
    """Return the French possessive: *mon amie*, though *ma mère*."""
    return _SON[person][2 if plural else 1 if feminine and not open_ else 0]


_OWN_ONE = next(word for word in ADJECTIVES if word.place == "own")
_BESIDE: dict[Noun, tuple[tuple[Adjective, ...], tuple[Adjective, ...]]] = {}


def beside(noun: Noun) -> tuple[tuple[Adjective, ...], tuple[Adjective, ...]]:
    """Return the adjectives before and after a noun that fit it."""
    if noun not in _BESIDE:
        fitting = [word for word in ADJECTIVES if word.kinds & noun.kinds and word is not _OWN_ONE]
        fitting = [word for word in fitting if (noun.lemma, word.lemma) not in NOT_TOGETHER]
        if "mass" in noun.kinds:
            fitting = [word for word in fitting if word.lemma not in OF_SIZE]
        _BESIDE[noun] = (
            tuple(w for w in fitting if w.is_before), tuple(w for w in fitting if not w.is_before)
        )  # fmt: skip
    return _BESIDE[noun]


#: What would mean something else: *un petit ami*, *une vieille fille*.
NOT_TOGETHER = frozenset({
    ("ami", "petit"), ("amie", "petit"), ("fille", "vieux"), ("garçon", "vieux"),
    ("fils", "petit"), ("père", "petit"), ("mère", "petit"), ("gâteau", "petit"),
    ("pain", "petit"), ("homme", "grand"), ("femme", "petit"), ("rose", "rose"),
    ("patron", "gros"), ("père", "gros"), ("bébé", "vieux"), ("enfant", "vieux"),
})  # fmt: skip


def noun_phrase(
    rng: random.Random,
    noun: Noun,
    determiner: str = "",
    plural: bool | None = None,
    adjectives: float = 0.3,
    owner: Phrase | None = None,
    subject: bool = False,
    both: bool = False,
) -> Phrase:
    """Draw a noun with its determiner, and with an adjective at times.

    Args:
        rng: where the choices come from.
        noun: the noun, in one meaning.
        determiner: ``the``, ``a``, ``some``, ``this``, ``my``, ``number`` …; "" draws one.
        plural: whether there are several; None draws it.
        adjectives: how often it has an adjective.
        owner: whose it may be: *marie cherche son chat*.
        subject: whether it is to be a subject, which is seldom just any.
        both: whether an adjective stands on either side: *le petit chat noir*.
    """
    if plural is None:
        plural = noun.counted and rng.random() < 0.25
    few = plural and noun.counted
    if not determiner:
        determiner = _any_determiner(rng, noun, few, subject, owner is not None)
    word, english = (noun.plural, noun.english_plural) if few else (noun.lemma, noun.english)
    form = noun.feminine + 2 * few
    marks = ["plural"] if few else ["feminine"] if noun.feminine else []
    chosen: list[Adjective] = []
    if both:
        chosen = list(pick(rng, either_side(noun)))
    elif adjectives and rng.random() < adjectives:
        chosen = _any_adjective(rng, noun, determiner)
    word, extra, english = _described(chosen, word, form, english)
    pairs = tuple((noun.lemma, one.lemma) for one in chosen)
    marks += ["adjective before" if one.is_before else "adjective after" for one in chosen]
    if determiner == "own" and owner is not None:
        french, an = own(owner.person, noun.feminine, few, vowel(word)), owner.his
    else:
        french, an = _determined(rng, determiner, noun, word, few)
    french = "de" if french == "des" and "adjective before" in marks else french
    marks += [mark for kind, mark in _MARKS.items() if kind == determiner]
    english = a(english) if an == "a" else f"{an} {english}"
    return Phrase(
        f"{french} {word}{extra}", english, 5 if few else 2, noun.feminine, few, noun,
        (noun.lemma,), pairs, tuple(marks),
    )  # fmt: skip


def _described(
    adjectives: Sequence[Adjective], word: str, form: int, english: str
) -> tuple[str, str, str]:
    """Return the French noun with what stands before it, what stands after it, and the English."""
    after = ""
    for adjective in adjectives:
        english = f"{adjective.english} {english}"
        said = adjective.forms[form]
        said = adjective.before_vowel if form == 0 and vowel(word) else said
        word = f"{said} {word}" if adjective.is_before else word
        after += "" if adjective.is_before else f" {said}"
    return word, after, english


def _any_adjective(rng: random.Random, noun: Noun, determiner: str) -> list[Adjective]:
    if determiner in ("own", "my", "our") and noun.kinds & _OWN_ONE.kinds and rng.random() < 0.25:
        return [_OWN_ONE]
    before, after = beside(noun)
    return [pick(rng, before + after)] if before or after else []


#: What contradicts itself: *la vieille voiture neuve*.
_NOT_BOTH = frozenset({
    ("vieux", "neuf"), ("nouveau", "neuf"), ("vieux", "frais"), ("jeune", "frais"),
    ("gros", "énorme"), ("petit", "énorme"), ("grand", "court"), ("gros", "léger"),
    ("petit", "lourd"), ("beau", "sale"), ("joli", "sale"), ("nouveau", "rouillé"),
    ("nouveau", "cassé"),
})  # fmt: skip


@cache
def either_side(noun: Noun) -> tuple[tuple[Adjective, Adjective], ...]:
    """Return the adjectives that stand after and before a noun at once, the former first."""
    before, after = beside(noun)
    return tuple(
        (second, first)
        for first in before
        if first.lemma not in ("bon", "mauvais", "ancien", "propre")
        for second in after
        if (first.lemma, second.lemma) not in _NOT_BOTH
    )


def _any_determiner(rng: random.Random, noun: Noun, few: bool, subject: bool, owned: bool) -> str:
    draw = rng.random()
    if draw < 0.25 and noun.kinds & _OWN:
        return "own" if owned else "my" if draw < 0.18 else "our"
    if noun.kinds & {"felt", "odor"}:
        return "the"
    if subject:
        return pick(rng, _SUBJECTS if few else _SUBJECT if noun.counted else ("the",))
    return pick(rng, _SOME if few else _ONE if noun.counted else _MASS)


_MARKS = {"own": "possessive", "my": "possessive", "our": "possessive", "number": "number",
          "this": "demonstrative", "these": "demonstrative", "some": "partitive"}  # fmt: skip


def shows_gender(noun: Noun, phrase: Phrase) -> bool:
    """Return whether the words tell the meaning by the gender: *le livre*, *la livre*."""
    first, second = AMBIGUOUS_NOUNS[noun.lemma]
    if first.feminine == second.feminine or phrase.plural:
        return False
    return phrase.french.split()[0] not in ("notre", "votre", "leur")


# Pronouns and names

#: French, English, person, feminine, plural, and both as an object.
_PRONOUNS = {
    "je": Phrase("je", "i", 0, before=("me", "me")),
    "tu": Phrase("tu", "you", 1, before=("te", "you")),
    "il": Phrase("il", "he", 2, before=("le", "him")),
    "elle": Phrase("elle", "she", 2, True, before=("la", "her")),
    "on": Phrase("on", "we", 2),
    "nous": Phrase("nous", "we", 3, plural=True, before=("nous", "us")),
    "vous": Phrase("vous", "you", 4, plural=True, before=("vous", "you")),
    "ils": Phrase("ils", "they", 5, plural=True, before=("les", "them")),
    "elles": Phrase("elles", "they", 5, True, True, before=("les", "them")),
}
_NOT_THIRD, _ANY = ("je", "je", "tu", "tu", "nous", "vous"), tuple(_PRONOUNS)
_NAMES = tuple(NAMES)


def pronoun(rng: random.Random, third: bool, all_forms: bool) -> Phrase:
    """Draw a subject pronoun; `third` allows il and elle, `all_forms` nous and vous."""
    words = _ANY if third else _NOT_THIRD
    word = pick(rng, words)
    while not all_forms and word in ("nous", "vous"):
        word = pick(rng, words)
    found = _PRONOUNS[word]
    if found.person in (0, 1) and rng.random() < 0.3:
        found = found._replace(feminine=True)
    return found._replace(plural=True) if word == "vous" and rng.random() < 0.5 else found


def name(rng: random.Random) -> Phrase:
    """Draw a first name."""
    word = pick(rng, _NAMES)
    return Phrase(word, word, 2, NAMES[word], names=(word,))


def again(phrase: Phrase, indirect: bool = False) -> Phrase:
    """Return the pronoun that stands for what was named before."""
    french = ("il", "elle", "ils", "elles")[phrase.form]
    them = "les" if phrase.plural else "la" if phrase.feminine else "le"
    if indirect:
        them = "leur" if phrase.plural else "lui"
    return phrase._replace(
        french=french, english=phrase.he, before=(them, phrase.him), pairs=(), marks=("looks back",)
    )


PERSON = next(noun for noun in NOUNS if noun.lemma == "homme")


def decided(noun: Noun, phrase: Phrase) -> tuple[Role, ...]:
    """Return what may be said of a phrase: what decides its meaning, or all if its gender does."""
    if noun.lemma in AMBIGUOUS_NOUNS and not shows_gender(noun, phrase):
        return roles(noun, True)
    return roles(noun)
