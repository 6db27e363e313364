"""Sizes with three digits and a unit, as `units.js` writes them."""

from decimal import ROUND_HALF_UP, Context, Decimal

from transformer_lite.figures.kit.live_figure import number

_THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)


def short(x: float, units: list[str]) -> str:
    """Write a size with three digits and a unit, as the JavaScript does.

    >>> short(1_610_612_736, [" ", " thousand", " million", " billion"])
    '1.61 billion'
    """
    rounded = _THREE_DIGITS.plus(Decimal(x))
    power = max(0, rounded.adjusted() // 3) if rounded else 0
    return number(float(rounded.scaleb(-3 * power)), 2) + units[power]
