"""How the family tree names parts, and where the book explains each kind of part."""

#: The parts as a reader sees them.
FAMILY = {
    "input": "what it reads",
    "halves": "which half",
    "positions": "positions",
    "attention": "keys and values",
    "reach": "keys seen at most",
    "norm": "norm",
    "place": "placement of the norm",
    "network": "feed-forward",
    "experts": "networks a layer",
    "biases": "biases",
    "output": "output",
}
#: The chapter for each kind, as its number and the words of its name.
CHAPTERS = {
    "words": "02 tokens",
    "words and segments": "25 this one",
    "patches of an image": "25 this one",
    "encoder and decoder": "20 decoder",
    "encoder: all see all": "19 encoder",
    "decoder: each looks back": "20 decoder",
    "sines, added": "11 sinusoidal positions",
    "learned, added": "13 position families",
    "learned for buckets of offsets": "13 position families",
    "rotary, in each attention": "12 rotary positions",
    "one for each head": "09 multi head",
    "one for 4 heads": "25 this one",
    "one for 4 heads, normalized": "29 a decoder of today",
    "all": "08 masks",
    "the last 4,096": "25 this one",
    "LayerNorm": "16 layer norm",
    "RMSNorm": "16 layer norm",
    "after each sum": "17 residual connections",
    "in front of each part": "17 residual connections",
    "ReLU": "18 feed forward",
    "GELU": "18 feed forward",
    "SwiGLU": "18 feed forward",
    "one for all tokens": "18 feed forward",
    "2 of 8": "25 this one",
    "yes": "18 feed forward",
    "none": "18 feed forward",
    "the words' table again": "21 output and loss",
    "a table of its own": "21 output and loss",
    "first token, pooled": "25 this one",
    "1,000 classes": "25 this one",
}
_TRAINING = "Training holds weights, gradients and Adam's averages; activations come on top."
_CACHE = " A cache keeps the keys and values of a decoder's own attentions."
#: What a reader has to know of the bytes and the work, by whether there are encoder and decoder.
NOTES = {
    (True, False): f"{_TRAINING} An encoder alone keeps no cache.",
    (False, True): _TRAINING + _CACHE,
    (True, True): f"{_TRAINING}{_CACHE} The work is that of one token on each side.",
}
NOTE_OF_THE_ORIGINAL = " The paper speaks of about 37,000 tokens; this is the book's own build."
