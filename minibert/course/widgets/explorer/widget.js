// The notebook's end of the wire: a question is one message to the kernel, its answer one with one buffer.
import {render} from "./view.js";

const LATE = {
  after: 15000,
  text:
    "The notebook's kernel has not answered yet. If another cell is running, the picture comes when it is done; " +
    "if the kernel has stopped, restart it and run this cell again.",
};

/** What anywidget calls for each view of the widget. Returns what undoes it. */
export function show({model, el}) {
  const {source, close} = kernelSource(model);
  render({element: el, source, first: model.get("first"), second: model.get("second")});
  return close;
}

/** A source whose traces come from the kernel. */
export function kernelSource(model) {
  const waiting = new Map();
  const name = Math.random().toString(36).slice(2);
  const hear = (answer, buffers) => {
    const asked = waiting.get(answer.id);
    if (!asked) return; // the answer to another view of this widget
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

/** array(name) -> Float32Array of a message's buffer (a DataView), each converted once. */
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

/** The number that 16 bits stand for: sign, 5 bits of exponent, 10 of fraction. */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction);
}
