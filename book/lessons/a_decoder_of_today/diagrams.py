"""Three blocks of decoders from 2023 to 2025, and what latent attention keeps."""

from lessons.kit.diagrams import (
    Diagram,
    arrow,
    box,
    column,
    draw,
    row,
)
from lessons.kit.diagrams.blocks import block


def three_decoders() -> Diagram:
    """Draw the blocks of Llama, Qwen3 and Gemma 3, what each adds to Llama's in bold."""
    llama = {"n": "RMSNorm", "a": "attention,\nrotary", "f": "SwiGLU"}
    qwen = llama | {"a": "grouped, rotary,\nQK-norm"}
    gemma = llama | {
        "a": "window or all,\nQK-norm",
        "f": "GeGLU",
        "m": "RMSNorm",
    }
    blocks = [
        block("Llama 7B, 2023", "xna+nf+y", llama, "", gap=14, edge=36),
        block("Qwen3 8B, 2025", "xna+nf+y", qwen, "a", gap=14, edge=36),
        block("Gemma 3 27B, 2025", "xnam+nfm+y", gemma, "amf", gap=14, edge=36),
    ]
    return draw(
        row(*(frame for frame, _ in blocks), gap=10),
        *(link for _, links in blocks for link in links),
        alt="Three blocks from bottom to top. Llama 7B, 2023: RMSNorm, attention with rotary "
        "positions, sum, RMSNorm, SwiGLU, sum. Qwen3 8B, 2025: the same, with groups of keys and "
        "norms on queries and keys. Gemma 3 27B, 2025: the same as Qwen3, with windows, a second "
        "RMSNorm before each sum, and GeGLU.",
        caption="One block of each, read from below. In bold: what differs from Llama's block.",
    )


def latent() -> Diagram:
    """Draw what latent attention makes of a token, and which two vectors it keeps."""
    x = box("token x", "data", "7168 wide")
    short = box("latent c", "weight", "512 numbers, kept", bold=True)
    turned = box("rotated key", "weight", "64 numbers, kept", bold=True)
    key, value = box("keys of 128 heads", "plain"), box("values of 128 heads", "plain")
    attention = box("attention", "score")
    return draw(
        row(
            x,
            column(short, turned, gap=44),
            column(key, value, gap=24),
            attention,
            gap=44,
        ),
        arrow(x, short),
        arrow(x, turned),
        arrow(short, key, dashed=True),
        arrow(short, value, dashed=True),
        arrow(key, attention, dashed=True),
        arrow(value, attention, dashed=True),
        arrow(turned, attention, bend="elbow", start_side="right", end_side="bottom"),
        alt="A token x of width 7168 becomes a latent c of 512 numbers and a rotated key of 64 "
        "numbers; both are kept. From the latent, dashed arrows lead to the keys and the values of "
        "128 heads, and from there to attention. The rotated key goes to attention directly.",
        caption="Latent attention in DeepSeek-V3. Only the two bold vectors are kept. The "
        "keys and values are never computed when the matrices are absorbed.",
    )
