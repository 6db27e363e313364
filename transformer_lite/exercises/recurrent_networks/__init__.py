"""Recurrent networks: a state that stops at pads, a context, and two bugs in batches."""

from transformer_lite.exercises.recurrent_networks.additive_context import additive_context
from transformer_lite.exercises.recurrent_networks.alignment import alignment
from transformer_lite.exercises.recurrent_networks.last_state import last_state
from transformer_lite.exercises.recurrent_networks.states_of_batches import states_of_batches

__all__ = ["additive_context", "alignment", "last_state", "states_of_batches"]
