"""Every control of a live figure works by keyboard and pointer, and typed text is escaped."""

import pytest
from controls import control, saved_state
from live import EVIL, agree, snapshot, status, to_middle, values
from playwright.sync_api import Locator, expect
from specs import FIGURES, SPEC_OF, SPECS

from lessons.kit.figures.registry import AttentionExplorer, LayerNormLab


@pytest.mark.parametrize("cls", FIGURES)
def test_every_control_answers_to_the_keyboard(fresh, cls):
    host = fresh(cls)
    first = snapshot(host)
    for label, key in SPEC_OF[cls].KEYS:
        before = snapshot(host)
        control(host, label).press(key)
        assert snapshot(host) != before, f"{label} did not answer to {key}"
    host.get_by_role("button", name="Reset").press("Enter")
    getattr(SPEC_OF[cls], "first_view", lambda _: None)(host)
    assert snapshot(host) == first
    agree(host, cls(**saved_state(host)))


@pytest.mark.parametrize("cls", FIGURES)
def test_tab_reaches_every_control(fresh, cls):
    host = fresh(cls)
    host.evaluate("(e) => { e.tabIndex = -1; e.focus(); }")
    inside = True
    while inside:
        host.page.keyboard.press("Tab")
        inside = host.evaluate("""(e) => {
          const now = document.activeElement;
          now.dataset.reached = "yes";
          return e.contains(now);
        }""")
    missed = host.evaluate("""(e) => {
      // One stop for all radio buttons of a group, and for all buttons of a toolbar.
      const stop = (x) => x.closest("[role='toolbar']") || x.name || x;
      const reached = new Set([...e.querySelectorAll("[data-reached]")].map(stop));
      return [...e.querySelectorAll("input, select, button")]
        .filter((x) => x.checkVisibility() && !x.disabled && !reached.has(stop(x)))
        .map((x) => x.outerHTML);
    }""")
    assert missed == []


@pytest.mark.parametrize(
    ("cls", "label"), [(spec.FIGURE, label) for spec in SPECS for label in spec.LABELS]
)
def test_a_click_on_the_label_changes_the_figure(fresh, cls, label):
    host = fresh(cls)
    before = snapshot(host)
    identity = control(host, label).get_attribute("id")
    host.locator(f"label[for='{identity}']").click()
    assert snapshot(host) != before


def drag(slider: Locator, share: float) -> None:
    """Drag from the middle of a slider to a share of its width."""
    to_middle(slider)
    box = slider.bounding_box()
    mouse, y = slider.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] / 2, y)
    mouse.down()
    mouse.move(box["x"] + box["width"] * share, y, steps=4)
    mouse.up()


@pytest.mark.parametrize(
    ("cls", "label"), [(spec.FIGURE, label) for spec in SPECS for label in spec.SLIDERS]
)
def test_a_slider_follows_the_pointer(fresh, cls, label):
    host = fresh(cls)
    found = []
    for share in (0.9, 0.2, 0.6):
        drag(control(host, label), share)
        found.append((float(control(host, label).input_value()), snapshot(host)))
    (high, _), (low, _), (middle, _) = found
    assert low < middle < high
    assert len({seen for _, seen in found}) == 3
    if cls is LayerNormLab:
        assert control(host, "Typed value 3").input_value().replace("−", "-") == f"{middle:g}"


@pytest.mark.parametrize("evil", EVIL)
@pytest.mark.parametrize("cls", [AttentionExplorer])
def test_typed_text_is_escaped(fresh, cls, evil):
    host = fresh(cls)
    name = control(host, "Name of token 1")
    name.evaluate("(e) => e.removeAttribute('maxlength')")
    name.fill(evil)
    expect(status(host)).to_contain_text(evil)
    expect(host.locator(".tl-matrix th", has_text=evil).first).to_be_visible()
    control(host, "Token 1, entry 1").fill(evil)
    expect(status(host)).to_contain_text(f"got “{evil}”")
    assert host.locator(".lf-live").locator("img, script, b").count() == 0
    assert host.page.evaluate("typeof evil") == "undefined"


@pytest.mark.parametrize(
    ("cls", "label", "beyond"),
    [(AttentionExplorer, "Token 2, entry 4", "10.5"), (LayerNormLab, "Typed value 1", "−10.1")],
)
def test_an_invalid_number_is_refused_with_a_message_and_changes_nothing(fresh, cls, label, beyond):
    host = fresh(cls)
    box, before = control(host, label), values(host)
    for wrong in ("two", "", "  ", "1,2,3", "NaN", "Infinity", beyond):
        box.fill(wrong)
        expect(status(host)).to_contain_text(f"{label} must be a number from −10 to")
        expect(status(host)).to_contain_text(f"got “{wrong}”")
        expect(box).to_have_attribute("aria-invalid", "true")
        assert values(host) == before
    box.fill("−1,5")
    expect(box).to_have_attribute("aria-invalid", "false")
    assert values(host) != before
