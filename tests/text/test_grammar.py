"""The corpus by grammar: its size, its splits, its phenomena, and that no source is ambiguous."""

import hashlib
import random
import re
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from transformer_lite.text import (
    WordTokenizer,
    grammar_corpus,
    held_out_combinations,
    join_words,
    split_words,
)
from transformer_lite.text.clause_kinds import any_clause, clause_about, somebody_else
from transformer_lite.text.clauses import in_french
from transformer_lite.text.grammar import FIXED
from transformer_lite.text.lexicon import ADJECTIVES, NAMES, NOUNS, VERBS, verbs_of
from transformer_lite.text.sentences import any_sentence

PHENOMENA = {
    "present", "past", "future", "negation", "question", "elision", "plural", "feminine",
    "adjective before", "adjective after", "adjective after être", "être", "avoir", "idiom",
    "number", "partitive", "possessive", "object pronoun", "subject pronoun", "profession",
    "there is", "place", "adverb", "two clauses", "reflexive", "greeting", "short",
}  # fmt: skip


@pytest.fixture(scope="module")
def corpus():
    return grammar_corpus(seed=0, size=12_000)


@pytest.fixture(scope="module")
def drawn():
    """Many sentences as they are drawn, repetitions included."""
    rng = random.Random(17)
    return [any_sentence(rng) for _ in range(30_000)]


def forms_of_adjectives():
    table = defaultdict(set)
    for adjective in ADJECTIVES:
        table[adjective.lemma] |= {*adjective.forms, adjective.before_vowel}
    return table


def test_the_sizes_are_those_asked_for(corpus):
    assert [len(split) for split in corpus] == [12_000, 2_000, 2_000]
    small = grammar_corpus(size=5, held_out=3)
    assert [len(split) for split in small] == [5, 3, 3]


def test_there_are_200_000_pairs_or_more():
    """Any first clause goes with any second: few clauses make many sentences."""
    rng = random.Random(17)
    firsts = {in_french(any_clause(rng)) for _ in range(700)}
    seconds = {in_french(clause_about(rng, somebody_else(rng))) for _ in range(700)}
    short = [sum(len(clause.split()) < 7 for clause in clauses) for clauses in (firsts, seconds)]
    assert short[0] * short[1] >= 200_000


def test_there_are_at_most_400_french_forms(drawn):
    forms = {word for sentence in drawn for word in split_words(sentence.source)}
    forms |= {word for source, _ in FIXED for word in split_words(source)}
    assert len(forms) <= 400


def test_no_source_has_two_targets(drawn):
    targets = dict(FIXED)
    for sentence in drawn:
        assert targets.setdefault(sentence.source, sentence.target) == sentence.target


def test_the_splits_share_no_source(corpus):
    sources = [pair.source for split in corpus for pair in split]
    assert len(set(sources)) == len(sources)


def test_a_seed_decides_everything():
    first, second = (grammar_corpus(seed=3, size=300, held_out=20) for _ in range(2))
    assert first == second
    assert grammar_corpus(seed=4, size=300, held_out=20).held_out != first.held_out
    pairs = "\n".join(f"{pair.source}\t{pair.target}" for split in first for pair in split)
    digest = hashlib.sha256(pairs.encode()).hexdigest()
    assert digest.startswith("5ecfa74a60703ce5"), "recorded trainings were of another corpus"


def test_the_sentences_of_the_documents_are_learned(corpus):
    learned = {pair.source: pair.target for pair in corpus.train}
    assert learned["je suis étudiant"] == "i am a student"
    assert learned["merci"] == "thanks"
    assert learned["le chat s'est assis sur le tapis"] == "the cat sat on the mat"
    assert learned["le petit chat noir"] == "the small black cat"


def test_sentences_are_short_and_most_have_four_to_ten_words(corpus):
    lengths = Counter(len(pair.source.split()) for pair in corpus.train)
    assert min(lengths) == 1 and max(lengths) == 14
    assert sum(lengths[n] for n in range(4, 11)) > 0.75 * len(corpus.train)


def test_text_is_written_as_words_are_joined(corpus):
    for pair in corpus.train:
        assert join_words(split_words(pair.source)) == pair.source
        assert join_words(split_words(pair.target)) == pair.target


def test_a_joint_vocabulary_of_the_training_split_knows_all_words(corpus):
    texts = [text for pair in corpus.train for text in pair[:2]]
    tokenizer = WordTokenizer.train(texts)
    assert len(tokenizer) < 600
    for split in corpus[1:]:
        for pair in split:
            assert tokenizer.unk_id not in tokenizer.encode(f"{pair.source} {pair.target}")


def test_every_phenomenon_is_named_and_none_is_rare(corpus):
    counts = Counter(name for pair in corpus.train for name in pair.phenomena)
    assert set(counts) == PHENOMENA
    assert counts.pop("short") == len(FIXED)
    assert min(counts.values()) > 60
    for split in corpus[1:]:
        assert {name for pair in split for name in pair.phenomena} >= PHENOMENA - {"short"} - {
            "greeting"
        }


@pytest.mark.parametrize(
    ("phenomenon", "pattern"),
    [
        ("negation", r"\b(ne |n')"),
        ("question", r"\?$"),
        ("elision", r"(?<!aujourd)'"),
        ("there is", r"\bil (n')?y "),
        ("number", r"\b(deux|trois|quatre|cinq|six|sept|huit|neuf|dix)\b"),
        ("reflexive", r"\bassise?s?\b"),
    ],
)
def test_what_a_pair_is_said_to_show_stands_in_it(corpus, phenomenon, pattern):
    for pair in corpus.train[len(FIXED) :]:
        assert (phenomenon in pair.phenomena) == bool(re.search(pattern, pair.source)), pair


# The combinations that training never shows


def test_each_noun_and_each_subject_lacks_something():
    apart = held_out_combinations()
    adjectives = {adjective.lemma for adjective in ADJECTIVES}
    with_adjective = {first for first, second in apart if second in adjectives}
    with_verb = {first for first, second in apart if second in VERBS}
    assert with_adjective == {n.singular for n in NOUNS.values() if not n.is_mass}
    animate = {n.singular for n in NOUNS.values() if n.kind in ("person", "animal")}
    assert with_verb == animate | set(NAMES)


NOUN_OF = {form: n.singular for n in NOUNS.values() for form in (n.singular, n.plural)}
SUBJECT_OF = NOUN_OF | {name: name for name in NAMES}
ADJECTIVE_OF = {form: lemma for lemma, forms in forms_of_adjectives().items() for form in forms}
VERB_OF = {form: v.lemma for v in VERBS.values() for form in (*v.present, *v.future)}
PARTICIPLE_OF = {form: v.lemma for v in VERBS.values() for form in v.participle}


def neighbours(words):
    """Nouns and the adjectives that touch them, read off the text: by forms, not by the grammar."""
    nouns, lemmas = NOUN_OF, ADJECTIVE_OF
    for left, right in pairwise(words):
        if left in lemmas and right in nouns:
            yield nouns[right], lemmas[left]
        if left in nouns and right in lemmas:
            yield nouns[left], lemmas[right]


def simple_subjects(words):
    """A noun or name right before a verb in the present or future, or a name before its past."""
    nouns, verbs, participles = SUBJECT_OF, VERB_OF, PARTICIPLE_OF
    for i, word in enumerate(words[:-1]):
        rest = [w for w in words[i + 1 : i + 6] if w not in ("ne", "n'", "pas", "a", "ont", "est")]
        rest = [w for w in rest if w != "sont"]
        if word in nouns and rest and rest[0] in verbs:
            yield nouns[word], verbs[rest[0]]
        past = word in NAMES and words[i + 1] in ("a", "ont", "est", "sont") and rest
        if past and rest[0] in participles:
            yield nouns[word], participles[rest[0]]


def test_held_out_combinations_never_meet_in_training(corpus):
    apart = held_out_combinations()
    for pair in (*corpus.train, *corpus.held_out):
        words = split_words(pair.source)
        assert apart.isdisjoint(neighbours(words)), pair
        if words[0] != "avec" and "place" not in pair.phenomena:
            assert apart.isdisjoint(simple_subjects(words)), pair


def test_each_part_of_a_combination_is_frequent_in_training(corpus):
    words = Counter(word for pair in corpus.train for word in split_words(pair.source))
    adjectives = forms_of_adjectives()
    for first, second in held_out_combinations():
        forms = {first} if first in NAMES else {first, NOUNS[first].plural}
        assert sum(words[form] for form in forms) > 100, first
        if second in VERBS:
            verb = VERBS[second]
            forms = {*verb.present, *verb.future, *verb.participle}
        else:
            forms = adjectives[second]
        assert sum(words[form] for form in forms) > 100, second


def test_held_out_combinations_are_met_in_their_split(corpus):
    apart = held_out_combinations()
    met = Counter()
    for pair in corpus.held_out_combinations:
        words = split_words(pair.source)
        met.update(set(neighbours(words)) & apart)
        met.update(set(simple_subjects(words)) & apart)
    assert len(met) > 0.8 * len(apart)


def test_animals_buy_nothing():
    assert len(verbs_of("animal")) == len(verbs_of("person")) - 1
