"""Every French form of the corpus by grammar, typed by hand: what it is and what it means.

Nothing here is taken from the package: the lexicon there conjugates by rules, this list does not.
"""

NOUNS = """
garçon ms boy p / garçons mp boys p / fille fs girl p / filles fp girls p
homme ms man p / hommes mp men p / femme fs woman p / femmes fp women p
étudiant ms student p / étudiants mp students p / étudiante fs student p / étudiantes fp students p
ami ms friend p / amis mp friends p / amie fs friend p / amies fp friends p
professeur ms teacher p / professeurs mp teachers p
chat ms cat a / chats mp cats a / chien ms dog a / chiens mp dogs a
oiseau ms bird a / oiseaux mp birds a / cheval ms horse a / chevaux mp horses a
vache fs cow a / vaches fp cows a / souris fs mouse a / souris fp mice a
livre ms book t / livres mp books t / fleur fs flower t / fleurs fp flowers t
arbre ms tree t / arbres mp trees t / voiture fs car t / voitures fp cars t
table fs table t / tables fp tables t / chaise fs chair t / chaises fp chairs t
tapis ms mat t / tapis mp mats t / lit ms bed t / lits mp beds t
maison fs house t / maisons fp houses t / jardin ms garden t / jardins mp gardens t
école fs school t / écoles fp schools t / pomme fs apple t / pommes fp apples t
orange fs orange t / oranges fp oranges t / gâteau ms cake t / gâteaux mp cakes t
pain ms bread m / viande fs meat m / fromage ms cheese m
eau fs water m / lait ms milk m / café ms coffee m
"""

NAMES = {"paul": "m", "lucas": "m", "louis": "m", "marie": "f", "anne": "f", "emma": "f"}

# v: before a vowel. Several readings of one form stand side by side.
ADJECTIVES = """
petit ms small / petite fs small / petits mp small / petites fp small
grand ms big / grande fs big / grands mp big / grandes fp big
jeune ms young / jeune fs young / jeunes mp young / jeunes fp young
vieux ms old / vieil v old / vieille fs old / vieux mp old / vieilles fp old
beau ms beautiful / bel v beautiful / belle fs beautiful / beaux mp beautiful / belles fp beautiful
nouveau ms new / nouvel v new / nouvelle fs new / nouveaux mp new / nouvelles fp new
bon ms good / bonne fs good / bons mp good / bonnes fp good
noir ms black / noire fs black / noirs mp black / noires fp black
blanc ms white / blanche fs white / blancs mp white / blanches fp white
rouge ms red / rouge fs red / rouges mp red / rouges fp red
vert ms green / verte fs green / verts mp green / vertes fp green
heureux ms happy / heureuse fs happy / heureux mp happy / heureuses fp happy
fatigué ms tired / fatiguée fs tired / fatigués mp tired / fatiguées fp tired
"""
FIRST = {"small", "big", "young", "old", "beautiful", "new", "good"}

# Present | future | past participles (m, f, mp, fp) | English base and past.
VERBS = """
mange manges mange mangeons mangez mangent | mangerai mangeras mangera mangerons mangerez mangeront | mangé mangée mangés mangées | eat ate
regarde regardes regarde regardons regardez regardent | regarderai regarderas regardera regarderons regarderez regarderont | regardé regardée regardés regardées | watch watched
cherche cherches cherche cherchons cherchez cherchent | chercherai chercheras cherchera chercherons chercherez chercheront | cherché cherchée cherchés cherchées | look+for looked+for
achète achètes achète achetons achetez achètent | achèterai achèteras achètera achèterons achèterez achèteront | acheté achetée achetés achetées | buy bought
aime aimes aime aimons aimez aiment | aimerai aimeras aimera aimerons aimerez aimeront | aimé aimée aimés aimées | love loved
chante chantes chante chantons chantez chantent | chanterai chanteras chantera chanterons chanterez chanteront | chanté - - - | sing sang
arrive arrives arrive arrivons arrivez arrivent | arriverai arriveras arrivera arriverons arriverez arriveront | arrivé arrivée arrivés arrivées | arrive arrived
tombe tombes tombe tombons tombez tombent | tomberai tomberas tombera tomberons tomberez tomberont | tombé tombée tombés tombées | fall fell
vois vois voit voyons voyez voient | verrai verras verra verrons verrez verront | vu vue vus vues | see saw
bois bois boit buvons buvez boivent | boirai boiras boira boirons boirez boiront | bu bue bus bues | drink drank
dors dors dort dormons dormez dorment | dormirai dormiras dormira dormirons dormirez dormiront | dormi - - - | sleep slept
- - - - - - | - - - - - - | assis assise assis assises | sit sat
"""  # noqa: E501
WITH_ETRE = {"arrive", "fall", "sit"}

ETRE = {
    "present": "suis es est sommes êtes sont",
    "past": "étais étais était étions étiez étaient",
    "future": "serai seras sera serons serez seront",
}
AVOIR = {
    "present": "ai as a avons avez ont",
    "past": "avais avais avait avions aviez avaient",
    "future": "aurai auras aura aurons aurez auront",
}

# Person 1 to 6, then the English word.
SUBJECTS = {
    "je": (1, "i"), "j'": (1, "i"), "tu": (2, "you"), "il": (3, "he"), "elle": (3, "she"),
    "nous": (4, "we"), "vous": (5, "you"), "ils": (6, "they"), "elles": (6, "they"),
    "qui": (3, "who"),
}  # fmt: skip
NUMBERS = {
    "deux": "two", "trois": "three", "quatre": "four", "cinq": "five", "six": "six",
    "sept": "seven", "huit": "eight", "neuf": "nine", "dix": "ten",
}  # fmt: skip
# Which nouns a determiner fits (m, f: singular; p: plural; e: feminine before a vowel).
DETERMINERS = {
    "le": ("m", "the"), "la": ("f", "the"), "l'": ("mf", "the"), "les": ("p", "the"),
    "un": ("m", "a"), "une": ("f", "a"), "des": ("p", "some"), "du": ("m", "some"),
    "mon": ("me", "my"), "ma": ("f", "my"), "mes": ("p", "my"),
    "notre": ("mf", "our"), "nos": ("p", "our"), "votre": ("mf", "your"), "vos": ("p", "your"),
}  # fmt: skip
SMALL_WORDS = {
    "dans": "in", "sur": "on", "sous": "under", "avec": "with", "ici": "here", "là": "there",
    "hier": "yesterday", "demain": "tomorrow", "aujourd' hui": "today", "maintenant": "now",
    "merci": "thanks", "merci beaucoup": "thanks a lot", "bonjour": "hello", "oui": "yes",
    "non": "no", "et": "and", "mais": "but",
}  # fmt: skip
