"""A random BERT of the tiny sizes, with a vocabulary that has words, word parts and accents to lose."""

import torch
from tiny import CONFIG

from minibert.data.batch import SPECIAL_TOKENS
from minibert.model import ClassifierHead, Encoder, Model, TokenHead
from minibert.tokenizer import WordPiece

WORDS = ["mira", "sings", "in", "ash", "##by", "a", "song", "of", "the", "sea", ".", "caf", "##e"]
VOCAB = [*SPECIAL_TOKENS, *WORDS, *(f"[unused{i}]" for i in range(97 - 5 - len(WORDS)))]
TOKENIZER = WordPiece(VOCAB)


def model_with(*heads, config=CONFIG):
    """A random BERT with weights large enough for attention to be uneven, and biases that are not 0."""
    torch.manual_seed(3)
    encoder = Encoder(config)
    makers = {
        "tokens": lambda: TokenHead(config, encoder.embeddings.word),
        "pair": lambda: ClassifierHead(encoder.config, 2),
    }
    model = Model(encoder, {name: makers[name]() for name in heads})
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model.eval()
