"""Save a checkpoint, then train on where no file may grow: python full_disk.py FOLDER."""

import resource
import sys
from pathlib import Path

from tiny_training import tiny_trainer

from transformer_lite.training import Plan, save_checkpoint, train


def main() -> None:
    folder = Path(sys.argv[1])
    path = folder / "checkpoint.safetensors"
    trainer = tiny_trainer()
    trainer.run(2)
    save_checkpoint(trainer, path)
    trainer.run(2)
    # As on a full disk: writing fails in the middle of the file.
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size // 2, resource.RLIM_INFINITY))
    try:
        save_checkpoint(trainer, path)
    except OSError as error:
        print(error)
    try:
        train(trainer, folder, Plan(steps=9, every=2))
    except OSError as error:
        print(f"step {trainer.step}: {error}")


if __name__ == "__main__":
    main()
