"""What the tests know of each live figure, collected from every `LESSON/NAME/spec.py`.

Each of them has

- `FIGURE`, the class, and `HOME`, the page that it is on;
- `KEYS`, a control of each kind with a key that changes what is seen; `LABELS`, labels to click;
  `SLIDERS`, sliders to drag;
- `make(**traits)`, a sample; `cases()`, figures whose states and results node compares with, or
  a case with more in it;
- `REFUSED`, changes of the sample that break a rule, each with what is said to it;
- `randomize…(host, dice)`, which changes the controls by chance and returns the traits so changed;
- `make_unusual…(host)`, which brings the figure to where it looks least like its first state.

It may have `LIMITS`, from where to where each of its numbers may go; `UNSEEN`, the results that no
table of the page shows, or `expected(figure)`, the tables that one does show, by their data-result;
`VIEWS`, the labels of its views; `write(x)`, how its picture writes a number, or `WRITERS`, one for
each result; `first_view(host)`, for what Reset leaves alone; `show_tables(host)`, where more or
less is to be opened than the figure's folds; `LOST`, traits that choose a place, a change that
leaves no such place, and what is said to it; `OTHER_FORM`, the captions of tables that stand in
only one of picture and live figure; `TABLES`, traits for which each result is a table, if those of
the sample are not.
"""

import importlib
from pathlib import Path

TESTS = Path(__file__).parents[3]
SPECS = [
    importlib.import_module(".".join(("tests", *path.relative_to(TESTS).parent.parts, "spec")))
    for path in sorted((TESTS / "lessons").rglob("spec.py"), key=lambda path: path.parent.name)
]
SPEC_OF = {spec.FIGURE: spec for spec in SPECS}
FIGURES = list(SPEC_OF)


def spec_of(figure):
    """Return what the tests know of a figure."""
    # anywidget makes a class of its own for each figure.
    [spec] = [spec for cls, spec in SPEC_OF.items() if isinstance(figure, cls)]
    return spec


def expected(figure) -> dict:
    """Return the numbers that the tables of a page show, by their data-result.

    A table without rows shows nothing that could be compared.
    """
    spec = spec_of(figure)
    if hasattr(spec, "expected"):
        return spec.expected(figure)
    unseen = getattr(spec, "UNSEEN", ())
    found = figure.results().items()
    return {name: values for name, values in found if name not in unseen and len(values)}


def functions(prefix: str) -> list:
    """Return all functions of all specs whose name begins with `prefix`, each with its figure."""
    return [
        (spec.FIGURE, function)
        for spec in SPECS
        for name, function in vars(spec).items()
        if name.startswith(prefix)
    ]
