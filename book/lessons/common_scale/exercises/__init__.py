"""The common scale: a range of one's own, a scaler that saw the test, and undoing it."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.common_scale.exercises.fold_scaling import fold_scaling
    from lessons.common_scale.exercises.rescale import rescale
    from lessons.common_scale.exercises.scale_test_data import scale_test_data

__all__ = ["fold_scaling", "rescale", "scale_test_data"]
