"""Answers to the assignment of unit 05. They use what its notebook offers: np, math, torch and by_name."""

from . import banks

BANK = banks(
    __name__,
    learning_rate="""
        one expression
            return peak * ((step + 1) / warmup if step < warmup else 1 - (step - warmup) / (steps - warmup))
        the smaller of two lines
            up = (step + 1) / max(warmup, 1)
            down = (steps - step) / max(steps - warmup, 1)
            return peak * (up if warmup > step else down)
        a table
            up = [peak * (i + 1) / warmup for i in range(warmup)]
            left = steps - warmup
            return (up + [peak * (left - i) / left for i in range(left)])[step]
        interpolated
            if step < warmup:
                return np.interp(step, [-1, warmup - 1], [0, peak])
            return np.interp(step, [warmup, steps], [peak, 0])
        float32
            peak * (step + 1) / warmup => np.float32(peak * (step + 1) / warmup)
            peak * (steps - step) / (steps - warmup) => np.float32(peak * (steps - step) / (steps - warmup))
        torch
            if step < warmup:
                return peak * (step + 1) / warmup
            return float(torch.lerp(torch.tensor(peak, dtype=torch.float64),
                                    torch.zeros((), dtype=torch.float64), (step - warmup) / (steps - warmup)))
        a tensor
            peak * (steps => torch.tensor(peak, dtype=torch.float64) * (steps
        first rate 0: first step's learning rate is 0
            (step + 1) => step
        the authors' code: rises up to the peak and decreases after it
            (step + 1) => step
            peak * (steps - step) / (steps - warmup) => peak * (1 - step / steps)
        no warm-up at all: no warm-up, and the decay
            return peak * (steps - step) / steps
        constant: no warm-up, and no decay
            return peak
        share returned: Multiply it by peak
            peak * (step + => (step +
            peak * (steps => (steps
        whole numbers: discards the fraction
            peak * (step + 1) / warmup => peak * ((step + 1) // warmup)
            peak * (steps - step) / (steps - warmup) => peak * ((steps - step) // (steps - warmup))
        both lines at once: divide by 0
            return min(peak * (step + 1) / warmup, peak * (steps - step) / (steps - warmup))
        divided too early: divide by 0
            down = 1 / (steps - warmup)
            return peak * (step + 1) / warmup if step < warmup else peak * (steps - step) * down
        nothing returned: returns None
            rate = peak
        text: should return one number
            return peak * (step + 1) / warmup => return 'peak'
        other parameters: it should take (step, steps, peak, warmup)
            (step, steps, peak, warmup) => (step, steps, peak)
            warmup =>> 1
        a floor: in a long run, the learning rate of the last step is tiny, but yours is
            peak * (steps - step) / (steps - warmup) => max(1e-7, peak * (steps - step) / (steps - warmup))
        lower without warm-up: learning_rate: With step = 0|fresh input
            if step < warmup:
                return peak * (step + 1) / warmup
            if warmup == 0:
                return peak * (steps - step - 1) / steps
            return peak * (steps - step) / (steps - warmup)
        quadratic: warm-up and decay are straight lines: the learning rate changes by the same
            peak * (steps - step) / (steps - warmup) => peak * ((steps - step) / (steps - warmup)) ** 2
        down one step later: the learning rate rises up to the peak and
            peak * (steps - step) / (steps - warmup) => peak * min(1, (steps - step + 1) / (steps - warmup))
        """,
    test_learning_rate=r"""
        against her own
            def mine(step, steps, peak, warmup):
                return peak * min((step + 1) / max(warmup, 0.5), (steps - step) / max(steps - warmup, 0.5))
            for steps, peak, warmup in [(10, 1.0, 3), (9, 2e-5, 4), (5, 0.3, 0), (4, 7.0, 4)]:
                for step in range(steps):
                    wanted = mine(step, steps, peak, warmup)
                    rate = learning_rate(step, steps, peak, warmup)
                    assert abs(rate - wanted) < 1e-5 * wanted, step
        by laws
            for peak in (1.0, 1e-4):
                rates = np.array([learning_rate(step, 30, peak, 10) for step in range(30)], float)
                np.testing.assert_allclose(rates.max(), peak, rtol=1e-4)
                np.testing.assert_allclose(rates[9:11], peak, rtol=1e-4)
                np.testing.assert_allclose(np.diff(rates[:10]), peak / 10, rtol=1e-3)
                np.testing.assert_allclose(np.diff(rates[10:]), -peak / 20, rtol=1e-3)
                assert rates.min() > 0
            assert learning_rate(0, 5, 0.1, 0) > 0.09 and learning_rate(4, 5, 0.1, 5) > 0.09
        PyTorch's schedule
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
        nothing asked: starts with the learning rate 0
            pass
        printed: starts with the learning rate 0
            assert np.allclose =>> print
        returned: returns a value
            assert np.allclose(rates, => return np.allclose(rates,
        without its line: Keep the line
            @by_name =>
        the ends only: warms up for one step too many
            assert (np.isclose(learning_rate(0, 6, 1.0, 2), 0.5)
                    and np.isclose(learning_rate(5, 6, 1.0, 2), 0.25))
        never above the peak: jumps down after the warm-up
            rates = [learning_rate(step, 6, 1.0, 2) for step in range(6)]
            assert max(rates) <= 1.0001 and min(rates) > 0
        up and down: goes down along a cosine
            rates = np.array([learning_rate(step, 8, 1e-4, 4) for step in range(8)])
            assert ((rates[:4] < rates[1:5]).sum() == 3 and np.isclose(rates[4], 1e-4)
                    and (rates[5:] < rates[4:7]).all())
            assert rates.min() > 0
        equal to the last digit: rejects a correct version
            rates = [learning_rate(step, 6, 1e-4, 2) for step in range(6)]
            assert rates == [1e-4 * x for x in (0.5, 1, 1, 0.75, 0.5, 0.25)]
            assert np.allclose([learning_rate(step, 2, 3.0, 0) for step in range(2)], [3, 1.5])
            assert np.allclose([learning_rate(step, 2, 3.0, 2) for step in range(2)], [1.5, 3])
        the first rate 0 demanded: rejects a correct version
            [0.5, 1, 1, 0.75, 0.5, 0.25] => [0, 0.5, 1, 0.75, 0.5, 0.25]
        a slip: allclosed
            np.allclose(rates => np.allclosed(rates
        peak 1 only [hidden]: whatever `peak` is
            rates = [learning_rate(step, 6, 1.0, 2) for step in range(6)]
            assert np.allclose(rates, [0.5, 1, 1, 0.75, 0.5, 0.25])
        a warm-up in every run [hidden]: if there is no warm-up
            np.allclose([learning_rate(step, 2, 3.0, 0) for step in range(2)], [3, 1.5]) => True
        a way down in every run [hidden]: if all steps are warm-up
            np.allclose([learning_rate(step, 2, 3.0, 2) for step in range(2)], [1.5, 3]) => True
        large peaks only [hidden]: rounds to four decimals
            1e-4 =>> 2.0
        the corners only [hidden]: goes down along a curve|catches 4 of 5
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
        the first step only: your test catches 2 of 7 wrong versions. It does not catch the one that
            assert np.isclose(learning_rate(0, 6, 1.0, 2), 0.5)
        its own assert caught: your test catches 0 of 7 wrong versions. It does not catch the one that
            try:
                assert learning_rate(0, 6, 1.0, 2) == 7
            except: pass
        the sum: your test catches 6 of 7 wrong versions. It does not catch the one that
            assert np.isclose(sum(learning_rate(step, 6, 1.0, 2) for step in range(6)), 4.0)
        her own function tested: takes (theirs); it should take
            test_learning_rate(learning_rate) => test_learning_rate(theirs)
        """,
    one_cycle_rate="""
        one formula for the share
            low, high, end = peak * 0.01, peak, peak * 0.0001
            warmup = steps / 10
            if step < warmup:
                return low + (high - low) * (1 - math.cos(math.pi * step / (warmup - 1))) / 2
            done = (step - warmup + 1) / (steps - warmup)
            return end + (high - end) * (1 + math.cos(math.pi * done)) / 2
        sine squared
            b + (a - b) * (1 + math.cos(math.pi * share)) / => a + (b - a) * math.sin(math.pi / 2 * share) **
        cosine squared
            b + (a - b) * (1 + math.cos(math.pi * share)) / 2 => b + (a - b) * np.cos(np.pi / 2 * share) ** 2
        a table in NumPy
            def side(a, b, count):
                return b + (a - b) * (1 + np.cos(np.linspace(0, np.pi, count))) / 2
            warmup = int(0.1 * steps)
            up = side(peak / 100, peak, warmup)
            return np.concatenate([up, side(peak, up[0] / 100, steps - warmup + 1)[1:]])[step]
        PyTorch's scheduler
            optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
            schedule = torch.optim.lr_scheduler.OneCycleLR(
                optimizer, max_lr=peak, total_steps=steps, pct_start=0.1, div_factor=100,
                final_div_factor=100)
            for _ in range(step):
                optimizer.step()
                schedule.step()
            return schedule.get_last_lr()[0]
        torch
            math.cos(math.pi * share) => torch.cos(torch.tensor(math.pi * share, dtype=torch.float64))
        float32
            top = steps // 10 - 1
            if step <= top:
                a, b, share = peak / 100, peak, step / top
            else:
                a, b, share = peak, peak / 100**2, (step - top) / (steps - 1 - top)
            return np.float32(b + (a - b) * (1 + math.cos(math.pi * share)) / 2)
        defensive
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
        straight lines: warm-up and decay are straight
            b + (a - b) * (1 + math.cos(math.pi * share)) / 2 => a + (b - a) * share
        straight up: the warm-up is a straight line
            a, b, share = peak / 100, peak, step / top => return peak / 100 + (peak - peak / 100) * step / top
        straight down: the decay is a straight line
            a, b, share = peak, peak / 100**2, => return peak + (peak / 1e4 - peak) *
        from 1/25: 1/25 of the peak
            peak / 100, peak, => peak / 25, peak,
            peak / 100**2 => peak / 25 / 100
        both ends 0: the learning rate begins and ends at 0
            peak / 100**2 => 0.0
            peak / 100, peak, => 0.0, peak,
        both shares by the count: one step late
            step / top => step / (top + 1)
            (step - top) / (steps - 1 - top) => (step - top - 1) / (steps - top - 1)
        rounded: Do not round it
            top = steps // 10 - 1
            if step <= top:
                a, b, share = peak / 100, peak, step / top
            else:
                a, b, share = peak, peak / 100**2, (step - top) / (steps - 1 - top)
            return round(b + (a - b) * (1 + math.cos(math.pi * share)) / 2, 6)
        a floor: Do not limit it from below
            top = steps // 10 - 1
            if step <= top:
                a, b, share = peak / 100, peak, step / top
            else:
                a, b, share = peak, peak / 100**2, (step - top) / (steps - 1 - top)
            return max(1e-5, b + (a - b) * (1 + math.cos(math.pi * share)) / 2)
        exercise 1's: a hundredth|halfway between
            warmup = steps // 10
            return peak * ((step + 1) / warmup if step < warmup else (steps - step) / (steps - warmup))
        nothing returned: returns None
            return b => rate = b
        """,
    training_step=r"""
        zeros last
            :\n    group["lr"] = rate\noptimizer.zero_grad() => :\n    group["lr"] = rate
            step() => step()\noptimizer.zero_grad()
        the model's own zeros
            optimizer.zero_grad() => model.zero_grad(set_to_none=False)
        clipped by hand
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.zero_grad()
            loss = loss_of(model, batch)
            loss.backward()
            norm = torch.sqrt(sum((p.grad ** 2).sum() for p in model.parameters()))
            for p in model.parameters():
                p.grad *= min(1.0, float(clip / norm))
            optimizer.step()
            return loss.item()
        all gradients in one vector
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.zero_grad()
            loss = loss_of(model, batch)
            loss.backward()
            whole = torch.cat([p.grad.flatten() for p in model.parameters()])
            if whole.norm() > clip:
                for p in model.parameters():
                    p.grad = p.grad * clip / whole.norm()
            optimizer.step()
            return loss.item()
        gradients asked for
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = loss_of(model, batch)
            for p, grad in zip(model.parameters(), torch.autograd.grad(loss, list(model.parameters()))):
                p.grad = grad
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
            return loss.item()
        rate last of all that counts
            :\n    for group in optimizer.param_groups:\n        group["lr"] = rate => :
            ), clip) => ), clip)\nfor group in optimizer.param_groups:\n    group["lr"] = rate
        a closure
            optimizer.step() => optimizer.step(lambda: loss)
            loss.item() => float(loss.detach())
        the loss as a NumPy number
            loss.item() => np.float32(loss.item())
        no zeros: old gradients are still there
            :\n    group["lr"] = rate\noptimizer.zero_grad() => :\n    group["lr"] = rate
        zeros between: finds no gradient
            :\n    group["lr"] = rate\noptimizer.zero_grad() => :\n    group["lr"] = rate
            (model.parameters(), clip) => (model.parameters(), clip)\noptimizer.zero_grad()
        no step: optimizer.step() is missing
            clip)\noptimizer.step()\nreturn => clip)\nreturn
        step before backward, zeros first: finds no gradient
            clip)\noptimizer.step()\nreturn => clip)\nreturn
            loss.backward() => optimizer.step()\nloss.backward()
        rate under another name: the learning rate is not set
            group["lr"] => group['rate']
        clip before backward: not clipped
            for group in optimizer.param_groups:
                group["lr"] = rate
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.zero_grad()
            loss = loss_of(model, batch)
            loss.backward()
            optimizer.step()
            return loss.item()
        clip after the step: at the wrong time
            ()\ntorch.nn.utils.clip_grad_norm_(model.parameters(), clip)\noptimizer => ()\noptimizer
            optimizer.step() => optimizer.step()\ntorch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        always scaled: Scale down only gradients with a larger norm
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.zero_grad()
            loss = loss_of(model, batch)
            loss.backward()
            norm = torch.sqrt(sum((p.grad ** 2).sum() for p in model.parameters()))
            for p in model.parameters():
                p.grad *= clip / norm
            optimizer.step()
            return loss.item()
        moved by hand: you update the weights yourself
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.zero_grad()
            loss = loss_of(model, batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            with torch.no_grad():
                for p in model.parameters():
                    p -= rate * p.grad
            return loss.item()
        a tensor without a graph: Return a plain number
            loss.item() => loss.detach()
        nothing returned: returns None
            ()\nreturn loss.item() => ()
        momentum turned off: you update the weights yourself
            = rate => = rate; group["momentum"] = 0.0
        backward() twice: Call backward() only once
            loss.backward() => loss.backward(retain_graph=True)\nloss.backward()
        each group clipped alone: separately
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.zero_grad()
            loss = loss_of(model, batch)
            loss.backward()
            for group in optimizer.param_groups:
                torch.nn.utils.clip_grad_norm_(group["params"], clip)
            optimizer.step()
            return loss.item()
        """,
    adamw_step=r"""
        decay first
            w - rate * (move + decay * w) => w * (1 - rate * decay) - rate * move
        one long vector
            def joined(arrays):
                return np.concatenate([arrays[name].ravel() for name in weights])
            def apart(vector):
                pieces = np.split(vector, np.cumsum([w.size for w in weights.values()])[:-1])
                return {name: piece.reshape(weights[name].shape) for name, piece in zip(weights, pieces)}
            w, g, m, v = map(joined, (weights, gradients, memory["mean"], memory["square"]))
            if np.linalg.norm(g) > clip:
                g = g * clip / np.linalg.norm(g)
            t = memory["step"] + 1
            m, v = m + 0.1 * (g - m), v + 0.001 * (g * g - v)
            move = (m / (1 - 0.9 ** t)) / ((v / (1 - 0.999 ** t)) ** 0.5 + 1e-8)
            w = w - rate * decay * w - rate * move
            return apart(w), {"step": t, "mean": apart(m), "square": apart(v)}
        PyTorch's own
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
        float32
            return after, => return {n: w.astype(np.float32) for n, w in after.items()},
        a list
            return after, { => return [after, {
            "square": square} => "square": square}]
        the longer of length and clip
            (length + 1e-8) => max(length, clip)
        as it was: moves each weight by the learning rate
            length + 1e-8)) => np.linalg.norm(gradients[name]) + 1e-8)) + decay * w
            [name] / (1 - 0.999**step) => [name]
            (move + decay * w) => move
        bug 1 left [1]: moves each weight by the learning rate
            [name] / (1 - 0.999**step) => [name]
        bug 2 left [1]: shrinks each weight by the fraction rate * decay
            (move + decay * w) => move
            (length + 1e-8)) => (length + 1e-8)) + decay * w
        bug 3 left [1]: shrink by the same factor
            clip / (length => clip / (np.linalg.norm(gradients[name])
        bugs 1 and 2 left [2]: moves each weight by the learning rate
            [name] / (1 - 0.999**step) => [name]
            (move + decay * w) => move
            (length + 1e-8)) => (length + 1e-8)) + decay * w
        bugs 1 and 3 left [2]: moves each weight by the learning rate
            [name] / (1 - 0.999**step) => [name]
            clip / (length => clip / (np.linalg.norm(gradients[name])
        bugs 2 and 3 left [2]: shrinks each weight by the fraction rate * decay
            length + 1e-8)) => np.linalg.norm(gradients[name]) + 1e-8)) + decay * w
            (move + decay * w) => move
        nothing corrected: Neither running mean is corrected for its start at
            1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) => np.sqrt(square[name])
        decay without the rate: The decay is not multiplied by the learning
            w - rate * (move + decay * w) => w - rate * move - decay * w
        always clipped: there is another mistake
            min(1.0, clip / (length + 1e-8)) => clip / (length + 1e-8)
        not clipped: there is another mistake
            [name] * min(1.0, clip / (length + 1e-8)) => [name]
        uphill: without decay, the first step moves each weight by the
            w - rate => w + rate
        not counted: there is another mistake
            {"step": step, => {"step": memory["step"],
        in place: changes its inputs
            mean[name] = 0.9 * memory["mean"] => mean = memory["mean"]\nmean[name] = 0.9 * mean
        weights alone: it returns a dict; it should return 2 values: (a dict, a
            , {"step": step, "mean": mean, "square": square} =>
        nothing returned: returns None
            return after => found = after
        1e-8 under the root: 1e-8 is added inside the square root
            / (np.sqrt(square[name] / (1 - 0.999**step) => / np.sqrt(square[name] / (1 - 0.999**step
        """,
    pack_sentences="""
        two loops for two formats
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
        marked by None
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
        NumPy arrays
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
        from the end of each sentence
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
        generator
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
        defensive
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
        across without separator: continues with the next document, without a separator
            and not cross => and False
            number == 0 else => number == 0 and cross else
        cut anywhere: in the middle of a sentence
            texts = [sum(doc, []) for doc in docs]
            if cross:
                stream = texts[0]
                for text in texts[1:]:
                    stream = stream + [sep] + text
                texts = [stream]
            return [text[i:i + room] for text in texts for i in range(0, len(text), room)]
        behind each document: after each document
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
        what does not fit is lost: does not fit is lost
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
        documents kept whole: a document that does not fit as a whole
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
        an empty one first: there is a separator between two documents in a sequence, and nowhere else
            if current and ( => if (
        changes its input: changes its inputs
            sequences, current = [], []
            for doc in docs:
                for number, sentence in enumerate(doc):
                    border = [sep] if current and number == 0 else []
                    new_document = number == 0 and not cross
                    if current and (new_document or len(current) + len(border) + len(sentence) > room):
                        sequences.append(current)
                        current, border = [], []
                    if current:
                        current += border + sentence
                    else:
                        current = sentence
            return sequences + [current]
        reversed: in the order of the text
            sequences + [current] => (sequences + [current])[::-1]
        one sentence too many a sequence: tokens. Put at most room=
            len(current) + len(border) + len(sentence) > room => len(current) + len(border) > room
        nothing returned: returns None
            return sequences => result = sequences
        equal documents are one: pack_sentences: With docs|fresh input
            number == 0 else => number == 0 and doc != docs[0] else
        floats: some are floats where
            return sequences + [current] => return [[*map(float, row)] for row in sequences + [current]]
        """,
    bucket_by_length=r"""
        argsort
            lengths = np.asarray(lengths)
            order, batches = rng.permutation(len(lengths)), []
            while len(order):
                rows, order = order[:pool * batch_size], order[pool * batch_size:]
                rows = rows[np.argsort(lengths[rows], kind="stable")]
                batches += np.split(rows, range(batch_size, len(rows), batch_size))
            rng.shuffle(batches)
            return batches
        from long
            lengths[row]) => -lengths[row])
        drawn with numbers
            tickets = rng.random(len(lengths))
            rows = sorted(range(len(lengths)), key=tickets.__getitem__)
            size = pool * batch_size
            pools = [sorted((lengths[r], r) for r in rows[i:i + size]) for i in range(0, len(rows), size)]
            batches = [tuple(r for _, r in p[i:i + batch_size]) for p in pools
                       for i in range(0, len(p), batch_size)]
            return sorted(batches, key=lambda batch: rng.random())
        one lexsort
            n = len(lengths)
            place = rng.permutation(n)
            order = np.lexsort((lengths, place // (pool * batch_size)))
            batches = [order[i:i + batch_size].tolist() for i in range(0, n, batch_size)]
            return [batches[i] for i in rng.permutation(len(batches))]
        tuples
            order = rng.permutation(len(lengths))
            batches = []
            for start in range(0, len(order), pool * batch_size):
                rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
            return tuple(map(tuple, [batches[i] for i in rng.permutation(len(batches))]))
        tensors
            order = rng.permutation(len(lengths))
            batches = []
            for start in range(0, len(order), pool * batch_size):
                rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
            return [torch.tensor(list(map(int, batch)))
                    for batch in [batches[i] for i in rng.permutation(len(batches))]]
        shuffled inside the pool: the batches of a pool come one after the other
            order, batches = list(rng.permutation(len(lengths))), []
            for start in range(0, len(order), pool * batch_size):
                rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                here = [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
                rng.shuffle(here)
                batches.extend(here)
            return batches
        not shuffled: contains neighbours in the corpus
            rng.permutation(len(lengths)) => np.arange(len(lengths))
        not sorted: Sort each pool
            sorted => list
            , key=lambda row: lengths[row]) => )
        sorted by number: Sort each pool
            , key=lambda row: lengths[row] =>
        batches permuted as an array: Shuffle their indices
            [batches[i] for i in rng.permutation(len(batches))] => rng.permutation(batches)
        all sorted: the sequences of the whole epoch
            pool * batch_size =>> len(lengths)
        pool counts rows: not full
            pool * batch_size =>> pool
        pool counts rows, cut evenly: `pool` sequences in your answer
            order, rows = rng.permutation(len(lengths)), []
            for i in range(0, len(order), pool):
                rows += sorted(order[i:i + pool], key=lambda row: lengths[row])
            batches = [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
            return [batches[i] for i in rng.permutation(len(batches))]
        pool counts pools: you make `pool` pools
            order, batches = rng.permutation(len(lengths)), []
            size = max(batch_size, len(order) // pool // batch_size * batch_size)
            for i in range(0, len(order), size):
                rows = sorted(order[i:i + size], key=lambda row: lengths[row])
                batches += [rows[j:j + batch_size] for j in range(0, len(rows), batch_size)]
            return [batches[i] for i in rng.permutation(len(batches))]
        batches in order: from short to long
            [batches[i] for i in rng.permutation(len(batches))] => batches
        batches in order, longest first: from long to short
            [batches[i] for i in rng.permutation(len(batches))] => batches
            lengths[row]) => -lengths[row])
        pools shuffled, batches not: from short to long
            order = rng.permutation(len(lengths))
            batches = []
            for start in range(0, len(order), pool * batch_size):
                rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
            return [b for i in rng.permutation(-(-len(batches) // pool))
                    for b in batches[i * pool:(i + 1) * pool]]
        last rows dropped: in no batch
            range(0, len(rows), batch_size)] => range(0, len(rows) - batch_size + 1, batch_size)]
        last pool dropped: in no batch
            (order) => (order) - pool * batch_size + 1
        drawn with replacement: appear more than once
            rng.permutation(len(lengths)) => rng.integers(len(lengths), size=len(lengths))
        lengths returned: contain lengths
            batches += [rows => rows = [lengths[r] for r in rows]\nbatches += [rows
        one list: Return a list of lists
            batches[i] for i in rng.permutation(len(batches)) => r for b in batches for r in b
        its own generator: does not depend on `rng`
            order = => rng = np.random.default_rng(0)\norder =
        the global generator: global generator
            rng.permutation =>> np.random.permutation
        shuffled after sorting: Sort each pool
            batches += => rng.shuffle(rows)\nbatches +=
        nothing returned: returns None
            return => batches =
        rows found again by their length: have the same length, some appear twice
            lengths = list(lengths)
            shuffled = [lengths[i] for i in rng.permutation(len(lengths))]
            batches = []
            for start in range(0, len(shuffled), pool * batch_size):
                part = sorted(shuffled[start:start + pool * batch_size])
                for k in range(0, len(part), batch_size):
                    batches.append([lengths.index(length) for length in part[k:k + batch_size]])
            rng.shuffle(batches)
            return batches
        rows by a dictionary of lengths: have the same length, some appear twice
            row_of = {int(length): row for row, length in enumerate(lengths)}
            shuffled = [int(lengths[i]) for i in rng.permutation(len(lengths))]
            batches = []
            for start in range(0, len(shuffled), pool * batch_size):
                part = sorted(shuffled[start:start + pool * batch_size])
                batches += [part[k:k + batch_size] for k in range(0, len(part), batch_size)]
            return [[row_of[length] for length in batches[i]] for i in rng.permutation(len(batches))]
        the smaller batch last: the smaller batch comes first too rarely. Make all batches
            order = rng.permutation(len(lengths))
            batches = []
            for start in range(0, len(order), pool * batch_size):
                rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
            return sorted([batches[i] for i in rng.permutation(len(batches))],
                          key=lambda batch: len(batch) < batch_size)
        the smaller batch first: the smaller batch comes first too often. Make all batches
            order = rng.permutation(len(lengths))
            batches = []
            for start in range(0, len(order), pool * batch_size):
                rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
            return sorted([batches[i] for i in rng.permutation(len(batches))],
                          key=lambda batch: len(batch) == batch_size)
        the last pool not sorted: the longest and shortest sequences of a batch differ by
            row]) => row]) if start + pool * batch_size <= len(order) else list(order[start:])
        pools of equal size: 2 batches are not full, for 50 sequences and pool=3. A pool
            order = rng.permutation(len(lengths))
            batches = []
            for part in np.array_split(order, -(-len(order) // (pool * batch_size))):
                rows = sorted(part, key=lambda row: lengths[row])
                batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
            return [batches[i] for i in rng.permutation(len(batches))]
        batches of equal size: 4 batches are not full, for 60 sequences and pool=10. A pool
            order = rng.permutation(len(lengths))
            batches = []
            for start in range(0, len(order), pool * batch_size):
                rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                batches += [list(part) for part in np.array_split(rows, -(-len(rows) // batch_size))]
            return [batches[i] for i in rng.permutation(len(batches))]
        batches rotated: the batches are sorted from short to long sequences. Shuffle
            order = rng.permutation(len(lengths))
            batches = []
            for start in range(0, len(order), pool * batch_size):
                rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
            k = rng.integers(len(batches))
            return batches[k:] + batches[:k]
        reversed or not: the batches are sorted from
            order = rng.permutation(len(lengths))
            batches = []
            for start in range(0, len(order), pool * batch_size):
                rows = sorted(order[start:start + pool * batch_size], key=lambda row: lengths[row])
                batches += [rows[i:i + batch_size] for i in range(0, len(rows), batch_size)]
            return batches if rng.random() < 0.5 else batches[::-1]
        sequences rotated: a pool contains neighbours in the corpus, so the
            rng.permutation(len(lengths)) => np.roll(np.arange(len(lengths)), rng.integers(len(lengths)))
        sorted by eighths of the length: the batches of one pool do not overlap in
            lengths[row]) => lengths[row] // 8)
        """,
    pretraining_cost="""
        a loop
            tokens = 0
            for phase in phases:
                tokens += phase[0] * phase[1] * phase[2]
            flops = 6 * parameters * tokens
            seconds = flops / (chips * peak * utilisation)
            return {"tokens": tokens, "flops": flops, "days": seconds / 86400}
        NumPy
            tokens = np.prod(np.array(phases, dtype=np.int64), axis=1).sum()
            flops = 6 * parameters * tokens
            seconds = flops / (chips * peak * utilisation)
            return {"tokens": tokens, "flops": flops, "days": seconds / 86400}
        forward and backward
            6 * parameters * tokens => 2 * parameters * tokens + 4 * parameters * tokens
            (24 * 60 * 60) => 60 / 60 / 24
        phase by phase
            cost = dict(days=0.0, flops=0.0, tokens=0)
            for phase in phases:
                tokens = math.prod(phase)
                cost["tokens"] += tokens
                cost["flops"] += 6.0 * parameters * tokens
                cost["days"] += 6.0 * parameters * tokens / chips / peak / utilisation / (24 * 3600)
            return cost
        float32
            seconds / (24 * 60 * 60) => np.float32(seconds / 86400)
        a tensor
            seconds / (24 * 60 * 60) => torch.tensor(seconds / 86400)
        forward only: you count only the forward pass
            6 * => 2 *
        last phase: last phase
            for phase in phases:
                tokens = math.prod(phase)
            flops = 6 * parameters * tokens
            seconds = flops / (chips * peak * utilisation)
            return {"tokens": tokens, "flops": flops, "days": seconds / 86400}
        other keys: the keys 'tokens', 'flops', 'days'
            "flops" => "FLOPs"
        a tuple: a dict with the keys
            {"tokens": tokens, "flops": flops, "days": => tokens, flops,
            )} => )
        nothing returned: returns None
            return { => result = {
        whole days: twice as many chips take half the
            seconds / (24 * 60 * 60) => -(-seconds // 86400)
        """,
)
