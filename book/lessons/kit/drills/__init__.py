"""Drills: small problems to solve by hand, on the page and in Jupyter, with new numbers each time.

A drill is a file of its lesson: `attention/drills/scores.js` contains its mathematics as pure
functions (draw a problem, answer it, compute the answers of the known mistakes). `answers.py` next
to it computes the right answers with the package. To add a drill, add to these two.
"""

from difflib import get_close_matches

from lessons.kit.drills.live_drill import Drill
from lessons.kit.figures.live_figure import scripts
from transformer_lite.checks import check_size

__all__ = ["DRILLS", "Drill", "drill"]


def _class_of(name: str) -> type[Drill]:
    """Create the class of the drill `name`. All its logic is in JavaScript."""
    title = name.title().replace("_", "")
    return type(title, (Drill,), {"name": name, "__module__": __name__})


#: The classes of all drills by their `name`.
DRILLS = {
    name: _class_of(name) for name, script in scripts().items() if script.parent.name == "drills"
}


def drill(name: str, seed: int | None = None) -> Drill:
    """Return a drill.

    Args:
        name: the name of the drill, one of `DRILLS`.
        seed: the same seed gives the same problems in the same order. Without it, the first
            problem is that of the page and the others are random.

    Raises:
        ValueError: there is no drill of this name, or the seed is negative.
        TypeError: the seed is not a whole number.

    >>> drill("scores")
    Drill('scores')
    """
    if name not in DRILLS:
        near = get_close_matches(str(name), DRILLS, n=1, cutoff=0)
        raise ValueError(f"name must be that of a drill, got {name!r}; the nearest is {near[0]!r}")
    if seed is not None:
        check_size("seed", seed, minimum=0)
    return DRILLS[name](seed=seed)
