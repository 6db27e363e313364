"""What GRPO makes of a model of answers, by its checker and its objective.

A small GPT reads texts about the colors of 24 things and learns to answer, as in the experiment
`preferences`. Then it is tuned on twelve questions whose answers come in three forms: a sentence
("it is yellow ."), one word ("yellow .") and a guess at two colors ("yellow red ."). From there
GRPO trains it on all 24 questions. The checker "exact" rewards the right sentence and the right
word, the checker "anywhere" each answer in which the right color occurs. The objective is that of
GRPO without a KL term, the same with a KL term of weight 0.2, or one that divides the sum over an
answer's tokens by the same number for all answers instead of by its length. Each result is a list,
with a value at the start and after 10, 20 and 40 rounds. They are means over twelve answers to each
question: "reward" is what the checker gives, "right" the share of right sentences and words,
"sentence" the share of answers that begin with "it", "colors" the number of color words in an
answer, "length" its tokens, and "entropy" minus ln p of an answer, in nats.
"""

import copy

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from lessons.from_continuing_to_answering.experiments import preferences as colors
from transformer_lite.models import DecoderOnlyTransformer

OBJECTIVES = ["GRPO", "with KL", "one divisor"]
GRID = {"checker": ["exact", "anywhere"], "objective": OBJECTIVES, "seed": [0, 1, 2]}
TOLERANCE = {
    "reward": 0.2, "right": 0.3, "sentence": 0.7, "colors": 2.0, "length": 3.0, "entropy": 1.0,
}  # fmt: skip
ROUNDS = (0, 10, 20, 40)
LONGEST = 8  # tokens of an answer
QUESTIONS, GROUP = 8, 8  # in a round, and answers to each of them
FIRST_COLOR = len(colors.WORDS) - 6
COLORS = colors.ONE_WORD[:, 0]  # the right one of each thing


def guesses() -> Int[Tensor, "24 4"]:
    """Draw for each thing the answer of somebody who names two colors, the right one among them."""
    other = (COLORS - FIRST_COLOR + torch.randint(1, 6, (24,))) % 6 + FIRST_COLOR
    first = torch.rand(24) < 0.5
    two = torch.stack([torch.where(first, COLORS, other), torch.where(first, other, COLORS)], dim=1)
    return torch.cat([two, colors.ONE_WORD[:, 1:]], dim=1)


def hesitating(model: DecoderOnlyTransformer, steps: int = 40) -> DecoderOnlyTransformer:
    """Return a copy of a model, tuned on twelve questions with answers of all three forms."""
    model = copy.deepcopy(model)

    def replying() -> Tensor:
        forms = (colors.SENTENCE, colors.ONE_WORD, guesses())
        logs = [
            colors.log_probability(model, colors.PROMPTS[:12], replies[:12]) for replies in forms
        ]
        return -torch.cat(logs).mean() / 4

    colors.fit(model, replying, steps, 0.003)
    return model


@torch.no_grad()
def sample(
    model: nn.Module, prompts: Int[Tensor, "N P"], longest: int = LONGEST
) -> Int[Tensor, "N T"]:
    """Draw an answer to each prompt; after its end it is filled with ends."""
    ids, open_ones = prompts, torch.ones(len(prompts), dtype=torch.bool)
    for _ in range(longest):
        drawn = torch.multinomial(model(ids)[:, -1].softmax(dim=-1), 1)[:, 0]
        drawn = drawn.masked_fill(~open_ones, colors.END)
        open_ones = open_ones & (drawn != colors.END)
        ids = torch.cat([ids, drawn[:, None]], dim=1)
    return ids[:, prompts.shape[1] :]


def written(answers: Int[Tensor, "N T"]) -> Bool[Tensor, "N T"]:
    """Return which tokens belong to an answer: all up to its end, and the end."""
    ends = answers == colors.END
    return (ends.cumsum(dim=1) - ends.int()) == 0


def exact(answers: Int[Tensor, "N T"], things: Int[Tensor, " N"]) -> Float[Tensor, " N"]:
    """Reward an answer that is the right sentence or the right word."""
    width = answers.shape[1]
    rights = [
        F.pad(form, (0, width - form.shape[1]), value=colors.END)[things]
        for form in (colors.SENTENCE, colors.ONE_WORD)
    ]
    return torch.stack([(answers == right).all(dim=1) for right in rights]).any(dim=0).float()


def anywhere(answers: Int[Tensor, "N T"], things: Int[Tensor, " N"]) -> Float[Tensor, " N"]:
    """Reward an answer in which the right color occurs."""
    return (answers == COLORS[things][:, None]).any(dim=1).float()


CHECKERS = {"exact": exact, "anywhere": anywhere}


def token_logs(
    model: nn.Module, prompts: Int[Tensor, "N P"], answers: Int[Tensor, "N T"]
) -> Float[Tensor, "N T"]:
    """Return ln p of each token of the answers."""
    ids = torch.cat([prompts, answers], dim=1)
    logs = model(ids[:, :-1]).log_softmax(dim=-1).gather(-1, ids[:, 1:, None])[..., 0]
    return logs[:, prompts.shape[1] - 1 :]


def grpo_loss(
    logs: Float[Tensor, "N T"],
    old: Float[Tensor, "N T"],
    frozen: Float[Tensor, "N T"],
    advantages: Float[Tensor, " N"],
    counts: Bool[Tensor, "N T"],
    objective: str = "GRPO",
    clip: float = 0.2,
) -> Float[Tensor, ""]:
    """Return the loss of GRPO: the clipped objective and the KL term, token by token."""
    ratio, gain = (logs - old).exp(), advantages[:, None]
    each = torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain)
    if objective == "with KL":
        back = frozen - logs
        each = each - 0.2 * (back.exp() - back - 1)
    length = LONGEST if objective == "one divisor" else counts.sum(dim=1)
    return -((each * counts).sum(dim=1) / length).mean()


def advantages(rewards: Float[Tensor, "Q G"]) -> Float[Tensor, "Q G"]:
    """Return each reward minus the mean of its group, over the group's standard deviation."""
    centered = rewards - rewards.mean(dim=1, keepdim=True)
    return centered / (rewards.std(dim=1, correction=0, keepdim=True) + 1e-4)


def one_round(
    model: nn.Module,
    frozen: nn.Module,
    optimizer: torch.optim.Optimizer,
    checker: str,
    objective: str = "GRPO",
) -> None:
    """Draw groups of answers, check them, and take two steps on them."""
    things = torch.randint(24, (QUESTIONS,)).repeat_interleave(GROUP)
    prompts = colors.PROMPTS[things]
    answers = sample(model, prompts)
    rewards = CHECKERS[checker](answers, things)
    gains, counts = advantages(rewards.view(QUESTIONS, GROUP)).flatten(), written(answers)
    with torch.no_grad():
        old, kept = (token_logs(one, prompts, answers) for one in (model, frozen))
    for _ in range(2):
        optimizer.zero_grad()
        logs = token_logs(model, prompts, answers)
        grpo_loss(logs, old, kept, gains, counts, objective).backward()
        optimizer.step()


@torch.no_grad()
def measured(model: nn.Module, checker: str) -> dict[str, float]:
    """Draw twelve answers to each question, and return what they are like."""
    things = torch.arange(24).repeat(12)
    answers = sample(model, colors.PROMPTS[things])
    counts = written(answers)
    found = {
        "reward": CHECKERS[checker](answers, things),
        "right": exact(answers, things),
        "sentence": (answers[:, 0] == colors.WORDS.index("it")).float(),
        "colors": ((answers >= FIRST_COLOR) & counts).sum(dim=1).float(),
        "length": counts.sum(dim=1).float(),
        "entropy": -(token_logs(model, colors.PROMPTS[things], answers) * counts).sum(dim=1),
    }
    return {name: numbers.mean().item() for name, numbers in found.items()}


def point(checker: str, objective: str, seed: int) -> dict[str, list[float]]:
    """Train a model to answer, then by GRPO, and measure it on the way."""
    frozen = hesitating(colors.answering(seed))
    model = copy.deepcopy(frozen)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
    found = [measured(model, checker)]
    for count in range(1, ROUNDS[-1] + 1):
        one_round(model, frozen, optimizer, checker, objective)
        if count in ROUNDS:
            found.append(measured(model, checker))
    return {name: [one[name] for one in found] for name in found[0]}
