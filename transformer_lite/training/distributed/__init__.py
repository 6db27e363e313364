"""Training by many workers: processes that share the data, the gradients and the memory."""

from transformer_lite.training.distributed.batches import Share, WorkerBatches
from transformer_lite.training.distributed.checkpoints import (
    load_sharded,
    newest_checkpoint,
    save_sharded,
)
from transformer_lite.training.distributed.evaluation import (
    distributed_evaluation,
    distributed_loss,
    distributed_translations,
)
from transformer_lite.training.distributed.launch import launch
from transformer_lite.training.distributed.long_run import train_distributed
from transformer_lite.training.distributed.ring import ring_all_reduce
from transformer_lite.training.distributed.strategies import (
    Strategy,
    attention_back_ends,
    checkpoint_layers,
    compile_layers,
    ddp,
    fsdp,
)
from transformer_lite.training.distributed.tensor_parallel import parallel_attention
from transformer_lite.training.distributed.trainer import WorkerTrainer, worker_seed
from transformer_lite.training.distributed.workers import Workers, require_same

__all__ = [
    "Share",
    "Strategy",
    "WorkerBatches",
    "WorkerTrainer",
    "Workers",
    "attention_back_ends",
    "checkpoint_layers",
    "compile_layers",
    "ddp",
    "distributed_evaluation",
    "distributed_loss",
    "distributed_translations",
    "fsdp",
    "launch",
    "load_sharded",
    "newest_checkpoint",
    "parallel_attention",
    "require_same",
    "ring_all_reduce",
    "save_sharded",
    "train_distributed",
    "worker_seed",
]
