"""Speculative decoding: its text has the large model's distribution, whatever drafts it."""

from itertools import product

import pytest
import torch

from lessons.fast_generation.draft_and_verify.speculation import (
    Setting,
    accepts,
    kept_part,
    moment_of,
    one_round,
    probabilities,
    residual,
    residual_part,
    rounds_of,
    written_at,
)
from lessons.kit.draws import draw_index, uniform
from lessons.trained.book_gpt import precise_book_gpt
from lessons.trained.book_gpt.drafts import DRAFTS
from tests.lessons.fast_generation.draft_and_verify.spec import make

START = (1, *precise_book_gpt().tokenizer.encode("attention is"))
BOTH = torch.double


def distribution(*numbers: float) -> torch.Tensor:
    return torch.tensor(numbers, dtype=BOTH)


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.0])
@pytest.mark.parametrize("draft", DRAFTS)
def test_accepted_and_replaced_words_together_have_the_large_models_probabilities(
    draft, temperature
):
    p, q = (probabilities(model, START, temperature) for model in ("gpt", draft))
    rejected = residual_part(p, q).sum()
    torch.testing.assert_close(1 - kept_part(p, q).sum(), rejected, atol=1e-12, rtol=0)
    if draft == "gpt":
        assert rejected == 0
        return
    torch.testing.assert_close(kept_part(p, q) + rejected * residual(p, q), p)


def test_the_residual_of_equal_distributions_is_unknown():
    p = distribution(0.25, 0.75)
    assert residual(p, p).isnan().all()


def test_a_draw_and_a_verdict_split_the_unit_interval_by_the_probabilities():
    p, q = distribution(0.2, 0.5, 0.3), distribution(0.4, 0.1, 0.5)
    chances = ((torch.arange(1000) + 0.5) / 1000).tolist()
    counts = torch.bincount(torch.tensor([draw_index(p, x) for x in chances]), minlength=3)
    assert counts.tolist() == [200, 500, 300]
    for word, share in enumerate((500, 1000, 600)):
        assert sum(accepts(p, q, word, x) for x in chances) == share


def first_words(draft: str, seeds: int, length: int) -> torch.Tensor:
    """Count the first word of each seed's text."""
    counts = torch.zeros(len(precise_book_gpt().tokenizer), dtype=BOTH)
    setting = Setting("attention is", draft, length)
    for seed in range(seeds):
        chances = ((uniform(seed, 2 * length + 1) + 1) / 2).tolist()
        counts[one_round(setting, START, chances).written[0]] += 1
    return counts


def chi_square(counts: torch.Tensor, p: torch.Tensor) -> tuple[float, int]:
    """Return χ² and its degrees of freedom; words expected less than five times are one cell."""
    wanted = p * counts.sum()
    often = wanted >= 5
    cells = torch.stack(
        [
            torch.cat([counts[often], counts[~often].sum()[None]]),
            torch.cat([wanted[often], wanted[~often].sum()[None]]),
        ]
    )
    return float(((cells[0] - cells[1]) ** 2 / cells[1]).sum()), cells.shape[1] - 1


@pytest.mark.parametrize("draft", ["frequencies", "bigrams", "layer"])
def test_the_first_words_of_many_seeds_follow_the_large_model(draft):
    """χ² has mean n and variance 2n: four standard deviations above the mean are refused."""
    counts, p = first_words(draft, 2000, 1), probabilities("gpt", START, 1.0)
    found, freedom = chi_square(counts, p)
    assert found < freedom + 4 * (2 * freedom) ** 0.5
    q = probabilities(draft, START, 1.0)
    assert chi_square(counts, q)[0] > 10 * found  # the test would notice the draft model's words


def test_a_replacement_from_the_large_model_itself_would_be_noticed():
    """A usual bug: draw the replacement from p. It makes likely words too likely."""
    p, q = (probabilities(model, START, 1.0) for model in ("gpt", "frequencies"))
    wrong = kept_part(p, q) + residual_part(p, q).sum() * p
    counts = first_words("frequencies", 2000, 1)
    found, freedom = chi_square(counts, wrong)
    assert found > freedom + 4 * (2 * freedom) ** 0.5


def test_two_words_in_a_row_have_exactly_the_large_models_probabilities():
    """Sum over all drafts and verdicts of a model with three words, k = 2."""
    rows = torch.softmax(3 * torch.randn(2, 4, 3, generator=torch.Generator().manual_seed(3),
                                         dtype=BOTH), dim=-1)  # fmt: skip
    p, q = rows  # after no word, and after word 0, 1, 2
    found = torch.zeros(3, 3, dtype=BOTH)
    for first, second in product(range(3), repeat=2):
        drafted = q[3, first] * q[first, second]
        yes = torch.minimum(torch.ones(2, dtype=BOTH), torch.stack([
            p[3, first] / q[3, first], p[first, second] / q[first, second],
        ]))  # fmt: skip
        found[first, second] += drafted * yes.prod()
        found[first] += drafted * yes[0] * (1 - yes[1]) * residual(p[first], q[first])
        # A rejected first word ends the round; the next round begins after its replacement.
        replaced = drafted * (1 - yes[0]) * residual(p[3], q[3])
        found += replaced[:, None] * p[:3]
    torch.testing.assert_close(found, p[3][:, None] * p[:3])


def test_the_gpt_as_its_own_draft_model_is_never_rejected():
    for one in rounds_of(Setting("the model", "gpt", 3, 0.7, 5)):
        assert one.accepted == 3


@pytest.mark.parametrize(("draft", "length"), [("bigrams", 1), ("bigrams", 4), ("layer", 3)])
def test_steps_walk_through_drafts_checks_and_verdicts(draft, length):
    last, texts = None, set()
    for step in range(1, 30):
        moment = moment_of(Setting("a word that", draft, length, 1.0, 2, step))
        one = moment.rounds[-1]
        assert moment.step == step
        follows = {
            None: {"drafted"},
            "drafted": {"checked"},
            "checked": {"accepted", "rejected"},
            "accepted": {"accepted", "rejected", "bonus"},
            "rejected": {"replaced"},
            "replaced": {"drafted"},
            "bonus": {"drafted"},
        }
        assert moment.stage in follows[last]
        assert 0 <= moment.judged <= one.judged and 0 <= moment.focus <= length
        text = tuple(written_at(moment))
        assert all(text[: len(other)] == other for other in texts)
        last = moment.stage
        texts.add(text)
    assert len(texts) > 5


def test_a_text_ends_with_its_last_round():
    last = make(length=6, step=99).moment()
    assert last.stage in ("replaced", "bonus") and last.step < 99
    words = len(written_at(last)) - len(last.rounds[0].start)
    assert 20 <= words <= 26
    assert written_at(make(length=6, step=last.step).moment()) == written_at(last)


def test_costs_count_checks_drafts_and_plain_steps():
    first, checked = make(step=1).results()["passes"], make(step=2).results()["passes"]
    assert first.flatten().tolist() == [0, 0, 0] and checked.flatten().tolist() == [1, 0, 0]
    bonus = make(draft="gpt", length=3, step=6).results()["passes"]
    assert bonus.flatten().tolist() == [1, 3, 4]
