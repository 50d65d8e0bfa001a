// BERT in a separate thread (a Web Worker), so that the page reacts to the mouse while BERT computes.
import {Bert} from "./bert.js";

/** Run the worker. The first message has the weights in base64, and each later message is a question
    {id, first, second, masked, off}, which is answered by {id, header, arrays} or {id, error}. */
export function serve(scope) {
  let source = null;
  scope.onmessage = async ({data}) => {
    if (!source) {
      source = localSource(data);
      return;
    }
    try {
      const {header, array} = await source.trace(data);
      const arrays = Object.fromEntries(Object.keys(header.arrays).map(name => [name, array(name)]));
      const buffers = Object.values(arrays).map(one => one.buffer);
      scope.postMessage({id: data.id, header, arrays}, buffers);
    } catch (error) {
      scope.postMessage({id: data.id, error: error.message});
    }
  };
}

/** Return a source of traces that computes in the calling thread. weights: base64, decoded at the first question. */
export function localSource(weights) {
  let bert = null;
  const trace = async ({first, second, masked, off}) => {
    bert ||= new Bert(Uint8Array.from(atob(weights), c => c.charCodeAt(0)).buffer);
    return bert.trace(first, second, masked, off);
  };
  return {trace};
}

/** Return a source of traces that computes in a worker. script: code that calls serve. If the worker cannot start or
    fails, the source computes in the page instead, starting with the questions that are waiting. */
export function workerSource(script, weights) {
  const waiting = new Map();
  const here = localSource(weights);
  let worker = null;
  let count = 0;
  const leave = () => {
    worker.terminate();
    worker = null;
    for (const {question, resolve} of waiting.values()) resolve(here.trace(question));
    waiting.clear();
  };
  try {
    worker = new Worker(URL.createObjectURL(new Blob([script], {type: "text/javascript"})));
    worker.onerror = event => {
      event.preventDefault();
      if (worker) leave();
    };
    worker.onmessage = ({data: {id, header, arrays, error}}) => {
      const {resolve, reject} = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) resolve({header, array: name => arrays[name]});
      else reject(new Error(error));
    };
    worker.postMessage(weights);
  } catch {
    worker = null;
  }
  const trace = question => {
    if (!worker) return here.trace(question);
    return new Promise((resolve, reject) => {
      const id = (count += 1);
      waiting.set(id, {question, resolve, reject});
      worker.postMessage({id, ...question});
    });
  };
  return {trace};
}
