"""How fast the translator in the page is: milliseconds for a keystroke, and for each English word.

A sentence is typed letter by letter, as a reader types. The clock of the page's thread stops when
its translation stands there; other work on the machine does not count. The engine reads the whole
sentence again at each keystroke.

Usage: python benchmarks/page_translator.py [FOLDER OF THE BUILT BOOK]
"""

import statistics

from figure_latency import BOOK, browsing, thread_time
from peers import report
from playwright.sync_api import CDPSession, Locator

from lessons.trained.translator import load_translator

ROUNDS = 3
SENTENCES = (
    "je suis étudiant",
    "le petit chat noir dort sur le tapis",
    "est-ce que les petits chats noirs ne mangent pas de pain ?",
)
TYPE = """async (figure, text) => {
  const input = figure.querySelector("input.tr-text");
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  while (figure.getAttribute("aria-busy") === "true") await new Promise((r) => setTimeout(r));
  figure.getBoundingClientRect();
}"""


def typed(figure: Locator, session: CDPSession, sentence: str) -> list[float]:
    """Return the milliseconds of each keystroke of a sentence."""
    times = []
    for end in range(1, len(sentence) + 1):
        before = thread_time(session)
        figure.evaluate(TYPE, sentence[:end])
        times.append(thread_time(session) - before)
    return times


def measure(figure: Locator, session: CDPSession, sentence: str, tokens: int) -> dict:
    """Return what one sentence takes; `tokens` is how many the model writes, the end included."""
    typed(figure, session, sentence)  # warms the engine up
    rounds = [typed(figure, session, sentence) for _ in range(ROUNDS)]
    times = [time for times in rounds for time in times]
    whole = statistics.median(times[-1] for times in rounds)
    return {
        "sentence": sentence,
        "keystroke_median_ms": round(statistics.median(times), 1),
        "keystroke_p95_ms": round(statistics.quantiles(times, n=100)[94], 1),
        "whole_sentence_ms": round(whole, 1),
        "tokens_written": tokens,
        "ms_a_token": round(whole / tokens, 2),
    }


def main() -> None:
    translator = load_translator()
    with browsing() as (page, session, browser):
        page.goto((BOOK / "notebooks/23_decoding.html").as_uri())
        host = page.locator("[data-figure='translator']").first
        host.scroll_into_view_if_needed()
        figure = host.locator(".lf-live")
        figure.locator("input.tr-text").wait_for()
        rows = []
        for sentence in SENTENCES:
            words = translator.translate(sentence)
            tokens = len(translator.tokenizer.encode(words)) + 1
            rows.append(measure(figure, session, sentence, tokens))
    report("page_translator", "The translator in the page", rows, f"{browser}.")


if __name__ == "__main__":
    main()
