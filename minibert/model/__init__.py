"""The same sentences as `minibert.reference`, in PyTorch: it trains, and runs on a GPU."""
from .attention import MultiHeadAttention, attention, attention_fast, merge_heads, split_heads
from .bilstm import BiLSTM, ScalarMix
from .decoder import Decoder, DecoderLayer, EncoderDecoder, WordHead
from .encoder import (
    Embeddings,
    Encoder,
    EncoderLayer,
    FeedForward,
    PreNormEncoder,
    PreNormEncoderLayer,
    init_weights,
)
from .files import find_folder
from .heads import ClassifierHead, Model, NextTokenHead, TokenClassifierHead, TokenHead
from .positions import positional_encoding
from .two_stream import TwoStream
from .weights import load_pretrained, save_pretrained
