"""What the tests know of each live figure: one module a figure, found by being here.

Each module has

- `FIGURE`, the class, and `HOME`, the page that it stands on;
- `KEYS`, a control of each kind with a key that changes what is seen; `LABELS`, labels to click;
  `SLIDERS`, sliders to drag;
- `make(**traits)`, a sample; `cases()`, what node compares with: states and expected results;
- `expected(figure)`, the tables that the page shows, by their data-result or their caption;
- `randomize…(host, dice)`, which changes the controls by chance and returns the same figure;
- `make_unusual…(host)`, which brings the figure to where it looks least like its first state.

It may have `VIEWS`, the labels of its views, and `first_view(host)`, for what Reset leaves alone.
"""

import importlib
import pkgutil

SPECS = [
    importlib.import_module(f"specs.{module.name}") for module in pkgutil.iter_modules(__path__)
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
