"""The static pictures: what is drawn is what was given, in the book's colours."""

import matplotlib.pyplot as plt
import pytest
import torch
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from torch import inf, nan

from lessons.kit import plots

KINDS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
VALUES = torch.tensor([[0.5, -2.0, 3.25], [nan, -inf, inf]])


@pytest.fixture(autouse=True)
def _no_window_and_no_figure_left():
    plt.switch_backend("agg")
    plt.close("all")
    yield
    plt.close("all")


def table(values=VALUES, rows=("ask", "answer"), columns=("a", "b", "c"), title="Title") -> Figure:
    return plots.heatmap(values, list(rows), list(columns), title)


def shades(figure: Figure) -> list[list[str]]:
    """Return the colour of every cell of a table."""
    image = figure.axes[0].images[0]
    return [[to_hex(cell) for cell in row] for row in image.to_rgba(image.get_array())]


def texts(labels) -> list[str]:
    return [label.get_text() for label in labels]


def test_a_picture_is_one_figure_that_plt_show_would_show():
    figure = table()
    assert isinstance(figure, Figure)
    assert [plt.figure(number) for number in plt.get_fignums()] == [figure]
    assert texts([axes.title for axes in figure.axes]) == ["Title"]


def test_every_number_is_written_in_its_cell():
    axes = table().axes[0]
    cells = {text.get_position(): text.get_text() for text in axes.texts}
    expected = [["0.5", "-2", "3.25"], ["nan", "-∞", "∞"]]
    assert cells == {(j, i): expected[i][j] for i in range(2) for j in range(3)}
    assert texts(axes.get_xticklabels()) == ["a", "b", "c"]
    assert texts(axes.get_yticklabels()) == ["ask", "answer"]
    assert axes.yaxis_inverted()  # the first row is the upper one


def test_larger_numbers_are_darker_and_non_finite_ones_grey():
    upper, lower = shades(table())
    half, least, most = upper
    assert (least, most) == ("#ffffff", "#9ecae8")
    assert sum(to_rgba(least)) > sum(to_rgba(half)) > sum(to_rgba(most))
    assert lower == [plots.GREY] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_every_precision_make_the_same_table(kind):
    figure = table(VALUES.to(kind))
    assert texts(figure.axes[0].texts) == texts(table().axes[0].texts)
    assert shades(figure) == shades(table())


@pytest.mark.parametrize(
    ("draw", "error", "message"),
    [
        (lambda: table([[1.0]]), TypeError, "values must be a torch.Tensor, got list: [[1.0]]"),
        (
            lambda: table(VALUES[1].isnan()[None]),
            TypeError,
            "values must hold floating-point numbers, got dtype torch.bool; call values.float()",
        ),
        (lambda: table(VALUES[0]), ValueError, "values must have at least 2 axes, got shape (3,)"),
        (lambda: table(VALUES.T), ValueError, "values must have shape (2, 3), got (3, 2)"),
        (
            lambda: table(torch.zeros(0, 3), rows=[]),
            ValueError,
            "values must hold at least one number, got shape (0, 3)",
        ),
    ],
)
def test_wrong_input_is_refused_and_no_figure_is_left_open(draw, error, message):
    with pytest.raises(error) as caught:
        draw()
    assert str(caught.value) == message
    assert plt.get_fignums() == []
