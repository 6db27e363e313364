"""The live figures of the built chapters: every control works, and what they show is true."""

import random
import re

import pytest
from conftest import CHAPTERS
from live import (
    HOME,
    agree,
    control,
    host_of,
    open_figure,
    random_explorer,
    random_groups,
    random_layer_norm_lab,
    random_mask_lab,
    saved_state,
    snapshot,
    status,
    values,
)
from playwright.sync_api import Locator, expect

from transformer_lite.figures import AttentionExplorer, LayerNormLab, MaskLab, Question

FIGURES = list(HOME)
EVIL = ["<img src=x onerror=evil=1>", "<script>evil=1</script>", "`${evil=1}` <b>&lt;</b>"]

# One control of each kind, by its label, with the key that changes it.
KEYS = {
    AttentionExplorer: [
        ("The", "ArrowRight"),
        ("divide by √4", "Space"),
        ("look-ahead mask", "Space"),
        ("temperature", "ArrowRight"),
        ("Token 1, entry 1", "ArrowUp"),
        ("Token 2, entry 3", "5"),
        ("Name of token 2", "x"),
    ],
    MaskLab: [
        ("Pads/1", "Space"),
        ("apply the look-ahead mask", "Space"),
        ("as keys (key-broadcast)", "ArrowRight"),
        ("apply the padding mask", "Space"),
        ("Follow row/1", "ArrowDown"),
    ],
    LayerNormLab: [
        ("Value 1", "ArrowLeft"),
        ("Typed value 2", "ArrowUp"),
        ("Gain γ of feature 1", "ArrowDown"),
        ("Shift β of feature 4", "5"),
        ("n", "ArrowRight"),
        ("inside the root", "ArrowRight"),
        ("ε", "End"),
        ("Example", "ArrowDown"),
        ("one token", "ArrowRight"),
        ("along a row (layer)", "ArrowRight"),
        ("pads count in the statistics", "Space"),
        ("Column", "ArrowDown"),
    ],
}


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("name", CHAPTERS)
def test_every_figure_mounts(open_page, name, scheme):
    page = open_page(name, scheme=scheme)
    hosts = page.locator(".tl-host").all()
    assert hosts
    for host in hosts:
        expect(host).to_have_class(re.compile("lf-mounted"))
        expect(host.locator(".lf-live")).to_be_visible()
        expect(host.locator(".lf-static")).to_be_hidden()
        expect(status(host)).to_have_attribute("aria-live", "polite")


@pytest.mark.parametrize("name", CHAPTERS)
def test_figures_share_no_id_and_no_radio_group(open_page, name):
    shared = open_page(name).evaluate("""() => {
      const seen = new Map();
      const note = (text, owner) => seen.set(text, (seen.get(text) ?? new Set()).add(owner));
      for (const e of document.querySelectorAll("[id]")) note(`id ${e.id}`, e);
      for (const host of document.querySelectorAll(".tl-host"))
        for (const e of host.querySelectorAll("[type=radio]")) note(`group ${e.name}`, host);
      return [...seen].filter(([, owners]) => owners.size > 1).map(([text]) => text);
    }""")
    assert [text for text in shared if text.startswith(("id tl-", "group "))] == []


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("cls", FIGURES)
def test_the_first_numbers_are_the_packages(open_page, cls, scheme):
    host = open_figure(open_page, cls, scheme=scheme)
    agree(host, cls(**saved_state(host)))


@pytest.mark.parametrize(
    ("cls", "randomize"),
    [
        (AttentionExplorer, random_explorer),
        (MaskLab, random_mask_lab),
        (LayerNormLab, random_layer_norm_lab),
        (LayerNormLab, random_groups),
    ],
)
def test_numbers_are_the_packages_for_random_inputs(open_page, cls, randomize):
    host = open_figure(open_page, cls)
    for seed in range(5):
        agree(host, randomize(host, random.Random(seed)))


@pytest.mark.parametrize("cls", FIGURES)
def test_every_control_answers_to_the_keyboard(open_page, cls):
    host = open_figure(open_page, cls)
    first = snapshot(host)
    for label, key in KEYS[cls]:
        before = snapshot(host)
        control(host, label).press(key)
        assert snapshot(host) != before, f"{label} did not answer to {key}"
    host.get_by_role("button", name="Reset").press("Enter")
    if cls is LayerNormLab:
        control(host, "one token").press("Space")
    assert snapshot(host) == first


@pytest.mark.parametrize("cls", FIGURES)
def test_tab_reaches_every_control(open_page, cls):
    host = open_figure(open_page, cls)
    host.evaluate("(e) => { e.tabIndex = -1; e.focus(); }")
    inside = True
    while inside:
        host.page.keyboard.press("Tab")
        inside = host.evaluate("""(e) => {
          const now = document.activeElement;
          now.dataset.reached = now.name || "yes";  // one stop for all radio buttons of a group
          return e.contains(now);
        }""")
    missed = host.evaluate("""(e) => {
      const reached = new Set([...e.querySelectorAll("[data-reached]")].map((x) => x.name || x));
      return [...e.querySelectorAll("input, select, button")]
        .filter((x) => x.checkVisibility() && !x.disabled && !reached.has(x.name || x))
        .map((x) => x.outerHTML);
    }""")
    assert missed == []


@pytest.mark.parametrize(
    ("cls", "label"),
    [
        (AttentionExplorer, "CAT"),
        (AttentionExplorer, "look-ahead mask"),
        (MaskLab, "Pads/2"),
        (MaskLab, "apply the look-ahead mask"),
        (LayerNormLab, "n − 1"),
        (LayerNormLab, "a table of tokens"),
    ],
)
def test_a_click_on_the_label_changes_the_figure(open_page, cls, label):
    host = open_figure(open_page, cls)
    before = snapshot(host)
    identity = control(host, label).get_attribute("id")
    host.locator(f"label[for='{identity}']").click()
    assert snapshot(host) != before


def drag(slider: Locator, share: float) -> None:
    """Drag from the middle of a slider to a share of its width."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    mouse, y = slider.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] / 2, y)
    mouse.down()
    mouse.move(box["x"] + box["width"] * share, y, steps=4)
    mouse.up()


@pytest.mark.parametrize(
    ("cls", "label"), [(AttentionExplorer, "temperature"), (LayerNormLab, "Value 3")]
)
def test_a_slider_follows_the_pointer(open_page, cls, label):
    host = open_figure(open_page, cls)
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
def test_what_a_reader_types_stays_text(open_page, evil):
    host = open_figure(open_page, AttentionExplorer)
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
def test_no_number_is_refused_in_words_and_changes_nothing(open_page, cls, label, beyond):
    host = open_figure(open_page, cls)
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


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_choice_of_a_question_gets_its_own_answer(open_page, name):
    page = open_page(name)
    questions = [(q, saved_state(q)) for q in page.locator("[data-figure='question']").all()]
    assert sum(not state["predict"] for _, state in questions) >= 5
    for host, state in questions:
        button = host.get_by_role("button")
        button.click()
        expect(status(host)).to_have_text("Choose one answer first.")
        for choice in state["choices"]:
            before = status(host).inner_text()
            control(host, choice["text"]).check()
            assert status(host).inner_text() == before  # the answer waits for the button
            button.click()
            verdict = "Right." if choice["right"] else "Not this one."
            start = f"Noted: “{choice['text']}”." if state["predict"] else verdict
            expect(status(host)).to_have_text(f"{start} {choice['feedback']}")


@pytest.mark.parametrize("cls", [*FIGURES, Question])
def test_the_cleanup_stops_every_redraw(open_page, cls):
    page = open_page(HOME.get(cls, CHAPTERS[0]))
    state = saved_state(host_of(page, cls.name))
    result = page.evaluate(
        """async ([name, state]) => {
      const source = [...document.scripts].find((s) => s.src.includes(`figures/${name}.js`)).src;
      const define = livingFigures.define;
      let figure;
      livingFigures.define = (_, module) => { figure = module; };
      await new Promise((onload) =>
        document.head.append(Object.assign(document.createElement("script"), { src: source, onload })));
      livingFigures.define = define;
      const listeners = new Set();
      let changes = 0;
      const model = {
        get: (key) => state[key], set() {}, save_changes() {},
        on: (event, f) => listeners.add(f), off: (event, f) => listeners.delete(f),
      };
      const el = document.createElement("div");
      const first = figure.render({ model, el });
      const second = figure.render({ model, el: document.createElement("div") });
      const both = listeners.size;
      first();
      const one = listeners.size;
      first();
      second();
      return [both, one, listeners.size];
    }""",
        [cls.name, state],
    )
    assert result == [2, 1, 0]
