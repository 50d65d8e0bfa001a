// The end of the model: what stands at a masked place, whether B follows A, and the vector of [CLS].
import {barList, strip} from "./bars.js";
import {decimal, html, percent, quoted, roving, size} from "./dom.js";

/** Draw the column. view.before: the header of the same pass with nothing switched off, or null. */
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
        : levels({state, act}, header.top[place], view.before && view.before.top[place], numbers.L)),
    ),
    html("div", {}, nextSentence(header), classVector(numbers)),
  );
}

/** One button for each masked place, or one line if there is only one. */
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
      {class: "mb-places", role: "toolbar", "aria-label": "Masked places"},
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

/** The bars, and the slider that tells from which layer's output they are read. */
function levels({state, act}, top, before, L) {
  const bars = html("div", {});
  const told = html("output", {class: "mb-level"});
  const change = html("p", {class: "mb-change"});
  const show = depth => {
    const earlier = before && new Map(before[depth].map(([word, p]) => [word, p]));
    bars.replaceChildren(
      barList(
        top[depth].map(([word, p]) => [word, p, earlier ? (earlier.get(word) ?? null) : null]),
        depth === L ? "pretrained" : "faint",
        "Most probable tokens",
      ),
    );
    told.textContent =
      depth === 0
        ? "after the embeddings"
        : depth === L
          ? `after layer ${L}, the last`
          : `after layer ${depth} of ${L}`;
    slider.setAttribute("aria-valuetext", told.textContent);
    change.textContent = before ? `${changed(before[depth], top[depth])}. Marks on the bars: before.` : "";
  };
  const slider = html("input", {
    type: "range",
    min: 0,
    max: L,
    step: 1,
    "aria-label": "Layer that the prediction is read from",
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

/** "before → after" of the first prediction, in words. */
export function changed(before, after) {
  const [[word, p]] = after;
  const [[old, q]] = before;
  return `Before: ${quoted(old)} ${percent(q)} → now: ${quoted(word)} ${percent(p)}`;
}

function nextSentence({nsp}) {
  return html(
    "div",
    {class: "mb-nsp", "data-part": "nsp"},
    html("h4", {}, "Next sentence"),
    nsp
      ? barList(
          [
            ["B follows A", nsp[0]],
            ["B is random", nsp[1]],
          ],
          "pretrained",
          "Next sentence prediction",
          true,
        )
      : html("p", {class: "mb-faint"}, "With a second sentence, [CLS] tells whether B follows A."),
  );
}

function classVector({of, header}) {
  if (!("pooled" in header.arrays)) return null;
  return html(
    "div",
    {class: "mb-cls", "data-part": "cls"},
    html("h4", {}, "[CLS] after the pooler"),
    strip(of("pooled")),
    html("span", {class: "mb-number"}, `size ${decimal(size(of("pooled")))}`),
  );
}
