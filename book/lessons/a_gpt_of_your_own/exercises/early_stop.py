"""Early stopping: when a run ends, and which of its weights are kept."""

import math

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes

_Stop = tuple[int, int]


def _reference(losses: list[float], patience: int) -> _Stop:
    best = 0
    for check, loss in enumerate(losses):
        if loss < losses[best]:
            best = check
        elif check - best == patience:
            return best, check
    return best, len(losses) - 1


def _by_counter(
    losses: list[float],
    patience: int,
    *,
    resets: bool = True,
    with_last: bool = False,
    ties: bool = False,
) -> _Stop:
    """Count the checks without a new least loss, in one of several ways."""
    best, count = 0, 0
    for check in range(1, len(losses)):
        rival = losses[check - 1] if with_last else losses[best]
        better = losses[check] <= rival if ties else losses[check] < rival
        if losses[check] < losses[best] or (ties and losses[check] == losses[best]):
            best = check
        if better:
            count = 0 if resets else count
        else:
            count += 1
        if count == patience:
            return best, check
    return best, len(losses) - 1


def _last_kept(losses: list[float], patience: int) -> _Stop:
    stopped = _reference(losses, patience)[1]
    return stopped, stopped


def _foresight(losses: list[float], patience: int) -> _Stop:
    best = losses.index(min(losses))
    return best, min(best + patience, len(losses) - 1)


def _one_later(losses: list[float], patience: int) -> _Stop:
    return _reference(losses, patience + 1)


def _one_earlier(losses: list[float], patience: int) -> _Stop:
    return _reference(losses, max(1, patience - 1))


def _best_before_the_stop_is_forgotten(losses: list[float], patience: int) -> _Stop:
    return losses.index(min(losses)), _reference(losses, patience)[1]


_MISTAKES = mistakes(
    _last_kept,
    "You keep the weights of the check at which the run stops. By then the held-out loss has "
    "risen; keep those of its least value.",
    _foresight,
    "You look for the least loss of all checks. A run that has stopped never sees the later ones.",
    _one_later,
    "You stop one check too late: the run ends at the check number `patience` without a new least "
    "loss.",
    _one_earlier,
    "You stop one check too early: `patience` checks in a row must pass without a new least loss.",
    lambda losses, patience: _by_counter(losses, patience, resets=False),
    "The counter is never set back to 0. A new least loss starts the waiting again.",
    lambda losses, patience: _by_counter(losses, patience, with_last=True),
    "You compare each loss with the one before. A loss that falls a little after a rise is no new "
    "least loss, so compare with the least so far.",
    lambda losses, patience: _by_counter(losses, patience, ties=True),
    "A loss that equals the least one counts as better here. Nothing was gained, so the run keeps "
    "waiting and keeps the earlier weights.",
    _best_before_the_stop_is_forgotten,
    "The kept check lies after the stop. Those weights never existed: look only at the checks up "
    "to the stop.",
)


def _backwards(losses: list[float], patience: int) -> _Stop:
    for stopped in range(len(losses)):
        seen = losses[: stopped + 1]
        best = seen.index(min(seen))
        if stopped - best >= patience:
            return best, stopped
    best = losses.index(min(losses))
    return best, len(losses) - 1


def _with_a_counter(losses: list[float], patience: int) -> _Stop:
    kept, least, waited = 0, math.inf, 0
    for check, loss in enumerate(losses):
        if loss < least:
            kept, least, waited = check, loss, 0
            continue
        waited += 1
        if waited == patience:
            return kept, check
    return kept, len(losses) - 1


def _draw(draw: Draw) -> Inputs:
    count = draw.size(1, 9)
    losses = [draw.size(1, 6) / 2 for _ in range(count)]
    return losses, draw.size(1, 3)


_LOSSES: dict[str, tuple[list[float], int]] = {
    "falls to 2.5, then rises twice": ([4.0, 3.0, 2.5, 2.75, 3.0, 2.0], 2),
    "never rises": ([4.0, 3.5, 3.25, 3.0], 2),
    "rises from the start": ([3.0, 3.5, 4.0, 4.5], 1),
    "a rise, a new least loss, two rises": ([4.0, 3.0, 3.5, 2.75, 3.0, 3.25, 3.5], 2),
    "two single rises between new least losses": ([4.0, 4.5, 3.0, 3.5, 2.0, 2.5, 1.0], 2),
    "falls after a rise, but not below the least": ([4.0, 2.0, 3.0, 2.75, 2.5, 2.25], 3),
    "the least loss twice": ([4.0, 3.0, 3.0, 3.0, 2.0], 2),
    "one check": ([3.0], 3),
    "a lower loss after the stop": ([3.0, 2.0, 2.5, 2.75, 2.75, 1.0], 3),
}

early_stop = Exercise(
    name="a_gpt_of_your_own.early_stop",
    reference=_reference,
    cases=tuple(
        Case(name, {"losses": losses, "patience": patience})
        for name, (losses, patience) in _LOSSES.items()
    ),
    mistakes=_MISTAKES,
    right_answers=(_backwards, _with_a_counter),
    draw=_draw,
    hint_texts=(
        "Walk through the first case with a pencil. Which two numbers do you have to remember at "
        "each check?",
        "Remember the check with the least loss so far. A check without a new least loss is one "
        "more check of waiting. When has the run waited `patience` checks?",
        "best = 0; for check, loss in enumerate(losses): if loss < losses[best], then best = "
        "check; otherwise, if check - best == patience, return best and check. After the loop "
        "return best and the last check.",
    ),
    starter='''\
def early_stop(losses, patience):
    """The check whose weights are kept, and the check that ends the run.

    losses: held-out losses at the checks 0, 1, 2 …, a list. The run
    ends when `patience` checks in a row brought no loss below the
    least so far, or at the last check. Returns two whole numbers.
    """
    ...
''',
)
