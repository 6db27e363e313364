"""The family tree: its counts equal the package's, and its blocks match the papers."""

from pathlib import Path

import pytest
import torch

import transformer_lite as tl
from lessons.descendants.family_tree.family_tree import DTYPES
from lessons.descendants.family_tree.sizes import (
    ORIGINAL,
    PARENTS,
    SIZES,
    kinds,
    origin,
    parameters,
)
from lessons.descendants.family_tree.words import CHAPTERS
from tests.lessons.descendants.family_tree.spec import make as tree
from transformer_lite.models import count_multiply_adds, count_parameters, memory

NOTEBOOKS = Path(__file__).parents[4] / "notebooks"
every_model = pytest.mark.parametrize("name", PARENTS)


def test_the_counts_of_the_original_equal_the_built_model():
    """Part by part: a shared table, LayerNorm after each sum, sines without weights."""
    size = SIZES[ORIGINAL]
    words = size.vocab_size
    with torch.device("meta"):
        model = tl.build(tl.TransformerConfig(words, words, tie_embeddings=True))
    found = dict.fromkeys(parameters(ORIGINAL)._fields, 0)
    kinds_of = {
        "embedding": "embedding",
        "attention": "attention",
        "feed_forward": "feed_forward",
        "norm": "norms",
    }
    for name, weight in model.named_parameters():
        [kind] = [to for word, to in kinds_of.items() if f"{word}." in f"{name}."][-1:]
        found[kind] += weight.numel()
    assert found == parameters(ORIGINAL)._asdict()
    assert abs(parameters(ORIGINAL).total / size.claimed - 1) < 0.03


@every_model
def test_parameters_work_and_memory_match_the_published_sizes(name):
    figure, size = tree(model=name, context=512, texts=4), SIZES[name]
    results, counts = figure.results(), parameters(name)
    assert results["parameters"][:-1, 0].tolist() == list(counts)
    assert results["parameters"][-1, 0] == counts.total
    assert results["parameters"][:-1, 1].sum() == pytest.approx(100)
    keys = 197 if name == "ViT-B/16" else 512
    work = count_multiply_adds(size, keys)
    assert results["work"][:, 0].tolist() == [*work, work.total]
    if name != ORIGINAL:
        assert counts == count_parameters(size)
        for dtype, kind in DTYPES.items():
            room = memory(size, kind)
            each = room.cache_bytes_per_token
            held = [room.weight_bytes, room.training_bytes, each, 4 * keys * each]
            assert tree(model=name, context=512, texts=4, dtype=dtype).results()[
                "bytes"
            ].flatten().tolist() == pytest.approx(held, rel=1e-12)


def test_each_part_is_credited_to_the_model_that_introduced_it():
    came = {name: {part for part in kinds(name) if origin(name, part) == name} for name in PARENTS}
    assert came == {
        ORIGINAL: {*kinds(ORIGINAL)},
        "BERT base": {"input", "halves", "positions", "network", "output"},
        "ViT-B/16": {"input", "place", "output"},
        "T5 small": {"positions", "norm", "place", "biases"},
        "GPT-2 small": {"halves", "positions", "place", "network"},
        "Llama 7B": {"positions", "norm", "network", "biases", "output"},
        "Llama 3 8B": {"attention"},
        "Qwen3 8B": {"attention"},
        "Mistral 7B": {"attention", "reach"},
        "Mixtral 8x7B": {"reach", "experts"},
    }


def test_every_parent_is_listed_before_its_children_and_not_younger():
    names = [*PARENTS]
    for name, parent in PARENTS.items():
        if parent:
            assert names.index(parent) < names.index(name)
            assert SIZES[parent].year <= SIZES[name].year


def test_every_kind_has_its_chapter_and_every_chapter_is_there():
    shown = {kind for name in PARENTS for kind in kinds(name).values()}
    assert {*CHAPTERS} == shown
    for chapter in CHAPTERS.values():
        number, *words = chapter.split()
        slug = "descendants" if words == ["this", "one"] else "_".join(words)
        assert (NOTEBOOKS / f"{number}_{slug}.ipynb").is_file()
