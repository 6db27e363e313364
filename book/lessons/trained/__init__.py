"""The trained models of the book, and all that makes them anew."""
