// The panel for one head: queries times keys, mask, softmax, weighted values, and the numbers of the chosen token.
import {cells, outline, strip, vectorRow} from "./bars.js";
import {decimal, html, largest, percent, quoted, shortened, svg} from "./dom.js";
import {signs} from "./layer.js";

const LABELLED = 24;
const LISTED = 16; // the most tokens in the table

/** Draw a head: its two matrices, and the row of the chosen token as a table. */
export function headPanel(view, layer, head) {
  const {
    state: {token},
    numbers: {of, tokens, K},
  } = view;
  const place = [layer, head];
  const scores = of("scores", ...place);
  const probs = of("probs", ...place);
  const most = scores.reduce((top, x) => Math.max(top, Math.abs(x)), 0) || 1;
  const peak = probs.reduce((a, b) => Math.max(a, b), 0) || 1;
  const word = quoted(tokens[token]);
  const told = html(
    "p",
    {class: "mb-cell mb-faint"},
    "Point at a cell, or move to it with the arrow keys, to see its numbers.",
  );
  const tell = text => {
    told.textContent = text;
    view.act.say(text);
  };
  return [
    html(
      "div",
      {class: "mb-matrices"},
      html(
        "div",
        {"data-part": "scores"},
        html("h4", {}, `Scores: query · key / √${K}`),
        html("p", {class: "mb-faint"}, `full colour: ±${decimal(most)}`),
        matrix(view, place, scores, most, "positive", tell),
      ),
      html(
        "p",
        {class: "mb-arrow"},
        html("span", {"aria-hidden": "true"}, "→"),
        html("b", {}, "mask"),
        html("small", {}, "there is no padding here, so each token attends to all tokens, left and right"),
        html("b", {}, "softmax"),
        html("small", {}, "over each row, so that it adds up to 100%"),
      ),
      html(
        "div",
        {"data-part": "probs"},
        html("h4", {}, "Attention: the weights"),
        html("p", {class: "mb-faint"}, `full colour: ${percent(peak)}`),
        matrix(view, place, probs, peak, "query", tell),
      ),
      told,
    ),
    html(
      "div",
      {class: "mb-row", "data-part": "row"},
      html("h4", {}, `What ${word} attends to`),
      html(
        "div",
        {class: "mb-vectors"},
        vectorRow(`query of ${quoted(shortened(tokens[token], 10))}`, "query", of("query", ...place, token)),
      ),
      table(view, place, most),
    ),
    html(
      "div",
      {class: "mb-context", "data-part": "context"},
      html("h4", {}, `Context of ${word}: the weighted sum of the values`),
      html(
        "div",
        {class: "mb-vectors"},
        vectorRow("context", "context", of("context", ...place, token), "="),
      ),
      signs(),
    ),
  ];
}

/** Draw a table of the keys, scores, weights and values for the chosen token, limited to the largest weights. */
function table({state: {token}, numbers: {of, tokens, T}}, place, most) {
  const scores = of("scores", ...place, token);
  const probs = of("probs", ...place, token);
  const shown = largest(probs, LISTED).sort((a, b) => a - b);
  const rest = 1 - shown.reduce((sum, s) => sum + probs[s], 0);
  const head = ["token", "key", "score", "weight", "value"].map(name =>
    html(
      "th",
      {
        scope: "col",
        style: `--role: var(--mb-${{key: "key", value: "value", weight: "query"}[name] || "ink"})`,
      },
      name,
    ),
  );
  return html(
    "table",
    {class: "mb-table"},
    html("thead", {}, html("tr", {}, ...head)),
    html(
      "tbody",
      {},
      ...shown.map(s =>
        html(
          "tr",
          {},
          html(
            "th",
            {scope: "row", title: `token ${s + 1}: ${tokens[s]}`},
            html("bdi", {}, shortened(tokens[s], 14)),
            T > LISTED ? html("small", {}, ` ${s + 1}`) : null,
          ),
          html("td", {class: "mb-strips"}, strip(of("key", ...place, s), `key of ${quoted(tokens[s])}`)),
          html(
            "td",
            {},
            html(
              "span",
              {class: "mb-score", "aria-hidden": "true"},
              html("span", {
                class: scores[s] < 0 ? "mb-minus" : "mb-plus",
                style: `width: ${((50 * Math.abs(scores[s])) / most).toFixed(1)}%`,
              }),
            ),
            html("span", {class: "mb-number"}, decimal(scores[s])),
          ),
          html(
            "td",
            {},
            html(
              "span",
              {class: "mb-bar", "aria-hidden": "true", style: "--role: var(--mb-query)"},
              html("span", {class: "mb-fill", style: `width: ${(100 * probs[s]).toFixed(1)}%`}),
            ),
            html("span", {class: "mb-number"}, percent(probs[s])),
          ),
          html("td", {class: "mb-strips"}, strip(of("value", ...place, s), `value of ${quoted(tokens[s])}`)),
        ),
      ),
    ),
    T > LISTED
      ? html(
          "caption",
          {},
          `The other ${T - LISTED} tokens have ${percent(Math.max(0, rest))} together. `,
          "The small numbers are positions in the text.",
        )
      : null,
  );
}

/** Draw a matrix of tokens by tokens. The pointer or the arrow keys choose a cell, described through tell(line). */
function matrix(view, place, values, most, role, tell) {
  const {
    state,
    numbers: {tokens, T},
    act,
  } = view;
  const cursor = svg("rect", {class: "mb-cursor", width: 1, height: 1, visibility: "hidden"});
  const go = (t, s) => {
    cursor.setAttribute("x", s);
    cursor.setAttribute("y", t);
    cursor.setAttribute("visibility", "visible");
    tell(cellLine(view, place, t, s));
    now = [t, s];
  };
  let now = [state.token, state.token];
  const STEPS = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]};
  const at = event => {
    const box = picture.getBoundingClientRect();
    return [event.clientY - box.top, event.clientX - box.left].map(x =>
      Math.max(0, Math.min(T - 1, Math.floor((x * T) / box.width))),
    );
  };
  const picture = svg(
    "svg",
    {
      class: "mb-matrix",
      viewBox: `0 0 ${T} ${T}`,
      tabindex: 0,
      role: "application",
      "data-key": `matrix ${role}`,
      "aria-label": `Matrix of ${T} by ${T}. The arrow keys choose a cell, and Enter chooses its row.`,
      mousemove: event => go(...at(event)),
      focus: () => go(...now),
      click: event => act.choose(at(event)[0]),
      keydown: event => {
        if (event.key === "Enter") return act.choose(now[0]);
        const step = STEPS[event.key];
        if (!step) return undefined;
        event.preventDefault();
        return go(...now.map((x, i) => Math.max(0, Math.min(T - 1, x + step[i]))));
      },
    },
    ...cells(values, T, most, role),
    outline(state.token, T),
    cursor,
  );
  if (T > LABELLED) return html("div", {class: "mb-grid mb-bare", style: `--rows: ${T}`}, picture);
  const labels = name =>
    html(
      "div",
      {class: name, "aria-hidden": "true"},
      ...tokens.map(token => html("bdi", {}, shortened(token, 12))),
    );
  return html(
    "div",
    {class: "mb-grid", style: `--rows: ${T}`},
    labels("mb-over"),
    labels("mb-aside"),
    picture,
  );
}

/** Describe the numbers of one cell in a line of text. */
function cellLine({numbers: {of, tokens, K}}, place, t, s) {
  const score = decimal(of("scores", ...place, t)[s]);
  const weight = percent(of("probs", ...place, t)[s]);
  const looks = `${quoted(tokens[t])} attends to ${quoted(tokens[s])}`;
  return `${looks}: query · key / √${K} = ${score}, which softmax turns into ${weight}.`;
}
