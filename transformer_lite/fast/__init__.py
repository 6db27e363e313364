"""What is the same, only faster. Nothing here teaches: each file names the plain form it equals.

What these files and layers/dropout.py save on one thread of a CPU, measured by
benchmarks/fast_forms.py, which writes benchmarks/results/fast_forms.json. Width 256, three layers,
8000 words; a decoding step is one token of every text.

what                                       batch  times faster
=========================================  =====  ============
decoding_step, translator, greedy          1      1.25
decoding_step, translator, greedy          32     1.18
decoding_step, translator, beam 4          8      1.15
decoding_step, GPT-2, greedy               1      1.22
decoding_step, GPT-2, greedy               32     1.02
decoding_step, GPT-2, beam 4               8      1.11
decoding_step, Llama-like decoder, greedy  1      1.35
decoding_step, Llama-like decoder, greedy  32     1.23
decoding_step, Llama-like decoder, beam 4  8      1.26
top, 4 of 8000                             8      2.71
top, argmax of 8000                        8      2.42
top, 4 of 8000                             128    2.45
top, argmax of 8000                        128    3.35
dropout of 1024 · 1024                     1024   1.82
=========================================  =====  ============
"""

from transformer_lite.fast import decoding_step as decoding_step  # registers the fast forms
