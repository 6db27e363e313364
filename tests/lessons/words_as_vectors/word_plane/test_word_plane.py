"""The word plane: its numbers are those of MiniLM's vectors, and its planes are projections."""

import itertools

import pytest
import torch
import torch.nn.functional as F

from lessons.kit.figures.units import number
from lessons.words_as_vectors.word_plane import record
from lessons.words_as_vectors.word_plane.word_plane import (
    SHARED,
    recorded,
    word_vectors,
    words,
)
from tests.lessons.words_as_vectors.word_plane.spec import QUESTIONS
from tests.lessons.words_as_vectors.word_plane.spec import make as figure_of
from transformer_lite.before.neighbors import analogy
from transformer_lite.models.pretrained import minilm_embeddings


@pytest.fixture(scope="module")
def minilm() -> tuple[torch.Tensor, list[str]]:
    """MiniLM's table of embeddings in float64, and its pieces."""
    vectors, pieces = minilm_embeddings()
    return vectors.double(), pieces


@pytest.fixture(scope="module")
def real(minilm) -> torch.Tensor:
    """Return the vectors of the figure's words in MiniLM."""
    vectors, pieces = minilm
    return F.normalize(vectors[[pieces.index(word) for word in words()]], dim=1)


def test_the_script_reproduces_the_record():
    again = record.record()
    stored = recorded()
    assert again["words"] == stored["words"] == words()
    assert again["products"] == stored["products"]
    places, known = (torch.tensor(x["places"]) for x in (again, stored))
    assert (places - known).abs().max() <= 1  # ten-thousandths: machines round differently


def test_inner_products_equal_those_of_minilms_vectors(real):
    ours = word_vectors()
    torch.testing.assert_close(ours @ ours.T, real @ real.T, rtol=0, atol=6e-7)


def test_printed_cosines_equal_those_of_minilms_vectors(real):
    """If the real one lies between two printed numbers, either may be printed."""
    ours = word_vectors()
    ours, true = ours @ ours.T, real @ real.T
    for i, j in itertools.combinations(range(len(real)), 2):
        x = true[i, j].item()
        assert number(ours[i, j].item(), 3) in {number(x - 1e-6, 3), number(x + 1e-6, 3)}


@pytest.mark.parametrize("exclude", [True, False])
@pytest.mark.parametrize("three", QUESTIONS)
def test_nearest_words_equal_those_of_minilms_vectors(real, three, exclude):
    a, b, c = map(words().index, three)
    wanted = analogy(real, b, a, c, exclude, count=SHARED["rows"])
    found = figure_of(pair=[*three[:2]], start=three[2], exclude=exclude).nearest()
    assert found.rows == wanted.rows
    assert found.cosines == pytest.approx(wanted.cosines, abs=3e-6)


@pytest.mark.parametrize("exclude", [True, False])
@pytest.mark.parametrize("three", SHARED["examples"])
def test_the_examples_have_the_same_answer_among_all_of_minilms_tokens(minilm, three, exclude):
    """Sixty words could make a hard question easy: of 30,522 pieces the same one comes first."""
    vectors, pieces = minilm
    a, b, c = map(pieces.index, three)
    first = analogy(vectors, b, a, c, exclude).rows[0]
    found = figure_of(pair=[*three[:2]], start=three[2], exclude=exclude).nearest()
    assert words()[found.rows[0]] == pieces[first]


@pytest.mark.parametrize("three", QUESTIONS)
def test_both_planes_are_projections_and_the_arrow_is_drawn_once(three):
    vectors = word_vectors()
    apart = torch.cdist(vectors, vectors)
    for plane in SHARED["planes"]:
        places = figure_of(pair=[*three[:2]], start=three[2], plane=plane).places()
        assert (torch.cdist(places, places) <= apart + 1e-3).all()  # nothing grows longer


def test_one_plane_keeps_most_variance_and_the_other_the_exact_arrows():
    middle = word_vectors() - word_vectors().mean(dim=0)
    values = torch.linalg.svdvals(middle).square()
    best = (values[:2].sum() / values.sum()).item()
    for a, b, c in SHARED["examples"]:
        kept = {
            plane: figure_of(pair=[a, b], start=c, plane=plane).results()["kept"]
            for plane in SHARED["planes"]
        }
        assert kept["all"][0].item() == pytest.approx(best, abs=1e-4)
        assert kept["three"][0].item() < best
        assert kept["three"][1].item() == pytest.approx(1)
        assert kept["all"][1].item() < 1
        vectors, three = word_vectors(), figure_of(pair=[a, b], start=c, plane="three").places()
        rows = [words().index(word) for word in (a, b, c)]
        torch.testing.assert_close(
            torch.cdist(three[rows], three[rows]), torch.cdist(vectors[rows], vectors[rows])
        )
