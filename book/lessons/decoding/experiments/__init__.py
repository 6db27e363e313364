"""The sweep of the chapter on decoding."""
