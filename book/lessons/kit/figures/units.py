"""Format numbers like `kit.js`, and sizes with a unit like `units.js`."""

from decimal import ROUND_HALF_UP, Context, Decimal

_THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)


def number(x: float, digits: int = 4) -> str:
    """Write a number as the figures do: 4 decimals at most, a true minus sign, −∞ and NaN.

    >>> number(-1.34164), number(float("-inf")), number(2.0), number(30000, digits=0)
    ('−1.3416', '−∞', '2', '30000')
    """
    if x != x:
        return "NaN"
    if abs(x) == float("inf"):
        return "∞" if x > 0 else "−∞"
    # Round halves away from zero, as in JavaScript: the picture and the live figure must agree.
    # They also agree on numbers that are so large that they need an exponent.
    if abs(x) >= 1e21:
        return repr(float(x)).replace("-", "−")
    rounded = Decimal(x).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{Decimal(repr(float(rounded))):f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text).replace("-", "−")


def short(x: float, units: list[str]) -> str:
    """Write a size with three digits and a unit, like the JavaScript.

    >>> short(1_610_612_736, [" ", " thousand", " million", " billion"])
    '1.61 billion'
    """
    rounded = _THREE_DIGITS.plus(Decimal(x))
    thousands = max(0, rounded.adjusted() // 3) if rounded else 0
    return number(float(rounded.scaleb(-3 * thousands)), 2) + units[thousands]


def raised(count: int) -> str:
    """Write a non-negative integer as an exponent."""
    return str(count).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def power(x: float) -> str:
    """Write a non-negative size with 3 digits, and with a power of ten if it is small.

    >>> power(0.5), power(2.5e-17)
    ('0.5', '2.5·10⁻¹⁷')
    """
    if x == 0 or x >= 0.001:
        return number(x, 3)
    digits, exponent = f"{x:.1e}".split("e-")
    return f"{number(float(digits), 1)}·10⁻{raised(int(exponent))}"
