// A guided tour that shows one sentence per step, and brings the picture into the state that it describes.
import {html} from "./dom.js";

/** Return the steps: a text, the part to highlight, and the state (layers and heads are counted from 0).
    pairs: true if the model has an output head for next sentence prediction. fixed: as for `render`. */
export function tourSteps(layers, pairs, fixed = false) {
  const layer = ["layer", 0];
  const head = ["head", 0, 0];
  const middle = Math.floor(layers / 2);
  return [
    [
      "This is a whole BERT. Rows are tokens, columns are parts of the model, and information flows from left to right.",
      "map",
      {},
    ],
    [
      "The text is split into tokens. BERT puts [CLS] at the start of the input and [SEP] after each sentence.",
      "chips",
      {},
    ],
    [
      "One token is masked. BERT predicts it from its context on both sides, left and right.",
      "chips",
      {},
    ],
    [
      "Each token starts as the sum of three embeddings: for the token, its position, and its segment (A or B).",
      "detail",
      {open: ["embeddings"]},
    ],
    [
      "In a layer, first attention and then the feed-forward part add to each token's residual stream, " +
        "with LayerNorm after each.",
      "stream",
      {open: layer},
    ],
    [
      "Attention has several heads. Each small matrix shows which tokens attend to (look at) which other tokens.",
      "heads",
      {open: layer},
    ],
    [
      "In a head, a score is the dot product of one token's query and another token's key, " +
        "divided by the square root of the head size.",
      "scores",
      {open: head},
    ],
    ["Softmax turns the scores of each row into weights that add up to 100%.", "probs", {open: head}],
    [
      "The weighted sum of the values is the head's context, the information that the token takes from the others.",
      "row",
      {open: head},
    ],
    [
      "After the last layer, the vector of the masked token gives each token of the vocabulary a probability.",
      "prediction",
      {},
    ],
    [
      "The slider applies the same output head to an earlier layer (logit lens). See how the prediction takes shape.",
      "depth",
      {depth: middle},
    ],
    ...(fixed
      ? []
      : [["Here, layer 1 is switched off. Compare the prediction with the one before.", "prediction", {off: [layer]}]]),
    ...(pairs
      ? [["If there is a sentence B, BERT predicts from the vector of [CLS] whether it follows A.", "nsp", {}]]
      : []),
    fixed
      ? ["Now it is your turn. Click any token to mask it, and open the layers and heads.", "chips", {}]
      : ["Now it is your turn. Type your own sentences, and click any token to mask it.", "texts", {}],
  ].map(([text, part, to]) => ({text, part, to: {open: null, depth: null, off: [], ...to}}));
}

/** Return the card of the tour. go(step): brings the picture into the state of a step; go(null): ends the tour. */
export function tourCard(steps, go) {
  const text = html("p", {class: "mb-tour-text", "aria-live": "polite"});
  const where = html("span", {class: "mb-faint"});
  const button = (name, key, press) => html("button", {type: "button", "data-key": key, click: press}, name);
  const back = button("Back", "tour back", () => show(now - 1));
  const close = button("Close", "tour close", () => end());
  const next = button("Next", "tour next", () => (now + 1 < steps.length ? show(now + 1) : end()));
  next.classList.add("mb-primary");
  const card = html(
    "div",
    {
      class: "mb-tour",
      role: "dialog",
      "aria-label": "Guided tour",
      keydown: event => {
        const press = {ArrowRight: next, ArrowLeft: back, Escape: close}[event.key];
        if (!press || press.disabled) return;
        event.preventDefault();
        event.stopPropagation();
        press.click();
      },
    },
    text,
    html("div", {class: "mb-tour-bar"}, where, back, next, close),
  );
  let now = 0;
  const show = step => {
    now = step;
    text.textContent = steps[now].text;
    where.textContent = `${now + 1} of ${steps.length}`;
    back.disabled = now === 0;
    next.textContent = now + 1 < steps.length ? "Next" : "Finish";
    next.focus({preventScroll: true});
    go(steps[now]);
  };
  const end = () => {
    card.remove();
    go(null);
  };
  return {card, start: () => show(0)};
}
