"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles


def rotation_by_offset(p: Problem) -> Tensor:
    """Rotate each pair as a complex number, as the package's pairs of the interleaved layout."""
    pairs = torch.view_as_complex(doubles(p["x"]).reshape(2, 2))
    turns = torch.complex(
        *doubles([[a["cos"] for a in p["angles"]], [a["sin"] for a in p["angles"]]])
    )
    return torch.view_as_real(pairs * turns)
