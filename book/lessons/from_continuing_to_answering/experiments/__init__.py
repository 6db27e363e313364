"""Experiments of the chapter on a GPT of your own."""
