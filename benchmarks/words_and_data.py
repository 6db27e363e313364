"""Count the grammar corpus, and compare byte-pair encoding with Hugging Face's."""

import random
import time
from collections.abc import Callable, Sequence

from peers import milliseconds, report, rounded

from lessons.trained.grammar import grammar_corpus
from lessons.trained.grammar.clauses import elide
from lessons.trained.grammar.corpus import any_text
from transformer_lite.text import BytePairEncoding, SubwordTokenizer, WordTokenizer, split_words

DRAWS, MEGABYTE, VOCABULARY, ROUNDS = 400_000, 2**20, 4000, 3


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def corpus() -> list[dict]:
    """Draw many sentences; count distinct ones, forms, and sources with two targets."""
    rng = random.Random(0)
    targets: dict[str, str] = {}
    for _ in range(DRAWS):
        sentence = any_text(rng)
        source = elide(sentence.french)
        if "undecided" in sentence.marks:
            continue
        if targets.setdefault(source, sentence.english) != sentence.english:
            raise AssertionError(f"two translations of {source}")
    french = {word for source in targets for word in split_words(source)}
    english = {word for target in targets.values() for word in split_words(target)}
    took = seconds(lambda: grammar_corpus())
    return [
        {"what": f"different pairs among {DRAWS} draws", "value": len(targets)},
        {"what": "French forms", "value": len(french)},
        {"what": "English forms", "value": len(english)},
        {"what": "joint vocabulary", "value": len(WordTokenizer(sorted(french | english)))},
        {"what": "seconds of one core for 100,000 training pairs", "value": rounded(took, 2)},
    ]


def encodings() -> list[dict]:
    """Train and use both encodings on one megabyte of the corpus and of invented words."""
    rng = random.Random(1)
    made_up = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(20_000)]
    lines = [text for pair in grammar_corpus(size=3000).train for text in pair[:2]]
    lines = [f"{line} {' '.join(rng.choices(made_up, k=6))}" for line in lines]
    texts, size = [], 0
    while size < MEGABYTE:
        texts.append(lines[len(texts) % len(lines)] + " " + rng.choice(made_up))
        size += len(texts[-1].encode()) + 1
    ours, theirs = (kind.train(texts, VOCABULARY) for kind in (BytePairEncoding, SubwordTokenizer))
    if ours.merges != theirs.merges:
        raise AssertionError("the merges differ")
    runs = {
        "train": (
            lambda: BytePairEncoding.train(texts, VOCABULARY),
            lambda: SubwordTokenizer.train(texts, VOCABULARY),
        ),
        "encode": (
            lambda: encode_afresh(ours.merges, texts[:2000]),
            lambda: [theirs.encode(text) for text in texts[:2000]],
        ),
    }
    rows = []
    for what, (readable, compiled) in runs.items():
        took = milliseconds({"ours": readable, "theirs": compiled}, ROUNDS, warm_up=0)
        times = took["ours"] / took["theirs"]
        rows.append({"what": f"{what}: seconds", "value": rounded(took["ours"] / 1000)})
        rows.append({"what": f"{what}: times Hugging Face's", "value": rounded(times)})
    return rows


def encode_afresh(merges: Sequence[tuple[str, str]], texts: list[str]) -> None:
    """Encode with a tokenizer whose cache is empty."""
    tokenizer = BytePairEncoding(merges)
    for text in texts:
        tokenizer.encode(text)


def main() -> None:
    note = (
        f"Byte pairs: {VOCABULARY} tokens from one megabyte, both with the same merges; "
        f"median of {ROUNDS} rounds in turn. Encoding: 2,000 lines."
    )
    report("words_and_data", "Words and data", corpus() + encodings(), note)


if __name__ == "__main__":
    main()
