"""What a model learns that may peek at the next word."""
