"""A French-English corpus by grammar: our own sentences, drawn by a seed, in splits."""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

from lessons.trained.grammar.clauses import MODALS, elide
from lessons.trained.grammar.crossed import ambiguous_text
from lessons.trained.grammar.lexicon import (
    ADJECTIVES,
    AMBIGUOUS_NOUNS,
    NAMES,
    VERBS,
    roles,
)
from lessons.trained.grammar.parts import Text, has_two_meanings, qualified
from lessons.trained.grammar.plain import plain_text, undecided_texts
from lessons.trained.grammar.short import short_text
from lessons.trained.grammar.statements import PLAIN
from transformer_lite.checks import check_size
from transformer_lite.text.batches import Pair


class Corpus(NamedTuple):
    """Sentence pairs in splits that share no source.

    Attributes:
        train: what a model learns from; a fiftieth of it is undecided.
        held_out: other sentences of the same kind, none undecided.
        held_out_combinations: sentences in which an adjective stands with a noun, or a verb with a
            subject, that never meet in `train`, though each of them is frequent there.
        held_out_contexts: sentences in which an ambiguous noun is decided by a word that never
            stands with it in `train`, though each of them is frequent there.
        undecided: sentences in which nothing decides, each once with either translation.
        short: a tenth of `train` as many pieces to learn from besides: a noun between two
            adjectives, and pronouns that stand for nobody named before.
    """

    train: tuple[Pair, ...]
    held_out: tuple[Pair, ...]
    held_out_combinations: tuple[Pair, ...]
    held_out_contexts: tuple[Pair, ...]
    undecided: tuple[Pair, ...]
    short: tuple[Pair, ...]


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
    ("salut", "hi"),
    ("bonsoir", "good evening"),
    ("bonne nuit", "good night"),
    ("au revoir", "goodbye"),
    ("s'il vous plaît", "please"),
    ("comment vas-tu?", "how are you?"),
    ("je t'aime", "i love you"),
    ("il pleut", "it is raining"),
    ("je ne sais pas", "i do not know"),
)
_LONGEST = 19


def any_text(rng: random.Random) -> Text:
    """Draw a sentence of any kind, a full stop at the end at times."""
    draw = rng.random()
    if draw < 0.42:
        text = ambiguous_text(rng)
    elif draw < 0.98:
        text = plain_text(rng)
    else:
        text = undecided_texts(rng)[0]
    if ". " in text.french or (rng.random() < 0.08 and not text.french.endswith("?")):
        text = text._replace(french=text.french + ".", english=text.english + ".")
    return text


@cache
def held_out_combinations() -> frozenset[tuple[str, str]]:
    """Return the pairs of a noun and its adjective or verb that training never shows.

    >>> ("chat", "noir") in held_out_combinations()
    False
    """
    apart = set()
    common = {word.lemma for word in ADJECTIVES if len(qualified(word)) > 20}
    for i, noun in enumerate(PLAIN):
        words = sorted({r.word.lemma for r in roles(noun) if r.place == "is"} & common)
        if len(words) > 3:
            apart.add((noun.lemma, words[(3 * i + 1) % len(words)]))
        doing = sorted({r.word.lemma for r in roles(noun) if r.place == "subject"})
        if len(doing) > 9:
            apart.add((noun.lemma, doing[(5 * i + 2) % len(doing)]))
    for i, name in enumerate(NAMES):
        verbs = sorted({verb.lemma for verb in VERBS if "person" in verb.subjects})
        apart.add((name, verbs[(7 * i + 2) % len(verbs)]))
    return frozenset(apart - {("chat", "noir"), ("chat", "petit")})


@cache
def held_out_contexts() -> frozenset[tuple[str, str]]:
    """Return the pairs of an ambiguous noun and a deciding word that training never shows.

    One deciding word in six, and always some.

    >>> {noun for noun, _ in held_out_contexts()} >= {"avocat", "glace"}
    True
    """
    apart = set()
    for i, senses in enumerate(AMBIGUOUS_NOUNS.values()):
        for noun in senses:
            words = sorted({role.word.lemma for role in roles(noun, True)})
            apart |= {(noun.lemma, word) for word in words[i % 6 :: 6]}
    return frozenset(apart)


def _phenomena(text: Text, source: str) -> frozenset[str]:
    marks = set(text.marks).difference(MODALS)
    if not MODALS.keys().isdisjoint(text.marks):
        marks.add("infinitive")
    words = {word for pair in text.pairs for word in pair}
    if any(has_two_meanings(word) for word in words):
        marks.add("ambiguous")
    if "'" in source.replace("aujourd'hui", ""):
        marks.add("elision")
    return frozenset(marks)


def _place(text: Text) -> str:
    """Say to which split a sentence belongs: "" if to none."""
    pairs = set(text.pairs)
    nouns = {noun for noun, _ in pairs if noun in AMBIGUOUS_NOUNS}
    words = {word for _, word in pairs}
    together = {(noun, word) for noun in nouns for word in words} & held_out_contexts()
    combined = not held_out_combinations().isdisjoint(pairs)
    if together:
        return (
            "contexts"
            if together & pairs and not combined and "undecided" not in text.marks
            else ""
        )
    if combined:
        return "combinations" if "undecided" not in text.marks else ""
    return "undecided" if "undecided" in text.marks else "plain"


def _undecided(rng: random.Random, seen: set[str], count: int) -> list[Pair]:
    """Draw new sources of which nothing decides, each with both translations."""
    found: list[Pair] = []
    while len(found) < 2 * count:
        both = undecided_texts(rng)
        source = elide(both[0].french)
        if source not in seen and all(_place(text) == "undecided" for text in both):
            seen.add(source)
            found += [Pair(source, text.english, _phenomena(text, source)) for text in both]
    return found


def _short(seed: int, seen: set[str], count: int) -> list[Pair]:
    """Draw new short pieces, by choices of their own: no other split hangs on them."""
    rng = random.Random(f"short {seed}")
    found: list[Pair] = []
    while len(found) < count:
        text = short_text(rng)
        source = elide(text.french)
        if source not in seen and _place(text) == "plain":
            seen.add(source)
            found.append(Pair(source, text.english, _phenomena(text, source)))
    return found


def grammar_corpus(seed: int = 0, size: int = 100_000, held_out: int = 2_000) -> Corpus:
    """Draw French sentences with their English translations.

    The sentences are lower-cased. No source has two translations, but for those of which nothing
    decides, which are marked ``undecided``.

    Args:
        seed: of all that is drawn; 0 or greater.
        size: the number of training pairs, at least 1.
        held_out: the number of pairs in each of the other splits, at least 1.

    Raises:
        TypeError: an argument is not an int.
        ValueError: one of them is too small.

    >>> grammar_corpus(size=100, held_out=10).train[0][:2]
    ('je suis étudiant', 'i am a student')
    """
    check_size("seed", seed, minimum=0)
    check_size("size", size)
    check_size("held_out", held_out)
    rng = random.Random(seed)
    fixed = [Pair(*words, frozenset({"short"})) for words in FIXED[:size]]
    seen = {source for source, _ in FIXED}
    wanted = {
        "plain": size - len(fixed) + held_out, "combinations": held_out, "contexts": held_out,
        "undecided": 0,
    }  # fmt: skip
    found: dict[str, list[Pair]] = {place: [] for place in wanted}
    while any(len(found[place]) < count for place, count in wanted.items()):
        text = any_text(rng)
        place = _place(text)
        if not place:
            continue
        source = elide(text.french)
        if source in seen or source.count(" ") >= _LONGEST:
            continue
        seen.add(source)
        found[place].append(Pair(source, text.english, _phenomena(text, source)))
    undecided = _undecided(rng, seen, held_out)
    for pairs in found.values():
        rng.shuffle(pairs)
    plain = found["plain"]
    few = found["undecided"][: size // 40]
    learned = plain[held_out : held_out + size - len(fixed)] + few
    rng.shuffle(learned)
    return Corpus(
        (*fixed, *learned[: size - len(fixed)]),
        tuple(plain[:held_out]),
        tuple(found["combinations"][:held_out]),
        tuple(found["contexts"][:held_out]),
        tuple(undecided),
        tuple(_short(seed, seen, size // 10)),
    )
