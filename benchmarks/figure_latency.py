"""Measure the time from a reader's input to the painted frame, for each live figure.

A browser delivers continuous input at the start of a frame. This benchmark does the same: it
changes one control in an animation frame, and stops the clock in the first task after that frame
was laid out and painted. The wait for the screen's next frame is added to this, and is the same for
every page. A busy machine increases these times, but hardly the processor time of the page's
thread.

Usage: python benchmarks/figure_latency.py [FOLDER OF THE BUILT BOOK]
"""

import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from peers import report
from playwright.sync_api import CDPSession, Locator, Page

ROOT = Path(__file__).resolve().parents[1]
BOOK = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "_build/html").resolve()
sys.path.insert(0, str(ROOT / "book/press"))

from chromium import chromium  # noqa: E402

CHANGES = 300
WARM_UP = 30
FRAME = 16.0  # the figures' target, in milliseconds


class Run(NamedTuple):
    """One kind of change to a figure.

    Attributes:
        figure: the name of the figure.
        change: what a reader does, in words.
        page: the page of the figure; a name without a folder is a chapter.
        controls: a CSS selector of the controls.
        before: labels of the controls to choose first.
        press: names of the buttons to press first.
    """

    figure: str
    change: str
    page: str
    controls: str
    before: tuple[str, ...] = ()
    press: tuple[str, ...] = ()


RACES = "book/the_workbench#workbench?race=reverse-residual&seeds=5"
RACE = ("Train",)  # two machines train in Workers during the changes

RUNS = [
    Run("next_word", "drag a control", "00_what_a_transformer_does", "input[type=range]"),
    Run("logits_to_loss", "drag a logit", "21_output_and_loss", "input[type=range]"),
    Run("cost_lab", "drag a size", "10_cost_and_order", "input[type=range]"),
    Run("scale_lab", "drag a value", "14_common_scale", "input[type=range]"),
    Run("word_plane", "choose a plane", "01_words_as_vectors", "input[type=radio]"),
    Run("merge_steps", "drag the merges", "02_tokens", "input[type=range]"),
    Run("ngram_writer", "drag L or the choices", "03_language_models", "input[type=range]"),
    Run("recurrent_translator", "drag a word", "04_recurrent_networks", "input[type=range]"),
    Run("soft_retrieval", "drag the query", "05_attention", "input[type=range]"),
    Run("attention_explorer", "type an entry", "06_the_cat_sat", "input.tl-number"),
    Run("attention_explorer", "drag the temperature", "06_the_cat_sat", "input[type=range]"),
    Run("softmax_lab", "drag a logit", "07_scaling", "input[type=range]"),
    Run("mask_lab", "switch a pad", "08_masks", "fieldset:first-of-type input[type=checkbox]"),
    Run("head_splitter", "drag the feature", "09_multi_head", "input[type=range]"),
    Run("position_map", "drag a position", "11_sinusoidal_positions", "input[type=range]"),
    Run("rotary_arrows", "drag a position", "12_rotary_positions", "input[type=range]"),
    Run("position_schemes", "drag the shift", "13_position_families", "input[type=range]"),
    Run("norm_axes", "choose an axis", "15_normalization", "input[type=radio]"),
    Run("layer_norm_lab", "drag a value", "16_layer_norm", ".ln-side input[type=range]"),
    Run("layer_norm_lab", "type γ or β", "16_layer_norm", ".ln-side:last-child input"),
    Run(
        "layer_norm_lab",
        "table: drag ε",
        "16_layer_norm",
        ".tl-controls input[type=range]",
        ("a table of tokens", "down a column (batch)"),
    ),
    Run("depth_lab", "drag the depth", "17_residual_connections", "input[type=range]"),
    Run("feed_forward_lab", "drag a token", "18_feed_forward", "input[type=range]"),
    Run("encoder_climb", "climb", "19_encoder", "input[type=range]"),
    Run("machine_steps", "step", "20_decoder", "input[type=range]"),
    Run("training_film", "scrub the steps", "22_training_a_translator", "input[type=range]"),
    Run("translator", "drag a search", "23_decoding", "input[type=range]", ("beam search",)),
    Run("head_reader", "drag a layer or head", "24_looking_inside", "input[type=range]"),
    Run("family_tree", "choose a model", "25_descendants", ".ft-tree input[type=radio]"),
    Run("family_tree", "drag the context", "25_descendants", "input[type=range]"),
    Run("prompt_box", "type a number", "26_a_gpt_of_your_own", "input[type=text]"),
    Run("prompt_box", "drag a control", "26_a_gpt_of_your_own", "input[type=range]"),
    Run("answer_group", "drag a control", "28_from_continuing_to_answering", "input[type=range]"),
    Run("training_job", "drag a setting", "27_at_scale", "input[type=range]"),
    Run("cache_sizes", "drag a setting", "29_a_decoder_of_today", "input[type=range]"),
    Run("draft_and_verify", "drag a setting", "30_fast_generation", "input[type=range]"),
    Run("draft_and_verify", "draw again and step", "30_fast_generation", ".tl-acts button"),
    Run("race_lab", "predict during a race", "08_masks", "input[type=radio]", (), RACE),
    Run("workbench", "predict during a race", RACES, "input[type=radio]", (), RACE),
    Run("workbench", "open and close folds during a race", RACES, ".wb-folds summary", (), RACE),
    Run("question", "choose and check", "16_layer_norm", "input[type=radio], button"),
]

MEASURE = """async (live, { controls, count }) => {
  const inputs = [...live.querySelectorAll(controls)].filter((x) => x.checkVisibility());
  if (!inputs.length) throw new Error(`no control ${controls}`);
  const painted = new MessageChannel();
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const input = inputs[i % inputs.length];
    const share = (i * 0.618034) % 1;  // spread over the range, never twice the same
    await new Promise((done) => requestAnimationFrame(() => {
      const start = performance.now();
      if (input.type === "range") {
        const [min, max] = [Number(input.min), Number(input.max)];
        input.value = String(min + share * (max - min));
      } else if (input.type === "text") input.value = (share * 10 - 5).toFixed(2);
      const edited = ["range", "text"].includes(input.type);
      if (edited) input.dispatchEvent(new Event("input", { bubbles: true }));
      else input.click();
      const script = performance.now() - start;
      painted.port1.onmessage = () => {
        times.push([script, performance.now() - start]);
        done();
      };
      painted.port2.postMessage(null);
    }));
  }
  return times;
}"""


@contextmanager
def browsing() -> Iterator[tuple[Page, CDPSession, str]]:
    """Yield a page, the session that measures its thread, and a description of the browser."""
    if not (BOOK / "notebooks").is_dir():
        sys.exit("No built book to measure: run make book first.")
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        yield page, session, f"Chromium {browser.version} without a window"


def thread_time(session: CDPSession) -> float:
    """Return the processor time that the page's main thread has spent, in milliseconds."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(1000 * m["value"] for m in metrics if m["name"] == "TaskDuration")


def opened(page: Page, name: str, figure: str) -> Locator:
    """Return a figure of a page, mounted and in view."""
    path = name if "/" in name else f"notebooks/{name}"
    file, _, state = path.partition("#")
    page.goto(f"{(BOOK / f'{file}.html').as_uri()}#{state}")
    page.evaluate("() => document.fonts.ready.then(() => true)")
    host = page.locator(f"[data-figure='{figure}']").first
    host.scroll_into_view_if_needed()  # figures with an asset mount only now
    live = host.locator(".lf-live")
    live.locator("input:visible").first.wait_for()
    return live


def measure(page: Page, session: CDPSession, run: Run) -> dict:
    """Return script time, time to the painted frame and processor time of one run, in ms."""
    live = opened(page, run.page, run.figure)
    for label in run.before:
        live.get_by_label(label, exact=True).check()
    for name in run.press:
        live.get_by_role("button", name=name, exact=True).click()
    live.evaluate(MEASURE, {"controls": run.controls, "count": WARM_UP})
    before = thread_time(session)
    times = live.evaluate(MEASURE, {"controls": run.controls, "count": CHANGES})
    spent = (thread_time(session) - before) / CHANGES
    if run.press == RACE and not live.get_by_role("button", name="Pause").is_visible():
        raise RuntimeError(f"{run.figure}: the race ended before the changes, so choose more steps")
    result = {"figure": run.figure, "change": run.change, "processor_mean_ms": round(spent, 2)}
    for name, column in zip(("script", "painted"), zip(*times, strict=True), strict=True):
        percentiles = statistics.quantiles(column, n=100)
        result[f"{name}_median_ms"] = round(statistics.median(column), 2)
        result[f"{name}_p95_ms"] = round(percentiles[94], 2)
    return result


def main() -> None:
    with browsing() as (page, session, browser):
        rows = [measure(page, session, run) for run in RUNS]
    fast = {
        kind: sum(row[f"painted_{kind}_ms"] <= FRAME for row in rows) for kind in ("median", "p95")
    }
    note = (
        f"{browser}, drawing by the processor; {CHANGES} changes a run. Within {FRAME:g} ms of "
        f"{len(rows)} runs: {fast['median']} by the median, {fast['p95']} by the 95th percentile."
    )
    report(
        "figure_latency", "From a change to the painted frame, and the thread's time", rows, note
    )


if __name__ == "__main__":
    main()
