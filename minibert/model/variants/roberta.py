"""RoBERTa's encoder, which is BERT's without segments and with positions that start at 2.

Liu et al. (2019, arXiv 1907.11692), section 3, keep BERT's architecture. Only the format of the published
models differs: the first two rows of the position table are reserved for padding, so a table of 514 rows is
enough for 512 tokens.
"""

from torch import Tensor

from minibert.config import ModelConfig

from ..encoder import Embeddings, Encoder, init_weights

FIRST_POSITION = 2  # position of the first token; padding has position 1


class RobertaEmbeddings(Embeddings):
    """Word, position and (constant) segment embeddings; the first two positions of the table are unused."""

    def forward(
        self, input_ids: Tensor, token_type_ids: Tensor, position_ids: Tensor | None = None
    ) -> Tensor:
        """Embed ids (B, T) as vectors (B, T, D). position_ids: (B, T) from 0, or None for 0 to T - 1."""
        T, longest = input_ids.shape[1], self.position.num_embeddings - FIRST_POSITION
        if position_ids is None and longest < T:
            raise ValueError(
                f"a sequence of {T} tokens is longer than {longest}: "
                f"max_position_embeddings={longest + FIRST_POSITION} "
                f"includes {FIRST_POSITION} rows for padding"
            )
        rows = self.position.weight[FIRST_POSITION:]  # (longest, D)
        position = rows[:T] if position_ids is None else rows[position_ids]  # (T, D) or (B, T, D)
        x = self.word(input_ids) + position + self.token_type.weight[0]
        return self.dropout(self.norm(x))  # (B, T, D)


class RobertaEncoder(Encoder):
    """BERT's encoder with RoBERTa's positions; the special tokens are <s> = 0, <pad> = 1, </s> = 2."""

    def __init__(self, config: ModelConfig):
        super().__init__(config)
        self.embeddings = RobertaEmbeddings(config)
        self.embeddings.apply(lambda module: init_weights(module, config.initializer_range))
