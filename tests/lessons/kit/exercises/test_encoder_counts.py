"""The parameter counts of an exercise equal those of a built encoder."""

import torch

from lessons.kit import exercises
from transformer_lite.models import TransformerConfig, build_encoder_only


def test_counts_of_an_encoder_equal_those_of_the_built_model():
    exercise = exercises.encoder.count_encoder
    for number in range(1, len(exercise.cases) + 1):
        layers, d_model, d_ff = exercise.case(number).values()
        config = TransformerConfig(
            1, 1, d_model, 1, d_ff, num_encoder_layers=layers, positions="none"
        )
        with torch.device("meta"):
            encoder = build_encoder_only(config).encoder
        sizes = dict.fromkeys(("attention", "feed_forward", "residual"), 0)
        for name, weight in encoder.named_parameters():
            part = name.split(".")[2]
            key = "residual" if part.endswith("residual") else part.removeprefix("self_")
            sizes[key] += weight.numel()
        counts = exercise.reference(layers, d_model, d_ff)
        assert sum(sizes.values()) == counts["encoder"]
        each = {key: size // layers for key, size in sizes.items()}
        assert [counts[key] for key in ("attention", "feed_forward", "norms")] == [*each.values()]
