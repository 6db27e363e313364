"""The linear layer: the product of tokens and a matrix, in the order that is faster."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

FEW = 256


class Linear(nn.Linear):
    """PyTorch's linear layer, y = x Wᵀ + b, in another order where there are few tokens.

    A matrix library cuts the left factor into rows and repacks the right one. In x Wᵀ the right
    one is the large W. With a few tokens, as in decoding, that packing takes longer than the
    product. Written as (W xᵀ)ᵀ, the same product packs the few tokens instead.

    Args and Raises are those of ``torch.nn.Linear``, and so are the names of its weights.

    >>> Linear(4, 3)(torch.zeros(2, 5, 4)).shape
    torch.Size([2, 5, 3])
    """

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B E"]:
        """Return x Wᵀ + b, shape (..., E); same values in either order, up to rounding."""
        tokens = x.numel() // self.in_features
        if tokens > FEW or torch.is_grad_enabled() or x.device.type != "cpu":
            return super().forward(x)
        weight, bias = self.weight, self.bias
        if bias is None:
            bias = weight.new_zeros(())
        if tokens == 1:
            product = torch.addmv(bias, weight, x.view(-1))
        else:
            columns = x.reshape(tokens, self.in_features).t()
            # The kernels that follow want the numbers of a token side by side.
            product = torch.addmm(bias.unsqueeze(-1), weight, columns).t().contiguous()
        return product.view(*x.shape[:-1], self.out_features)
