"""How many minutes a week the page Review takes in the first year.

A simulated reader reads "chapters" chapters a week and learns "things" things from each. The first
answer is right seven times in ten. From then on the page's own plan (FSRS with its published
parameters) decides when each thing is asked again, and its forgetting curve gives the probability
of a right answer. After a wrong answer the thing is asked once more in the same sitting. Every
answer takes half a minute. "minutes" are minutes per week, averaged over each quarter of the year.
The simulation cannot tell how much a real reader forgets.

``python book/extensions/weekly_minutes.py`` runs the missing points.
"""

import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from py_mini_racer import MiniRacer

from lessons.kit.experiments.experiment import Experiment
from lessons.kit.experiments.sweep import sweep

GRID = {
    "retention": [0.8, 0.9, 0.95],
    "chapters": [1, 2, 4],
    "things": [10, 20],
    "seed": [0, 1, 2],
}
CHAPTERS, FIRST, SECONDS, WEEKS = 28, 0.7, 30, 52
PAGE = Path(__file__).parents[1] / "static/review"
# One card: it is taken in on a day, and asked whenever the page would ask it.
SIMULATED = """
function yearOf(days, retention, first, seed) {
  const DAY = 86400000, END = 364;
  const library = FSRS.fsrs();
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const asked = Array(END).fill(0);
  for (const start of days) {
    let card, day = start;
    while (day < END) {
      const past = card ? (day * DAY - card.last) / DAY : 0;
      const chance = card ? library.forgetting_curve(past, card.stability) : first;
      const known = random() < chance;
      asked[day] += known ? 1 : 2;
      const answer = { at: day * DAY, grade: known ? "good" : "again", wrong: [] };
      card = reviewPlan.planned(card, answer, retention);
      day = Math.max(day + 1, Math.round(card.due / DAY));
    }
  }
  return JSON.stringify(asked);
}
"""


@cache
def engine() -> Any:
    """Return an engine with the plan of the page *Review*, as the page has it."""
    found = MiniRacer()
    for script in ("../stored.js", "cards.js", "ts-fsrs/index.umd.js", "plan.js"):
        found.eval((PAGE / script).read_text("utf-8"))
    found.eval(SIMULATED)
    return found


def point(retention: float, chapters: int, things: int, seed: int) -> dict[str, list[float]]:
    """Let one reader read the book, and be asked for a year."""
    days = [7 * number // chapters for number in range(CHAPTERS) for _ in range(things)]
    asked = json.loads(engine().call("yearOf", days, retention, FIRST, seed))
    quarter = len(asked) // 4
    answers = [sum(asked[start : start + quarter]) for start in range(0, len(asked), quarter)]
    return {"minutes": [SECONDS / 60 * count / (WEEKS / 4) for count in answers]}


if __name__ == "__main__":
    sweep(Experiment(import_module("weekly_minutes")), workers=2)
