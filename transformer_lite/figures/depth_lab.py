"""The depth lab: a stack of real layers, what goes up through it and what comes down."""

import torch
from torch import Tensor, nn
from traitlets import Int, TraitError, Unicode, validate

from transformer_lite.feedforward import FeedForward
from transformer_lite.figures._base import LiveFigure, number, picture_table
from transformer_lite.norms import LayerNorm, layer_norm
from transformer_lite.residual import DeepNorm, PostNorm, PreNorm, deepnorm_constants

RECIPES = ("no skip", "post-norm", "pre-norm", "DeepNorm")  # as in depth_lab.js
TOKENS, WIDTH, HIDDEN = 4, 16, 64
MOST_LAYERS = 64
MOST_SEEDS = 20
_WORD = 0xFFFFFFFF


class DepthLab(LiveFigure):
    """A stack of feed-forward sub-layers under one of four recipes, before any training.

    Four tokens of width 16 and size 1 go up. Each sub-layer has 64 hidden units, ReLU, no biases
    and Glorot's weights. A fixed gradient of length 1 comes down from the output.

    Args:
        depth: the number of sub-layers, even, from 2 to 64; two of them make one encoder layer.
        recipe: "no skip", "post-norm", "pre-norm" or "DeepNorm".
        seed: which random weights, from 1 to 20.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "depth_lab"

    depth = Int(16).tag(sync=True, figure=True)
    recipe = Unicode("no skip").tag(sync=True, figure=True)
    seed = Int(1).tag(sync=True, figure=True)

    @validate("depth")
    def _check_depth(self, proposal):
        depth = proposal.value
        if not 2 <= depth <= MOST_LAYERS or depth % 2:
            raise TraitError(f"depth must be even and lie between 2 and 64, got {depth}")
        return depth

    @validate("recipe")
    def _check_recipe(self, proposal):
        if proposal.value not in RECIPES:
            raise TraitError(f"recipe must be one of {RECIPES}, got {proposal.value!r}")
        return proposal.value

    @validate("seed")
    def _check_seed(self, proposal):
        if not 1 <= proposal.value <= MOST_SEEDS:
            raise TraitError(f"seed must lie between 1 and 20, got {proposal.value}")
        return proposal.value

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        layers (depth + 1, 2): for the input and the output of each sub-layer, the size of the
        state (root mean square) and the length of the gradient there. recipes (4, 3): for each
        recipe the size at the top, the gradient at the top and the gradient at the input.
        """
        runs = [_run(recipe, self.depth, self.seed) for recipe in RECIPES]
        ends = [torch.stack([*run[-1], run[0, 1]]) for run in runs]
        return {"layers": runs[RECIPES.index(self.recipe)], "recipes": torch.stack(ends)}

    def picture(self) -> str:
        results = self.results()
        settings = f"{self.recipe}, {self.depth} sub-layers, weights {self.seed}"
        names = ["input", *(str(layer) for layer in range(1, self.depth + 1))]
        columns = ["size at the top", "gradient at the top", "gradient at the input"]
        tables = (
            picture_table(
                "1 Layer by layer", results["layers"], names, ["size", "gradient"], write=power
            ),
            picture_table(
                "2 Four recipes at this depth", results["recipes"], [*RECIPES], columns, write=power
            ),
        )
        return f'<p>{settings}</p><div class="tl-panels">{"".join(tables)}</div>'

    def __repr__(self) -> str:
        return f"DepthLab(depth={self.depth}, recipe={self.recipe!r}, seed={self.seed})"


def power(x: float) -> str:
    """Write a size, which is not negative: 3 digits, with a power of ten where it is small.

    >>> power(0.5), power(2.5e-17)
    ('0.5', '2.5·10⁻¹⁷')
    """
    if x == 0 or x >= 0.001:
        return number(x, 3)
    digits, exponent = f"{x:.1e}".split("e-")
    raised = exponent.lstrip("0").translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{number(float(digits), 1)}·10⁻{raised}"


def uniform(seed: int, count: int) -> Tensor:
    """Draw numbers from −1 to 1 that are the same in every language: mulberry32.

    Args:
        seed: where the sequence begins, at least 0.
        count: how many numbers.

    Returns:
        float64 tensor of shape (count,).
    """
    state = (seed + 0x6D2B79F5 * torch.arange(1, count + 1)) & _WORD
    mixed = _multiply(state ^ (state >> 15), state | 1)
    mixed = mixed ^ ((mixed + _multiply(mixed ^ (mixed >> 7), mixed | 61)) & _WORD)
    return (mixed ^ (mixed >> 14)).double() / 2**31 - 1


def _multiply(a: Tensor, b: Tensor) -> Tensor:
    """Return the lower 32 bits of a · b, by halves that do not overflow 64 bits."""
    return ((a & 0xFFFF) * b + ((((a >> 16) * b) & 0xFFFF) << 16)) & _WORD


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


def _run(recipe: str, depth: int, seed: int) -> Tensor:
    """Return the sizes of all states and the lengths of all gradients, shape (depth + 1, 2)."""
    norm = LayerNorm(WIDTH).double()
    constants = deepnorm_constants(depth // 2, 0)
    deep = recipe == "DeepNorm"
    steps = {
        "no skip": lambda x, layer: layer(x),
        "post-norm": PostNorm(norm),
        "pre-norm": PreNorm(norm),
        "DeepNorm": DeepNorm(norm, alpha=constants["encoder_alpha"]),
    }
    tokens, top = uniform(0, 2 * TOKENS * WIDTH).view(2, TOKENS, WIDTH)
    states = [layer_norm(tokens).requires_grad_()]
    for layer in _sublayers(depth, seed, constants["encoder_beta"] if deep else 1.0):
        states.append(steps[recipe](states[-1], layer))
    end = norm(states[-1]) if recipe == "pre-norm" else states[-1]
    gradients = torch.autograd.grad(end, states, top / top.norm())
    sizes = [state.detach().square().mean().sqrt() for state in states]
    return torch.stack([torch.stack(sizes), torch.stack([g.norm() for g in gradients])], dim=1)
