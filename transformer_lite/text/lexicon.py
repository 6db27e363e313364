"""The words of the corpus by grammar: French forms, English forms, and what fits with what.

A line is a word. The grammar needs no other knowledge of single words.
"""

from __future__ import annotations

from typing import NamedTuple


class Noun(NamedTuple):
    """A noun: its two forms in both languages, its gender, and its kind, which says what it does.

    A mass noun (bread, water) has no plural; its plural fields repeat the singular.
    """

    singular: str
    plural: str
    feminine: bool
    english: str
    english_plural: str
    kind: str

    @property
    def is_mass(self) -> bool:
        """Whether it is measured and not counted."""
        return self.kind in ("mass", "drink")


class Adjective(NamedTuple):
    """An adjective: four French forms and a fifth before a vowel, and the nouns that it fits.

    Attributes:
        forms: masculine, feminine, masculine plural, feminine plural.
        before_vowel: the masculine form before a vowel: un *bel* oiseau.
        english: the word, which has one form.
        is_before: whether it stands before the noun.
        kinds: the kinds of nouns that it may stand beside.
        predicate_kinds: the kinds of which one says that they *are* so.
    """

    forms: tuple[str, str, str, str]
    before_vowel: str
    english: str
    is_before: bool
    kinds: frozenset[str]
    predicate_kinds: frozenset[str]

    @property
    def lemma(self) -> str:
        """Its masculine form."""
        return self.forms[0]


class English(NamedTuple):
    """An English verb: its base, its third person and its past."""

    base: str
    third: str
    past: str


class Verb(NamedTuple):
    """A French verb with its English one.

    Attributes:
        lemma: its infinitive.
        present: six forms: je, tu, il, nous, vous, ils.
        future: six forms.
        past: six forms of the imparfait for être and avoir; none for others, which have a
            participle.
        participle: masculine, feminine, masculine plural, feminine plural.
        takes_etre: whether its past is built with être: *elle est arrivée*.
        english: the English verb.
        objects: the kinds of nouns that it takes as its object; empty if it takes none.
    """

    lemma: str
    present: tuple[str, ...]
    future: tuple[str, ...]
    past: tuple[str, ...]
    participle: tuple[str, str, str, str]
    takes_etre: bool
    english: English
    objects: frozenset[str]


_NOUNS = """
garçon    garçons     m boy     boys     person
fille     filles      f girl    girls    person
homme     hommes      m man     men      person
femme     femmes      f woman   women    person
étudiant  étudiants   m student students person
étudiante étudiantes  f student students person
ami       amis        m friend  friends  person
amie      amies       f friend  friends  person
professeur professeurs m teacher teachers person
chat      chats       m cat     cats     animal
chien     chiens      m dog     dogs     animal
oiseau    oiseaux     m bird    birds    animal
cheval    chevaux     m horse   horses   animal
vache     vaches      f cow     cows     animal
souris    souris      f mouse   mice     animal
livre     livres      m book    books    thing
fleur     fleurs      f flower  flowers  thing
arbre     arbres      m tree    trees    thing
voiture   voitures    f car     cars     thing
table     tables      f table   tables   thing
chaise    chaises     f chair   chairs   thing
tapis     tapis       m mat     mats     thing
lit       lits        m bed     beds     thing
maison    maisons     f house   houses   thing
jardin    jardins     m garden  gardens  thing
école     écoles      f school  schools  thing
pomme     pommes      f apple   apples   food
orange    oranges     f orange  oranges  food
gâteau    gâteaux     m cake    cakes    food
pain      pain        m bread   bread    mass
viande    viande      f meat    meat     mass
fromage   fromage     m cheese  cheese   mass
eau       eau         f water   water    drink
lait      lait        m milk    milk     drink
café      café        m coffee  coffee   drink
"""

# The forms; before or after; the kinds beside which it stands; the kinds that are so.
_ADJECTIVES = """
petit petite petits petites petit small before person,animal,thing,food person,animal,thing,food
grand grande grands grandes grand big before animal,thing animal,thing
grand grande grands grandes grand tall before - person
jeune jeune jeunes jeunes jeune young before person,animal person,animal
vieux vieille vieux vieilles vieil old before person,animal,thing person,animal,thing
beau belle beaux belles bel beautiful before animal,thing animal,thing
nouveau nouvelle nouveaux nouvelles nouvel new before thing thing
bon bonne bons bonnes bon good before food,mass,drink food,mass,drink
noir noire noirs noires noir black after animal,thing animal,thing
blanc blanche blancs blanches blanc white after animal,thing animal,thing
rouge rouge rouges rouges rouge red after thing,food thing,food
vert verte verts vertes vert green after thing,food thing,food
heureux heureuse heureux heureuses heureux happy after person,animal person,animal
fatigué fatiguée fatigués fatiguées fatigué tired after person,animal person,animal
"""

_REGULAR = """
manger   eat      eats      ate        food,mass
regarder watch    watches   watched    person,animal,thing,food
chercher look+for looks+for looked+for person,animal,thing,food,mass,drink
acheter  buy      buys      bought     animal,thing,food,mass,drink
aimer    love     loves     loved      person,animal,thing
chanter  sing     sings     sang       -
arriver  arrive   arrives   arrived    -
tomber   fall     falls     fell       -
"""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _kinds(text: str) -> frozenset[str]:
    return frozenset(text.split(",")) - {"-"}


def _noun(line: str) -> Noun:
    singular, plural, gender, *english, kind = line.split()
    return Noun(singular, plural, gender == "f", english[0], english[1], kind)


def _adjective(line: str) -> Adjective:
    m, f, mp, fp, vowel, english, place, kinds, predicate_kinds = line.split()
    is_before = place == "before"
    forms = (m, f, mp, fp)
    return Adjective(forms, vowel, english, is_before, _kinds(kinds), _kinds(predicate_kinds))


def _regular(line: str) -> Verb:
    """Conjugate a verb in -er: nous mangeons keeps its e, j'achète and j'achèterai an accent."""
    lemma, base, third, past, objects = line.split()
    stem = lemma.removesuffix("er")
    strong = "achèt" if lemma == "acheter" else stem
    soft = f"{stem}e" if stem.endswith("g") else stem
    stems = (strong, strong, strong, soft, stem, strong)
    present = tuple(a + b for a, b in zip(stems, _words("e es e ons ez ent"), strict=True))
    participle = (f"{stem}é", f"{stem}ée", f"{stem}és", f"{stem}ées")
    english = English(*(word.replace("+", " ") for word in (base, third, past)))
    takes_etre = lemma in ("arriver", "tomber")
    future = _future(f"{strong}er")
    return Verb(lemma, present, future, (), participle, takes_etre, english, _kinds(objects))


def _future(stem: str) -> tuple[str, ...]:
    return tuple(f"{stem}{end}" for end in _words("ai as a ons ez ont"))


def _irregular(lemma: str, present: str, future: str, participle: str, english: str, kinds: str):  # type: ignore[no-untyped-def]
    m, f, mp, fp = (participle, f"{participle}e", f"{participle}s", f"{participle}es")
    return Verb(
        lemma, _words(present), _future(future), (), (m, f, mp, fp), False,
        English(*english.split()), _kinds(kinds),
    )  # fmt: skip


def _auxiliary(lemma: str, present: str, future: str, past: str, english: English) -> Verb:
    nothing = ("", "", "", "")
    forms = (_words(present), _future(future), _words(past), nothing)
    return Verb(lemma, *forms, False, english, frozenset())


#: *to be*, whose forms depend on the person; the grammar knows them.
BE = English("be", "is", "was")

#: All nouns, by their French singular.
NOUNS = {noun.singular: noun for noun in map(_noun, _NOUNS.strip().splitlines())}

#: All adjectives. *grand* stands twice: persons are tall, other things big.
ADJECTIVES = tuple(map(_adjective, _ADJECTIVES.strip().splitlines()))

#: être and avoir, whose past is the imparfait: *j'étais*, I was.
ETRE = _auxiliary(
    "être", "suis es est sommes êtes sont", "ser", "étais étais était étions étiez étaient", BE
)
AVOIR = _auxiliary(
    "avoir", "ai as a avons avez ont", "aur", "avais avais avait avions aviez avaient",
    English("have", "has", "had"),
)  # fmt: skip

#: All other verbs, by their infinitive; their past is the passé composé: *j'ai mangé*, I ate.
VERBS = {
    verb.lemma: verb
    for verb in (
        *map(_regular, _REGULAR.strip().splitlines()),
        _irregular("voir", "vois vois voit voyons voyez voient", "verr", "vu", "see sees saw",
                   "person,animal,thing,food"),
        _irregular("boire", "bois bois boit buvons buvez boivent", "boir", "bu",
                   "drink drinks drank", "drink"),
        _irregular("dormir", "dors dors dort dormons dormez dorment", "dormir", "dormi",
                   "sleep sleeps slept", "-"),
    )
}  # fmt: skip

#: The past of *s'asseoir*, the one verb with a pronoun of its own: le chat s'est assis.
SIT = Verb(
    "s'asseoir", (), (), (), ("assis", "assise", "assis", "assises"), True,
    English("sit", "sits", "sat"), frozenset(),
)  # fmt: skip

#: First names: whether they are a woman's.
NAMES = {"paul": False, "lucas": False, "louis": False, "marie": True, "anne": True, "emma": True}

#: Numbers above one.
NUMBERS = dict(
    zip(
        _words("deux trois quatre cinq six sept huit neuf dix"),
        _words("two three four five six seven eight nine ten"),
        strict=True,
    )
)

#: What one is by trade, without an article in French: elle est *professeur*.
PROFESSIONS = ("étudiant", "étudiante", "professeur")

#: Where things happen: a noun and what may stand before it.
PLACES = {
    "maison": ("dans",), "jardin": ("dans",), "école": ("dans",), "voiture": ("dans",),
    "table": ("sur", "sous"), "chaise": ("sur", "sous"), "lit": ("sur", "sous"),
    "tapis": ("sur",), "arbre": ("sous",),
}  # fmt: skip
PREPOSITIONS = {"dans": "in", "sur": "on", "sous": "under"}

#: Nouns that nobody calls his own here: *ma femme* is my wife, *ma fille* my daughter.
NOT_OWNED = frozenset({"fille", "femme", "homme", "garçon"})

#: What would mean something else: *un petit ami* is more than a small friend, *une vieille fille*
#: not married, *un petit gâteau* a biscuit.
NOT_TOGETHER = frozenset({
    ("ami", "petit"), ("amie", "petit"), ("fille", "vieux"), ("garçon", "vieux"),
    ("gâteau", "petit"),
})  # fmt: skip

#: Subject pronouns: person (0 to 5), English, and whether only a woman or women are meant.
PRONOUNS = {
    "je": (0, "i", None), "tu": (1, "you", None), "il": (2, "he", False), "elle": (2, "she", True),
    "nous": (3, "we", None), "vous": (4, "you", None), "ils": (5, "they", False),
    "elles": (5, "they", True),
}  # fmt: skip


def adjectives_beside(noun: Noun) -> tuple[Adjective, ...]:
    """Return the adjectives that may stand beside a noun."""
    return tuple(
        adjective
        for adjective in ADJECTIVES
        if noun.kind in adjective.kinds and (noun.singular, adjective.lemma) not in NOT_TOGETHER
    )


def verbs_of(kind: str) -> tuple[Verb, ...]:
    """Return what a person or an animal does; animals buy nothing."""
    return tuple(v for v in VERBS.values() if kind == "person" or v.lemma != "acheter")
