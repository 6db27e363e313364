"""An image as rows of numbers: one row for each patch."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("a_gpt_of_your_own.image_tokens")


def _squares(image: Tensor, size: int) -> Tensor:
    """Return the patches with their place and all their axes: (height/P, width/P, C, P, P)."""
    squares = image.unflatten(2, (-1, size)).unflatten(1, (-1, size))
    return squares.permute(1, 3, 0, 2, 4)


def _reference(image: Tensor, size: int) -> Tensor:
    return _squares(image, size).flatten(2).flatten(0, 1)


def _reshaped(image: Tensor, size: int) -> Tensor:
    return image.reshape(-1, image.shape[0] * size * size)


def _overlapping(image: Tensor, size: int) -> Tensor:
    patches = image.unfold(1, size, 1).unfold(2, size, 1)
    return patches.permute(1, 2, 0, 3, 4).flatten(2).flatten(0, 1)


_MISTAKES = mistakes(
    _reshaped,
    "reshape alone cuts the image into strips: each of your rows is a piece of one line of the "
    "image. A patch takes some numbers from each of P lines.",
    lambda image, size: _squares(image, size).transpose(0, 1).flatten(2).flatten(0, 1),
    "The patches are taken column by column. Take them like words on a page: first all patches of "
    "the upper row.",
    lambda image, size: _squares(image, size).transpose(3, 4).flatten(2).flatten(0, 1),
    "Each patch is read column by column. Read it line by line.",
    lambda image, size: _squares(image, size).permute(0, 1, 3, 4, 2).flatten(2).flatten(0, 1),
    "The channels of one point are neighbors. Write all of the first channel, then the next one.",
    lambda image, size: _squares(image, size).permute(2, 0, 1, 3, 4).flatten(3).flatten(0, 2),
    "Each channel of a patch has become a token of its own. All channels of a patch are in one "
    "row.",
    lambda image, size: _squares(image, size).mean(dim=2).flatten(2).flatten(0, 1),
    "You take the mean of the channels. The patch keeps all of them.",
    _overlapping,
    "Your patches overlap. The next patch begins where the last one ends.",
    lambda image, size: _reference(image, size).T,
    "This is the transpose: a patch is a column here, but a token must be a row.",
)


def _by_loops(image: Tensor, size: int) -> Tensor:
    rows = [
        image[:, top : top + size, left : left + size].flatten()
        for top in range(0, image.shape[1], size)
        for left in range(0, image.shape[2], size)
    ]
    return torch.stack(rows)


def _by_unfold(image: Tensor, size: int) -> Tensor:
    patches = image.unfold(1, size, size).unfold(2, size, size)
    return patches.permute(1, 2, 0, 3, 4).reshape(-1, image.shape[0] * size * size)


def _draw(draw: Draw) -> Inputs:
    size = draw.size(1, 3)
    channels, height, width = draw.size(1, 3), size * draw.size(1, 3), size * draw.size(1, 3)
    return draw.normal(channels, height, width), size


def _case(
    name: str, channels: int, height: int, width: int, size: int,
    dtype: torch.dtype = torch.float32,
) -> Case:  # fmt: skip
    return Case(name, {"image": _normal(channels, height, width, dtype=dtype), "size": size})


image_tokens = Exercise(
    name="a_gpt_of_your_own.image_tokens",
    reference=_reference,
    cases=(
        Case(
            "the image of the drawing, 1 to 16",
            {"image": torch.arange(1.0, 17).view(1, 4, 4), "size": 2},
        ),
        _case("three channels, 4 × 6 numbers, patches of 2", 3, 4, 6, 2),
        _case("two channels, 9 × 6, patches of 3, float64", 2, 9, 6, 3, torch.float64),
        _case("one patch is the whole image", 2, 3, 3, 3),
        _case("one channel, patches of one number", 1, 2, 4, 1),
        _case("a wide image, 2 × 8, patches of 2", 1, 2, 8, 2),
        _case("a tall image, 8 × 4, patches of 4, float64", 4, 8, 4, 4, torch.float64),
    ),
    mistakes=_MISTAKES,
    right_answers=(_by_loops, _by_unfold),
    draw=_draw,
    hint_texts=(
        "Which numbers of the image 1 to 16 are in its first patch? Are they neighbors in memory?",
        "Split height into (height / P, P) and width into (width / P, P): the image has five axes "
        "then. Move the two axes that count patches to the front.",
        "x = image.unflatten(2, (-1, size)).unflatten(1, (-1, size)) has the axes channel, patch "
        "row, line, patch column, point. x.permute(1, 3, 0, 2, 4), and then flatten the last "
        "three axes and the first two.",
    ),
    starter='''\
def image_tokens(image, size):
    """The patches of an image as rows: (T, C·size·size).

    image (C, height, width); size divides height and width. Patches
    are in reading order. A row has the patch's first channel, line
    by line, then the next channel.
    """
    ...
''',
    remarks=(GRADIENT,),
)
