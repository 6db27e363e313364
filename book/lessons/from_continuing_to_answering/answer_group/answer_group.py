"""A group of answers: rewards, advantages, and what the update does to every probability."""

import html
from typing import Any

import torch
from torch import Tensor
from traitlets import Bool, Float, Int, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from lessons.kit.figures.units import number

SHARED = shared("answer_group")
TINY = 1e-4  # added to a standard deviation, which may be 0


class AnswerGroup(LiveFigure):
    """Gradient steps on one group of four answers, for a model of five logits.

    The reader chooses a group, the checker and the parts of the objective, and takes steps. The
    frozen copy of the KL term, and the model that drew the answers, are the model before.

    Args:
        group: the index of the group, 0 to 4.
        checker: "exact" rewards the two right answers, "anywhere" each answer with the right word.
        baseline: whether the mean of the group's rewards is subtracted from each.
        scaled: whether the difference is divided by the standard deviation of the group's rewards;
            without a baseline it changes nothing.
        clip: whether the ratio of new and old probability is clipped to between 0.8 and 1.2.
        kl: the weight of the KL term, 0 to 1.
        steps: how many steps of rate 0.3 are taken on the same group, 0 to 12.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "answer_group"

    group = Int(0).tag(sync=True, figure=True, limits={"min": 0, "max": len(SHARED["groups"]) - 1})
    checker = Unicode("exact").tag(sync=True, figure=True, options=SHARED["checkers"])
    baseline = Bool(True).tag(sync=True, figure=True)
    scaled = Bool(True).tag(sync=True, figure=True)
    clip = Bool(False).tag(sync=True, figure=True)
    kl = Float(0.0).tag(sync=True, figure=True, limits=SHARED["kl"])
    steps = Int(1).tag(sync=True, figure=True, limits=SHARED["steps"])

    def __init__(self, **traits: Any):
        super().__init__(**traits)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by autograd in float64.

        answers (5, 2) has the probability of each possible answer before and after the steps;
        group (4, 4) has the reward, the advantage, the ratio and the KL term of each drawn answer;
        measures (2, 2) has the expected reward and the entropy, before and after.
        """
        drawn = torch.tensor(SHARED["groups"][self.group])
        right = torch.tensor(SHARED["right"][self.checker], dtype=torch.float64)
        start = torch.tensor(SHARED["start"], dtype=torch.float64).log()
        rewards = right[drawn]
        gains = rewards
        if self.baseline:
            size = rewards.std(correction=0) + TINY if self.scaled else 1.0
            gains = (rewards - rewards.mean()) / size
        logits = start.clone()
        for _ in range(self.steps):
            logits.requires_grad_()
            (slope,) = torch.autograd.grad(self._objective(logits, start, drawn, gains), logits)
            logits = logits.detach() + SHARED["rate"] * slope
        before, after = start.log_softmax(dim=0), logits.log_softmax(dim=0)
        moved = (after - before)[drawn]
        both = torch.stack([before.exp(), after.exp()], dim=1)
        return {
            "answers": both,
            "group": torch.stack([rewards, gains, moved.exp(), _kl_term(-moved)], dim=1),
            "measures": torch.stack([right @ both, torch.special.entr(both).sum(dim=0)]),
        }

    def _objective(self, logits: Tensor, start: Tensor, drawn: Tensor, gains: Tensor) -> Tensor:
        moved = (logits.log_softmax(dim=0) - start.log_softmax(dim=0))[drawn]
        ratio, clip = moved.exp(), SHARED["clip"]
        each = ratio * gains
        if self.clip:
            each = torch.minimum(each, ratio.clamp(1 - clip, 1 + clip) * gains)
        return (each - self.kl * _kl_term(-moved)).mean()

    def picture(self) -> str:
        """Return the settings and all tables."""
        drawn = [SHARED["answers"][answer] for answer in SHARED["groups"][self.group]]
        rows = {"answers": SHARED["answers"], "group": drawn, "measures": SHARED["measures"]}
        names = {key: (rows[key], head) for key, head in SHARED["heads"].items()}
        tables = picture_tables(SHARED["captions"], self.results(), names, {"measures": "tl-plain"})
        asked = SHARED["checker_names"][SHARED["checkers"].index(self.checker)]
        settings = (
            f"The checker asks: {asked} Steps on this group: {self.steps}; "
            f"{'the mean is subtracted' if self.baseline else 'no baseline'}; "
            f"{'divided' if self.baseline and self.scaled else 'not divided'} by the deviation; "
            f"{'clipped' if self.clip else 'not clipped'}; KL term {number(self.kl)}."
        )
        aside = f'<p class="tl-aside">{html.escape(SHARED["question"])}</p>'
        return f"{aside}<p>{html.escape(settings)}</p>{panels(*tables)}"


def _kl_term(back: Tensor) -> Tensor:
    """Return the estimate of the KL divergence from ln of the frozen over the new probability."""
    return back.exp() - back - 1
