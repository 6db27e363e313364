"""The cost lab: its counts are those of PyTorch's own counter, and its picture holds them."""

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

import transformer_lite as tl
from lessons.cost_and_order.cost_lab.cost_lab import SHARED
from tests.lessons.cost_and_order.cost_lab.spec import make as lab

SIZES = [
    {"tokens": 32, "d_model": 64, "num_heads": 4, "num_layers": 3},
    {"tokens": 256, "d_model": 128, "num_heads": 1, "num_layers": 1},
]


def counted(function, *inputs) -> int:
    """Multiply–adds by PyTorch's counter, which counts a product and a sum as two."""
    with FlopCounterMode(display=False) as counter:
        function(*inputs)
    return counter.get_total_flops() // 2


@pytest.mark.parametrize("sizes", SIZES)
def test_costs_of_the_parts_equal_pytorchs_counter(sizes):
    figure = lab(**sizes)
    t, d, layers = figure.tokens, figure.d_model, figure.num_layers
    attention, x = tl.MultiHeadAttention(d, figure.num_heads), torch.zeros(1, t, d)
    projections, scores, mixing, feed_forward, total = figure.results()["parts"][:, 0].tolist()
    heads = counted(lambda: attention.steps(x))
    output = counted(attention.out_proj, x)
    assert layers * (heads + output) == projections + scores + mixing
    assert layers * 4 * output == projections
    assert scores == mixing
    assert layers * counted(tl.FeedForward(d, 4 * d), x) == feed_forward
    assert projections + scores + mixing + feed_forward == total


@pytest.mark.parametrize("sizes", SIZES)
def test_costs_of_rnn_and_convolution_equal_pytorchs_counter(sizes):
    figure = lab(**sizes)
    t, d = figure.tokens, figure.d_model
    cell, convolution = nn.RNNCell(d, d), nn.Conv1d(d, d, 3, padding=1)
    step = counted(cell, torch.zeros(1, d), torch.zeros(1, d))
    assert figure.results()["rivals"][1].tolist() == [t * step, t]
    assert figure.results()["rivals"][2, 0] == counted(convolution, torch.zeros(1, d, t))


def test_pairwise_and_linear_costs_are_equal_at_six_times_the_width():
    linear, pairs = lab(d_model=1024, tokens=4096).results()["curve"].T
    lengths = torch.tensor(SHARED["tokens"], dtype=torch.float64)
    torch.testing.assert_close(pairs / linear, lengths / (6 * 1024))
