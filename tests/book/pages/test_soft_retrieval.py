"""The query of soft retrieval in the plane: dragged, moved by keys, put down by a click."""

import pytest
from controls import control, saved_state
from live import agree, to_middle

from tests.lessons.attention.soft_retrieval.spec import FIGURE, HANDLE


def query_of(host) -> list[float]:
    """Return where the sliders say that the query is."""
    names = saved_state(host)["features"]
    return [float(control(host, f"query: {name}").input_value()) for name in names]


def position(host, x: float, y: float) -> tuple[float, float]:
    """Return the pixel of a point of the plane."""
    plane = host.locator(".sr-plane")
    to_middle(plane)
    box = plane.bounding_box()
    return box["x"] + box["width"] * (x + 4) / 8, box["y"] + box["height"] * (4 - y) / 8


def agrees_at(host, point: list[float]) -> None:
    assert query_of(host) == pytest.approx(point, abs=0.051)
    agree(host, FIGURE(**(saved_state(host) | {"query": query_of(host)})))


def test_the_handle_follows_the_pointer(fresh):
    host = fresh(FIGURE)
    mouse = host.page.mouse
    mouse.move(*position(host, *query_of(host)))
    mouse.down()
    for point in ([-2, 3], [3.5, -1.5], [0, 2]):
        mouse.move(*position(host, *point), steps=3)
        agrees_at(host, point)
    mouse.up()
    mouse.move(*position(host, 3, 3))
    agrees_at(host, [0, 2])


def test_arrow_keys_move_by_a_tenth(fresh):
    host = fresh(FIGURE)
    x, y = query_of(host)
    for key, point in {
        "ArrowRight": [x + 0.1, y],
        "ArrowUp": [x + 0.1, y + 0.1],
        "ArrowLeft": [x, y + 0.1],
        "ArrowDown": [x, y],
    }.items():
        control(host, HANDLE).press(key)
        assert query_of(host) == pytest.approx(point)
        agrees_at(host, point)
