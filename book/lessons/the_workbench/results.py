"""What the guided races gave with ten seeds, and what small machines gave, as tables."""

from statistics import median

from lessons.kit.experiments import record
from lessons.kit.experiments.record import Table
from lessons.kit.figures.race_lab.race_lab import TEXTS


def ten_seeds() -> Table:
    """Return, for each race and machine, how many seeds learned the task, when, and the loss.

    >>> print(ten_seeds().body[0][:3])
    ['Reverse without positions', 'whole', '10 of 10']
    """
    body = []
    for race in TEXTS["races"]:
        rows = [row for row in record("races").rows if row["race"] == race["id"]]
        for i, machine in enumerate(("whole", "changed")):
            learned = [row["learned"][i] for row in rows if row["learned"][i]]
            is_text = rows[0]["right"][i] < 0
            count = "–" if is_text else f"{len(learned)} of {len(rows)}"
            step = f"{median(learned):g}" if learned else "–"
            loss = median(row["loss"][i] for row in rows)
            body.append([race["title"], machine, count, step, f"{loss:.2f}"])
    head = ["race", "machine", "learned", "median step", "median loss"]
    return Table("Ten seeds of each race, trained with PyTorch", head, body)


def small_machines() -> Table:
    """Return, for each small machine, its weights and the steps at which its seeds learned."""
    found = record("small_machines")
    body = []
    for machine in found.grid["machine"]:
        rows = [row for row in found.rows if row["machine"] == machine]
        steps = ", ".join(f"{row['learned']:,}" for row in rows)
        body.append([machine, f"{rows[0]['weights']:,}", steps])
    return Table("Three seeds of each machine", ["machine", "weights", "learned at step"], body)
