"""The package's own numbers, in double precision, to compare the page's engine with."""

import random
from base64 import b64encode
from collections.abc import Iterator

import torch

from lessons.decoding.translator.ablation import PARTS, Head, ablated
from lessons.trained.grammar import grammar_corpus
from lessons.trained.translator import Translator, load_translator, round_weights
from lessons.trained.translator.measuring_doubt import read_outside
from lessons.trained.translator.page import PAGE, page_bytes
from transformer_lite.decoding import beam_search, greedy
from transformer_lite.models.build import build
from transformer_lite.models.config import TransformerConfig
from transformer_lite.models.inspection import record_attention
from transformer_lite.models.transformer import Transformer
from transformer_lite.text.words import WordTokenizer
from transformer_lite.training import translate

SENTENCES = ["je suis étudiant .", "le petit chat noir ne dort pas !", "l' aime -t-elle pain , ?"]
SENTENCES += ["i am a student", "the small black cat does not sleep bread like do"]
WORDS = [word for sentence in SENTENCES for word in sentence.split()]
TOKENS = ["<pad>", "<bos>", "<eos>", "<unk>", *WORDS]
BOS, EOS = 1, 2
MOST = 9  # a model that has learned nothing seldom ends a sentence
ABLATIONS = [
    {},
    {"silenced": [Head("encoder", 3, 2), Head("cross", 1, 0), Head("cross", 1, 3)]},
    {"silenced": [Head("self", 0, h) for h in range(4)]},
    {"positions": False},
    {"causal": False},
    {"causal": False, "positions": False, "silenced": [Head("self", 1, 1)]},
]


def untrained(seed: int = 0) -> Transformer:
    """Return a model with random weights that 8 bits hold exactly; its two stacks differ."""
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


def as_options(ablation: dict) -> dict:
    """Return an ablation as the JavaScript names it."""
    silenced = [head._asdict() for head in ablation.get("silenced", [])]
    return ablation | {"silenced": silenced}


def _layers(model: Transformer, part: str) -> int:
    stack = model.encoder if part == "encoder" else model.decoder
    return len(stack.layers)


def passes(model: Transformer, dice: random.Random) -> Iterator[dict]:
    """Yield whole forward passes: all attention weights, the memory, and the logits."""
    for case, ablation in enumerate(ABLATIONS * 2):
        source = [*dice.choices(range(3, len(TOKENS)), k=1 + case % 7), EOS]
        target = [BOS, *dice.choices(range(2, len(TOKENS)), k=case % 5)]
        ids = torch.tensor([source]), torch.tensor([target])
        with ablated(model, **ablation), torch.no_grad():
            memory = model.encode(ids[0])
            record = record_attention(model, *ids)
        weights = {
            part: [record.weights[path.format(layer)][0] for layer in range(_layers(model, part))]
            for part, path in PARTS.items()
        }
        yield {
            "source": source,
            "target": target,
            "options": as_options(ablation),
            "expected": {"memory": memory[0], "logits": record.output[0], **weights},
        }


def level(step) -> dict:
    """Return one level of the package's tree without entries that are not continuations."""
    columns = step.tokens[0], step.log_probs[0], step.scores[0]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    weighed = [[list(one) for one in zip(*row, strict=True) if one[1] > -1e30] for row in rows]
    kept = [
        list(one) for one in zip(*(step.pick(c[None])[0].tolist() for c in columns), strict=True)
    ]
    return {"weighed": weighed, "kept": kept, "parents": step.parents[0]}


def searches(model: Transformer, dice: random.Random) -> Iterator[dict]:
    """Yield greedy search and beam searches, as long as a model decodes that learned nothing."""
    for case, ablation in enumerate(ABLATIONS * 2):
        source = [*dice.choices(range(3, len(TOKENS)), k=1 + case % 6), EOS]
        width, alpha = 1 + case % 5, (0.6, 0.0, 1.0, 2.0)[case % 4]
        ends = {"eos_id": EOS, "bos_id": BOS, "max_len": MOST + case % 3, "use_cache": False}
        with ablated(model, **ablation):
            plain = greedy(model, torch.tensor([source]), **ends)[0, 1:].tolist()
            beam = beam_search(model, torch.tensor([source]), num_beams=width, alpha=alpha, **ends)
        found = [[i for i in row if i != 0] for row in beam.tokens[0, :, 1:].tolist()]
        yield {
            "source": source,
            "width": width,
            "alpha": alpha,
            "options": as_options(ablation) | {"most": ends["max_len"]},
            "greedy": plain,
            "expected": {
                "found": found,
                "logProbs": beam.log_probs[0],
                "scores": beam.scores[0],
                "tree": [level(step) for step in beam.tree],
            },
        }


ODD = [
    "",
    "   ",
    "Je suis l’étudiant. L'étudiant aime-t-il ça ?",
    "<script>alert('chat')</script> &amp; <b>noir</b> <pad> <eos>",
    "👩‍👩‍👧‍👦 le chat 🐈‍⬛ noir 🇫🇷",
    "e\u0301tudiant ÉTUDIANT İI ΣΑΣ ß ﬁn x² ½ ٣ 第三",
    "a\x1cb\x85c\ufeffd\u200be\u00a0f\u3000g\td\r\nh",
    "Dort-il ? mange-t-elle -t-on -il dort-IL-chat vas-tu- est-ce-vous' aime-t-ils_ a-t-il-elle",
    "où vont-nous-mêmes dors-tu? tu-tu--tu -t-tu-t- rendez-vous, ils-ils² -ilé -iĺ -on'on",
    "chat-noir chat- -noir ''' l'' l'l' d’’un '’ _'_ 3,5",
    "chat" * 2500,
    "le chat " * 1250,
]
SIGNS = (
    "aàéœÉÇŠßΣσжЯ中ñ'’-_.,!?;:()<>&\"0123 \t\n\u00a0\u2009🐈😀e\u0301\u0327\u093f\u200c\u200d🏽🇫"
)


def texts(dice: random.Random) -> Iterator[dict]:
    """Yield odd texts with their pieces and ids, and what is written of the ids."""
    tokenizer = WordTokenizer(WORDS)
    random_texts = ["".join(dice.choices(SIGNS, k=dice.randrange(40))) for _ in range(200)]
    sentences = [" ".join(dice.choices([*WORDS, "zèbre"], k=8)) for _ in range(20)]
    parts = ["-", "-t-", "t", "il", "elles", "vous", "on", "dort", "é", "'", "_", "2", " ", "."]
    asked = ["".join(dice.choices(parts, k=dice.randrange(12))) for _ in range(200)]
    for text in [*ODD, *random_texts, *sentences, *asked]:
        ids = tokenizer.encode(text)
        expected = {"pieces": tokenizer.pieces(text), "ids": ids, "text": tokenizer.decode(ids)}
        yield {"text": text, "expected": expected}


def unseen() -> list[str]:
    """Return 500 sentences with combinations of words that no training showed."""
    pairs = grammar_corpus(seed=1, size=10, held_out=500).held_out_combinations
    return [pair.source for pair in pairs]


def trained() -> dict:
    """Return the trained translator's results on sentences that were not in its training.

    The logits are those of 32 bits, which readers of the package see; the page has 64. The browser
    tests translate the other sentences too, in `make nightly`.
    """
    some = slice(None, None, 4)
    translator, sources = load_translator(), unseen()[some]
    tokenizer = translator.tokenizer
    logits = []
    for source in sources[:20]:
        src = [[*tokenizer.encode(source), tokenizer.eos_id]]
        tgt = [[tokenizer.bos_id, *tokenizer.encode(translator.translate(source))]]
        with torch.no_grad():
            found = translator.model(torch.tensor(src), torch.tensor(tgt))[0]
        logits.append({"source": source, "target": tgt[0], "expected": found})
    texts = translate(translator.model, tokenizer, sources)
    odd = [one.source for one in read_outside()][some]
    doubts = [(text, translator.doubt(text)._asdict()) for text in [*sources[:50], *odd]]
    return {
        "path": str(PAGE),
        "translations": [*zip(sources, texts, strict=True)],
        "logits": logits,
        "doubts": doubts,
    }


def engine_cases() -> dict:
    """Return the file of an untrained model, and the package's results for it."""
    model = untrained()
    file = page_bytes(Translator(model, WordTokenizer(WORDS)))
    double: Transformer = model.double()
    dice = random.Random(5)
    return {
        "file": b64encode(file).decode("ascii"),
        "passes": [*passes(double, dice)],
        "searches": [*searches(double, dice)],
        "texts": [*texts(dice)],
        "trained": trained(),
    }
