"""Convert weights back to Hugging Face's names, perhaps after more training."""

from __future__ import annotations

from torch import Tensor, nn

from transformer_lite.models.difference import first_difference
from transformer_lite.models.hugging_face import assembled
from transformer_lite.models.weight_names import Pair, fill, pairs


def to_hugging_face(model: nn.Module, like: nn.Module) -> dict[str, Tensor]:
    """Return the weights of a model under Hugging Face's names, to load into their class.

    Converting there and back changes no bit. Weights that are tied in `like` must be tied in
    `model`.

    Args:
        model: the result of :func:`from_hugging_face` for a model like `like`, perhaps trained
            since, or the `encoder` of :func:`minilm`.
        like: a model of the same sizes of a class that :func:`from_hugging_face` converts, whose
            own weights are neither read nor changed.

    Returns:
        A `state_dict` with copies of the weights; ``like.load_state_dict`` takes it.

    Raises:
        TypeError: `model` is not a module, or `like` of another class.
        ValueError: `model` has other parts than ours for `like`, or two weights where `like` has
            tied ones.

    Reference: as for :func:`from_hugging_face`.
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be a torch.nn.Module, got {type(model).__name__}")
    expected, table = assembled(like, "like")
    theirs = like.state_dict(keep_vars=True)
    ours = dict(model.named_parameters(remove_duplicate=False))
    found = {pair.theirs: pair for pair in pairs(table, ours)}
    first: dict[int, Pair] = {}
    for name, weight in theirs.items():
        if name in found:
            tied = first.setdefault(id(weight), found[name])
            if ours[tied.ours[0]] is not ours[found[name].ours[0]]:
                raise ValueError(
                    f"model must have one weight for {tied.theirs} and {name}, which are tied in "
                    f"like, got {tied.ours[0]} and {found[name].ours[0]}"
                )
    # Our model for theirs, with tied weights tied, but without numbers.
    shapes = {id(weight): weight.detach().to("meta") for weight in theirs.values()}
    fill(expected, table, {name: shapes[id(weight)] for name, weight in theirs.items()})
    came = first_difference(model, lambda: expected)
    if came is not None:
        raise ValueError(f"model must have the parts of like, {type(like).__name__}, got {came}")
    copies: dict[int, Tensor] = {}  # one copy of each tensor, so that tied weights stay tied
    return {
        name: copies.setdefault(id(weight), _joined(found[name], ours))
        for name, weight in theirs.items()
    }


def _joined(pair: Pair, ours: dict[str, nn.Parameter]) -> Tensor:
    return pair.join([ours[name].detach() for name in pair.ours]).clone()
