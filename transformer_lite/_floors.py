"""The floors of this house, from the ground up: the one list of what stands on what.

A floor imports from its own parts and from the floors before it, never from one behind it. The
docstring of the package, the book's page about it and the test over all imports read this list.
"""

FLOORS = {
    "_checks": "error messages that name the argument, the rule and the value given",
    "_files": "writing a file completely or not at all",
    "device": "the fastest device available, and seeds",
    "progress_bar": "a progress bar for training, live in a notebook",
    "plots": "static pictures of tensors",
    "fast": "exact, faster forms of some parts: linear, dropout, one decoding step",
    "layers": "the parts: masks, attention, norms, positions, residuals, feed-forward, loss",
    "models": "models assembled from the parts; building, saving, converting and inspecting them",
    "decoding": "from logits to text: greedy search, sampling, beam search with its tree",
    "text": "text and data: tokenizers, a corpus from a grammar, files, batches, BLEU",
    "before": "before the Transformer: n-gram counts, word vectors",
    "training": "schedule, loop, checkpoints that resume bit for bit, evaluation, many processes",
    "train": "the command that trains a translator from a terminal",
    "translator": "the book's trained French-to-English translator, and the code that trains it",
    "book_gpt": "the book's own GPT, trained on the book's text, and the code that trains it",
    "worked_examples": "the values printed in five lecture documents, recomputed",
    "exercises": "functions to write, with checks that name the likely mistake",
    "experiments": "recorded sweeps: a grid, a function of one point, and all results",
    "figures": "the live figures of the book",
    "diagrams": "the book's static pictures, drawn by code in one style",
    "drills": "small problems to solve by hand on the page, with feedback",
    "classroom": "for teachers: preparing the exercises for a class, and grading them",
}
