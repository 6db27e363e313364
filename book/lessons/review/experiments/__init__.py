"""What it costs to be asked again."""
