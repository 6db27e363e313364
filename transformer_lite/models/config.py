"""The sizes and choices that make one Transformer."""

from dataclasses import dataclass, fields

from transformer_lite.checks import check_choice, check_head_sizes, check_number, check_size
from transformer_lite.models.variants import FEED_FORWARDS, NORMS, POSITIONS, RESIDUALS


@dataclass(frozen=True)
class TransformerConfig:
    """All sizes and choices of a model. The defaults are the paper's base model.

    Attributes:
        src_vocab_size: the number of source tokens.
        tgt_vocab_size: the number of target tokens V.
        d_model: the width D.
        num_heads: H, a divisor of `d_model`.
        d_ff: the width of the feed-forward's hidden layer.
        num_encoder_layers: the number of encoder layers.
        num_decoder_layers: the number of decoder layers.
        dropout: the dropout probability for the embeddings and each sub-layer's output, 0 ≤ dropout
            < 1.
        norm: "layer" or "rms".
        residual: "post", "pre" or "deep".
        positions: "sinusoidal", "learned", "rotary", "alibi", "t5", "shaw" or "none".
        activation: "relu", "gelu", "gelu_tanh" or "swiglu".
        max_len: the maximum length with learned positions. Sinusoidal positions are computed up to
            here in advance. The other schemes have no maximum.
        tie_embeddings: whether source, target and output share one table.
        pad_id: the id of the padding token, in both vocabularies.

    Raises:
        TypeError: a field is of the wrong type.
        ValueError: a field is out of range, or two of them do not fit.

    Reference: Vaswani et al. 2017, table 3, line "base".

    >>> TransformerConfig(src_vocab_size=100, tgt_vocab_size=120).d_model
    512
    """

    src_vocab_size: int
    tgt_vocab_size: int
    d_model: int = 512
    num_heads: int = 8
    d_ff: int = 2048
    num_encoder_layers: int = 6
    num_decoder_layers: int = 6
    dropout: float = 0.1
    norm: str = "layer"
    residual: str = "post"
    positions: str = "sinusoidal"
    activation: str = "relu"
    max_len: int = 1024
    tie_embeddings: bool = False
    pad_id: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.type is int and field.name != "pad_id":
                check_size(field.name, getattr(self, field.name))
        check_size("pad_id", self.pad_id, minimum=0)
        check_number("dropout", self.dropout, high=1.0)
        check_choice("norm", self.norm, NORMS)
        check_choice("residual", self.residual, RESIDUALS)
        check_choice("positions", self.positions, POSITIONS)
        check_choice("activation", self.activation, FEED_FORWARDS)
        if not isinstance(self.tie_embeddings, bool):
            raise TypeError(f"tie_embeddings must be True or False, got {self.tie_embeddings!r}")
        self._check_that_sizes_fit()

    def _check_that_sizes_fit(self) -> None:
        check_head_sizes(self.d_model, self.num_heads)
        sizes = f"got d_model={self.d_model}, num_heads={self.num_heads}"
        if self.positions == "rotary" and self.d_model // self.num_heads % 2:
            raise ValueError(f"d_model / num_heads must be even for rotary positions, {sizes}")
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise ValueError(f"d_model must be even for sinusoidal positions, {sizes}")
        vocabularies = {self.src_vocab_size, self.tgt_vocab_size}
        if self.pad_id >= min(vocabularies):
            raise ValueError(
                f"pad_id must be in both vocabularies, below {min(vocabularies)}, got {self.pad_id}"
            )
        if self.tie_embeddings and len(vocabularies) > 1:
            raise ValueError(
                "tie_embeddings needs one vocabulary, got "
                f"src_vocab_size={self.src_vocab_size}, tgt_vocab_size={self.tgt_vocab_size}"
            )
