"""Sentences written for this book: 24, each with four others of decreasing similarity.

Graded by construction, not by judges. The last one shares words with the first and no meaning, so
a model that only compares words finds it likelier than it is.
"""

from __future__ import annotations

from typing import NamedTuple


class Graded(NamedTuple):
    """Hold a sentence and four others, from the most to the least similar."""

    sentence: str
    says_the_same: str
    differs_in_one_thing: str
    same_subject: str
    unrelated: str


GRADED = (
    Graded(
        "A man is playing the guitar.",
        "Somebody strums a guitar.",
        "A man is playing the drums.",
        "The concert was sold out.",
        "A man is waiting for the bus.",
    ),
    Graded(
        "The child broke the window.",
        "The window was smashed by the kid.",
        "The child cleaned the window.",
        "The house needs new curtains.",
        "The child likes carrots.",
    ),
    Graded(
        "She bought a red car.",
        "She purchased a red automobile.",
        "She sold her red car.",
        "Petrol has become expensive.",
        "She bought a pound of cherries.",
    ),
    Graded(
        "The cat sleeps on the sofa.",
        "A kitty is napping on the couch.",
        "The dog barks at the sofa.",
        "Some pets live to be twenty.",
        "The book lies on the table.",
    ),
    Graded(
        "It will rain tomorrow.",
        "Expect showers the day after today.",
        "It will snow tomorrow.",
        "The summer was very dry.",
        "The shop will open tomorrow.",
    ),
    Graded(
        "The train was an hour late.",
        "The train arrived sixty minutes behind schedule.",
        "The train was on time.",
        "The railway has old tracks.",
        "The milk was a week old.",
    ),
    Graded(
        "He lost his keys in the park.",
        "He cannot find his keys since he was in the park.",
        "He found his keys in the park.",
        "The locksmith changed the door.",
        "He ate his lunch in the park.",
    ),
    Graded(
        "The teacher praised the pupil.",
        "The pupil was commended by the teacher.",
        "The pupil praised the teacher.",
        "The school has a new library.",
        "The neighbour painted the fence.",
    ),
    Graded(
        "They got married in June.",
        "Their wedding was in June.",
        "They got divorced in June.",
        "The bride wore white.",
        "They went fishing in June.",
    ),
    Graded(
        "The soup is too salty.",
        "There is too much salt in the soup.",
        "The soup is too hot.",
        "The cook has a new oven.",
        "The exam is too difficult.",
    ),
    Graded(
        "The ship sank in the storm.",
        "The vessel went down in heavy weather.",
        "The ship survived the storm.",
        "The harbour is being rebuilt.",
        "The price sank in the autumn.",
    ),
    Graded(
        "My sister lives in Paris.",
        "Paris is home to my sister.",
        "My sister lives in Rome.",
        "The Eiffel Tower is made of iron.",
        "My doctor retired in spring.",
    ),
)

MORE_GRADED = (
    Graded(
        "The boy kicked the ball over the fence.",
        "The ball was kicked over the fence by the boy.",
        "The boy threw the ball to his sister.",
        "Football is popular in Brazil.",
        "The boy drank the juice in the kitchen.",
    ),
    Graded(
        "The museum is closed on Mondays.",
        "On Mondays you cannot visit the museum.",
        "The museum is open on Mondays.",
        "The painter used bright colours.",
        "The meeting is moved to Mondays.",
    ),
    Graded(
        "Her phone is broken.",
        "Her mobile does not work any more.",
        "Her phone is brand new.",
        "The signal is weak in the mountains.",
        "Her arm is broken.",
    ),
    Graded(
        "The chef is slicing onions.",
        "A cook cuts up onions.",
        "The chef is frying onions.",
        "The kitchen smells of garlic.",
        "The barber is cutting hair.",
    ),
    Graded(
        "The company fired fifty workers.",
        "Fifty employees were dismissed by the firm.",
        "The company hired fifty workers.",
        "The factory makes shoes.",
        "The museum shows fifty pictures.",
    ),
    Graded(
        "A woman is riding a horse.",
        "A lady is on horseback.",
        "A woman is feeding a horse.",
        "The stable needs a new roof.",
        "A woman is reading a letter.",
    ),
    Graded(
        "The plane landed safely.",
        "The aircraft touched down without trouble.",
        "The plane crashed into a field.",
        "The airport has two runways.",
        "The actor spoke softly.",
    ),
    Graded(
        "I forgot to water the plants.",
        "I did not remember to give the plants water.",
        "I remembered to water the plants.",
        "Tulips bloom in spring.",
        "I forgot to call my aunt.",
    ),
    Graded(
        "The doctor cured the patient.",
        "The patient was healed by the doctor.",
        "The patient thanked the doctor.",
        "The hospital has a new wing.",
        "The lawyer cleaned the kitchen.",
    ),
    Graded(
        "The film was boring.",
        "The movie was dull.",
        "The film was exciting.",
        "The cinema sells popcorn.",
        "The soil was fertile.",
    ),
    Graded(
        "He learned to swim as a child.",
        "As a kid he was taught swimming.",
        "He never learned to swim.",
        "The pool is heated in winter.",
        "He learned to type as a clerk.",
    ),
    Graded(
        "The village has no electricity.",
        "There is no power in the village.",
        "The village has no water.",
        "Solar panels are getting cheaper.",
        "The story has no ending.",
    ),
)
