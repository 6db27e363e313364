"""The trained translator of the book, French to English, and how it is made and measured.

``python -m lessons.trained.translator.make`` trains it anew and writes all its files;
``python -m lessons.trained.translator.measuring_doubt`` measures anew when it doubts.
"""

from lessons.trained.translator.doubt import Doubt, Rule
from lessons.trained.translator.loading import FOLDER, Translator, load_translator, sizes_of
from lessons.trained.translator.measuring import Row, by_phenomenon, measure, split_row
from lessons.trained.translator.rounding import round_weights, rounded

__all__ = [
    "FOLDER",
    "Doubt",
    "Row",
    "Rule",
    "Translator",
    "by_phenomenon",
    "load_translator",
    "measure",
    "round_weights",
    "rounded",
    "sizes_of",
    "split_row",
]
