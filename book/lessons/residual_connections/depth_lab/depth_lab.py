"""Depth lab: the state and the gradient in a stack of real layers."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from traitlets import Float, Int, Unicode

from lessons.kit.draws import uniform
from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from lessons.kit.figures.units import number, power, raised
from transformer_lite.layers.feed_forward import FeedForward
from transformer_lite.layers.norms import LayerNorm, layer_norm
from transformer_lite.layers.residual import DeepNorm, PostNorm, PreNorm, deepnorm_constants

SHARED = shared("depth_lab")
RECIPES = SHARED["recipes"]
TOKENS, WIDTH, HIDDEN = SHARED["tokens"], SHARED["width"], SHARED["hidden"]


class DepthLab(LiveFigure):
    """A stack of feed-forward sub-layers under one of six recipes, before any training.

    The input is four tokens of width 16 and size 1. Each sub-layer has 64 hidden units, ReLU, no
    biases and Glorot's weights times a gain. A fixed gradient of length 1 is propagated back from
    the output.

    Args:
        depth: the number of sub-layers, even, from 2 to 64; two of them make one encoder layer.
        recipe: "no skip" (and no norm), "skip alone", "norm alone", "post-norm", "pre-norm" or
            "DeepNorm".
        seed: which random weights, from 1 to 20.
        gain: the factor of all weights, from 0.8 to 1.6.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "depth_lab"
    printed = ("depth", "recipe", "seed")

    depth = Int(16).tag(sync=True, figure=True)
    recipe = Unicode("no skip").tag(sync=True, figure=True, options=RECIPES)
    seed = Int(1).tag(sync=True, figure=True, limits=SHARED["seed"])
    gain = Float(1.0).tag(sync=True, figure=True, limits=SHARED["gain"])

    @staticmethod
    def problems(*, depth: int, **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        limits = SHARED["depth"]
        if not limits["min"] <= depth <= limits["max"] or depth % 2:
            lies = f"lie between {limits['min']} and {limits['max']}"
            yield f"depth must be even and {lies}, got {depth}"

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        layers (depth + 1, 2): for the input and the output of each sub-layer, the size of the
        state (root mean square) and the length of the gradient there. recipes (6, 3): for each
        recipe the size at the top, the gradient at the top and the gradient at the input. powers
        (2,): the logarithms to base 10 of the size at the top and of the gradient at the input.
        """
        runs = [_run(recipe, self.depth, self.seed, self.gain) for recipe in RECIPES]
        ends = torch.stack([torch.stack([*run[-1], run[0, 1]]) for run in runs])
        chosen = RECIPES.index(self.recipe)
        powers = ends[chosen, [0, 2]].log10()
        return {"layers": runs[chosen], "recipes": ends, "powers": powers}

    def picture(self) -> str:
        """Return every layer, and both ends under every recipe, as tables."""
        settings = (
            f"{self.recipe}, {self.depth} sub-layers, weights {self.seed}, gain {self.gain:g}"
        )
        layers = ["input", *(str(layer) for layer in range(1, self.depth + 1))]
        names = {"layers": (layers, SHARED["layers"]), "recipes": (RECIPES, SHARED["ends"])}
        writers = dict.fromkeys(names, size_text)
        tables = picture_tables(SHARED["captions"], self.results(), names, writers=writers)
        return f"<p>{SHARED['question']}</p><p>{settings}</p>{panels(*tables)}"


def size_text(x: float) -> str:
    """Write a size as `power` does, and a large one with a power of ten, too.

    >>> size_text(12.5), size_text(1.44e11)
    ('12.5', '1.4·10¹¹')
    """
    if x < 10_000:
        return power(x)
    digits, exponent = f"{x:.1e}".split("e+")
    return f"{number(float(digits), 1)}·10{raised(int(exponent))}"


def _sublayers(depth: int, seed: int, gain: float) -> list[FeedForward]:
    """Return the first `depth` sub-layers of a seed; a deeper stack begins with the same."""
    bound = gain * (6 / (WIDTH + HIDDEN)) ** 0.5
    weights = bound * uniform(seed, depth * 2 * WIDTH * HIDDEN).view(depth, 2, WIDTH * HIDDEN)
    layers = []
    for up, down in weights:
        layer = FeedForward(WIDTH, HIDDEN, bias=False)
        layer.up.weight = nn.Parameter(up.view(HIDDEN, WIDTH))
        layer.down.weight = nn.Parameter(down.view(WIDTH, HIDDEN))
        layers.append(layer)
    return layers


def _run(recipe: str, depth: int, seed: int, gain: float) -> Tensor:
    """Return the sizes of all states and the lengths of all gradients, shape (depth + 1, 2)."""
    norm = LayerNorm(WIDTH).double()
    constants = deepnorm_constants(depth // 2, 0)
    deep = recipe == "DeepNorm"
    steps: dict[str, Callable[[Tensor, FeedForward], Tensor]] = {
        "no skip": lambda x, layer: layer(x),
        "skip alone": lambda x, layer: x + layer(x),
        "norm alone": lambda x, layer: norm(layer(x)),
        "post-norm": PostNorm(norm),
        "pre-norm": PreNorm(norm),
        "DeepNorm": DeepNorm(norm, alpha=constants["encoder_alpha"]),
    }
    tokens, top = uniform(0, 2 * TOKENS * WIDTH).view(2, TOKENS, WIDTH)
    states = [layer_norm(tokens).requires_grad_()]
    for layer in _sublayers(depth, seed, gain * (constants["encoder_beta"] if deep else 1.0)):
        states.append(steps[recipe](states[-1], layer))
    end = norm(states[-1]) if recipe == "pre-norm" else states[-1]
    gradients = torch.autograd.grad(end, states, top / top.norm())
    sizes = [state.detach().square().mean().sqrt() for state in states]
    return torch.stack([torch.stack(sizes), torch.stack([g.norm() for g in gradients])], dim=1)
