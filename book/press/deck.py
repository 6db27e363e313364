"""`make anki`: write a deck for Anki with everything that Review asks, made from the built pages.

Questions include the feedback for each choice. Terms, formulas and letters have two sides, figures
have a picture, and drills have a script that draws new numbers each time. Each note keeps its id
from one release to the next, so a newer deck updates the cards of an older one without changing
the learner's schedule. The deck contains everything that its cards need.

    python press/deck.py _build/html _build/press/transformer-book.apkg
"""

from __future__ import annotations

import html
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import genanki
from bs4 import BeautifulSoup
from chromium import chromium
from facts import ROOT, Facts, facts_of
from film import Tour, tours_of
from pages import order, read_pages
from playwright.sync_api import Browser
from stage import opened, show, stage
from strips import packed, trimmed

from lessons.kit.drills import DRILLS
from lessons.kit.drills.live_drill import static_problem
from lessons.kit.figures import shared
from lessons.kit.figures.live_figure import compose, scripts

HERE = Path(__file__).parent
# These ids name the deck and its note types in every collection, so they must never change.
DECK, CARD, QUESTION, DRILL, FIGURE = range(2_026_112_601, 2_026_112_606)
WIDTH = 640  # of a figure's picture, in CSS pixels
# The drills' stylesheet for Jupyter, and the cards' own.
SHEET = DRILLS["scores"]._css + (HERE / "deck.css").read_text("utf-8")
FOOT = '<p class="where">{{Where}}</p>'
# The choices are shuffled each time; without scripts, they keep the order of the page.
MIXED = """<script>
for (const list of document.querySelectorAll("ol.choices"))
  for (const one of [...list.children].sort(() => Math.random() - 0.5)) list.append(one);
</script>"""
PLAYED = """(() => {{
{module}
const el = document.getElementById("tl-drill");
const seed = Math.floor(Math.random() * 2 ** 31);
const model = {{ get: () => seed, set() {{}}, save_changes() {{}}, on() {{}}, off() {{}} }};
el.replaceChildren();
figure.render({{ model, el }});
}})();
"""


def model(number: int, name: str, fields: list[str], front: str, back: str) -> genanki.Model:
    """Return a note type with one card; its first field is the id that never changes."""
    return genanki.Model(
        number,
        f"The Transformer, number by number: {name}",
        fields=[{"name": one} for one in ["Id", *fields, "Where"]],
        templates=[{"name": name, "qfmt": front, "afmt": back + FOOT}],
        css=SHEET,
    )


MODELS = {
    "card": model(
        CARD, "card", ["Front", "Back"], "{{Front}}", "{{FrontSide}}<hr id=answer>{{Back}}"
    ),
    "question": model(
        QUESTION,
        "question",
        ["Prompt", "Choices", "Right", "Replies"],
        f"<p><b>{{{{Prompt}}}}</b></p>{{{{Choices}}}}{MIXED}",
        "<p><b>{{Prompt}}</b></p><hr id=answer><p>✓ {{Right}}</p>{{Replies}}",
    ),
    "drill": model(
        DRILL,
        "drill",
        ["Title", "Script", "Told"],
        '<div id="tl-drill">{{Told}}</div>{{Script}}',
        "<p><b>{{Title}}</b></p><p>Was it right at once? Next time the numbers are others.</p>",
    ),
    "figure": model(
        FIGURE,
        "figure",
        ["Question", "Picture", "Said"],
        "<p><b>{{Question}}</b></p>",
        "{{FrontSide}}<hr id=answer>{{Picture}}<p>{{Said}}</p>",
    ),
}


def read_items(built: Path) -> list[dict[str, Any]]:
    """Return everything that Review can ask.

    Raises:
        ValueError: the book is not built.
    """
    paths = sorted((built / "_static/review/chapters").glob("*.js"))
    if not paths:
        raise ValueError(f"the book must be built first, got no chapters of Review in {built}")
    texts = (path.read_text("utf-8").partition(" = ")[2].rstrip(";\n") for path in paths)
    return [one for text in texts for one in json.loads(text)]


def fit(text: str, facts: Facts) -> str:
    """Adapt HTML of the book for a card: keep only MathML of formulas, and make links absolute.

    >>> fit('<a href="glossary.html#x">x</a>', Facts("", "", None, "", "https://a.b/"))
    '<a href="https://a.b/book/glossary.html#x">x</a>'
    """
    part = BeautifulSoup(text, "html.parser")
    for drawn in part.select(".katex-html, annotation"):
        drawn.decompose()
    for link in part.select("a[href]"):
        address = str(link["href"])
        if facts.address and "://" not in address:
            inner = address.removeprefix("../")
            link["href"] = facts.address + (inner if inner != address else f"book/{inner}")
        elif "://" not in address:
            link.unwrap()
    return str(part)


def place(see: list[dict[str, str]], facts: Facts) -> str:
    """Return links to where something is explained."""
    links = (
        f'<a href="{html.escape(link["href"])}">{html.escape(link["text"])}</a>' for link in see
    )
    return fit(", ".join(links), facts)


def note(kind: str, item: dict[str, Any], fields: list[str], facts: Facts) -> genanki.Note:
    """Return the note for an item, with its id, its fields and its tags."""
    return genanki.Note(
        model=MODELS[kind],
        fields=[item["id"], *fields, place(item["see"], facts)],
        guid=genanki.guid_for(item["id"]),
        tags=[item["chapter"], item["kind"]],
    )


def two_sided(items: list[dict[str, Any]], facts: Facts) -> Iterator[genanki.Note]:
    """Yield the notes for terms, formulas and letters."""
    for item in items:
        if "front" not in item:
            continue
        yield note("card", item, [fit(item["front"], facts), fit(item["back"], facts)], facts)


def questions(items: list[dict[str, Any]], facts: Facts) -> Iterator[genanki.Note]:
    """Yield the notes for questions, each with the feedback for its choices."""
    for item in items:
        if item["kind"] != "quiz":
            continue
        choices = item["state"]["choices"]
        listed = "".join(f"<li>{html.escape(choice['text'])}</li>" for choice in choices)
        right = next(choice for choice in choices if choice["right"])
        replies = "".join(
            f"<dt>{html.escape(choice['text'])}</dt><dd>{html.escape(choice['feedback'])}</dd>"
            for choice in sorted(choices, key=lambda choice: not choice["right"])
        )
        fields = [html.escape(item["state"]["prompt"]), f'<ol class="choices">{listed}</ol>']
        fields += [html.escape(right["text"]), f"<dl>{replies}</dl>"]
        yield note("question", item, fields, facts)


def drills(items: list[dict[str, Any]], facts: Facts) -> Iterator[genanki.Note]:
    """Yield the notes for drills, whose scripts are media files of the deck."""
    for item in items:
        if item["kind"] != "drill":
            continue
        still = static_problem(item["figure"])
        fallback = f"<p>{html.escape(still['task'])}</p><p>This card needs scripts.</p>"
        script = f'<script src="{script_of(item["figure"])}"></script>'
        yield note("drill", item, [html.escape(still["title"]), script, fallback], facts)


def script_of(name: str) -> str:
    """Return the name of a drill's file; Anki keeps media files whose names begin with _."""
    return f"_transformer_{name}.js"


@cache
def played(name: str) -> str:
    """Return the script that draws a drill into its card, with everything that it imports."""
    composed = compose(scripts()[name])
    module = re.sub("^export default", "const figure =", composed, flags=re.MULTILINE)
    return PLAYED.format(module=re.sub("^export ", "", module, flags=re.MULTILINE))


def figures(
    browser: Browser, tours: dict[str, Tour], facts: Facts, built: Path, media: Path
) -> Iterator[genanki.Note]:
    """Yield the notes for figures with a tour, each with a picture of its last moment."""
    with opened(browser, WIDTH) as tab:
        for name, tour in tours.items():
            live = stage(tab, tour.page, name)
            show(live, len(tour.said))
            file = f"transformer_{name}.png"
            (media / file).write_bytes(packed(trimmed([live.screenshot()])[0]))
            page = tour.page.relative_to(built).as_posix()
            item = {
                "id": f"figure#{name}",
                "kind": "figure",
                "chapter": Path(page).stem,
                "see": [{"href": f"../{page}#tour-{name}-{len(tour.said)}", "text": tour.title}],
            }
            asks = shared(name)["question"]
            fields = [html.escape(asks), f'<img src="{file}">', html.escape(tour.said[-1])]
            yield note("figure", item, fields, facts)


def write_deck(
    built: Path,
    facts: Facts,
    out: Path,
    pages: list[tuple[str, str]],
    browser: Browser,
    timestamp: float | None = None,
) -> int:
    """Write the deck of a built book, and return its number of cards.

    Anki replaces a card by one with a later `timestamp`, which it compares in whole seconds. It is
    given in seconds since 1970; None means now.

    Raises:
        ValueError: the book is not built.
    """
    items = read_items(built)
    deck = genanki.Deck(DECK, facts.title, description=f"{facts.version}, {facts.day}")
    tab = browser.new_page()
    tours = tours_of(read_pages(tab, built, pages), built)
    tab.close()
    with tempfile.TemporaryDirectory() as folder:
        media = Path(folder)
        for name in DRILLS:
            (media / script_of(name)).write_text(played(name), "utf-8")
        pictured = figures(browser, tours, facts, built, media)
        for notes in (
            questions(items, facts),
            drills(items, facts),
            two_sided(items, facts),
            pictured,
        ):
            for card in notes:
                deck.add_note(card)
        package = genanki.Package(deck, media_files=sorted(map(str, media.iterdir())))
        out.parent.mkdir(parents=True, exist_ok=True)
        package.write_to_file(out, timestamp)
    return len(deck.notes)


if __name__ == "__main__":
    try:
        target = Path(sys.argv[2])
        with chromium() as browser:
            count = write_deck(
                Path(sys.argv[1]).resolve(), facts_of(), target, order(ROOT), browser
            )
    except ValueError as refusal:  # the book is not built, or there is no browser
        sys.exit(str(refusal))
    print(f"{target}: {count} cards, {target.stat().st_size / 1e6:.1f} MB")
