"""Sizes as text: with a unit, as `units.js` writes them, or a power of ten, as `kit.js` does."""

from decimal import ROUND_HALF_UP, Context, Decimal

from transformer_lite.figures.kit.live_figure import number

_THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)


def short(x: float, units: list[str]) -> str:
    """Write a size with three digits and a unit, as the JavaScript does.

    >>> short(1_610_612_736, [" ", " thousand", " million", " billion"])
    '1.61 billion'
    """
    rounded = _THREE_DIGITS.plus(Decimal(x))
    thousands = max(0, rounded.adjusted() // 3) if rounded else 0
    return number(float(rounded.scaleb(-3 * thousands)), 2) + units[thousands]


def raised(count: int) -> str:
    """Write a whole number of at least 0 as an exponent."""
    return str(count).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def power(x: float) -> str:
    """Write a size, which is not negative: 3 digits, with a power of ten where it is small.

    >>> power(0.5), power(2.5e-17)
    ('0.5', '2.5·10⁻¹⁷')
    """
    if x == 0 or x >= 0.001:
        return number(x, 3)
    digits, exponent = f"{x:.1e}".split("e-")
    return f"{number(float(digits), 1)}·10⁻{raised(int(exponent))}"
