"""A folder that looks like all-MiniLM-L6-v2's, with a tiny model in it."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from transformer_lite.models import pretrained
from transformer_lite.models.families import bert
from transformer_lite.models.options import Options
from transformer_lite.models.weight_names import BERT, pairs

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "sat", "##s", "on", "mat", "."]
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 12,
    "num_attention_heads": 3,
    "num_hidden_layers": 2,
    "intermediate_size": 20,
    "vocab_size": len(PIECES),
    "max_position_embeddings": 16,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "pad_token_id": 0,
}


def write(folder: Path) -> Path:
    """Write all four files of a tiny model into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    (folder / "vocab.txt").write_text("".join(f"{p}\n" for p in PIECES), encoding="utf-8")
    ids = {piece: row for row, piece in enumerate(PIECES)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.add_special_tokens(PIECES[:4])
    tokenizer.enable_padding(length=9)  # what the published file asks for too
    tokenizer.enable_truncation(9)
    tokenizer.save(str(folder / pretrained.TOKENIZER))
    torch.manual_seed(5)
    ours = bert(Options("a config", pretrained._BY_DEFAULT | CONFIG, {}), True).state_dict()
    weights = {p.theirs: torch.randn(ours[p.ours[0]].shape) for p in pairs(BERT, ours)}
    weights["embeddings.position_ids"] = torch.arange(16)[None]
    save_file(weights, folder / pretrained.WEIGHTS)
    return folder


def change_config(folder: Path, **options: object) -> None:
    (folder / "config.json").write_text(json.dumps(CONFIG | options), encoding="utf-8")


def change_weights(folder: Path, change: Callable[[dict], object]) -> None:
    """Write the weights again, after `change` has changed them."""
    weights = load_file(folder / pretrained.WEIGHTS)
    change(weights)
    save_file(weights, folder / pretrained.WEIGHTS)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@contextmanager
def accept_as_published(folder: Path) -> Iterator[None]:
    """Let the files of a folder, as they are now, have the right SHA-256."""
    weights, tokenizer = (digest(folder / n) for n in (pretrained.WEIGHTS, pretrained.TOKENIZER))
    with patch.multiple(pretrained, SHA256=weights, TOKENIZER_SHA256=tokenizer):
        yield
