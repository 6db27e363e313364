"""The arrow of the word plane: dragged from word to word, stepped by keys, started by a click."""

from controls import control, saved_state
from live import agree, to_middle
from playwright.sync_api import Locator, expect

from tests.lessons.words_as_vectors.word_plane.spec import FIGURE, START


def position(host: Locator, word: str) -> tuple[float, float]:
    """Return the pixel of a word's dot."""
    to_middle(host.locator(".wp-plane"))
    dot = host.locator(".wp-word").filter(has_text=word).all()
    [box] = [d.bounding_box() for d in dot if d.text_content() == word]
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def agrees_with(host: Locator, **changed) -> None:
    agree(host, FIGURE(**(saved_state(host) | changed)))


def chosen(host: Locator, label: str) -> str:
    """Return the word that a menu shows."""
    return control(host, label).evaluate("(e) => e.selectedOptions[0].textContent")


def places(host: Locator) -> list[tuple[float, float]]:
    """Return where the dots are on the screen."""
    return host.locator(".wp-word").evaluate_all(
        "(dots) => dots.map((e) => e.getBoundingClientRect()).map(({ x, y }) => [x, y])"
    )


def test_the_start_follows_the_pointer_from_word_to_word_and_no_dot_moves(fresh):
    host = fresh(FIGURE)
    mouse = host.page.mouse
    mouse.move(*position(host, "woman"))
    mouse.down()
    before = places(host)
    # With "bigger" the arrow's tip leaves the frame of the words; with "cat" the text is shorter.
    for word in ("sister", "bigger", "cat", "bank"):
        mouse.move(*position(host, word), steps=3)
        expect(control(host, "start at").locator("option:checked")).to_have_text(word)
        agrees_with(host, start=word)
        assert places(host) == before
    mouse.up()
    mouse.move(*position(host, "cats"))
    assert chosen(host, "start at") == "bank"


def test_arrow_keys_step_to_a_word_on_that_side(fresh):
    host = fresh(FIGURE)
    ways = {"ArrowLeft": (0, -1), "ArrowDown": (1, 1), "ArrowRight": (0, 1), "ArrowUp": (1, -1)}
    for key, (axis, sign) in ways.items():
        before = chosen(host, "start at")
        control(host, START).press(key)
        after = chosen(host, "start at")
        agrees_with(host, start=after)
        # One scale and one frame for both: the drawing as it is now.
        way = position(host, after)[axis] - position(host, before)[axis]
        assert after != before and way * sign > 0
