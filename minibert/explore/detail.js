// The frame of what is open under the map: where you are, its neighbours, its switch.
import {toggle} from "./bars.js";
import {html} from "./dom.js";
import {headPanel} from "./head.js";
import {embeddingPanel, layerPanel} from "./layer.js";
import {isOff} from "./numbers.js";

const OFF = {
  layer: "This layer is off: the hidden states pass through it unchanged.",
  head: "This head is off: its context is set to 0.",
};

/** Draw what state.open names: ["embeddings"], ["layer", layer] or ["head", layer, head]; null: nothing. */
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
  const off = kind !== "embeddings" && isOff(state.off, layer, kind === "head" ? head : null);
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
  const from = kind === "embeddings" ? 0.15 : 0.25 + (0.4 * (layer + 0.5)) / L; // it grows out of its column
  return html(
    "section",
    {
      class: `mb-detail mb-of-${kind}`,
      "data-part": "detail",
      "aria-label": title,
      style: `--from: ${from}`,
      keydown: escape,
    },
    bar(view, title, off),
    off ? html("p", {class: "mb-faint"}, OFF[kind]) : null,
    ...content[kind](),
  );
}

function bar({state: {open}, numbers: {L, H}, act}, title, off) {
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
          toggle(!off, title, `switch ${open.slice(1).join(" ")}`, () => act.flip(open)),
        ];
  return html(
    "header",
    {class: "mb-bar-top"},
    html("nav", {"aria-label": "Where you are"}, ...way, html("h3", {tabindex: -1}, title)),
    ...controls,
    button("✕", "close", act.close, {class: "mb-close", "aria-label": "Close"}),
  );
}

/** "layer 2", or "layer 2 head 3". */
export function partName([kind, layer, head]) {
  return `layer ${layer + 1}${kind === "head" ? ` head ${head + 1}` : ""}`;
}
