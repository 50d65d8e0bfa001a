"""BERT in PyTorch: the encoder, its output heads and its variants, for training and prediction."""

from .attention import MultiHeadAttention, attention, merge_heads, split_heads
from .bilstm import BiLSTM, ScalarMix
from .decoder import Decoder, DecoderLayer, EncoderDecoder, TiedOutputHead
from .encoder import Embeddings, Encoder, EncoderLayer, FeedForward, init_weights
from .fast import FastEncoder, attention_fast
from .heads import ClassifierHead, Model, NextTokenHead, TokenClassifierHead, TokenHead
from .positions import positional_encoding
from .two_stream import TwoStream
