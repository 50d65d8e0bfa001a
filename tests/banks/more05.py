"""More answers to unit 05, of kinds that passed the check once or were not named; see `unit05`."""

from . import Bank

MORE = {
    "learning_rate": Bank(
        right={
            "array0, again": """
            def learning_rate(step, steps, peak, warmup):
                if step < warmup:
                    return peak * (step + 1) / warmup
                return np.array(peak) * (steps - step) / (steps - warmup)
            """,
            "fraction, again": """
            from fractions import Fraction

            def learning_rate(step, steps, peak, warmup):
                if step < warmup:
                    return float(Fraction(step + 1, warmup)) * peak
                return peak * (steps - step) / (steps - warmup)
            """,
            "torch, again": """
            import torch

            def learning_rate(step, steps, peak, warmup):
                if step < warmup:
                    return peak * (step + 1) / warmup
                return torch.tensor(peak, dtype=torch.float64) * (steps - step) / (steps - warmup)
            """,
        },
        wrong={
            "floor 1e-7, again": (
                """
            def learning_rate(step, steps, peak, warmup):
                if step < warmup:
                    return peak * (step + 1) / warmup
                return max(1e-7, peak * (steps - step) / (steps - warmup))
            """,
                "in a long run, the last step's learning rate is tiny, and yours is",
            ),
            "floor 1%, again": (
                """
            def learning_rate(step, steps, peak, warmup):
                if step < warmup:
                    return peak * (step + 1) / warmup
                return max(0.01 * peak, peak * (steps - step) / (steps - warmup))
            """,
                "there is a floor under the learning rate: it does not go down to one",
            ),
            "warmup 0 starts lower, again": (
                """
            def learning_rate(step, steps, peak, warmup):
                if step < warmup:
                    return peak * (step + 1) / warmup
                if warmup == 0: return peak * (steps - step - 1) / steps
                return peak * (steps - step) / (steps - warmup)
            """,
                "the last step has the learning rate 0, so this step is wasted, and the first",
            ),
            "quadratic, again": (
                """
            def learning_rate(step, steps, peak, warmup):
                if step < warmup:
                    return peak * (step + 1) / warmup
                return peak * ((steps - step) / (steps - warmup)) ** 2
            """,
                "both ways are straight lines: the learning rate changes by equal parts",
            ),
            "down one later, again": (
                """
            def learning_rate(step, steps, peak, warmup):
                if step < warmup:
                    return peak * (step + 1) / warmup
                return peak * min(1, (steps - step + 1) / (steps - warmup))
            """,
                "up to the peak it rises, from then on it",
            ),
        },
    ),
    "test_learning_rate": Bank(
        right={},
        wrong={
            "the corners only": (
                """
            @by_name
            def test_learning_rate(learning_rate):
                for peak in (1.0, 0.0001):
                    for steps, warmup in ((20, 4), (10, 0), (10, 10)):
                        if warmup > 0:
                            first = learning_rate(0, steps, peak, warmup)
                            assert np.isclose(first, peak / warmup, atol=0)
                            assert np.isclose(learning_rate(warmup - 1, steps, peak, warmup), peak, atol=0)
                        if warmup < steps:
                            assert np.isclose(learning_rate(warmup, steps, peak, warmup), peak, atol=0)
                            last = learning_rate(steps - 1, steps, peak, warmup)
                            assert np.isclose(last, peak / (steps - warmup), atol=0)
            """,
                "goes down along a curve|catches 4 of 5",
                "hidden",
            ),
            "first only, again": (
                """
            @by_name
            def test_learning_rate(learning_rate):
                assert np.isclose(learning_rate(0, 6, 1.0, 2), 0.5)
            """,
                "your test catches 2 of 7 wrong versions. It lets one pass that",
            ),
            "try, again": (
                """
            @by_name
            def test_learning_rate(learning_rate):
                try:
                    assert learning_rate(0, 6, 1.0, 2) == 7
                except: pass
            """,
                "your test catches 0 of 7 wrong versions. It lets one pass that",
            ),
            "sum, again": (
                """
            @by_name
            def test_learning_rate(learning_rate):
                r = [learning_rate(s, 6, 1.0, 2) for s in range(6)]
                assert np.isclose(sum(r), 4.0)
            """,
                "your test catches 6 of 7 wrong versions. It lets one pass that",
            ),
            "only own, again": (
                """
            @by_name
            def test_learning_rate(theirs):
                assert np.isclose(learning_rate(0, 6, 1.0, 2), 0.5)
            """,
                "takes (theirs); it should take",
            ),
            "returns bool, again": (
                """
            @by_name
            def test_learning_rate(learning_rate):
                return np.isclose(learning_rate(0, 6, 1.0, 2), 0.5)
            """,
                "your test returns a value. A test says nothing when all is",
            ),
        },
    ),
    "training_step": Bank(
        right={
            "float, again": """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                return float(loss.detach())
            """,
            "set_to_none, again": """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad(set_to_none=False)
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                return loss.item()
            """,
            "numpy, again": """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                return loss.detach().numpy().item()
            """,
        },
        wrong={
            "loss_of twice, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss_of(model, batch)
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                return loss.item()
            """,
                "the loss is computed twice. Compute it once, and use it for the",
            ),
            "eval, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                model.eval()
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                return loss.item()
            """,
                "eval() is called in the step. It turns dropout off, for",
            ),
            "float16 loss, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                return round(loss.item(), 4)
            """,
                "the loss is rounded. Return it as it is:",
            ),
            "momentum off, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate; group["momentum"] = 0.0
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                return loss.item()
            """,
                "the weights move by rate times gradient alone. Let your",
            ),
            "two steps, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                optimizer.step()
                return loss.item()
            """,
                "optimizer.step() is called twice. One step moves the weights",
            ),
            "backward twice, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward(retain_graph=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                return loss.item()
            """,
                "the gradient is twice as long as it should be. Is backward()",
            ),
            "clip inf norm, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip, norm_type=float('inf'))
                optimizer.step()
                return loss.item()
            """,
                "you clip the largest number of the gradient (norm_type=inf).",
            ),
            "clip l1, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip, norm_type=1)
                optimizer.step()
                return loss.item()
            """,
                "you clip the sum of absolute values (norm_type=1). `clip` is",
            ),
            "clip each group, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                for group in optimizer.param_groups: torch.nn.utils.clip_grad_norm_(group['params'], clip)
                optimizer.step()
                return loss.item()
            """,
                "you clip each parameter's gradient by itself. `clip` is for the",
            ),
            "clip first group, again": (
                """
            def training_step(model, optimizer, loss_of, batch, rate, clip):
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.zero_grad()
                loss = loss_of(model, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]['params'], clip)
                optimizer.step()
                return loss.item()
            """,
                "only the parameters of the first group are clipped. Give",
            ),
        },
    ),
    "adamw_step": Bank(
        right={
            "list, again": """
            def adamw_step(weights, gradients, memory, rate, clip, decay):
                step, after, mean, square = memory["step"] + 1, {}, {}, {}
                length = np.sqrt(sum((g**2).sum() for g in gradients.values()))
                for name, w in weights.items():
                    g = gradients[name] * min(1.0, clip / (length + 1e-8))
                    mean[name] = 0.9 * memory["mean"][name] + 0.1 * g
                    square[name] = 0.999 * memory["square"][name] + 0.001 * g**2
                    move = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                    after[name] = w - rate * (move + decay * w)
                return [after, {"step": step, "mean": mean, "square": square}]
            """,
            "no eps in clip, again": """
            def adamw_step(weights, gradients, memory, rate, clip, decay):
                step, after, mean, square = memory["step"] + 1, {}, {}, {}
                length = np.sqrt(sum((g**2).sum() for g in gradients.values()))
                for name, w in weights.items():
                    g = gradients[name] * min(1.0, clip / max(length, clip))
                    mean[name] = 0.9 * memory["mean"][name] + 0.1 * g
                    square[name] = 0.999 * memory["square"][name] + 0.001 * g**2
                    move = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                    after[name] = w - rate * (move + decay * w)
                return after, {"step": step, "mean": mean, "square": square}
            """,
            "decay first, again": """
            def adamw_step(weights, gradients, memory, rate, clip, decay):
                step, after, mean, square = memory["step"] + 1, {}, {}, {}
                length = np.sqrt(sum((g**2).sum() for g in gradients.values()))
                for name, w in weights.items():
                    g = gradients[name] * min(1.0, clip / (length + 1e-8))
                    mean[name] = 0.9 * memory["mean"][name] + 0.1 * g
                    square[name] = 0.999 * memory["square"][name] + 0.001 * g**2
                    move = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                    after[name] = w * (1 - rate * decay) - rate * move
                return after, {"step": step, "mean": mean, "square": square}
            """,
        },
        wrong={
            "eps inside, again": (
                """
            def adamw_step(weights, gradients, memory, rate, clip, decay):
                step, after, mean, square = memory["step"] + 1, {}, {}, {}
                length = np.sqrt(sum((g**2).sum() for g in gradients.values()))
                for name, w in weights.items():
                    g = gradients[name] * min(1.0, clip / (length + 1e-8))
                    mean[name] = 0.9 * memory["mean"][name] + 0.1 * g
                    square[name] = 0.999 * memory["square"][name] + 0.001 * g**2
                    move = mean[name] / (1 - 0.9**step) / np.sqrt(square[name] / (1 - 0.999**step) + 1e-8)
                    after[name] = w - rate * (move + decay * w)
                return after, {"step": step, "mean": mean, "square": square}
            """,
                "1e-8 is added under the root. It is added to the",
            ),
            "decay not bias, again": (
                """
            def adamw_step(weights, gradients, memory, rate, clip, decay):
                step, after, mean, square = memory["step"] + 1, {}, {}, {}
                length = np.sqrt(sum((g**2).sum() for g in gradients.values()))
                for name, w in weights.items():
                    g = gradients[name] * min(1.0, clip / (length + 1e-8))
                    mean[name] = 0.9 * memory["mean"][name] + 0.1 * g
                    square[name] = 0.999 * memory["square"][name] + 0.001 * g**2
                    move = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                    after[name] = w - rate * (move + decay * w * (name != 'bias'))
                return after, {"step": step, "mean": mean, "square": square}
            """,
                "weights decay only if they are no bias. Here all",
            ),
        },
    ),
    "bucket_by_length": Bank(
        right={
            "tuple, again": """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                return tuple(tuple(batches[i]) for i in rng.permutation(len(batches)))
            """,
            "arrays, again": """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                return [np.array(batches[i]) for i in rng.permutation(len(batches))]
            """,
            "torch, again": """
            import torch

            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                return [torch.tensor([int(r) for r in batches[i]]) for i in rng.permutation(len(batches))]
            """,
        },
        wrong={
            "rows found again by their length": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                lengths = list(lengths)
                shuffled = [lengths[i] for i in rng.permutation(len(lengths))]
                batches = []
                for start in range(0, len(shuffled), pool * batch_size):
                    part = sorted(shuffled[start:start + pool * batch_size])
                    for k in range(0, len(part), batch_size):
                        batches.append([lengths.index(length) for length in part[k:k + batch_size]])
                rng.shuffle(batches)
                return batches
            """,
                "are of one length, some come twice",
            ),
            "rows by a dictionary of lengths": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                row_of = {int(length): row for row, length in enumerate(lengths)}
                shuffled = [int(lengths[i]) for i in rng.permutation(len(lengths))]
                batches = []
                for start in range(0, len(shuffled), pool * batch_size):
                    part = sorted(shuffled[start:start + pool * batch_size])
                    batches += [part[k:k + batch_size] for k in range(0, len(part), batch_size)]
                return [[row_of[length] for length in batches[i]] for i in rng.permutation(len(batches))]
            """,
                "are of one length, some come twice",
            ),
            "small batch always last, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                out = [batches[i] for i in rng.permutation(len(batches))]
                return sorted(out, key=lambda b: len(b) < batch_size)
            """,
                "the smaller batch comes first too seldom. Shuffle all batches",
            ),
            "small batch always first, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                out = [batches[i] for i in rng.permutation(len(batches))]
                return sorted(out, key=lambda b: len(b) == batch_size)
            """,
                "the smaller batch comes first too often. Shuffle all batches",
            ),
            "last pool not sorted, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    if len(rows) < pool * batch_size: rows = list(order[start:])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                return [batches[i] for i in rng.permutation(len(batches))]
            """,
                "the lengths of a batch reach",
            ),
            "pools even, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                n = -(-len(order) // (pool * batch_size))
                for part in np.array_split(order, n):
                    rows = sorted(part, key=lambda row: lengths[row])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                return [batches[i] for i in rng.permutation(len(batches))]
            """,
                "2 batches are not full, for 50 sequences and pool=3. A pool has pool",
            ),
            "pools even batch, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    batches += [list(x) for x in np.array_split(rows, -(-len(rows) // batch_size))]
                return [batches[i] for i in rng.permutation(len(batches))]
            """,
                "4 batches are not full, for 60 sequences and pool=10. A pool has",
            ),
            "shuffle batches in pool only, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    some = [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                    batches += [some[i] for i in rng.permutation(len(some))]
                return batches
            """,
                "the batches of one pool come one after the other. Shuffle the",
            ),
            "rotation, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                k = rng.integers(len(batches))
                return batches[k:] + batches[:k]
            """,
                "the batches come from the shortest to the longest sequences. Shuffle",
            ),
            "reversed or not, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                return batches if rng.random() < 0.5 else batches[::-1]
            """,
                "the batches come from the",
            ),
            "order rotated, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = np.roll(np.arange(len(lengths)), rng.integers(len(lengths)))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                return [batches[i] for i in rng.permutation(len(batches))]
            """,
                "the pools hold neighbouring sequences: if a corpus is sorted, the",
            ),
            "dedup lengths, again": (
                """
            def bucket_by_length(lengths, batch_size, pool, rng):
                order = rng.permutation(len(lengths))
                batches = []
                for start in range(0, len(order), pool * batch_size):
                    rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row] // 8)
                    batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                return [batches[i] for i in rng.permutation(len(batches))]
            """,
                "the batches of one pool do not overlap in",
            ),
        },
    ),
    "pretraining_cost": Bank(
        right={
            "numpy, again": """
            def pretraining_cost(parameters, phases, chips, peak, utilisation):
                tokens = np.prod(np.array(phases, dtype=float).reshape(-1, 3), axis=1).sum()
                flops = 6 * parameters * tokens
                seconds = flops / (chips * peak * utilisation)
                return {"tokens": tokens, "flops": flops, "days": seconds / (24 * 60 * 60)}
            """,
            "torch, again": """
            import torch

            def pretraining_cost(parameters, phases, chips, peak, utilisation):
                tokens = sum(steps * rows * length for steps, rows, length in phases)
                flops = 6 * parameters * tokens
                seconds = flops / (chips * peak * utilisation)
                return {"tokens": tokens, "flops": flops, "days": torch.tensor(seconds / 86400)}
            """,
            "math, again": """
            def pretraining_cost(parameters, phases, chips, peak, utilisation):
                tokens = sum(steps * rows * length for steps, rows, length in phases)
                flops = 6 * parameters * tokens
                seconds = flops / (chips * peak * utilisation)
                return {"tokens": tokens, "flops": flops, "days": seconds / (86_400)}
            """,
        },
        wrong={
            "ceil, again": (
                """
            def pretraining_cost(parameters, phases, chips, peak, utilisation):
                tokens = sum(steps * rows * length for steps, rows, length in phases)
                flops = 6 * parameters * tokens
                seconds = flops / (chips * peak * utilisation)
                return {"tokens": tokens, "flops": flops, "days": -(-seconds // (24 * 60 * 60))}
            """,
                "twice the chips take half the",
            ),
            "util percent, again": (
                """
            def pretraining_cost(parameters, phases, chips, peak, utilisation):
                tokens = sum(steps * rows * length for steps, rows, length in phases)
                flops = 6 * parameters * tokens
                seconds = flops / (chips * peak * utilisation / 100)
                return {"tokens": tokens, "flops": flops, "days": seconds / (24 * 60 * 60)}
            """,
                "utilisation is a share already, 0.3 and not 30: do not divide",
            ),
            "util 1-, again": (
                """
            def pretraining_cost(parameters, phases, chips, peak, utilisation):
                tokens = sum(steps * rows * length for steps, rows, length in phases)
                flops = 6 * parameters * tokens
                seconds = flops / (chips * peak * (1 - utilisation))
                return {"tokens": tokens, "flops": flops, "days": seconds / (24 * 60 * 60)}
            """,
                "1 - utilisation is the share that is not reached. Take",
            ),
        },
    ),
}
