"""The sweep of the chapter on fast generation."""
