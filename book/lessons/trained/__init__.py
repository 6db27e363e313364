"""The trained models of the book, and the code that makes them."""
