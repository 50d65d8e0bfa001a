"""Small experiments for lesson 11: the same fine-tuned English model, made smaller in different ways.

`benchmarks/small_berts.py` runs all of them with several seeds; the lesson runs one live.
"""

from .latency import SHAPES, OnnxModel, call, onnx_file
from .shared import NAME, RECIPE, Material, SmallModel, SmallRecipe, material, original, scores
from .ways import ONCE, WAYS, small_model
