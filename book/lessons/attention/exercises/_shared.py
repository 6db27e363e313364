"""What the exercises of attention share."""

import torch

BANK = torch.tensor([[2, 0], [3, 0], [0, 0], [1, 1]], dtype=torch.float32)  # swam river the bank
