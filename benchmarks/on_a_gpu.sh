#!/usr/bin/env bash
# Measure the book on a GPU in at most eight minutes, and write benchmarks/results/on_a_gpu.json,
# which the page book/speed.md shows:
#
#   benchmarks/on_a_gpu.sh
#
# A rehearsal runs the same parts at small sizes, without a GPU, and writes to the file that it
# names:
#
#   benchmarks/on_a_gpu.sh --rehearse /tmp/on_a_gpu.json
#
# PYTHON names the interpreter. It needs PyTorch, transformers and what requirements.txt lists;
# the chapters also need nbval, and are left out with a reason where it is missing.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
export PYTHONPATH="$PWD:$PWD/book:$PWD/benchmarks:$PWD/tests/notebooks:$PWD/.ci:${PYTHONPATH:-}"
export TOKENIZERS_PARALLELISM=false HF_HUB_OFFLINE=1 PYTHONUNBUFFERED=1
exec timeout --kill-after=10 "${LIMIT:-480}" "$PYTHON" benchmarks/on_a_gpu.py "$@"
