"""The family tree: what it stores is what the package counts, and its blocks are the models'."""

from pathlib import Path

import pytest
import torch

import transformer_lite as tl
from lessons.descendants.family_tree.family_tree import DTYPES, SHARED, grouped
from lessons.descendants.family_tree.sizes import (
    ORIGINAL,
    PARENTS,
    SIZES,
    kinds,
    origin,
    parameters,
    stored,
)
from lessons.descendants.family_tree.words import CHAPTERS, FAMILY
from tests.lessons.descendants.family_tree.spec import make as tree
from transformer_lite.models import PUBLISHED, count_multiply_adds, count_parameters, memory

NOTEBOOKS = Path(__file__).parents[4] / "notebooks"
every_model = pytest.mark.parametrize("name", PARENTS)


def test_all_but_the_original_are_published_sizes():
    assert {name for name in PARENTS if SIZES[name] is not PUBLISHED.get(name)} == {ORIGINAL}


def test_the_original_counts_as_the_package_builds_it():
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
def test_the_numbers_are_those_of_the_published_sizes(name):
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


def test_a_window_ends_the_cache_and_a_table_of_positions_the_text():
    def bytes_at(model: str, context: int) -> list[float]:
        return tree(model=model, context=context).results()["bytes"].flatten().tolist()

    assert bytes_at("Mistral 7B", 131072) == bytes_at("Mistral 7B", 4096)
    assert bytes_at("Mistral 7B", 4096)[3] == 2 * bytes_at("Mistral 7B", 2048)[3]
    assert bytes_at("Mixtral 8x7B", 131072)[3] == 32 * bytes_at("Mixtral 8x7B", 4096)[3]
    assert [tree(model=name, context=131072).keys_met() for name in PARENTS] == [
        *(131072, 512, 197, 131072, 1024, 131072, 131072, 4096, 131072)
    ]


def test_parts_come_from_where_the_papers_say():
    came = {name: {part for part in kinds(name) if origin(name, part) == name} for name in PARENTS}
    assert came == {
        ORIGINAL: {*kinds(ORIGINAL)},
        "BERT base": {"input", "halves", "positions", "network", "output"},
        "ViT-B/16": {"input", "place", "output"},
        "T5 small": {"positions", "norm", "place", "biases"},
        "GPT-2 small": {"halves", "positions", "place", "network"},
        "Llama 7B": {"positions", "norm", "network", "biases", "output"},
        "Llama 3 8B": {"attention"},
        "Mistral 7B": {"attention", "reach"},
        "Mixtral 8x7B": {"reach", "experts"},
    }


def test_every_parent_stands_above_and_is_no_younger():
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


def test_the_parts_have_names_for_readers():
    assert [*FAMILY] == [*kinds(ORIGINAL)]
    assert {*SHARED["dtypes"]} == {*DTYPES}
    assert all(DTYPES[name].itemsize == size for name, size in SHARED["dtypes"].items())


@every_model
def test_the_page_is_told_counts_from_which_all_others_follow(name):
    told, size = stored(name), SIZES[name]
    assert told["parameters"] == list(parameters(name))
    assert told["work"] == list(count_multiply_adds(size, 1))
    assert told["work"][2] * 300 == count_multiply_adds(size, 300).scores
    assert told["cached"] * 2 == memory(size, torch.bfloat16).cache_bytes_per_token
    assert told["line"][0] == ORIGINAL and told["line"][-1] == name


def test_only_experts_are_met_in_part():
    partly = [n for n in PARENTS if stored(n)["active"] < sum(stored(n)["parameters"])]
    assert partly == ["Mixtral 8x7B"]


@pytest.mark.parametrize(
    ("x", "text"),
    [
        *((0.0, "0"), (999.0, "999"), (1000.0, "1,000"), (46_702_792_704.0, "46,702,792,704")),
        *((70.19, "70.2"), (99.96, "100"), (1234.56, "1,234.6")),
    ],
)
def test_grouped_writes_to_the_unit(x, text):
    assert grouped(x) == text


def test_the_picture_names_the_line_of_ancestors_and_what_is_new():
    picture = tree(model="Mixtral 8x7B").picture()
    line = "original base, 2017 → GPT-2 small, 2019 → Llama 7B, 2023 → Mistral 7B, 2023 → Mixtral"
    assert line in picture
    assert picture.count(SHARED["new"]) == 2
    assert "46,702,792,704" in picture
