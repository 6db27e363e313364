"""Every page in Firefox and WebKit: the figures are live and show the same."""

import json

import pytest
from conftest import PAGES
from other_browsers import BROWSERS
from test_translator_live import SENTENCE, TYPE

from lessons.kit.figures.race_lab.race_lab import RECORD, TEXTS
from lessons.trained.translator import load_translator

pytestmark = pytest.mark.nightly
TAB, ENTER, RIGHT, ESCAPE = "\ue004", "\ue007", "\ue014", "\ue00c"
# Say with a tally what of a page answered, and what did not.
TOUCH = """async () => {
  const still = [];
  const seen = { figures: 0, questions: 0, drills: 0, sliders: 0 };
  const until = async (isSo, what) => {
    for (const end = Date.now() + 30_000; !isSo(); await new Promise((r) => setTimeout(r, 20)))
      if (Date.now() > end) return void still.push(what);
  };
  const said = (box) => box.querySelector(".tl-status, [role='status']:not(.lf-notice *)");
  const press = (box, name) =>
    [...box.querySelectorAll("button")].find((one) => one.textContent === name).click();
  for (const host of document.querySelectorAll(".tl-host")) {
    const name = host.dataset.figure;
    host.scrollIntoView();
    await until(() => host.classList.contains("lf-mounted"), `${name} does not start`);
    seen.figures += 1;
    for (const slider of host.querySelectorAll("input[type='range']")) {
      if (!slider.checkVisibility()) continue;
      slider.stepUp();
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      seen.sliders += 1;
    }
    await until(() => !host.querySelector("[aria-busy='true']"), `${name} does not end`);
  }
  for (const box of document.querySelectorAll(".tl-practice.tl-quiz")) {
    for (const choice of box.querySelectorAll("input[type='radio']")) {
      choice.click();
      press(box, "Check");
      await until(() => said(box).textContent.trim(), `${box.id} says nothing`);
    }
    seen.questions += 1;
  }
  for (const box of document.querySelectorAll(".tl-practice.tl-drill")) {
    for (const input of box.querySelectorAll("input[type='text']")) input.value = "123456";
    press(box, "Check");
    await until(() => said(box).textContent.trim(), `${box.id} says nothing`);
    seen.drills += 1;
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  // Of its own observers a browser may say that they come late.
  const wrong = window.wentWrong.filter((text) => !/ResizeObserver loop/.test(text));
  return { ...seen, still, wide, wrong };
}"""
# Return whether something becomes true.
WAIT = """async () => {
  for (const end = Date.now() + 30_000; !(SO) && Date.now() < end; )
    await new Promise((r) => setTimeout(r, 50));
  return Boolean(SO);
}"""
COUNT = """() => ({
  figures: document.querySelectorAll(".tl-host").length,
  questions: document.querySelectorAll(".tl-practice.tl-quiz").length,
  drills: document.querySelectorAll(".tl-practice.tl-drill").length,
})"""


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=getattr(pytest.mark, name)) for name in BROWSERS],
)
def other(request):
    """Firefox, then WebKit."""
    with BROWSERS[request.param]() as browser:
        yield browser


@pytest.mark.parametrize("page", PAGES)
def test_every_live_figure_of_a_page_responds(other, site, page):
    other.open(f"{site}/{page}")
    there = other.run(COUNT)
    found = other.run(TOUCH)
    assert (found["still"], found["wrong"]) == ([], [])
    assert {name: found[name] for name in there} == there
    assert found["wide"] <= 0


def test_the_translator_translates_like_the_package(other, site):
    other.open(f"{site}/book/preface.html")
    for sentence in ("je suis étudiant", "l'avocat mange un avocat", SENTENCE):
        said = other.run(
            f"""async (text) => {{
              const host = document.querySelector("[data-figure='translator']");
              host.scrollIntoView();
              while (!host.classList.contains("lf-mounted"))
                await new Promise((r) => setTimeout(r, 20));
              await ({TYPE})([host, text]);
              return host.querySelector(".tl-status").textContent;
            }}""",
            sentence,
        )
        assert f"English: “{load_translator().translate(sentence)}”." in said


def test_the_search_finds(other, site):
    other.open(f"{site}/search.html?q=softmax")
    hits = "document.querySelectorAll('ul.search li').length"
    assert other.run(WAIT.replace("SO", f"{hits} >= 5"))


def test_a_question_is_answered_by_keyboard_and_kept(other, site):
    quiz = "document.querySelector('.tl-practice.tl-quiz')"
    radio = f"{quiz}.querySelector('input[type=radio]')"
    said = f"{radio}.closest('.tl-practice').querySelector('.tl-status').textContent"
    mark = "document.querySelector('.bd-links .current.active a').getAttribute('aria-label')"
    other.open(f"{site}/notebooks/08_masks.html")
    other.run("() => localStorage.clear()")  # other tests have answered here
    other.open(f"{site}/notebooks/08_masks.html")
    other.run(f"() => {{ {quiz}.scrollIntoView(); }}")
    other.run(WAIT.replace("SO", radio))
    other.run(f"() => {{ {radio}.focus(); }}")
    other.press(" ", TAB, ENTER)
    assert other.run(f"() => {said}")
    other.open(f"{site}/notebooks/08_masks.html")
    assert other.run(WAIT.replace("SO", f"{mark}?.includes('1 of ')"))


# Train the first race of the workbench; return the table of ends and the losses as CSV.
TRAIN = """async () => {
  const host = document.querySelector("[data-figure='workbench']");
  host.scrollIntoView();
  const found = async (choose) => {
    for (let one; ; await new Promise((r) => setTimeout(r, 50))) if ((one = choose())) return one;
  };
  const button = (name) =>
    found(() => [...host.querySelectorAll("button")].find((b) => b.textContent.trim() === name));
  (await found(() => host.querySelector("input[type=radio]"))).click();
  (await button("Train")).click();
  await button("Train again");
  const ends = [...host.querySelectorAll("table")].find((t) => t.caption?.textContent === ENDS);
  let saved;
  URL.createObjectURL = (blob) => ((saved = blob), "#");
  (await button("Save the losses as CSV")).click();
  const cells = [...ends.querySelectorAll("td")].map((cell) => cell.textContent);
  return { cells, csv: await (await found(() => saved)).text() };
}"""


def test_the_workbench_trains_to_the_recorded_numbers(other, site):
    other.open(f"{site}/book/the_workbench.html")
    trained = other.run(TRAIN.replace("ENDS", json.dumps(TEXTS["captions"]["ends"])))
    record = [RECORD["reverse-positions"][machine] for machine in ("whole", "changed")]
    assert [f"{machine['weights']:,}" in trained["cells"] for machine in record] == [True, True]
    rows = [line.split(",") for line in trained["csv"].splitlines()[1:]]
    held_out = [float(row[4]) for row in rows if row[4]]
    recorded = [loss for machine in record for loss in machine["losses"]]
    assert held_out == pytest.approx(recorded, abs=1e-4)
