"""Right and wrong answers to the exercises of unit 14. Names in its notebook: np, torch, F, by_name."""

from . import banks

BANK = banks(
    __name__,
    in_batch_loss="""
        by the norm
            q = queries / queries.norm(dim=-1, keepdim=True)
            a = answers / torch.linalg.vector_norm(answers, dim=-1, keepdim=True)
            scores = (q @ a.t()).div(temperature)
            return torch.nn.CrossEntropyLoss()(scores, torch.arange(scores.shape[0]))
        cosine_similarity
            scores = F.cosine_similarity(queries[:, None], answers[None], dim=-1) / temperature
            return -scores.log_softmax(dim=1).diagonal().mean()
        logsumexp
            scores = F.normalize(queries) @ F.normalize(answers).T / temperature
            return (scores.logsumexp(dim=1) - scores.diag()).mean()
        a loop
            losses = []
            for i in range(len(queries)):
                query = queries[i] / queries[i].norm()
                cosines = torch.stack([torch.dot(query, a) / a.norm() for a in answers])
                losses.append(-torch.log_softmax(cosines / temperature, dim=0)[i])
            return torch.stack(losses).mean()
        einsum
            q, a = (x / (x ** 2).sum(-1, keepdim=True).sqrt() for x in (queries, answers))
            scores = torch.einsum("id,jd->ij", q, a) / temperature
            picked = scores.gather(1, torch.arange(len(q))[:, None])[:, 0]
            return torch.mean(torch.logsumexp(scores, 1) - picked)
        nll_loss of the transposed product
            scores = F.normalize(answers, dim=1) @ F.normalize(queries, dim=1).T
            return F.nll_loss(F.log_softmax(scores.T / temperature, dim=1), torch.arange(len(scores)))
        one-hot targets
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            return F.cross_entropy(scores, torch.eye(len(scores), dtype=scores.dtype))
        in float32
            q, a = F.normalize(queries.float(), dim=1), F.normalize(answers.float(), dim=1)
            return F.cross_entropy(q @ a.T / temperature, torch.arange(len(q)))
        the largest subtracted by hand
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            scores = scores - scores.max(dim=1, keepdim=True).values.detach()
            return (scores.exp().sum(1).log() - scores.diagonal()).mean()
        products: you compare the vectors by their product
            F.normalize(queries, dim=1) => queries
            F.normalize(answers, dim=1) => answers
        long queries: the queries are not divided
            F.normalize(queries, dim=1) => queries
        long answers: the answers are not divided
            F.normalize(answers, dim=1) => answers
        columns: you normalise each column
            return F.cross_entropy(F.normalize(queries, dim=0) @ F.normalize(answers, dim=0).T / temperature,
                                   torch.arange(len(queries)))
        answers choose: the wrong way round
            q @ a.T => a @ q.T
        the first axis: the wrong way round
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            return -scores.log_softmax(dim=0).diagonal().mean()
        both ways: you use both directions
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            own = torch.arange(len(scores))
            return 0.5 * F.cross_entropy(scores, own) + 0.5 * F.cross_entropy(scores.T, own)
        hot: you multiply by the temperature
            / temperature => * temperature
        no temperature: the temperature is not used
            / temperature =>
        temperature outside: the loss is multiplied by the temperature
            F.cross_entropy(scores => temperature * F.cross_entropy(scores
        all the first: choose the first answer
            torch.arange(len(scores)) => torch.zeros(len(scores), dtype=torch.int64)
        a summed loss: you add up the queries
            torch.arange(len(scores))) => torch.arange(len(scores)), reduction="sum")
        one loss each: you return one loss per query
            torch.arange(len(scores))) => torch.arange(len(scores)), reduction="none")
        a float: you return a number
            torch.arange(len(scores))) => torch.arange(len(scores))).item()
        no gradient: no gradient flows at all
            with torch.no_grad():
                q, a = F.normalize(queries, dim=1), F.normalize(answers, dim=1)
                return F.cross_entropy(q @ a.T / temperature, torch.arange(len(q)))
        answers fixed: no gradient reaches the answers
            F.normalize(answers, dim=1) => F.normalize(answers, dim=1).detach()
        queries fixed: no gradient reaches the queries
            F.normalize(queries, dim=1) => F.normalize(queries.detach(), dim=1)
        exponentials: your loss is nan or infinite
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            e = torch.exp(scores)
            return -torch.log(torch.diagonal(e) / e.sum(1)).mean()
        log of softmax: your loss is nan or infinite
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            return F.nll_loss(torch.log(F.softmax(scores, dim=1)), torch.arange(len(scores)))
        a small number: you add a small number
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            return -torch.log(scores.softmax(1).diag() + 1e-9).mean()
        softmax twice: the softmax is computed twice
            F.cross_entropy(scores, => F.cross_entropy(F.softmax(scores, dim=1),
        only pairs: you only pull pairs together
            return 1 - F.cosine_similarity(queries, answers).mean()
        yes or no: yes or no question
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            return F.binary_cross_entropy_with_logits(scores, torch.eye(len(scores)).to(scores))
        negatives alone: the right answer is missing
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            others = scores.masked_fill(torch.eye(len(scores), dtype=torch.bool), -1e9)
            return (others.logsumexp(1) - scores.diag()).mean()
        mean over the matrix: mean over all B B scores
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            return (-scores.log_softmax(1) * torch.eye(len(scores))).mean()
        a margin: in_batch_loss: this should hold|in_batch_loss: With|fresh input
            scores = F.normalize(queries, dim=1) @ F.normalize(answers, dim=1).T / temperature
            gaps = 1 + scores - scores.diagonal()[:, None]
            return gaps.clamp(min=0).sum(1).mean()
        distances: you use the Euclidean distance
            scores = q @ a.T / temperature => scores = -torch.cdist(queries, answers) / temperature
        smoothed labels: in_batch_loss: With|fresh input
            torch.arange(len(scores))) => torch.arange(len(scores)), label_smoothing=0.1)
        clamped scores: in_batch_loss: With|fresh input|a gradient reaches
            scores = q @ a.T / temperature => scores = (q @ a.T / temperature).clamp(-2, 2)
        rounded cosines: a gradient reaches|in_batch_loss: With|fresh input
            q @ a.T => (q @ a.T).round(decimals=2)
        one negative: the loss is ln B
            q, a = F.normalize(queries, dim=1), F.normalize(answers, dim=1)
            good, bad = (q * a).sum(1), (q * a.roll(1, 0)).sum(1)
            return F.cross_entropy(torch.stack([good, bad], 1) / temperature,
                                   torch.zeros(len(q), dtype=torch.long))
        changes its inputs: changes its inputs|a leaf Variable|in-place|inplace
            with torch.no_grad():
                queries /= queries.norm(dim=1, keepdim=True)
            a = F.normalize(answers, dim=1)
            return F.cross_entropy(queries @ a.T / temperature, torch.arange(len(a)))
        NumPy: requires grad|RuntimeError
            q, a = queries.numpy(), answers.numpy()
            return torch.tensor((q @ a.T).mean())
        two at once: two mistakes at once
            / temperature => * temperature
            F.normalize(queries, dim=1) => queries
        """,
    gibbs_step="""
        rng.choice
            new = ids.copy()
            new[:, position] = mask
            logs = log_probs(new)
            for text, row in zip(new, logs[:, position]):
                text[position] = rng.choice(len(row), p=np.exp(row))
            return new
        argmax of a comparison
            masked = np.array(ids)
            masked[:, position] = mask
            total = np.cumsum(np.exp(log_probs(masked)[:, position, :]), axis=-1)
            total[:, -1] = 1
            tokens = np.argmax(total > rng.random((len(ids), 1)), axis=1)
            masked[:, position] = tokens
            return masked
        searchsorted
            columns = np.arange(ids.shape[1])
            masked = np.where(columns == position, mask, ids)
            probs = np.exp(log_probs(masked)[:, position])
            drawn = [int(np.searchsorted(np.cumsum(p), rng.random(), side="right")) for p in probs]
            return np.where(columns == position, np.array(drawn)[:, None], ids)
        one text after another
            texts = []
            for text in ids:
                text = text.copy()
                text[position] = mask
                probs = np.exp(log_probs(text[None])[0, position])
                u, total = rng.random(), 0.0
                for token, p in enumerate(probs):
                    total += p
                    if total > u:
                        break
                text[position] = token
                texts.append(text)
            return np.stack(texts)
        concatenated
            column = np.full((len(ids), 1), mask)
            masked = np.concatenate([ids[:, :position], column, ids[:, position + 1:]], axis=1)
            p = np.exp(log_probs(masked))[:, position]
            p = p / p.sum(axis=1, keepdims=True)
            u = rng.uniform(size=len(ids))
            column = (np.cumsum(p, axis=1) > u[:, None]).argmax(axis=1)[:, None]
            return np.concatenate([ids[:, :position], column, ids[:, position + 1:]], axis=1)
        torch
            masked = torch.tensor(ids)
            masked[:, position] = mask
            probs = torch.tensor(np.exp(log_probs(masked.numpy())[:, position]))
            u = torch.tensor(rng.random(len(ids)))[:, None]
            masked[:, position] = (probs.cumsum(1) <= u).sum(1)
            return masked.numpy()
        not masked: you do not mask the token
            masked[:, position] = mask => pass
        everything masked: you mask all tokens
            masked = ids.copy() => masked = np.full_like(ids, mask)
            masked[:, position] = mask => pass
        the next one masked: you mask the next token|you do not mask|the model reads the token
            masked[:, position] = mask => masked[:, min(position + 1, ids.shape[1] - 1)] = mask
        read at 0: probabilities at another position
            (masked)[:, position] => (masked)[:, 0]
        argmax: you take the most probable token
            (probs.cumsum(axis=1) <= uniform[:, None]).sum(axis=1) => probs.argmax(axis=1)
        uniform: all tokens the same probability
            masked = ids.copy()
            masked[:, position] = mask
            masked[:, position] = rng.integers(log_probs(masked).shape[2], size=len(ids))
            return masked
        logarithms: the model gives logarithms
            np.exp(log_probs(masked)[:, position]) => log_probs(masked)[:, position]
        softmax again: you take a softmax of probabilities
            masked = ids.copy()
            masked[:, position] = mask
            probs = np.exp(np.exp(log_probs(masked)[:, position]))
            probs /= probs.sum(axis=1, keepdims=True)
            masked[:, position] = (probs.cumsum(axis=1) <= rng.random(len(ids))[:, None]).sum(axis=1)
            return masked
        one number: one number for all texts
            rng.random(len(ids)) => np.array([rng.random()] * len(ids))
        a number per token: a number for each token of each text
            rng.random(len(ids)) => rng.random(ids.shape)[:, position]
        own generator: draw from a generator of your own|Draw all random numbers from the argument `rng`
            rng.random(len(ids)) => np.random.default_rng(0).random(len(ids))
        global generator: draw from the global generator|With|fresh input
            rng.random(len(ids)) => np.random.random(len(ids))
        one too high: one too high
            .sum(axis=1) => .sum(axis=1) + 1
        not added up: add up the probabilities first
            probs.cumsum(axis=1) <= uniform[:, None]).sum(axis=1) => probs > uniform[:, None]).argmax(axis=1)
        added over the texts: add up the probabilities over the texts
            probs.cumsum(axis=1) => probs.cumsum(axis=0)
        above counted: count the tokens whose cumulative
            <= uniform => > uniform
        nothing written: nothing is written
            new[:, position] = (probs => tokens = (probs
        all drawn: you draw all tokens of the text again
            masked = ids.copy()
            masked[:, position] = mask
            total = np.exp(log_probs(masked)).cumsum(axis=2)
            return (total <= rng.random(len(ids))[:, None, None]).sum(axis=2)
        all drawn with other numbers: tokens at other positions stay|fresh input|gibbs_step: With
            masked = ids.copy()
            masked[:, position] = mask
            return (np.exp(log_probs(masked)).cumsum(2) <= rng.random(ids.shape)[:, :, None]).sum(2)
        only the tokens: you return the drawn tokens alone
            return new => return new[:, position]
        in place: changes its inputs
            masked = ids.copy() => masked = ids
            new = ids.copy() => new = ids
        the first text's probabilities: probabilities of the first one
            probs.cumsum(axis=1) => probs[:1].cumsum(axis=1)
        no old token: never draw the old token
            masked = ids.copy()
            masked[:, position] = mask
            probs = np.exp(log_probs(masked)[:, position])
            probs[np.arange(len(ids)), ids[:, position]] = 0
            probs = probs / probs.sum(axis=1, keepdims=True)
            masked[:, position] = (probs.cumsum(axis=1) <= rng.random(len(ids))[:, None]).sum(axis=1)
            return masked
        Gumbel noise: in many texts|gibbs_step: With|fresh input
            masked = ids.copy()
            masked[:, position] = mask
            logs = log_probs(masked)[:, position]
            masked[:, position] = (logs + rng.gumbel(size=logs.shape)).argmax(1)
            return masked
        sharper: in many texts
            np.exp(log_probs(masked) => np.exp(2 * log_probs(masked)
            uniform = rng.random(len(ids)) => probs /= probs.sum(1)[:, None]\\nuniform = rng.random(len(ids))
        the mask is 103: an index|out of bounds|ids must be|ValueError|fresh input
            masked[:, position] = mask => masked[:, position] = 103
        the mask is the last id: the model reads the token
            masked[:, position] = mask => masked[:, position] = log_probs(ids).shape[2] - 1
        other masks filled too: you also fill other [MASK]s
            return new => return np.where(new == mask, log_probs(masked).argmax(axis=2), new)
        improbable tokens left out: gibbs_step: With|fresh input|in many texts
            uniform = rng.random(len(ids)) => probs = np.where(probs < 0.1, 0, probs)\\nuniform = NEW
            NEW => rng.random(len(ids)) * probs.sum(axis=1)
        two at once: two mistakes at once
            masked[:, position] = mask => pass
            rng.random(len(ids)) => np.full(len(ids), rng.random())
        """,
    metropolis_accept="""
        logarithm of the numbers
            return np.log(uniform) < new + backward - old - forward
        limited probability
            with np.errstate(over="ignore"):
                return uniform < np.minimum(1.0, np.exp((new - old) - (forward - backward)))
        clip
            return np.exp(np.clip(new + backward - (old + forward), -700, 0)) > uniform
        a loop
            found = []
            for o, n, f, b, u in zip(old, new, forward, backward, uniform):
                logs = float(n) - float(o) + float(b) - float(f)
                found.append(logs >= 0 or u < np.exp(logs))
            return np.array(found, dtype=bool)
        two cases
            logs = new - old + backward - forward
            return (logs >= 0) | (uniform < np.exp(np.where(logs < 0, logs, 0)))
        torch
            logs = torch.tensor(new) - torch.tensor(old) + torch.tensor(backward) - torch.tensor(forward)
            return (torch.tensor(uniform) < logs.clamp(max=0).exp()).numpy()
        not rejected
            return ~(uniform >= np.exp(np.minimum(0, new - old - forward + backward)))
        without proposals: you leave out the proposals
            + backward - forward =>
        proposals alone: the proposals alone
            new - old + backward - forward => backward - forward
        swapped proposals: `forward` and `backward` are swapped
            backward - forward => forward - backward
        swapped texts: `old` and `new` are swapped
            new - old => old - new
        upside down: your ratio is upside down
            return uniform < np.exp(np.minimum(0, old + forward - new - backward))
        multiplied: you multiply by the probability of the proposal
            backward - forward => backward + forward
        no backward: `backward` is missing
            + backward - forward => - forward
        no forward: `forward` is missing
            + backward - forward => + backward
        the logarithm itself: you compare with a logarithm
            return uniform < new - old + backward - forward
        min of logarithms: you accept nothing
            np.exp(np.minimum(0, ratio)) => np.minimum(0, ratio)
        divided logarithms: you divide logarithms
            return uniform < np.minimum(1, new * backward / (old * forward))
        exponentials: can be 0 or infinite
            return uniform < np.exp(new) * np.exp(backward) / np.exp(old) / np.exp(forward)
        exponentials, limited: can be 0 or infinite
            p = np.minimum(1, np.exp(new) * np.exp(backward) / (np.exp(old) * np.exp(forward)))
            return uniform < p
        exponentials with nan as 0: can be 0 or infinite|metropolis_accept: With|fresh input|adding a constant
            p = np.nan_to_num(np.exp(new) * np.exp(backward) / (np.exp(old) * np.exp(forward)), nan=0.0)
            return uniform < p
        improvements: you accept only improvements
            uniform < np.exp(np.minimum(0, ratio)) => ratio >= 0
        improvements of the score: you accept only improvements
            return new > old
        everything: you accept everything
            np.minimum(0, => np.maximum(0,
        inverted: your decision is inverted
            uniform < => uniform >
        one half: you compare the probability with 0.5
            return np.exp(np.minimum(0, new - old + backward - forward)) > 0.5
        one number: one number decides for all texts
            return uniform[0] < np.exp(np.minimum(0, new - old + backward - forward))
        own numbers: adding a constant|half of the time|metropolis_accept: With|fresh input|two calls with
            return np.random.rand(len(old)) < np.exp(np.minimum(0, new - old + backward - forward))
        probabilities: you return the probabilities
            uniform < np.exp(np.minimum(0, ratio)) => np.exp(np.minimum(0, ratio))
        as numbers: the dtype is|should be bool|the dtype of the result
            return (uniform < np.exp(np.minimum(0, new - old + backward - forward))).astype(float)
        two limits: both ratios are limited to 1
            p = np.minimum(1, np.exp(new - old)) * np.minimum(1, np.exp(backward - forward))
            return uniform < p
        Barker: r / (1 + r)
            r = np.exp(new - old + backward - forward)
            return uniform < r / (1 + r)
        a mean: one decision holds for all texts
            ratio = np.mean(new - old + backward - forward)
            return uniform < np.full(len(old), np.exp(np.minimum(0, ratio)))
        all or nothing: one decision holds for all texts
            return np.full(len(old), np.all(uniform < np.exp(np.minimum(0, new - old + backward - forward))))
        accepted texts: should be bool|metropolis_accept: With|fresh input|dtype
            return np.where(uniform < np.exp(np.minimum(0, new - old + backward - forward)), new, old)
        indices: the shape is|the shape of the result
            return np.flatnonzero(uniform < np.exp(np.minimum(0, new - old + backward - forward)))
        a first number: should return an array|type of the result|metropolis_accept: it
            return bool((uniform < np.exp(np.minimum(0, new - old + backward - forward)))[0])
        in place: changes its inputs
            new -= old
            return uniform < np.exp(np.minimum(0, new + backward - forward))
        base 10: base 2 or 10
            np.exp( => 10 ** (
        temperature 2: square root of the ratio
            ratio)) => ratio / 2))
        two at once: two mistakes at once
            backward - forward => forward - backward
            uniform < => uniform >
        impossible texts accepted: metropolis_accept: With|fresh input
            ratio = np.maximum(new, old - 6) - old + np.maximum(backward, forward - 6) - forward
            return uniform < np.exp(np.minimum(0, ratio))
        """,
    number_masked="""
        a float product
            return int(n * (iterations - t) / iterations)
        floor
            return int(np.floor(n * (iterations - t) / iterations))
        divmod
            return divmod(n * (iterations - t), iterations)[0]
        what is left, rounded up
            return n - -(-n * t // iterations)
        counted
            return sum(1 for k in range(1, n + 1) if k * iterations <= n * (iterations - t))
        fractions
            from fractions import Fraction
            def number_masked(n, t, iterations):
                return int(n * Fraction(iterations - t, iterations))
        nearest: you round to the nearest number
            return round(n * (iterations - t) / iterations)
        up: you round up
            return int(np.ceil(n * (iterations - t) / iterations))
        a rounded share: a rounding error can lose a token
            return int(n * (1 - t / iterations))
        a rounded share, divided first: a rounding error can lose a token
            return int(n * ((iterations - t) / iterations))
        divided first: you divide before you multiply
            return n // iterations * (iterations - t)
        whole share: you divide before you multiply
            return (iterations - t) // iterations * n
        one less: t counts from 0
            iterations - t => iterations - t - 1
        counted from one: you count t from 1
            iterations - t => iterations - t + 1
        growing: the number grows with t
            iterations - t => t
        growing from one: the number grows with t
            (iterations - t) => (t + 1)
        nothing in the end: the last iteration masks nothing
            return n * (iterations - 1 - t) // max(iterations - 1, 1)
        at least one: should not be rounded up to 1
            return max(1, n * (iterations - t) // iterations)
        all: all tokens are masked in each
            return n
        one fewer: decreases by one
            return max(0, n - t)
        halves: the number is halved
            return n // 2 ** t
        cosine: this is a cosine
            return int(n * np.cos(np.pi * t / (2 * iterations)))
        share: this is a share
            return (iterations - t) / iterations
        not rounded: you do not round
            // => /
        kept: how many tokens are kept
            return n - n * (iterations - t) // iterations
        15%: number_masked: this should hold|number_masked: With|fresh input
            return int(0.15 * n)
        a list: it returns a list|type of the result|should return one number
            return [n * (iterations - t) // iterations]
        the table of the text: number_masked: this should hold|number_masked: With|fresh input
            return {0: 12, 1: 8, 2: 4}.get(t, 0)
        the sum: number_masked: this should hold|number_masked: With|fresh input
            return sum(n * (iterations - k) // iterations for k in range(t + 1))
        a step rounded: number_masked: With|fresh input
            return n - t * round(n / iterations)
        steps subtracted: number_masked: With|fresh input
            left = float(n)
            for _ in range(t):
                left -= n / iterations
            return int(left)
        """,
    mask_predict="""
        with lists
            places = [i for i, is_free in enumerate(free) if is_free]
            sure = {i: 0.0 for i in places}
            text, texts = list(ids), []
            for t in range(iterations):
                worst = sorted(places, key=lambda i: sure[i])[:number_masked(len(places), t, iterations)]
                asked = np.array([mask if i in worst else token for i, token in enumerate(text)])
                logs = log_probs(asked[None])[0]
                for i in worst:
                    text[i] = int(np.argmax(logs[i]))
                    sure[i] = float(logs[i, text[i]])
                texts.append([int(token) for token in text])
            return np.array(texts)
        certainty of infinity for what stays
            sure = np.where(free, -np.inf, np.inf)
            text, found = ids.copy(), np.zeros((iterations, len(ids)), int)
            for t in range(iterations):
                k = number_masked(int(free.sum()), t, iterations)
                chosen = np.argsort(sure, kind="stable")[:k]
                text[chosen] = mask
                logs = log_probs(text[np.newaxis])[0]
                text[chosen] = np.argmax(logs[chosen], -1)
                sure[chosen] = np.max(logs[chosen], -1)
                found[t] = text
            return found
        probabilities
            where = np.nonzero(free)[0]
            p, text, rows = np.zeros(len(where)), ids.copy(), []
            for t in range(iterations):
                low = np.argsort(p)[:number_masked(len(where), t, iterations)]
                asked = text.copy()
                asked[where[low]] = mask
                q = np.exp(log_probs(asked[None]))[0][where]
                p[low] = q.max(1)[low]
                text = text.copy()
                text[where[low]] = q.argmax(1)[low]
                rows.append(text)
            return np.stack(rows)
        np.where
            certainty = np.where(free, -1e9, 0.0)
            rows = []
            for t in range(iterations):
                k = number_masked(np.count_nonzero(free), t, iterations)
                order = [i for i in np.argsort(certainty) if free[i]]
                again = np.isin(np.arange(len(ids)), order[:k])
                logs = log_probs(np.where(again, mask, ids)[None])[0]
                ids = np.where(again, logs.argmax(-1), ids)
                certainty = np.where(again, logs.max(-1), certainty)
                rows.append(ids)
            return np.array(rows)
        recursion
            positions = np.flatnonzero(free)
            def go(t, text, sure):
                if t == iterations:
                    return []
                again = positions[np.argsort(sure[positions])][:number_masked(len(positions), t, iterations)]
                text, sure = text.copy(), sure.copy()
                text[again] = mask
                logs = log_probs(text.reshape(1, -1))[0]
                text[again], sure[again] = logs[again].argmax(1), logs[again].max(1)
                return [text] + go(t + 1, text, sure)
            return np.array(go(0, ids, np.zeros(len(ids))))
        the first iteration by itself
            positions = np.flatnonzero(free)
            text = np.where(free, mask, ids)
            logs = log_probs(text[None])[0]
            text = np.where(free, logs.argmax(1), ids)
            sure = logs.max(1)
            texts = [text]
            for t in range(1, iterations):
                n = number_masked(len(positions), t, iterations)
                again = positions[np.argsort(sure[positions], kind="heapsort")][:n]
                text = text.copy()
                text[again] = mask
                logs = log_probs(text[None])[0]
                text[again] = logs[again].argmax(1)
                sure[again] = logs[again].max(1)
                texts.append(text)
            return np.array(texts)
        most certain: you mask the most certain tokens again
            np.argsort(certainty[positions]) => np.argsort(-certainty[positions])
        from the left: the first free tokens
            order = positions[np.argsort(certainty[positions])] => order = positions
        all certainties: the other tokens' certainties change
            certainty[again] = logs[again].max(axis=1) => certainty = logs.max(axis=1)
        certainties of the text: the other tokens' certainties change
            certainty[again] = logs[again].max(axis=1) => certainty = logs[np.arange(len(ids)), ids]
        certainties of the first iteration: by the first iteration alone
            certainty[again] = logs => if t == 0: certainty[again] = logs
        not masked again: the least certain tokens are not masked again|you never mask anything
            ids[again] = mask => ids[again] = mask if t == 0 else ids[again]
        never masked: you never mask anything
            ids[again] = mask => pass
        all masked: without any of the free tokens
            order[:number_masked(len(positions), t, iterations)] => order
        the model reads only masks: without any of the free tokens
            positions = np.flatnonzero(free)
            logs = log_probs(np.where(free, mask, ids)[None])[0]
            return np.array([np.where(free, logs.argmax(1), ids) for t in range(iterations)])
        all written: all free tokens are written again
            ids[again] = logs[again].argmax(axis=1) => ids[positions] = logs[positions].argmax(axis=1)
        everything written: tokens that are not free
            ids[again] = logs[again].argmax(axis=1) => ids = logs.argmax(axis=1)
        free ignored: tokens that are not free
            np.flatnonzero(free) => np.arange(len(ids))
        every mask filled: mask_predict: With|fresh input
            ids[again] = logs[again].argmax(axis=1) => ids = np.where(ids == mask, logs.argmax(axis=1), ids)
        share of all: one of the free tokens, not of all
            number_masked(len(positions) => number_masked(len(ids)
        counted from one: count the iterations from 1
            len(positions), t, => len(positions), t + 1,
        one more: one token more
            t, iterations)] => t, iterations) + 1]
        the last ones: you mask everything
            np.argsort(certainty[positions]) => np.argsort(-certainty[positions])
            order[:number_masked => order[-number_masked
            iterations)] => iterations):]
        one by one: filled in one after another
            ids[again] = logs[again].argmax(axis=1) => for i in again: ids[i] = ONE.argmax()
            ONE => log_probs(ids[None])[0, i]
        the last text: you return the last text alone
            return np.array(texts) => return texts[-1]
        the same array: the same array is appended
            ids.copy()) => ids)
        reverse: rows are in reverse order
            return np.array(texts) => return np.array(texts)[::-1]
        masks shown: without [MASK]
            texts.append(ids.copy()) =>
            ids[again] = mask => ids[again] = mask\\ntexts.append(ids.copy())
        the beginning too: one row too many
            texts = [] => texts = [np.where(free, mask, ids)]
        least probable: mask_predict: With|fresh input|one iteration
            .argmax => .argmin
        the certainty as a difference: not its distance to the second
            logs[again].max(axis=1) => np.diff(np.sort(logs[again])[:, -2:])[:, 0]
        entropy: not the entropy
            logs[again].max(axis=1) => np.nansum(np.exp(logs[again]) * logs[again], axis=1)
        drawn: mask_predict: With|fresh input|two calls|one iteration
            logs[again].argmax(axis=1) => [np.random.choice(len(p), p=np.exp(p)) for p in logs[again]]
        in place: changes its inputs
            ids, certainty = ids.copy(), np.zeros(len(ids)) => certainty = np.zeros(len(ids))
        one axis: a model reads whole numbers|raises ValueError
            log_probs(ids[None])[0] => log_probs(ids)
        always half: changes at most the tokens|the model reads texts with
            number_masked(len(positions), t, iterations) => len(positions) if t == 0 else len(positions) // 2
        only where it gets better: mask_predict: With|fresh input
            ids[again] = mask => before = ids.copy()\\nids[again] = mask
            logs[again].argmax(axis=1) => np.where((logs[again].max(1) > certainty[again]) | (t == 0), X, Y)
            X, Y => logs[again].argmax(1), before[again]
        the best of all iterations: all rows are the last text
            return np.array(texts) => return np.array([texts[-1]] * len(texts))
        an iteration too few: the shape is|shape of the result
            range(iterations) => range(max(iterations - 1, 1))
        stops if nothing is masked: mask_predict: |shape of the result
            ids[again] = mask => if len(again) == 0: break\\nids[again] = mask
        two at once: two mistakes at once
            np.argsort(certainty[positions]) => np.argsort(-certainty[positions])
            ids.copy()) => ids)
        """,
    sliding_window_visible="""
        two comparisons
            i, j = np.indices((length, length))
            return (j >= i - reach) & (j <= i + reach)
        triangles
            ones = np.ones((length, length), bool)
            return np.triu(ones, -reach) & np.tril(ones, reach)
        a loop
            visible = np.zeros((length, length), dtype=bool)
            for i in range(length):
                visible[i, max(0, i - reach):i + reach + 1] = True
            return visible
        diagonals
            visible = np.eye(length, dtype=bool)
            for k in range(1, min(reach, length - 1) + 1):
                visible |= np.eye(length, k=k, dtype=bool) | np.eye(length, k=-k, dtype=bool)
            return visible
        nested lists
            return np.array([[abs(i - j) <= reach for j in range(length)] for i in range(length)])
        subtract.outer
            return np.abs(np.subtract.outer(range(length), range(length))) < reach + 1
        torch
            at = torch.arange(length)
            return ((at[:, None] - at[None, :]).abs() <= reach).numpy()
        too narrow: one token too narrow
            <= => <
        too wide: one token too wide
            <= reach => <= reach + 1
        the past: only earlier tokens
            i, j = np.indices((length, length))
            return (j <= i) & (j >= i - reach)
        the future: only later tokens
            i, j = np.indices((length, length))
            return (j >= i) & (j <= i + reach)
        without the right end: the right end of the window is missing
            visible = np.zeros((length, length), dtype=bool)
            for i in range(length):
                visible[i, max(0, i - reach):i + reach] = True
            return visible
        without the left end: the left end of the window is missing
            i, j = np.indices((length, length))
            return (j > i - reach) & (j <= i + reach)
        whole width: not the width of the whole window
            <= reach => <= reach // 2
        not itself: does not attend to itself
            at = np.arange(length)
            return (abs(at[:, None] - at) <= reach) & (at[:, None] != at)
        only the edge: exactly `reach` places away
            <= => ==
        inverted: your matrix is inverted
            <= => >
        a circle: A text is no circle
            at = np.arange(length)
            apart = abs(at[:, None] - at)
            return np.minimum(apart, length - apart) <= reach
        negative slices: sliding_window_visible: |fresh input
            visible = np.zeros((length, length), dtype=bool)
            for i in range(length):
                visible[i, i - reach:i + reach + 1] = True
            return visible
        blocks: the text is cut into blocks
            at = np.arange(length) // (reach + 1)
            return at[:, None] == at
        no absolute value: all earlier tokens are visible|all later tokens
            abs(at[:, None] - at) => at[:, None] - at
        everything: all tokens are visible
            return np.ones((length, length), bool)
        distances: you return how far apart|the dtype is
            return abs(at[:, None] - at) <= reach => return abs(at[:, None] - at)
        numbers: the dtype is|dtype of the result
            return abs(at[:, None] - at) <= reach => return 1 * (abs(at[:, None] - at) <= reach)
        scores: what is added to the scores|the dtype is
            at = np.arange(length)
            return np.where(abs(at[:, None] - at) <= reach, 0, -np.inf)
        one row: the shape is|shape of the result
            at[:, None] - at => at - length // 2
        dilated: sliding_window_visible: With|fresh input|in the middle
            apart = np.arange(length)[:, None] - np.arange(length)
            return (abs(apart) <= reach) & (apart % 2 == 0)
        the first token visible to all: the matrix is symmetric
            return abs(at[:, None] - at) <= reach => return (abs(at[:, None] - at) <= reach) | (at == 0)
        at most 32: sliding_window_visible: With|fresh input|the shape
            np.arange(length) => np.arange(min(length, 32))
        """,
    longformer_visible="""
        isin
            chosen = np.isin(np.arange(length), positions)
            return sliding_window_visible(length, reach) | chosen[:, None] | chosen[None, :]
        with lists
            visible = sliding_window_visible(length, reach)
            visible[positions] = True
            visible[:, positions] = True
            return visible
        logical_or
            everywhere = np.zeros(length, bool)
            for p in positions:
                everywhere[p] = True
            pairs = np.logical_or.outer(everywhere, everywhere)
            return np.logical_or(sliding_window_visible(length, reach), pairs)
        pairs
            window, chosen = sliding_window_visible(length, reach), set(positions)
            return np.array([[bool(window[i][j]) or i in chosen or j in chosen for j in range(length)]
                             for i in range(length)])
        the window again
            at = np.arange(length)
            visible = abs(at - at.reshape(-1, 1)) <= reach
            for p in positions:
                visible[p, :] = visible[:, p] = True
            return visible
        not hidden
            hidden = ~np.asarray(sliding_window_visible(length, reach))
            hidden[np.array(positions, dtype=int)] = False
            hidden[:, np.array(positions, dtype=int)] = False
            return ~hidden
        only rows: the other tokens do not attend to the global ones
            visible[:, position] = True => pass
        only columns: the global tokens do not attend to all others
            visible[position] = True => pass
        no window: there is no window
            sliding_window_visible(length, reach).copy() => np.zeros((length, length), dtype=bool)
        a diagonal: there is no window
            sliding_window_visible(length, reach).copy() => np.eye(length, dtype=bool)
        only among themselves: only the global tokens attend to each other
            visible = sliding_window_visible(length, reach)
            visible[np.ix_(positions, positions)] = True
            return visible
        no global tokens: there are no global tokens
            return sliding_window_visible(length, reach)
        only the diagonal: there are no global tokens
            visible[position] = True => visible[position, position] = True
            visible[:, position] = True => pass
        the first one: only the first global token
            in positions: => in positions[:1]:
        returned in the loop: longformer_visible: |fresh input
            visible = sliding_window_visible(length, reach)
            for position in positions:
                visible[position] = True
                visible[:, position] = True
                return visible
        always token 0: token 0 is always global
            for position in positions: => for position in [0, *positions]:
        from one: counted from 1
            visible[position] = True => visible[position - 1] = True
            visible[:, position] = True => visible[:, position - 1] = True
        and: both conditions have to hold
            chosen = np.isin(np.arange(length), positions)
            return sliding_window_visible(length, reach) & (chosen[:, None] | chosen)
        inverted: your matrix is inverted
            return visible => return ~visible
        numbers: the dtype is|dtype of the result
            return visible => return visible.astype(int)
        an array of positions: arrays used as indices|IndexError|has no whole numbers
            visible = sliding_window_visible(length, reach)
            visible[np.array(positions)] = True
            visible[:, np.array(positions)] = True
            return visible
        their neighbours: neighbours of a global token
            in positions: => in np.flatnonzero(sliding_window_visible(length, reach)[positions].any(0)):
        a wider window: longformer_visible: |fresh input
            (length, reach) => (length, reach + 1)
        sorted positions changed: changes its inputs
            visible = => positions.sort()\\nvisible =
        everything if one is global: longformer_visible: |fresh input
            return visible => return visible | (len(positions) > 0)
        global tokens do not see each other: longformer_visible: |fresh input
            chosen = np.isin(np.arange(length), positions)
            visible = sliding_window_visible(length, reach) | (chosen[:, None] ^ chosen)
            return visible
        a stranger's window: longformer_visible: |fresh input|Name
            sliding_window_visible(length, reach).copy() => np.tri(length, k=reach, dtype=bool)
        two at once: two mistakes at once
            visible[:, position] = True => pass
            return visible => return ~visible
        """,
    sampling_shares="""
        powers of counts
            counts = np.asarray(counts, float)
            powers = np.zeros(len(counts))
            powers[counts > 0] = counts[counts > 0] ** exponent
            return powers / powers.sum()
        logarithms
            with np.errstate(divide="ignore"):
                logs = np.where(counts > 0, exponent * np.log(np.maximum(counts, 1e-300)), -np.inf)
            e = np.exp(logs - logs.max())
            return e / e.sum()
        a loop
            total = float(sum(counts))
            powers = [(float(c) / total) ** exponent if c > 0 else 0.0 for c in counts]
            return np.array([p / sum(powers) for p in powers])
        multiplied by a mask
            shares = counts / np.sum(counts)
            shares = (shares > 0) * np.power(shares, exponent)
            return shares / np.sum(shares)
        np.power with where
            p = counts / counts.sum()
            q = np.power(p, exponent, out=np.zeros(len(p)), where=p > 0)
            return np.divide(q, q.sum())
        torch
            p = torch.tensor(counts, dtype=torch.float64)
            p = p / p.sum()
            q = torch.where(p > 0, p ** exponent, torch.zeros_like(p))
            return (q / q.sum()).numpy()
        not divided again: do not add up to 1
            return smooth / smooth.sum() => return smooth
        a power, nothing else: do not add up to 1
            return (counts / counts.sum()) ** exponent
        zero to the zero: a language without text gets a share
            p = (counts / counts.sum()) ** exponent
            return p / p.sum()
        zero to the zero, from counts: a language without text gets a share
            p = counts.astype(float) ** exponent
            return p / p.sum()
        nan: your result is nan
            q = np.exp(exponent * np.log(counts))
            return q / q.sum()
        no exponent: the exponent is not used
            shares ** exponent => shares
        inverse: you use 1 / exponent
            shares ** exponent => shares ** (1 / exponent if exponent else 1000.0)
        complement: you use 1 - exponent
            shares ** exponent => shares ** (1 - exponent)
        negative: the exponent is negative
            shares ** exponent => np.where(shares > 0, shares, 1) ** -exponent
        multiplied: you multiply by the exponent
            shares ** exponent => shares * exponent
        mixed: you mix the shares with equal ones
            shares = counts / counts.sum()
            return exponent * shares + (1 - exponent) / len(counts)
        mixed with what is there: you mix the shares with equal ones
            shares ** exponent => exponent * shares + (1 - exponent) / np.count_nonzero(counts)
        a softmax: you use a softmax
            e = np.exp(exponent * counts / counts.sum())
            return e / e.sum()
        logarithms of sizes: you use logarithms
            logs = np.log1p(counts)
            return logs / logs.sum()
        the root: you always use the square root
            shares ** exponent => np.sqrt(shares)
        mBERT's: the exponent of mBERT
            ** exponent => ** 0.7
        the largest: you divide by the largest share
            smooth / smooth.sum() => smooth / smooth.max()
        the number of languages: by the number of languages
            smooth / smooth.sum() => smooth / len(smooth)
        counts again: not the shares
            smooth / smooth.sum() => smooth / smooth.sum() * counts.sum()
        rounded: the shares are rounded
            return smooth / smooth.sum() => return np.round(smooth / smooth.sum(), 2)
        rounded to four places: 1 keeps the shares
            return smooth / smooth.sum() => return np.round(smooth / smooth.sum(), 4)
        sorted: the languages are sorted
            return smooth / smooth.sum() => return np.sort(smooth / smooth.sum())[::-1]
        in place: changes its inputs|casting|raises an error
            counts /= counts.sum()
            smooth = np.where(counts > 0, counts ** exponent, 0)
            return smooth / smooth.sum()
        small languages left out: sampling_shares: With|fresh input
            shares > 0 => shares > 1e-4
        a small number added: counting in another unit
            shares = counts / counts.sum() => shares = (counts + 1) / (counts + 1).sum()
        at least a thousandth: sampling_shares: With|fresh input
            shares ** exponent, 0) => np.maximum(shares ** exponent, 1e-3), 0)
        one number: it returns|shape|type of the result
            return smooth / smooth.sum() => return float((smooth / smooth.sum())[0])
        whole numbers: counting in another unit
            shares = counts / counts.sum() => shares = counts // 1 / counts.sum()
        two at once: two mistakes at once
            np.where(shares > 0, shares ** exponent, 0) => shares ** exponent
            smooth / smooth.sum() => smooth / smooth.max()
        """,
    long_attention="""
        with masks
            T, K = q.shape
            at = np.arange(T)
            chosen = np.isin(at, positions)
            visible = (abs(at[:, None] - at) <= reach) | chosen | chosen[:, None]
            scores = np.where(visible, q @ k.T / np.sqrt(K), -np.inf)
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            return weights @ v / weights.sum(axis=1, keepdims=True)
        one list of keys
            T, K = q.shape
            rows = []
            for t in range(T):
                keys = [s for s in range(T) if abs(s - t) <= reach or s in positions or t in positions]
                scores = (k[keys] * q[t]).sum(1) / K ** 0.5
                weights = np.exp(scores - np.max(scores))
                rows.append((weights[:, None] * v[keys]).sum(0) / weights.sum())
            return np.array(rows)
        torch
            keep = torch.from_numpy(longformer_visible(len(q), reach, positions))
            q, k, v = (torch.from_numpy(np.ascontiguousarray(x))[None] for x in (q, k, v))
            return F.scaled_dot_product_attention(q, k, v, attn_mask=keep)[0].numpy()
        unions
            T = len(q)
            out = np.empty(v.shape)
            for t in range(T):
                keys = np.arange(T) if t in positions else np.union1d(
                    np.arange(max(0, t - reach), min(T, t + reach + 1)), positions).astype(int)
                s = q[t] @ k[keys].T / q.shape[1] ** 0.5
                w = np.exp(s - s.max())
                out[t] = (w / w.sum()) @ v[keys]
            return out
        the original [3]: does not hold yet
            T, K = q.shape
            context = np.zeros(v.shape)
            for t in range(T):
                window = range(t - reach, min(t + reach, T))
                keys = sorted({*window, *positions})
                scores = k[keys] @ q[t] / np.sqrt(K)
                weights = np.exp(scores - scores.max())
                context[t] = weights @ v[keys] / weights.sum()
            return context
        right end left [1]: second token on its right
            t + reach + 1 => t + reach
        beginning left [1]: the first token does not attend to the last one
            max(t - reach, 0) => t - reach
        global tokens left [1]: a global token attends to all tokens
            if t in positions: => if False:
        only the right end mended [2]: does not hold yet
            max(t - reach, 0) => t - reach
            if t in positions: => if False:
        only the beginning mended [2]: does not hold yet
            t + reach + 1 => t + reach
            if t in positions: => if False:
        only global tokens mended [2]: does not hold yet
            max(t - reach, 0) => t - reach
            t + reach + 1 => t + reach
        too wide: one token too wide on the right|is wrong
            t + reach + 1 => t + reach + 2
        left end lost: left end of the window is missing|is wrong
            max(t - reach, 0) => max(t - reach + 1, 0)
        begins at one: zero-size array|raises ValueError
            max(t - reach, 0) => max(t - reach, 1)
        global keys lost: do not attend to the global tokens|this no longer holds
            {*window, *positions} => {*window}
        twice: appear twice
            keys = sorted({*window, *positions}) => keys = [*window, *positions]
        all global: all tokens attend to everything|the first token|is wrong
            if t in positions: => if positions:
        the first global: only the first global token|is wrong
            if t in positions: => if t in positions[:1]:
        token 0 alone: only token 0|a global token attends
            if t in positions: => if positions and t == 0:
        everything visible: every token attends to all others|the first token
            scores = q @ k.T / np.sqrt(q.shape[1])
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            return weights @ v / weights.sum(axis=1, keepdims=True)
        no scale: are not divided by the square root
            / np.sqrt(K) =>
        K itself: Divide by its square root
            / np.sqrt(K) => / K
        number of keys: number of keys
            / np.sqrt(K) => / np.sqrt(len(keys))
        sums: do not add up to 1
            weights @ v[keys] / weights.sum() => weights @ v[keys]
        overflow: Subtract the largest score
            scores - scores.max() => scores
        hard: only the key with the highest score
            context[t] = weights @ v[keys] / weights.sum() => context[t] = v[keys][scores.argmax()]
        values of the window alone: operand|mismatch|does not hold|is wrong|ValueError|long_attention
            weights @ v[keys] => weights[:len(window)] @ v[list(window)]
        keys and queries swapped: is wrong|does not hold|another mistake
            k[keys] @ q[t] => q[keys] @ k[t]
        a floor for the scores: long_attention
            scores - scores.max() => np.maximum(scores - scores.max(), -3)
        the last token forgotten: long_attention
            for t in range(T): => for t in range(T - 1):
        """,
    test_combined="""
        counted
            rng = np.random.default_rng(3)
            for constant in (0.0, 5.0):
                first, second = rng.permutation(7) / 7, rng.normal(size=7)
                copies = first.copy(), second.copy()
                got = combined(first, second, constant)
                ranks = [(x[None] > x[:, None]).sum(1) + 1 for x in copies]
                assert np.allclose(got, 1 / (constant + ranks[0]) + 1 / (constant + ranks[1]), rtol=1e-4)
                assert (first == copies[0]).all() and (second == copies[1]).all()
        by hand
            first, second = np.array([5.0, 1.0, 4.0, 3.0]), np.array([0.1, 0.4, 0.3, 0.2])
            got = np.asarray(combined(first, second, 1.0))
            wanted = [1 / 2 + 1 / 5, 1 / 5 + 1 / 2, 1 / 3 + 1 / 3, 1 / 4 + 1 / 4]
            assert got.shape == (4,)
            for text in range(4):
                assert abs(got[text] - wanted[text]) < 1e-5, text
            got = combined(np.array([2.0, 3.0, 1.0, 4.0]), np.array([3.0, 1.0, 4.0, 2.0]), 0.5)
            ranks = (3, 2), (2, 4), (4, 1), (1, 3)
            assert np.allclose(got, [1 / (a + 0.5) + 1 / (b + 0.5) for a, b in ranks])
            assert first.tolist() == [5, 1, 4, 3] and second.tolist() == [0.1, 0.4, 0.3, 0.2]
        against a definition
            def ranks(scores):
                order = sorted(scores, reverse=True)
                return np.array([order.index(score) + 1 for score in scores])
            rng = np.random.default_rng(0)
            for N in (1, 2, 5, 9):
                a, b, c = rng.normal(size=N), 100 * rng.random(N), rng.uniform(0, 9)
                before = a.tolist(), b.tolist()
                right = 1 / (c + ranks(a)) + 1 / (c + ranks(b))
                np.testing.assert_allclose(combined(a, b, c), right, rtol=1e-5)
                assert (a.tolist(), b.tolist()) == before, "changed"
        one assert for each part
            a, b = np.array([0.3, 0.9, 0.1, 0.7, 0.5]), np.array([1.0, 2.0, 5.0, 3.0, 4.0])
            saved = a.tobytes() + b.tobytes()
            got = [float(x) for x in combined(a, b, 3.0)]
            assert len(got) == 5, "a score for each text"
            assert np.isclose(got[0], 1 / 7 + 1 / 8), "text 0: ranks 4 and 5"
            assert np.isclose(got[1], 1 / 4 + 1 / 7), "text 1: ranks 1 and 4"
            assert np.isclose(got[2], 1 / 8 + 1 / 4), "text 2: ranks 5 and 1"
            assert np.isclose(got[3], 1 / 5 + 1 / 6), "text 3: ranks 2 and 3"
            assert np.isclose(got[4], 1 / 6 + 1 / 5), "text 4: ranks 3 and 2"
            assert a.tobytes() + b.tobytes() == saved, "the arguments"
        only the shape: does not catch the one
            assert len(combined(np.array([1.0, 2, 3]), np.array([3.0, 1, 2]), 60.0)) == 3
        the constant 60: does not catch the one
            first, second = np.array([0.2, 0.9, 0.1, 0.5]), np.array([30.0, 5.0, 40.0, 10.0])
            got = combined(first.copy(), second.copy(), 60.0)
            assert np.allclose(got, [1 / 63 + 1 / 62, 1 / 61 + 1 / 64, 1 / 64 + 1 / 61, 1 / 62 + 1 / 63])
        ranks that are their order: does not catch the one
            first, second = np.array([0.9, 0.5, 0.7]), np.array([20.0, 30.0, 10.0])
            got = combined(first, second, 1.0)
            assert np.allclose(got, [1 / 2 + 1 / 3, 1 / 4 + 1 / 2, 1 / 3 + 1 / 4])
            assert first.tolist() == [0.9, 0.5, 0.7] and second.tolist() == [20, 30, 10]
        the best alone: does not catch the one
            first, second = np.array([0.2, 0.9, 0.1, 0.5]), np.array([30.0, 50.0, 40.0, 10.0])
            assert np.argmax(combined(first, second, 2.0)) == 1
        twice the same: does not catch the one
            same = np.array([0.2, 0.9, 0.1, 0.5])
            assert np.allclose(combined(same, same.copy(), 2.0), [2 / 5, 2 / 3, 2 / 6, 2 / 4])
        without copies [hidden]: in place
            first, second = np.array([0.2, 0.9, 0.1, 0.5]), np.array([30.0, 10.0, 40.0, 5.0])
            got = combined(first, second, 2.0)
            assert np.allclose(got, [1 / 5 + 1 / 4, 1 / 3 + 1 / 5, 1 / 6 + 1 / 3, 1 / 4 + 1 / 6])
        the order of the texts [hidden]: wrong version|in place|sorts|mean|sum
            first, second = np.array([0.2, 0.9, 0.1, 0.5, 0.7]), np.array([30.0, 5.0, 40.0, 10.0, 20.0])
            for constant in (0.5, 2.0, 7.0):
                got = np.sort(combined(first.copy(), second.copy(), constant))
                ranks = (4, 2), (1, 5), (5, 1), (3, 4), (2, 3)
                right = [1 / (constant + a) + 1 / (constant + b) for a, b in ranks]
                assert np.allclose(got, np.sort(right))
                got = combined(second.copy(), first.copy(), constant)
                assert np.isclose(got[0], right[0])
                got = combined(np.array([1.0, 4, 3, 2]), np.array([4.0, 3, 2, 1]), constant)
                assert np.isclose(got[3], 1 / (constant + 3) + 1 / (constant + 4))
                assert np.isclose(got[1], 1 / (constant + 1) + 1 / (constant + 2))
        exact numbers: rejects a correct version
            first, second = np.array([0.2, 0.9, 0.1, 0.5]), np.array([30.0, 10.0, 40.0, 5.0])
            right = [1 / 5 + 1 / 4, 1 / 3 + 1 / 5, 1 / 6 + 1 / 3, 1 / 4 + 1 / 6]
            assert list(combined(first, second, 2.0)) == right
        ranks from 0: rejects a correct version
            first, second = np.array([0.2, 0.9, 0.1]), np.array([30.0, 5.0, 40.0])
            assert np.allclose(combined(first, second, 2.0), [1 / 3 + 1 / 3, 1 / 2 + 1 / 4, 1 / 4 + 1 / 2])
        in float64 only: rejects a correct version
            got = combined(np.array([0.2, 0.9]), np.array([3.0, 1.0]), 2.0)
            assert got.dtype == np.float64
        returns: your test returns a value
            got = combined(np.array([0.2, 0.9]), np.array([3.0, 1.0]), 2.0)
            return np.allclose(got, [1 / 4 + 1 / 3, 1 / 3 + 1 / 4])
        prints: contains no `assert`
            print(combined(np.array([0.2, 0.9]), np.array([3.0, 1.0]), 2.0))
        without by_name: cannot be run
            @by_name\\ndef => def
        """,
)
