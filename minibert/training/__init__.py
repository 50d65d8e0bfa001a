"""The only training loop: pretraining and fine-tuning of every objective and task go through it."""
from .checkpoint import Checkpoints, load_model
from .config import TrainConfig
from .device import choose_device, choose_precision
from .distributed import join
from .log import read_log, write_log
from .loop import train
from .phases import Phase, stacking_phases, two_lengths
from .pretraining import bert_objective, encode_documents, evaluate_pretraining, forget, new_model, pretrain
from .recipes import (
    frequent_tokens,
    growing_phases,
    look_up_objective,
    looking_up_phases,
    phases_of,
    start_from_neighbours,
    start_from_sinusoids,
)
from .schedule import learning_rate
from .stacking import stack
