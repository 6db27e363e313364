"""Speculative decoding of the GPT of the book, step by step, as the page computes it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from lessons.kit.draws import draw_index, uniform_floats
from lessons.kit.figures import shared
from lessons.trained.book_gpt import precise_book_gpt
from lessons.trained.book_gpt.drafts import draft_cost, draft_logits

SHARED = shared("draft_and_verify")
_NOTHING = 1e-9  # less residual than this is the rounding of zero


class Setting(NamedTuple):
    """What a text depends on, as the figure's traits name it.

    Attributes:
        text: the prompt.
        draft: the draft model, one of :data:`lessons.trained.book_gpt.drafts.DRAFTS`.
        length: how many words it drafts in each round, k.
        temperature: what the logits of both models are divided by.
        seed: of the random numbers.
        step: how many steps are done: the draft, the check, and each verdict is one.
    """

    text: str
    draft: str = "bigrams"
    length: int = 4
    temperature: float = 1.0
    seed: int = 0
    step: int = 1


class Round(NamedTuple):
    """One draft and its check.

    Attributes:
        start: the ids before the draft.
        drafted: the ids of the drafted words.
        q: for each drafted word, the draft model's probabilities.
        p: the large model's, at the same positions and at one more.
        chances: for each drafted word, the random number that decides about it.
        accepted: how many words are accepted.
        last: the id of the word after them: the replacement, or the bonus word.
    """

    start: tuple[int, ...]
    drafted: tuple[int, ...]
    q: tuple[Tensor, ...]
    p: tuple[Tensor, ...]
    chances: tuple[float, ...]
    accepted: int
    last: int

    @property
    def written(self) -> tuple[int, ...]:
        """Return the ids that the round adds to the text."""
        return (*self.drafted[: self.accepted], self.last)

    @property
    def judged(self) -> int:
        """Return how many drafted words get a verdict."""
        return min(self.accepted + 1, len(self.drafted))

    @property
    def steps(self) -> int:
        """Return how many steps the round takes: draft, check, verdicts, and the last word."""
        return self.judged + 3


class Moment(NamedTuple):
    """What is to be seen after some steps.

    Attributes:
        rounds: the rounds so far, the last one perhaps unfinished.
        step: how many steps are done, at most as many as there are.
        stage: drafted, checked, accepted, rejected, replaced or bonus.
        judged: how many words of the last draft have their verdict.
        focus: the position in the last draft that is looked at, from 0 to k.
    """

    rounds: tuple[Round, ...]
    step: int
    stage: str
    judged: int
    focus: int


def kept_part(p: Float[Tensor, " V"], q: Float[Tensor, " V"]) -> Float[Tensor, " V"]:
    """Return min(p, q): with this probability a word is drafted and accepted.

    Args:
        p: the large model's probabilities, shape (V,).
        q: the draft model's, shape (V,).

    Reference: Leviathan et al. 2023; Chen et al. 2023.
    """
    return torch.minimum(p, q)


def residual_part(p: Float[Tensor, " V"], q: Float[Tensor, " V"]) -> Float[Tensor, " V"]:
    """Return max(0, p − q): what min(p, q) lacks of p. Its sum is the probability of a rejection.

    Args:
        p: the large model's probabilities, shape (V,).
        q: the draft model's, shape (V,).
    """
    return (p - q).clamp(min=0)


def residual(p: Float[Tensor, " V"], q: Float[Tensor, " V"]) -> Float[Tensor, " V"]:
    """Return max(0, p − q) divided by its sum: the probabilities of a replacement; NaN if p = q.

    Args:
        p: the large model's probabilities, shape (V,).
        q: the draft model's, shape (V,).
    """
    part = residual_part(p, q)
    total = part.sum()
    return part / total if total > _NOTHING else torch.full_like(part, torch.nan)


def accepts(p: Float[Tensor, " V"], q: Float[Tensor, " V"], word: int, chance: float) -> bool:
    """Return whether a drafted word is accepted: the chance is below min(1, p/q).

    Args:
        p: the large model's probabilities, shape (V,).
        q: the draft model's, shape (V,).
        word: the id of the drafted word, so its q is above 0.
        chance: at least 0, below 1.
    """
    return chance < min(1.0, float(p[word] / q[word]))


def probabilities(model: str, ids: tuple[int, ...], temperature: float) -> Float[Tensor, " V"]:
    """Return a model's probabilities of the next word; "gpt" is the large model.

    Args:
        model: one of :data:`lessons.trained.book_gpt.drafts.DRAFTS`.
        ids: the text so far, its begin included.
        temperature: what the logits are divided by.
    """
    return (draft_logits(model, ids) / temperature).softmax(dim=-1)


def one_round(setting: Setting, start: tuple[int, ...], numbers: list[float]) -> Round:
    """Draft words, check them, and draw the word after the accepted ones.

    Args:
        setting: the draft model, its length and the temperature.
        start: the ids before the draft.
        numbers: 2k + 1 random numbers: k for the draft, k for the verdicts, one for the last word.
    """
    k, temperature = setting.length, setting.temperature
    ids, q = start, list[Tensor]()
    for chance in numbers[:k]:
        q.append(probabilities(setting.draft, ids, temperature))
        ids = (*ids, draw_index(q[-1], chance))
    drafted, verdicts = ids[len(start) :], numbers[k : 2 * k]
    p = [probabilities("gpt", ids[: len(start) + i], temperature) for i in range(k + 1)]
    judged = zip(p, q, drafted, verdicts, strict=False)
    accepted = next((i for i, one in enumerate(judged) if not accepts(*one)), k)
    after = residual(p[accepted], q[accepted]) if accepted < k else p[k]
    last = draw_index(after, numbers[2 * k])
    return Round(start, drafted, tuple(q), tuple(p), tuple(verdicts), accepted, last)


def rounds_of(setting: Setting) -> Iterator[Round]:
    """Yield the rounds of a text until it has :data:`SHARED` "most" words or a few more."""
    tokenizer = precise_book_gpt().tokenizer
    ids = (tokenizer.bos_id, *tokenizer.encode(setting.text)[-SHARED["words"] :])
    end, need = len(ids) + SHARED["most"], 2 * setting.length + 1
    numbers = uniform_floats(setting.seed, need * SHARED["most"])
    while len(ids) < end:
        found = one_round(setting, ids, numbers[:need])
        yield found
        ids, numbers = (*ids, *found.written), numbers[need:]


@lru_cache(maxsize=64)
def moment_of(setting: Setting) -> Moment:
    """Return what is to be seen after the steps of a setting."""
    rounds, left = list[Round](), setting.step
    for one in rounds_of(setting):
        if rounds and left <= 0:
            break
        rounds.append(one)
        left -= one.steps
    one = rounds[-1]
    done = min(left + one.steps, one.steps)
    judged = max(0, min(done - 2, one.judged))
    ended = done == one.steps
    full = one.accepted == len(one.drafted)
    stages = ["drafted", "checked", *["accepted"] * one.accepted, *["rejected"] * (not full)]
    stages.append("bonus" if full else "replaced")
    focus = one.accepted if ended else max(0, judged - 1)
    return Moment(
        tuple(rounds), sum(r.steps for r in rounds[:-1]) + done, stages[done - 1], judged, focus
    )


def written_at(moment: Moment) -> list[int]:
    """Return the ids of the text so far: prompt, finished rounds, and accepted words."""
    one = moment.rounds[-1]
    if moment.stage in ("replaced", "bonus"):
        return [*one.start, *one.written]
    return [*one.start, *one.drafted[: min(moment.judged, one.accepted)]]


def both_at(moment: Moment) -> tuple[Tensor, Tensor]:
    """Return p and q at the focus; p is NaN before the check, and q is 0 after the whole draft."""
    one, i = moment.rounds[-1], moment.focus
    q = one.q[i] if i < len(one.q) else torch.zeros_like(one.p[i])
    p = one.p[i] if moment.stage != "drafted" else torch.full_like(q, torch.nan)
    return p, q


def chosen_at(moment: Moment) -> int:
    """Return the id of the word at the focus: the drafted one, or the one that follows instead."""
    one = moment.rounds[-1]
    return one.last if moment.stage in ("replaced", "bonus") else one.drafted[moment.focus]


def shown_at(moment: Moment) -> list[int]:
    """Return the ids of the rows that show the focus: the likeliest words, and those in question.

    The likeliest have the largest max(p, q). The drafted word and its replacement are always shown.
    """
    one, (p, q) = moment.rounds[-1], both_at(moment)
    order = torch.fmax(p, q).argsort(descending=True, stable=True)[: SHARED["rows"]].tolist()
    wanted = {chosen_at(moment)}
    if moment.focus < len(one.drafted):
        wanted.add(one.drafted[moment.focus])
    missing = sorted(wanted - {*order})
    return [*order[: len(order) - len(missing)], *missing]


def draft_numbers(moment: Moment) -> Float[Tensor, "k 3"]:
    """Return q, p and min(1, p/q) of each drafted word, shape (k, 3); NaN before the check."""
    one = moment.rounds[-1]
    triples = zip(one.drafted, one.q, one.p, strict=False)
    pairs = torch.tensor([[float(q[w]), float(p[w])] for w, q, p in triples], dtype=torch.double)
    ratio = (pairs[:, 1] / pairs[:, 0]).clamp(max=1)
    found = torch.column_stack([pairs, ratio])
    if moment.stage == "drafted":
        found[:, 1:] = torch.nan
    return found


def why_numbers(moment: Moment) -> Float[Tensor, "R 3"]:
    """Return accepted part, residual part and p, shape (R, 3).

    The rows are the shown words, all other words, and all words together.
    """
    p, q = both_at(moment)
    columns = torch.stack([kept_part(p, q), residual_part(p, q), p], dim=-1)
    rows, total = columns[shown_at(moment)], columns.sum(dim=0)
    return torch.cat([rows, (total - rows.sum(dim=0))[None], total[None]])


def pass_numbers(setting: Setting, moment: Moment) -> Float[Tensor, "3 1"]:
    """Return the weights read by checks, by drafting and by plain decoding, shape (3, 1).

    The unit is one pass of the large model. A check reads all weights once, however many
    positions it computes.
    """
    rounds = len(moment.rounds)
    checks = rounds - (moment.stage == "drafted")
    drafting = rounds * setting.length * draft_cost(setting.draft)
    plain = len(written_at(moment)) - len(moment.rounds[0].start)
    return torch.tensor([[checks], [drafting], [plain]], dtype=torch.double)
