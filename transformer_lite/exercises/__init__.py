"""Exercises that answer back: one module a chapter, two to four exercises a module.

Give `check` your own function. It says whether the answer is right, and if not, which number is
the first wrong one and what probably went wrong::

    from transformer_lite import exercises

    exercises.the_cat_sat.attend.check(attend)
    exercises.the_cat_sat.attend.hint(1)

Each module also holds, as data for teachers, the known wrong answers with the message that each
one gets, and two right answers. The checks run in your own Python: they are there to help you
learn, not to guard a grade.
"""

from transformer_lite.exercises import (
    attention,
    feed_forward,
    layer_norm,
    masks,
    multi_head,
    normalization,
    position_families,
    residual_connections,
    scaling,
    sinusoidal_positions,
    the_cat_sat,
)
from transformer_lite.exercises._exercise import Case, Exercise, Mistake, Property, Result

__all__ = [
    "Case",
    "Exercise",
    "Mistake",
    "Property",
    "Result",
    "attention",
    "feed_forward",
    "layer_norm",
    "masks",
    "multi_head",
    "normalization",
    "position_families",
    "residual_connections",
    "scaling",
    "sinusoidal_positions",
    "the_cat_sat",
]
