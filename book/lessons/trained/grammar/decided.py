"""Where an ambiguous noun stands in a pair of sentences, what it means there, and what decides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from lessons.trained.grammar.corpus import held_out_contexts
from lessons.trained.grammar.lexicon import AMBIGUOUS_NOUNS, NOUNS, Adjective, Noun, roles
from transformer_lite.text.batches import Pair
from transformer_lite.text.words import split_words


class DecidedNoun(NamedTuple):
    """An ambiguous noun in a sentence.

    Attributes:
        word: how it is written.
        place: the number of its token, from 0.
        meaning: its English word, as the translation has it.
        other: that of its other meaning, in the same number.
        decider: the number of the token of the word that decides.
    """

    word: str
    place: int
    meaning: str
    other: str
    decider: int


def decided_nouns(pair: Pair) -> Iterator[DecidedNoun]:
    """Yield the nouns of a held-out context whose meaning one word decides, and the gender cannot.

    That word never stands with the noun in training. Left out are nouns that stand twice in the
    sentence, and those of which two such words, or none, could decide.

    Args:
        pair: one of ``grammar_corpus().held_out_contexts``.

    >>> pair = Pair("mon frère vend l'avocat", "my brother sells the avocado")
    >>> list(decided_nouns(pair))
    [DecidedNoun(word='avocat', place=4, meaning='avocado', other='lawyer', decider=2)]
    """
    words = split_words(pair.source)
    english = f" {' '.join(split_words(pair.target))} "
    lemmas = [_lemmas().get(word, "") for word in words]
    for place, lemma in enumerate(lemmas):
        if not lemma or lemmas.count(lemma) > 1:
            continue
        senses = AMBIGUOUS_NOUNS[lemma]
        several = words[place] != lemma
        forms = [noun.english_plural if several else noun.english for noun in senses]
        told = [f" {form} " in english for form in forms]
        if sum(told) != 1:
            continue
        meant = told.index(True)
        places = [i for i, word in enumerate(words) if word in _deciders(senses[meant])]
        if len(places) == 1:
            yield DecidedNoun(words[place], place, forms[meant], forms[1 - meant], places[0])


@cache
def _lemmas() -> dict[str, str]:
    """Return the forms of all nouns whose meanings have one gender, each with its lemma."""
    return {
        form: lemma
        for lemma, (first, second) in AMBIGUOUS_NOUNS.items()
        if first.feminine == second.feminine
        for form in (lemma, first.plural, second.plural)
        if form
    }


@cache
def _deciders(noun: Noun) -> frozenset[str]:
    """Return all forms of the words that decide for a meaning and are held out with it.

    Those that may be a noun as well are left out: *entrée*.
    """
    apart = held_out_contexts()
    found = set[str]()
    for _, word in roles(noun, True):
        if (noun.lemma, word.lemma) not in apart:
            continue
        if isinstance(word, Adjective):
            found.update(word.forms)
        else:
            verb = word.french
            tenses = (verb.present, verb.future, verb.imparfait, verb.participle)
            found.update({verb.infinitive}.union(*tenses))
    return frozenset(found - {form for sense in NOUNS for form in (sense.lemma, sense.plural)})
