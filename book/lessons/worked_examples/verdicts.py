"""The verdict on a printed value: one rule, and the words for its outcomes."""

import math
from decimal import Decimal
from typing import TypeGuard

#: What a comparison can find, each with its meaning.
VERDICTS = {
    "agrees": "The printed value is the right one.",
    "agrees after rounding": "The right value, rounded to the printed digits, is the printed one.",
    "disagrees": "The printed value or statement is not the right one.",
    "ambiguous": "The text can be read in more than one way, or leaves something out.",
    "not printed": "The document asks for the value or implies it, and does not print it.",
}


def judge(printed: object, value: object) -> str:
    """Compare a printed value with the right one and return the verdict.

    "agrees" means equal up to floating-point error, "agrees after rounding" equal to the printed
    digits. Lists must have one shape. Of a dict, every printed key counts. "ambiguous" is
    never the outcome: it takes a reader to say so.

    Args:
        printed: a number, a text, or lists or a dict of them; None if nothing is printed.
        value: the right value, of the same form.

    Returns:
        One of the words in :data:`VERDICTS`.

    >>> judge([0.88, 0.12], [0.8808, 0.1192])
    'agrees after rounding'
    """
    if printed is None:
        return "not printed"
    if isinstance(printed, dict) and isinstance(value, dict):
        if not printed.keys() <= value.keys():
            return "disagrees"
        return _weakest([judge(item, value[key]) for key, item in printed.items()])
    if isinstance(printed, list) and isinstance(value, list):
        if len(printed) != len(value):
            return "disagrees"
        return _weakest([judge(p, v) for p, v in zip(printed, value, strict=True)])
    if _is_number(printed) and _is_number(value):
        return _judge_number(printed, value)
    return "agrees" if printed == value else "disagrees"


def printed_decimals(printed: object) -> int:
    """Return the largest number of decimals among the printed numbers, 0 if there are none."""
    if isinstance(printed, dict):
        printed = list(printed.values())
    if isinstance(printed, list):
        return max(map(printed_decimals, printed), default=0)
    if not _is_number(printed) or not math.isfinite(printed):
        return 0
    return max(0, -int(Decimal(repr(printed)).as_tuple().exponent))


def _judge_number(printed: float, value: float) -> str:
    if math.isclose(printed, value, rel_tol=1e-12, abs_tol=1e-12):
        return "agrees"
    if math.isnan(printed) and math.isnan(value):
        return "agrees"
    if math.isfinite(value) and round(value, printed_decimals(printed)) == printed:
        return "agrees after rounding"
    return "disagrees"


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _weakest(verdicts: list[str]) -> str:
    for verdict in ("disagrees", "agrees after rounding"):
        if verdict in verdicts:
            return verdict
    return "agrees"
