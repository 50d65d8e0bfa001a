// The model's predictions: the tokens at masked positions, whether B follows A, and the vector of [CLS].
import {barList, scaleEnd, stripAndNorm} from "./bars.js";
import {html, percent, quoted, roving} from "./dom.js";

const LENS = "logit lens: the output head was trained on the last layer only";

/** Draw the prediction column. view.before: the header of the same pass with everything switched on, or null. */
export function prediction(view) {
  const {state, numbers, act} = view;
  const {header} = numbers;
  const place = header.masked.indexOf(state.place);
  return html(
    "section",
    {class: "mb-prediction", "data-part": "prediction", "aria-label": "Prediction"},
    html(
      "div",
      {},
      html("h3", {}, "Prediction"),
      places(view, place),
      ...(place < 0
        ? [html("p", {class: "mb-faint"}, "Mask a token to see what BERT predicts in its place.")]
        : levels(view, place)),
    ),
    view.brief
      ? null
      : html("div", {}, header.nsp || !view.fixed ? nextSentence(header) : null, classVector(numbers)),
  );
}

/** Return a button for each masked position, or a line of text if there is only one. */
function places({state, numbers: {header}, act}, place) {
  const named = t =>
    state.words[t] && state.words[t] !== header.tokens[t]
      ? `token ${t + 1}, was ${quoted(state.words[t])}`
      : `token ${t + 1}`;
  if (place < 0) return null;
  if (header.masked.length === 1) return html("p", {class: "mb-faint mb-where"}, `at ${named(state.place)}`);
  return roving(
    html(
      "div",
      {class: "mb-places", role: "toolbar", "aria-label": "Masked tokens"},
      html("p", {class: "mb-faint"}, "Each masked token is predicted separately:"),
      ...header.masked.map(t =>
        html(
          "button",
          {
            type: "button",
            "aria-pressed": String(t === state.place),
            "aria-label": named(t),
            title: named(t),
            "data-key": `place ${t}`,
            click: () => act.place(t),
          },
          `token ${t + 1}`,
        ),
      ),
    ),
    place,
  );
}

/** Return the bars, and the slider that chooses the layer from whose output they are predicted. */
function levels(view, place) {
  const {state, act, numbers} = view;
  const {L, header} = numbers;
  const top = header.top[place];
  const was = header.was[place];
  const there = quoted(state.words[state.place]);
  const before = view.before && view.before.top[place];
  const bars = html("div", {});
  const told = html("output", {class: "mb-level"});
  const change = html("p", {class: "mb-change"});
  const show = depth => {
    const earlier = before && new Map(before[depth].map(([word, p]) => [word, p]));
    const rows = top[depth].map(([word, p]) => [word, p, earlier ? (earlier.get(word) ?? null) : null]);
    const end = scaleEnd(rows);
    bars.replaceChildren(
      barList(rows, depth === L ? "pretrained" : "faint", "Most probable tokens", end),
      html("p", {class: "mb-faint mb-scale"}, `full bar: ${percent(end)}`),
      was ? html("p", {class: "mb-was"}, `${there}, the original token: ${percent(was[depth])}`) : "",
    );
    told.textContent =
      depth === 0
        ? `after the embeddings (${LENS})`
        : depth === L
          ? `after layer ${L}, the last one`
          : `after layer ${depth} of ${L} (${LENS})`;
    slider.setAttribute("aria-valuetext", told.textContent);
    change.textContent = before ? `${changed(before[depth], top[depth])}. The marks on the bars show the values before.` : "";
  };
  const slider = html("input", {
    type: "range",
    min: 0,
    max: L,
    step: 1,
    "aria-label": "Layer from which the prediction is read",
    "data-key": "depth",
    input: () => {
      show(Number(slider.value));
      act.depth(Number(slider.value), top);
    },
  });
  slider.value = Math.min(state.depth ?? L, L);
  show(Number(slider.value));
  const label = html(
    "div",
    {class: "mb-slider", "data-part": "depth"},
    html("span", {}, "Read "),
    told,
    slider,
  );
  return [bars, change, label];
}

/** Describe in words how the most likely token has changed. */
export function changed(before, after) {
  const [[word, p]] = after;
  const [[old, q]] = before;
  return `Before: ${quoted(old)} ${percent(q)} → now: ${quoted(word)} ${percent(p)}`;
}

function nextSentence({nsp, types, arrays}) {
  const missing =
    types.includes(1) || !("pooled" in arrays)
      ? "This model has no output head for this."
      : "Type a sentence B, and BERT predicts from [CLS] whether it follows A.";
  return html(
    "div",
    {class: "mb-nsp", "data-part": "nsp"},
    html("h4", {}, "Next sentence prediction"),
    nsp
      ? barList(
          [
            ["B follows A", nsp[0]],
            ["B is random", nsp[1]],
          ],
          "pretrained",
          "Next sentence prediction",
        )
      : html("p", {class: "mb-faint"}, missing),
  );
}

function classVector({of, header}) {
  if (!("pooled" in header.arrays)) return null;
  return html(
    "div",
    {class: "mb-cls", "data-part": "cls"},
    html("h4", {}, "Vector of [CLS] after the pooler"),
    ...stripAndNorm(of("pooled"), "vector of [CLS]"),
  );
}
