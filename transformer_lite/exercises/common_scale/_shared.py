"""What the exercises of the common scale share."""

IN_PLACE = (
    "An operation such as -= writes into the tensor that it was given. Make a new one instead."
)


FLOAT = "The result has become float32. Keep the dtype of the input."
