"""The floors of this house, from the ground up: the one list of what stands on what.

A floor imports from its own parts and from the floors before it, never from one behind it. The
docstring of the package, the book's page about it and the test over all imports read this list.
"""

FLOORS = {
    "_checks": "errors that name the argument, the rule and what came",
    "_files": "files that are there as a whole, whatever happens while they are written",
    "device": "the fastest device at hand, and seeds",
    "progress_bar": "how far a training is, live in a notebook",
    "plots": "static pictures of tensors",
    "fast": "what is the same only faster: linear, dropout, one step of decoding",
    "layers": "the parts: masks, attention, norms, positions, residuals, feed-forward, loss",
    "models": "the assemblies of parts, and what one does with them: build, save, convert, inspect",
    "decoding": "from logits to text: greedy search, sampling, beam search with its tree",
    "text": "words and data: tokenizers, a corpus by grammar, real files, batches, BLEU by hand",
    "before": "what came before: counts of words, vectors from contexts",
    "training": "schedule, loop, checkpoints that resume bit for bit, evaluation, many processes",
    "train": "the command that trains a translator from a terminal",
    "translator": "the trained translator of the book, French to English, and how it is made",
    "book_gpt": "the trained GPT of the book, which has read its prose, and how it is made",
    "worked_examples": "what five lecture documents print, recomputed",
    "exercises": "functions to write, with checks that answer back",
    "experiments": "recorded sweeps: a grid, a function of one point, and what all points gave",
    "figures": "the live figures of the book",
    "diagrams": "the pictures of the book, drawn by code in one style",
    "drills": "small problems by hand, which answer back",
    "classroom": "what a teacher runs: the release for a class, and its grading",
}
