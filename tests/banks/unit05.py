"""Answers to the assignment of unit 05. They use what its notebook offers: np, math, torch and by_name."""

from . import Bank, changed

RATE = """
def learning_rate(step, steps, peak, warmup):
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * (steps - step) / (steps - warmup)
"""
UP, DOWN = "peak * (step + 1) / warmup", "peak * (steps - step) / (steps - warmup)"

CYCLE = """
def one_cycle_rate(step, steps, peak):
    top = steps // 10 - 1
    if step <= top:
        a, b, share = peak / 100, peak, step / top
    else:
        a, b, share = peak, peak / 100**2, (step - top) / (steps - 1 - top)
    return b + (a - b) * (1 + math.cos(math.pi * share)) / 2
"""
UP_SIDE, DOWN_SIDE = "step / top", "(step - top) / (steps - 1 - top)"
HALF_WAVE = "b + (a - b) * (1 + math.cos(math.pi * share)) / 2"

PACK = """
def pack_sentences(docs, room, sep, cross):
    sequences, current = [], []
    for doc in docs:
        for number, sentence in enumerate(doc):
            border = [sep] if current and number == 0 else []
            new_document = number == 0 and not cross
            if current and (new_document or len(current) + len(border) + len(sentence) > room):
                sequences.append(current)
                current, border = [], []
            current = current + border + sentence
    return sequences + [current]
"""
TOO_LONG = "len(current) + len(border) + len(sentence) > room"

STEP = """
def training_step(model, optimizer, loss_of, batch, rate, clip):
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()
"""
GROUPS = """    for group in optimizer.param_groups:
        group["lr"] = rate
"""
ZERO, BACK, CLIP, MOVE = (
    "    optimizer.zero_grad()\n",
    "    loss.backward()\n",
    "    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)\n",
    "    optimizer.step()\n",
)

BUCKETS = """
def bucket_by_length(lengths, batch_size, pool, rng):
    order = rng.permutation(len(lengths))
    batches = []
    for start in range(0, len(order), pool * batch_size):
        rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
        batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
    return [batches[i] for i in rng.permutation(len(batches))]
"""
SORTED = "sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])"
LAST = "[batches[i] for i in rng.permutation(len(batches))]"

COST = """
def pretraining_cost(parameters, phases, chips, peak, utilisation):
    tokens = sum(steps * rows * length for steps, rows, length in phases)
    flops = 6 * parameters * tokens
    seconds = flops / (chips * peak * utilisation)
    return {"tokens": tokens, "flops": flops, "days": seconds / 86400}
"""

TEST = """
@by_name
def test_learning_rate(learning_rate):
    rates = [learning_rate(step, 6, 1e-4, 2) for step in range(6)]
    assert np.allclose(rates, np.array([0.5, 1, 1, 0.75, 0.5, 0.25]) * 1e-4)
    assert np.allclose([learning_rate(step, 2, 3.0, 0) for step in range(2)], [3, 1.5])
    assert np.allclose([learning_rate(step, 2, 3.0, 2) for step in range(2)], [1.5, 3])
"""
NO_WARMUP = "    assert np.allclose([learning_rate(step, 2, 3.0, 0) for step in range(2)], [3, 1.5])\n"
ALL_WARMUP = "    assert np.allclose([learning_rate(step, 2, 3.0, 2) for step in range(2)], [1.5, 3])\n"

ADAMW = """
def adamw_step(weights, gradients, memory, rate, clip, decay):
    step, after, mean, square = memory["step"] + 1, {}, {}, {}
    length = np.sqrt(sum((g**2).sum() for g in gradients.values()))
    for name, w in weights.items():
        g = gradients[name] * min(1.0, clip / (length + 1e-8))
        mean[name] = 0.9 * memory["mean"][name] + 0.1 * g
        square[name] = 0.999 * memory["square"][name] + 0.001 * g**2
        move = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
        after[name] = w - rate * (move + decay * w)
    return after, {"step": step, "mean": mean, "square": square}
"""
UNCORRECTED = (" / (1 - 0.999**step)", "")
COUPLED = (("(move + decay * w)", "move"), ("(length + 1e-8))\n", "(length + 1e-8)) + decay * w\n"))
EACH = ("clip / (length", "clip / (np.linalg.norm(gradients[name])")
RATE_OF_FIRST, SHRINKS = (
    "moves each weight by the learning rate",
    "shrinks each weight by the fraction rate * decay",
)
ONE_FACTOR = "shrink by the same factor"
OTHER = "something else has changed"

BANK = {
    "learning_rate": Bank(
        right={
            "the solution": RATE,
            "one expression": """
                def learning_rate(step, steps, peak, warmup):
                    return peak * ((step + 1) / warmup if step < warmup
                                   else 1 - (step - warmup) / (steps - warmup))
                """,
            "the smaller of two lines": """
                def learning_rate(step, steps, peak, warmup):
                    up = (step + 1) / max(warmup, 1)
                    down = (steps - step) / max(steps - warmup, 1)
                    return peak * (up if warmup > step else down)
                """,
            "a table": """
                def learning_rate(step, steps, peak, warmup):
                    up = [peak * (i + 1) / warmup for i in range(warmup)]
                    left = steps - warmup
                    return (up + [peak * (left - i) / left for i in range(left)])[step]
                """,
            "interpolated": """
                def learning_rate(step, steps, peak, warmup):
                    if step < warmup:
                        return np.interp(step, [-1, warmup - 1], [0, peak])
                    return np.interp(step, [warmup, steps], [peak, 0])
                """,
            "float32": changed(RATE, (UP, f"np.float32({UP})"), (DOWN, f"np.float32({DOWN})")),
            "torch": changed(
                RATE,
                (
                    DOWN,
                    "float(torch.lerp(torch.tensor(peak, dtype=torch.float64), torch.zeros((), "
                    "dtype=torch.float64), (step - warmup) / (steps - warmup)))",
                ),
            ),
            "a tensor": changed(
                RATE, (DOWN, "torch.tensor(peak, dtype=torch.float64) * (steps - step) / (steps - warmup)")
            ),
        },
        wrong={
            "first rate 0": (changed(RATE, ("(step + 1)", "step")), "first step's learning rate is 0"),
            "the authors' code": (
                changed(RATE, ("(step + 1)", "step"), (DOWN, "peak * (1 - step / steps)")),
                "first step's learning rate is 0",
            ),
            "no warm-up at all": (
                "def learning_rate(step, steps, peak, warmup):\n    return peak * (steps - step) / steps",
                "no warm-up, and the decay",
            ),
            "constant": (
                "def learning_rate(step, steps, peak, warmup):\n    return peak",
                "no warm-up, and no decay",
            ),
            "share returned": (changed(RATE, ("peak * ", "", 2)), "Multiply it by peak"),
            "whole numbers": (
                changed(
                    RATE,
                    ("peak * (step + 1) / warmup", "peak * ((step + 1) // warmup)"),
                    (DOWN, "peak * ((steps - step) // (steps - warmup))"),
                ),
                "discards the fraction",
            ),
            "both lines at once": (
                f"""
                def learning_rate(step, steps, peak, warmup):
                    return min({UP}, {DOWN})
                """,
                "divide by 0",
            ),
            "divided too early": (
                """
                def learning_rate(step, steps, peak, warmup):
                    down = 1 / (steps - warmup)
                    return peak * (step + 1) / warmup if step < warmup else peak * (steps - step) * down
                """,
                "divide by 0",
            ),
            "nothing returned": (
                "def learning_rate(step, steps, peak, warmup):\n    rate = peak",
                "returns None",
            ),
            "text": (changed(RATE, (f"return {UP}", "return 'peak'")), "should return one number"),
            "other parameters": (
                changed(RATE, ("(step, steps, peak, warmup)", "(step, steps, peak)"), ("warmup", "1", 3)),
                "it should take (step, steps, peak, warmup)",
            ),
            "a floor": (
                changed(RATE, (DOWN, f"max(1e-7, {DOWN})")),
                "in a long run, the learning rate of the last step is tiny, but yours is",
            ),
            "lower without warm-up": (
                changed(
                    RATE,
                    (
                        "    return peak * (steps",
                        "    if warmup == 0:\n        return peak * (steps - step - 1) / steps\n"
                        "    return peak * (steps",
                    ),
                ),
                "the last step has the learning rate 0, so it is wasted, and the first",
            ),
            "quadratic": (
                changed(RATE, (DOWN, "peak * ((steps - step) / (steps - warmup)) ** 2")),
                "warm-up and decay are straight lines: the learning rate changes by the same",
            ),
            "down one step later": (
                changed(RATE, (DOWN, "peak * min(1, (steps - step + 1) / (steps - warmup))")),
                "the learning rate rises up to the peak and",
            ),
        },
    ),
    "test_learning_rate": Bank(
        right={
            "the solution": TEST,
            "against her own": """
                @by_name
                def test_learning_rate(learning_rate):
                    def mine(step, steps, peak, warmup):
                        return peak * min((step + 1) / max(warmup, 0.5),
                                          (steps - step) / max(steps - warmup, 0.5))
                    for steps, peak, warmup in [(10, 1.0, 3), (9, 2e-5, 4), (5, 0.3, 0), (4, 7.0, 4)]:
                        for step in range(steps):
                            wanted = mine(step, steps, peak, warmup)
                            rate = learning_rate(step, steps, peak, warmup)
                            assert abs(rate - wanted) < 1e-5 * wanted, step
                """,
            "by laws": """
                @by_name
                def test_learning_rate(learning_rate):
                    for peak in (1.0, 1e-4):
                        rates = np.array([learning_rate(step, 30, peak, 10) for step in range(30)], float)
                        np.testing.assert_allclose(rates.max(), peak, rtol=1e-4)
                        np.testing.assert_allclose(rates[9:11], peak, rtol=1e-4)
                        np.testing.assert_allclose(np.diff(rates[:10]), peak / 10, rtol=1e-3)
                        np.testing.assert_allclose(np.diff(rates[10:]), -peak / 20, rtol=1e-3)
                        assert rates.min() > 0
                    assert learning_rate(0, 5, 0.1, 0) > 0.09 and learning_rate(4, 5, 0.1, 5) > 0.09
                """,
            "PyTorch's schedule": """
                @by_name
                def test_learning_rate(learning_rate):
                    from torch.optim.lr_scheduler import LinearLR, SequentialLR
                    peak = 3e-4
                    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=peak)
                    up = LinearLR(optimizer, 1 / 4, 1.0, total_iters=3)
                    down = LinearLR(optimizer, 1.0, 1 / 5, total_iters=4)
                    both = SequentialLR(optimizer, [up, down], [4])
                    for step in range(9):
                        assert np.isclose(learning_rate(step, 9, peak, 4), optimizer.param_groups[0]["lr"],
                                          atol=0, rtol=1e-4)
                        optimizer.step()
                        both.step()
                    for warmup in (0, 3):
                        assert np.isclose(learning_rate(2 if warmup else 0, 3, peak, warmup), peak)
                """,
        },
        wrong={
            "nothing asked": (
                "@by_name\ndef test_learning_rate(learning_rate):\n    pass",
                "starts with the learning rate 0",
            ),
            "printed": (
                changed(TEST, ("assert np.allclose", "print", 3)),
                "starts with the learning rate 0",
            ),
            "returned": (
                changed(TEST, ("    assert np.allclose(rates,", "    return np.allclose(rates,")),
                "returns a value",
            ),
            "without its line": (changed(TEST, ("@by_name", "")), "Keep the line"),
            "the ends only": (
                """
                @by_name
                def test_learning_rate(learning_rate):
                    assert (np.isclose(learning_rate(0, 6, 1.0, 2), 0.5)
                            and np.isclose(learning_rate(5, 6, 1.0, 2), 0.25))
                """,
                "warms up for one step too many",
            ),
            "never above the peak": (
                """
                @by_name
                def test_learning_rate(learning_rate):
                    rates = [learning_rate(step, 6, 1.0, 2) for step in range(6)]
                    assert max(rates) <= 1.0001 and min(rates) > 0
                """,
                "jumps down after the warm-up",
            ),
            "up and down": (
                """
                @by_name
                def test_learning_rate(learning_rate):
                    rates = np.array([learning_rate(step, 8, 1e-4, 4) for step in range(8)])
                    assert ((rates[:4] < rates[1:5]).sum() == 3 and np.isclose(rates[4], 1e-4)
                            and (rates[5:] < rates[4:7]).all())
                    assert rates.min() > 0
                """,
                "goes down along a cosine",
            ),
            "equal to the last digit": (
                changed(
                    TEST,
                    (
                        "np.allclose(rates, np.array([0.5, 1, 1, 0.75, 0.5, 0.25]) * 1e-4)",
                        "rates == [1e-4 * x for x in (0.5, 1, 1, 0.75, 0.5, 0.25)]",
                    ),
                ),
                "rejects a correct version",
            ),
            "the first rate 0 demanded": (
                changed(TEST, ("[0.5, 1, 1, 0.75, 0.5, 0.25]", "[0, 0.5, 1, 0.75, 0.5, 0.25]")),
                "rejects a correct version",
            ),
            "a slip": (changed(TEST, ("np.allclose(rates", "np.allclosed(rates")), "allclosed"),
            "peak 1 only": (
                """
                @by_name
                def test_learning_rate(learning_rate):
                    rates = [learning_rate(step, 6, 1.0, 2) for step in range(6)]
                    assert np.allclose(rates, [0.5, 1, 1, 0.75, 0.5, 0.25])
                """,
                "whatever `peak` is",
                "hidden",
            ),
            "a warm-up in every run": (changed(TEST, (NO_WARMUP, "")), "if there is no warm-up", "hidden"),
            "a way down in every run": (
                changed(TEST, (ALL_WARMUP, "")),
                "if all steps are warm-up",
                "hidden",
            ),
            "large peaks only": (changed(TEST, ("1e-4", "2.0", 2)), "rounds to four decimals", "hidden"),
            "the corners only": (
                """
                @by_name
                def test_learning_rate(learning_rate):
                    for peak in (1.0, 0.0001):
                        for steps, warmup in ((20, 4), (10, 0), (10, 10)):
                            if warmup > 0:
                                first = learning_rate(0, steps, peak, warmup)
                                assert np.isclose(first, peak / warmup, atol=0)
                                top = learning_rate(warmup - 1, steps, peak, warmup)
                                assert np.isclose(top, peak, atol=0)
                            if warmup < steps:
                                assert np.isclose(learning_rate(warmup, steps, peak, warmup), peak, atol=0)
                                last = learning_rate(steps - 1, steps, peak, warmup)
                                assert np.isclose(last, peak / (steps - warmup), atol=0)
                """,
                "goes down along a curve|catches 4 of 5",
                "hidden",
            ),
            "the first step only": (
                "@by_name\ndef test_learning_rate(learning_rate):\n"
                "    assert np.isclose(learning_rate(0, 6, 1.0, 2), 0.5)",
                "your test catches 2 of 7 wrong versions. It does not catch the one that",
            ),
            "its own assert caught": (
                """
                @by_name
                def test_learning_rate(learning_rate):
                    try:
                        assert learning_rate(0, 6, 1.0, 2) == 7
                    except: pass
                """,
                "your test catches 0 of 7 wrong versions. It does not catch the one that",
            ),
            "the sum": (
                """
                @by_name
                def test_learning_rate(learning_rate):
                    assert np.isclose(sum(learning_rate(step, 6, 1.0, 2) for step in range(6)), 4.0)
                """,
                "your test catches 6 of 7 wrong versions. It does not catch the one that",
            ),
            "her own function tested": (
                changed(TEST, ("test_learning_rate(learning_rate)", "test_learning_rate(theirs)")),
                "takes (theirs); it should take",
            ),
        },
    ),
    "one_cycle_rate": Bank(
        right={
            "the solution": CYCLE,
            "one formula for the share": """
                def one_cycle_rate(step, steps, peak):
                    low, high, end = peak * 0.01, peak, peak * 0.0001
                    warmup = steps / 10
                    if step < warmup:
                        return low + (high - low) * (1 - math.cos(math.pi * step / (warmup - 1))) / 2
                    done = (step - warmup + 1) / (steps - warmup)
                    return end + (high - end) * (1 + math.cos(math.pi * done)) / 2
                """,
            "sine squared": changed(CYCLE, (HALF_WAVE, "a + (b - a) * math.sin(math.pi / 2 * share) ** 2")),
            "cosine squared": changed(CYCLE, (HALF_WAVE, "b + (a - b) * np.cos(np.pi / 2 * share) ** 2")),
            "a table in NumPy": """
                def one_cycle_rate(step, steps, peak):
                    def side(a, b, count):
                        return b + (a - b) * (1 + np.cos(np.linspace(0, np.pi, count))) / 2
                    warmup = int(0.1 * steps)
                    up = side(peak / 100, peak, warmup)
                    return np.concatenate([up, side(peak, up[0] / 100, steps - warmup + 1)[1:]])[step]
                """,
            "PyTorch's scheduler": """
                def one_cycle_rate(step, steps, peak):
                    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
                    schedule = torch.optim.lr_scheduler.OneCycleLR(
                        optimizer, max_lr=peak, total_steps=steps, pct_start=0.1, div_factor=100,
                        final_div_factor=100)
                    for _ in range(step):
                        optimizer.step()
                        schedule.step()
                    return schedule.get_last_lr()[0]
                """,
            "torch": changed(
                CYCLE,
                (
                    HALF_WAVE,
                    "b + (a - b) * (1 + torch.cos(torch.tensor(math.pi * share, dtype=torch.float64))) / 2",
                ),
            ),
            "float32": changed(CYCLE, (HALF_WAVE, f"np.float32({HALF_WAVE})")),
            "defensive": """
                def one_cycle_rate(step, steps, peak):
                    if not 0 <= step < steps:
                        raise ValueError("no such step")
                    share_up = 0.1
                    top = round(share_up * steps) - 1
                    points = [(0, peak / 100), (top, peak), (steps - 1, peak / 10_000)]
                    for (x0, y0), (x1, y1) in zip(points, points[1:]):
                        if x0 <= step <= x1:
                            done = (step - x0) / (x1 - x0)
                            weight = 0.5 - 0.5 * math.cos(math.pi * done)
                            return (1 - weight) * y0 + weight * y1
                """,
        },
        wrong={
            "straight lines": (
                changed(CYCLE, (HALF_WAVE, "a + (b - a) * share")),
                "warm-up and decay are straight",
            ),
            "straight up": (
                changed(
                    CYCLE,
                    (
                        "        a, b, share = peak / 100, peak, step / top",
                        "        return peak / 100 + (peak - peak / 100) * step / top",
                    ),
                ),
                "the warm-up is a straight line",
            ),
            "straight down": (
                changed(
                    CYCLE,
                    (
                        "        a, b, share = peak, peak / 100**2, " + DOWN_SIDE,
                        "        return peak + (peak / 1e4 - peak) * " + DOWN_SIDE,
                    ),
                ),
                "the decay is a straight line",
            ),
            "from 1/25": (
                changed(
                    CYCLE, ("peak / 100, peak,", "peak / 25, peak,"), ("peak / 100**2", "peak / 25 / 100")
                ),
                "1/25 of the peak",
            ),
            "both ends 0": (
                changed(CYCLE, ("peak / 100**2", "0.0"), ("peak / 100, peak,", "0.0, peak,")),
                "the learning rate begins and ends at 0",
            ),
            "both shares by the count": (
                changed(
                    CYCLE, (UP_SIDE, "step / (top + 1)"), (DOWN_SIDE, "(step - top - 1) / (steps - top - 1)")
                ),
                "one step late",
            ),
            "rounded": (changed(CYCLE, (HALF_WAVE, f"round({HALF_WAVE}, 6)")), "Do not round it"),
            "a floor": (changed(CYCLE, (HALF_WAVE, f"max(1e-5, {HALF_WAVE})")), "Do not limit it from below"),
            "exercise 1's": (
                "def one_cycle_rate(step, steps, peak):\n    warmup = steps // 10\n"
                "    return peak * ((step + 1) / warmup if step < warmup else "
                "(steps - step) / (steps - warmup))",
                "a hundredth|halfway between",
            ),
            "nothing returned": (changed(CYCLE, ("return b", "rate = b")), "returns None"),
        },
    ),
    "training_step": Bank(
        right={
            "the solution": STEP,
            "zeros last": changed(STEP, (ZERO, ""), (MOVE, MOVE + ZERO)),
            "the model's own zeros": changed(
                STEP, ("optimizer.zero_grad()", "model.zero_grad(set_to_none=False)")
            ),
            "clipped by hand": changed(
                STEP,
                (
                    CLIP,
                    """
    norm = torch.sqrt(sum((p.grad ** 2).sum() for p in model.parameters()))
    for p in model.parameters():
        p.grad *= min(1.0, float(clip / norm))
""",
                ),
            ),
            "all gradients in one vector": changed(
                STEP,
                (
                    CLIP,
                    """
    whole = torch.cat([p.grad.flatten() for p in model.parameters()])
    if whole.norm() > clip:
        for p in model.parameters():
            p.grad = p.grad * clip / whole.norm()
""",
                ),
            ),
            "gradients asked for": changed(
                STEP,
                (ZERO, ""),
                (
                    BACK,
                    """
    for p, grad in zip(model.parameters(), torch.autograd.grad(loss, list(model.parameters()))):
        p.grad = grad
""",
                ),
            ),
            "rate last of all that counts": changed(STEP, (GROUPS, ""), (MOVE, GROUPS + MOVE)),
            "a closure": changed(
                STEP, (MOVE, "    optimizer.step(lambda: loss)\n"), ("loss.item()", "float(loss.detach())")
            ),
            "the loss as a NumPy number": changed(STEP, ("loss.item()", "np.float32(loss.item())")),
        },
        wrong={
            "no zeros": (changed(STEP, (ZERO, "")), "old gradients are still there"),
            "zeros between": (changed(STEP, (ZERO, ""), (MOVE, ZERO + MOVE)), "finds no gradient"),
            "no step": (changed(STEP, (MOVE, "")), "optimizer.step() is missing"),
            "step before backward, zeros first": (
                changed(STEP, (MOVE, ""), (BACK, MOVE + BACK)),
                "finds no gradient",
            ),
            "rate under another name": (
                changed(STEP, ('group["lr"]', "group['rate']")),
                "the learning rate is not set",
            ),
            "clip before backward": (changed(STEP, (CLIP, ""), (ZERO, CLIP + ZERO)), "not clipped"),
            "clip after the step": (changed(STEP, (CLIP, ""), (MOVE, MOVE + CLIP)), "too late"),
            "always scaled": (
                changed(
                    STEP,
                    (
                        CLIP,
                        """
    norm = torch.sqrt(sum((p.grad ** 2).sum() for p in model.parameters()))
    for p in model.parameters():
        p.grad *= clip / norm
""",
                    ),
                ),
                "Scale down only gradients with a larger norm",
            ),
            "moved by hand": (
                changed(
                    STEP,
                    (
                        MOVE,
                        """
    with torch.no_grad():
        for p in model.parameters():
            p -= rate * p.grad
""",
                    ),
                ),
                "Leave the update to optimizer.step()",
            ),
            "a tensor without a graph": (changed(STEP, ("loss.item()", "loss.detach()")), "Return a number"),
            "nothing returned": (changed(STEP, ("    return loss.item()\n", "")), "returns None"),
            "momentum turned off": (
                changed(STEP, ("= rate", '= rate; group["momentum"] = 0.0')),
                "the weights move by learning rate times gradient",
            ),
            "backward() twice": (
                changed(STEP, (BACK, "    loss.backward(retain_graph=True)\n" + BACK)),
                "Call backward() only once",
            ),
            "each group clipped alone": (
                changed(
                    STEP,
                    (
                        CLIP,
                        """
    for group in optimizer.param_groups:
        torch.nn.utils.clip_grad_norm_(group["params"], clip)
""",
                    ),
                ),
                "separately",
            ),
        },
    ),
    "adamw_step": Bank(
        right={
            "the solution": ADAMW,
            "decay first": changed(
                ADAMW, ("w - rate * (move + decay * w)", "w * (1 - rate * decay) - rate * move")
            ),
            "one long vector": """
                def adamw_step(weights, gradients, memory, rate, clip, decay):
                    def joined(arrays):
                        return np.concatenate([arrays[name].ravel() for name in weights])
                    def apart(vector):
                        pieces = np.split(vector, np.cumsum([w.size for w in weights.values()])[:-1])
                        return {name: piece.reshape(weights[name].shape)
                                for name, piece in zip(weights, pieces)}
                    w, g, m, v = map(joined, (weights, gradients, memory["mean"], memory["square"]))
                    if np.linalg.norm(g) > clip:
                        g = g * clip / np.linalg.norm(g)
                    t = memory["step"] + 1
                    m, v = m + 0.1 * (g - m), v + 0.001 * (g * g - v)
                    move = (m / (1 - 0.9 ** t)) / ((v / (1 - 0.999 ** t)) ** 0.5 + 1e-8)
                    w = w - rate * decay * w - rate * move
                    return apart(w), {"step": t, "mean": apart(m), "square": apart(v)}
                """,
            "PyTorch's own": """
                def adamw_step(weights, gradients, memory, rate, clip, decay):
                    params = {name: torch.nn.Parameter(torch.tensor(w)) for name, w in weights.items()}
                    optimizer = torch.optim.AdamW(params.values(), lr=rate, weight_decay=decay)
                    for name, p in params.items():
                        p.grad = torch.tensor(gradients[name], dtype=p.dtype)
                        optimizer.state[p] = {"step": torch.tensor(float(memory["step"])),
                                              "exp_avg": torch.tensor(memory["mean"][name], dtype=p.dtype),
                                              "exp_avg_sq": torch.tensor(memory["square"][name],
                                                                         dtype=p.dtype)}
                    torch.nn.utils.clip_grad_norm_(params.values(), clip)
                    optimizer.step()
                    def kept(key):
                        return {name: optimizer.state[p][key].numpy() for name, p in params.items()}
                    return ({name: p.detach().numpy() for name, p in params.items()},
                            {"step": memory["step"] + 1, "mean": kept("exp_avg"),
                             "square": kept("exp_avg_sq")})
                """,
            "float32": changed(
                ADAMW, ("return after,", "return {n: w.astype(np.float32) for n, w in after.items()},")
            ),
            "a list": changed(
                ADAMW, ("return after, {", "return [after, {"), ('"square": square}', '"square": square}]')
            ),
            "the longer of length and clip": changed(ADAMW, ("(length + 1e-8)", "max(length, clip)")),
        },
        wrong={
            "as it was": (changed(ADAMW, UNCORRECTED, *COUPLED, EACH), RATE_OF_FIRST),
            "bug 1 left": (changed(ADAMW, UNCORRECTED), RATE_OF_FIRST, 1),
            "bug 2 left": (changed(ADAMW, *COUPLED), SHRINKS, 1),
            "bug 3 left": (changed(ADAMW, EACH), ONE_FACTOR, 1),
            "bugs 1 and 2 left": (changed(ADAMW, UNCORRECTED, *COUPLED), RATE_OF_FIRST, 2),
            "bugs 1 and 3 left": (changed(ADAMW, UNCORRECTED, EACH), RATE_OF_FIRST, 2),
            "bugs 2 and 3 left": (changed(ADAMW, *COUPLED, EACH), SHRINKS, 2),
            "nothing corrected": (changed(ADAMW, UNCORRECTED, (" / (1 - 0.9**step)", "")), OTHER),
            "decay without the rate": (
                changed(ADAMW, ("w - rate * (move + decay * w)", "w - rate * move - decay * w")),
                OTHER,
            ),
            "always clipped": (
                changed(ADAMW, ("min(1.0, clip / (length + 1e-8))", "clip / (length + 1e-8)")),
                OTHER,
            ),
            "not clipped": (changed(ADAMW, (" * min(1.0, clip / (length + 1e-8))", "")), OTHER),
            "uphill": (changed(ADAMW, ("w - rate", "w + rate")), OTHER),
            "not counted": (changed(ADAMW, ('{"step": step,', '{"step": memory["step"],')), OTHER),
            "in place": (
                changed(
                    ADAMW,
                    (
                        'mean[name] = 0.9 * memory["mean"][name] + 0.1 * g',
                        'mean = memory["mean"]\n        mean[name] = 0.9 * mean[name] + 0.1 * g',
                    ),
                ),
                "changes its inputs",
            ),
            "weights alone": (
                changed(ADAMW, (', {"step": step, "mean": mean, "square": square}', "")),
                OTHER,
            ),
            "nothing returned": (changed(ADAMW, ("return after", "found = after")), "returns None"),
            "1e-8 under the root": (
                changed(
                    ADAMW,
                    (
                        "(np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)",
                        "np.sqrt(square[name] / (1 - 0.999**step) + 1e-8)",
                    ),
                ),
                "1e-8 is added inside the square root",
            ),
        },
    ),
    "pack_sentences": Bank(
        right={
            "the solution": PACK,
            "two loops for two formats": """
                def pack_sentences(docs, room, sep, cross):
                    def packed(sentences):
                        sequences = [[]]
                        for sentence, border in sentences:
                            last = sequences[-1]
                            extra = [sep] if border and last else []
                            if last and len(last) + len(extra) + len(sentence) > room:
                                sequences.append(list(sentence))
                            else:
                                last.extend(extra)
                                last.extend(sentence)
                        return sequences
                    if cross:
                        return packed([(sentence, i == 0) for doc in docs for i, sentence in enumerate(doc)])
                    return [sequence for doc in docs for sequence in packed([(s, False) for s in doc])]
                """,
            "marked by None": """
                def pack_sentences(docs, room, sep, cross):
                    stream = []
                    for doc in docs:
                        stream += [None] + doc
                    done, now, pending = [], [], False
                    for item in stream[1:] + [None]:
                        if item is None:
                            pending = True
                            if not cross:
                                done.append(now)
                                now = []
                            continue
                        need = len(item) + (1 if pending and now else 0)
                        if len(now) + need > room:
                            done.append(now)
                            now = []
                        if pending and now:
                            now = now + [sep]
                        now = now + item
                        pending = False
                    return done + [now] if now else done
                """,
            "NumPy arrays": """
                def pack_sentences(docs, room, sep, cross):
                    rows, row = [], np.zeros(0, int)
                    for doc in docs:
                        for k in range(len(doc)):
                            more = np.array(doc[k])
                            if k == 0 and cross and row.size:
                                more = np.concatenate([[sep], more])
                            if row.size and (k == 0 and not cross or row.size + more.size > room):
                                rows.append(row)
                                row, more = np.zeros(0, int), np.array(doc[k])
                            row = np.concatenate([row, more])
                    rows.append(row)
                    return rows
                """,
            "from the end of each sentence": """
                def pack_sentences(docs, room, sep, cross):
                    sequences = []
                    for d, doc in enumerate(docs):
                        for s, sentence in enumerate(doc):
                            joined = None
                            if sequences and s > 0:
                                joined = sequences[-1] + sentence
                            elif sequences and cross:
                                joined = [*sequences[-1], sep, *sentence]
                            if joined is None or len(joined) > room:
                                sequences.append(sentence[:])
                            else:
                                sequences[-1] = joined
                    return sequences
                """,
            "generator": """
                def pack_sentences(docs, room, sep, cross):
                    def parts():
                        current = ()
                        for doc in docs:
                            first = True
                            for sentence in map(tuple, doc):
                                border = (sep,) if first and current else ()
                                full = len(current + border + sentence) > room
                                if current and (full or first and not cross):
                                    yield current
                                    current = border = ()
                                current += border + sentence
                                first = False
                        if current:
                            yield current
                    return list(parts())
                """,
            "defensive": """
                def pack_sentences(docs, room, sep, cross):
                    assert room > 0
                    sequences, current = [], []
                    def close():
                        nonlocal current
                        if len(current) > 0:
                            sequences.append(current)
                        current = []
                    for doc in docs:
                        if not doc:
                            continue
                        if not cross:
                            close()
                        wants_border = len(current) > 0
                        for sentence in doc:
                            if len(current) + wants_border + len(sentence) > room:
                                close()
                                wants_border = False
                            current = current + [sep] * wants_border + list(sentence)
                            wants_border = False
                    close()
                    return sequences
                """,
        },
        wrong={
            "across without separator": (
                changed(
                    PACK, (" and not cross", " and False"), ("number == 0 else", "number == 0 and cross else")
                ),
                "continues with the next document, without a separator",
            ),
            "cut anywhere": (
                """
                def pack_sentences(docs, room, sep, cross):
                    texts = [sum(doc, []) for doc in docs]
                    if cross:
                        stream = texts[0]
                        for text in texts[1:]:
                            stream = stream + [sep] + text
                        texts = [stream]
                    return [text[i:i + room] for text in texts for i in range(0, len(text), room)]
                """,
                "in the middle of a sentence",
            ),
            "behind each document": (
                """
                def pack_sentences(docs, room, sep, cross):
                    sequences, current = [], []
                    for doc in docs:
                        for sentence in doc:
                            if current and len(current) + len(sentence) > room:
                                sequences.append(current)
                                current = []
                            current = current + sentence
                        if not cross:
                            sequences.append(current)
                            current = []
                        elif len(current) < room:
                            current = current + [sep]
                    return sequences + [current] if current else sequences
                """,
                "after each document",
            ),
            "what does not fit is lost": (
                """
                def pack_sentences(docs, room, sep, cross):
                    sequences, current = [], []
                    for doc in docs:
                        if current and not cross:
                            sequences.append(current)
                            current = []
                        for number, sentence in enumerate(doc):
                            border = [sep] if cross and current and number == 0 else []
                            if len(current + border + sentence) > room:
                                sequences.append(current)
                                current = []
                            else:
                                current = current + border + sentence
                    return sequences + [current] if current else sequences
                """,
                "does not fit is lost",
            ),
            "documents kept whole": (
                """
                def pack_sentences(docs, room, sep, cross):
                    sequences, current = [], []
                    for doc in docs:
                        size = sum(map(len, doc))
                        if current and (not cross or len(current) + 1 + size > room):
                            sequences.append(current)
                            current = []
                        if current:
                            current = current + [sep]
                        for number, sentence in enumerate(doc):
                            if current and len(current) + len(sentence) > room:
                                sequences.append(current)
                                current = []
                            current = current + sentence
                    return sequences + [current]
                """,
                "a document that does not fit as a whole",
            ),
            "an empty one first": (changed(PACK, ("if current and (", "if (")), "first sequence is empty"),
            "changes its input": (
                changed(
                    PACK,
                    (
                        "            current = current + border + sentence",
                        "            if current:\n"
                        "                current += border + sentence\n"
                        "            else:\n                current = sentence",
                    ),
                ),
                "changes its inputs",
            ),
            "reversed": (
                changed(PACK, ("sequences + [current]", "(sequences + [current])[::-1]")),
                "in the order of the text",
            ),
            "one sentence too many a sequence": (
                changed(PACK, (TOO_LONG, "len(current) + len(border) > room")),
                "Check before you add",
            ),
            "nothing returned": (changed(PACK, ("return sequences", "result = sequences")), "returns None"),
        },
    ),
    "bucket_by_length": Bank(
        right={
            "the solution": BUCKETS,
            "argsort": """
                def bucket_by_length(lengths, batch_size, pool, rng):
                    lengths = np.asarray(lengths)
                    order, batches = rng.permutation(len(lengths)), []
                    while len(order):
                        rows, order = order[:pool * batch_size], order[pool * batch_size:]
                        rows = rows[np.argsort(lengths[rows], kind="stable")]
                        batches += np.split(rows, range(batch_size, len(rows), batch_size))
                    rng.shuffle(batches)
                    return batches
                """,
            "from long": changed(BUCKETS, ("lengths[row])", "-lengths[row])")),
            "drawn with numbers": """
                def bucket_by_length(lengths, batch_size, pool, rng):
                    tickets = rng.random(len(lengths))
                    rows = sorted(range(len(lengths)), key=tickets.__getitem__)
                    size = pool * batch_size
                    pools = [sorted((lengths[r], r) for r in rows[i:i + size])
                             for i in range(0, len(rows), size)]
                    batches = [tuple(r for _, r in p[i:i + batch_size]) for p in pools
                               for i in range(0, len(p), batch_size)]
                    return sorted(batches, key=lambda batch: rng.random())
                """,
            "one lexsort": """
                def bucket_by_length(lengths, batch_size, pool, rng):
                    n = len(lengths)
                    place = rng.permutation(n)
                    order = np.lexsort((lengths, place // (pool * batch_size)))
                    batches = [order[i:i + batch_size].tolist() for i in range(0, n, batch_size)]
                    return [batches[i] for i in rng.permutation(len(batches))]
                """,
            "tuples": changed(BUCKETS, (LAST, f"tuple(map(tuple, {LAST}))")),
            "tensors": changed(BUCKETS, (LAST, f"[torch.tensor(list(map(int, batch))) for batch in {LAST}]")),
        },
        wrong={
            "shuffled inside the pool": (
                """
                def bucket_by_length(lengths, batch_size, pool, rng):
                    order, batches = list(rng.permutation(len(lengths))), []
                    for start in range(0, len(order), pool * batch_size):
                        rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                        here = [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                        rng.shuffle(here)
                        batches.extend(here)
                    return batches
                """,
                "the batches of a pool come one after the other",
            ),
            "not shuffled": (
                changed(BUCKETS, ("rng.permutation(len(lengths))", "np.arange(len(lengths))")),
                "contains consecutive sequences",
            ),
            "not sorted": (
                changed(BUCKETS, (SORTED, "list(order[start:start + pool * batch_size])")),
                "Sort each pool",
            ),
            "sorted by number": (changed(BUCKETS, (", key=lambda row: lengths[row]", "")), "Sort each pool"),
            "batches permuted as an array": (
                changed(BUCKETS, (LAST, "rng.permutation(batches)")),
                "Shuffle their indices",
            ),
            "all sorted": (
                changed(BUCKETS, ("pool * batch_size", "len(lengths)", 2)),
                "the sequences of the whole epoch",
            ),
            "pool counts rows": (changed(BUCKETS, ("pool * batch_size", "pool", 2)), "not full"),
            "pool counts rows, cut evenly": (
                """
                def bucket_by_length(lengths, batch_size, pool, rng):
                    order, rows = rng.permutation(len(lengths)), []
                    for i in range(0, len(order), pool):
                        rows += sorted(order[i:i + pool], key=lambda row: lengths[row])
                    batches = [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                    return [batches[i] for i in rng.permutation(len(batches))]
                """,
                "`pool` sequences in your answer",
            ),
            "pool counts pools": (
                """
                def bucket_by_length(lengths, batch_size, pool, rng):
                    order, batches = rng.permutation(len(lengths)), []
                    size = max(batch_size, len(order) // pool // batch_size * batch_size)
                    for i in range(0, len(order), size):
                        rows = sorted(order[i:i + size], key=lambda row: lengths[row])
                        batches += [rows[j:j + batch_size] for j in range(0, len(rows), batch_size)]
                    return [batches[i] for i in rng.permutation(len(batches))]
                """,
                "pools in your answer",
            ),
            "batches in order": (changed(BUCKETS, (LAST, "batches")), "from short to long"),
            "batches in order, longest first": (
                changed(BUCKETS, (LAST, "batches"), ("lengths[row])", "-lengths[row])")),
                "from long to short",
            ),
            "pools shuffled, batches not": (
                changed(
                    BUCKETS,
                    (
                        LAST,
                        "[b for i in rng.permutation(-(-len(batches) // pool)) "
                        "for b in batches[i * pool:(i + 1) * pool]]",
                    ),
                ),
                "from short to long",
            ),
            "last rows dropped": (
                changed(
                    BUCKETS,
                    ("range(0, len(rows), batch_size)]", "range(0, len(rows) - batch_size + 1, batch_size)]"),
                ),
                "in no batch",
            ),
            "last pool dropped": (
                changed(
                    BUCKETS,
                    (
                        "range(0, len(order), pool * batch_size)",
                        "range(0, len(order) - pool * batch_size + 1, pool * batch_size)",
                    ),
                ),
                "in no batch",
            ),
            "drawn with replacement": (
                changed(
                    BUCKETS,
                    ("rng.permutation(len(lengths))", "rng.integers(len(lengths), size=len(lengths))"),
                ),
                "appear more than once",
            ),
            "lengths returned": (
                changed(
                    BUCKETS,
                    ("batches += [rows", "rows = [lengths[r] for r in rows]\n        batches += [rows"),
                ),
                "contain lengths",
            ),
            "one list": (
                changed(BUCKETS, ("return " + LAST, "return [r for b in batches for r in b]")),
                "Return a list of lists",
            ),
            "its own generator": (
                changed(BUCKETS, ("    order", "    rng = np.random.default_rng(0)\n    order")),
                "does not depend on `rng`",
            ),
            "the global generator": (
                changed(BUCKETS, ("rng.permutation", "np.random.permutation", 2)),
                "global generator",
            ),
            "shuffled after sorting": (
                changed(BUCKETS, ("        batches +=", "        rng.shuffle(rows)\n        batches +=")),
                "Sort each pool",
            ),
            "nothing returned": (changed(BUCKETS, ("return " + LAST, "batches = " + LAST)), "returns None"),
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
                "have the same length, some appear twice",
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
                "have the same length, some appear twice",
            ),
            "the smaller batch last": (
                changed(BUCKETS, (LAST, f"sorted({LAST}, key=lambda batch: len(batch) < batch_size)")),
                "the smaller batch comes first too rarely. Make all batches",
            ),
            "the smaller batch first": (
                changed(BUCKETS, (LAST, f"sorted({LAST}, key=lambda batch: len(batch) == batch_size)")),
                "the smaller batch comes first too often. Make all batches",
            ),
            "the last pool not sorted": (
                changed(
                    BUCKETS,
                    (SORTED, SORTED + " if start + pool * batch_size <= len(order) else list(order[start:])"),
                ),
                "the longest and shortest sequences of a batch differ by",
            ),
            "pools of equal size": (
                changed(
                    BUCKETS,
                    (
                        "for start in range(0, len(order), pool * batch_size):",
                        "for part in np.array_split(order, -(-len(order) // (pool * batch_size))):",
                    ),
                    (SORTED, "sorted(part, key=lambda row: lengths[row])"),
                ),
                "2 batches are not full, for 50 sequences and pool=3. Put pool",
            ),
            "batches of equal size": (
                changed(
                    BUCKETS,
                    (
                        "[rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]",
                        "[list(part) for part in np.array_split(rows, -(-len(rows) // batch_size))]",
                    ),
                ),
                "4 batches are not full, for 60 sequences and pool=10. Put pool",
            ),
            "batches rotated": (
                changed(
                    BUCKETS,
                    (
                        "return " + LAST,
                        "k = rng.integers(len(batches))\n    return batches[k:] + batches[:k]",
                    ),
                ),
                "the batches are sorted from short to long sequences. Shuffle",
            ),
            "reversed or not": (
                changed(BUCKETS, (LAST, "batches if rng.random() < 0.5 else batches[::-1]")),
                "the batches are sorted from",
            ),
            "sequences rotated": (
                changed(
                    BUCKETS,
                    (
                        "rng.permutation(len(lengths))",
                        "np.roll(np.arange(len(lengths)), rng.integers(len(lengths)))",
                    ),
                ),
                "a pool contains consecutive sequences: if a corpus is sorted, the",
            ),
            "sorted by eighths of the length": (
                changed(BUCKETS, ("lengths[row])", "lengths[row] // 8)")),
                "the batches of one pool do not overlap in",
            ),
        },
    ),
    "pretraining_cost": Bank(
        right={
            "the solution": COST,
            "a loop": changed(
                COST,
                (
                    "tokens = sum(steps * rows * length for steps, rows, length in phases)",
                    """tokens = 0
    for phase in phases:
        tokens += phase[0] * phase[1] * phase[2]""",
                ),
            ),
            "NumPy": changed(
                COST,
                (
                    "sum(steps * rows * length for steps, rows, length in phases)",
                    "np.prod(np.array(phases, dtype=np.int64), axis=1).sum()",
                ),
            ),
            "forward and backward": changed(
                COST,
                ("6 * parameters * tokens", "2 * parameters * tokens + 4 * parameters * tokens"),
                ("seconds / 86400", "seconds / 60 / 60 / 24"),
            ),
            "phase by phase": """
                def pretraining_cost(parameters, phases, chips, peak, utilisation):
                    cost = dict(days=0.0, flops=0.0, tokens=0)
                    for phase in phases:
                        tokens = math.prod(phase)
                        cost["tokens"] += tokens
                        cost["flops"] += 6.0 * parameters * tokens
                        cost["days"] += 6.0 * parameters * tokens / chips / peak / utilisation / (24 * 3600)
                    return cost
                """,
            "float32": changed(COST, ("seconds / 86400}", "np.float32(seconds / 86400)}")),
            "a tensor": changed(COST, ("seconds / 86400}", "torch.tensor(seconds / 86400)}")),
        },
        wrong={
            "forward only": (changed(COST, ("6 *", "2 *")), "forward pass only"),
            "last phase": (
                changed(
                    COST,
                    (
                        "    tokens = sum(steps * rows * length for steps, rows, length in phases)",
                        "    for phase in phases:\n        tokens = math.prod(phase)",
                    ),
                ),
                "last phase",
            ),
            "other keys": (changed(COST, ('"flops"', '"FLOPs"')), "the keys 'tokens', 'flops', 'days'"),
            "a tuple": (
                changed(
                    COST,
                    (
                        'return {"tokens": tokens, "flops": flops, "days": seconds / 86400}',
                        "return tokens, flops, seconds / 86400",
                    ),
                ),
                "a dict with the keys",
            ),
            "nothing returned": (changed(COST, ("return {", "result = {")), "returns None"),
            "whole days": (
                changed(COST, ("seconds / 86400", "-(-seconds // 86400)")),
                "twice as many chips take half the",
            ),
        },
    ),
}
