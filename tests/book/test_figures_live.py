"""The live figures of the built chapters: every control works, and what they show is true."""

import random
import re

import pytest
from conftest import CHAPTERS, watched
from controls import control, saved_state
from live import agree, host_of, open_figure, resetter, status
from playwright.sync_api import expect
from specs import FIGURES, SPEC_OF, functions

from transformer_lite.figures import Question


@pytest.fixture(scope="module")
def fresh(browser, site):
    with watched(browser, site) as open_one:
        yield resetter(open_one)


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


@pytest.mark.parametrize(("cls", "randomize"), functions("randomize"))
def test_numbers_are_the_packages_for_random_inputs(fresh, cls, randomize):
    host = fresh(cls)
    for seed in range(5):
        agree(host, randomize(host, random.Random(seed)))


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
    page = open_page(SPEC_OF[cls].HOME if cls in SPEC_OF else CHAPTERS[0])
    state = saved_state(host_of(page, cls.name))
    result = page.evaluate(
        """async ([name, state]) => {
      const source = [...document.scripts].find((s) => s.src.includes(`figures/${name}.js`)).src;
      const define = livingFigures.define;
      let figure;
      livingFigures.define = (_, module) => { figure = module; };
      const script = Object.assign(document.createElement("script"), { src: source });
      document.head.append(script);
      await new Promise((loaded) => script.addEventListener("load", loaded));
      livingFigures.define = define;
      const listeners = new Set();
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
