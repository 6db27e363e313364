"""The parts that all chapters share: figures, drills, exercises, diagrams and experiments.

A chapter imports from here: ``from lessons.kit import drill, predict``.
"""

from lessons.lazy import attributes

__getattr__ = attributes(
    __name__,
    RaceLab="lessons.kit.figures.race_lab.race_lab",
    compare="lessons.worked_examples",
    drill="lessons.kit.drills",
    predict="lessons.kit.figures.question.question",
    question="lessons.kit.figures.question.question",
    race="lessons.kit.races",
)
