"""Min–max scaling and RMS normalization, by :mod:`transformer_lite.layers.norms`."""

import torch
from torch import Tensor

from lessons.worked_examples.norms import mean, std
from lessons.worked_examples.registry import computes
from transformer_lite.layers.norms import min_max, rms_norm, rms_norm_steps, standardize


def width(x: Tensor) -> Tensor:
    """Return the distance from the smallest to the largest number of x."""
    return x.max() - x.min()


def with_middle(x: Tensor) -> Tensor:
    """Append the number half-way between the two."""
    return torch.cat([x, x.double().mean(dim=0, keepdim=True)])


@computes("min-max-salary", "min-max-bonus")
def scaled(x: Tensor) -> Tensor:
    """Scale x to the range from 0 to 1."""
    return min_max(x)


@computes("min-max-exact-same-scale")
def what_min_max_makes_equal(salary: Tensor, bonus: Tensor) -> dict[str, object]:
    """Return range, deviation and mean of two columns after min–max scaling."""
    columns = min_max(salary), min_max(bonus)
    return {
        "range": [width(column) for column in columns],
        "standard deviation": [std(column) for column in columns],
        "mean": [mean(column) for column in columns],
    }


@computes("min-max-outlier-sensitivity")
def one_extreme_salary(salary: Tensor) -> dict[str, Tensor]:
    """Scale salaries with an outlier by min–max and by z-scores."""
    scaled, z = min_max(salary), standardize(salary)
    return {
        "min–max": scaled,
        "z-scores": z,
        "width of the three ordinary values after min–max": width(scaled[:3]),
        "width of the three ordinary values as z-scores": width(z[:3]),
    }


@computes("student-age-tuition-minmax")
def ends_and_middle(age: Tensor, tuition: Tensor) -> dict[str, Tensor]:
    """Scale two columns by min–max, with the middle of each."""
    ages, tuitions = min_max(with_middle(age)), min_max(with_middle(tuition))
    return {
        "smallest": torch.minimum(ages, tuitions).min(),
        "largest": torch.maximum(ages, tuitions).max(),
        "tuition of 35000": tuitions[-1],
        "age of 21.5": ages[-1],
    }


@computes("rmsnorm-five-vector")
def five_numbers_by_their_rms(x: Tensor) -> dict[str, Tensor]:
    """Divide five numbers by their root mean square."""
    output = rms_norm(x, eps=0.0)
    return {
        "root mean square": rms_norm_steps(x, eps=0.0).rms.squeeze(),
        "output, ε = 0": output,
        "mean of the output": mean(output),
    }
