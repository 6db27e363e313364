"""The live figures of the built chapters work and show the package's numbers."""

import random
import re

import pytest
from conftest import CHAPTER, CHAPTERS, LOOKS, ON_A_DESK
from controls import saved_state
from live import agree, figure_on, host_of, scroll_near, status
from playwright.sync_api import expect
from sampling import parameter
from specs import FIGURES, SPEC_OF, functions

from lessons.kit.figures import LiveFigure
from lessons.kit.figures.question.question import Question

each_chapter = pytest.mark.parametrize("name", CHAPTERS)


@each_chapter
def test_every_figure_mounts(desk):
    hosts = desk.locator(".tl-host").all()
    assert hosts
    for host in hosts:
        scroll_near(host)
        expect(host).to_have_class(re.compile("lf-mounted"))
        expect(host.locator(".lf-live")).to_be_visible()
        expect(host.locator(".lf-static")).to_be_hidden()
        expect(status(host)).to_have_attribute("aria-live", "polite")


@each_chapter
def test_figures_share_no_id_and_no_radio_group(desk):
    shared = desk.evaluate("""() => {
      const seen = new Map();
      const note = (text, owner) => seen.set(text, (seen.get(text) ?? new Set()).add(owner));
      for (const e of document.querySelectorAll("[id]")) note(`id ${e.id}`, e);
      for (const host of document.querySelectorAll(".tl-host"))
        for (const e of host.querySelectorAll("[type=radio]")) note(`group ${e.name}`, host);
      return [...seen].filter(([, owners]) => owners.size > 1).map(([text]) => text);
    }""")
    assert [text for text in shared if text.startswith(("id tl-", "group "))] == []


def kind_of(cls: type[LiveFigure]) -> tuple[bool, bool, bool]:
    """Return whether a figure loads a model, has sliders, and has other labelled controls."""
    return bool(cls.asset_files), bool(SPEC_OF[cls].SLIDERS), bool(SPEC_OF[cls].LABELS)


def is_on_a_desk(cls: type[LiveFigure]) -> bool:
    return SPEC_OF[cls].HOME in ON_A_DESK


# One figure of each kind, on a page that is opened anyway if there is one.
KINDS = {*{kind_of(cls): cls for cls in sorted(FIGURES, key=is_on_a_desk)}.values()}


@pytest.mark.every_page
@pytest.mark.parametrize(
    ("cls", "kind"),
    [parameter((cls, kind), cls in KINDS or is_on_a_desk(cls)) for cls, kind in LOOKS],
)
def test_initial_numbers_equal_the_packages(view, cls, kind):
    host = figure_on(view, cls, kind)
    agree(host, cls(**saved_state(host)))


@pytest.mark.parametrize(("cls", "randomize"), functions("randomize"))
def test_numbers_equal_the_packages_for_random_inputs(fresh, cls, randomize):
    host = fresh(cls)
    for seed in range(3):
        changed = randomize(host, random.Random(seed))
        agree(host, cls(**(saved_state(host) | changed)))


@pytest.mark.parametrize("name", [CHAPTER])
def test_a_reader_answers_a_question_by_pointer_and_keyboard(touched, name):
    host = host_of(touched(name, "desk"), "question")
    host.get_by_role("radio").first.press("Space")
    host.get_by_role("button").click()
    first = status(host).inner_text()
    assert first and first != "Choose one answer first."
    host.get_by_role("radio").first.press("ArrowDown")
    host.get_by_role("button").press("Enter")
    assert status(host).inner_text() not in ("", first)


@pytest.mark.parametrize(
    ("cls", "name"),
    [*((cls, SPEC_OF[cls].HOME) for cls in FIGURES), (Question, CHAPTERS[0] if CHAPTERS else "")],
)
def test_the_cleanup_stops_every_redraw(touched, cls, name):
    page = touched(name, "desk")
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
      const bring = livingFigures.bring;
      const host = document.querySelector(`[data-figure="${name}"]`);
      state.assets = {};
      for (const asset of JSON.parse(host.dataset.assets ?? "[]")) {
        const src = new URL(`assets/${asset.key}.js`, source).href;
        const packed = await new Promise((brought) => {
          livingFigures.bring = (key, text) => brought(text);
          document.head.append(Object.assign(document.createElement("script"), { src }));
        });
        livingFigures.bring = bring;
        const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        state.assets[asset.name] = new DataView(await new Response(stream).arrayBuffer());
      }
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
    heard = 2 if state.get("tour") else 1  # the figure's own redraw, and the tour's
    assert result == [2 * heard, heard, 0]
