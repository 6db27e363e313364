"""How many handwritten digits a small vision transformer reads, by its steps and its positions.

The images are scikit-learn's 1,797 digits of 8 × 8 numbers; 450 are kept for the test, other ones
for each seed. A vision transformer of width 32 and two layers takes patches of 2 × 2 numbers, with
positions that it learns or without. The logistic regression of scikit-learn reads the 64 numbers of
an image and runs until it has converged, so that its row does not depend on the steps. "right" is
the share of the test images whose digit is named.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.layers import (
    FeedForward,
    Linear,
    MultiHeadAttention,
    PatchEmbedding,
    PreNorm,
)
from transformer_lite.layers.norms import LayerNorm
from transformer_lite.models import Encoder, EncoderLayer

GRID = {
    "model": ["with positions", "without positions", "logistic regression"],
    "steps": [100, 500, 1500],
    "seed": [0, 1],
}
TOLERANCE = {"right": 0.03}
WIDTH, PATCHES, TESTS = 32, 16, 450


class SmallViT(nn.Module):
    """Patches, their positions, an encoder of two layers, and a mean that is asked for a digit."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = PatchEmbedding(2, channels=1, d_model=WIDTH)
        self.places = nn.Parameter(torch.randn(PATCHES, WIDTH) / 2)
        layers = [
            EncoderLayer(
                MultiHeadAttention(WIDTH, 4),
                FeedForward(WIDTH, 4 * WIDTH, "gelu"),
                lambda: PreNorm(LayerNorm(WIDTH)),
            )
            for _ in range(2)
        ]
        self.encoder, self.output = Encoder(layers, LayerNorm(WIDTH)), Linear(WIDTH, 10)

    def forward(self, images: Float[Tensor, "B 1 8 8"]) -> Float[Tensor, "B 10"]:
        """Return a score for each digit."""
        tokens = self.patches(images) + self.places
        return self.output(self.encoder(tokens).mean(dim=1))


def data() -> tuple[Float[Tensor, "N 1 8 8"], Tensor]:
    """Return all images, from 0 to 1, and their digits."""
    from sklearn.datasets import load_digits  # type: ignore[import-untyped]

    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32)[:, None] / 16
    return images, torch.tensor(digits.target)


def fitted(model: nn.Module, images: Tensor, labels: Tensor, steps: int) -> nn.Module:
    """Train a model on batches of 32 images."""
    weights = [part for part in model.parameters() if part.requires_grad]
    optimizer = torch.optim.AdamW(weights, betas=(0.9, 0.98))
    for step in range(1, steps + 1):
        some = torch.randint(len(images), (32,))
        optimizer.zero_grad()
        F.cross_entropy(model(images[some]), labels[some]).backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.param_groups[0]["lr"] = 0.008 * min(step / 20, 1 - step / (steps + 1))
        optimizer.step()
    return model.eval()


def point(model: str, steps: int, seed: int) -> dict[str, float]:
    """Train one model on the images that are not kept, and count."""
    images, labels = data()
    torch.manual_seed(seed)
    test, learn = torch.randperm(len(images)).split([TESTS, len(images) - TESTS])
    if model == "logistic regression":
        from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

        plain = LogisticRegression(max_iter=5000)
        plain.fit(images[learn].flatten(1).numpy(), labels[learn].numpy())
        said = torch.tensor(plain.predict(images[test].flatten(1).numpy()))
    else:
        reader = SmallViT()
        if model == "without positions":
            nn.init.zeros_(reader.places).requires_grad_(False)
        fitted(reader, images[learn], labels[learn], steps)
        with torch.no_grad():
            said = reader(images[test]).argmax(dim=1)
    return {"right": (said == labels[test]).float().mean().item()}
