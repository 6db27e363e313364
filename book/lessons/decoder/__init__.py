"""Chapter 20: The decoder: one word after the other."""

from lessons.lazy import attributes

__all__ = ["MachineSteps"]
__getattr__ = attributes(__name__, MachineSteps="lessons.decoder.machine_steps.machine_steps")
