"""Every target is checked by a second way: by hand, and by a reader that parses the French."""

import random
import re
from pathlib import Path

import pytest
from french_reader import UnreadableError, translate

from transformer_lite.text import grammar_corpus, split_words
from transformer_lite.text.grammar import FIXED

LIST = Path(__file__).parents[1] / "support/pairs_by_hand.txt"
BY_HAND = [
    line.split(" | ")
    for line in LIST.read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
SHORT = {source for source, _ in FIXED}


@pytest.fixture(scope="module")
def pairs():
    corpus = grammar_corpus(seed=11, size=6_000, held_out=1_000)
    found = [*corpus.train, *corpus.held_out, *corpus.held_out_combinations]
    return [pair for pair in found if pair.source not in SHORT]


def fault(source, target):
    """Why a pair is wrong, or nothing."""
    try:
        read = translate(source)
    except UnreadableError as error:
        return f"{source}: {error}"
    return "" if read == target else f"{source}: {target}, and read as: {read}"


@pytest.mark.parametrize(("source", "target"), BY_HAND, ids=[source for source, _ in BY_HAND])
def test_the_reader_translates_as_people_do(source, target):
    assert fault(source, target) == ""


def test_there_are_enough_pairs_by_hand():
    assert len(BY_HAND) >= 200


def test_every_target_is_what_the_reader_says(pairs):
    assert [found for pair in pairs if (found := fault(*pair[:2]))] == []


def test_short_sentences_are_those_of_the_list():
    by_hand = dict(BY_HAND)
    assert by_hand["je suis étudiant"] == dict(FIXED)["je suis étudiant"]
    assert by_hand["merci"] == dict(FIXED)["merci"]
    spoken = [source for source in SHORT if len(source.split()) > 2]
    assert spoken and all(fault(source, dict(FIXED)[source]) == "" for source in spoken)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("la chat dort", "0 ways"),
        ("le petite chat dort", "does not agree"),
        ("le petit chat noire dort", "does not agree"),
        ("le noir chat dort", "the place"),
        ("un beau oiseau dort", "before a vowel"),
        ("le étudiant dort", "le étudiant"),
        ("l'chat dort", "l' chat"),
        ("ma amie dort", "ma amie"),
        ("le chat dorment", "readings"),
        ("les chats dort", "readings"),
        ("elle est arrivé", "does not agree"),
        ("elle a arrivé", "arrivé"),
        ("elle est fatigué", "does not agree"),
        ("paul et marie sont heureuses", "does not agree"),
        ("je ne dors", "without pas"),
        ("je ai faim", "before a vowel"),
        ("je le vois", "nobody knows"),
        ("la pomme est ici, je le mange", "gender"),
        ("la pomme est ici, je l'ai mangé", "does not agree"),
        ("le chat est ici, elle dort", "elle for the cat"),
        ("les chats sont ici, je le vois", "for the cats"),
        ("je mange des viande", "0 ways"),
        ("il n'y a pas de souris", "2 ways"),
        ("des petits chats dorment", "0 ways"),
        ("paul dormira hier", "hier in the future"),
        ("tu dors?", "without its beginning"),
        ("est-ce que il dort?", "que"),
        ("elle est étudiant", "does not agree"),
        ("elle s'est assis", "does not agree"),
        ("elle m'est assise", "m' for she"),
    ],
)
def test_the_reader_finds_faults(source, why):
    with pytest.raises(UnreadableError, match=re.escape(why)):
        translate(source)


def test_a_changed_word_is_found(pairs):
    """Where one French form becomes another, the reader objects or says something else."""
    rng = random.Random(3)
    forms = sorted({word for pair in pairs for word in split_words(pair.source)})
    unchanged = []
    for pair in pairs[:1000]:
        words = pair.source.split()
        place, other = rng.randrange(len(words)), rng.choice(forms)
        changed = " ".join([*words[:place], other, *words[place + 1 :]])
        if changed != pair.source and fault(changed, pair.target) == "":
            unchanged.append((pair.source, changed))
    # What is left means the same: je suis fatigué and je suis fatiguée, tu and vous.
    assert len(unchanged) < 20
