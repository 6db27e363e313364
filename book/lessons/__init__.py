"""The lessons: one folder for each chapter, and `kit`, which they share.

A lesson's folder contains everything about its chapter except the prose: the live figure, drills,
exercises, diagrams and recorded experiments. `trained` contains the translator and the GPT of the
book, and `worked_examples` the numbers that the five lecture documents print.
"""
