"""A French-English corpus by grammar: words in tables, and rules that write them in two languages.

From the ground up: :mod:`morphology` (forms by rule), :mod:`lexicon` (the tables, and what decides
between two meanings), :mod:`phrases`, :mod:`clauses`, :mod:`times_and_places`, :mod:`parts` (a noun
in a role of a verb), :mod:`statements`, :mod:`talk`, :mod:`plain` and :mod:`crossed` (kinds of
sentences), :mod:`corpus` (splits).
"""

from transformer_lite.text.grammar.lexicon import AMBIGUOUS_NOUNS as AMBIGUOUS_NOUNS
