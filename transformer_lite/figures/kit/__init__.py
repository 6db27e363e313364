"""The kit that every live figure is made with."""

from transformer_lite.figures.kit.live_figure import FOLDER as FOLDER
from transformer_lite.figures.kit.live_figure import LiveFigure as LiveFigure
from transformer_lite.figures.kit.live_figure import shared as shared
from transformer_lite.figures.kit.picture import counted as counted
from transformer_lite.figures.kit.picture import panels as panels
from transformer_lite.figures.kit.picture import picture_table as picture_table
from transformer_lite.figures.kit.picture import picture_tables as picture_tables
from transformer_lite.figures.kit.picture import text_table as text_table
