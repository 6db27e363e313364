"""Right answers to the exercises of tokens by several routes."""

import codecs
import re
from collections import Counter
from itertools import groupby, pairwise, tee


def next_merge_by_counters(words):
    counts = Counter()
    for word in words:
        counts.update(pairwise(word))
    pair = min(counts, key=lambda pair: (-counts[pair], pair))
    return pair, counts[pair]


def next_merge_by_sorting(words):
    pairs = sorted(pair for word in words for pair in pairwise(word))
    runs = [(pair, len(list(run))) for pair, run in groupby(pairs)]
    most = max(count for _, count in runs)
    return next(run for run in runs if run[1] == most)


def next_merge_by_stable_sort(words):
    counts = {}
    for word in words:
        first, second = tee(word)
        next(second)
        for pair in zip(first, second, strict=False):
            counts[pair] = counts.get(pair, 0) + 1
    in_order = sorted(counts)
    pair = max(in_order, key=lambda pair: counts[pair])
    return pair, counts[pair]


def tokens_saved_by_skipping(words, pair):
    saved = 0
    for word in words:
        used = -1
        for place in range(len(word) - 1):
            if place > used and (word[place], word[place + 1]) == pair:
                saved += 1
                used = place + 1
    return saved


def tokens_saved_by_patterns(words, pair):
    left, right = (re.escape(piece) for piece in pair)
    pattern = re.compile(rf"(?<=;){left};{right};")
    return sum(len(pattern.findall(";" + "".join(f"{p};" for p in word))) for word in words)


def tokens_saved_by_runs(words, pair):
    saved = 0
    for word in words:
        if pair[0] == pair[1]:
            saved += sum(len(list(run)) // 2 for piece, run in groupby(word) if piece == pair[0])
        else:
            saved += sum(found == pair for found in pairwise(word))
    return saved


def cut_by_passes(word, merges):
    pieces = list(word)
    for left, right in merges:
        joined = []
        for piece in pieces:
            if joined and joined[-1] == left and piece == right:
                joined[-1] = left + right
            else:
                joined.append(piece)
        pieces = joined
    return pieces


def cut_by_patterns(word, merges):
    text = ";" + "".join(f"{letter};" for letter in word)
    for left, right in merges:
        text = re.sub(rf"(?<=;){re.escape(left)};{re.escape(right)};", f"{left}{right};", text)
    return [piece for piece in text.split(";") if piece]


def cut_by_ranks(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    pieces = list(word)
    for _ in range(len(word)):
        known = [(ranks.get(pair, 99), place) for place, pair in enumerate(pairwise(pieces))]
        if known and min(known)[0] < 99:
            place = min(known)[1]
            pieces[place : place + 2] = [pieces[place] + pieces[place + 1]]
    return pieces


def stream_by_decoder(tokens):
    decoder = codecs.getincrementaldecoder("utf-8")(errors="strict")
    return [decoder.decode(token, final=False) for token in tokens]


def stream_by_first_bytes(tokens):
    shown, waiting = [], b""
    for token in tokens:
        text = ""
        for byte in token:
            waiting += bytes([byte])
            needed = 1
            for border in (192, 224, 240):
                needed += waiting[0] >= border
            if len(waiting) == needed:
                text += waiting.decode("utf-8")
                waiting = b""
        shown.append(text)
    return shown


def stream_by_trying(tokens):
    shown, held = [], b""
    for token in tokens:
        held += token
        try:
            text, held = held.decode("utf-8"), b""
        except UnicodeDecodeError as error:
            text, held = held[: error.start].decode("utf-8"), held[error.start :]
        shown.append(text)
    return shown
