"""The static pictures: what is drawn is what was given, in the book's colours."""

import matplotlib.pyplot as plt
import pytest
import torch
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from torch import inf, nan

from transformer_lite import plots

KINDS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
VALUES = torch.tensor([[0.5, -2.0, 3.25], [nan, -inf, inf]])
BEFORE, AFTER = torch.tensor([1.5, -2.0, 0.25]), torch.tensor([0.5, 4.0, -1.0])


@pytest.fixture(autouse=True)
def _no_window_and_no_figure_left():
    plt.switch_backend("agg")
    plt.close("all")
    yield
    plt.close("all")


def table(values=VALUES, rows=("ask", "answer"), columns=("a", "b", "c"), title="Title") -> Figure:
    return plots.heatmap(values, list(rows), list(columns), title)


def bars(before=BEFORE, after=AFTER, names=("x", "y", "z"), title="Title") -> Figure:
    return plots.before_after(before, after, list(names), title)


def shades(figure: Figure) -> list[list[str]]:
    """The colour of every cell of a table."""
    image = figure.axes[0].images[0]
    return [[to_hex(cell) for cell in row] for row in image.to_rgba(image.get_array())]


def texts(labels) -> list[str]:
    return [label.get_text() for label in labels]


@pytest.mark.parametrize("draw", [table, bars])
def test_a_picture_is_one_figure_that_plt_show_would_show(draw):
    figure = draw()
    assert isinstance(figure, Figure)
    assert [plt.figure(number) for number in plt.get_fignums()] == [figure]
    assert texts([axes.title for axes in figure.axes]) == ["Title"]


@pytest.mark.parametrize("draw", [table, bars])
def test_drawing_changes_no_setting(draw):
    before = dict(plt.rcParams)
    draw().canvas.draw()
    assert dict(plt.rcParams) == before


def test_every_number_stands_in_its_cell():
    axes = table().axes[0]
    cells = {text.get_position(): text.get_text() for text in axes.texts}
    expected = [["0.5", "-2", "3.25"], ["nan", "-∞", "∞"]]
    assert cells == {(j, i): expected[i][j] for i in range(2) for j in range(3)}
    assert texts(axes.get_xticklabels()) == ["a", "b", "c"]
    assert texts(axes.get_yticklabels()) == ["ask", "answer"]
    assert axes.yaxis_inverted()  # the first row is the upper one


def test_a_number_has_four_digits():
    assert texts(table(torch.tensor([[1.23456]]), ["a"], ["b"]).axes[0].texts) == ["1.235"]


def test_a_larger_number_is_darker_and_what_is_no_number_grey():
    upper, lower = shades(table())
    half, least, most = upper
    assert (least, most) == ("#ffffff", "#9ecae8")
    assert sum(to_rgba(least)) > sum(to_rgba(half)) > sum(to_rgba(most))
    assert lower == [plots.GREY] * 3


def test_a_table_without_a_single_number_is_all_grey():
    figure = table(torch.full((2, 3), nan))
    figure.canvas.draw()
    assert shades(figure) == [[plots.GREY] * 3] * 2


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_every_precision_make_the_same_table(kind):
    figure = table(VALUES.to(kind))
    assert texts(figure.axes[0].texts) == texts(table().axes[0].texts)
    assert shades(figure) == shades(table())


def test_there_are_two_bars_an_entry_as_high_as_its_numbers():
    axes = bars().axes[0]
    for container, numbers, color, side in zip(
        axes.containers, (BEFORE, AFTER), (plots.ORANGE, plots.BLUE), (-0.2, 0.2), strict=True
    ):
        assert [bar.get_height() for bar in container] == numbers.tolist()
        assert {to_hex(bar.get_facecolor()) for bar in container} == {color}
        middles = [bar.get_x() + bar.get_width() / 2 for bar in container]
        assert middles == pytest.approx([side, 1 + side, 2 + side])
    assert texts(axes.get_xticklabels()) == ["x", "y", "z"]
    assert texts(axes.get_legend().get_texts()) == ["before", "after"]


def test_before_and_after_differ_by_more_than_their_colour():
    hatches = [{bar.get_hatch() for bar in bars_} for bars_ in bars().axes[0].containers]
    assert hatches == [{"//"}, {None}]


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_every_precision_make_the_same_bars(kind):
    container = bars(BEFORE.to(kind), AFTER.to(kind)).axes[0].containers[0]
    assert [bar.get_height() for bar in container] == BEFORE.tolist()


def test_what_is_no_number_leaves_a_gap():
    figure = bars(torch.tensor([1.0, nan, -inf]), torch.tensor([inf, 2.0, 3.0]))
    figure.canvas.draw()
    heights = [[bar.get_height() for bar in bars_] for bars_ in figure.axes[0].containers]
    assert heights == [[1.0, pytest.approx(nan, nan_ok=True), pytest.approx(nan, nan_ok=True)],
                       [pytest.approx(nan, nan_ok=True), 2.0, 3.0]]  # fmt: skip


def test_what_still_learns_can_be_drawn_and_stays_as_it_was():
    learned = VALUES.clone().requires_grad_()
    table(learned)
    assert learned.requires_grad and torch.equal(learned.nan_to_num(), VALUES.nan_to_num())


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
        (lambda: bars([1.0]), TypeError, "before must be a torch.Tensor, got list: [1.0]"),
        (
            lambda: bars(after=AFTER.int()),
            TypeError,
            "after must hold floating-point numbers, got dtype torch.int32; call after.float()",
        ),
        (
            lambda: bars(after=AFTER[:2]),
            ValueError,
            "before and after must have shape (3,), got (3,) and (2,)",
        ),
        (
            lambda: bars(names="abcd"),
            ValueError,
            "before and after must have shape (4,), got (3,) and (3,)",
        ),
        (
            lambda: bars(torch.zeros(0), torch.zeros(0), names=[]),
            ValueError,
            "before must hold at least one number, got shape (0,)",
        ),
    ],
)
def test_the_error_says_what_came_and_no_figure_is_left(draw, error, message):
    with pytest.raises(error) as caught:
        draw()
    assert str(caught.value) == message
    assert plt.get_fignums() == []
