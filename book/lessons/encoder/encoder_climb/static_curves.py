"""The curves as they are printed, in the look of the live chart."""

import html
from collections.abc import Iterable

from torch import Tensor

WIDTH, HEIGHT, LEFT, RIGHT, TOP, FLOOR = 460, 240, 58, 430, 12, 200


def static_curves(cosines: Tensor, stages: list[str], names: list[str]) -> str:
    """Return a drawing of curves (stages, curves) with its legend, hidden from screen readers.

    The axis begins at 0, or at −1 where a cosine is negative; tables next to it hold the numbers.
    """
    low = -1.0 if (cosines < 0).any() else 0.0
    steps = max(len(stages) - 1, 1)
    across = [LEFT + (RIGHT - LEFT) * i / steps for i in range(len(stages))]

    def level(cosine: float) -> float:
        return FLOOR - (cosine - low) / (1 - low) * (FLOOR - TOP)

    grid = "".join(
        f'<line x1="{LEFT}" x2="{RIGHT}" y1="{level(y):.1f}" y2="{level(y):.1f}"/>'
        f'<text class="tl-tick-y" x="{LEFT - 6}" y="{level(y) + 4:.1f}">{y:g}</text>'
        for y in (low, (low + 1) / 2, 1)
    )
    below = "".join(
        f'<text x="{x:.1f}" y="{FLOOR + 18}">{html.escape(stage)}</text>'
        for x, stage in zip(across, stages, strict=True)
    )
    lines = "".join(
        f'<path class="tl-line tl-line-{i}" d="M{_way(across, map(level, curve))}"/>'
        for i, curve in enumerate(cosines.T.tolist())
    )
    legend = "".join(
        f'<span class="tl-key tl-line-{i}">{html.escape(name)}</span>'
        for i, name in enumerate(names)
    )
    return (
        '<div class="tl-chart-box ec-still" aria-hidden="true">'
        f'<svg class="tl-chart" viewBox="0 0 {WIDTH} {HEIGHT}"><g class="tl-grid">{grid}{below}</g>'
        f'<path class="tl-frame" d="M{LEFT} {TOP}V{FLOOR}H{RIGHT}"/>{lines}</svg>'
        f'<div class="tl-legend">{legend}</div></div>'
    )


def _way(across: list[float], levels: Iterable[float]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(across, levels, strict=True))
