"""What the benchmarks of the package share: the same model three times, a clock, a table."""

import json
import math
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import torch
import transformers
from torch import Tensor, nn

import transformer_lite as tl

RESULTS = Path(__file__).parents[1] / "results"
PAD, BOS, EOS = 0, 1, 2
VOCABULARY, D_MODEL, HEADS, D_FF, LAYERS = 8000, 256, 8, 1024, 3
DEVICE = tl.best_device()
ON_GPU = DEVICE.type == "cuda"


def ours(tied: bool) -> tl.Transformer:
    """This package's model of the sizes above."""
    config = tl.TransformerConfig(
        VOCABULARY, VOCABULARY, D_MODEL, HEADS, D_FF, LAYERS, LAYERS, tie_embeddings=tied
    )
    return tl.build(config).to(DEVICE)


class TorchTransformer(nn.Module):
    """PyTorch's ``nn.Transformer`` with the same embeddings, positions and output as ours."""

    def __init__(self):
        super().__init__()
        model = ours(tied=False)
        self.src_embedding, self.tgt_embedding = model.src_embedding, model.tgt_embedding
        self.output = model.output
        self.transformer = nn.Transformer(D_MODEL, HEADS, LAYERS, LAYERS, D_FF, batch_first=True)
        # Its stacks end with a norm of their own even in post-norm. Ours and the paper's do not.
        self.transformer.encoder.norm = self.transformer.decoder.norm = None

    def forward(self, src_ids: Tensor, tgt_ids: Tensor) -> Tensor:
        pads = src_ids == PAD
        x = self.transformer(
            self.src_embedding(src_ids),
            self.tgt_embedding(tgt_ids),
            tgt_mask=~tl.look_ahead_mask(tgt_ids.shape[1], tgt_ids.device),
            src_key_padding_mask=pads,
            memory_key_padding_mask=pads,
            tgt_key_padding_mask=tgt_ids == PAD,
        )
        return self.output(x)


class Marian(nn.Module):
    """Hugging Face's translation model, tied, with dropout where the paper has it."""

    def __init__(self):
        super().__init__()
        sizes = {
            f"{stack}_{name}": value
            for stack in ("encoder", "decoder")
            for name, value in (("layers", LAYERS), ("attention_heads", HEADS), ("ffn_dim", D_FF))
        }
        config = transformers.MarianConfig(
            vocab_size=VOCABULARY, d_model=D_MODEL, dropout=0.1, activation_function="relu",
            max_position_embeddings=1024, scale_embedding=True, pad_token_id=PAD,
            eos_token_id=EOS, decoder_start_token_id=BOS, forced_eos_token_id=None, **sizes,
        )  # fmt: skip
        self.model = transformers.MarianMTModel(config)
        # No end token: every run writes as many tokens as it is asked for.
        self.model.generation_config.update(eos_token_id=None, forced_eos_token_id=None)

    def forward(self, src_ids: Tensor, tgt_ids: Tensor) -> Tensor:
        mask = (src_ids != PAD).long()
        return self.model(input_ids=src_ids, attention_mask=mask, decoder_input_ids=tgt_ids).logits


def batch(size: int, length: int) -> Tensor:
    """Random token ids, shape (size, length), none of them special."""
    generator = torch.Generator().manual_seed(6)
    return torch.randint(3, VOCABULARY, (size, length), generator=generator).to(DEVICE)


class Times(NamedTuple):
    """The milliseconds of each round of a run, by the clock and in processor time."""

    wall: list[float]
    cpu: list[float]

    @property
    def counted(self) -> list[float]:
        """The times to compare: processor time, which other programs disturb little.

        A GPU works while the processor waits, so there the clock counts.
        """
        return self.wall if ON_GPU else self.cpu

    def times_faster(self, peer: "Times") -> tuple[float, float, float]:
        """Return the peer's time over this one: the median of the rounds, and their quartiles."""
        ratios = [b / a for a, b in zip(self.counted, peer.counted, strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else 3 * ratios
        return round(middle, 2), round(low, 2), round(high, 2)


def alternate(runs: dict[str, Callable], rounds: int, warm_up: int = 1) -> dict[str, Times]:
    """Time the runs in turn, so that a busy moment hits all of them."""
    times = {name: Times([], []) for name in runs}
    for i in range(warm_up + rounds):
        for name, run in runs.items():
            _wait_for_the_gpu()
            start = time.perf_counter(), time.process_time()
            run()
            _wait_for_the_gpu()
            if i >= warm_up:
                times[name].wall.append(1000 * (time.perf_counter() - start[0]))
                times[name].cpu.append(1000 * (time.process_time() - start[1]))
    return times


def milliseconds(runs: dict[str, Callable], rounds: int, warm_up: int = 2) -> dict[str, float]:
    """Time the runs in turn by the clock, and return the median of each."""
    times = alternate(runs, rounds, warm_up)
    return {name: statistics.median(taken.wall) for name, taken in times.items()}


def _wait_for_the_gpu() -> None:
    if ON_GPU:
        torch.cuda.synchronize()


def machine() -> str:
    """The machine in words."""
    device = torch.cuda.get_device_name() if ON_GPU else f"{torch.get_num_threads()} threads"
    return (
        f"{platform.system()}, {platform.machine()}, {os.cpu_count()} cores, {device}, "
        f"PyTorch {torch.__version__}, Transformers {transformers.__version__}"
    )


def report(name: str, title: str, rows: list[dict], note: str) -> None:
    """Print the rows as a table and write them to ``results/<name>.json``."""
    print(f"\n{title}\n{machine()}")
    columns = list(rows[0])
    cells = [columns] + [[_text(row[column]) for column in columns] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)))
    print(note)
    content = {"title": title, "machine": machine(), "note": note, "rows": rows}
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


def rounded(value: float, digits: int = 3) -> float:
    """The number with this many significant digits."""
    return round(value, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0.0


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
