"""What all chapters share: the kits of figures, drills, exercises, diagrams and experiments.

A chapter imports from here what it shows and asks: ``from lessons.kit import drill, predict``.
"""

from lessons.lazy import attributes

__getattr__ = attributes(
    __name__,
    compare="lessons.worked_examples",
    drill="lessons.kit.drills",
    predict="lessons.kit.figures.question.question",
    question="lessons.kit.figures.question.question",
)
