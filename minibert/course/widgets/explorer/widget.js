// The explorer in a notebook: each question is a message to the kernel, and its answer a message with a buffer.
import {render} from "./view.js";

const LATE = {
  after: 15000,
  text:
    "The notebook's kernel has not answered yet. If another cell is running, the picture will appear when it is done. " +
    "If the kernel has stopped, restart it and run this cell again.",
};

/** Show the widget. anywidget calls this for each view; the returned function cleans up. */
export function show({model, el}) {
  const {source, close} = kernelSource(model);
  const names = ["first", "second", "models", "fixed", "brief"];
  const [first, second, models, fixed, brief] = names.map(name => model.get(name));
  render({element: el, source, first, second, models, fixed, brief});
  return close;
}

/** Return a source that gets its traces from the kernel. */
export function kernelSource(model) {
  const waiting = new Map();
  const name = Math.random().toString(36).slice(2);
  const hear = (answer, buffers) => {
    const asked = waiting.get(answer.id);
    if (!asked) return; // this answer is for another view of the widget
    waiting.delete(answer.id);
    if ("error" in answer) asked.reject(new Error(answer.error));
    else asked.resolve({header: answer.header, array: unpacked(answer.header.arrays, buffers[0])});
  };
  model.on("msg:custom", hear);
  let count = 0;
  const trace = question =>
    new Promise((resolve, reject) => {
      const id = `${name} ${(count += 1)}`;
      waiting.set(id, {resolve, reject});
      model.send({id, ...question});
    });
  return {source: {trace, late: LATE}, close: () => model.off("msg:custom", hear)};
}

/** Return array(name), which reads a Float32Array from a message's buffer (a DataView) and converts it only once. */
export function unpacked(places, {buffer, byteOffset}) {
  const done = {};
  return name => {
    if (!(name in done)) {
      const [offset, shape, kind] = places[name];
      const length = shape.reduce((a, b) => a * b, 1);
      const start = byteOffset + offset;
      const bytes = buffer.slice(start, start + length * (kind === "f16" ? 2 : 4)); // a copy is aligned
      done[name] = kind === "f16" ? Float32Array.from(new Uint16Array(bytes), half) : new Float32Array(bytes);
    }
    return done[name];
  };
}

/** Convert the 16 bits of a float16 to a number: the sign, 5 bits of exponent and 10 bits of fraction. */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction);
}
