"""A French-English corpus by grammar: words in tables, and rules that write them in two languages.

From the ground up: :mod:`morphology` (forms by rule), :mod:`lexicon` (the tables, and what decides
between two meanings), :mod:`phrases`, :mod:`clauses`, :mod:`times_and_places`, :mod:`parts` (a noun
in a role of a verb), :mod:`statements`, :mod:`talk`, :mod:`plain` and :mod:`crossed` (kinds of
sentences), :mod:`corpus` (splits).
"""

from lessons.trained.grammar.corpus import (
    Corpus,
    grammar_corpus,
    held_out_combinations,
    held_out_contexts,
)
from lessons.trained.grammar.decided import DecidedNoun, decided_nouns
from lessons.trained.grammar.lexicon import AMBIGUOUS_NOUNS

__all__ = [
    "AMBIGUOUS_NOUNS",
    "Corpus",
    "DecidedNoun",
    "decided_nouns",
    "grammar_corpus",
    "held_out_combinations",
    "held_out_contexts",
]
