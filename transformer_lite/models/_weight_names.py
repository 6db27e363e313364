"""Which weight of ours is which of Hugging Face's: one table a family, read in both directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from torch import Tensor, nn

from transformer_lite.models._conversion import copied


class Fused(NamedTuple):
    """Weights that theirs keeps as one, side by side, and as x W where ours is x Wᵀ."""

    parts: tuple[str, ...]


# {} is the number of a layer, * is "weight" or "bias".
Table = Mapping[str, str | Fused]

BERT: Table = {
    "embeddings.word_embeddings.weight": "embedding.table.weight",
    "embeddings.position_embeddings.weight": "embedding.positions.table",
    "embeddings.token_type_embeddings.weight": "embedding.segment_table.weight",
    "embeddings.LayerNorm.*": "embedding.norm.*",
    "encoder.layer.{}.attention.self.query.*": "encoder.layers.{}.self_attention.q_proj.*",
    "encoder.layer.{}.attention.self.key.*": "encoder.layers.{}.self_attention.k_proj.*",
    "encoder.layer.{}.attention.self.value.*": "encoder.layers.{}.self_attention.v_proj.*",
    "encoder.layer.{}.attention.output.dense.*": "encoder.layers.{}.self_attention.out_proj.*",
    "encoder.layer.{}.attention.output.LayerNorm.*": (
        "encoder.layers.{}.self_attention_residual.norm.*"
    ),
    "encoder.layer.{}.intermediate.dense.*": "encoder.layers.{}.feed_forward.up.*",
    "encoder.layer.{}.output.dense.*": "encoder.layers.{}.feed_forward.down.*",
    "encoder.layer.{}.output.LayerNorm.*": "encoder.layers.{}.feed_forward_residual.norm.*",
    "pooler.dense.*": "pooler.proj.*",
}


class Pair(NamedTuple):
    """One weight of theirs, and the weight or weights of ours that hold the same numbers."""

    theirs: str
    ours: tuple[str, ...]
    fused: bool

    def split(self, weight: Tensor) -> list[Tensor]:
        """Return a weight of theirs as ours have it."""
        return list(weight.mT.chunk(len(self.ours))) if self.fused else [weight]


def pairs(table: Table, ours: Mapping[str, Tensor]) -> Iterator[Pair]:
    """Return what of a table these weights of ours have, layer by layer."""
    for theirs, entry in table.items():
        names = entry.parts if isinstance(entry, Fused) else (entry,)
        for ending in ("weight", "bias") if "*" in theirs else ("",):
            numbers = range(len(ours)) if "{}" in theirs else range(1)
            for number in numbers:
                found = tuple(name.replace("*", ending).format(number) for name in names)
                if found[0] not in ours:
                    break
                yield Pair(
                    theirs.replace("*", ending).format(number), found, isinstance(entry, Fused)
                )


def fill(model: nn.Module, table: Table, theirs: Mapping[str, Tensor]) -> set[str]:
    """Give every weight of a model a copy of theirs; what is one tensor there is one here.

    Args:
        model: ours, whose weights may be on the meta device.
        table: the family's table.
        theirs: all weights of theirs by name.

    Returns:
        The names of theirs that nothing of ours has taken.

    Raises:
        ValueError: a weight is missing or has another shape, or one of ours is filled by none.
    """
    expected = dict(model.named_parameters(remove_duplicate=False))
    taken: set[str] = set()
    copies: dict[int, nn.Parameter] = {}
    for pair in pairs(table, expected):
        if pair.theirs not in theirs:
            raise ValueError(f"weights must hold {pair.theirs}, got none of that name")
        weight = theirs[pair.theirs]
        taken.add(pair.theirs)
        for name, part in zip(pair.ours, pair.split(weight), strict=True):
            if part.shape != expected[name].shape:
                raise ValueError(
                    f"{pair.theirs} must fill {name} of shape {tuple(expected[name].shape)}, "
                    f"got {tuple(part.shape)}"
                )
            copy = copied(part) if pair.fused else copies.setdefault(id(weight), copied(part))
            owner, _, attribute = name.rpartition(".")
            setattr(model.get_submodule(owner), attribute, copy)
    empty = [name for name, weight in model.named_parameters() if weight.is_meta]
    if empty:
        raise ValueError(f"every weight of ours must be filled, got none for {', '.join(empty)}")
    return theirs.keys() - taken
