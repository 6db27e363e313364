"""What the exercises of the common scale share."""
