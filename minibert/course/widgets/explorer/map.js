// The overview, with a row for each token and a column for each part of the model; information flows to the right.
import {decimal, html, largest, norm, percent, quoted, shortened, svg} from "./dom.js";
import {embeddingSum, isOff} from "./numbers.js";

const ROOM = 460; // pixels for all rows together, within the limits for the height of a row
const TALLEST = 30;
const LOWEST = 4;
const READABLE = 11;
const DRAWN = 3; // arcs for each token that is not chosen
const LANES = ["token", "position", "segment", "sum"];

/** Draw the map. Returns {element, highlight(token or null)}. */
export function overview(view) {
  const {numbers, act} = view;
  const {T, L, header} = numbers;
  const row = Math.max(LOWEST, Math.min(TALLEST, ROOM / T));
  const columns = Array.from({length: L}, (_, layer) => layerColumn(view, layer));
  const band = html("div", {class: "mb-band", hidden: true});
  const labels = html(
    "div",
    {class: `mb-labels${row < READABLE ? " mb-tiny" : ""}`},
    html("span", {class: "mb-head"}, html("span", {class: "mb-wide"}, "Tokens")),
    ...numbers.tokens.map(token => html("bdi", {}, shortened(token, 16))),
  );
  const element = html(
    "div",
    {
      class: `mb-map${L > 7 ? " mb-many" : ""}`,
      "data-part": "map",
      style: `--row: ${row}px; --rows: ${T}; --layers: ${L}`,
    },
    band,
    ...header.masked.map(t => html("div", {class: "mb-band mb-hole", style: `--t: ${t}`})),
    stream(T),
    labels,
    embeddingColumn(view),
    ...columns.map(column => column.element),
  );
  const rowOf = event => {
    const body = columns[0].picture.getBoundingClientRect();
    const t = Math.floor((event.clientY - body.top) / row);
    return event.target.closest(".mb-prediction") || t < 0 || t >= T ? null : t;
  };
  element.addEventListener("mousemove", event => act.hover(rowOf(event)));
  element.addEventListener("mouseleave", () => act.hover(null));
  element.addEventListener(
    "click",
    event => {
      const t = rowOf(event);
      if (event.detail && t !== null) act.choose(t); // a click with the keyboard has no position
    },
    true,
  );
  return {
    element,
    highlight(t) {
      band.hidden = t === null;
      band.style.setProperty("--t", t ?? 0);
      [...labels.children].forEach((label, i) => label.classList.toggle("mb-now", i - 1 === t));
      columns.forEach(column => column.highlight(t));
    },
  };
}

/** Return a caption that explains the map. brief: as for `render`. */
export function mapCaption(brief) {
  const swatch = role => html("span", {class: "mb-key", style: `--role: var(--mb-${role})`});
  const norms = [
    "Bars: the norms (lengths) of the embeddings of the",
    swatch("token"),
    "token,",
    swatch("position"),
    "position and",
    swatch("segment"),
    "segment, and of",
    swatch("ink"),
    "their sum. Grey lines: the residual stream. ",
  ];
  return html(
    "p",
    {class: "mb-caption mb-faint"},
    ...(brief ? [] : norms),
    "Curves: ",
    swatch("query"),
    `the ${DRAWN} largest attention weights of each token, averaged over the heads that are on; they lead from the token `,
    "attended to (left) to the token that attends (right);",
    swatch("context"),
    "the attention of the chosen token, with thicker curves for larger weights. Click a column to see its parts.",
  );
}

/** Draw the residual stream as one faint line for each token. */
function stream(T) {
  const d = Array.from({length: T}, (_, t) => `M0 ${t + 0.5}h100`).join("");
  return svg(
    "svg",
    {class: "mb-stream", viewBox: `0 0 100 ${T}`, preserveAspectRatio: "none", "aria-hidden": "true"},
    svg("path", {d}),
  );
}

function columnButton({state, act}, place, column, name, heading, picture, more = "") {
  const open = state.open !== null && place.every((part, i) => state.open[i] === part);
  return html(
    "button",
    {
      type: "button",
      class: `mb-column ${more}`,
      "aria-expanded": String(open),
      "aria-label": name,
      style: `grid-column: ${column}`,
      "data-key": place.join(" "),
      "data-part": place[0],
      click: () => act.open(place),
    },
    html("span", {class: "mb-head"}, ...heading),
    picture,
  );
}

function embeddingColumn(view) {
  const {of, T} = view.numbers;
  const lanes = view.brief ? LANES.filter(lane => lane !== "segment") : LANES;
  const wide = 100 / lanes.length;
  const norms = lanes.map(lane =>
    Array.from({length: T}, (_, t) =>
      norm(lane === "sum" ? embeddingSum(of, t) : of(lane, t)),
    ),
  );
  const most = Math.max(...norms.flat()) || 1;
  const paths = lanes.map((lane, i) =>
    svg("path", {
      fill: lane === "sum" ? "var(--mb-ink)" : `var(--mb-${lane})`,
      d: norms[i]
        .map((length, t) => {
          const start = `${(wide * i + 1).toFixed(2)}`;
          return `M${start} ${t + 0.25}h${(((wide - 3) * length) / most).toFixed(2)}v.5H${start}z`;
        })
        .join(""),
    }),
  );
  const names = html(
    "span",
    {class: "mb-lanes mb-wide", style: `--lanes: ${lanes.length}`},
    ...lanes.flatMap(lane => [
      " ",
      html("span", {style: `--role: var(--mb-${lane === "sum" ? "ink" : lane})`}, lane),
    ]),
  );
  return columnButton(
    view,
    ["embeddings"],
    2,
    `Embeddings ${lanes.join(" ")}: open`, // begins with what is seen
    [html("span", {class: "mb-wide"}, "Embeddings"), html("span", {class: "mb-short"}, "Emb."), names],
    svg(
      "svg",
      {class: "mb-picture", viewBox: `0 0 100 ${T}`, preserveAspectRatio: "none", "aria-hidden": "true"},
      ...paths,
    ),
    "mb-embeddings",
  );
}

/** Draw a layer's thumbnail, which shows the attention between tokens, averaged over the heads. */
function layerColumn(view, layer) {
  const {T, L, mean} = view.numbers;
  const weights = mean[layer];
  const off = isOff(view.state.off, layer);
  const some = view.state.off.some(([, l]) => l === layer);
  const lit = svg("g", {class: "mb-lit-arcs"});
  const picture = svg(
    "svg",
    {class: "mb-picture", viewBox: `0 0 100 ${T}`, preserveAspectRatio: "none", "aria-hidden": "true"},
    arcs(weights, T, DRAWN),
    lit,
  );
  const state = off ? "off" : some ? "partly off" : "";
  const heading = [
    html("span", {}, html("span", {class: "mb-wide"}, "Layer "), String(layer + 1)),
    state ? html("span", {class: "mb-off"}, state) : null,
  ];
  const element = columnButton(
    view,
    ["layer", layer],
    layer + 3,
    `Layer ${layer + 1} of ${L}${state && `, ${state}`}: open`,
    heading,
    picture,
    `mb-layer${off ? " mb-dim" : ""}`,
  );
  return {
    element,
    picture,
    highlight(t) {
      lit.replaceChildren(...(t === null || off ? [] : [arcsInto(weights, T, t)]));
    },
  };
}

const curve = (from, to) => `M0 ${from + 0.5}C50 ${from + 0.5} 50 ${to + 0.5} 100 ${to + 0.5}`;

/** Draw arcs for the `most` largest weights of each token, from the token attended to, darker for larger weights. */
function arcs(weights, T, most) {
  const paths = ["", "", "", ""];
  for (let t = 0; t < T; t++) {
    const row = weights.subarray(t * T, (t + 1) * T);
    for (const s of largest(row, most)) {
      const level = Math.min(3, Math.floor(row[s] * 6));
      if (row[s] > 0.04) paths[level] += curve(s, t);
    }
  }
  return svg(
    "g",
    {class: "mb-arcs"},
    ...paths.map((d, level) => svg("path", {d, "stroke-opacity": 0.14 + 0.2 * level})),
  );
}

function arcsInto(weights, T, t) {
  const row = weights.subarray(t * T, (t + 1) * T);
  return svg(
    "g",
    {},
    ...largest(row, 8)
      .filter(s => row[s] > 0.01)
      .map(s => svg("path", {d: curve(s, t), "stroke-width": (0.8 + 5 * row[s]).toFixed(2)})),
  );
}

/** Return a line about a token: its embeddings, its largest attention weight in each layer, and its final norm. */
export function tokenLine({numbers, brief}, t) {
  const {of, L, T, mean, tokens} = numbers;
  const name = `Token ${t + 1}, ${quoted(tokens[t])}`;
  if (brief) return `${name}: the thick curves lead to it from the tokens that it attends to.`;
  const norms = ["token", "position", "segment"]
    .map(name => `${name} ${decimal(norm(of(name, t)))}`)
    .join(", ");
  const most = Array.from({length: L}, (_, layer) => {
    const row = mean[layer].subarray(t * T, (t + 1) * T);
    const [s] = largest(row, 1);
    if (!row[s]) return `layer ${layer + 1} off`;
    return `layer ${layer + 1} ${quoted(tokens[s])} ${percent(row[s])}`;
  });
  return (
    `${name}. Norms of its embeddings: ${norms}. ` +
    `It attends most to these tokens, averaged over the heads: ` +
    `${most.join(", ")}. Norm after the last layer: ${decimal(norm(of("hidden", L, t)))}.`
  );
}
