// The panels for the embeddings of a token, and for a layer with its heads and its feed-forward part.
import {cells, outline, stripAndNorm, toggle, vectorRow} from "./bars.js";
import {count, html, largest, percent, quoted, roving, svg} from "./dom.js";
import {embeddingSum, isOff} from "./numbers.js";

/** Draw the three embeddings of the chosen token, their sum, and the sum after LayerNorm. */
export function embeddingPanel({state: {token}, numbers: {of, tokens, D}}) {
  return [
    html("p", {}, `${quoted(tokens[token])} starts as the sum of three vectors with ${count(D)} numbers each.`),
    html(
      "div",
      {class: "mb-vectors"},
      vectorRow("token", "token", of("token", token)),
      vectorRow("position", "position", of("position", token), "+"),
      vectorRow("segment", "segment", of("segment", token), "+"),
      vectorRow("sum", "ink", embeddingSum(of, token), "="),
      vectorRow("after LayerNorm", "ink", of("hidden", 0, token), "→"),
    ),
    signs(),
  ];
}

/** Draw a layer: the residual stream of the chosen token, all heads and the feed-forward part. */
export function layerPanel(view, layer) {
  const {
    state: {token},
    numbers: {of, tokens, F, H, K},
  } = view;
  const inner = of("inner", layer, token);
  const active = inner.filter(x => x > 0).length;
  return [
    html(
      "div",
      {class: "mb-two"},
      html(
        "div",
        {"data-part": "stream"},
        html("h4", {}, `Residual stream of ${quoted(tokens[token])}`),
        html(
          "div",
          {class: "mb-vectors"},
          vectorRow(layer ? `from layer ${layer}` : "from the embeddings", "ink", of("hidden", layer, token)),
          vectorRow("attention adds", "context", of("attended", layer, token), "+"),
          vectorRow("LayerNorm", "ink", of("norm1", layer, token), "→"),
          vectorRow("feed-forward adds", "ink", of("fed", layer, token), "+"),
          vectorRow("LayerNorm", "ink", of("hidden", layer + 1, token), "→"),
        ),
        html(
          "div",
          {"data-part": "inner"},
          html("h4", {}, "Feed-forward part"),
          html(
            "p",
            {class: "mb-faint"},
            `${count(F)} units after GELU; ${count(active)} of them are above 0 here.`,
          ),
          ...stripAndNorm(inner, "units after GELU", Math.ceil(F / 4), 0.99),
        ),
        signs(),
      ),
      html(
        "div",
        {"data-part": "heads"},
        html("h4", {}, `${H} heads with ${K} numbers each: rows attend to columns`),
        roving(
          html(
            "div",
            {class: "mb-heads", role: "toolbar", "aria-label": `Heads of layer ${layer + 1}`},
            ...Array.from({length: H}, (_, head) => headCard(view, layer, head)),
          ),
        ),
      ),
    ),
  ];
}

function headCard({state, numbers: {of, tokens, T}, act}, layer, head) {
  const off = isOff(state.off, layer, head);
  const row = of("probs", layer, head, state.token);
  const [s] = largest(row, 1);
  const seen = off ? ["off", ""] : [quoted(tokens[s]), percent(row[s])];
  return html(
    "div",
    {class: `mb-card${off ? " mb-dim" : ""}`},
    html(
      "button",
      {
        type: "button",
        class: "mb-open",
        "data-key": `head ${layer} ${head}`,
        click: () => act.open(["head", layer, head]),
        "aria-label": `Head ${head + 1}: open. ${quoted(tokens[state.token])} attends most to ${seen.join(" ")}`,
      },
      html("span", {}, `Head ${head + 1}`),
      thumbnail(of("probs", layer, head), T, state.token),
      html("small", {}, html("bdi", {}, seen[0]), html("span", {}, seen[1])),
    ),
    toggle(
      !off,
      `Head ${head + 1} of layer ${layer + 1}`,
      `switch ${layer} ${head}`,
      act.flip && (() => act.flip(["head", layer, head])),
    ),
  );
}

function thumbnail(probs, T, token) {
  return svg(
    "svg",
    {class: "mb-thumb", viewBox: `0 0 ${T} ${T}`, "aria-hidden": "true", preserveAspectRatio: "none"},
    ...cells(probs, T, probs.reduce((a, b) => Math.max(a, b), 0) || 1, "query"),
    outline(token, T),
  );
}

/** Return a legend for the colours of a strip. */
export function signs() {
  return html(
    "p",
    {class: "mb-legend mb-faint"},
    html("span", {class: "mb-key", style: "--role: var(--mb-positive)"}),
    "positive ",
    html("span", {class: "mb-key", style: "--role: var(--mb-negative)"}),
    "negative; each strip has its own scale. Norm: the length of the vector.",
  );
}
