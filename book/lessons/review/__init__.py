"""The review page: how many minutes a week it asks for."""
