"""all-MiniLM-L6-v2 on our own parts equals Hugging Face's, and wrong files are refused."""

import pickle
import random
import socket

import pytest
import tiny_minilm
import torch
from sampling import sample
from test_pretrained import bare
from tiny_minilm import accept_as_published, change_config, change_weights
from torch.testing import assert_close

from transformer_lite.models import (
    from_hugging_face,
    minilm,
    minilm_files,
    pretrained,
    record_attention,
)

__all__ = ["bare"]  # a fixture of the tests next to this one
CLOSE = {"atol": 1e-5, "rtol": 0}
WORDS = (  # noqa: SIM905 -- as a text it reads as what it is
    "the a cat dog river bank money sat ran swims unaffably tokenization Paris 1984 naïve "
    "São 東京 don't well-known antidisestablishmentarianism it she they who which quickly under "
    "attention is all you need and or not never , . ; : ? ! ( ) 3.14 🙂 XKCD"
).split()


def hundred_sentences() -> list[str]:
    draw = random.Random(4)
    lengths = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55]
    drawn = [" ".join(draw.choices(WORDS, k=lengths[i % len(lengths)])) for i in range(300)]
    return list(dict.fromkeys(drawn))[:100]


SENTENCES = hundred_sentences()
each_fifth = pytest.mark.parametrize("first", sample(range(5), 1))


@pytest.fixture(scope="module")
def both():
    """Our model, theirs and their tokenizer."""
    from transformers import AutoTokenizer, BertModel

    folder = minilm_files()
    return minilm(), BertModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)


def theirs_of(both, sentences):
    """Their hidden states, their mask, and the mean over it of length 1."""
    _, model, tokenizer = both
    batch = tokenizer(sentences, padding=True, return_tensors="pt")
    with torch.no_grad():
        states = model(**batch, output_hidden_states=True).hidden_states
    keep = batch.attention_mask[..., None].float()
    mean = (states[-1] * keep).sum(1) / keep.sum(1).clamp(min=1e-9)
    return batch, states, torch.nn.functional.normalize(mean, dim=1)


@pytest.mark.minilm
@each_fifth
def test_hidden_states_equal_hugging_face(both, first):
    ours, some = both[0], ["", max(SENTENCES, key=len), *SENTENCES[first::5]]
    batch, wanted, vectors = theirs_of(both, some)
    tokens, states = ours.tokens(some), ours.hidden_states(some)
    assert torch.equal(tokens.ids, batch.input_ids)
    assert torch.equal(tokens.keep, batch.attention_mask.bool())
    assert len(states) == len(wanted) == 7
    for got, expected in zip(states, wanted, strict=True):
        assert_close(got[tokens.keep], expected[tokens.keep], **CLOSE)
    assert_close(ours.encode(some), vectors, **CLOSE)
    lengths = set(tokens.keep.sum(1).tolist())
    assert min(lengths) == 2 and max(lengths) > 60 and len(lengths) > 8


@pytest.mark.minilm
@each_fifth
def test_batch_does_not_change_a_sentence(both, first):
    ours, some = both[0], SENTENCES[first::5]
    together = ours.encode(some)
    for row, sentence in enumerate(some):
        assert_close(ours.encode([sentence])[0], together[row], **CLOSE)
        if row % 10 == 0:
            assert_close(ours([sentence]), theirs_of(both, [sentence])[2], **CLOSE)
    assert_close(together.norm(dim=1), torch.ones(20))


@pytest.mark.minilm
def test_every_weight_of_the_file_is_used_or_named(both):
    from safetensors import safe_open
    from transformers import BertModel

    ours, theirs = both[0], BertModel.from_pretrained(minilm_files())
    with safe_open(minilm_files() / pretrained.WEIGHTS, framework="pt") as file:
        names = set(file.keys())
        entries = sum(file.get_tensor(name).numel() for name in names - pretrained.NOT_USED)
        counted = file.get_tensor("embeddings.position_ids")
    assert names >= pretrained.NOT_USED and torch.equal(counted, torch.arange(512)[None])
    assert entries == sum(weight.numel() for weight in ours.parameters()) == 22_713_216
    converted = from_hugging_face(theirs).state_dict()
    assert converted.keys() == ours.encoder.state_dict().keys()
    for name, weight in ours.encoder.state_dict().items():
        assert torch.equal(weight, converted[name]), name


@pytest.fixture
def tiny(bare):
    return tiny_minilm.write(bare / "mine")


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_a_tiny_model_is_read_completely_and_without_a_network(tiny, no_network):
    with accept_as_published(tiny):
        model = minilm(tiny)
    tokens = model.tokens(["the cats", "the cat sat on the mat . the cat sat on the mat ."[:-1]])
    assert tokens.pieces[0] == ["[CLS]", "the", "cat", "##s", "[SEP]"]
    assert tokens.ids.shape == (2, 15), "not the 9 to which the file cuts and fills"
    assert tokens.keep.sum(1).tolist() == [5, 15]
    states = model.hidden_states(["the cats", "mat"])
    assert [tuple(state.shape) for state in states] == 3 * [(2, 5, 12)]
    ids = model.tokens(["the cats", "mat"]).ids
    assert torch.equal(states[-1], model.encoder(ids))
    weights = record_attention(model.encoder, ids).weights.values()
    assert torch.equal(model.attention(["the cats", "mat"]), torch.stack(list(weights)))
    assert model.attention(["mat"]).shape == (2, 1, 3, 3, 3)
    model.train().requires_grad_()
    assert_close(model.attention(["mat"]).sum(-1), torch.ones(2, 1, 3, 3))  # nothing is dropped


def test_a_sentence_longer_than_the_positions_is_refused(tiny):
    with accept_as_published(tiny):
        model = minilm(tiny)
    with pytest.raises(ValueError, match="must fit into max_len=16 learned positions, got 22"):
        model.encode(["cat " * 20])


def test_every_token_has_the_first_segment(tiny):
    with accept_as_published(tiny):
        model = minilm(tiny)
    ids = model.tokens(["the cat", "mat"]).ids
    states = model.hidden_states(["the cat", "mat"])
    assert torch.equal(states[-1], model.encoder(ids, torch.zeros_like(ids)))
    assert not torch.allclose(states[-1], model.encoder(ids, torch.ones_like(ids)))


def test_the_old_names_of_a_norms_weights_are_understood(tiny):
    with accept_as_published(tiny):
        wanted = minilm(tiny).encode(["the cat"])

    def rename(weights):
        for name in [name for name in weights if "LayerNorm" in name]:
            old = name.replace("weight", "gamma").replace("bias", "beta")
            weights[old] = weights.pop(name)

    change_weights(tiny, rename)
    with accept_as_published(tiny):
        assert torch.equal(minilm(tiny).encode(["the cat"]), wanted)


def _flip(folder):
    file = folder / pretrained.WEIGHTS
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def _cut(folder):
    file = folder / pretrained.WEIGHTS
    file.write_bytes(file.read_bytes()[:-1])


SPOILED = {
    "one flipped bit": (_flip, ValueError, r"model\.safetensors must have the SHA-256"),
    "truncated": (_cut, ValueError, r"model\.safetensors must have the SHA-256"),
    "foreign": (
        lambda folder: change_weights(folder, lambda w: w["pooler.dense.bias"].add_(1)),
        ValueError,
        "these are other weights",
    ),
    "pickled": (
        lambda folder: (folder / pretrained.WEIGHTS).rename(folder / "pytorch_model.bin"),
        FileNotFoundError,
        r"model\.safetensors of all-MiniLM-L6-v2 must lie in folder",
    ),
    **{
        f"no {name}": (
            lambda folder, name=name: (folder / name).unlink(),
            FileNotFoundError,
            f"{name} must be next to",
        )
        for name in ("config.json", "tokenizer.json", "vocab.txt")
    },
    "another option": (
        lambda folder: change_config(folder, position_embedding_type="relative_key"),
        ValueError,
        "position_embedding_type of a config.json must be 'absolute', got 'relative_key'",
    ),
    "quantized weights": (
        lambda folder: change_config(folder, quantization_config={"bits": 4}),
        ValueError,
        "quantization_config of a config.json has an effect that is not known here; it must be",
    ),
}


@pytest.mark.parametrize("name", SPOILED)
def test_wrong_files_are_refused(tiny, name):
    spoil, kind, message = SPOILED[name]
    with accept_as_published(tiny):
        minilm(tiny)
        spoil(tiny)
        with pytest.raises(kind, match=message):
            minilm(tiny)


def test_nothing_is_ever_unpickled(tiny, monkeypatch):
    class Bomb:
        def __reduce__(self):
            return (pytest.fail, ("unpickled",))

    with accept_as_published(tiny):
        for name in ("pytorch_model.bin", "weights.pt", "model.pkl"):
            (tiny / name).write_bytes(pickle.dumps(Bomb()))
        minilm(tiny)
        (tiny / pretrained.WEIGHTS).write_bytes(pickle.dumps(Bomb()))
        with pytest.raises(ValueError, match="must have the SHA-256"):
            minilm(tiny)


def test_downloaded_files_are_checked(bare, monkeypatch):
    def fetched(folder):
        place = tiny_minilm.write(bare / "fetched")
        return place

    monkeypatch.setattr(pretrained, "_download", fetched)
    with pytest.raises(ValueError, match="these are other weights"):
        minilm(download=True)
