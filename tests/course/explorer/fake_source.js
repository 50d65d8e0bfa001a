// A source of traces without a model: the right shapes, numbers that depend on the place and on what is switched off.
// Each further model has one more layer; the third one is uncased.
window.fakeSource = ({layers: least = 3, heads = 2, hidden = 8, inner = 12, longest = 64} = {}) => {
  const WORDS = ["street", "river", "school", "park", "house"];
  const noise = seed => { const x = Math.sin(seed * 12.9898) * 43758.5453; return x - Math.floor(x) - 0.5; };
  const source = {asked: [], delay: 0, fail: null};

  const softmax = row => {
    const powers = row.map(Math.exp), sum = powers.reduce((a, b) => a + b, 0);
    return powers.map(power => power / sum);
  };

  source.trace = async ({first, second, masked, off, model}) => {
    source.asked.push({first, second, masked, off, model});
    const wait = source.delay;
    if (wait) await new Promise(done => setTimeout(done, wait));
    if (source.fail) throw new Error(source.fail);
    const layers = least + model;
    const cased = text => (model === 2 ? text.toLowerCase() : text);
    const words = text => cased(text).replace(/([.,])/g, " $1").split(/\s+/).filter(Boolean);
    const a = words(first), b = second ? words(second) : [];
    const cut = Math.max(0, a.length + b.length + (second ? 3 : 2) - longest), kept = a.slice(0, a.length - cut);
    const tokens = ["[CLS]", ...kept, "[SEP]", ...(second ? [...b, "[SEP]"] : [])];
    const special = tokens.map(token => token === "[CLS]" || token === "[SEP]");
    const types = tokens.map((_, t) => (t > kept.length + 1 ? 1 : 0));
    masked.forEach(t => { tokens[t] = "[MASK]"; });
    const places = tokens.flatMap((token, t) => (token === "[MASK]" ? [t] : [])), T = tokens.length, K = hidden / heads;
    const shift = off.length + masked.reduce((sum, t) => sum + t, 0);
    const shapes = {token: [T, hidden], segment: [T, hidden], position: [T, hidden], hidden: [layers + 1, T, hidden],
      query: [layers, heads, T, K], key: [layers, heads, T, K], value: [layers, heads, T, K],
      scores: [layers, heads, T, T], probs: [layers, heads, T, T], context: [layers, heads, T, K],
      attended: [layers, T, hidden], norm1: [layers, T, hidden], inner: [layers, T, inner], fed: [layers, T, hidden], pooled: [hidden]};
    const arrays = {};
    Object.entries(shapes).forEach(([name, shape], n) => {
      const length = shape.reduce((x, y) => x * y, 1);
      arrays[name] = Float32Array.from({length}, (_, i) => 4 * noise(i + 1000 * n + shift));
    });
    for (let start = 0; start < arrays.scores.length; start += T) {
      arrays.probs.set(softmax([...arrays.scores.slice(start, start + T)]), start);
    }
    const top = places.map(place => Array.from({length: layers + 1}, (_, layer) => {
      const order = WORDS.map((word, i) => [word, 0.02 + 0.15 * (0.5 + noise(i + 10 * layer + 100 * place + off.length))]);
      return order.sort((x, y) => y[1] - x[1]);
    }));
    const was = places.map(place => masked.includes(place) ? top[0].map((_, layer) => 0.03 + 0.1 * layer) : null);
    const header = {tokens, types, special, masked: places, cut, top, was, nsp: second ? [0.9, 0.1] : null,
      sizes: {layers, heads, hidden, inner, tokens: T},
      arrays: Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, [0, shape, "f32"]]))};
    return {header, array: name => arrays[name]};
  };
  return source;
};
