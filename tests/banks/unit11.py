"""Answers to the assignment of unit 11. They use what its notebook offers: math, np, torch, F, by_name."""

from . import banks

BANK = banks(
    __name__,
    distillation_loss="""
        kl_div of logarithms
            targets = F.log_softmax(teacher / temperature, -1).detach()
            found = F.log_softmax(student / temperature, -1)
            return F.kl_div(found, targets, reduction="batchmean", log_target=True) * temperature ** 2
        kl_div of probabilities
            with torch.no_grad():
                targets = (teacher / temperature).softmax(dim=1)
            return temperature ** 2 * F.kl_div((student / temperature).log_softmax(1), targets,
                                               reduction="sum") / len(student)
        cross-entropy minus entropy
            logits = (teacher / temperature).detach()
            p = logits.softmax(1)
            entropy = torch.special.entr(p).sum(1).mean()
            return (F.cross_entropy(student / temperature, p) - entropy) * temperature * temperature
        a class of PyTorch
            loss = torch.nn.KLDivLoss(reduction="none", log_target=True)
            parts = loss(torch.log_softmax(student / temperature, dim=1),
                         torch.log_softmax(teacher.detach() / temperature, dim=1))
            return temperature ** 2 * torch.mean(torch.sum(parts, dim=1))
        by hand
            def logs(x):
                x = x / temperature
                return x - torch.logsumexp(x, dim=1, keepdim=True)
            with torch.no_grad():
                target = logs(teacher)
            total = 0
            for p, q in zip(target, logs(student)):
                total = total + torch.dot(torch.exp(p), p - q)
            return total * temperature ** 2 / student.shape[0]
        distributions
            from torch.distributions import Categorical, kl_divergence
            def distillation_loss(student, teacher, temperature):
                p, q = (Categorical(logits=x / temperature) for x in (teacher.detach(), student))
                p, q = p.logits, q.logits
                return temperature ** 2 * ((p - q) * p.exp()).sum(1).mean(0)
        in float32
            p = F.log_softmax(teacher.detach().float() / temperature, dim=-1)
            q = F.log_softmax(student.float() / temperature, dim=-1)
            return temperature ** 2 * (p.exp() * (p - q)).sum(-1).mean()
        the weights detached, which is enough
            p = F.log_softmax(teacher / temperature, dim=-1)
            q = F.log_softmax(student / temperature, dim=-1)
            return temperature ** 2 * (p.exp().detach() * (p - q)).sum(-1).mean()
        no detach: gradient flows into the teacher
            .detach() =>
        cloned, not detached: gradient flows into the teacher
            .detach() => .clone()
        no square: not multiplied by T²
            temperature ** 2 * loss => loss
        once: multiply the loss by T. Multiply it by T²
            ** 2 * => *
        square of one: teacher's logits are not divided by the temperature
            .detach() / temperature => .detach()
        only the student is soft: teacher's logits are not divided
            F.log_softmax(teacher.detach() / temperature, dim=-1) => F.log_softmax(teacher.detach(), -1)
        batch axis: softmax is over the examples
            return temperature ** 2 * F.kl_div(F.log_softmax(student / temperature, 0),
                                               F.softmax(teacher.detach() / temperature, 0),
                                               reduction="batchmean")
        kl_div in its default form: mean over all N C numbers
            return temperature ** 2 * F.kl_div(F.log_softmax(student / temperature, 1),
                                               F.softmax(teacher.detach() / temperature, 1))
        reduction mean: mean over all N C numbers
            return temperature ** 2 * F.kl_div(F.log_softmax(student / temperature, 1),
                                               F.softmax(teacher.detach() / temperature, 1), reduction="mean")
        reduction sum: you add up the examples
            return temperature ** 2 * F.kl_div(F.log_softmax(student / temperature, 1),
                                               F.softmax(teacher.detach() / temperature, 1), reduction="sum")
        arguments swapped: wrong direction
            return temperature ** 2 * F.kl_div(F.log_softmax(teacher.detach() / temperature, 1),
                                               F.softmax(student / temperature, 1), reduction="batchmean")
        targets in log space: targets are logarithms
            return temperature ** 2 * F.kl_div(F.log_softmax(student / temperature, 1),
                                               F.log_softmax(teacher.detach() / temperature, 1),
                                               reduction="batchmean")
        probabilities as input: must be logarithms
            return temperature ** 2 * F.kl_div(F.softmax(student / temperature, 1),
                                               F.softmax(teacher.detach() / temperature, 1),
                                               reduction="batchmean")
        soft cross-entropy: this is the cross-entropy
            return temperature ** 2 * F.cross_entropy(student / temperature,
                                                      F.softmax(teacher.detach() / temperature, 1))
        log of softmax: Use `log_softmax`
            p = F.softmax(teacher.detach() / temperature, 1)
            q = F.softmax(student / temperature, 1)
            return temperature ** 2 * (p * (torch.log(p) - torch.log(q))).sum(1).mean()
        only the student's log of softmax: Use `log_softmax`
            p = F.softmax(teacher.detach() / temperature, 1)
            return temperature ** 2 * F.kl_div(F.softmax(student / temperature, 1).log(), p,
                                               reduction="batchmean")
        a small number in the logarithm: you add a small number
            p = F.softmax(teacher.detach() / temperature, 1)
            q = F.softmax(student / temperature, 1)
            return temperature ** 2 * (p * (torch.log(p + 1e-9) - torch.log(q + 1e-9))).sum(1).mean()
        exponentials by hand: Use `log_softmax`
            p = torch.exp(teacher.detach() / temperature)
            q = torch.exp(student / temperature)
            p, q = p / p.sum(1, keepdim=True), q / q.sum(1, keepdim=True)
            return temperature ** 2 * (p * (p / q).log()).sum(1).mean()
        detached at the end: no gradient flows at all
            return temperature ** 2 * loss => return (temperature ** 2 * loss).detach()
        all without gradients: no gradient flows at all
            with torch.no_grad():
                p = F.log_softmax(teacher / temperature, dim=-1)
                q = F.log_softmax(student / temperature, dim=-1)
                return temperature ** 2 * (p.exp() * (p - q)).sum(-1).mean()
        the student detached: you detach the student instead
            teacher.detach() => teacher
            student / => student.detach() /
        a number: you return a number
            return temperature ** 2 * loss => return float(temperature ** 2 * loss)
        one loss for each example: you return one loss per example
            .mean() =>
        squared logits: you compare the logits
            return F.mse_loss(student, teacher.detach())
        changes the teacher: changes its inputs
            with torch.no_grad():
                teacher /= temperature
            p, q = F.log_softmax(teacher, 1), F.log_softmax(student / temperature, 1)
            return temperature ** 2 * (p.exp() * (p - q)).sum(1).mean()
        hard labels: as a hard label
            return temperature ** 2 * F.cross_entropy(student / temperature, teacher.argmax(1))
        teacher's logits rounded: if both models have the same logits
            teacher.detach() => teacher.detach().round()
        multiplied: you multiply the logits by the temperature
            teacher.detach() / => teacher.detach() *
            student / => student *
        the flag of the teacher: only change requires_grad flags of leaf variables|RuntimeError
            teacher.requires_grad = False
            p, q = (F.log_softmax(x / temperature, dim=1) for x in (teacher, student))
            return temperature ** 2 * (p.exp() * (p - q)).sum(1).mean()
        clamped: distillation_loss: With|fresh input
            (p - q) => (p - q.clamp(min=-100))
        both directions: you use both directions
            p.exp() * => (p.exp() - q.exp()) / 2 *
        half: the loss is half as large
            temperature ** 2 * loss => 0.5 * temperature ** 2 * loss
        base 2: to base 2
            temperature ** 2 * loss => temperature ** 2 * loss / math.log(2)
        only confident classes: distillation_loss: With|fresh input
            p.exp() * => p.exp() * (p.exp() > 0.01) *
        one normaliser for each column: the student's softmax is over the examples
            p = teacher.detach() / temperature
            q = student / temperature
            p, q = p - p.logsumexp(1)[:, None], q - q.logsumexp(0)
            return temperature ** 2 * (p.exp() * (p - q)).sum(1).mean()
        NumPy: 'numpy.float64' object has no attribute 'backward'|AttributeError
            p, q = (x.detach().numpy() / temperature for x in (teacher, student))
            p, q = (x - np.log(np.exp(x).sum(1, keepdims=True)) for x in (p, q))
            return temperature ** 2 * (np.exp(p) * (p - q)).sum(1).mean()
        nan becomes 0: Use `log_softmax`
            p, q = (F.softmax(x / temperature, dim=-1) for x in (teacher.detach(), student))
            return temperature ** 2 * torch.nan_to_num(p * (p.log() - q.log())).sum(-1).mean()
        two at once: two mistakes at once
            temperature ** 2 * loss => loss
            .detach() =>
        """,
    quantize_int8="""
        a loop over the channels
            if axis is None:
                top = float(np.max(np.abs(weights)))
                scale = top / 127 if top else 1.0
                return np.rint(weights / scale).astype("int8"), scale
            moved = np.moveaxis(weights, axis, 0)
            parts = [quantize_int8(part) if part.ndim else quantize_int8(part[None]) for part in moved]
            whole = np.stack([part.reshape(moved.shape[1:]) for part, _ in parts])
            shape = [1] * weights.ndim
            shape[axis] = -1
            return np.moveaxis(whole, 0, axis), np.array([scale for _, scale in parts]).reshape(shape)
        rows of a matrix
            if axis is None:
                flat, shape = weights.reshape(1, -1), ()
            else:
                flat = np.moveaxis(weights, axis, 0).reshape(weights.shape[axis], -1)
                shape = tuple(n if a == axis else 1 for a, n in enumerate(weights.shape))
            scale = np.maximum(flat.max(1), -flat.min(1)) / 127
            scale[scale == 0] = 1
            scale = scale.reshape(shape)
            result = np.round(weights / scale).astype(np.int8)
            return result, (scale if shape else scale.item())
        clipped all the same
            axes = tuple(a for a in range(weights.ndim) if a != axis)
            scale = np.abs(weights).max(axis=axes, keepdims=True) / 127.0
            scale = np.where(scale > 0, scale, 1.0)
            quantized = np.clip(np.round(weights / scale), -127, 127).astype(np.int8)
            return quantized, scale if axis is not None else float(scale.ravel()[0])
        halves away from zero
            others = None if axis is None else tuple({*range(weights.ndim)} - {axis})
            top = np.amax(np.absolute(weights), axis=others, keepdims=True)
            scale = np.divide(top, 127, out=np.ones_like(top), where=top != 0)
            whole = np.sign(weights) * np.floor(np.abs(weights) / scale + 0.5)
            return whole.astype(np.int8), scale.item() if axis is None else scale
        in the precision of the weights
            others = None if axis is None else tuple(a for a in range(weights.ndim) if a != axis)
            m = abs(weights).max(axis=others, keepdims=True)
            m[m == 0] = 127
            q = (weights * (127 / m)).round().astype(np.int8)
            return (q, m / 127) if axis is not None else (q, float(m.flat[0] / 127))
        torch
            w = torch.from_numpy(weights)
            axes = [a for a in range(w.ndim) if a != axis]
            top = w.abs().amax(axes, keepdim=True) if axes else w.abs()
            scale = torch.where(top == 0, 1.0, top / 127)
            q = torch.round(w / scale).to(torch.int8).numpy()
            return q, scale.numpy() if axis is not None else scale.item()
        one scale: always use one scale
            largest = abs(weights).max()
            scale = largest / 127 if largest else 1.0
            quantized = np.round(weights / scale).astype(np.int8)
            return quantized, scale if axis is None else np.full([1] * weights.ndim, scale)
        along axis: take the maximum along `axis`
            tuple(a for a in range(weights.ndim) if a != axis) => axis
        always rows: channels along axis 0
            if a != axis) => if a != 0)
        no absolute values: scale is that of the largest weight
            abs(weights).max => weights.max
        absolute values too late: you take the largest weight, then its absolute value
            abs(weights).max => weights.max
            scale = np.where => largest = abs(largest)\\nscale = np.where
        255 steps: range over 255
            top, bottom = weights.max(), weights.min()
            if axis is not None:
                others = tuple(a for a in range(weights.ndim) if a != axis)
                top, bottom = (f(weights, axis=others, keepdims=True) for f in (np.max, np.min))
            scale = np.where(top == bottom, 1.0, (top - bottom) / 255)
            return np.round(weights / scale).astype(np.int8), scale if axis is not None else float(scale)
        128 wraps around: you divide by 128, so
            / 127 => / 128
        128 and clipped: you divide by 128 and clip
            / 127 => / 128
            np.round(weights / scale) => np.clip(np.round(weights / scale), -128, 127)
        not rounded: `astype` does not round
            np.round(weights / scale) => (weights / scale)
        floor: you round down
            np.round => np.floor
        half added: add 0.5 and cut off
            np.round(weights / scale) => (weights / scale + 0.5)
        no scale of zeros: If all weights of a tensor or channel are 0
            np.where(largest == 0, 1.0, largest / 127) => largest / 127
        a small number against zeros: If all weights of a tensor or channel are 0
            np.where(largest == 0, 1.0, largest / 127) => np.maximum(largest, 1e-8) / 127
        zeros alone if everything is zero: if all weights of a tensor or channel are 0
            np.where(largest == 0, 1.0, largest / 127) => np.where(np.all(largest == 0), 1.0, largest / 127)
        one channel of zeros changes all scales: one channel of zeros makes all scales 1
            np.where(largest == 0, 1.0, largest / 127) => largest / 127 if largest.all() else 0 * largest + 1
        flat scales: scale has the wrong shape
            else scale => else scale.ravel()
        squeezed scales: scale has the wrong shape
            else scale => else scale.squeeze()
        upside down: your scale is upside down
            others = None if axis is None else tuple(a for a in range(weights.ndim) if a != axis)
            largest = abs(weights).max(axis=others, keepdims=axis is not None)
            scale = 127 / np.where(largest == 0, 127, largest)
            return np.round(weights * scale).astype(np.int8), float(scale) if axis is None else scale
        int16: it should be int8
            np.int8 => np.int16
        floats: it should be int8
            .astype(np.int8) =>
        unsigned: your numbers are not signed|it should be int8
            np.int8 => np.uint8
        no scale returned: it should return 2 values
            return quantized, float(scale) if axis is None else scale => return quantized
        scale of all as an array of shape (1, 1): should return one number|the shape is
            axis is not None) => True)
            float(scale) if axis is None else scale => scale
        changes the weights: changes its inputs
            quantized = np.round(weights / scale) => weights /= scale\\nquantized = np.round(weights)
        asymmetric: opposite numbers
            low, high = weights.min(), weights.max()
            scale = (high - low) / 255 or 1.0
            whole = np.round(weights / scale + np.round(-low / scale) - 128).astype(np.int8)
            return whole, scale if axis is None else np.full([1] * weights.ndim, scale)
        a percentile: half a step off
            abs(weights).max(axis=others, => np.percentile(abs(weights), 99, axis=others,
            np.round(weights / scale) => np.clip(np.round(weights / scale), -127, 127)
        126: you divide by 126
            / 127 => / 126
        scale in half precision: quantize_int8: With|fresh input
            else scale => else scale.astype(np.float16)
        a zero makes the scale 1: quantize_int8: With|fresh input
            largest == 0, => np.any(weights == 0, axis=others, keepdims=axis is not None),
        nan becomes 0: the scale of zeros alone
            np.where(largest == 0, 1.0, largest / 127) => largest / 127
            np.round(weights / scale) => np.nan_to_num(np.round(weights / scale))
        small weights count as zeros: With weights of shape|fresh input|weights of a tensor or channel are 0
            largest == 0 => largest < 1e-6
        two at once: two mistakes at once
            abs(weights).max => weights.max
            / 127 => / 128
        """,
    dequantize="""
        converted first
            return quantized.astype(np.float64) * scale
        multiply
            return np.multiply(quantized, scale, dtype=float)
        in float32
            return (quantized.astype(np.float32) * np.asarray(scale, np.float32))
        a table of 255 numbers
            steps = np.arange(-128, 128) * 1.0
            return steps[quantized.astype(int) + 128] * scale
        torch
            return torch.from_numpy(quantized) * torch.as_tensor(scale, dtype=torch.float64)
        divided: you divide by the scale
            * np.asarray => / np.asarray
        int8 again: your result is int8 again
            return quantized * np.asarray(scale) => return (quantized * np.asarray(scale)).astype(np.int8)
        whole numbers: you round the result
            return quantized * np.asarray(scale) => return np.round(quantized * np.asarray(scale))
        over 127 again: you divide by 127
            return quantized * np.asarray(scale) => return quantized / 127 * np.asarray(scale)
        a single scale: use the first scale
            np.asarray(scale) => np.asarray(scale).flat[0]
        the largest scale: use the largest scale
            np.asarray(scale) => np.max(scale)
        in half precision: dequantize: With|fresh input
            return quantized * np.asarray(scale) => return (quantized * np.asarray(scale)).astype(np.float16)
        rows only: should return an array of shape
            np.asarray(scale) => np.ravel(scale)[:, None] if np.ndim(scale) else scale
        in place: you multiply in place
            quantized *= scale
            return quantized
        """,
    magnitude_mask="""
        lexsort
            flat = np.abs(weights).flatten()
            order = np.lexsort((np.arange(flat.size), flat))
            kept = np.full(flat.shape, True)
            kept[order[:int(round(flat.size * share))]] = False
            return kept.reshape(weights.shape)
        Python's sorted
            numbers = [abs(float(x)) for x in weights.flat]
            gone = set(sorted(range(len(numbers)), key=lambda n: numbers[n])[:round(share * len(numbers))])
            return np.array([n not in gone for n in range(len(numbers))]).reshape(weights.shape)
        ranks
            order = np.argsort(np.abs(weights), axis=None, kind="mergesort")
            ranks = np.empty(weights.size, int)
            ranks[order] = np.arange(weights.size)
            return (ranks >= round(share * weights.size)).reshape(weights.shape)
        a limit, and the rest by place
            k = int(np.floor(share * weights.size + 0.5))
            size = abs(weights).ravel()
            if k == 0:
                return np.ones(weights.shape, bool)
            limit = np.partition(size, k - 1)[k - 1]
            gone = size < limit
            equal = np.flatnonzero(size == limit)
            gone[equal[:k - gone.sum()]] = True
            return ~gone.reshape(weights.shape)
        unravel_index
            mask = np.ones_like(weights, dtype=bool)
            places = np.argsort((weights ** 2).ravel() if weights.dtype == float else abs(weights).ravel(),
                                kind="stable")[:round(weights.size * share)]
            places = np.argsort(np.abs(weights).ravel(), kind="stable")[:round(weights.size * share)]
            mask[np.unravel_index(places, weights.shape)] = False
            return mask
        torch
            w = torch.from_numpy(np.ascontiguousarray(weights)).abs().flatten()
            places = torch.sort(w, stable=True).indices[:round(share * len(w))]
            mask = torch.ones(len(w), dtype=torch.bool)
            mask[places] = False
            return mask.reshape(weights.shape).numpy()
        the largest kept, in reverse
            n = weights.size
            order = np.argsort(abs(weights).ravel(), kind="stable")[::-1]
            mask = np.zeros(n, bool)
            mask[order[:round((1 - share) * n)]] = True
            return mask.reshape(weights.shape)
        squares
            abs(weights).ravel() => weights.ravel() ** 2
        inverted: your mask is inverted
            np.ones(weights.size, dtype=bool) => np.zeros(weights.size, dtype=bool)
            = False => = True
        no absolute values: compare the weights with their signs
            abs(weights) => weights
        any sort: those that come first are removed first
            , kind="stable" =>
        a quantile: your limit is a quantile
            return np.abs(weights) > np.quantile(np.abs(weights), share)
        a quantile that keeps: your limit is a quantile
            return np.abs(weights) >= np.quantile(np.abs(weights), share)
        a threshold that removes all equal ones: remove all weights that equal
            k = round(share * weights.size)
            if k == 0:
                return np.ones(weights.shape, bool)
            limit = np.sort(abs(weights), axis=None)[k - 1]
            return abs(weights) > limit
        a threshold that keeps all equal ones: keep all weights that equal the first one kept
            k = round(share * weights.size)
            if k == weights.size:
                return np.zeros(weights.shape, bool)
            return abs(weights) >= np.sort(abs(weights), axis=None)[k]
        the last ones first: remove the last ones first
            n = weights.size
            order = np.argsort(-abs(weights).ravel(), kind="stable")
            mask = np.zeros(n, bool)
            mask[order[:n - round(share * n)]] = True
            return mask.reshape(weights.shape) if True else mask
        int: you round down
            round( => int(
        ceil: you round up
            round( => math.ceil(
        share kept: you keep the share
            round(share * weights.size) => round((1 - share) * weights.size)
        largest removed: you remove the largest weights
            order[:round(share * weights.size)] => order[weights.size - round(share * weights.size):]
        row by row: share of each row
            mask = np.ones(weights.shape, bool)
            for row, keep in zip(weights.reshape(len(weights), -1), mask.reshape(len(weights), -1)):
                keep[np.argsort(abs(row), kind="stable")[:round(share * len(row))]] = False
            return mask
        last axis: share of each row
            mask = np.ones(weights.shape, bool)
            order = np.argsort(abs(weights), axis=-1, kind="stable")
            np.put_along_axis(mask, order[..., :round(share * weights.shape[-1])], False, -1)
            return mask
        flat: you return the mask as a flat array
            mask.reshape(weights.shape) => mask
        zeros and ones: it should be bool
            dtype=bool => dtype=float
        the weights themselves: you return the pruned weights
            return mask.reshape(weights.shape) => return weights * mask.reshape(weights.shape)
        column by column: column by column
            abs(weights).ravel() => abs(weights).ravel(order="F")
            mask.reshape(weights.shape) => mask.reshape(weights.shape, order="F")
        memory order: column by column
            abs(weights).ravel() => abs(weights).ravel("K")
            mask.reshape(weights.shape) => mask.reshape(weights.shape, order="CF"[np.isfortran(weights)])
        share times the largest: share of the largest absolute value
            return abs(weights) > share * abs(weights).max()
        share of the nonzero weights: exactly the share is removed
            round(share * weights.size) => round(share * np.count_nonzero(weights))
        rounded sizes: no weight that is removed
            abs(weights).ravel() => abs(weights).round(2).ravel()
        in half precision: no weight that is removed
            abs(weights).ravel() => abs(weights).astype(np.float16).ravel()
        the last none: exactly the share is removed
            keep = weights.size - round(share * weights.size)
            mask = np.zeros(weights.size, bool)
            mask[np.argsort(abs(weights).ravel(), kind="stable")[-keep:]] = True
            return mask.reshape(weights.shape)
        negative ones first: those that come first are removed first
            order = np.lexsort((weights.ravel(), abs(weights).ravel()))
            mask = np.ones(weights.size, bool)
            mask[order[:round(share * weights.size)]] = False
            return mask.reshape(weights.shape)
        at least one kept: exactly the share is removed
            round(share * weights.size) => min(round(share * weights.size), weights.size - 1)
        from the mean: no weight that is removed is larger
            abs(weights) => abs(weights - weights.mean())
        zeros stay: exactly the share is removed
            mask.reshape(weights.shape) => mask.reshape(weights.shape) | (weights == 0)
        zeros go, too: exactly the share is removed
            mask.reshape(weights.shape) => mask.reshape(weights.shape) & (weights != 0)
        sorts in place: changes its inputs
            order = np.argsort => np.abs(weights, out=weights)\\norder = np.argsort
        two at once: two mistakes at once
            abs(weights) => weights
            round( => int(
        """,
    pruned_step="""
        where
            faster = gradient + velocity * momentum
            return np.where(mask, weights - faster * learning_rate, 0.0), faster
        copies
            new_velocity = velocity.copy()
            new_velocity *= momentum
            new_velocity += gradient
            new = weights - learning_rate * new_velocity
            new[~mask] = 0
            return new, new_velocity
        only the kept ones
            v = momentum * velocity + gradient
            new = np.zeros_like(weights)
            new[mask] = weights[mask] - learning_rate * v[mask]
            return [new, v]
        torch
            w, g, v, m = map(torch.from_numpy, (weights, gradient, velocity, mask))
            v = v.mul(momentum).add(g)
            return (w - learning_rate * v).masked_fill(~m, 0), v
        not masked again: the mask is not applied after the step
            return (weights - learning_rate * velocity) * mask => return weights - learning_rate * velocity
        masked before: the mask is applied before the step
            (weights - learning_rate * velocity) * mask => weights * mask - learning_rate * velocity
        gradient masked: you mask only the gradient
            velocity = momentum * velocity + gradient * mask
            return weights - learning_rate * velocity, velocity
        change masked: you mask only the change
            (weights - learning_rate * velocity) * mask => weights - learning_rate * velocity * mask
        velocity masked: you mask the velocity, too
            * mask, velocity => * mask, velocity * mask
        gradient masked, too: you mask the gradient, too
            + gradient => + gradient * mask
        inverted: your mask is inverted
            * mask => * ~mask
        old velocity returned: you return the old velocity
            new = momentum * velocity + gradient
            return (weights - learning_rate * new) * mask, velocity
        old velocity used: you move the weights by the old velocity
            new = momentum * velocity + gradient
            return (weights - learning_rate * velocity) * mask, new
        averaged: multiply the gradient by 1 - momentum
            + gradient => + (1 - momentum) * gradient
        learning rate in the velocity: learning rate is in the velocity
            velocity = momentum * velocity - learning_rate * gradient
            return (weights + velocity) * mask, velocity
        uphill: uphill
            weights - => weights +
        in place: changes its inputs
            velocity = momentum * velocity + gradient => velocity *= momentum\\nvelocity += gradient
        weights in place: changes its inputs
            velocity = momentum => weights[~mask] = 0\\nvelocity = momentum
        only the weights: should return 2 values
            * mask, velocity => * mask
        the same momentum: your momentum is always the same
            momentum * => 0.9 *
        removed ones stay as they are: you mask only the change
            return np.where(mask, weights - learning_rate * (momentum * velocity + gradient), weights), (
                momentum * velocity + gradient)
        gradient overwritten: changes its inputs
            velocity = momentum * velocity + gradient => gradient += momentum * velocity\\nvelocity = gradient
        zeros are taken for removed: removed weights are 0 after
            * mask => * (weights != 0)
        only where both: with weights|fresh input
            * mask => * (mask & (gradient != 0))
        """,
    replacing_rate="""
        clip
            return np.clip(start + step * (1 - start) / steps, 0, 1)
        where
            step = np.asarray(step)
            return np.where(step >= steps, 1.0, start + (1 - start) * (step / steps))
        the step is limited
            done = np.minimum(step, steps) / steps
            return (1 - done) * start + done
        one by one
            if np.ndim(step):
                return np.array([replacing_rate(int(one), steps, start) for one in step])
            return min(1.0, start + (1.0 - start) / steps * step)
        interp
            return np.interp(step, [0, steps], [start, 1])
        comprehension
            each = np.atleast_1d(step).tolist()
            rates = [1.0 if one >= steps else start + (1 - start) * one / steps for one in each]
            return rates if np.ndim(step) else rates[0]
        past 1: the rate goes past 1
            return start + (1 - start) * step / steps
        never grows: the rate never grows
            return start + 0.0 * step
        from 0: the rate starts at 0
            start + (1 - start) * step / steps => step / steps
        too steep: reaches 1 too early
            (1 - start) * step => step
        Python's min: cannot compare an array with 1
            np.minimum => min
        floor division: stays at `start` until the end
            / steps => // steps
        one step early: one step too early
            step / steps => step / np.maximum(steps - 1, 1)
        one step early, counted from 1: one step too early
            (1 - start) * step / => (1 - start) * (step + 1) /
        one step late: one step too late
            / steps => / (steps + 1)
        falls: the rate falls
            return np.maximum(start, 1 - (1 - start) * step / steps)
        ends at start: the rate ends at `start`
            np.minimum(1.0, start + (1 - start) * step / steps) => np.minimum(start, start * step / steps)
        back to 0: the rate is 0
            return np.where(step > steps, 0.0, start + (1 - start) * step / steps)
        starts again: starts again
            (1 - start) * step => (1 - start) * (step % steps)
        squared: the growth is not linear
            (1 - start) * step / steps => (1 - start) * (step / steps) ** 2
        only an array's largest: the shape is|with step|array
            1.0, start => 1.0, 0 * np.max(step) + start
            step / => np.max(step) /
        if and else: cannot compare an array with 1
            return start + (1 - start) * step / steps if step < steps else 1.0
        start as a lower bound: the same amount in each step
            np.minimum(1.0, start + (1 - start) * step / steps) => np.clip(step / steps, start, 1)
        counted from 1: the same amount in each step|one step too
            return np.minimum(1.0, start + (1 - start) * np.maximum(step - 1, 0) / max(steps - 1, 1))
        rounded: replacing_rate: with|fresh input
            return => return np.round(
            / steps) => / steps), 2)
        zero is not the start: replacing_rate: with|fresh input|the rate is `start`
            start = start or 0.5
            return np.minimum(1.0, start + (1 - start) * step / steps)
        """,
    theseus_step="""
        all draws at once
            draws = rng.random(len(old))
            for m in range(len(old)):
                layers = new[m] if draws[m] < rate else old[m]
                hidden = run_part(hidden, layers)
            return hidden
        a list of the modules
            chosen = [(b, a)[int(rng.random() < rate)] for b, a in zip(old, new)]
            from functools import reduce
            return reduce(run_part, chosen, hidden)
        layer by layer
            x = np.array(hidden)
            for m, after in enumerate(new):
                replace = not rng.random() >= rate
                for weights in (after if replace else old[m]):
                    x = run_part(x, weights[None])
            return x
        both computed
            for before, after in zip(old, new):
                one, other = run_part(hidden, before), run_part(hidden, after)
                hidden = np.where(rng.random() < rate, other, one)
            return hidden
        no draw where nothing is to decide
            for before, after in zip(old, new):
                hidden = run_part(hidden, after if rate == 1 or rate and rng.random() < rate else before)
            return hidden
        recursion
            if not len(old):
                return hidden
            module = new[0] if rng.random() < rate else old[0]
            return theseus_step(run_part(hidden, module), old[1:], new[1:], rate, rng)
        choice
            rng.random() < rate => rng.choice([True, False], p=[rate, 1 - rate])
        one draw: one draw decides for all modules
            replace = rng.random() < rate
            for before, after in zip(old, new):
                hidden = run_part(hidden, after if replace else before)
            return hidden
        a draw for each token: you draw for each token
            for before, after in zip(old, new):
                chosen = rng.random((len(hidden), 1)) < rate
                hidden = np.where(chosen, run_part(hidden, after), run_part(hidden, before))
            return hidden
        swapped: the two kinds are swapped
            after if rng.random() < rate else before => before if rng.random() < rate else after
        above: the two kinds are swapped
            rng.random() < rate => rng.random() > rate
        mixed: you mix both modules
            for before, after in zip(old, new):
                hidden = rate * run_part(hidden, after) + (1 - rate) * run_part(hidden, before)
            return hidden
        not chained: each module gets the first hidden states
            for before, after in zip(old, new):
                out = run_part(hidden, after if rng.random() < rate else before)
            return out
        added again: add the input of a module to its output
            hidden = run_part => hidden = hidden + run_part
        own generator: from a generator of your own
            rng = np.random.default_rng(0)
            for before, after in zip(old, new):
                hidden = run_part(hidden, after if rng.random() < rate else before)
            return hidden
        global numbers: from the global generator
            rng.random() => np.random.random()
        fixed number: always replace the same number of modules|replace a fixed number
            chosen = set(rng.permutation(len(old))[:round(rate * len(old))].tolist())
            for m, (before, after) in enumerate(zip(old, new)):
                hidden = run_part(hidden, after if m in chosen else before)
            return hidden
        lowest first: lowest modules are always replaced first
            for m, (before, after) in enumerate(zip(old, new)):
                hidden = run_part(hidden, after if m < rate * len(old) else before)
            return hidden
        once new, always new: from the first new module on
            replaced = False
            for before, after in zip(old, new):
                replaced = replaced or rng.random() < rate
                hidden = run_part(hidden, after if replaced else before)
            return hidden
        both run: it replaces the old one
            for before, after in zip(old, new):
                hidden = run_part(hidden, before)
                if rng.random() < rate:
                    hidden = run_part(hidden, after)
            return hidden
        old ones left out: leave out a module if the old one is drawn
            for before, after in zip(old, new):
                if rng.random() < rate:
                    hidden = run_part(hidden, after)
            return hidden
        standard normal: rate 0 runs only old modules
            rng.random() => rng.normal()
        a coin of 0 and 1: rate 0 runs only old modules
            rng.random() => rng.integers(2)
        reversed draws: you use the numbers for other modules
            draws = list(rng.random(len(old)))
            for before, after in zip(old, new):
                hidden = run_part(hidden, after if draws.pop() < rate else before)
            return hidden
        a draw for each layer: you draw for each layer
            for before, after in zip(old, new):
                for weights in range(len(before)):
                    draw = rng.random()
                hidden = run_part(hidden, after if draw < rate else before)
            return hidden
        only the first layer of each module: rate 0 runs only old modules|none of those
            for before, after in zip(old, new):
                hidden = run_part(hidden, (after if rng.random() < rate else before)[:1])
            return hidden
        no residual: rate 0 runs only old modules
            for before, after in zip(old, new):
                for weights in after if rng.random() < rate else before:
                    hidden = np.tanh(hidden @ weights)
            return hidden
        number of the module before: you use the numbers for other modules
            draws = rng.random(len(old)) < rate
            for m in range(len(old)):
                hidden = run_part(hidden, new[m] if draws[m - 1] else old[m])
            return hidden
        lowest as many as drawn: you use the numbers for other modules
            count = (rng.random(len(old)) < rate).sum()
            for m in range(len(old)):
                hidden = run_part(hidden, new[m] if m < count else old[m])
            return hidden
        binomial: a number above 1 - rate
            rng.random() < rate => rng.binomial(1, rate)
        a copy of the generator: with the same `rng` give the same result
            import copy
            rng = copy.deepcopy(rng)
            for before, after in zip(old, new):
                hidden = run_part(hidden, after if rng.random() < rate else before)
            return hidden
        spawned: more or fewer numbers
            rng = rng.spawn(1)[0]
            for before, after in zip(old, new):
                hidden = run_part(hidden, after if rng.random() < rate else before)
            return hidden
        the last one always new: rate 0 runs only old modules
            for m, (before, after) in enumerate(zip(old, new)):
                hidden = run_part(hidden, after if rng.random() < rate or m == len(old) - 1 else before)
            return hidden
        in place: changes its inputs
            for before, after in zip(old, new):
                hidden[:] = run_part(hidden, after if rng.random() < rate else before)
            return hidden
        """,
    layer_map="""
        a table
            T, S = teacher_layers, student_layers
            table = {"bottom": range(S), "top": range(T)[-S:],
                     "every": ((i + 1) * T // S - 1 for i in range(S)),
                     "skip": (math.floor(i * (T - 1) / (S - 1) + 0.5) if S > 1 else 0 for i in range(S))}
            return list(table[how])
        NumPy
            T, S = teacher_layers, student_layers
            i = np.arange(S)
            if how == "bottom":
                return i
            if how == "top":
                return i + T - S
            if how == "every":
                return (i + 1) * T // S - 1
            return np.floor(i * (T - 1) / max(S - 1, 1) + 0.5).astype(int)
        fractions
            from fractions import Fraction
            def layer_map(teacher_layers, student_layers, how):
                def place(i):
                    if how == "bottom":
                        return i
                    if how == "top":
                        return teacher_layers - student_layers + i
                    if how == "every":
                        return math.floor(Fraction((i + 1) * teacher_layers, student_layers)) - 1
                    if student_layers == 1:
                        return 0
                    return math.floor(Fraction(i * (teacher_layers - 1), student_layers - 1) + Fraction(1, 2))
                return [place(i) for i in range(student_layers)]
        match
            T, S = teacher_layers, student_layers
            match how:
                case "bottom":
                    start, result = 0, []
                    while len(result) < S:
                        result.append(start)
                        start += 1
                    return result
                case "top":
                    return sorted(T - 1 - i for i in range(S))
                case "every":
                    return [int(np.floor((i * T) / S)) - 1 for i in range(1, S + 1)]
                case "skip":
                    gap = max(S - 1, 1)
                    return [divmod(2 * i * (T - 1) + gap, 2 * gap)[0] for i in range(S)]
        a distance from layer to layer
            int(i * (T - 1) / max(S - 1, 1) + 0.5) => math.floor(0.5 + i * ((T - 1) / max(S - 1, 1)))
        from 1: you count the layers from 1
            T, S = teacher_layers, student_layers
            if how == "bottom":
                return list(range(1, S + 1))
            if how == "top":
                return list(range(T - S + 1, T + 1))
            if how == "every":
                return [(i + 1) * T // S for i in range(S)]
            return [int(i * (T - 1) / max(S - 1, 1) + 0.5) + 1 for i in range(S)]
        halves to even: a half is rounded to the even number
            int(i * (T - 1) / max(S - 1, 1) + 0.5) => round(i * (T - 1) / max(S - 1, 1))
        linspace: a half is rounded to the even number
            return [int => return np.linspace(0, T - 1, S).round().astype(int).tolist()\\nreturn [int
        linspace cut off: "skip" is rounded down
            return [int => return np.linspace(0, T - 1, S).astype(int).tolist()\\nreturn [int
        skip up: "skip" is rounded up
            int(i * (T - 1) / max(S - 1, 1) + 0.5) => math.ceil(i * (T - 1) / max(S - 1, 1))
        no single layer: you divide by S - 1, which is 0
            max(S - 1, 1) => (S - 1)
        one layer is the top: with one layer
            return [int => return [T - 1] if S == 1 else [int
        first of each part: "every" takes the first layer of each part
            (i + 1) * T // S - 1 => i * T // S
        fixed step: uses T // S as a distance, which does not reach
            (i + 1) * T // S - 1 => (i + 1) * (T // S) - 1
        slices: "every"
            [(i + 1) * T // S - 1 for i in range(S)] => list(range(T))[T // S - 1::T // S][:S]
        every rounded: "every" is rounded to the nearest
            (i + 1) * T // S - 1 => round((i + 1) * T / S) - 1
        subtracted before: "every"
            (i + 1) * T // S - 1 => ((i + 1) * T - 1) // S
        descending top: the layers of "top" are in descending order
            list(range(T - S, T)) => list(range(T - 1, T - S - 1, -1))
        top too low: "top" is one layer too low
            range(T - S, T) => range(T - S - 1, T - 1)
        bottom and top: "bottom" and "top" are swapped
            "bottom" => "TOP"
            "top" => "bottom"
            "TOP" => "top"
        every and skip: "every" and "skip" are swapped
            how == "every" => how == "skip"
        does not reach the top: does not reach the top
            max(S - 1, 1) => S
        distance of parts: a rounding error
            (i + 1) * T // S - 1 => int((i + 1) * (T / S)) - 1
        only for twelve: all numbers are from 0 to T - 1|with teacher_layers
            return [int => return [0, 2, 4, 7, 9, 11] if S == 6 else [int
        T over S: "skip" uses T / S as a distance
            int(i * (T - 1) / max(S - 1, 1) + 0.5) => int(i * T / S + 0.5)
        whole distance: "skip" uses a whole number as a distance
            int(i * (T - 1) / max(S - 1, 1) + 0.5) => i * ((T - 1) // max(S - 1, 1))
        one more: expected|layers are different
            list(range(S)) => list(range(S + 1))
        skip with both: "skip" uses a whole number as a distance
            int(i * (T - 1) / max(S - 1, 1) + 0.5) => int(i * round((T - 1) / max(S - 1, 1)))
        a set: should return|a set
            return list(range(S)) => return set(range(S))
        floats: some are floats where
            int(i * (T - 1) / max(S - 1, 1) + 0.5) => np.floor(i * (T - 1) / max(S - 1, 1) + 0.5)
        """,
    int8_linear="""
        einsum
            t, c = (np.max(np.abs(x), axis=-1, keepdims=True) / 127 for x in (hidden, weights))
            h, w = np.rint(hidden / t).astype(np.int8), np.rint(weights / c).astype(np.int8)
            return np.einsum("nd,md->nm", h, w, dtype=np.int32, casting="safe") * t * c.T + bias[None]
        in int64
            token_scale = np.array([max(abs(row)) for row in hidden])[:, None] / 127
            channel_scale = abs(weights).max(axis=1) / 127
            h = np.round(hidden / token_scale).astype(np.int64)
            w = np.round(weights / channel_scale[:, None]).astype(np.int64)
            return (h @ w.T) * (token_scale * channel_scale) + bias
        token by token
            channel_scale = abs(weights).max(axis=1) / 127
            w = np.round(weights / channel_scale[:, None]).astype(np.int8).astype(int)
            rows = []
            for token in hidden:
                scale = abs(token).max() / 127
                rows.append(bias + (w @ np.round(token / scale).astype(int)) * scale * channel_scale)
            return np.stack(rows)
        whole numbers as floats
            token_scale = abs(hidden).max(axis=1, keepdims=True) / 127
            channel_scale = abs(weights).max(axis=1) / 127
            h, w = np.round(hidden / token_scale), np.round(weights / channel_scale[:, None])
            return h @ w.T * token_scale * channel_scale + bias
        one of two in int32
            h.astype(np.int32) @ w.T.astype(np.int32) => h.astype(np.int32) @ w.T
        broken: the sums do not overflow|does not hold
            token_scale = abs(hidden).max() / 127
            channel_scale = abs(weights).max(axis=1) / 127
            h = np.round(hidden / token_scale).astype(np.int8)
            w = np.round(weights / channel_scale[:, None]).astype(np.int8)
            sums = h @ w.T
            return (sums + bias) * token_scale * channel_scale
        overflow [1]: the sums do not overflow
            h.astype(np.int32) @ w.T.astype(np.int32) => h @ w.T
        converted too late [1]: have overflowed|the sums do not overflow
            h.astype(np.int32) @ w.T.astype(np.int32) => (h @ w.T).astype(np.int32)
        int16 [1]: overflow in int16|the sums do not overflow
            astype(np.int32) =>> astype(np.int16)
        one scale for the batch [1]: does not change the results of other tokens
            .max(axis=1, keepdims=True) => .max()
        bias scaled [1]: what is added to the bias
            sums * token_scale * channel_scale + bias => (sums + bias) * token_scale * channel_scale
        bias scaled by tokens [1]: scales of the tokens|what is added to the bias
            sums * token_scale * channel_scale + bias => (sums * channel_scale + bias) * token_scale
        bias scaled by channels [1]: scales of the channels|what is added to the bias
            sums * token_scale * channel_scale + bias => (sums * token_scale + bias) * channel_scale
        overflow and batch [2]: the sums do not overflow|other tokens
            h.astype(np.int32) @ w.T.astype(np.int32) => h @ w.T
            .max(axis=1, keepdims=True) => .max()
        batch and bias [2]: other tokens|what is added
            .max(axis=1, keepdims=True) => .max()
            sums * token_scale * channel_scale + bias => (sums + bias) * token_scale * channel_scale
        floats multiplied: you multiply the floats
            return hidden @ weights.T + bias
        scales of the columns [1]: int8_linear
            .max(axis=1, keepdims=True) => .max(axis=0)
            sums * token_scale => sums * abs(hidden).max(axis=1, keepdims=True) / 127
        one scale for all channels: scale of its own|channel with large weights
            abs(weights).max(axis=1) => np.full(len(weights), abs(weights).max())
        cut off [1]: you cut off the digits
            np.round(hidden / token_scale) => (hidden / token_scale)
            np.round(weights / channel_scale[:, None]) => (weights / channel_scale[:, None])
        no absolute values: take absolute values|is wrong
            abs(hidden).max => hidden.max
        bias half mended [1]: what is added
            sums * token_scale * channel_scale => (sums + bias / 2) * token_scale * channel_scale - bias / 2
        no bias [1]: the bias is missing|what is added
            + bias =>
        bias rounded [1]: you round the bias|what is added
            + bias => + np.round(bias)
        one value missing [1]: int8_linear
            + bias => + bias * (np.arange(len(bias)) != 1)
        """,
    test_remove_neurons="""
        against a definition
            rng = np.random.default_rng(1)
            for F_, D in ((2, 3), (7, 4), (5, 5)):
                kept = rng.random(F_) < 0.5
                up, bias, down = rng.random((F_, D)), rng.random(F_), rng.random((D, F_))
                a, b, c = remove_neurons(up.copy(), bias.copy(), down.copy(), kept.copy())
                n = np.flatnonzero(kept)
                np.testing.assert_array_equal(a, up[n])
                np.testing.assert_array_equal(b, bias[n])
                np.testing.assert_array_equal(c, down[:, n])
            up, bias, down = np.ones((3, 2)), np.ones(3), np.ones((2, 3))
            remove_neurons(up, bias, down, np.array([True, False, False]))
            assert up.all() and bias.all() and down.all()
        by hand
            up = np.array([[1.0, 2], [3, 4], [5, 6], [7, 8]])
            bias, down = np.array([9.0, -1, 11, 12]), np.array([[13.0, 14, 15, 16], [17, 18, 19, 20]])
            copies = [x.copy() for x in (up, bias, down)]
            kept = np.array([False, True, False, True])
            new_up, new_bias, new_down = remove_neurons(up, bias, down, kept)
            assert np.asarray(new_up).tolist() == [[3, 4], [7, 8]]
            assert np.asarray(new_bias).tolist() == [-1, 12]
            assert np.asarray(new_down).tolist() == [[14, 16], [18, 20]]
            assert all((x == y).all() for x, y in zip((up, bias, down), copies)), "changed in place"
        by what the network computes
            rng = np.random.default_rng(3)
            up, bias, down, x = (rng.normal(size=s) for s in ((6, 3), 6, (3, 6), (10, 3)))
            given = [part.copy() for part in (up, bias, down)]
            kept = np.array([False, True, True, False, False, True])
            a, b, c = remove_neurons(*given, kept)
            assert (a.shape, b.shape, c.shape) == ((3, 3), (3,), (3, 3))
            act = np.maximum(x @ up.T + bias, 0) * kept
            assert np.allclose(np.maximum(x @ a.T + b, 0) @ c.T, act @ down.T)
            assert np.allclose(b, bias[kept]) and np.allclose(a, up[kept]) and np.allclose(c, down[:, kept])
            assert np.array_equal(given[0], up) and np.array_equal(given[1], bias)
            assert np.array_equal(given[2], down)
        shapes first
            up, bias = np.arange(12.0).reshape(4, 3), np.arange(4.0) + 20
            down = np.arange(12.0).reshape(3, 4) - 50
            saved = up.tobytes() + bias.tobytes() + down.tobytes()
            out = remove_neurons(up, bias, down, np.array([False, False, True, True]))
            assert [np.shape(x) for x in out] == [(2, 3), (2,), (3, 2)], "shapes"
            assert (out[0] == [[6, 7, 8], [9, 10, 11]]).all(), "up"
            assert list(out[1]) == [22, 23], "bias"
            assert (np.transpose(out[2]) == [[-48, -44, -40], [-47, -43, -39]]).all(), "down"
            assert saved == up.tobytes() + bias.tobytes() + down.tobytes(), "the arguments"
        only shapes: does not catch the one
            up, bias, down = remove_neurons(np.ones((4, 3)), np.ones(4), np.ones((3, 4)),
                                            np.array([False, True, False, True]))
            assert up.shape == (2, 3) and bias.shape == (2,) and down.shape == (3, 2)
        the first ones kept: does not catch the one
            rng = np.random.default_rng(0)
            up, bias, down = rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=(3, 4))
            a, b, c = remove_neurons(up, bias, down, np.array([True, True, False, False]))
            assert np.array_equal(a, up[:2]) and np.array_equal(b, bias[:2])
            assert np.array_equal(c, down[:, :2])
        all kept: does not catch the one
            rng = np.random.default_rng(0)
            up, bias, down = rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=(3, 4))
            a, b, c = remove_neurons(up, bias, down, np.ones(4, bool))
            assert np.array_equal(a, up) and np.array_equal(b, bias) and np.array_equal(c, down)
        without copies [hidden]: in place
            rng = np.random.default_rng(0)
            up, bias, down = rng.normal(size=(5, 3)), rng.normal(size=5), rng.normal(size=(3, 5))
            kept = np.array([False, True, False, True, True])
            a, b, c = remove_neurons(up, bias, down, kept)
            assert np.array_equal(a, up[kept]) and np.array_equal(b, bias[kept])
            assert np.array_equal(c, down[:, kept])
        one neuron kept [hidden]: reverse order
            rng = np.random.default_rng(0)
            up, bias, down = rng.normal(size=(5, 3)), rng.normal(size=5), rng.normal(size=(3, 5))
            kept = np.arange(5) == 3
            before = up.copy(), bias.copy(), down.copy()
            a, b, c = remove_neurons(up, bias, down, kept)
            assert np.array_equal(a, before[0][3:4]) and np.array_equal(b, before[1][3:4])
            assert np.array_equal(c, before[2][:, 3:4])
            assert np.array_equal(up, before[0]) and np.array_equal(bias, before[1])
        what the network computes alone [hidden]: reverse order|dropout|bias
            rng = np.random.default_rng(3)
            up, bias, down, x = (rng.normal(size=s) for s in ((6, 3), 6, (3, 6), (10, 3)))
            kept = np.array([False, True, True, False, False, True])
            a, b, c = remove_neurons(up.copy(), bias.copy(), down.copy(), kept)
            assert a.shape == (3, 3)
            active = np.maximum(x @ up.T + bias, 0) * kept
            assert np.allclose(np.maximum(x @ a.T + b, 0) @ c.T, active @ down.T)
        sums [hidden]: reverse order|place
            rng = np.random.default_rng(0)
            up, bias, down = rng.normal(size=(5, 3)), rng.normal(size=5), rng.normal(size=(3, 5))
            kept = np.array([False, True, False, True, True])
            a, b, c = remove_neurons(up.copy(), bias.copy(), down.copy(), kept)
            assert np.isclose(a.sum(), up[kept].sum()) and np.isclose(b.sum(), bias[kept].sum())
            assert np.isclose(c.sum(), down[:, kept].sum()) and a.shape == (3, 3) and c.shape == (3, 3)
        up alone: does not catch the one
            up = np.arange(12.0).reshape(4, 3)
            kept = np.array([False, True, False, True])
            assert np.array_equal(remove_neurons(up.copy(), np.ones(4), np.ones((3, 4)), kept)[0], up[kept])
        without the bias: does not catch the one
            rng = np.random.default_rng(0)
            up, bias, down = rng.normal(size=(5, 3)), rng.normal(size=5), rng.normal(size=(3, 5))
            kept = np.array([False, True, False, True, True])
            a, b, c = remove_neurons(up.copy(), bias, down.copy(), kept)
            assert np.array_equal(a, up[kept]) and np.array_equal(c, down[:, kept])
        the example alone [hidden]: sets|first|last|reverse|wrong version|place
            up, bias, down = np.array([[1.0], [2], [3]]), np.array([4.0, 5, 6]), np.array([[7.0, 8, 9]])
            a, b, c = remove_neurons(up, bias, down, np.array([True, False, True]))
            assert a.tolist() == [[1], [3]] and b.tolist() == [4, 6] and c.tolist() == [[7, 9]]
        demands views: rejects a correct version
            up, bias, down = np.ones((4, 3)), np.ones(4), np.ones((3, 4))
            a, b, c = remove_neurons(up, bias, down, np.array([True, True, False, False]))
            assert np.shares_memory(a, up)
        rows of down: rejects a correct version
            rng = np.random.default_rng(0)
            up, bias, down = rng.normal(size=(4, 4)), rng.normal(size=4), rng.normal(size=(4, 4))
            kept = np.array([False, True, False, True])
            a, b, c = remove_neurons(up, bias, down, kept)
            assert np.array_equal(a, up[kept]) and np.array_equal(c, down[kept])
        inverted: rejects a correct version
            up, bias, down = np.ones((4, 3)), np.arange(4.0), np.ones((3, 4))
            a, b, c = remove_neurons(up, bias, down, np.array([False, True, True, True]))
            assert len(b) == 1
        returns: your test returns a value
            a, b, c = remove_neurons(np.ones((4, 3)), np.ones(4), np.ones((3, 4)), np.ones(4, bool))
            return len(a) == 4
        prints: contains no `assert`
            print(remove_neurons(np.ones((4, 3)), np.ones(4), np.ones((3, 4)), np.ones(4, bool)))
        without by_name: cannot be run
            @by_name\\ndef => def
        """,
)
