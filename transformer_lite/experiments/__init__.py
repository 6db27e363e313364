"""Experiments as recorded sweeps: a grid, a function of one point, and the record of all points.

``CHAPTER/NAME.py`` declares an experiment, ``python -m transformer_lite.experiments NAME`` runs it
and writes ``NAME.json`` beside it, and :func:`record` reads that. :func:`run` computes one point.
"""

from transformer_lite.experiments._experiment import names, record, run
from transformer_lite.experiments._record import Record, Table

__all__ = ["Record", "Table", "names", "record", "run"]
