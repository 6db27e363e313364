"""Tensors and gradients in small steps: shapes, products, a gradient, and two ways to go astray."""

from transformer_lite.exercises.what_a_transformer_does.adam_step import adam_step
from transformer_lite.exercises.what_a_transformer_does.descend import descend
from transformer_lite.exercises.what_a_transformer_does.dot_products import dot_products
from transformer_lite.exercises.what_a_transformer_does.gradient import gradient
from transformer_lite.exercises.what_a_transformer_does.shift_rows import shift_rows
from transformer_lite.exercises.what_a_transformer_does.squared_error import squared_error

__all__ = [
    "adam_step",
    "descend",
    "dot_products",
    "gradient",
    "shift_rows",
    "squared_error",
]
