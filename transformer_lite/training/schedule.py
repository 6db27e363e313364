"""Learning rate schedules: rise during the warm-up, then fall."""

from __future__ import annotations

import math

from transformer_lite.checks import check_number, check_size


def inverse_root(step: int, peak: float, warm_up: int) -> float:
    """Return a rate that rises linearly to the peak, then falls with the root of the step.

    peak · min(step / warm_up, √(warm_up / step))

    Args:
        step: the number of the step; the first one is 1.
        peak: the highest rate, reached at the last step of the warm-up.
        warm_up: the number of warm-up steps, at least 1.

    Returns:
        The learning rate of this step.

    Raises:
        TypeError: `step` or `warm_up` is not an int, or `peak` not a number.
        ValueError: `step` or `warm_up` is smaller than 1, or `peak` is negative.

    Reference: Vaswani et al. 2017, section 5.3. The paper names no peak: its rate is
    d_model^−0.5 · min(step^−0.5, step · warm_up^−1.5), which is this one with the peak of
    :func:`paper_peak`.

    >>> [inverse_root(step, peak=1.0, warm_up=4) for step in (1, 2, 4, 16)]
    [0.25, 0.5, 1.0, 0.5]
    """
    _check(step, peak, warm_up)
    return peak * min(step / warm_up, math.sqrt(warm_up / step))


def cosine(step: int, peak: float, warm_up: int, steps: int) -> float:
    """Return a rate that rises linearly to the peak, then falls to 0 along half a cosine.

    After the warm-up: peak · (1 + cos(π · (step − warm_up) / (steps − warm_up))) / 2

    Args:
        step, peak, warm_up: as in :func:`inverse_root`.
        steps: the step from which on the rate is 0; more than `warm_up`.

    Returns:
        The learning rate of this step.

    Raises:
        TypeError, ValueError: as in :func:`inverse_root`; `steps` is not an int, or not more than
            `warm_up`.

    Reference: Loshchilov and Hutter 2017, without the restarts.

    >>> [cosine(step, peak=1.0, warm_up=2, steps=10) for step in (1, 2, 6, 10)]
    [0.5, 1.0, 0.5, 0.0]
    """
    _check(step, peak, warm_up)
    check_size("steps", steps, minimum=warm_up + 1)
    if step <= warm_up:
        return peak * step / warm_up
    gone = min(1.0, (step - warm_up) / (steps - warm_up))
    return peak * (1 + math.cos(math.pi * gone)) / 2


def paper_peak(d_model: int, warm_up: int) -> float:
    """Return the peak that makes :func:`inverse_root` the paper's rate: (d_model · warm_up)^−0.5.

    Args:
        d_model: the model's width D.
        warm_up: the steps of the warm-up; the paper takes 4,000.

    Raises:
        TypeError: an argument is not an int.
        ValueError: an argument is smaller than 1.

    Reference: Vaswani et al. 2017, equation 3.

    >>> round(paper_peak(d_model=512, warm_up=4000), 6)
    0.000699
    """
    check_size("d_model", d_model)
    check_size("warm_up", warm_up)
    return (d_model * warm_up) ** -0.5


def _check(step: int, peak: float, warm_up: int) -> None:
    check_size("step", step)
    check_number("peak", peak)
    check_size("warm_up", warm_up)
