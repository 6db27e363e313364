"""The modules and folders of the package in the order of their imports.

Each imports from itself and from those before it, never from those after it; `make lint` checks
this. The docstring of the package and the book's page about it read this list.
"""

SUBPACKAGES = {
    "checks": "error messages that name the argument, the rule and the value given",
    "files": "writing a file completely or not at all",
    "device": "the fastest device available, and seeds",
    "progress_bar": "a progress bar for training, live in a notebook",
    "layers": "the parts: masks, attention, norms, positions, residuals, feed-forward, loss",
    "models": "models assembled from the parts; building, saving, converting and inspecting them",
    "fast": "exact, faster forms for decoding: one step of a model, the largest logits",
    "decoding": "from logits to text: greedy search, sampling, beam search with its tree",
    "text": "text and data: tokenizers, files, batches, BLEU",
    "before": "before the Transformer: n-gram counts, word vectors",
    "training": "schedule, loop, checkpoints that resume bit for bit, evaluation, many processes",
}
