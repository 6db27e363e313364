"""The kit that every live figure is made with."""

from lessons.kit.figures.live_figure import SHEETS as SHEETS
from lessons.kit.figures.live_figure import LiveFigure as LiveFigure
from lessons.kit.figures.live_figure import shared as shared
from lessons.kit.figures.picture import counted as counted
from lessons.kit.figures.picture import html_table as html_table
from lessons.kit.figures.picture import panels as panels
from lessons.kit.figures.picture import picture_table as picture_table
from lessons.kit.figures.picture import picture_tables as picture_tables
from lessons.kit.figures.picture import text_table as text_table

__all__ = ["LiveFigure"]
