"""The sweeps of the chapter on training a translator."""
