"""What is the same, only faster. Nothing here teaches: each file names the plain form it equals."""
