// The panel under the map for the open part of the model, with its path, its neighbours and its switch.
import {toggle} from "./bars.js";
import {html} from "./dom.js";
import {headPanel} from "./head.js";
import {embeddingPanel, layerPanel} from "./layer.js";
import {isOff} from "./numbers.js";

/** Draw the part in state.open: ["embeddings"], ["layer", layer] or ["head", layer, head], or nothing for null. */
export function detail(view) {
  const {
    state,
    numbers: {L, H},
    act,
  } = view;
  if (!state.open) return null;
  const [kind, layer, head] = state.open;
  const title = {
    embeddings: "Embeddings",
    layer: `Layer ${layer + 1} of ${L}`,
    head: `Head ${head + 1} of ${H}`,
  }[kind];
  const off = offLine(state.off, state.open);
  const silent = kind !== "embeddings" && isOff(state.off, layer); // a layer that is off has no numbers to show
  const content = {
    embeddings: () => embeddingPanel(view),
    layer: () => layerPanel(view, layer),
    head: () => headPanel(view, layer, head),
  };
  const escape = event => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    act.up();
  };
  const from = kind === "embeddings" ? 0.15 : 0.25 + (0.4 * (layer + 0.5)) / L; // the panel grows out of its column
  return html(
    "section",
    {
      class: `mb-detail mb-of-${kind}`,
      "data-part": "detail",
      "aria-label": title,
      style: `--from: ${from}`,
      keydown: escape,
    },
    bar(view, title, silent ? ["layer", layer] : state.open, off),
    off && html("p", {class: "mb-faint"}, off),
    ...(silent ? [] : content[kind]()),
  );
}

/** Explain what it means that the open part is off, or return null if it is on. */
function offLine(off, [kind, layer, head]) {
  if (kind === "embeddings") return null;
  if (isOff(off, layer))
    return `Layer ${layer + 1} is off: hidden states pass through it unchanged. Switch it on to see its numbers.`;
  return kind === "head" && isOff(off, layer, head) ? "This head is off: its context is set to 0." : null;
}

/** Build the bar above a part. switched: the part that the switch turns on and off. */
function bar({state: {open}, numbers: {L, H}, act}, title, switched, off) {
  const [kind, layer, head] = open;
  const [at, most] = kind === "head" ? [head, H] : [layer, L];
  const button = (sign, key, click, more = {}) =>
    html("button", {type: "button", "data-key": key, click, ...more}, sign);
  const step = (sign, name, by) =>
    button(sign, name, () => act.open([...open.slice(0, -1), at + by]), {
      "aria-label": `${name} ${kind}`,
      disabled: !(at + by >= 0 && at + by < most),
    });
  const way = [button("BERT", "model", act.close), " › "];
  if (kind === "head") way.push(button(`Layer ${layer + 1}`, "up", act.up), " › ");
  const controls =
    kind === "embeddings"
      ? []
      : [
          step("‹", "previous", -1),
          step("›", "next", 1),
          toggle(!off, partName(switched), `switch ${open.slice(1).join(" ")}`, act.flip && (() => act.flip(switched))),
        ];
  return html(
    "header",
    {class: "mb-bar-top"},
    html("nav", {"aria-label": "Where you are"}, ...way, html("h3", {tabindex: -1}, title)),
    ...controls,
    button("✕", "close", act.close, {class: "mb-close", "aria-label": "Close"}),
  );
}

/** Return the name of a part, such as "layer 2" or "layer 2 head 3". */
export function partName([kind, layer, head]) {
  return `layer ${layer + 1}${kind === "head" ? ` head ${head + 1}` : ""}`;
}
