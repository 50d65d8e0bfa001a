"""What becomes of a text before and after the layers: pieces, input, masks, pairs, losses."""
