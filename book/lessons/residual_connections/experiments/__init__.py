"""Experiments of the chapter on residual connections."""
