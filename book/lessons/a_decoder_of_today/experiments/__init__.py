"""Experiments of the chapter on a decoder of today."""
