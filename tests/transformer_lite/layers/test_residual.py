"""Laws of the four residual recipes: their formulas, the skip, and DeepNorm's constants."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from transformer_lite import LayerNorm, PostNorm, PreNorm
from transformer_lite.layers import DeepNorm, SandwichNorm, deepnorm_constants

B, T, D = 2, 5, 6

each_recipe = pytest.mark.parametrize("recipe", [PostNorm, PreNorm, DeepNorm])
KEYS = ("encoder_alpha", "encoder_beta", "decoder_alpha", "decoder_beta")


@pytest.fixture
def norm(normal):
    """A normalization whose gain and shift are not 1 and 0."""
    norm = LayerNorm(D).to(normal(1))
    nn.init.normal_(norm.weight)
    nn.init.normal_(norm.bias)
    return norm


def twice_the_square(x):
    return 2 * x**2  # not linear, so it matters whether it sees x or Norm(x)


def normalized(x, norm):
    return F.layer_norm(x, (D,), norm.weight, norm.bias)


def test_post_norm_is_its_formula(norm, normal):
    x = normal(B, T, D)
    assert_close(PostNorm(norm)(x, twice_the_square), normalized(x + 2 * x**2, norm))


def test_pre_norm_is_its_formula(norm, normal):
    x = normal(B, T, D)
    assert_close(PreNorm(norm)(x, twice_the_square), x + 2 * normalized(x, norm) ** 2)


def test_sandwich_norm_is_its_formula(norm, normal):
    x, after = normal(B, T, D), LayerNorm(D).to(normal(1))
    nn.init.normal_(after.weight)
    output = SandwichNorm(norm, after)(x, twice_the_square)
    assert_close(output, x + normalized(2 * normalized(x, norm) ** 2, after))


def test_the_output_of_a_sandwich_norm_does_not_grow_with_the_sub_layer(norm, normal):
    x, sandwich = normal(B, T, D), SandwichNorm(norm, LayerNorm(D, eps=0.0).to(normal(1)))
    update = sandwich(x, torch.sin) - x
    assert_close(sandwich(x, lambda x: 1000 * torch.sin(x)) - x, update)
    assert_close(update.square().mean(dim=-1), torch.ones(B, T).to(x))


@pytest.mark.parametrize("alpha", [0.5, 2.0, 3])
def test_deep_norm_is_its_formula(alpha, norm, normal):
    x = normal(B, T, D)
    output = DeepNorm(norm, alpha=alpha)(x, twice_the_square)
    assert_close(output, normalized(alpha * x + 2 * x**2, norm))


def test_the_gradient_flows_through_the_skip(norm, normal):
    x = normal(B, T, D).requires_grad_()
    PreNorm(norm)(x, lambda x: x.detach()).sum().backward()
    assert torch.equal(x.grad, torch.ones_like(x))
    identity = nn.Identity()
    for recipe, factor in ((PostNorm(identity), 1), (DeepNorm(identity, alpha=3.0), 3)):
        x.grad = None
        recipe(x, lambda x: x.detach()).sum().backward()
        assert torch.equal(x.grad, factor * torch.ones_like(x))


@each_recipe
def test_the_sublayer_is_called_once_with_tokens(recipe, norm, normal):
    x, seen = normal(B, T, D), []

    def sublayer(tokens):
        seen.append(tokens)
        return torch.zeros_like(tokens)

    recipe(norm)(x, sublayer)
    assert len(seen) == 1
    assert torch.equal(seen[0], norm(x) if recipe is PreNorm else x)


@each_recipe
def test_dropout_drops_the_update_and_never_the_input(recipe):
    x, update = torch.full((40, 50, D), 5.0), torch.ones(40, 50, D)
    output = recipe(nn.Identity(), dropout=0.25)(x, lambda x: update)
    gone = output == 5
    assert 0.2 < gone.float().mean() < 0.3
    assert_close(output[~gone], torch.full_like(output[~gone], 5 + 1 / 0.75))


def constants(n: int, m: int) -> list[float]:
    found = deepnorm_constants(n, m)
    assert found.keys() == set(KEYS)
    return [found[key] for key in KEYS]


@pytest.mark.parametrize(
    ("layers", "alpha", "beta"),
    [(2, 2**0.5, 0.5), (8, 2.0, 2**-1.5), (32, 8**0.5, 0.25), (500, 1000**0.25, 4000**-0.25)],
)
def test_deepnorm_constants_of_one_stack_are_roots_of_2m_and_8m(layers, alpha, beta):
    assert constants(0, layers) == pytest.approx([alpha, beta, alpha, beta], rel=1e-12)
    assert constants(layers, 0) == pytest.approx([alpha, beta, alpha, beta], rel=1e-12)


# Powers of two whose sixteenth roots are whole, so that each exponent shows by itself:
# the encoder has 0.81 and 0.87 times (N⁴M)^±(1/16), the decoder (3M)^¼ and (12M)^-¼.
@pytest.mark.parametrize(
    ("n", "m", "expected"),
    [
        (1, 1, [0.81, 0.87, 3**0.25, 12**-0.25]),
        (16, 1, [1.62, 0.435, 3**0.25, 12**-0.25]),
        (1, 2**16, [1.62, 0.435, 16 * 3**0.25, 12**-0.25 / 16]),
        (256, 27, [3.24 * 27 ** (1 / 16), 0.2175 * 27 ** (-1 / 16), 3.0, 324**-0.25]),
    ],
)
def test_deepnorm_constants_of_two_stacks_match_the_table(n, m, expected):
    assert constants(n, m) == pytest.approx(expected, rel=1e-12)
