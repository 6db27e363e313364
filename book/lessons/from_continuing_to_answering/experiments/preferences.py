"""What DPO does to the chosen, to the rejected and to all other answers, in a world of colors.

A small GPT reads lists of facts and lists of questions about the colors of 24 things. Then it
learns from twelve questions to answer, half of the time in one word ("yellow .") and half of the
time in a sentence ("it is yellow ."). Then DPO, by Adam at a constant rate, is told that the
sentence is preferred, for the same twelve things. Each result is a list: at the start, and after
1, 5, 15, 40 and 200 steps. "chosen" and "rejected" are the mean log-probabilities of the two
answers over the twelve, "margin" how much further apart they are than at the start, in nats, and
"won" the share of the twelve at which they are. "sentence" is the share of all 24 questions that
the model, writing greedily, answers by the sentence with the right color, "right" by either of the
two.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from lessons.kit.small_gpt import small_gpt
from transformer_lite.models import DecoderOnlyTransformer

GRID = {
    "beta": [0.1, 0.5, 2.0],
    "rate": [0.0003, 0.001, 0.003],
    "seed": [0, 1, 2],
}
TOLERANCE = {"chosen": 0.5, "rejected": 3.0, "margin": 3.0, "sentence": 0.2, "right": 0.2}
STEPS = (0, 1, 5, 15, 40, 200)
THINGS = {
    "lemon": "yellow", "cherry": "red", "grass": "green", "snow": "white", "coal": "black",
    "bread": "brown", "corn": "yellow", "rose": "red", "leaf": "green", "milk": "white",
    "night": "black", "bear": "brown", "sun": "yellow", "blood": "red", "frog": "green",
    "salt": "white", "raven": "black", "nut": "brown", "banana": "yellow", "tomato": "red",
    "pea": "green", "swan": "white", "tar": "black", "wood": "brown",
}  # fmt: skip
SIGNS = ["<end>", "<user>", "<bot>"]
WORDS = [
    *SIGNS,
    *["what", "color", "is", "the", "it", "?", "."],
    *THINGS,
    *dict.fromkeys(THINGS.values()),
]
END, USER, BOT = range(3)
LEARNED = 12  # the first things, whose questions are answered in the tuning


def rows(pattern: str) -> Int[Tensor, "24 T"]:
    """Write a sentence about each thing, in which X is the thing and C its color, as ids."""
    sentences = [
        [{"X": thing, "C": color}.get(word, word) for word in pattern.split()]
        for thing, color in THINGS.items()
    ]
    return torch.tensor([[WORDS.index(word) for word in words] for words in sentences])


FACTS, QUESTIONS = rows("the X is C ."), rows("what color is the X ?")
PROMPTS = rows("<user> what color is the X ? <bot>")
SENTENCE, ONE_WORD = rows("it is C . <end>"), rows("C . <end>")


def documents(count: int = 16) -> Int[Tensor, "N T"]:
    """Draw texts to read: lists of three facts, or lists of three questions."""
    lines = FACTS if torch.rand(()) < 0.5 else QUESTIONS
    chosen = torch.rand(count, len(THINGS)).argsort(dim=1)[:, :3]
    return F.pad(lines[chosen].flatten(1), (1, 1), value=END)


def log_probability(
    model: nn.Module, prompts: Int[Tensor, "N P"], answers: Int[Tensor, "N A"]
) -> Float[Tensor, " N"]:
    """Return what a model gives to each answer: the sum over its tokens, given the prompt."""
    ids = torch.cat([prompts, answers], dim=1)
    logs = model(ids[:, :-1]).log_softmax(dim=-1).gather(-1, ids[:, 1:, None])[..., 0]
    return logs[:, prompts.shape[1] - 1 :].sum(dim=1)


def fit(model: nn.Module, loss: Callable[[], Tensor], steps: int, peak: float) -> None:
    """Take steps of Adam: the rate climbs to its peak and falls to zero."""
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.0)
    for step in range(1, steps + 1):
        optimizer.zero_grad()
        loss().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.param_groups[0]["lr"] = peak * min(step / 20, 1 - step / (steps + 1))
        optimizer.step()


def answering(seed: int) -> DecoderOnlyTransformer:
    """Return a model that has read the documents and has learned to answer in two ways."""
    torch.manual_seed(seed)
    model = small_gpt(len(WORDS), 32, 24)

    def reading() -> Tensor:
        ids = documents()
        return F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())

    def replying() -> Tensor:
        both = [
            log_probability(model, PROMPTS[:LEARNED], replies[:LEARNED])
            for replies in (SENTENCE, ONE_WORD)
        ]
        tokens = SENTENCE[:LEARNED].numel() + ONE_WORD[:LEARNED].numel()
        return -torch.cat(both).sum() / tokens

    fit(model, reading, 200, 0.01)
    fit(model, replying, 60, 0.003)
    return model


@torch.no_grad()
def reply(model: nn.Module, prompts: Int[Tensor, "N P"], length: int = 5) -> Int[Tensor, "N T"]:
    """Let a model write greedily after each prompt."""
    ids = prompts
    for _ in range(length):
        ids = torch.cat([ids, model(ids)[:, -1:].argmax(dim=-1)], dim=1)
    return ids[:, prompts.shape[1] :]


def measured(model: nn.Module, before: Float[Tensor, "2 N"]) -> dict[str, float]:
    """Return what a model gives to both answers, and how it answers."""
    with torch.no_grad():
        chosen, rejected = both(model)
    margin = chosen - rejected - (before[0] - before[1])
    said = reply(model, PROMPTS)
    sentence = (said == SENTENCE).all(dim=1)
    one_word = (said[:, : ONE_WORD.shape[1]] == ONE_WORD).all(dim=1)
    found = {
        "chosen": chosen,
        "rejected": rejected,
        "margin": margin,
        "won": (margin > 0).float(),
        "sentence": sentence.float(),
        "right": (sentence | one_word).float(),
    }
    return {name: numbers.mean().item() for name, numbers in found.items()}


def both(model: nn.Module) -> Float[Tensor, "2 N"]:
    """Return the log-probabilities of the sentence and of the one word, for what was learned."""
    prompts = PROMPTS[:LEARNED]
    pair = (SENTENCE[:LEARNED], ONE_WORD[:LEARNED])
    return torch.stack([log_probability(model, prompts, answers) for answers in pair])


def point(beta: float, rate: float, seed: int) -> dict[str, list[float]]:
    """Train a model to answer, then by DPO, and measure it on the way."""
    model = answering(seed)
    with torch.no_grad():
        before = both(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    found = [measured(model, before)]
    for step in range(1, STEPS[-1] + 1):
        chosen, rejected = both(model) - before
        optimizer.zero_grad()
        (-F.logsigmoid(beta * (chosen - rejected))).mean().backward()
        optimizer.step()
        if step in STEPS:
            found.append(measured(model, before))
    return {name: [one[name] for one in found] for name in found[0]}
