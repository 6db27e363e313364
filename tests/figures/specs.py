"""What the tests know of each live figure: `NAME/spec.py`, found by being there.

Each of them has

- `FIGURE`, the class, and `HOME`, the page that it stands on;
- `KEYS`, a control of each kind with a key that changes what is seen; `LABELS`, labels to click;
  `SLIDERS`, sliders to drag;
- `make(**traits)`, a sample; `cases()`, what node compares with: states and expected results;
- `REFUSED`, changes of the sample that break a rule, each with what is said to it;
- `expected(figure)`, the tables that the page shows, by their data-result;
- `randomize…(host, dice)`, which changes the controls by chance and returns the same figure;
- `make_unusual…(host)`, which brings the figure to where it looks least like its first state.

It may have `VIEWS`, the labels of its views, `write(x)`, how its picture writes a number, or
`WRITERS`, one for each result, and `first_view(host)`, for what Reset leaves alone;
`LOST`, traits that choose a place, a change that leaves no such place, and what is said to it;
`OTHER_FORM`, the captions of tables that stand in only one of picture and live figure; `TABLES`,
traits for which each result is a table, if those of the sample are not.
"""

import importlib
from pathlib import Path

SPECS = [
    importlib.import_module(f"{path.parent.name}.spec")
    for path in sorted(Path(__file__).parent.glob("*/spec.py"))
]
SPEC_OF = {spec.FIGURE: spec for spec in SPECS}
FIGURES = list(SPEC_OF)


def functions(prefix: str) -> list:
    """Return all functions of all specs whose name begins with `prefix`, each with its figure."""
    return [
        (spec.FIGURE, function)
        for spec in SPECS
        for name, function in vars(spec).items()
        if name.startswith(prefix)
    ]
