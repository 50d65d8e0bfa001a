"""The only training loop: pretraining and fine-tuning of every objective and task go through it."""
from .checkpoint import load_checkpoint, save_checkpoint
from .loop import TrainConfig, choose_device, choose_precision, train
from .pretraining import (
    Phase,
    bert_objective,
    encode_documents,
    evaluate_pretraining,
    forget,
    growing_phases,
    new_model,
    pretrain,
)
from .schedule import learning_rate
