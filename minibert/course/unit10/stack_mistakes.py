"""Test inputs for `stack_layers`, which doubles layers and their optimizer state, and common mistakes.

Gong et al. (2019, ICML), algorithm 1; Shen et al. (2022, arXiv 2203.06211) for the state. Axes: L layers.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import doubled, number_of
from .definitions import stack_layers as by_name

PARTS = ("attention.0.weight", "norm.weight")  # of a layer; the 0 here is not a layer number
OTHERS = ("embeddings.words", "embeddings.norm.1", "head.layers.0.bias")


def model(
    rng: np.random.Generator,
    L: int,
    shape: tuple[int, ...] = (2, 3),
    dtype: type = np.float64,
    more: tuple[str, ...] = (),
) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Return weights and optimizer state for a model of L layers; all arrays differ, and `v` is positive.

    more: further names of weights.
    """
    names = [*OTHERS[:2], *(f"layers.{i}.{part}" for i in range(L) for part in PARTS), OTHERS[2], *more]

    def arrays():
        return {name: rng.normal(size=shape).astype(dtype) for name in names}

    return arrays(), {
        "step": int(rng.integers(10, 10_000)),
        "m": arrays(),
        "v": {name: x**2 + 0.1 for name, x in arrays().items()},
    }


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return test inputs for models of 1, 2, 3 and 12 layers, and one with its weights in reverse order."""
    weights, state = model(rng, 3)
    return [
        model(rng, 2),
        model(rng, 1, (4,)),
        model(rng, 3, (1, 2), np.float32),
        model(rng, 12, (2,)),
        (dict(reversed(weights.items())), state),
        model(rng, 3, (2,), more=tuple(f"layers.0.{name}" for name in ("gate.weight", "gate.bias", "scale"))),
        model(
            rng, 3, (2,), more=("layers.0.gate.weight", "layers.2.layers.2.bias", "layers.2.layers.0.bias")
        ),
    ]


def stack_layers(weights: Mapping[str, np.ndarray], state: Mapping[str, Any]) -> tuple[dict, dict]:
    """Return the weights and optimizer state of a model of 2L layers, built layer by layer."""
    L = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    rests = [[name.split(".", 2)[2] for name in weights if name.startswith(f"layers.{i}.")] for i in range(L)]

    def deeper(arrays, made=np.copy):
        result = {name: array for name, array in arrays.items() if not name.startswith("layers.")}
        for i in range(2 * L):
            source = i % L
            for rest in rests[source]:
                old = arrays[f"layers.{source}.{rest}"]
                result[f"layers.{i}.{rest}"] = old if i < L else made(old)
        return result

    return deeper(weights), {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])}


STACK = (
    edits(
        stack_layers,
        """
        $source = i % L
        $new = deeper(weights)
        $step = state["step"]
        $m = deeper(state["m"])
        $v = deeper(state["v"])
        $state = {"step": $step, "m": $m, "v": $v}
        $others = {name: array for name, array in arrays.items() if not name.startswith("layers.")}

        you put each copy directly above its original. Put a copy of the whole model on top instead.
            $source => i // 2
        the copies are in reverse order. Keep the order, so that layer L + i is a copy of layer i.
            $source => i if i < L else 2 * L - 1 - i
        all new layers are copies of the top layer. Layer L + i should be a copy of layer i.
            $source => min(i, L - 1)
        all new layers are copies of the lowest layer. Layer L + i should be a copy of layer i.
            $source => i if i < L else 0
        your copies are shifted by one layer. Layer L should be a copy of layer 0, not of layer 1.
            $source => i if i < L else (i + 1) % L
        you add only one layer. Add L layers, so that the model has twice as many.
            2 * L => L + 1
        your model has three times as many layers as before. It should have twice as many.
            2 * L => 3 * L
        your model has as many layers as before. Add a layer L + i for each layer i, as its copy.
            2 * L => L
        the new layers' weights are 0 in your answer. Copy them from the old layers, to reuse what these have
        learned.
            $new => deeper(weights, np.zeros_like)
        the new layers' weights are half of the original ones. Copy the original weights without a change.
            $new => deeper(weights, lambda old: old / 2)
        both moments are 0 in the new layers. Copy the moments of the old layers, so that Adam continues from
        them.
            $m => deeper(state["m"], np.zeros_like)
            $v => deeper(state["v"], np.zeros_like)
        the moment `m` is 0 in the new layers. Copy it from the old layers, so that Adam continues from it.
            $m => deeper(state["m"], np.zeros_like)
        the moment `v` is 0 in the new layers, and Adam divides by its square root. Copy it from the old
        layers, so that Adam continues from it.
            $v => deeper(state["v"], np.zeros_like)
        you use the weights of the new layers as their moments. Copy the moments of the old layers.
            $m => $new | state["m"]
            $v => $new | state["v"]
        you stack the weights but not the optimizer's state. Stack its moments `m` and `v` in the same way.
            $state => state
        you stack `m` but not `v`. Stack both, because Adam needs both moments of each weight.
            $v => state["v"]
        you stack `v` but not `m`. Stack both, because Adam needs both moments of each weight.
            $m => state["m"]
        you swapped `m` and `v`. Stack each under its own name.
            "m": $m, "v": $v => "m": $v, "v": $m
        you copy both moments from `m`. Copy `v` from `v`.
            $v => $m
        you reset the number of steps to 0. Keep `step` as it is, because training continues.
            $step => 0
        you double the number of steps. Keep `step` as it is: only the layers are doubled.
            $step => 2 * state["step"]
        you reset the number of steps and all moments to 0. Keep `step`, and copy the moments for the new
        layers.
            $state => {"step": 0} | {moment: {name: 0 * x for name, x in $new.items()} for moment in "mv"}
        the arrays outside the layers, such as the embeddings, are missing. Keep them unchanged.
            $others => {}
        you change the arrays outside the layers, such as the embeddings. Leave them unchanged.
            name: array for => name: 2 * array for
        you set the arrays outside the layers, such as the embeddings, to 0. Keep them unchanged.
            name: array for => name: 0 * array for
        """,
    )
    + edits(
        by_name,
        r"""
        $number = int(number) + L

        the new layers have the wrong numbers. Number them from L to 2 L - 1, after the old ones.
            $number => int(number) + L + 1
        the new layers have the wrong numbers. The copy of layer i should be layer L + i.
            $number => 10 * int(number) + L
        you read only one digit of a layer's number, which may have more. Read up to the next dot.
            int(name.split(".")[1]) => int(name[7])
            _, number, rest = name.split(".", 2) => number, rest = name[7], name[8:]
            $number}.{rest => $number}{rest
        you replace every equal number in a name. Change only the layer's number, between the first two dots.
            f"{LAYER}{$number}.{rest}" => name.replace(number, str($number))
        you treat names that contain `layers.` anywhere as layers. They must begin with it.
            if name.startswith(LAYER): => if LAYER in name:
            name.split(".", 2) => name[name.index(LAYER) :].split(".", 2)
            f"{LAYER}{$number} => f"{name[: name.index(LAYER)]}{LAYER}{$number}
        """,
        number_of,
        doubled,
    )
    + pairs_of_edits(
        stack_layers,
        """
        $v = deeper(state["v"])

        each copy is directly above its original, although layer L + i should be a copy of layer i
            i % L => i // 2
        both moments, `m` and `v`, are 0 in the new layers instead of copies of the old ones
            deeper(state["m"]) => deeper(state["m"], np.zeros_like)
            $v => deeper(state["v"], np.zeros_like)
        the moment `v` is 0 in the new layers instead of a copy of the old one
            $v => deeper(state["v"], np.zeros_like)
        the number of steps is reset to 0, although it should stay the same
            state["step"] => 0
        only one layer is added, not L
            2 * L => L + 1
        """,
    )
)


def copies_are_copies(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether no array of a new layer shares its memory with one of an old layer."""
    weights, state = model(rng, 2)
    deeper, memory = f(weights, state)
    return not any(
        np.shares_memory(arrays[name], arrays[old])
        for arrays in (deeper, memory["m"], memory["v"])
        for name in arrays.keys() - weights.keys()
        for old in weights
    )


def twice_as_many(f: Callable, rng: np.random.Generator) -> bool:
    weights, state = model(rng, 3)
    new, after = f(weights, state)
    layers = {name.split(".")[1] for name in new if name.startswith("layers.")}
    return layers == set("012345") and new.keys() == after["m"].keys() == after["v"].keys()


def old_stays(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f keeps every original array, both in the weights and in the moments."""
    weights, state = model(rng, 2)
    new, after = f(weights, state)
    pairs = ((new, weights), *((after[moment], state[moment]) for moment in "mv"))
    return all(np.array_equal(got[name], before[name]) for got, before in pairs for name in before)


def again(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether stacking a one-layer model twice with f gives four identical layers."""
    weights, state = model(rng, 1)
    new, _ = f(*f(weights, state))
    return all(
        np.array_equal(new[f"layers.{i}.{part}"], weights[f"layers.0.{part}"])
        for i in range(4)
        for part in PARTS
    )
