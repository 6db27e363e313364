"""A GPT of this book: a small decoder that has read the book's own prose, and how it is made.

``python -m lessons.trained.book_gpt.make`` trains it anew on the book as it is and writes all its
files. The text is the book's own, and so is the licence of the weights.
``python -m lessons.trained.book_gpt.bigrams`` then counts the bigram table again, whose ids are
those of the vocabulary.
"""

from lessons.trained.book_gpt.loading import (
    FOLDER,
    RECORD,
    BookGPT,
    load_book_gpt,
    longer,
    precise_book_gpt,
)
from lessons.trained.book_gpt.reading import Text, read_text, rows_of, words_of

__all__ = [
    "FOLDER",
    "RECORD",
    "BookGPT",
    "Text",
    "load_book_gpt",
    "longer",
    "precise_book_gpt",
    "read_text",
    "rows_of",
    "words_of",
]
