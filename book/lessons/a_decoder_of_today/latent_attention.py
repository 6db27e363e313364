"""Multi-head latent attention (MLA): one short vector per token replaces all keys and values."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite.checks import check_choice, check_size, check_tokens
from transformer_lite.layers import KVCache, Linear, masked_softmax
from transformer_lite.layers.masks import look_ahead_mask
from transformer_lite.layers.multi_head import merge_heads, split_heads
from transformer_lite.layers.norms import RMSNorm
from transformer_lite.layers.positions import Rotary

WAYS = ("plain", "absorbed")


class LatentAttention(nn.Module):
    """Causal self-attention that caches a latent c and a rotated key, shared by all heads.

    c = RMSNorm(x W^D), and head h has the keys [c U_h^K; rotated x W^R] and the values c U_h^V

    The plain way makes keys and values from c and then attends as usual. The absorbed way moves
    U_h^K to the query and U_h^V after the weights, so no key and no value is ever made:

    q · (c U^K) = (q U^Kᵀ) · c  and  Σ_j a_j (c_j U^V) = (Σ_j a_j c_j) U^V

    Args:
        d_model: D, the width of a token.
        num_heads: H, the number of heads.
        d_head: K, the width of a head's value and of the part of its key that comes from c.
        d_latent: the width of c.
        d_rotary: the width of the rotated key, an even number.
        base: as in :class:`Rotary`.

    Raises:
        TypeError: a size is not an int, or `base` is not a number.
        ValueError: a size is below 1, `d_rotary` is odd, or `base` is not positive.

    Reference: DeepSeek-AI 2024 (DeepSeek-V2), section 2.1. Differs from it: the queries have no
    latent of their own, and pairs are rotated in the half-split layout.

    >>> import torch
    >>> LatentAttention(8, 2, d_head=4, d_latent=3, d_rotary=2)(torch.zeros(1, 5, 8)).shape
    torch.Size([1, 5, 8])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_head: int,
        d_latent: int,
        d_rotary: int,
        base: float = 10000.0,
    ) -> None:
        super().__init__()
        sizes = {"d_model": d_model, "num_heads": num_heads, "d_head": d_head, "d_latent": d_latent}
        for name, size in sizes.items():
            check_size(name, size)
        check_size("d_rotary", d_rotary, minimum=2)
        if d_rotary % 2:
            raise ValueError(f"d_rotary must be even, for pairs of columns, got {d_rotary}")
        self.num_heads, self.d_head, self.d_rotary = num_heads, d_head, d_rotary
        self.q_proj = Linear(d_model, num_heads * (d_head + d_rotary), bias=False)
        self.latent_proj = Linear(d_model, d_latent, bias=False)
        self.latent_norm = RMSNorm(d_latent, 1e-6)
        self.rotary_proj = Linear(d_model, d_rotary, bias=False)
        self.up_key = Linear(d_latent, num_heads * d_head, bias=False)
        self.up_value = Linear(d_latent, num_heads * d_head, bias=False)
        self.out_proj = Linear(num_heads * d_head, d_model, bias=False)
        self.positions = Rotary(base)

    @property
    def numbers_per_token(self) -> int:
        """Numbers that a cache keeps per token, for the latent and the rotated key."""
        return self.latent_proj.weight.shape[0] + self.d_rotary

    def forward(
        self, x: Float[Tensor, "B T D"], cache: KVCache | None = None, way: str = "plain"
    ) -> Float[Tensor, "B T D"]:
        """Let every position attend to itself and to all earlier ones.

        Args:
            x: tokens, shape (B, T, D).
            cache: latents and rotated keys of earlier tokens; those of `x` are appended.
            way: "plain" or "absorbed"; the outputs are equal.

        Returns:
            Tensor of shape (B, T, D).

        Raises:
            TypeError: `x` is not a float tensor, or differs from the weights in dtype or device.
            ValueError: the last axis of `x` is not D wide, or `way` is another word.
        """
        check_tokens(x, weights=self.q_proj.weight)
        check_choice("way", way, WAYS)
        cache = KVCache() if cache is None else cache
        start = cache.length
        query = split_heads(self.q_proj(x), self.num_heads)
        content, rotary = query.split([self.d_head, self.d_rotary], dim=-1)
        rotary = self.positions.rotate(rotary, start)
        latent, key = cache.append(*self._compress(x, start))
        mask = look_ahead_mask(x.shape[1], x.device, start)
        attend = self._plain if way == "plain" else self._absorbed
        return self.out_proj(merge_heads(attend(content, rotary @ key.mT, latent, mask)))

    def _compress(self, x: Tensor, start: int) -> tuple[Tensor, Tensor]:
        """Return what the cache keeps: latents (B, 1, T, d_latent), keys (B, 1, T, d_rotary)."""
        latent = self.latent_norm(self.latent_proj(x))[:, None]
        return latent, self.positions.rotate(self.rotary_proj(x)[:, None], start)

    def _plain(self, content: Tensor, by_place: Tensor, latent: Tensor, mask: Tensor) -> Tensor:
        """Make the keys and values of every head from the latents, then attend."""
        keys = split_heads(self.up_key(latent[:, 0]), self.num_heads)
        values = split_heads(self.up_value(latent[:, 0]), self.num_heads)
        return self._weights(content @ keys.mT + by_place, mask) @ values

    def _absorbed(self, content: Tensor, by_place: Tensor, latent: Tensor, mask: Tensor) -> Tensor:
        """Compare queries with the latents themselves, and average the latents themselves."""
        up_key, up_value = (
            up.weight.view(self.num_heads, self.d_head, -1) for up in (self.up_key, self.up_value)
        )
        scores = content @ up_key @ latent.mT
        return self._weights(scores + by_place, mask) @ latent @ up_value.mT

    def _weights(self, scores: Float[Tensor, "B H T S"], mask: Bool[Tensor, "T S"]) -> Tensor:
        return masked_softmax(scores * (self.d_head + self.d_rotary) ** -0.5, mask)
