// Access to the numbers of one pass by name and index. See trace.py for the arrays.

/** Read a trace. off: the parts that are switched off in it. Returns {header, tokens, L, H, T, D, K, F, mean (see
    attentionMeans), of}, where of(name, ...indices) returns the subarray at these first indices. */
export function numbers({header, array}, off) {
  const {layers: L, heads: H, hidden: D, inner: F} = header.sizes;
  const T = header.tokens.length;
  const K = D / H;
  const of = (name, ...places) => {
    const [, shape] = header.arrays[name];
    const length = shape.slice(places.length).reduce((a, b) => a * b, 1);
    const start = places.reduce((sum, place, i) => sum * shape[i] + place, 0) * length;
    return array(name).subarray(start, start + length);
  };
  return {header, tokens: header.tokens, L, H, T, D, K, F, of, mean: attentionMeans(of, L, H, T, off)};
}

/** Return the sum of a token's three embeddings. */
export function embeddingSum(of, t) {
  const [position, segment] = [of("position", t), of("segment", t)];
  return of("token", t).map((x, d) => x + position[d] + segment[d]);
}

/** Return the attention of each layer, averaged over the heads that are on: L arrays (T x T), 0 if all are off. */
function attentionMeans(of, L, H, T, off) {
  return Array.from({length: L}, (_, layer) => {
    const mean = new Float32Array(T * T);
    const on = Array.from({length: H}, (_, head) => head).filter(head => !isOff(off, layer, head));
    for (const head of on) of("probs", layer, head).forEach((p, i) => (mean[i] += p / on.length));
    return mean;
  });
}

/** Return true if a head or its whole layer is switched off. head: null to ask about the layer only. */
export function isOff(off, layer, head = null) {
  return off.some(([kind, l, h]) => l === layer && (kind === "layer" || (head !== null && h === head)));
}
