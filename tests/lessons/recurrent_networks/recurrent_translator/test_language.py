"""The small language of the figure."""

from lessons.recurrent_networks.recurrent_translator import language
from lessons.recurrent_networks.recurrent_translator.record import SENTENCES

ALL = language.sentences(3000, seed=3)


def test_sentences_differ_and_depend_on_the_seed_alone():
    assert len({pair.source for pair in ALL}) == 3000
    assert language.sentences(3000, seed=3) == ALL != language.sentences(3000, seed=4)


def test_the_figure_shows_sentences_of_the_language():
    known = dict(pair[:2] for pair in language.sentences(5000, seed=0))
    found = [known[pair.source] == pair.target for pair in SENTENCES if pair.source in known]
    assert all(found) and len(found) >= len(SENTENCES) / 2


def test_an_avocat_is_a_lawyer_who_acts_and_an_avocado_that_is_eaten():
    for french, english, _ in ALL:
        words = french.replace("'", " ").split()
        if "avocat" in words[:2]:
            assert "lawyer" in english
        eats = [i for i, word in enumerate(words) if word in ("mange", "mangent")]
        if eats and "avocat" in words[eats[0] :]:
            assert "avocado" in english


def test_verbs_agree_with_their_subject():
    plural = {verb[1] for verb in (*language.ACTS, *(deed for deed, _ in language.DEEDS))}
    for french, _, _ in ALL:
        assert french.startswith("les ") == bool(plural & set(french.split()))
