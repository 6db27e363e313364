"""A small translator that has learned nothing, in the format of the page's file."""

import torch

from transformer_lite.models.build import build
from transformer_lite.models.config import TransformerConfig
from transformer_lite.models.transformer import Transformer
from transformer_lite.text.words import WordTokenizer
from transformer_lite.translator import Translator, round_weights
from transformer_lite.translator.page import page_bytes

SENTENCES = ["je suis étudiant .", "le petit chat noir ne dort pas !", "l' aime -t-elle pain , ?"]
SENTENCES += ["i am a student", "the small black cat does not sleep bread like do"]
WORDS = [word for sentence in SENTENCES for word in sentence.split()]
TOKENS = ["<pad>", "<bos>", "<eos>", "<unk>", *WORDS]


def untrained(seed: int = 0) -> Transformer:
    """Return a model with random weights that 8 bits hold exactly; its stacks are not alike."""
    torch.manual_seed(seed)
    choices = {"residual": "pre", "tie_embeddings": True, "dropout": 0.0}
    sizes = {"d_model": 64, "num_heads": 4, "d_ff": 256}
    layers = {"num_encoder_layers": 4, "num_decoder_layers": 2}
    model = build(TransformerConfig(len(TOKENS), len(TOKENS), **sizes, **layers, **choices))
    with torch.no_grad():
        table = model.output.weight
        table.mul_(0.4)  # or a word would follow itself for ever
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn_like(parameter)  # no bias is 0, no gain is 1
        table[2] = table[27] + 0.03 * torch.randn(64)  # the end is as likely as a frequent word
    round_weights(model)
    return model.eval()


def page_file(model: Transformer) -> bytes:
    """Return the page's file of such a model."""
    return page_bytes(Translator(model, WordTokenizer(WORDS)))
