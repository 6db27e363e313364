"""The feed-forward layer and what it costs, by :mod:`transformer_lite.layers.feed_forward`."""

import torch
from torch import Tensor, nn

from lessons.worked_examples.registry import computes
from lessons.worked_examples.shapes import random_weights
from transformer_lite.layers.attention import attention_steps
from transformer_lite.layers.feed_forward import FeedForward, feed_forward_from_keys
from transformer_lite.layers.multi_head import MultiHeadAttention


@computes("complexity-attention-layer")
def multiplications(length: int, d_model: int) -> dict[str, int]:
    """Count the multiplications of an attention layer and a feed-forward layer."""
    with torch.device("meta"):  # shapes without numbers
        attention, network = MultiHeadAttention(d_model, 1), FeedForward(d_model, 4 * d_model)
        x = torch.zeros(length, d_model)
    steps = attention_steps(x, x, x)

    def matrices(*layers: nn.Module) -> int:
        """Multiply every token by every weight once."""
        return length * sum(layer.get_parameter("weight").numel() for layer in layers)

    costs = {
        "queries, keys and values": matrices(attention.q_proj, attention.k_proj, attention.v_proj),
        "scores": steps.scores.numel() * d_model,  # each is a sum of D products
        "weighted sum": steps.output.numel() * length,  # each entry is a sum of N products
        "output projection": matrices(attention.out_proj),
        "feed-forward network, inner width 4D": matrices(network.up, network.down),
    }
    quadratic = costs["scores"] + costs["weighted sum"]
    linear = sum(costs.values()) - quadratic
    return costs | {"N at which both halves cost the same": length * linear // quadratic}


@computes("ffn-key-value-form")
def two_readings(length: int, d_model: int, d_ff: int) -> dict[str, object]:
    """Compare the feed-forward layer with its reading as keys and values, on random numbers."""
    numbers = random_weights(2 * d_ff + length, d_model)
    keys, values, x = torch.split(numbers, [d_ff, d_ff, length])
    output = feed_forward_from_keys(x, keys, values)
    others_changed = torch.cat([x[:1], -x[1:]])
    change = feed_forward_from_keys(others_changed, keys, values)[0] - output[0]
    return {
        "shape of the output": output.shape,
        "largest difference to W₁ = Kᵀ, W₂ = V, b = 0": (
            (network_without_biases(keys, values)(x) - output).abs().max()
        ),
        "largest change of a row when the others change": change.abs().max(),
    }


def network_without_biases(keys: Tensor, values: Tensor) -> FeedForward:
    """Return the feed-forward layer with these weights: W₁ = Kᵀ, W₂ = V."""
    d_ff, d_model = keys.shape
    with torch.device("meta"):  # the weights come next; none are drawn at random
        network = FeedForward(d_model, d_ff)
    weights = {
        "up.weight": keys,
        "up.bias": keys.new_zeros(d_ff),
        "down.weight": values.mT,
        "down.bias": keys.new_zeros(d_model),
    }
    network.load_state_dict(weights, assign=True)
    return network
