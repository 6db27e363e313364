"""The live figures of the book. Each works in Jupyter and on the published page."""

from transformer_lite.figures._base import LiveFigure
from transformer_lite.figures.attention_explorer import AttentionExplorer
from transformer_lite.figures.depth_lab import DepthLab
from transformer_lite.figures.feed_forward_lab import FeedForwardLab
from transformer_lite.figures.head_splitter import HeadSplitter
from transformer_lite.figures.layer_norm_lab import LayerNormLab
from transformer_lite.figures.mask_lab import MaskLab
from transformer_lite.figures.norm_axes import NormAxes
from transformer_lite.figures.position_map import PositionMap
from transformer_lite.figures.position_schemes import PositionSchemes
from transformer_lite.figures.question import Question, predict, question
from transformer_lite.figures.soft_retrieval import SoftRetrieval
from transformer_lite.figures.softmax_lab import SoftmaxLab

__all__ = [
    "AttentionExplorer",
    "DepthLab",
    "FeedForwardLab",
    "HeadSplitter",
    "LayerNormLab",
    "LiveFigure",
    "MaskLab",
    "NormAxes",
    "PositionMap",
    "PositionSchemes",
    "Question",
    "SoftRetrieval",
    "SoftmaxLab",
    "predict",
    "question",
]
