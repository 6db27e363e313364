"""The texts of noun phrases that the two translators of the bottleneck learn from."""

import torch

from lessons.recurrent_networks.experiments.bottleneck import COLORS, NOUNS, data, phrases, rate


def test_a_translation_puts_every_color_before_its_noun():
    source, target, _ = phrases(3, torch.Generator().manual_seed(5))
    for french, english in zip(source.split(" et "), target.split(" and "), strict=True):
        noun, color = french.split()
        assert english == f"{COLORS[color]} {NOUNS[noun]}"


def test_no_test_text_of_three_or_four_phrases_occurs_in_training():
    _, train, tests = data()
    known = {pair.source for pair in train}
    assert [len(pairs) for pairs in tests] == [100] * 4
    for count, pairs in enumerate(tests, start=1):
        assert all(pair.source.count(" et ") == count - 1 for pair in pairs)
        assert count < 3 or not known & {pair.source for pair in pairs}


def test_the_rate_rises_to_its_peak_and_falls_to_almost_nothing():
    rates = [rate(step, 600) for step in range(1, 601)]
    assert max(rates) == rates[19] and rates[0] < rates[19] / 10 and rates[-1] < rates[19] / 100
