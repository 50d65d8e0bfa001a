// BERT in plain JavaScript: it computes every number of one forward pass inside the page.
//
// The model is that of Devlin et al. (2019, arXiv 1810.04805): "BERT: Pre-training of Deep Bidirectional Transformers
// for Language Understanding". Read the file from top to bottom: text becomes tokens, tokens become vectors, layers mix
// and change the vectors, and output heads turn vectors into predictions. The mathematics is at the end.
//
// A vector is a Float32Array, and a sequence is an array of vectors, one for each token. Comments give the sizes:
// T tokens, D numbers in a hidden state, H heads, K = D / H numbers in a head, F in the feed-forward part,
// V tokens in the vocabulary, L layers.

const [UNK, CLS, SEP, MASK] = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const TOP = 5;                                  // predictions for a masked token
const LONGEST = 128;                            // tokens per pass: matrices grow with the square of it

export class Bert {
  // buffer: an ArrayBuffer with weights, vocabulary and sizes.
  constructor(buffer) {
    const { header, weights } = unpack(buffer);
    this.header = header;
    this.weights = weights;                     // by name: a vector, or a matrix as an array of its rows
    this.vocab = header.vocab;
    this.ids = new Map(this.vocab.map((token, id) => [token, id]));
    this.layers = header.config.num_hidden_layers;
    this.heads = header.config.num_attention_heads;
  }

  // ---- 1. From text to tokens ----

  // Split a text into tokens. "[MASK]" is kept; other text is split into words, and words into WordPiece tokens.
  tokenize(text) {
    const tokens = text.split(MASK).map(part => this.words(part).flatMap(word => this.wordpiece(word)));
    return tokens.reduce((before, after) => [...before, MASK, ...after]);
  }

  // Split a text into words like BERT's basic tokenizer: each ideograph or punctuation mark is a separate word.
  words(text) {
    const { lower_case, strip_accents, tokenize_chinese_chars } = this.header, clean = text.replace(CONTROL, "");
    const runs = (tokenize_chinese_chars ? clean.replace(IDEOGRAPH, " $& ") : clean).split(/\s+/u);
    return runs.map(run => lower_case ? run.toLowerCase() : run)
      .map(run => strip_accents ? withoutAccents(run) : run)
      .flatMap(run => run.replace(PUNCTUATION, " $& ").split(" "))
      .filter(word => word !== "");
  }

  // Split a word into tokens, always taking the longest one in the vocabulary. Inside a word, tokens start with ##.
  wordpiece(word) {
    const letters = [...word], tokens = [];
    if (letters.length > this.header.max_characters_per_word) return [UNK];
    const token = (start, end) => (start ? "##" : "") + letters.slice(start, end).join("");
    let start = 0;
    while (start < letters.length) {
      let end = letters.length;
      while (end > start && !this.ids.has(token(start, end))) end--;
      if (end === start) return [UNK];          // no token fits here, so the whole word is unknown
      tokens.push(token(start, end));
      start = end;
    }
    return tokens;
  }

  // Build BERT's input from one or two texts: [CLS] first [SEP] second [SEP]. types are the segments, 0 or 1. If the
  // input exceeds LONGEST or the model's limit, tokens are removed from the end of the longer text; cut counts them.
  read(first, second) {
    const pair = Boolean(second && second.trim());
    const a = this.tokenize(first), b = pair ? this.tokenize(second) : [];
    const room = Math.min(LONGEST, this.header.config.max_position_embeddings) - (pair ? 3 : 2);
    const cut = Math.max(0, a.length + b.length - room);
    for (let left = cut; left > 0; left--) (a.length > b.length ? a : b).pop();
    const tokens = pair ? [CLS, ...a, SEP, ...b, SEP] : [CLS, ...a, SEP];
    return { tokens, types: tokens.map((_, place) => Number(place > a.length + 1)), cut };
  }

  // ---- 2. The encoder: from tokens to hidden states ----

  // Embed the tokens: add the vectors for each token, its position and its segment, and normalise the sum.
  embed(tokens, types) {
    const [word, place, type] = ["word", "position", "token_type"]
      .map(table => this.weights[`encoder.embeddings.${table}.weight`]);        // tables with rows of D
    const token = tokens.map(token => word[this.ids.get(token)]);               // (T, D)
    const position = tokens.map((_, t) => place[t]);                            // (T, D)
    const segment = types.map(t => type[t]);                                    // (T, D)
    const hidden = this.norm(add(add(token, position), segment), "encoder.embeddings.norm");
    return { token, segment, position, hidden };
  }

  // Attention: each token's query is compared with all keys, and the values are mixed according to the match.
  // isOff(h): returns true for a head that is switched off.
  attend(x, name, isOff) {
    const [query, key, value] = ["query", "key", "value"]
      .map(part => splitHeads(this.linear(x, `${name}.${part}`), this.heads));  // (H, T, K)
    const K = query[0][0].length;
    const scores = query.map((queries, h) =>
      queries.map(q => Float32Array.from(key[h], k => dot(q, k) / Math.sqrt(K))));      // (H, T, T)
    const probs = scores.map(rows => rows.map(softmax));                        // (H, T, T), rows sum to 1
    const context = probs.map((rows, h) =>
      rows.map(row => isOff(h) ? new Float32Array(K) : mix(row, value[h])));    // (H, T, K)
    const attended = this.linear(mergeHeads(context), `${name}.out`);           // (T, D)
    return { query, key, value, scores, probs, context, attended };
  }

  // A layer: tokens look at one another, then each is processed alone. Both steps add to their input.
  layer(x, name, isOff) {
    const attention = this.attend(x, `${name}.attention`, isOff);
    const norm1 = this.norm(add(x, attention.attended), `${name}.attention_norm`);      // (T, D)
    const inner = this.linear(norm1, `${name}.feed_forward.up`).map(gelu);      // (T, F)
    const fed = this.linear(inner, `${name}.feed_forward.down`);                // (T, D)
    const hidden = this.norm(add(norm1, fed), `${name}.feed_forward_norm`);     // (T, D)
    return { ...attention, norm1, inner, fed, hidden };
  }

  // Run the embeddings and all layers. off: the parts that are switched off, as for trace.
  encode(tokens, types, off) {
    const switchedOff = new Set(off.map(String));                               // "layer,2" or "head,2,0"
    const { token, segment, position, hidden } = this.embed(tokens, types);
    const states = [hidden], layers = [];
    for (let l = 0; l < this.layers; l++) {
      const x = states[l];
      const found = this.layer(x, `encoder.layers.${l}`, h => switchedOff.has(`head,${l},${h}`));
      if (switchedOff.has(`layer,${l}`)) {
        for (const name in found) found[name] = zeros(found[name]);
        found.norm1 = found.hidden = x;
      }
      states.push(found.hidden);
      layers.push(found);
    }
    const all = Object.keys(layers[0]).map(name => [name, layers.map(found => found[name])]);
    return { token, segment, position, ...Object.fromEntries(all), hidden: states };
  }

  // ---- 3. The output heads: from hidden states to predictions ----

  // Masked tokens: score each token of the vocabulary by its input embedding; the head has no other large matrix.
  tokenLogits(vector) {
    const changed = this.linear([vector], "heads.tokens.transform").map(gelu);
    const [x] = this.norm(changed, "heads.tokens.norm");                        // (D,)
    const word = this.weights["encoder.embeddings.word.weight"];                // (V, D)
    return this.weights["heads.tokens.decoder.bias"].map((shift, id) => dot(word[id], x) + shift);      // (V,)
  }

  // Return the probability of each token of the vocabulary.
  tokenProbs(vector) {
    return softmax(this.tokenLogits(vector)).subarray(0, this.vocab.length);
  }

  // Return the most likely tokens as [token, probability], best first.
  topTokens(probs) {
    const least = probs.slice().sort()[Math.max(0, probs.length - TOP)];
    return [...probs.keys()].filter(id => probs[id] >= least)
      .sort((a, b) => probs[b] - probs[a]).slice(0, TOP).map(id => [this.vocab[id], probs[id]]);
  }

  // Sentence pairs: apply the pooler to the vector of [CLS], and return the probabilities [is next, is random].
  nextSentence(vector) {
    const [pooled] = this.linear([vector], "heads.pair.pooler").map(x => x.map(Math.tanh));
    const [logits] = this.linear([pooled], "heads.pair.classifier");
    return { pooled, probs: softmax(logits) };
  }

  // ---- 4. All numbers of one pass ----

  // first, second: texts; second may be null. masked: the positions of tokens to mask. off: ["head", layer, head]
  // switches a head off, and ["layer", layer] skips a layer (its own numbers are then 0); both count from 0.
  // Returns { header, array(name) }; see trace.py, which computes the same.
  trace(first, second = null, masked = [], off = []) {
    const { tokens, types, cut } = this.read(first, second);
    const special = tokens.map(token => token === CLS || token === SEP);
    this.check(masked, off, special);
    const before = new Map(masked.map(place => [place, tokens[place]]));
    for (const place of masked) tokens[place] = MASK;
    const numbers = this.encode(tokens, types, off);
    const last = numbers.hidden[this.layers];
    let nsp = null;
    if (this.weights["heads.pair.pooler.weight"]) {
      const { pooled, probs } = this.nextSentence(last[0]);
      numbers.pooled = pooled;
      if (types.includes(1)) nsp = [...probs];
    }
    const places = [...tokens.keys()].filter(place => tokens[place] === MASK);
    const probs = places.map(place => numbers.hidden.map(states => this.tokenProbs(states[place])));
    const top = probs.map(layers => layers.map(one => this.topTokens(one)));
    const was = places.map((place, i) => before.has(place) ?
      probs[i].map(one => one[this.ids.get(before.get(place))]) : null);
    const { hidden_size: hidden, intermediate_size: inner } = this.header.config;
    const sizes = { layers: this.layers, heads: this.heads, hidden, inner, tokens: tokens.length };
    const { arrays, array } = inOneRow(numbers);
    return { header: { tokens, types, special, masked: places, cut, sizes, arrays, nsp, top, was },
      array };
  }

  // Throw an error about the first value that is not valid in this pass.
  check(masked, off, special) {
    for (const place of masked) {
      if (special[place] === false) continue;
      throw new Error(`masked: ${place} is not the position of a word among these ${special.length} tokens`);
    }
    for (const part of off) {
      const [kind, layer, head] = part, inside = (i, count) => Number.isInteger(i) && i >= 0 && i < count;
      if (inside(layer, this.layers) && (kind === "head" && part.length === 3 && inside(head, this.heads)
                                         || kind === "layer" && part.length === 2)) continue;
      throw new Error(`off: ${JSON.stringify(part)} is neither ["layer", layer] nor ["head", layer, head] ` +
                      `in a model with ${this.layers} layers of ${this.heads} heads, counted from 0`);
    }
  }

  // Multiply each vector of a sequence by a matrix, and add a bias.
  linear(x, name) {
    const rows = this.weights[`${name}.weight`], bias = this.weights[`${name}.bias`];
    return x.map(vector => bias.map((shift, i) => dot(rows[i], vector) + shift));
  }

  // LayerNorm: bring each vector to mean 0 and variance 1, then apply a learned scale and shift to each number.
  norm(x, name) {
    const scale = this.weights[`${name}.weight`], shift = this.weights[`${name}.bias`];
    return x.map(vector => {
      const mean = sum(vector) / vector.length;
      const variance = sum(vector.map(v => (v - mean) ** 2)) / vector.length;
      const unit = Math.sqrt(variance + this.header.config.layer_norm_eps);
      return vector.map((v, i) => (v - mean) / unit * scale[i] + shift[i]);
    });
  }
}

// ---- The mathematics ----

const sum = vector => vector.reduce((total, v) => total + v, 0);

function dot(a, b) {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
}

// Add two sequences number by number.
const add = (a, b) => a.map((vector, t) => vector.map((v, i) => v + b[t][i]));

// Turn numbers into probabilities, which sum to 1. Larger numbers get larger probabilities.
function softmax(logits) {
  const largest = logits.reduce((a, b) => Math.max(a, b));
  const powers = logits.map(v => Math.exp(v - largest)), total = sum(powers);
  return powers.map(v => v / total);
}

// Return the mean of vectors, weighted by probabilities.
function mix(probs, vectors) {
  const mean = new Float32Array(vectors[0].length);
  vectors.forEach((vector, t) => vector.forEach((v, i) => { mean[i] += probs[t] * v; }));
  return mean;
}

// GELU keeps large positive numbers and turns negative ones into nearly 0: it is x times the share of a normal
// distribution that lies below x.
const gelu = vector => vector.map(x => x / 2 * (1 + erf(x / Math.SQRT2)));

// The error function with an error below 2e-7 (Abramowitz and Stegun, 1964, formula 7.1.26).
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592]
    .reduce((total, factor) => (total + factor) * t, 0);
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}

// Give each head K neighbouring numbers of each vector: (T, D) -> (H, T, K). mergeHeads does the reverse.
function splitHeads(x, heads) {
  const K = x[0].length / heads;
  return Array.from({ length: heads }, (_, h) => x.map(vector => vector.subarray(h * K, (h + 1) * K)));
}

const mergeHeads = parts => parts[0].map((_, t) => Float32Array.from(parts.flatMap(part => [...part[t]])));

// ---- Characters ----

const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cf}\ufffd]/gu;
const PUNCTUATION = /[\p{P}$+<=>^`|~]/gu;
const IDEOGRAPH =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

// é is e plus an accent mark; marks are removed.
const withoutAccents = run => run.normalize("NFD").replace(/\p{Mn}/gu, "");

// ---- Numbers in, numbers out ----

// Read the buffer: the header's length, the header and the tensors. A matrix has a scale per row, then int8 numbers.
function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const weights = {};
  for (const [name, [offset, [rows, columns], kind]] of Object.entries(header.tensors)) {
    const start = 4 + length + offset, numbers = new Float32Array(buffer, start, rows);
    const codes = row => new Int8Array(buffer, start + 4 * rows + row * columns, columns);
    weights[name] = kind === "f32" ? numbers :
      Array.from(numbers, (scale, row) => new Float32Array(codes(row)).map(code => code * scale));
  }
  return { header, weights };
}

// Return nested arrays of the same shape, filled with zeros.
const zeros = nested => ArrayBuffer.isView(nested) ? nested.map(() => 0) : nested.map(zeros);

// Flatten nested arrays. arrays gives the offset in bytes and the shape of each.
function inOneRow(numbers) {
  const flat = {}, arrays = {};
  let offset = 0;
  for (const [name, nested] of Object.entries(numbers)) {
    const vectors = [nested].flat(Infinity), shape = [];
    for (let part = nested; part.length !== undefined; part = part[0]) shape.push(part.length);
    flat[name] = new Float32Array(shape.reduce((a, b) => a * b));
    vectors.forEach((vector, i) => flat[name].set(vector, i * vector.length));
    arrays[name] = [offset, shape, "f32"];
    offset += flat[name].byteLength;
  }
  return { arrays, array: name => flat[name] };
}
