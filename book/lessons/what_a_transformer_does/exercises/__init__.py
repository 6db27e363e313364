"""Tensors and gradients in small steps: shapes, products, a gradient, and two ways to go astray."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.what_a_transformer_does.exercises.adam_step import adam_step
    from lessons.what_a_transformer_does.exercises.descend import descend
    from lessons.what_a_transformer_does.exercises.dot_products import dot_products
    from lessons.what_a_transformer_does.exercises.gradient import gradient
    from lessons.what_a_transformer_does.exercises.shift_rows import shift_rows
    from lessons.what_a_transformer_does.exercises.squared_error import squared_error

__all__ = [
    "adam_step",
    "descend",
    "dot_products",
    "gradient",
    "shift_rows",
    "squared_error",
]
