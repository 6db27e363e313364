"""A French–English corpus by grammar: our own sentences, drawn by a seed, in three splits."""

from __future__ import annotations

import random
from typing import NamedTuple

from transformer_lite._checks import check_size
from transformer_lite.text.batches import Pair
from transformer_lite.text.lexicon import NAMES, NOUNS, adjectives_beside, verbs_of
from transformer_lite.text.sentences import Sentence, any_sentence


class Corpus(NamedTuple):
    """Sentence pairs in three splits that share no source.

    Attributes:
        train: what a model learns from.
        held_out: other sentences of the same kind.
        held_out_combinations: sentences in which an adjective stands with a noun, or a verb with a
            subject, that never meet in `train`, though each of them is frequent there.
    """

    train: tuple[Pair, ...]
    held_out: tuple[Pair, ...]
    held_out_combinations: tuple[Pair, ...]


#: Short sentences that every training split holds, those of the lecture documents first.
FIXED = (
    ("je suis étudiant", "i am a student"),
    ("merci", "thanks"),
    ("le chat s'est assis sur le tapis", "the cat sat on the mat"),
    ("le petit chat noir", "the small black cat"),
    ("bonjour", "hello"),
    ("merci beaucoup", "thanks a lot"),
    ("oui, merci", "yes, thanks"),
    ("non, merci", "no, thanks"),
    ("oui", "yes"),
    ("non", "no"),
)


#: Words between spaces in a French sentence, at most.
_LONGEST = 14


def grammar_corpus(seed: int = 0, size: int = 100_000, held_out: int = 2_000) -> Corpus:
    """Draw French sentences with their English translations.

    The sentences are lower-cased. The présent is the simple present, the passé composé (of être and
    avoir the imparfait) the simple past, the futur *will*. No source has two translations.

    Args:
        seed: of all that is drawn; 0 or greater.
        size: the number of training pairs, at least 1.
        held_out: the number of pairs in each of the other two splits, at least 1.

    Raises:
        TypeError: an argument is no int.
        ValueError: one of them is too small.

    >>> grammar_corpus(size=100, held_out=10).train[0][:2]
    ('je suis étudiant', 'i am a student')
    """
    check_size("seed", seed, minimum=0)
    check_size("size", size)
    check_size("held_out", held_out)
    rng = random.Random(seed)
    fixed = [Pair(*words, frozenset({"short"})) for words in FIXED[:size]]
    apart = held_out_combinations()
    seen = {source for source, _ in FIXED}
    plain: list[Pair] = []
    combined: list[Pair] = []
    while len(plain) < size - len(fixed) + held_out or len(combined) < held_out:
        sentence = any_sentence(rng)
        if sentence.source in seen or sentence.source.count(" ") >= _LONGEST:
            continue
        seen.add(sentence.source)
        (plain if apart.isdisjoint(sentence.combinations) else combined).append(_pair(sentence))
    # Early draws hold more short sentences than late ones, so the splits are drawn once more.
    rng.shuffle(plain)
    rng.shuffle(combined)
    train = plain[held_out : held_out + size - len(fixed)]
    return Corpus((*fixed, *train), tuple(plain[:held_out]), tuple(combined[:held_out]))


def held_out_combinations() -> frozenset[tuple[str, str]]:
    """Return the pairs of noun and adjective, and of subject and verb, that training never shows.

    One adjective and one verb for each noun that has several; the same for every seed.

    >>> ("chat", "noir") in held_out_combinations()
    False
    """
    apart = []
    for i, noun in enumerate(NOUNS.values()):
        adjectives = [adjective.lemma for adjective in adjectives_beside(noun)]
        if len(adjectives) > 1:
            apart.append((noun.singular, adjectives[(3 * i + 1) % len(adjectives)]))
    subjects = [(noun.singular, noun.kind) for noun in NOUNS.values()]
    subjects = [(lemma, kind) for lemma, kind in subjects if kind in ("person", "animal")]
    for i, (subject, kind) in enumerate([*subjects, *((name, "person") for name in NAMES)]):
        verbs = verbs_of(kind)
        apart.append((subject, verbs[(5 * i + 2) % len(verbs)].lemma))
    return frozenset(apart)


def _pair(sentence: Sentence) -> Pair:
    return Pair(sentence.source, sentence.target, frozenset(sentence.phenomena))
