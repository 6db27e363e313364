"""Normalization: bring numbers to a common scale along some axis, one idea per file.

All statistics are population statistics (divide by n) unless a name says otherwise. The gain γ
is called `weight` and the shift β `bias`, as in PyTorch.
"""

from transformer_lite.layers.norms.batch import BatchNorm, batch_norm
from transformer_lite.layers.norms.group import group_norm, instance_norm
from transformer_lite.layers.norms.layer import (
    LayerNorm,
    LayerNormSteps,
    layer_norm,
    layer_norm_steps,
)
from transformer_lite.layers.norms.rms import (
    RMSNorm,
    RMSNormSteps,
    ZeroCenteredRMSNorm,
    rms_norm,
    rms_norm_steps,
)
from transformer_lite.layers.norms.standardize import min_max, standardize
from transformer_lite.layers.norms.weight import weight_norm

__all__ = [
    "BatchNorm",
    "LayerNorm",
    "LayerNormSteps",
    "RMSNorm",
    "RMSNormSteps",
    "ZeroCenteredRMSNorm",
    "batch_norm",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "layer_norm_steps",
    "min_max",
    "rms_norm",
    "rms_norm_steps",
    "standardize",
    "weight_norm",
]
