"""Recurrent networks: a state that stops at pads, a context, and two bugs in batches."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.recurrent_networks.exercises.additive_context import additive_context
    from lessons.recurrent_networks.exercises.alignment import alignment
    from lessons.recurrent_networks.exercises.last_state import last_state
    from lessons.recurrent_networks.exercises.states_of_batches import states_of_batches

__all__ = ["additive_context", "alignment", "last_state", "states_of_batches"]
