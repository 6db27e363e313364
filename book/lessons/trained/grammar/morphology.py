"""Forms by rule: plurals, feminines, conjugations; what no rule gives is listed."""

from __future__ import annotations

from typing import NamedTuple

PERSONS = ("je", "tu", "il", "nous", "vous", "ils")

#: Present (six forms), stem of the future, stem of the imparfait, participle. A short present has
#: three: je, tu, il with the same stem as elsewhere.
_IRREGULAR = """
être suis es est sommes êtes sont ser ét été
avoir ai as a avons avez ont aur av eu
aller vais vas va allons allez vont ir all allé
faire fais fais fait faisons faites font fer fais fait
voir vois vois voit voyons voyez voient verr voy vu
boire bois bois boit buvons buvez boivent boir buv bu
vouloir veux veux veut voulons voulez veulent voudr voul voulu
pouvoir peux peux peut pouvons pouvez peuvent pourr pouv pu
devoir dois dois doit devons devez doivent devr dev dû
dormir dors dors dort dormons dormez dorment dormir dorm dormi
partir pars pars part partons partez partent partir part parti
mentir mens mens ment mentons mentez mentent mentir ment menti
interrompre interromps interromps interrompt interrompons interrompez interrompent interrompr interromp interrompu
asseoir assieds assieds assied asseyons asseyez asseyent assiér assey assis
sentir sens sens sent sentons sentez sentent sentir sent senti
servir sers sers sert servons servez servent servir serv servi
courir cours cours court courons courez courent courr cour couru
tenir tiens tiens tient tenons tenez tiennent tiendr ten tenu
découvrir découvre découvres découvre découvrons découvrez découvrent découvrir découvr découvert
ouvrir ouvre ouvres ouvre ouvrons ouvrez ouvrent ouvrir ouvr ouvert
lire lis lis lit lisons lisez lisent lir lis lu
écrire écris écris écrit écrivons écrivez écrivent écrir écriv écrit
rire ris ris rit rions riez rient rir ri ri
sourire souris souris sourit sourions souriez sourient sourir souri souri
prendre prends prends prend prenons prenez prennent prendr pren pris
apprendre apprends apprends apprend apprenons apprenez apprennent apprendr appren appris
comprendre comprends comprends comprend comprenons comprenez comprennent comprendr compren compris
mettre mets mets met mettons mettez mettent mettr mett mis
commettre commets commets commet commettons commettez commettent commettr commett commis
suivre suis suis suit suivons suivez suivent suivr suiv suivi
coudre couds couds coud cousons cousez cousent coudr cous cousu
peindre peins peins peint peignons peignez peignent peindr peign peint
construire construis construis construit construisons construisez construisent construir construis construit
appeler appelle appelles appelle appelons appelez appellent appeller appel appelé
acheter achète achètes achète achetons achetez achètent achèter achet acheté
nettoyer nettoie nettoies nettoie nettoyons nettoyez nettoient nettoier nettoy nettoyé
payer paie paies paie payons payez paient paier pay payé
préférer préfère préfères préfère préférons préférez préfèrent préférer préfér préféré
répéter répète répètes répète répétons répétez répètent répéter répét répété
enlever enlève enlèves enlève enlevons enlevez enlèvent enlèver enlev enlevé
lever lève lèves lève levons levez lèvent lèver lev levé
"""  # noqa: E501


def words(text: str) -> tuple[str, ...]:
    """Return the words of a line."""
    return tuple(text.split())


class French(NamedTuple):
    """The forms of a French verb: six of each tense, and the participle in four."""

    infinitive: str
    present: tuple[str, ...]
    future: tuple[str, ...]
    imparfait: tuple[str, ...]
    participle: tuple[str, ...]


class English(NamedTuple):
    """The forms of an English verb, with the little word that belongs to it: *look for*."""

    base: str
    third: str
    past: str
    ing: str


def _listed() -> dict[str, tuple[list[str], str, str, str]]:
    lines = (line.split() for line in _IRREGULAR.strip().splitlines())
    return {w[0]: (w[1:7], w[7], w[8], w[9]) for w in lines}


_LISTED = _listed()


def conjugated(infinitive: str) -> French:
    """Conjugate a French verb.

    >>> conjugated("manger").present[3], conjugated("finir").present[5]
    ('mangeons', 'finissent')
    """
    if infinitive in _LISTED:
        present, future, past, participle = _LISTED[infinitive]
    else:
        present, future, past, participle = _regular(infinitive)
    return French(
        infinitive,
        tuple(present),
        tuple(future + end for end in ("ai", "as", "a", "ons", "ez", "ont")),
        tuple(
            (past.removesuffix("e") if past.endswith("ge") and end[0] == "i" else past) + end
            for end in ("ais", "ais", "ait", "ions", "iez", "aient")
        ),
        agreeing(participle),
    )


def _regular(infinitive: str) -> tuple[list[str], str, str, str]:
    stem, end = infinitive[:-2], infinitive[-2:]
    if end == "er":
        soft = stem + "e" if stem.endswith("g") else stem
        soft = stem[:-1] + "ç" if stem.endswith("c") else soft
        ends = [stem + "e", stem + "es", stem + "e", soft + "ons", stem + "ez", stem + "ent"]
        return ends, infinitive, soft, stem + "é"
    if end == "ir":
        ends = [stem + e for e in ("is", "is", "it", "issons", "issez", "issent")]
        return ends, infinitive, stem + "iss", stem + "i"
    stem = infinitive[:-2]  # vendre, attendre, mordre
    ends = [stem + e for e in ("s", "s", "", "ons", "ez", "ent")]
    return ends, infinitive[:-1], stem, stem + "u"


def agreeing(masculine: str) -> tuple[str, str, str, str]:
    """Return the forms of a participle: masculine, feminine, and both plurals."""
    plural = masculine if masculine.endswith("s") else masculine + "s"
    return masculine, masculine + "e", plural, masculine + "es"


_FEMININE = {
    "vieux": "vieille", "beau": "belle", "nouveau": "nouvelle", "bon": "bonne", "gros": "grosse",
    "blanc": "blanche", "gentil": "gentille", "cru": "crue", "frais": "fraîche",
    "long": "longue", "neuf": "neuve", "doux": "douce",
    "sec": "sèche",
}  # fmt: skip
#: The masculine before a vowel: un *bel* oiseau.
BEFORE_VOWEL = {"vieux": "vieil", "beau": "bel", "nouveau": "nouvel"}


def adjective(masculine: str) -> tuple[str, str, str, str]:
    """Return the forms of an adjective: masculine, feminine, and both plurals.

    >>> adjective("heureux"), adjective("cher")[1]
    (('heureux', 'heureuse', 'heureux', 'heureuses'), 'chère')
    """
    feminine = _FEMININE.get(masculine) or _feminine(masculine)
    plural = masculine + "s"
    if masculine[-1] in "sx":
        plural = masculine
    elif masculine.endswith("eau"):
        plural = masculine + "x"
    return masculine, feminine, plural, feminine + "s"


def _feminine(masculine: str) -> str:
    for end, other in (("e", "e"), ("eux", "euse"), ("er", "ère"), ("et", "ète"), ("if", "ive"),
                       ("el", "elle"), ("en", "enne")):  # fmt: skip
        if masculine.endswith(end):
            return masculine.removesuffix(end) + other
    return masculine + "e"


_VOWELS = "aeiou"
# Short verbs and adjectives that double their last letter: cut, cutting; big, bigger.
_DOUBLE = frozenset(
    words("sit run swim cut put win get forget prefer commit regret big fat red sad")
)


def english_plural(noun: str) -> str:
    """Return a plural by rule.

    >>> english_plural("ice cream"), english_plural("fly"), english_plural("boss")
    ('ice creams', 'flies', 'bosses')
    """
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in _VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


def english_verb(base: str, past: str) -> English:
    """Return the forms of an English verb; ``+`` joins its words: ``look+for``."""
    first, *rest = base.split("+")
    tail = "".join(f" {word}" for word in rest)
    stem = first[:-1] if first.endswith("e") and not first.endswith("ee") else first
    if first.endswith("ie"):
        stem = first[:-2] + "y"
    if first in _DOUBLE:
        stem += first[-1]
    third = {"have": "has", "do": "does", "go": "goes"}.get(first) or english_plural(first)
    return English(first + tail, third + tail, past.replace("+", " "), stem + "ing" + tail)


_MORE = frozenset(words("tired honest famous polite"))
_IRREGULAR_DEGREES = {"good": ("better", "best"), "bad": ("worse", "worst")}


def degrees(word: str) -> tuple[str, str]:
    """Return comparative and superlative of an English adjective.

    >>> degrees("big"), degrees("happy")[0], degrees("famous")[1]
    (('bigger', 'biggest'), 'happier', 'most famous')
    """
    if word in _IRREGULAR_DEGREES:
        return _IRREGULAR_DEGREES[word]
    syllables = sum(
        c in "aeiouy" and (i == 0 or word[i - 1] not in "aeiouy")
        for i, c in enumerate(word.removesuffix("e"))
    )
    if syllables > 2 or (syllables == 2 and not word.endswith(("y", "le"))) or word in _MORE:
        return f"more {word}", f"most {word}"
    stem = word + word[-1] if word in _DOUBLE else word.removesuffix("e")
    if stem.endswith("y") and stem[-2] not in _VOWELS and word != "shy":
        stem = stem[:-1] + "i"
    return stem + "er", stem + "est"
