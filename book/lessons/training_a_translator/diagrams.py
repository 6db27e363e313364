"""Draw the loop of one training step, and a batch shifted by one position."""

from lessons.kit.diagrams import Diagram, arrow, arrows, box, column, draw, matrix, row
from transformer_lite.text import WordTokenizer, make_batch

TOKENIZER = WordTokenizer(["je", "suis", "étudiant", "i", "am", "a", "student", "merci", "thanks"])
PAIRS = (("je suis étudiant", "i am a student"), ("merci", "thanks"))


def one_step() -> Diagram:
    """Draw one step of training, from the batch to the changed weights."""
    batch, model = box("batch", "data", note="src, tgt"), box("model", note="its weights")
    logits, loss = (
        box("logits", "score", note="(B, T, V)"),
        box("loss", "output", note="one number"),
    )
    back, clip = box("gradient", "key", note="one number a weight"), box("clip", "norm")
    adam = box("Adam", "norm", note="rate of this step")
    return draw(
        column(row(batch, model, logits, loss, gap=96), row(adam, clip, back, gap=96), gap=64),
        arrow(batch, model, "src, inputs"),
        arrow(model, logits),
        arrow(logits, loss, "labels"),
        arrow(loss, back, "backward", start_side="bottom", end_side="top", label_side="right"),
        *arrows(back, clip, adam),
        arrow(adam, model, start_side="top", end_side="bottom", dashed=True),
        alt="A loop. A batch gives the model its sources and the decoder's inputs. The model "
        "computes logits, and the loss compares them with the labels. The backward pass computes "
        "the gradient, which is clipped and passed to Adam. Adam changes the weights of the model "
        "with the learning rate of this step. Then the next batch follows.",
        caption="One step of training. Learning happens only at the dashed arrow.",
    )


def shifted_by_one() -> Diagram:
    """Draw two targets as the decoder's inputs and as its labels."""
    batch = make_batch(PAIRS, TOKENIZER)

    def words(ids: list[int]) -> list[str]:
        return [TOKENIZER.tokens[i] for i in ids]

    pads = [[token == TOKENIZER.pad_id for token in line] for line in batch.labels.tolist()]
    reads = matrix([words(line) for line in batch.inputs.tolist()], "query", "inputs")
    says = matrix([words(line) for line in batch.labels.tolist()], "output", "labels", off=pads)
    return draw(
        column(reads, says, gap=30),
        alt="Two tables, one above the other. The decoder reads begin, i, am, a, student in the "
        "first row and begin, thanks, end, pad, pad in the second. Below them are the labels: i, "
        "am, a, student, end, and thanks, end, pad, pad, pad. The pads of the second table are "
        "hatched: they do not count.",
        caption="The same targets twice: without the last column, and without the first. Below "
        "each input is its label, the word that follows it.",
    )
