"""The French words that the translator knows, as the page lists them, by kind."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

from lessons.trained.grammar import lexicon
from lessons.trained.grammar.morphology import conjugated
from lessons.trained.grammar.phrases import NUMBERS
from lessons.trained.translator.loading import FOLDER
from transformer_lite.files import write_whole
from transformer_lite.text import Pair, split_words

#: Where the figure of the translator finds them.
LIST = FOLDER.parents[1] / "decoding/translator/french_words.json"
_SMALL = "la le son ton tu un une y"


def _kinds() -> dict[str, set[str]]:
    """Return the forms of each kind; a form of several kinds counts as the first one."""
    verbs = [v.french for v in (lexicon.ETRE, lexicon.AVOIR, lexicon.ALLER, *lexicon.VERBS)]
    verbs += map(conjugated, ("vouloir", "pouvoir", "devoir"))
    return {
        "small words": set(_SMALL.split()),
        "nouns": {form for noun in lexicon.NOUNS for form in (noun.lemma, noun.plural)},
        "names and numbers": {*lexicon.NAMES, *(number for number, _ in NUMBERS)},
        "adjectives": {
            form for one in lexicon.ADJECTIVES for form in (*one.forms, one.before_vowel)
        },
        "verbs": {
            form
            for verb in verbs
            for form in chain([verb.infinitive], *verb[1:])
        },
    }  # fmt: skip


def _by_alphabet(words: Iterable[str]) -> list[str]:
    """Sort words as a dictionary does: accents count last."""
    return sorted(words, key=lambda word: ("".join(filter(str.isalpha, _bare(word))), word))


def _bare(word: str) -> str:
    return unicodedata.normalize("NFD", word.replace("œ", "oe"))


def french_words(pairs: Iterable[Pair]) -> dict[str, list[str]]:
    """Return the French words of some sentences by kind, each by the alphabet.

    >>> french_words([Pair("le chat noir dort.", "the black cat sleeps.")])["verbs"]
    ['dort']
    """
    found = {word for pair in pairs for word in split_words(pair.source)}
    kinds: dict[str, list[str]] = {}
    rest = set(found)
    for kind, forms in _kinds().items():
        kinds[kind] = _by_alphabet(rest & forms)
        rest -= forms
    marks = {word for word in rest if not any(letter.isalpha() for letter in word)}
    kinds["small words"] = _by_alphabet([*kinds["small words"], *(rest - marks)])
    return kinds | {"marks": sorted(marks)}


def write_french_words(pairs: Iterable[Pair], tokens: Sequence[str], path: Path = LIST) -> int:
    """Write the list of the page, and return how many words it has.

    The page knows the tokens of the translator. So the list says of each token only which kind it
    is: the number of its kind, or "-" for what is not a French word.

    Raises:
        OSError: the file cannot be written.
    """
    kinds = french_words(pairs)
    numbers = {word: str(i) for i, words in enumerate(kinds.values()) for word in words}
    of = "".join(numbers.get(token, "-") for token in tokens)
    write_whole(path, f"{json.dumps({'kinds': [*kinds], 'of': of}, indent=2)}\n".encode())
    return len(of) - of.count("-")
