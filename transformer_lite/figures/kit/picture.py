"""How the tables of a static picture stand on the page."""

from collections.abc import Sequence


def panels(*tables: str) -> str:
    """Return tables side by side, one below the other where the page is narrow."""
    return f'<div class="tl-panels">{"".join(tables)}</div>'


def counted(items: Sequence[object]) -> list[str]:
    """Return the names "1", "2", …, one for each item.

    >>> counted(["a", "b"])
    ['1', '2']
    """
    return [str(place) for place in range(1, len(items) + 1)]
