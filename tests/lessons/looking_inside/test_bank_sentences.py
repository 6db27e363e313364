"""The bank sentences of chapter 24 fit the names of their groups."""

import re

import pytest

from lessons.looking_inside.bank_sentences import BANK, MORE_BANK, BankSentences
from lessons.looking_inside.graded_sentences import GRADED, MORE_GRADED


def words(sentence: str) -> list[str]:
    return re.findall(r"[a-z]+", sentence.lower())


WATER = set(
    words(
        "river stream water boat boats canoe fishing fish fishermen fisherman swam swim ferry "
        "ferryman sailor harbour muddy ducks pond flood shore canal willow grassy bridge moor"
    )
)
MONEY = set(
    words(
        "banker money cash credit wallet savings fee fees dollars rich gold coin coins account "
        "loan lent charges bill treasurer lender debtor interest wealthy cashier accountant "
        "insure paid closes safe"
    )
)


@pytest.mark.parametrize("group", [BANK, MORE_BANK], ids=["first", "second"])
def test_there_are_forty_and_each_has_its_word_once(group: BankSentences) -> None:
    assert [len(part) for part in group] == [12, 12, 6, 6, 4]
    for sentence in sum(group, ()):
        assert words(sentence).count("bank") == 1, sentence


@pytest.mark.parametrize("group", [BANK, MORE_BANK], ids=["first", "second"])
def test_a_trap_has_words_of_the_other_meaning(group: BankSentences) -> None:
    for traps, other in ((group.river_traps, MONEY), (group.money_traps, WATER)):
        for sentence in traps:
            assert other & set(words(sentence)), sentence


def test_no_sentence_is_in_both_sets() -> None:
    all_of_them = [*sum(BANK, ()), *sum(MORE_BANK, ())]
    assert len(set(all_of_them)) == 80


def test_plain_sentences_have_no_word_of_the_other_meaning() -> None:
    for group in (BANK, MORE_BANK):
        for plain, other in ((group.river, MONEY), (group.money, WATER)):
            for sentence in plain:
                assert not other & set(words(sentence)), sentence


def test_graded_sentences_differ_and_the_last_shares_a_word() -> None:
    rows = [*GRADED, *MORE_GRADED]
    assert len(GRADED) == len(MORE_GRADED) == 12
    assert len({row.sentence for row in rows}) == 24
    for row in rows:
        assert len(set(row)) == 5
        assert set(words(row.sentence)) & set(words(row.unrelated)), row
