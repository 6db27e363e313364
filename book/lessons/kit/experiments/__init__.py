"""Recorded sweeps: a grid, a function that computes one point, and the record of all points.

``LESSON/experiments/NAME.py`` declares an experiment. ``python -m lessons.kit.experiments NAME``
runs it and writes ``NAME.json`` next to it, which :func:`record` reads. :func:`run` computes one
point.
"""

from lessons.kit.experiments.experiment import names, record, run
from lessons.kit.experiments.record import Record, Table

__all__ = ["Record", "Table", "names", "record", "run"]
