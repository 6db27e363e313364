"""A router: which experts a token takes, with which weights, and how busy each of them is."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.rows import normalize_rows

_normal = normal_numbers("descendants.route")
_Answer = tuple[Tensor, Tensor]
_Gates = Callable[[Tensor, Tensor], Tensor]


def _chosen(scores: Tensor, num_chosen: int, largest: bool = True) -> Tensor:
    """True at the experts that a token takes, (T, E)."""
    at = scores.topk(num_chosen, dim=-1, largest=largest).indices
    return torch.zeros_like(scores, dtype=torch.bool).scatter(-1, at, True)


def _softmax_over(scores: Tensor, chosen: Tensor) -> Tensor:
    return scores.masked_fill(~chosen, -torch.inf).softmax(dim=-1)


def _share(chosen: Tensor, num_chosen: int) -> Tensor:
    return chosen.float().mean(dim=0) / num_chosen


def _with(
    gates: _Gates = _softmax_over,
    share: Callable[[Tensor, int], Tensor] = _share,
    largest: bool = True,
) -> Callable[[Tensor, int], _Answer]:
    """Return a router in which one of the steps is another."""

    def route(scores: Tensor, num_chosen: int) -> _Answer:
        chosen = _chosen(scores, num_chosen, largest)
        return gates(scores, chosen), share(chosen, num_chosen)

    return route


def _case(name: str, shape: tuple[int, int], k: int, size: float = 1.0) -> Case:
    return Case(name, {"scores": size * _normal(*shape), "num_chosen": k})


def _by_hand() -> Case:
    two = {"num_chosen": 2}
    ln3 = torch.tensor(3.0).log().item()
    scores = [[ln3, 0.0, -1.0, -2.0], [5.0, 1.0, 5 + ln3, 2.0], [1.0, 0.0, -1.0, 1 + ln3]]
    return Case("three tokens, two of four experts", {"scores": torch.tensor(scores)} | two)


_CASES = (
    _by_hand(),
    _case("7 tokens, 2 of 5 experts", (7, 5), 2),
    _case("6 tokens, 3 of 4 experts", (6, 4), 3),
    _case("5 tokens, 1 of 3 experts", (5, 3), 1),
    _case("all experts are chosen", (4, 3), 3),
    _case("one token, 2 of 6 experts", (1, 6), 2),
    _case("scores of thousands", (6, 4), 2, 2000.0),
    _case("one expert", (3, 1), 1),
)


def _down_the_tokens(scores: Tensor, chosen: Tensor) -> Tensor:
    return scores.masked_fill(~chosen, -torch.inf).softmax(dim=0).nan_to_num()


def _weighed(scores: Tensor, num_chosen: int) -> _Answer:
    gates = _softmax_over(scores, _chosen(scores, num_chosen))
    return gates, gates.mean(dim=0)


def _first_choices(scores: Tensor, num_chosen: int) -> _Answer:
    gates, first = _softmax_over(scores, _chosen(scores, num_chosen)), _chosen(scores, 1)
    return gates, _share(first, 1)


_MISTAKES = mistakes(
    _with(gates=lambda scores, chosen: scores.softmax(dim=-1) * chosen),
    "The softmax runs over all experts and the others are set to 0 afterwards, so the "
    "gates of a token sum to less than 1. Take the softmax of the chosen scores alone, or "
    "divide by the sum of what is left.",
    _with(gates=lambda scores, chosen: (scores * chosen).softmax(dim=-1)),
    "The scores of the other experts are set to 0, and exp(0) is 1: they still get a gate. "
    "Set their scores to −∞ instead of 0.",
    _with(gates=_down_the_tokens),
    "The softmax runs down the tokens. The gates of one token, a row, sum to 1.",
    _with(gates=lambda scores, chosen: normalize_rows(scores.exp() * chosen)),
    "exp overflows for large scores. Use softmax, which subtracts the largest score first.",
    _with(gates=lambda scores, chosen: normalize_rows(chosen.to(scores.dtype))),
    "Each chosen expert gets the same gate, whatever its score. Weigh them by the softmax of "
    "their scores.",
    _with(largest=False),
    "The experts with the smallest scores are chosen.",
    _weighed,
    "The load is computed as the mean gate. It should count the choices, each of them once, "
    "whatever its gate.",
    _with(share=lambda chosen, k: chosen.float().mean(dim=0)),
    "The loads sum to num_chosen. This is the fraction of the tokens that use an expert, but each "
    "token makes num_chosen choices. Divide by the number of all choices.",
    _with(share=lambda chosen, k: chosen.float().sum(dim=0)),
    "These are counts. A load is a count divided by the number of all choices.",
    _first_choices,
    "Only the first choice of each token is counted in the load. Count all choices.",
)


def _by_renormalizing(scores: Tensor, num_chosen: int) -> _Answer:
    """Chosen gates over their sum; scores are first moved so that no exponential overflows."""
    chosen = _chosen(scores, num_chosen)
    kept = (scores - scores.max(dim=-1, keepdim=True).values).exp() * chosen
    count = chosen.sum(dim=0).to(scores.dtype)
    return kept / kept.sum(dim=-1, keepdim=True), count / count.sum()


def _by_scattering(scores: Tensor, num_chosen: int) -> _Answer:
    best, at = scores.topk(num_chosen, dim=-1)
    gates = torch.zeros_like(scores).scatter(-1, at, best.softmax(dim=-1))
    count = torch.bincount(at.flatten(), minlength=scores.shape[1])
    return gates, count.to(scores.dtype) / at.numel()


def _draw(draw: Draw) -> Inputs:
    experts = draw.size(1, 7)
    scores = draw.normal(draw.size(1, 8), experts, size=draw.choice(1, 1, 2, 30, 1000))
    return scores.float(), draw.size(1, experts)


route = Exercise(
    name="descendants.route",
    reference=_with(),
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_renormalizing, _by_scattering),
    draw=_draw,
    hint_texts=(
        "In the first case, which two experts does the first token take? Their scores are ln 3 and "
        "0. What is the ratio of their gates?",
        "topk gives scores and indices of the chosen ones. Where does the softmax of these few "
        "scores belong in a row of zeros? And how often does each index occur?",
        "best, at = scores.topk(num_chosen, dim=-1). The gates are torch.zeros_like(scores)"
        ".scatter(-1, at, best.softmax(dim=-1)), and the load is torch.bincount(at.flatten(), "
        "minlength=scores.shape[1]) / at.numel().",
    ),
    starter='''\
def route(scores, num_chosen):
    """Gates (T, E) and the load of each expert (E,).

    scores (T, E) of each token and expert, no two in a row alike.
    """
    raise NotImplementedError
''',
)
