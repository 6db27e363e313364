"""Whether what moves in a live figure moves 60 times a second.

Two figures move by themselves: the number that travels in the head splitter, and the parts of a
model that drop into place in the family tree. All else follows the reader's hand, which
`figure_latency.py` measures. Here a control is changed, and the time from frame to frame is taken
for as long as an animation runs. A frame is late if it comes more than half a frame after its turn.

Usage: python benchmarks/figure_motion.py [FOLDER OF THE BUILT BOOK]
"""

import statistics

from figure_latency import browsing, opened
from peers import report
from playwright.sync_api import Page

CHANGES = 30
FRAME = 1000 / 60
LATE = 1.5 * FRAME
MOTIONS = [
    ("head_splitter", "09_multi_head", "input[type=range]"),
    ("family_tree", "25_descendants", ".ft-tree input[type=radio]"),
]

INTERVALS = """async (live, { controls, count }) => {
  const frame = () => new Promise(requestAnimationFrame);
  const moves = () => live.getAnimations({ subtree: true }).some((a) => a.playState === "running");
  const inputs = [...live.querySelectorAll(controls)];
  const intervals = [];
  for (let i = 0; i < count; i += 1) {
    const input = inputs[i % inputs.length];
    if (input.type === "range") {
      input.value = String(Number(input.min) + (i % (Number(input.max) - Number(input.min) + 1)));
      input.dispatchEvent(new Event("input", { bubbles: true }));
    } else input.click();
    let before = await frame();
    while (moves()) {
      const now = await frame();
      intervals.push(now - before);
      before = now;
    }
  }
  return intervals;
}"""


def measure(page: Page, figure: str, chapter: str, controls: str) -> dict:
    """Return how many frames a motion had, how fast they came, and how many were late."""
    live = opened(page, chapter, figure)
    intervals = live.evaluate(INTERVALS, {"controls": controls, "count": CHANGES})
    late = sum(interval > LATE for interval in intervals)
    return {
        "figure": figure,
        "frames": len(intervals),
        "a_second": round(1000 / statistics.mean(intervals), 1),
        "late_percent": round(100 * late / len(intervals), 2),
        "longest_ms": round(max(intervals), 1),
    }


def main() -> None:
    with browsing() as (page, _, browser):
        rows = [measure(page, *motion) for motion in MOTIONS]
    note = f"{browser}, drawing by the processor; {CHANGES} changes each."
    report("figure_motion", "Frames while something moves", rows, note)


if __name__ == "__main__":
    main()
