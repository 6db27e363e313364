"""The lessons: one folder for each chapter, and `kit`, which they share.

A lesson's folder holds all of its chapter but the prose: the live figure, drills, exercises,
diagrams and recorded experiments. `trained` holds the translator and the GPT of the book,
`worked_examples` the numbers that the five lecture documents print.
"""
