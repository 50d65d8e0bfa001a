"""Known mistakes about `stack_layers`, twice the layers with their optimizer state, and its inputs.

Gong et al. (2019, ICML), algorithm 1; Shen et al. (2022, arXiv 2203.06211) for the state. L: layers.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..checks.exercise import Mistake, pairs

PARTS = ("attention.0.weight", "norm.weight")  # of a layer; the number in a name is not the layer's
OTHERS = ("embeddings.words", "embeddings.norm.1", "head.layers.0.bias")


def model(
    rng: np.random.Generator, L: int, shape: tuple[int, ...] = (2, 3), dtype: type = np.float64
) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """(weights, state) of a model of L layers; all its arrays differ, and `v` is positive."""
    names = [*OTHERS[:2], *(f"layers.{i}.{part}" for i in range(L) for part in PARTS), OTHERS[2]]

    def arrays():
        return {name: rng.normal(size=shape).astype(dtype) for name in names}

    return arrays(), {
        "step": int(rng.integers(10, 10_000)),
        "m": arrays(),
        "v": {name: x**2 + 0.1 for name, x in arrays().items()},
    }


def cases(rng: np.random.Generator) -> list[tuple]:
    """One layer, two, three, and twelve, whose numbers have two digits; another order of the names."""
    weights, state = model(rng, 3)
    return [
        model(rng, 2),
        model(rng, 1, (4,)),
        model(rng, 3, (1, 2), np.float32),
        model(rng, 12, (2,)),
        (dict(reversed(weights.items())), state),
    ]


def copy_of(i: int, L: int) -> int:
    """The layer of which layer i of the deeper model is a copy."""
    return i % L


def plain(array: np.ndarray) -> np.ndarray:
    return array.copy()


def grown(
    arrays: Mapping[str, np.ndarray],
    source: Callable = copy_of,
    changed: Callable = plain,
    total: Callable = lambda L: 2 * L,
) -> dict[str, np.ndarray]:
    """The named arrays for a deeper model. changed(array): of the new layers."""
    L = 1 + max(int(name.split(".")[1]) for name in arrays if name.startswith("layers."))
    result = {name: array for name, array in arrays.items() if not name.startswith("layers.")}
    rests = [name.split(".", 2)[2] for name in arrays if name.startswith("layers.0.")]
    for i in range(total(L)):
        for rest in rests:
            old = arrays[f"layers.{source(i, L)}.{rest}"]
            result[f"layers.{i}.{rest}"] = old.copy() if i < L else changed(old)
    return result


def stacked(
    source: Callable = copy_of,
    total: Callable = lambda L: 2 * L,
    changed: Callable = plain,
    m: Callable = plain,
    v: Callable = plain,
    step: Callable = lambda step: step,
    others: Callable = plain,
) -> Callable:
    """Build the function with some pieces replaced.

    changed, m, v: of the new layers' weights and moments; others: of what is in no layer.
    """

    def stack_layers(weights, state):
        def deeper(arrays, change):
            return {
                name: array if name.startswith("layers.") else others(array)
                for name, array in grown(arrays, source, change, total).items()
            }

        return deeper(weights, changed), {
            "step": step(state["step"]),
            "m": deeper(state["m"], m),
            "v": deeper(state["v"], v),
        }

    return stack_layers


def without_others(weights: Mapping[str, np.ndarray], state: Mapping[str, Any]) -> tuple:
    def layers(arrays):
        return {name: array for name, array in arrays.items() if name.startswith("layers.")}

    new, after = stacked()(weights, state)
    return layers(new), {"step": after["step"], "m": layers(after["m"]), "v": layers(after["v"])}


def named(rename: Callable) -> Callable:
    """Build the function with other names of the new layers: rename(i, L)."""

    def stack_layers(weights, state):
        def deeper(arrays):
            L = 1 + max(int(name.split(".")[1]) for name in arrays if name.startswith("layers."))
            result = dict(arrays)
            for name, array in arrays.items():
                if name.startswith("layers."):
                    _, number, rest = name.split(".", 2)
                    result[f"layers.{rename(int(number), L)}.{rest}"] = array
            return result

        return deeper(weights), {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])}

    return stack_layers


def one_digit(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of a deeper model, with the first digit alone taken as a layer's number."""
    L = 1 + max(int(name[7]) for name in arrays if name.startswith("layers."))
    return dict(arrays) | {
        f"layers.{int(name[7]) + L}{name[8:]}": array
        for name, array in arrays.items()
        if name.startswith("layers.")
    }


def replaced_everywhere(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of a deeper model, with each number in a name replaced that equals the layer's."""
    L = 1 + max(int(name.split(".")[1]) for name in arrays if name.startswith("layers."))
    result = dict(arrays)
    for i in range(L):
        for name, array in arrays.items():
            if name.startswith(f"layers.{i}."):
                result[name.replace(str(i), str(i + L))] = array
    return result


def by_names(deeper: Callable) -> Callable:
    return lambda weights, state: (
        deeper(weights),
        {"step": state["step"], "m": deeper(state["m"]), "v": deeper(state["v"])},
    )


def any_layers(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of a deeper model, with "layers." looked for anywhere in a name."""
    L = 1 + max(int(name.split(".")[1]) for name in arrays if name.startswith("layers."))
    result = dict(arrays)
    for name, array in arrays.items():
        if "layers." in name:
            head, _, tail = name.partition("layers.")
            number, _, rest = tail.partition(".")
            result[f"{head}layers.{int(number) + L}.{rest}"] = array
    return result


def zeros(array: np.ndarray) -> np.ndarray:
    return np.zeros_like(array)


STATE = "Adam goes on from both moments of a weight, and a copied weight needs those of its original"
STACK = (
    Mistake(
        "the copies stand beside their originals: 0, 0, 1, 1, ... Stacking puts the whole model on top "
        "of itself: layer L + i is a copy of layer i.",
        stacked(lambda i, L: i // 2),
    ),
    Mistake(
        "the copies stand in reverse order. Layer L + i is a copy of layer i, so the first copy is of "
        "the lowest layer.",
        stacked(lambda i, L: i if i < L else 2 * L - 1 - i),
    ),
    Mistake(
        "all new layers are copies of the top layer. Layer L + i is a copy of layer i.",
        stacked(lambda i, L: min(i, L - 1)),
    ),
    Mistake(
        "all new layers are copies of the lowest layer. Layer L + i is a copy of layer i.",
        stacked(lambda i, L: i if i < L else 0),
    ),
    Mistake(
        "the copies are one layer off: layer L is a copy of layer 0, not of layer 1.",
        stacked(lambda i, L: i if i < L else (i + 1) % L),
    ),
    Mistake("you add one layer. The deeper model has twice as many, 2 L.", stacked(total=lambda L: L + 1)),
    Mistake("the model has three times its layers. Stacking doubles them.", stacked(total=lambda L: 3 * L)),
    Mistake(
        "the model has as many layers as before. Layer L + i is to be added, a copy of layer i.",
        stacked(total=lambda L: L),
    ),
    Mistake(
        "the new layers' weights are 0. They are copies: what the old layers learned is the point.",
        stacked(changed=zeros),
    ),
    Mistake(
        "the new layers' weights are half of their originals. They are plain copies.",
        stacked(changed=lambda x: x / 2),
    ),
    Mistake(
        f"the new layers have 0 in both moments, as if they had never been trained: {STATE}.",
        stacked(m=zeros, v=zeros),
    ),
    Mistake(f"the new layers have 0 in `m`: {STATE}.", stacked(m=zeros)),
    Mistake(f"the new layers have 0 in `v`, and Adam divides by its square root: {STATE}.", stacked(v=zeros)),
    Mistake(
        "the weights of the new layers stand where their moments should be.",
        lambda weights, state: (
            stacked()(weights, state)[0],
            stacked()(weights, state)[1] | {name: grown(weights) | state[name] for name in ("m", "v")},
        ),
    ),
    Mistake(
        "the weights are stacked, and the optimizer's state is as it was: it lacks the new layers.",
        lambda weights, state: (stacked()(weights, state)[0], dict(state)),
    ),
    Mistake(
        "`m` is stacked and `v` is not: Adam needs both moments of each weight.",
        lambda weights, state: (
            stacked()(weights, state)[0],
            stacked()(weights, state)[1] | {"v": dict(state["v"])},
        ),
    ),
    Mistake(
        "`v` is stacked and `m` is not: Adam needs both moments of each weight.",
        lambda weights, state: (
            stacked()(weights, state)[0],
            stacked()(weights, state)[1] | {"m": dict(state["m"])},
        ),
    ),
    Mistake(
        "`m` and `v` have changed places.",
        lambda weights, state: (
            stacked()(weights, state)[0],
            {"step": state["step"], "m": grown(state["v"]), "v": grown(state["m"])},
        ),
    ),
    Mistake(
        "both moments are those of `m`. Each has its own.",
        lambda weights, state: (
            stacked()(weights, state)[0],
            stacked()(weights, state)[1] | {"v": grown(state["m"])},
        ),
    ),
    Mistake(
        "the number of steps begins at 0 again. Training goes on: `step` stays.", stacked(step=lambda step: 0)
    ),
    Mistake(
        "the number of steps is doubled. Only the layers are: `step` stays.",
        stacked(step=lambda step: 2 * step),
    ),
    Mistake(
        "the optimizer's state begins anew: step 0, and 0 in all moments. It goes on where it was.",
        lambda weights, state: (
            stacked()(weights, state)[0],
            {"step": 0, **{name: {key: zeros(x) for key, x in grown(weights).items()} for name in "mv"}},
        ),
    ),
    Mistake("what is in no layer, such as the embeddings, is missing. It stays as it is.", without_others),
    Mistake(
        "what is in no layer, such as the embeddings, has changed. It stays as it is.",
        stacked(others=lambda x: 2 * x),
    ),
    Mistake("what is in no layer, such as the embeddings, is 0. It stays as it is.", stacked(others=zeros)),
    Mistake(
        "the new layers have the wrong numbers: they go on after the old ones, L to 2 L - 1.",
        named(lambda i, L: i + L + 1),
    ),
    Mistake(
        "the new layers have the wrong numbers: layer L + i is a copy of layer i.",
        named(lambda i, L: 10 * i + L),
    ),
    Mistake(
        "a layer's number may have two digits. Take what stands between the first two dots: "
        "name.split('.')[1].",
        by_names(one_digit),
    ),
    Mistake(
        "`replace` changes every number in a name that equals the layer's. Only what stands between the "
        "first two dots is the layer.",
        by_names(replaced_everywhere),
    ),
    Mistake(
        "`layers.` inside another name is no layer. The names of the layers begin with it: "
        "name.startswith('layers.').",
        by_names(any_layers),
    ),
    *pairs(
        stacked,
        (dict(source=lambda i, L: i // 2), "the copies stand beside their originals"),
        (dict(m=zeros, v=zeros), "the new layers have 0 in both moments"),
        (dict(v=zeros), "the new layers have 0 in `v`"),
        (dict(step=lambda step: 0), "the number of steps begins at 0 again"),
        (dict(total=lambda L: L + 1), "one layer is added, not L"),
    ),
)


def twice_as_many(f: Callable, rng: np.random.Generator) -> bool:
    weights, state = model(rng, 3)
    new, after = f(weights, state)
    layers = {name.split(".")[1] for name in new if name.startswith("layers.")}
    return layers == set("012345") and new.keys() == after["m"].keys() == after["v"].keys()


def old_stays(f: Callable, rng: np.random.Generator) -> bool:
    """True if every array of the model is in the deeper one, unchanged, in the weights and both moments."""
    weights, state = model(rng, 2)
    new, after = f(weights, state)
    pairs = ((new, weights), *((after[moment], state[moment]) for moment in "mv"))
    return all(np.array_equal(got[name], before[name]) for got, before in pairs for name in before)


def again(f: Callable, rng: np.random.Generator) -> bool:
    """True if stacking twice gives four times the lowest layer."""
    weights, state = model(rng, 1)
    new, _ = f(*f(weights, state))
    return all(
        np.array_equal(new[f"layers.{i}.{part}"], weights[f"layers.0.{part}"])
        for i in range(4)
        for part in PARTS
    )
