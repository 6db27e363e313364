"""What a model does with the next word in its input: recognize the text, or copy.

One attention without the causal mask learns to predict the next word, which stands in its input one
place further on. Its "text" is the chapter's eight sentences, eight texts of random words, both of
which can be learned by heart, or "new random words" at each step, which cannot.

Measured is the "loss" with the next word in sight. "right" is the share of these next words that
are guessed; "from beginnings" is the share where the future is hidden, as in writing. "weight" is
the mean weight on the next place. "follows" is how often the guess follows when the next word in
the input is replaced by another: a model that copies follows always. The last place of a text has
no next one in the input; it counts in "loss" and "from beginnings" only.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_lite.layers import attention_steps, look_ahead_mask

GRID = {
    "text": ["eight sentences", "eight random texts", "new random words"],
    "width": [8, 16, 32],
    "rate": [0.003, 0.01],
    "steps": [100, 300, 1000],
    "seed": [0, 1],
}
TOLERANCE = {"loss": 0.02, "right": 0.03, "from beginnings": 0.03, "weight": 0.02, "follows": 0.03}
LINES = (
    "the cat sat on the mat", "the dog sat on the rug", "a bird sang in the tree",
    "the cat saw a bird", "the dog saw the cat", "a dog ran in the park",
    "the bird flew over the park", "a cat slept",
)  # fmt: skip
TEXTS = [["<start>", *line.split(), "<end>"] for line in LINES]
KNOWN = ["<pad>", *sorted({word for text in TEXTS for word in text})]
FIRST_WORD, LENGTH, TESTED = 3, 8, 64  # after <pad>, <end> and <start>


class NextWordModel(nn.Module):
    """One attention over words and places, as in the chapter."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.words = nn.Embedding(len(KNOWN), width)
        self.places = nn.Embedding(LENGTH - 1, width)
        self.project = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(3))
        self.out = nn.Linear(width, len(KNOWN))

    def forward(
        self, ids: Int[Tensor, "B T"], mask: Bool[Tensor, "B T T"]
    ) -> tuple[Float[Tensor, "B T V"], Float[Tensor, "B T T"]]:
        """Return the logits of the next words, and the weights."""
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        query, key, value = (linear(x) for linear in self.project)
        steps = attention_steps(query, key, value, mask)
        return self.out(x + steps.output), steps.weights


def sentences() -> Int[Tensor, "8 8"]:
    """Return the chapter's eight sentences, with pads."""
    rows = [torch.tensor([KNOWN.index(word) for word in text]) for text in TEXTS]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)


def random_texts(count: int) -> Int[Tensor, "N 8"]:
    """Return texts of random words after a start."""
    ids = torch.randint(FIRST_WORD, len(KNOWN), (count, LENGTH))
    ids[:, 0] = KNOWN.index("<start>")
    return ids


def seen(ids: Int[Tensor, "B T"]) -> Bool[Tensor, "B T T"]:
    """Return the mask that hides the pads only."""
    return (ids != 0)[:, None, :].expand(-1, ids.shape[1], -1)


def measured(model: NextWordModel, batch: Int[Tensor, "B L"]) -> dict[str, Tensor]:
    """Return what a model does on these texts, and when their next words are replaced."""
    inputs, targets = batch[:, :-1], batch[:, 1:]
    real, hidden = targets != 0, seen(inputs) & look_ahead_mask(LENGTH - 1)
    logits, weights = model(inputs, seen(inputs))
    ahead = real[:, :-1]  # the last place has no next one in the input
    followed = torch.zeros_like(ahead)
    for place in range(1, LENGTH - 1):
        changed = inputs.clone()
        moved = torch.randint(1, len(KNOWN) - FIRST_WORD, (len(inputs),))
        words = FIRST_WORD + (inputs[:, place] - FIRST_WORD + moved) % (len(KNOWN) - FIRST_WORD)
        changed[:, place] = torch.where(inputs[:, place] == 0, 0, words)
        guesses = model(changed, seen(changed))[0].argmax(dim=-1)
        followed[:, place - 1] = guesses[:, place - 1] == words
    told = model(inputs, hidden)[0].argmax(dim=-1)
    return {
        "loss": F.cross_entropy(logits.mT, targets, ignore_index=0),
        "right": (logits.argmax(dim=-1) == targets)[:, :-1][ahead].double().mean(),
        "from beginnings": (told == targets)[real].double().mean(),
        "weight": weights.diagonal(1, dim1=1, dim2=2)[ahead].mean(),
        "follows": followed[ahead].double().mean(),
    }


def point(text: str, width: int, rate: float, steps: int, seed: int) -> dict[str, Tensor]:
    """Train one model that may peek, and measure it."""
    torch.manual_seed(seed)
    model = NextWordModel(width)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    batch = sentences() if text == "eight sentences" else random_texts(len(LINES))
    for _ in range(steps):
        if text == "new random words":
            batch = random_texts(len(LINES))
        inputs, targets = batch[:, :-1], batch[:, 1:]
        logits, _ = model(inputs, seen(inputs))
        loss = F.cross_entropy(logits.mT, targets, ignore_index=0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return measured(model, random_texts(TESTED) if text == "new random words" else batch)
