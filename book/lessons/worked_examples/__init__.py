"""The numbers that five lecture documents print, as data, and the code that recomputes them.

Each entry holds what a document prints, the right value, a verdict and a note for the reader.
:func:`load` gives all entries by id; :func:`compare` shows some of them side by side with what
this package computes::

    from lessons.worked_examples import compare, load

    load()["zscore-std"].compute()
    compare("zscore-mean", "zscore-std")

The misprints are welcome: they are what makes the numbers worth checking.
"""

# The modules of computations register themselves when they are imported.
from lessons.worked_examples import (  # noqa: F401
    added_positions,
    arithmetic,
    attention,
    byte_pairs,
    feed_forward,
    masks,
    models,
    n_grams,
    norms,
    positions,
    recurrence,
    relative_positions,
    residuals,
    scaling,
    shapes,
    word_vectors,
    words,
)
from lessons.worked_examples.comparison import Comparison, compare
from lessons.worked_examples.entries import DOCUMENTS, Document, WorkedExample, load
from lessons.worked_examples.verdicts import VERDICTS, judge

__all__ = [
    "DOCUMENTS",
    "VERDICTS",
    "Comparison",
    "Document",
    "WorkedExample",
    "compare",
    "judge",
    "load",
]
