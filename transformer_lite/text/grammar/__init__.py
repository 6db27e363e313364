"""A French-English corpus by grammar: words in tables, and rules that write them in two languages.

From the ground up: :mod:`morphology` (forms by rule), :mod:`lexicon` (the tables, and what decides
between two meanings), :mod:`phrases`, :mod:`clauses`, :mod:`times_and_places`, :mod:`parts` (a noun
in a role of a verb), :mod:`statements`, :mod:`talk`, :mod:`plain` and :mod:`crossed` (kinds of
sentences), :mod:`corpus` (splits).
"""

from transformer_lite.text.grammar.corpus import (
    FIXED,
    Corpus,
    grammar_corpus,
    held_out_combinations,
    held_out_contexts,
)
from transformer_lite.text.grammar.lexicon import AMBIGUOUS_NOUNS

__all__ = [
    "AMBIGUOUS_NOUNS",
    "FIXED",
    "Corpus",
    "grammar_corpus",
    "held_out_combinations",
    "held_out_contexts",
]
