"""The common scale: a range of one's own, a scaler that saw the test, and undoing it."""

from transformer_lite.exercises.common_scale.fold_scaling import fold_scaling
from transformer_lite.exercises.common_scale.rescale import rescale
from transformer_lite.exercises.common_scale.scale_test_data import scale_test_data

__all__ = ["fold_scaling", "rescale", "scale_test_data"]
